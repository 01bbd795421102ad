"""Kin of a word are found, below the word itself, and doubt stays where it belongs."""

from __future__ import annotations

import pytest

from plainbrain.model.hit import Explanation
from plainbrain.model.memory import Memory
from plainbrain.model.query import Query
from plainbrain.retrieval.abstain import is_relevant
from plainbrain.retrieval.scan import search_plainly
from plainbrain.testing.builders import NOON

OTHERS = (
    "The cat sleeps on the sofa",
    "Invoices are sent on Monday",
    "The printer stands in the hall",
    "Tea at four o'clock",
)


def found(query: str, *texts: str) -> list[tuple[str, float, Explanation]]:
    memories = [Memory(text, text) for text in (*texts, *OTHERS)]
    return search_plainly(memories, Query(query, profile="auto"), now=NOON)[0]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("deployment", "We deploy from the main branch"),
        ("why did the login fail", "Login failures come from an old cookie"),
        ("database at night", "The db is saved every night"),
        ("k8s", "Kubernetes runs the workers"),
        ("what did we decide about retries", "Decision: three retries, then stop"),
        ("packages of the repo", "The repository holds one package for each service"),
    ],
)
def test_kin_are_found_and_not_doubted(query: str, text: str) -> None:
    hits = found(query, text)
    assert [id for id, _, _ in hits] == [text]
    assert is_relevant(query, [why for _, _, why in hits])


def test_the_word_itself_stands_above_its_kin() -> None:
    hits = found("failure", "a fail of the disk came late", "a failure of the disk came late")
    assert [id.split()[1] for id, _, _ in hits] == ["failure", "fail"]
    assert hits[0][1] > 1.5 * hits[1][1]


def test_a_rare_kin_does_not_outweigh_a_common_word() -> None:
    common = [f"the action of part {n} is slow" for n in range(9)]
    hits = found("action", *common, "this act is about another matter here")
    assert hits[-1][0].startswith("this act")


def test_a_kin_that_was_asked_itself_counts_once() -> None:
    asked = found("fail failure", "a failure of the disk", "it will fail")
    assert {id for id, _, _ in asked} == {"a failure of the disk", "it will fail"}
    assert all(0 < why.factors["body"] <= 1 for _, _, why in asked)


def test_one_kin_among_words_that_nobody_holds_is_doubted() -> None:
    query = "quarterly failure forecast revenue"
    hits = found(query, "it will fail in the long run")
    assert hits
    assert not is_relevant(query, [why for _, _, why in hits])
