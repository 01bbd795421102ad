"""The index answers as the plain scan does: ids, order, scores to the ninth place, totals."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainbrain.index.card import read_card, write_card
from plainbrain.model.change import Change, Put, Remove, Use
from plainbrain.model.instants import parse_instant
from plainbrain.model.memory import Memory
from plainbrain.model.provenance import Provenance
from plainbrain.model.query import Query
from plainbrain.retrieval.filters import passes
from plainbrain.testing.builders import NOON, full_memory
from plainbrain.testing.strategies import memories, texts
from tests.index.brains import Brain, assert_same

_WORDS = [
    "gateway",
    "timeout",
    "ledger-sync",
    "v1.4.2",
    "部署东京",
    "🚀",
    "don't",
    "C++",
    "the",
    "caching",
    "login.py",
    "failed",
    "failure",
    "db",
    "databases",
]
said = st.lists(st.sampled_from(_WORDS), max_size=8).map(" ".join)
notes = st.builds(
    lambda memory, content, title, trust: replace(
        memory, content=content, title=title, provenance=replace(memory.provenance, trust=trust)
    ),
    memories(),
    said | texts,
    said,
    st.sampled_from(["", "unreviewed", "quarantined", "own"]),
)
queries = st.builds(
    Query,
    text=said | texts,
    k=st.integers(0, 12),
    offset=st.sampled_from([0, 0, 1, 5]),
    cortex=st.sampled_from(["", "", "infra", "infra/node"]),
    kinds=st.sampled_from([(), (), ("fact",), ("decision", "preference")]),
    tags=st.sampled_from([(), (), ("007",), ("日本",)]),
    statuses=st.sampled_from([(), (), ("superseded",), ("quarantined",)]),
    scope=st.sampled_from(["", "", "team"]),
    include_superseded=st.booleans(),
    after=st.sampled_from([None, None, parse_instant("2001-01-01")]),
    before=st.sampled_from([None, None, parse_instant("2100-01-01")]),
    profile=st.sampled_from(["", "auto", "rrf"]),
)


@given(st.lists(notes, max_size=12, unique_by=lambda m: m.id), st.lists(queries, min_size=1, max_size=4))
@settings(max_examples=60, deadline=None)
def test_as_the_plain_scan(stored: list[Memory], asked: list[Query]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        brain = Brain(Path(folder), *stored)
        for query in asked:
            assert_same(brain.search(query), brain.scan(query))
            shown = {m.id for m in brain.index.find(query, now=NOON)}
            assert shown == {m.id for m in stored if passes(m, query, now=NOON)}
        brain.index.close()


_SAID = [
    "Yes, last week!",
    "The gateway timed out",
    "caching again",
    "in July?",
    "Ask Ann about the gateway",
    "so",
    "部署东京",
]
turns = st.lists(
    st.builds(
        Memory,
        id=st.uuids().map(str),
        content=st.sampled_from(_SAID),
        created=st.sampled_from([None, parse_instant("2023-07-05"), parse_instant("2026-10-01T10:00:00Z")]),
        metadata=st.sampled_from([{}, {"speaker": "Ann"}, {"speaker": "Ann Lee"}, {"author": "Bob"}]),
        provenance=st.builds(
            Provenance,
            sessions=st.sampled_from([(), ("one",), ("two", "one")]),
            turn=st.sampled_from([None, 1, 2, 3, 5, 9, 2**70]),
            trust=st.sampled_from(["", "quarantined"]),
        ),
    ),
    max_size=20,
    unique_by=lambda m: m.id,
)


@given(
    turns,
    st.sampled_from(
        ["gateway", "What did Ann say about caching?", "Ann", "in July 2023 Bob Ann gateway", "last week 部"]
    ),
    st.sampled_from([(), ("context",), ("author", "date"), ("body", "certainty")]),
)
@settings(max_examples=100, deadline=None)
def test_conversations_as_the_plain_scan(stored: list[Memory], text: str, without: tuple[str, ...]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        brain = Brain(Path(folder), *stored)
        query = Query(text, profile="auto", without=without)
        assert_same(brain.search(query), brain.scan(query))
        brain.index.close()


@given(st.lists(notes, min_size=2, max_size=8, unique_by=lambda m: m.id), said)
@settings(max_examples=25, deadline=None)
def test_an_index_that_followed_answers_as_one_made_anew(stored: list[Memory], text: str) -> None:
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as other:
        brain = Brain(Path(folder))
        for memory in stored:
            brain.put(memory)
            brain.index.catch_up(brain.store)
        brain.store.apply([Remove(stored[0].id)])
        brain.put(replace(stored[1], content="caching at the gateway"))
        brain.store.record([Use(stored[1].id, NOON, accesses=3)])
        fresh = Brain(Path(other))
        fresh.store = brain.store
        for query in (Query(text), Query("gateway"), Query("")):
            assert_same(brain.search(query), fresh.search(query))
            assert list(brain.index.find(query)) == list(fresh.index.find(query))
        brain.index.close()
        fresh.index.close()


@pytest.mark.parametrize("profile", ["blueprint", "fast", "balanced", "deep", "auto", "rrf"])
@pytest.mark.parametrize("text", [*_WORDS, "gateway timeout", "部", "京", " ".join(_WORDS)])
def test_each_profile_as_the_plain_scan(tmp_path: Path, profile: str, text: str) -> None:
    stored = [
        Memory(
            f"m{n}", " ".join(_WORDS[n % 13 : n % 13 + n % 4 + 2]) + f" number {n}", tags=("code.python",), created=NOON
        )
        for n in range(30)
    ]
    brain = Brain(tmp_path, *stored)
    query = Query(text, profile=profile)
    assert brain.scan(query)[1] > 0
    assert_same(brain.search(query), brain.scan(query))


def test_counts_of_words_follow_every_change(tmp_path: Path) -> None:
    stored = [Memory(f"m{n}", " ".join(_WORDS[n % 5 : n % 5 + 3]), created=NOON) for n in range(12)]
    brain = Brain(tmp_path, *stored)
    query = Query(" ".join(["timeout", "京", "caching", "gateway"]))
    changes: list[Change] = [
        Put(Memory("new", "a gateway timeout again", created=NOON)),
        Put(Memory("m1", "京 alone", created=NOON)),
        Remove("m0"),
        Put(Memory("last", "caching 京", created=NOON)),
    ]
    for turn, change in enumerate(changes):
        assert_same(brain.search(query), brain.scan(query))
        brain.store.apply([change])
        assert_same(brain.search(query), brain.scan(query))
        # One that another process takes in, so that the counts at hand are of an older state.
        brain.put(Memory(f"foreign-{turn}", "timeout", created=NOON))
        other = brain.again()
        assert_same(other.search(query), brain.scan(query))
        assert_same(brain.search(query), brain.scan(query))
        other.index.close()


@given(memories())
@settings(max_examples=100, deadline=None)
def test_a_card_holds_everything_but_content_and_vector(memory: Memory) -> None:
    assert read_card(write_card(memory)) == replace(memory, content="", embedding=None)


def test_a_full_card(tmp_path: Path) -> None:
    brain = Brain(tmp_path, full_memory())
    brain.index.catch_up(brain.store)
    card = brain.index.cards(["use-pnpm"])["use-pnpm"]
    assert card == replace(full_memory(), content="", embedding=None)
