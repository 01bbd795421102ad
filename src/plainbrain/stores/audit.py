"""A store with a log beside it that keeps every mutation: what was written there can be replayed to any moment.

The store is the truth and is written first; the log follows. When the log cannot be written, the caller is told that
the change stands and the log is behind, and the next mutation brings the log up first, from the store. What is forgotten
for good goes from both: privacy before history.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from plainbrain.errors import BrainError, PartlyDone, SettingsError
from plainbrain.files.outcome import standing
from plainbrain.model.change import Activity, Change, Put, Remove, Use
from plainbrain.model.problem import Problem
from plainbrain.ports import Changes, Journal, Mark, Store, Stored, Traits

#: The value in the log's journal that names the store whose changes it keeps.
_OWNER = "audit_of"


class AuditedJournal:
    """Keep the journal of ``inner``; what is to be forgotten goes from the log as well."""

    def __init__(self, inner: Store, log: Store) -> None:
        self._inner = inner
        self._log = log

    def append(self, activities: Sequence[Activity]) -> None:
        self._inner.journal.append(activities)

    def read(self, *, limit: int | None = None, action: str = "", id: str = "") -> list[Activity]:
        return self._inner.journal.read(limit=limit, action=action, id=id)

    def values(self) -> Mapping[str, str]:
        return self._inner.journal.values()

    def update(self, change: Callable[[Mapping[str, str]], Mapping[str, str]]) -> Mapping[str, str]:
        return self._inner.journal.update(change)

    def forget(self, id: str, texts: Sequence[str] = ()) -> None:
        self._inner.journal.forget(id, texts)
        self._log.journal.forget(id, texts)


class AuditedStore:
    """Mirror every mutation of ``inner`` into ``log``."""

    def __init__(self, inner: Store, log: Store) -> None:
        self.inner = inner
        self._log = log
        self._is_behind = True
        self._journal = AuditedJournal(inner, log)

    @property
    def url(self) -> str:
        return self.inner.url

    @property
    def traits(self) -> Traits:
        return self.inner.traits

    @property
    def journal(self) -> Journal:
        return self._journal

    def listing(self) -> Iterator[tuple[str, str]]:
        return self.inner.listing()

    def get(self, id: str) -> Stored:
        return self.inner.get(id)

    def get_many(self, ids: Sequence[str]) -> dict[str, Stored]:
        return self.inner.get_many(ids)

    def apply(self, changes: Sequence[Change], *, activities: Sequence[Activity] = ()) -> list[str]:
        self._bring_up()
        try:
            revisions = self.inner.apply(changes, activities=activities)
        except PartlyDone:
            self._is_behind = True
            raise
        there = {id for id, _ in self._log.listing()}
        mirrored: list[Change] = []
        for change in changes:
            if isinstance(change, Put):
                mirrored.append(Put(change.memory))
                there.add(change.memory.id)
            elif change.id in there:
                mirrored.append(Remove(change.id))
                there.discard(change.id)
        self._follow(mirrored, revisions)
        return revisions

    def record(self, uses: Sequence[Use], *, activities: Sequence[Activity] = ()) -> None:
        self.inner.record(uses, activities=activities)
        with standing("the count of uses", missing="the audit log"):
            self._log.record(uses)

    def _follow(self, changes: Sequence[Change], revisions: Sequence[str]) -> None:
        try:
            self._log.apply(changes)
        except BrainError as error:
            self._is_behind = True
            raise PartlyDone(
                f"the change was written, but the audit log {self._log.url} could not follow: {error}",
                value=self._log.url,
                hint="do not repeat it: the next change brings the log up again",
                missing="the audit log",
                revisions=tuple(revisions),
            ) from error

    def _bring_up(self) -> None:
        """Write into the log what the store holds and the log does not, whoever wrote it."""
        if not self._is_behind:
            return
        ours, theirs = dict(self.inner.listing()), dict(self._log.listing())
        self._claim(is_empty=not theirs)
        changed = [id for id, revision in ours.items() if theirs.get(id) != revision]
        puts = [Put(stored.memory) for stored in self.inner.get_many(changed).values()]
        changes: list[Change] = [*puts, *(Remove(id) for id in theirs if id not in ours)]
        if changes:
            self._log.apply(changes)
        self._is_behind = False

    def _claim(self, *, is_empty: bool) -> None:
        """Make sure that the log belongs to this store: bringing it up would take away what another one holds."""
        name = self.inner.url if self.inner.traits.kind != "ram" else "ram:"
        owner = self._log.journal.values().get(_OWNER, "")
        if owner == name:
            return
        if owner or not is_empty:
            whose = f"keeps the changes of {owner}" if owner else "is a store of its own"
            raise SettingsError(
                f"{self._log.url} {whose}: it cannot be the audit log of {self.inner.url}",
                value=self._log.url,
                hint="name another file, or move this one aside",
            )
        self._log.journal.update(lambda values: {**values, _OWNER: name})

    def changes_since(self, mark: Mark) -> Changes:
        return self.inner.changes_since(mark)

    def problems(self) -> list[Problem]:
        return [*self.inner.problems(), *self._log.problems()]

    def close(self) -> None:
        self.inner.close()
        self._log.close()
