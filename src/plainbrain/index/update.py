"""Following a store: what changed since last time, put into the index in one transaction.

Owns when the lock is taken and what is remembered. Promises that documents, token and sources of one
state are written together; what was worked out against a state that is no more is not written.
"""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

from plainbrain.index.connection import PATIENCE, Verdict, judge, reading, writing
from plainbrain.index.place import write_stamp
from plainbrain.index.seen import SeenRows, standing_problems
from plainbrain.index.writer import Writer
from plainbrain.model.problem import Problem
from plainbrain.ports import Changes, Mark, Progress, Store

_TRIES = 3
#: Seconds to wait for another process that builds the whole index: longer than building takes.
_BUILD_PATIENCE = 180.0
_BUSY = Problem(
    "index-busy",
    "another process holds the index; what was written a moment ago may be missing from the answer",
    hint="ask again",
)


class Follower:
    """Keep one index up with a store; ``path`` is its file, None in memory."""

    def __init__(self, connection: sqlite3.Connection, path: Path | None) -> None:
        self._db = connection
        self._path = path
        self._seen: tuple[int, SeenRows] | None = None

    def is_built(self) -> bool:
        """Tell whether the index was ever written."""
        return self._value("token") is not None

    def catch_up(self, store: Store, *, progress: Progress | None = None) -> list[Problem]:
        """Write what changed in ``store``; return the problems that stand in it. Raise sqlite3.Error."""
        try:
            return self._follow(store, progress=progress)
        except sqlite3.Error as error:
            if judge(error) is Verdict.BUSY and self.is_built():
                return [*standing_problems(self._db), _BUSY]
            raise

    def _follow(self, store: Store, *, progress: Progress | None) -> list[Problem]:
        for _ in range(_TRIES):
            with reading(self._db):
                built, generation, mark = self.is_built(), self._generation(), self._mark()
            if not built:
                break
            changes = _settled(store.changes_since(mark))
            if _is_nothing(changes, token=mark.token):
                return self._problems(changes)
            with writing(self._db):
                if self._generation() != generation:
                    continue  # another process wrote meanwhile: look again from there
                told = self._write(store, changes, progress=progress)
            return self._finish(changes, told)
        self._be_patient(_BUILD_PATIENCE)
        with writing(self._db):
            changes = store.changes_since(self._mark())
            told = self._write(store, changes, progress=progress)
        self._be_patient(PATIENCE)
        return self._finish(changes, told)

    def _write(self, store: Store, changes: Changes, *, progress: Progress | None) -> list[Problem]:
        writer = Writer(self._db, ordered=not store.traits.folder)
        if changes.everything or not self.is_built():
            writer.replace_all(changes, progress=progress)
        else:
            used = store.get_many(changes.used).values() if changes.used else ()
            writer.fold_in(changes, used=used)
        documents = self._db.execute("SELECT count(*) FROM doc").fetchone()[0]
        generation = self._generation() + 1
        self._db.executemany(
            "INSERT OR REPLACE INTO meta VALUES (?, ?)",
            [("token", changes.token), ("generation", generation), ("documents", documents)],
        )
        return writer.problems

    def _finish(self, changes: Changes, told: list[Problem]) -> list[Problem]:
        if self._path is not None:
            write_stamp(self._path)
        if self._seen is not None:
            generation = self._generation()
            one_step = generation == self._seen[0] + 1 and not changes.everything
            self._seen = (generation, self._seen[1].changed(changes.seen, changes.unseen)) if one_step else None
        return [*self._problems(changes), *told]

    def _problems(self, changes: Changes) -> list[Problem]:
        return [*standing_problems(self._db), *changes.problems]

    def _mark(self) -> Mark:
        token = self._value("token")
        return Mark() if token is None else Mark(str(token), self._recall)

    def _recall(self) -> SeenRows:
        """Return what is remembered, as of now; kept while nobody writes the index."""
        with reading(self._db):
            generation = self._generation()
            if self._seen is None or self._seen[0] != generation:
                self._seen = (generation, SeenRows(self._db))
            return self._seen[1]

    def _generation(self) -> int:
        return int(self._value("generation") or 0)

    def _value(self, key: str) -> str | int | None:
        found = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if found is None else found[0]

    def _be_patient(self, seconds: float) -> None:
        self._db.execute(f"PRAGMA busy_timeout = {round(seconds * 1000)}")


def _settled(changes: Changes) -> Changes:
    """Return the changes with ``stored`` looked up, unless they are everything."""
    return changes if changes.everything else replace(changes, stored=tuple(changes.stored))


def _is_nothing(changes: Changes, *, token: str) -> bool:
    return not (
        changes.everything
        or changes.stored
        or changes.gone
        or changes.seen
        or changes.unseen
        or changes.used
        or changes.token != token
    )
