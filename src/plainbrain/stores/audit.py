"""A store with a log beside it that keeps every mutation: what was written there can be replayed to any moment.

The store is the truth and is written first; the log follows. When the log cannot be written, the caller is told that
the change stands and the log is behind, and the next mutation brings the log up first, from the store.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plainbrain.errors import BrainError, StoreError
from plainbrain.model.change import Change, Put, Remove, Use
from plainbrain.model.problem import Problem
from plainbrain.ports import Changes, Journal, Mark, Store, Stored, Traits


class AuditedStore:
    """Mirror every mutation of ``inner`` into ``log``."""

    def __init__(self, inner: Store, log: Store) -> None:
        self._inner = inner
        self._log = log
        self._is_behind = True

    @property
    def url(self) -> str:
        return self._inner.url

    @property
    def traits(self) -> Traits:
        return self._inner.traits

    @property
    def journal(self) -> Journal:
        return self._inner.journal

    def listing(self) -> Iterator[tuple[str, str]]:
        return self._inner.listing()

    def get(self, id: str) -> Stored:
        return self._inner.get(id)

    def get_many(self, ids: Sequence[str]) -> dict[str, Stored]:
        return self._inner.get_many(ids)

    def apply(self, changes: Sequence[Change]) -> list[str]:
        self._bring_up()
        revisions = self._inner.apply(changes)
        there = {id for id, _ in self._log.listing()}
        mirrored: list[Change] = []
        for change in changes:
            if isinstance(change, Put):
                mirrored.append(Put(change.memory))
                there.add(change.memory.id)
            elif change.id in there:
                mirrored.append(Remove(change.id))
                there.discard(change.id)
        self._follow(mirrored)
        return revisions

    def record(self, uses: Sequence[Use]) -> None:
        self._inner.record(uses)
        self._log.record(uses)

    def _follow(self, changes: Sequence[Change]) -> None:
        try:
            self._log.apply(changes)
        except BrainError as error:
            self._is_behind = True
            raise StoreError(
                f"the change was written, but the audit log {self._log.url} could not follow: {error}",
                value=self._log.url,
                hint="the next change brings it up again",
            ) from error

    def _bring_up(self) -> None:
        """Write into the log what the store holds and the log does not, whoever wrote it."""
        if not self._is_behind:
            return
        ours, theirs = dict(self._inner.listing()), dict(self._log.listing())
        changed = [id for id, revision in ours.items() if theirs.get(id) != revision]
        puts = [Put(stored.memory) for stored in self._inner.get_many(changed).values()]
        changes: list[Change] = [*puts, *(Remove(id) for id in theirs if id not in ours)]
        if changes:
            self._log.apply(changes)
        self._is_behind = False

    def changes_since(self, mark: Mark) -> Changes:
        return self._inner.changes_since(mark)

    def problems(self) -> list[Problem]:
        return [*self._inner.problems(), *self._log.problems()]

    def close(self) -> None:
        self._inner.close()
        self._log.close()
