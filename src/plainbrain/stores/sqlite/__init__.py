"""The store in agent-brain's ``memory.db``.

Owns reading and writing memories as rows of schema v4. agent-brain itself goes on working with the file,
and what it writes is noticed (``sqlite_schema.py``). Reading never writes, never waits for a writer and takes
a database of any version as it is; the first write brings it up to v4 (``sqlite_migrate.py``). Durable: WAL,
every commit on the disk before it is acknowledged.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from typing import TYPE_CHECKING

from plainbrain.errors import InvalidId, NotFound, StoreError
from plainbrain.later import later
from plainbrain.model.change import Activity, Change, Put, Use, add_use
from plainbrain.model.problem import Problem
from plainbrain.notation.entry import FIELDS
from plainbrain.ports import Changes, Journal, Mark, Store, Stored, Traits
from plainbrain.records import open_record
from plainbrain.stores.revision import check_expecting
from plainbrain.stores.sqlite.changes import changes_since
from plainbrain.stores.sqlite.connection import WAIT_MS, Reader, Writer, sqlite_told
from plainbrain.stores.sqlite.journal import SqliteJournal, insert_activities
from plainbrain.stores.sqlite.rows import WIDTH, Row, revision_of_row, row_of, row_with_usage, select, stored_of_row
from plainbrain.stores.sqlite.schema import VERSION, Layout, make_ready, read_layout

if TYPE_CHECKING:
    from plainbrain.stores.migration import Migration
    from plainbrain.stores.sqlite import migrate
else:
    # Only what an older program left behind needs it.
    migrate = later("plainbrain.stores.sqlite.migrate")

_CHUNK = 500
_UPSERT = (
    f"INSERT INTO entries ({', '.join(FIELDS)}) VALUES ({', '.join('?' * WIDTH)}) ON CONFLICT (id) DO UPDATE SET "
    + ", ".join(f"{name} = excluded.{name}" for name in FIELDS[1:])
)
_UPSERT_EXTRA = (
    "INSERT INTO plainbrain_extra (id, extra, usage) VALUES (?, ?, ?) "
    "ON CONFLICT (id) DO UPDATE SET extra = excluded.extra, usage = excluded.usage"
)
View = tuple[sqlite3.Connection, Layout]


@open_record(slots=True)
class _Draft:
    """The rows as they will be: what was there, and what the changes make of it."""

    before: dict[str, Row]
    after: dict[str, Row | None] = field(default_factory=dict)

    def row(self, id: str) -> Row | None:
        return self.after[id] if id in self.after else self.before.get(id)

    def apply(self, change: Change) -> str:
        id = change.memory.id if isinstance(change, Put) else change.id
        if not id:
            raise InvalidId("a memory needs an id", value=id)
        there = self.row(id)
        check_expecting(id, None if there is None else revision_of_row(there), change.expecting)
        if isinstance(change, Put):
            row = row_of(change.memory, base=there)
            self.after[id] = row
            return revision_of_row(row)
        if there is None:
            raise NotFound(f"no memory {id!r}", value=id, hint="look for it with `brain search`")
        self.after[id] = None
        return ""

    def write(self, db: sqlite3.Connection) -> None:
        rows = {id: row for id, row in self.after.items() if row is not None}
        gone = [(id,) for id, row in self.after.items() if row is None and id in self.before]
        db.executemany("DELETE FROM entries WHERE id = ?", gone)
        db.executemany(_UPSERT, [row[:WIDTH] for row in rows.values()])
        write_extras(db, rows, before=self.before)


def write_extras(db: sqlite3.Connection, rows: dict[str, Row], *, before: dict[str, Row]) -> None:
    """Write the side table's part of rows, where it changed."""
    said: list[tuple[str, object, object]] = []
    unsaid: list[tuple[str]] = []
    for id, row in rows.items():
        extra, old = row[WIDTH:], before[id][WIDTH:] if id in before else (None, None)
        if extra == old:
            continue
        if extra == (None, None):
            unsaid.append((id,))
        else:
            said.append((id, extra[0], extra[1]))
    db.executemany(_UPSERT_EXTRA, said)
    db.executemany("DELETE FROM plainbrain_extra WHERE id = ?", unsaid)


class SqliteStore:
    """Hold memories in the SQLite file ``path``; nothing is made before the first write."""

    def __init__(self, path: str | os.PathLike[str], *, wait_ms: int = WAIT_MS) -> None:
        self._path = os.path.realpath(path)
        self._reader = Reader(self._path)
        self._writer = Writer(self._path, wait_ms=wait_ms)
        self._lock = threading.RLock()
        self._layout: tuple[tuple[int, int], Layout] | None = None
        self._waiting: migrate.Waiting | None = None
        self._journal = SqliteJournal(
            self._reading, self._writing, elsewhere=self._journal_elsewhere, fold_in=self._writer.fold_in
        )
        self._migration: Migration | None = None

    @property
    def url(self) -> str:
        """``sqlite:`` and the real path."""
        return f"sqlite:{self._path}"

    @property
    def traits(self) -> Traits:
        """Facts about this store."""
        return Traits(kind="sqlite")

    @property
    def journal(self) -> SqliteJournal:
        """The activity log and meta rows."""
        return self._journal

    def prepare(self) -> Migration | None:
        """Bring what an older program wrote up to date, unless a write did already; tell, once, what was done.

        Raise Busy, ReadOnly, NoRoom or Damaged.
        """
        with self._lock:
            self._prepare()
            done, self._migration = self._migration, None
            return done

    def is_behind(self) -> bool:
        """Tell whether an older program left something to be carried over: an earlier schema, or a ``memory.json``."""
        with self._reading() as view:
            if view is not None and view[1].is_old:
                return True
        return self._has_json_beside() and self._elsewhere() is not None

    def _prepare(self) -> None:
        self._refuse_newer()
        if not self._is_up_to_date():
            self._migration = migrate.prepare(self._path, self._writer) or self._migration

    def _is_up_to_date(self) -> bool:
        if self._has_json_beside():
            return False
        with self._reading() as view:
            return view is not None and view[1].ready

    def _has_json_beside(self) -> bool:
        folder, name = os.path.split(self._path)
        return name == "memory.db" and os.path.isfile(os.path.join(folder, "memory.json"))

    # reading

    @contextmanager
    def _reading(self) -> Iterator[View | None]:
        with self._lock, sqlite_told(self._path, "read"):
            db = self._reader.connect()
            yield None if db is None else (db, self._layout_of(db))

    def _layout_of(self, db: sqlite3.Connection) -> Layout:
        key = (id(db), db.execute("PRAGMA schema_version").fetchone()[0])
        if self._layout is None or self._layout[0] != key or not self._layout[1].ready:
            self._layout = (key, read_layout(db))
        return self._layout[1]

    def _elsewhere(self) -> Store | None:
        """Return the ``memory.json`` that still is the truth: nothing was carried over from it yet."""
        with self._reading() as view:
            has_rows = view is not None and bool(view[1].columns) and bool(_has_rows(view[0]))
        wanted = not has_rows and self._has_json_beside()
        self._waiting = migrate.json_waiting(self._path, known=self._waiting) if wanted else None
        return self._waiting.store if self._waiting else None

    def _journal_elsewhere(self) -> Journal | None:
        other = self._elsewhere()
        return None if other is None else other.journal

    def listing(self) -> Iterator[tuple[str, str]]:
        """Yield ids and revisions, oldest first."""
        if (other := self._elsewhere()) is not None:
            return other.listing()
        with self._reading() as view:
            if view is None or not view[1].columns:
                return iter(())
            rows = view[0].execute(f"{select(view[1])} ORDER BY e.created, e.rowid")
            return iter([(row[0], revision_of_row(row)) for row in rows if isinstance(row[0], str) and row[0]])

    def get(self, id: str) -> Stored:
        """Return one memory. Raise NotFound."""
        found = self.get_many([id])
        if id not in found:
            raise NotFound(f"no memory {id!r}", value=id, hint="look for it with `brain search`")
        return found[id]

    def get_many(self, ids: Sequence[str]) -> dict[str, Stored]:
        """Return those of ``ids`` that are there."""
        if (other := self._elsewhere()) is not None:
            return other.get_many(ids)
        with self._reading() as view:
            if view is None or not view[1].columns:
                return {}
            rows = _rows(*view, list(dict.fromkeys(ids)))
        found = {id: stored_of_row(row, path=self._path)[0] for id, row in rows.items()}
        return {id: stored for id, stored in found.items() if stored is not None}

    def changes_since(self, mark: Mark) -> Changes:
        """Tell what is different; with an up-to-date mark this reads one number."""
        if (other := self._elsewhere()) is not None:
            return other.changes_since(mark)
        with self._reading() as view:
            return changes_since(self._path, mark, view=view, reading=self._reading)

    def problems(self) -> list[Problem]:
        """Return what is wrong with the file and with single rows. Reads everything."""
        try:
            if (other := self._elsewhere()) is not None:
                return other.problems()
            with self._reading() as view:
                if view is None:
                    return []
                told = (*self._reader.problems(), *migrate.problems_of_import(*view))
                return [*told, *_problems(self._path, *view)]
        except StoreError as error:
            return [Problem("damaged-store", str(error), self._path, hint=error.hint)]

    # writing

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            if not self._writer.is_open:
                self._prepare()
            with self._writer.transaction() as db:
                layout = read_layout(db)
                if layout.is_newer:
                    migrate.refuse_newer(self._path, layout)
                make_ready(db, layout)
                yield db

    def _refuse_newer(self) -> None:
        with self._reading() as view:
            if view is not None and view[1].is_newer:
                migrate.refuse_newer(self._path, view[1])

    def apply(self, changes: Sequence[Change], *, activities: Sequence[Activity] = ()) -> list[str]:
        """Write all changes or none, activities with them, in one transaction; return the new revisions."""
        if not changes:
            return []
        with self._writing() as db:
            ids = {change.memory.id if isinstance(change, Put) else change.id for change in changes}
            draft = _Draft(_rows(db, read_layout(db), sorted(ids)))
            revisions = [draft.apply(change) for change in changes]
            draft.write(db)
            insert_activities(db, activities)
        return revisions

    def record(self, uses: Sequence[Use], *, activities: Sequence[Activity] = ()) -> None:
        """Add to counters, an unknown id being passed over, and activities to the log, in one transaction."""
        if not activities and (not uses or not self.get_many([use.id for use in uses])):
            return
        with self._writing() as db:
            before = _rows(db, read_layout(db), sorted({use.id for use in uses}))
            after: dict[str, Row] = {}
            for id, row in before.items():
                stored, _ = stored_of_row(row, path=self._path)
                if stored is not None:
                    usage = stored.memory.usage
                    for use in uses:
                        usage = add_use(usage, use) if use.id == id else usage
                    after[id] = row_with_usage(row, usage)
            db.executemany(_UPSERT, [row[:WIDTH] for row in after.values()])
            write_extras(db, after, before=before)
            insert_activities(db, activities)

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._writer.close()
            self._reader.close()
            self._layout = None


def _has_rows(db: sqlite3.Connection) -> bool:
    return db.execute("SELECT 1 FROM entries LIMIT 1").fetchone() is not None


def _rows(db: sqlite3.Connection, layout: Layout, ids: Sequence[str]) -> dict[str, Row]:
    found: dict[str, Row] = {}
    for start in range(0, len(ids), _CHUNK):
        some = ids[start : start + _CHUNK]
        for row in db.execute(f"{select(layout)} WHERE e.id IN ({', '.join('?' * len(some))})", some):
            found[row[0]] = row
    return {id: found[id] for id in ids if id in found}


def _problems(path: str, db: sqlite3.Connection, layout: Layout) -> list[Problem]:
    found = [
        Problem("damaged-store", f"SQLite finds: {said}", path, hint="keep a copy, then put a backup back")
        for (said,) in db.execute("PRAGMA quick_check(20)")
        if said != "ok"
    ]
    if layout.is_newer:
        found.append(
            Problem("newer-schema", f"schema version {layout.version} is newer than {VERSION}: read, not written", path)
        )
    if layout.columns:
        for row in db.execute(select(layout)):
            found += stored_of_row(row, path=path)[1]
    return found
