"""An index with a model answers as the plain scan with the same vectors does: ids, order, scores, passages, totals."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainbrain.embed.hashing import HashEmbedder
from plainbrain.evaluation.lifecycle import NOW, load_cases, load_notes, query_of
from plainbrain.evaluation.runner import Way
from plainbrain.index.embedding import pack
from plainbrain.index.sqlite import SqliteIndex
from plainbrain.model.change import Put
from plainbrain.model.instants import Instant, parse_instant
from plainbrain.model.memory import Memory
from plainbrain.model.provenance import Provenance
from plainbrain.model.query import Query
from plainbrain.retrieval.scan import search_plainly
from plainbrain.retrieval.vector import Meanings
from plainbrain.stores.ram import RamStore
from plainbrain.testing.builders import NOON
from tests.index.brains import Hits

MODEL = HashEmbedder(96)


def kept(texts: Sequence[str]) -> list[list[float]]:
    """Return vectors as an index keeps them: sixteen bits a number."""
    found = []
    for vector in MODEL.embed(texts):
        data = pack(vector)
        row = list(struct.unpack(f"<{MODEL.dimensions}e", data)) if data else [0.0] * MODEL.dimensions
        length = sum(number * number for number in row) ** 0.5 or 1.0
        found.append([number / length for number in row])
    return found


def asked(text: str) -> list[float] | None:
    vector = MODEL.embed_query(text)
    return vector if pack(vector) is not None else None


class Both:
    """The same memories in an index with a model and for a plain scan with its vectors."""

    def __init__(self, *memories: Memory) -> None:
        self.memories = memories
        store = RamStore("both")
        store.apply([Put(memory) for memory in memories])
        self.index = SqliteIndex(None, store.url, model=MODEL)
        self.index.catch_up(store)
        while self.index.embed_some(store, 100).left:
            pass
        self.meanings = Meanings(memories, embed=kept, embed_query=asked)

    def hold(self, query: Query, *, now: Instant = NOON) -> Hits:
        """Ask both, hold the answers to be the same, and return them."""
        hits, total = self.index.search(query, now=now)
        expected, total_ = search_plainly(self.memories, query, now=now, meanings=self.meanings)
        assert [id for id, _, _ in hits] == [id for id, _, _ in expected]
        assert total == total_
        for (_, _, why), (_, _, why_) in zip(hits, expected, strict=True):
            assert dict(why.factors) == pytest.approx(dict(why_.factors), abs=3e-6)
            assert why.notes == why_.notes
        return hits


@pytest.mark.parametrize("profile", ["auto", "rrf", "blueprint"])
def test_the_shipped_cases(profile: str) -> None:
    both = Both(*load_notes())
    for case in load_cases()[:: 1 if profile == "auto" else 3]:
        both.hold(query_of(case, Way(profile)), now=NOW)


@pytest.mark.parametrize("without", [("likeness",), ("likeness_context",), ("body", "context"), ("author", "date")])
def test_the_shipped_cases_with_a_signal_left_out(without: tuple[str, ...]) -> None:
    both = Both(*load_notes())
    for case in load_cases()[::6]:
        both.hold(query_of(case, Way(without=without)), now=NOW)


def test_the_vectors_are_there_and_count() -> None:
    both = Both(
        Memory("cat", "the cat sleeps on the warm sofa"), Memory("dog", "a dog sleeps"), *map(_filler, range(9))
    )
    found = both.hold(Query("sleeping warm cats", profile="auto"))
    assert found[0][2].factors["likeness"] > 0.3
    hits, _ = search_plainly(both.memories, Query("sleeping warm cats", profile="auto"), now=NOON)
    assert "likeness" not in hits[0][2].factors


def _filler(number: int) -> Memory:
    return Memory(f"n{number}", f"ledger of month {number}")


def test_a_long_note_is_found_by_the_same_passage() -> None:
    filler = " ".join(f"filler{n}" for n in range(500))
    both = Both(Memory("long", f"{filler} zebras graze near the river {filler}"), *map(_filler, range(4)))
    found = both.hold(Query("zebras graze near the river", profile="auto"))
    assert found[0][2].notes["passage"] != "0-0"


_SAID = ["Yes, last week!", "The gateway timed out", "caching again", "Ask Ann about the gateway", "so", "部署东京", ""]
turns = st.lists(
    st.builds(
        Memory,
        id=st.uuids().map(str),
        content=st.sampled_from(_SAID),
        created=st.sampled_from([None, parse_instant("2023-07-05"), parse_instant("2026-10-01T10:00:00Z")]),
        cortex=st.sampled_from(["", "infra"]),
        status=st.sampled_from(["active", "active", "superseded"]),
        metadata=st.sampled_from([{}, {"speaker": "Ann"}, {"author": "Bob"}]),
        provenance=st.builds(
            Provenance,
            sessions=st.sampled_from([(), ("one",), ("two", "one")]),
            turn=st.sampled_from([None, 1, 2, 5, 9]),
        ),
    ),
    max_size=12,
    unique_by=lambda m: m.id,
)


@given(
    turns,
    st.sampled_from(["gateway", "What did Ann say about caching?", "in July 2023 Bob gateway", "?", "last week 部"]),
    st.sampled_from(["auto", "rrf"]),
    st.sampled_from(["", "infra"]),
)
@settings(max_examples=60, deadline=None)
def test_conversations(stored: list[Memory], text: str, profile: str, cortex: str) -> None:
    both = Both(*stored)
    both.hold(Query(text, profile=profile, cortex=cortex))
    both.index.close()


def test_an_index_that_followed_changes(tmp_path: Path) -> None:
    store = RamStore("followed")
    index = SqliteIndex(tmp_path, store.url, model=MODEL)
    for number in range(12):
        store.apply([Put(Memory(f"m{number}", f"the cat sleeps on sofa {number % 3}"))])
        index.catch_up(store)
    store.apply([Put(Memory("m3", "a dog barks at the cat"))])
    index.catch_up(store)
    there = [store.get(id).memory for id, _ in store.listing()]
    meanings = Meanings(there, embed=kept, embed_query=asked)
    for profile in ("auto", "rrf"):
        query = Query("barking cat", profile=profile)
        found, total = index.search(query, now=NOON)
        expected, total_ = search_plainly(there, query, now=NOON, meanings=meanings)
        assert [id for id, _, _ in found] == [id for id, _, _ in expected]
        assert (found[0][0], total) == ("m3", total_)
    index.close()
