"""A question that names nothing is told from one that does, in any language, and doubted whatever it meets."""

from __future__ import annotations

import pytest

from plainbrain.model.memory import Memory
from plainbrain.model.query import Query
from plainbrain.retrieval.abstain import is_relevant
from plainbrain.retrieval.scan import search_plainly
from plainbrain.retrieval.small import names_something
from plainbrain.testing.builders import NOON


@pytest.mark.parametrize(
    "text",
    ["who is it", "What about that?", "it", "and then", "tell me more", "anything else?", "who are you", "qui est-ce ?", "c'est quoi",
     "wer ist das", "was ist das?", "¿quién es?", "что это", "chi è", "o que é isso", "这是什么", "누구야", "???", ""],
)  # fmt: skip
def test_names_nothing(text: str) -> None:
    assert not names_something(text)


@pytest.mark.parametrize(
    "text",
    [
        "who is Ann",
        "what about the port",
        "id",
        "US",
        "war",
        "C",
        "C++",
        "wer ist Anna",
        "部署",
        "🚀",
        "when do we deploy",
    ],
)
def test_names_something(text: str) -> None:
    assert names_something(text)


@pytest.mark.parametrize("profile", ["auto", "blueprint", "balanced", "rrf"])
@pytest.mark.parametrize("text", ["who is it", "what about that"])
def test_what_is_met_by_small_words_alone_is_doubted(text: str, profile: str) -> None:
    memories = [
        Memory("a", "Who is it that calls? That is what it is about."),
        Memory("b", "The printer stands in the hall"),
    ]
    found, _ = search_plainly(memories, Query(text, profile=profile), now=NOON)
    assert found, "the nearest are still shown"
    assert not is_relevant(text, [why for _, _, why in found])
