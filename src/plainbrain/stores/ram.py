"""A store in memory: the reference that every other store is held against. Nothing outlives the process."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from plainbrain.errors import InvalidId, NotFound
from plainbrain.model.change import Activity, Change, Put, Use, add_use, tells_of
from plainbrain.model.memory import Memory
from plainbrain.model.problem import Problem
from plainbrain.ports import Changes, Mark, Stored, Traits
from plainbrain.stores.revision import check_expecting, revision_of

_count = itertools.count(1)


class RamJournal:
    """Keep activities and values in lists and dictionaries."""

    def __init__(self) -> None:
        self._activities: list[Activity] = []
        self._values: dict[str, str] = {}
        self._lock = threading.RLock()

    def append(self, activities: Sequence[Activity]) -> None:
        with self._lock:
            self._activities.extend(activities)

    def read(self, *, limit: int | None = None, action: str = "", id: str = "") -> list[Activity]:
        found = [a for a in reversed(self._activities) if (not action or a.action == action) and (not id or a.id == id)]
        return found if limit is None else found[: max(0, limit)]

    def values(self) -> Mapping[str, str]:
        return dict(self._values)

    def update(self, change: Callable[[Mapping[str, str]], Mapping[str, str]]) -> Mapping[str, str]:
        with self._lock:
            self._values = dict(change(dict(self._values)))
            return dict(self._values)

    def forget(self, id: str, texts: Sequence[str] = ()) -> None:
        with self._lock:
            self._activities = [a for a in self._activities if a.id != id and not tells_of(a.detail, id, texts)]


class RamStore:
    """Keep memories in a dictionary. ``changes_since`` counts mutations; ``slug_ids`` stands for a vault that is not there."""

    def __init__(self, name: str = "", *, slug_ids: bool = False) -> None:
        self._traits = Traits(kind="ram", slug_ids=slug_ids)
        self._url = f"ram:{name or next(_count)}"
        self._memories: dict[str, tuple[Memory, str]] = {}
        self._changed: dict[str, int] = {}
        self._used: dict[str, int] = {}
        self._tick = 0
        self._journal = RamJournal()
        self._lock = threading.RLock()

    @property
    def url(self) -> str:
        return self._url

    @property
    def traits(self) -> Traits:
        return self._traits

    @property
    def journal(self) -> RamJournal:
        return self._journal

    def listing(self) -> Iterator[tuple[str, str]]:
        with self._lock:
            return iter([(id, revision) for id, (_, revision) in self._memories.items()])

    def get(self, id: str) -> Stored:
        with self._lock:
            if id not in self._memories:
                raise NotFound(f"no memory {id!r}", value=id, hint="look for it with `brain search`")
            memory, revision = self._memories[id]
            return Stored(memory, revision)

    def get_many(self, ids: Sequence[str]) -> dict[str, Stored]:
        with self._lock:
            return {id: self.get(id) for id in ids if id in self._memories}

    def apply(self, changes: Sequence[Change], *, activities: Sequence[Activity] = ()) -> list[str]:
        with self._lock:
            draft = dict(self._memories)
            revisions = [_apply_one(draft, change) for change in changes]
            self._memories = draft
            for change in changes:
                self._tick += 1
                self._changed[change.memory.id if isinstance(change, Put) else change.id] = self._tick
            if changes:
                self.journal.append(activities)
            return revisions

    def record(self, uses: Sequence[Use], *, activities: Sequence[Activity] = ()) -> None:
        with self._lock:
            for use in uses:
                if use.id in self._memories:
                    memory, revision = self._memories[use.id]
                    self._memories[use.id] = (replace(memory, usage=add_use(memory.usage, use)), revision)
                    self._tick += 1
                    self._used[use.id] = self._tick
            self.journal.append(activities)

    def changes_since(self, mark: Mark) -> Changes:
        with self._lock:
            if not mark.token:
                stored = [Stored(memory, revision) for memory, revision in self._memories.values()]
                return Changes(str(self._tick), stored, everything=True)
            since = int(mark.token)
            changed = [id for id, tick in self._changed.items() if tick > since]
            return Changes(
                str(self._tick),
                stored=list(self.get_many(changed).values()),
                gone=tuple(id for id in changed if id not in self._memories),
                used=tuple(i for i, tick in self._used.items() if tick > since and i in self._memories),
            )

    def problems(self) -> list[Problem]:
        return []

    def close(self) -> None:
        pass


def _apply_one(draft: dict[str, tuple[Memory, str]], change: Change) -> str:
    id = change.memory.id if isinstance(change, Put) else change.id
    if not id:
        raise InvalidId("a memory needs an id", value=id)
    there = draft.get(id)
    check_expecting(id, there[1] if there else None, change.expecting)
    if isinstance(change, Put):
        revision = revision_of(change.memory)
        draft[id] = (change.memory, revision)
        return revision
    if there is None:
        raise NotFound(f"no memory {id!r}", value=id)
    del draft[id]
    return ""
