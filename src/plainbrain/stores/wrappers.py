"""Stores around a store: a rehearsal (nothing is written) and a read-only view."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from plainbrain.errors import NotFound, ReadOnly
from plainbrain.model.change import Activity, Change, Put, Use, ids_of
from plainbrain.model.problem import Problem
from plainbrain.ports import Changes, Journal, Mark, Store, Stored, Traits
from plainbrain.stores.revision import check_expecting


class StillJournal:
    """Show a journal and keep nothing."""

    def __init__(self, inner: Journal) -> None:
        self._inner = inner

    def append(self, activities: Sequence[Activity]) -> None:
        pass

    def read(self, *, limit: int | None = None, action: str = "", id: str = "") -> list[Activity]:
        return self._inner.read(limit=limit, action=action, id=id)

    def values(self) -> Mapping[str, str]:
        return self._inner.values()

    def update(self, change: Callable[[Mapping[str, str]], Mapping[str, str]]) -> Mapping[str, str]:
        return dict(change(dict(self._inner.values())))

    def forget(self, id: str, texts: Sequence[str] = ()) -> None:
        pass


class RehearsalStore:
    """Answer as ``inner`` does, check every write as it would be checked, and write nothing.

    ``rehearsed`` holds the changes in order. What was rehearsed is not seen by later reads: a rehearsal is of
    one step.
    """

    def __init__(self, inner: Store) -> None:
        self.inner = inner
        self.rehearsed: list[Change] = []

    @property
    def url(self) -> str:
        return self.inner.url

    @property
    def traits(self) -> Traits:
        return self.inner.traits

    @property
    def journal(self) -> StillJournal:
        return StillJournal(self.inner.journal)

    def listing(self) -> Iterator[tuple[str, str]]:
        return self.inner.listing()

    def get(self, id: str) -> Stored:
        return self.inner.get(id)

    def get_many(self, ids: Sequence[str]) -> dict[str, Stored]:
        return self.inner.get_many(ids)

    def apply(self, changes: Sequence[Change], *, activities: Sequence[Activity] = ()) -> list[str]:
        ids = ids_of(changes)
        there = self.inner.get_many(ids)
        for id, change in zip(ids, changes, strict=True):
            check_expecting(id, there[id].revision if id in there else None, change.expecting)
            if not isinstance(change, Put) and id not in there:
                raise NotFound(f"no memory {id!r}", value=id)
        self.rehearsed.extend(changes)
        return ["" for _ in changes]

    def record(self, uses: Sequence[Use], *, activities: Sequence[Activity] = ()) -> None:
        pass

    def changes_since(self, mark: Mark) -> Changes:
        return self.inner.changes_since(mark)

    def problems(self) -> list[Problem]:
        return self.inner.problems()

    def close(self) -> None:
        self.inner.close()


class ReadOnlyStore(RehearsalStore):
    """Answer as ``inner`` does and refuse every write."""

    def apply(self, changes: Sequence[Change], *, activities: Sequence[Activity] = ()) -> list[str]:
        raise ReadOnly(f"{self.url} was opened for reading only", value=self.url, hint="open it for writing")

    def record(self, uses: Sequence[Use], *, activities: Sequence[Activity] = ()) -> None:
        raise ReadOnly(f"{self.url} was opened for reading only", value=self.url)
