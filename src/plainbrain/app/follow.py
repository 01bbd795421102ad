"""Watching a brain: what happens, as it happens, whoever does it.

Activities come from the journal. Changes that nobody wrote an activity for (another tool appended to the log, a program
called the library) are told as ``changed`` and ``removed``, one look later, so that nothing is told twice. In a folder of
notes only activities are told: watching the files is the file system's matter.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from plainbrain.app.context import Context
from plainbrain.model.change import Activity
from plainbrain.ports import Mark

_SECONDS = 0.3
_SHOWN = 80


class Watcher:
    """Tell at each look what happened since the last one, oldest first."""

    def __init__(self, context: Context) -> None:
        self._context = context
        newest = context.store.journal.read(limit=1)
        self._last = newest[0] if newest else None
        self._mark = None if context.store.traits.folder else Mark(context.store.changes_since(Mark()).token)
        self._waiting: dict[str, Activity] = {}

    def look(self) -> list[Activity]:
        """Return what happened since the last look."""
        done = self._changes()  # before the journal: an activity is written after its change
        activities = self._activities()
        named = {activity.id for activity in activities}
        untold = [activity for id, activity in self._waiting.items() if id not in named]
        self._waiting = {id: activity for id, activity in done.items() if id not in named}
        return [*untold, *activities]

    def _activities(self) -> list[Activity]:
        fresh: list[Activity] = []
        for activity in self._context.store.journal.read(limit=1000):
            if activity == self._last:
                break
            fresh.append(activity)
        self._last = fresh[0] if fresh else self._last
        return fresh[::-1]

    def _changes(self) -> dict[str, Activity]:
        if self._mark is None:
            return {}
        found = self._context.store.changes_since(self._mark)
        if found.token == self._mark.token:
            return {}
        self._mark, at = Mark(found.token), self._context.clock.now()
        if found.everything:
            return {}  # the file is another one (it was compacted): what it holds is no news
        told = {
            stored.memory.id: Activity(
                at, "changed", stored.memory.id, " ".join(stored.memory.content.split())[:_SHOWN]
            )
            for stored in found.stored
        }
        return told | {id: Activity(at, "removed", id, "") for id in found.gone}


def follow(context: Context, *, action: str = "") -> Iterator[Activity]:
    """Yield what happens, oldest first, for ever."""
    watcher = Watcher(context)
    while True:
        for activity in watcher.look():
            if not action or activity.action == action:
                yield activity
        time.sleep(_SECONDS)
