"""What the tests of the index share: an index over a store in memory, and a query put to both."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainbrain.index.sqlite import SqliteIndex
from plainbrain.model.change import Put
from plainbrain.model.hit import Explanation
from plainbrain.model.instants import Instant
from plainbrain.model.memory import Memory
from plainbrain.model.query import Query
from plainbrain.retrieval.scan import search_plainly
from plainbrain.stores.ram import RamStore
from plainbrain.testing.builders import NOON

Hits = list[tuple[str, float, Explanation]]


class Brain:
    """A store in memory and an index over it that catches up before each answer."""

    def __init__(self, folder: Path, *memories: Memory) -> None:
        self.folder = folder
        self.store = RamStore(str(folder))
        self.index = SqliteIndex(folder, self.store.url)
        self.put(*memories)

    def put(self, *memories: Memory) -> None:
        self.store.apply([Put(memory) for memory in memories])

    def again(self) -> Brain:
        """Return the same brain as another process would open it."""
        other = Brain.__new__(Brain)
        other.folder, other.store = self.folder, self.store
        other.index = SqliteIndex(self.folder, self.store.url)
        return other

    def search(self, query: Query, *, now: Instant = NOON) -> tuple[Hits, int]:
        self.index.catch_up(self.store)
        return self.index.search(query, now=now)

    def ids(self, text: str) -> list[str]:
        return [id for id, _, _ in self.search(Query(text))[0]]

    def scan(self, query: Query, *, now: Instant = NOON) -> tuple[Hits, int]:
        return search_plainly([self.store.get(id).memory for id, _ in self.store.listing()], query, now=now)

    def files(self) -> list[Path]:
        return sorted(path for path in self.folder.rglob("*.db") if path.is_file())


def assert_same(one: tuple[Hits, int], other: tuple[Hits, int]) -> None:
    """Hold two answers to be the same: ids, order, totals and every factor."""
    assert [id for id, _, _ in one[0]] == [id for id, _, _ in other[0]]
    assert one[1] == other[1]
    for (_, score, why), (_, score_, why_) in zip(one[0], other[0], strict=True):
        assert score == pytest.approx(score_, abs=1e-9)
        assert dict(why.factors) == pytest.approx(dict(why_.factors), abs=1e-9, rel=1e-9)
