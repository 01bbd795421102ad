"""Where the library keeps memories: any store of ours, with a search by vector over it.

A store that searches vectors itself is asked; for any other, a table in memory keeps up with the store.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from plainbrain.app.wiring import open_store
from plainbrain.model.change import Change, Put, Remove, Use
from plainbrain.model.memory import Memory
from plainbrain.ports import Clock, Mark, Seen, Store
from plainbrain.vectors.table import Labels, Mask, VectorTable, unit


@runtime_checkable
class SearchesVectors(Protocol):
    """A store that finds memories by vector itself."""

    def nearest(
        self, vector: tuple[float, ...], k: int, *, user_id: str | None, all_tiers: bool, superseded: bool
    ) -> list[tuple[str, float]]:
        """Return ``(id, cosine)``, nearest first."""
        ...


class StoreAdapter:
    """Keep the library's memories in a store."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._own = None if isinstance(store, SearchesVectors) else _Table(store)

    def get_many(self, ids: Sequence[str]) -> dict[str, Memory]:
        """Return those of ``ids`` that are there."""
        return {id: stored.memory for id, stored in self.store.get_many(ids).items()}

    def all(self) -> Iterator[Memory]:
        """Yield every memory, oldest first."""
        for id, _ in list(self.store.listing()):
            yield from self.get_many([id]).values()

    def write(self, changes: Sequence[Change]) -> None:
        """Write all changes or none. Raise as ``Store.apply``."""
        if changes:
            self.store.apply(changes)

    def put(self, memories: Sequence[Memory]) -> None:
        """Write memories whole."""
        self.write([Put(memory) for memory in memories])

    def remove(self, ids: Sequence[str]) -> None:
        """Take memories away."""
        self.write([Remove(id) for id in ids])

    def record(self, uses: Sequence[Use]) -> None:
        """Add to counters."""
        self.store.record(uses)

    def nearest(self, vector: tuple[float, ...], k: int, *, user_id: str, deep: bool) -> list[tuple[str, float]]:
        """Return ``(id, cosine)`` of a user's nearest memories; cold and superseded ones only for a deep search."""
        if isinstance(self.store, SearchesVectors):
            return self.store.nearest(vector, k, user_id=user_id, all_tiers=deep, superseded=deep)
        assert self._own is not None
        return self._own.nearest(vector, k, user_id=user_id, deep=deep)

    def close(self) -> None:
        """Let go of the store."""
        self.store.close()


class JsonlAdapter(StoreAdapter):
    """Keep the memories in an event log, which a person can watch with ``tail -f``; ``clock`` dates its lines."""

    def __init__(self, file_path: str | Path, *, clock: Clock | None = None) -> None:
        super().__init__(open_store(f"jsonl:{Path(file_path).absolute()}", clock=clock))


class InMemoryAdapter(StoreAdapter):
    """Keep the memories in this process only."""

    def __init__(self) -> None:
        super().__init__(open_store("ram:"))


class _Table:
    """Keep the vectors of a store that does not search them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._mark = Mark()
        self._seen: dict[str, Seen] = {}
        self._table: VectorTable | None = None
        self._users: dict[str, int] = {}

    def nearest(self, vector: tuple[float, ...], k: int, *, user_id: str, deep: bool) -> list[tuple[str, float]]:
        self._catch_up()
        query = unit(vector)
        if self._table is None or query is None or len(query) != self._table.dimensions:
            return []
        user, hidden = self._users.get(user_id, -1), 0 if deep else 1

        def wanted(labels: Labels) -> Mask:
            found: Mask = (labels & hidden) == 0
            found &= labels >> 1 == user
            return found

        return [(near.id, near.cosine) for near in self._table.search(query, k, wanted=wanted)]

    def _catch_up(self) -> None:
        changes = self._store.changes_since(self._mark)
        if changes.everything:
            self._table, self._seen = None, {}
        for stored in changes.stored:
            self._take(stored.memory)
        for id in changes.gone:
            if self._table is not None:
                self._table.remove(id)
        for locator in changes.unseen:
            self._seen.pop(locator, None)
        self._seen.update({seen.locator: seen for seen in changes.seen})
        self._mark = Mark(changes.token, dict(self._seen))

    def _take(self, memory: Memory) -> None:
        vector = unit(memory.embedding or ())
        if self._table is None and vector is not None:
            self._table = VectorTable(len(vector))
        if self._table is None:
            return
        if vector is None or len(vector) != self._table.dimensions:
            self._table.remove(memory.id)
            return
        user = self._users.setdefault(memory.user_id, len(self._users))
        hidden = memory.dynamics.cold or memory.dynamics.stub or not memory.is_live
        self._table.set(memory.id, vector, label=user << 1 | int(hidden))
