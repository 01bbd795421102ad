"""Queries: any text is one; which of its words count."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainbrain.retrieval.parse import MAX_TERMS, Term, drop_common, parse_query


def words(text: str) -> list[str]:
    return [term.token for term in parse_query(text)]


def test_stop_words_go_when_others_remain() -> None:
    assert words("What is the deployment of it?") == ["deploy"]


def test_stop_words_stay_when_they_are_all() -> None:
    assert words("to be or not to be") == ["to", "be", "or", "not"]


@pytest.mark.parametrize("text", ["NOT port", "port AND", "(port", '"port', "^port*", "-port", "port:", "NEAR(port)"])
def test_operators_are_words(text: str) -> None:
    assert "port" in words(text)


def test_a_single_character_of_a_script_without_spaces_is_a_beginning() -> None:
    assert parse_query("库") == (Term("库", prefix=True),)
    assert parse_query("东京节点") == (Term("东京"), Term("京节"), Term("节点"))
    assert parse_query("东京 点") == (Term("东京"), Term("点", prefix=True))


def test_no_more_than_64_terms() -> None:
    assert len(parse_query(" ".join(f"word{n}" for n in range(500)))) == MAX_TERMS


@given(st.text(max_size=100))
def test_any_text_is_a_query(text: str) -> None:
    terms = parse_query(text)
    assert len(set(terms)) == len(terms)


def test_words_that_most_of_a_large_brain_holds_are_passed_over() -> None:
    common, rare, unknown = Term("common"), Term("rare"), Term("unknown")
    counts = {common: 500, rare: 3, unknown: 0}.__getitem__
    assert drop_common((common, rare), counts, total=2000) == (rare,)
    assert drop_common((common, unknown), counts, total=2000) == (common, unknown)
    assert drop_common((common,), counts, total=2000) == (common,)
    assert drop_common((common, rare), counts, total=900) == (common, rare)
