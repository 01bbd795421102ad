"""Following a store: what changed since last time, put into the index in one transaction.

Owns when the lock is taken and what is remembered. Promises that documents, token and sources of one
state are written together; what was worked out against a state that is no more is not written.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from plainbrain.index.connection import PATIENCE, Verdict, judge, reading, writing
from plainbrain.index.counts import Counts
from plainbrain.index.place import write_stamp
from plainbrain.index.seen import read_sources, standing_problems
from plainbrain.index.writer import Writer
from plainbrain.model.problem import Problem
from plainbrain.ports import Changes, Mark, Progress, Seen, Store
from plainbrain.records import record

_TRIES = 3
#: Seconds to wait for another process that builds the whole index: longer than building takes.
_BUILD_PATIENCE = 180.0
_BUSY = Problem(
    "index-busy",
    "another process holds the index; what was written a moment ago may be missing from the answer",
    hint="ask again",
)


@record(frozen=True, slots=True)
class _Written:
    """One writing: the generation it made, what could not be written, and the words it touched (None: all)."""

    generation: int
    problems: list[Problem]
    touched: set[str] | None


class Follower:
    """Keep one index up with a store; ``path`` is its file, None in memory."""

    def __init__(self, connection: sqlite3.Connection, path: Path | None, counts: Counts | None = None) -> None:
        self._db = connection
        self._path = path
        self._counts = counts
        self._built = False
        #: What this process knows of the index at a generation: sources, and a token newer than the written one.
        self._seen: tuple[int, Mapping[str, Seen]] | None = None
        self._token: tuple[int, str] | None = None

    def is_built(self) -> bool:
        """Tell whether the index was ever written."""
        # Once it was, it stays so: what is written whole is never taken away again.
        self._built = self._built or "token" in self._meta()
        return self._built

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
            meta = self._meta()
            if "token" not in meta:
                break
            generation = _generation_in(meta)
            changes = _settled(store.changes_since(self._mark(meta)))
            if _is_nothing(changes):
                # A token alone is no reason to write: many make one for each process.
                self._token = (generation, changes.token)
                return self._problems(changes)
            with writing(self._db):
                if self._generation() != generation:
                    continue  # another process wrote meanwhile: look again from there
                written = self._write(store, changes, progress=progress)
            return self._finish(changes, written)
        self._be_patient(_BUILD_PATIENCE)
        with writing(self._db):
            changes = store.changes_since(self._mark(self._meta()))
            written = self._write(store, changes, progress=progress)
        self._be_patient(PATIENCE)
        return self._finish(changes, written)

    def _write(self, store: Store, changes: Changes, *, progress: Progress | None) -> _Written:
        writer = Writer(self._db, ordered=not store.traits.folder)
        everything = changes.everything or not self.is_built()
        if everything:
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
        return _Written(generation, writer.problems, None if everything else writer.touched)

    def _finish(self, changes: Changes, written: _Written) -> list[Problem]:
        if self._counts is not None and written.touched is not None:
            self._counts.follow(written.generation, written.touched)
        if self._path is not None:
            write_stamp(self._path)
        if self._seen is not None:
            before, seen = self._seen
            if written.generation == before + 1 and not changes.everything:
                self._seen = (written.generation, _changed(seen, changes))
            else:
                self._seen = None
        return [*self._problems(changes), *written.problems]

    def _problems(self, changes: Changes) -> list[Problem]:
        return [*standing_problems(self._db), *changes.problems]

    def _mark(self, meta: Mapping[str, str | int]) -> Mark:
        if "token" not in meta:
            return Mark()
        if self._token is not None and self._token[0] == _generation_in(meta):
            return Mark(self._token[1], self._recall)
        return Mark(str(meta["token"]), self._recall)

    def _recall(self) -> Mapping[str, Seen]:
        """Return what is remembered, as of now; kept while nobody else writes the index."""
        with reading(self._db):
            generation = self._generation()
            if self._seen is None or self._seen[0] != generation:
                self._seen = (generation, read_sources(self._db))
            return self._seen[1]

    def _generation(self) -> int:
        return _generation_in(self._meta())

    def _meta(self) -> dict[str, str | int]:
        return dict(self._db.execute("SELECT key, value FROM meta").fetchall())

    def _be_patient(self, seconds: float) -> None:
        self._db.execute(f"PRAGMA busy_timeout = {round(seconds * 1000)}")


def _generation_in(meta: Mapping[str, str | int]) -> int:
    return int(meta.get("generation", 0))


def _settled(changes: Changes) -> Changes:
    """Return the changes with ``stored`` looked up, unless they are everything."""
    return changes if changes.everything else replace(changes, stored=tuple(changes.stored))


def _changed(seen: Mapping[str, Seen], changes: Changes) -> dict[str, Seen]:
    unseen = set(changes.unseen)
    kept = {locator: one for locator, one in seen.items() if locator not in unseen} if unseen else dict(seen)
    return kept | {one.locator: one for one in changes.seen}


def _is_nothing(changes: Changes) -> bool:
    return not (changes.everything or changes.stored or changes.gone or changes.seen or changes.unseen or changes.used)
