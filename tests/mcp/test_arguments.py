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


@pytest.mark.parametrize(("given", "expected"), [(0, 1), (-1, 1), ("0", 1), (float("inf"), MAX_K), (-1e300, 1)])
def test_a_number_beyond_a_bound_is_brought_to_it(given: object, expected: int) -> None:
    assert read("brain_search", query="x", k=given)["k"] == expected
    assert read("brain_search", query="x", offset=-5)["offset"] == 0


@pytest.mark.parametrize("given", [2.5, "many", True, [5], {"k": 5}, float("nan")])
def test_a_number_that_is_none_is_refused_with_what_would_do(given: object) -> None:
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
    assert "did you mean 'k'" in caught.value.hint
    assert "query, k, cortex" in caught.value.hint
    with pytest.raises(InvalidField) as caught:
        read("brain_search", query="x", include_supersede=True)
    assert "did you mean 'include_superseded'" in caught.value.hint
    assert read("brain_search", query="x", limit=None)["k"] == 10
    with pytest.raises(InvalidField) as caught:
        read("brain_search", query="x", zzz=1)
    assert "did you mean" not in caught.value.hint


@pytest.mark.parametrize(
    ("tool", "name", "meant"),
    [
        ("brain_encode", "content", "body"),
        ("brain_encode", "text", "body"),
        ("brain_encode", "kind", "type"),
        ("brain_encode", "name", "title"),
        ("brain_encode", "folder", "cortex"),
        ("brain_encode", "Title", "title"),
        ("brain_search", "q", "query"),
        ("brain_search", "text", "query"),
        ("brain_search", "top_k", "k"),
        ("brain_search", "category", "cortex"),
        ("brain_check", "query", "text"),
        ("brain_check", "n", "k"),
        ("brain_list", "theme", "cortex"),
        ("brain_read", "name", "id"),
        ("brain_read", "note_id", "id"),
        ("brain_link", "from", "a"),
        ("brain_link", "relation", "rel"),
        ("brain_supersede", "superseded_by", "new"),
    ],
)
def test_what_others_call_a_parameter_is_known(tool: str, name: str, meant: str) -> None:
    with pytest.raises(InvalidField) as caught:
        read(tool, **{name: "x"})
    assert f"did you mean {meant!r}" in caught.value.hint


def test_every_unknown_name_is_told_at_once() -> None:
    with pytest.raises(InvalidField, match="no parameter 'content' and no 'theme' and no 'zzz'") as caught:
        read("brain_encode", title="t", content="x", theme="y", zzz=1)
    assert "'body' by 'content', 'cortex' by 'theme'?" in caught.value.hint


@pytest.mark.parametrize("id", ["deploys", " deploys ", "[[deploys]]", "[[deploys|how we deploy]]", "\tdeploys\n"])
def test_an_id_may_stand_as_a_link_or_among_spaces(id: str) -> None:
    assert read("brain_read", id=id)["id"] == "deploys"
    assert read("brain_supersede", old=id, new="x") == {"old": "deploys", "new": "x", "reason": None}


@pytest.mark.parametrize("given", [{"a": 1}, [["a"]], [{"a": 1}], True])
def test_a_list_of_texts_holds_texts(given: object) -> None:
    with pytest.raises(InvalidField, match="tags must be a list of texts"):
        read("brain_encode", title="t", body="b", cortex="c", type="fact", tags=given)


def test_an_empty_query_is_a_query() -> None:
    assert read("brain_search", query="")["query"] == ""
    with pytest.raises(InvalidField, match="query is missing"):
        read("brain_search", k=3)
