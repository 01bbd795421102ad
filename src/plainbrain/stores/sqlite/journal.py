"""The journal of a ``memory.db``: agent-brain's activity log and meta rows.

Owns how activities and values of the brain lie there: times in seconds, agent-brain's own keys under their
names, ours under a prefix. Must not know entries.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager

from plainbrain.model.change import Activity, tells_of
from plainbrain.model.instants import parse_instant
from plainbrain.ports import Journal
from plainbrain.stores.meta import UNSAID
from plainbrain.stores.sqlite.schema import ORIGIN, OURS, Layout

_VALUES = OURS + "value."
Reading = Callable[[], AbstractContextManager[tuple[sqlite3.Connection, Layout] | None]]
Writing = Callable[[], AbstractContextManager[sqlite3.Connection]]


def insert_activities(db: sqlite3.Connection, activities: Iterable[Activity]) -> None:
    """Add activities to the log, oldest first; run inside a transaction."""
    db.executemany(
        "INSERT INTO activity_log (timestamp, action, entry_id, detail) VALUES (?, ?, ?, ?)",
        [(a.at.iso_seconds(), a.action, a.id or None, a.detail) for a in activities],
    )


def write_values(db: sqlite3.Connection, values: Mapping[str, str]) -> None:
    """Make the values of the brain those and no others; run inside a transaction."""
    rows = {key: values.get(key, unsaid) for key, unsaid in UNSAID.items()}
    rows |= {_VALUES + key: value for key, value in values.items() if key not in UNSAID}
    before = dict(db.execute("SELECT key, value FROM meta"))
    gone = [(key,) for key in before if str(key).startswith(_VALUES) and key not in rows]
    db.executemany("DELETE FROM meta WHERE key = ?", gone)
    changed = [(key, value) for key, value in rows.items() if before.get(key) != value]
    db.executemany(
        "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", changed
    )


def read_values(db: sqlite3.Connection) -> dict[str, str]:
    """Return the values of the brain; what was never set is absent."""
    found: dict[str, str] = {}
    for key, value in db.execute("SELECT key, value FROM meta ORDER BY key"):
        if key in UNSAID and value not in (None, "", UNSAID[key]):
            found[key] = str(value)
        elif str(key).startswith(_VALUES) and value is not None:
            found[str(key).removeprefix(_VALUES)] = str(value)
    return found


def read_origin(db: sqlite3.Connection) -> str:
    """Return what tells this database from another one at the same place."""
    row = db.execute("SELECT value FROM meta WHERE key = ?", (ORIGIN,)).fetchone()
    return str(row[0]) if row else ""


class SqliteJournal:
    """Keep what happened in ``activity_log`` and ``meta``."""

    def __init__(
        self,
        reading: Reading,
        writing: Writing,
        *,
        elsewhere: Callable[[], Journal | None],
        fold_in: Callable[[], None],
    ) -> None:
        self._reading = reading
        self._writing = writing
        self._fold_in = fold_in
        self._elsewhere = elsewhere

    def append(self, activities: Sequence[Activity]) -> None:
        """Add activities, oldest first."""
        if activities:
            with self._writing() as db:
                insert_activities(db, activities)

    def read(self, *, limit: int | None = None, action: str = "", id: str = "") -> list[Activity]:
        """Return activities newest first."""
        if (other := self._elsewhere()) is not None:
            return other.read(limit=limit, action=action, id=id)
        with self._reading() as found:
            if found is None or "activity_log" not in found[1].tables:
                return []
            rows = found[0].execute(
                "SELECT timestamp, action, entry_id, detail FROM activity_log"
                " WHERE (? = '' OR action = ?) AND (? = '' OR entry_id = ?) ORDER BY id DESC LIMIT ?",
                (action, action, id, id, -1 if limit is None else max(0, limit)),
            )
            return [
                Activity(parse_instant(str(at or "")), str(what or ""), str(entry or ""), str(detail or ""))
                for at, what, entry, detail in rows
            ]

    def values(self) -> Mapping[str, str]:
        """Return the brain's values."""
        if (other := self._elsewhere()) is not None:
            return other.values()
        with self._reading() as found:
            return {} if found is None or "meta" not in found[1].tables else read_values(found[0])

    def update(self, change: Callable[[Mapping[str, str]], Mapping[str, str]]) -> Mapping[str, str]:
        """Replace the values by ``change(values)``, the write lock held from the reading on."""
        with self._writing() as db:
            values = dict(change(read_values(db)))
            write_values(db, values)
            return values

    def forget(self, id: str, texts: Sequence[str] = ()) -> None:
        """Take what tells of a memory, or holds one of ``texts``, out of the log and out of the write-ahead file; its counters went with its row."""
        with self._writing() as db:
            rows = db.execute("SELECT id, entry_id, detail FROM activity_log").fetchall()
            gone = [(row,) for row, of, detail in rows if of == id or tells_of(str(detail or ""), id, texts)]
            db.executemany("DELETE FROM activity_log WHERE id = ?", gone)
        self._fold_in()
