"""What clients send as arguments: numbers, booleans and lists as text, null for nothing, text that stays text."""

from __future__ import annotations

from typing import Any

import pytest

from plainbrain.errors import InvalidField
from plainbrain.faces.mcp.arguments import read_arguments
from plainbrain.faces.mcp.tools import BY_NAME, MAX_K


def read(tool: str, **given: Any) -> dict[str, Any]:
    return read_arguments(BY_NAME[tool].parameters, given)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("5", 5),
        (5, 5),
        (3.0, 3),
        ("3.0", 3),
        (" 7 ", 7),
        (1e9, MAX_K),
        ("100000", MAX_K),
        (None, 10),
        ("", 10),
        ("null", 10),
    ],
)
def test_a_number_may_come_as_text(given: object, expected: int) -> None:
    assert read("brain_search", query="x", k=given)["k"] == expected


@pytest.mark.parametrize("given", [0, -1, "0", 2.5, "many", True, [5], {"k": 5}, float("nan"), float("inf")])
def test_a_number_that_is_none_is_refused_with_what_would_do(given: object) -> None:
    if given == float("inf"):
        assert read("brain_search", query="x", k=given)["k"] == MAX_K
        return
    with pytest.raises(InvalidField, match="k must be a whole number from 1 to 50") as caught:
        read("brain_search", query="x", k=given)
    assert caught.value.hint


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("true", True),
        ("True", True),
        ("false", False),
        ("0", False),
        (1, True),
        (0, False),
        ("yes", True),
        (None, False),
        ("", False),
    ],
)
def test_a_boolean_may_come_as_text(given: object, expected: bool) -> None:
    assert read("brain_search", query="x", include_superseded=given)["include_superseded"] is expected


@pytest.mark.parametrize("given", ["perhaps", 2, [True], {}])
def test_a_boolean_that_is_none_is_refused(given: object) -> None:
    with pytest.raises(InvalidField, match="true or false"):
        read("brain_search", query="x", include_superseded=given)


@pytest.mark.parametrize("text", ["12345", "1e3", "true", "null", '["a"]', '{"a": 1}', "0x10", "  spaces  ", "007"])
def test_a_text_that_looks_like_something_else_stays_text(text: str) -> None:
    given = read("brain_encode", title=text, body=text, cortex="c", type="fact")
    assert (given["title"], given["body"]) == (text, text)


def test_a_text_that_a_host_unpacked_comes_back_as_its_json() -> None:
    given = read("brain_encode", title=2026, body={"a": ["é"]}, cortex="c", type="fact")
    assert (given["title"], given["body"]) == ("2026", '{"a": ["é"]}')
    with pytest.raises(InvalidField, match="title must be a text"):
        read("brain_encode", title=["a"], body="b", cortex="c", type="fact")


def test_what_is_missing_is_named_with_what_it_is_for() -> None:
    with pytest.raises(InvalidField, match="body is missing") as caught:
        read("brain_encode", title="t", cortex="c", type="fact", body=None)
    assert "Markdown" in caught.value.hint
    with pytest.raises(InvalidField, match="body and cortex and type are missing") as caught:
        read("brain_encode", title="t")
    assert "Markdown" in caught.value.hint
    assert "theme" in caught.value.hint


def test_an_unknown_parameter_is_answered_with_the_known_ones() -> None:
    with pytest.raises(InvalidField, match="'limit'") as caught:
        read("brain_search", query="x", limit=5)
    assert "query, k, cortex" in caught.value.hint
    with pytest.raises(InvalidField) as caught:
        read("brain_search", query="x", include_supersede=True)
    assert "did you mean 'include_superseded'" in caught.value.hint
    assert read("brain_search", query="x", limit=None)["k"] == 10
