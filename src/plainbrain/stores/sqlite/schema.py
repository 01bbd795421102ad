"""The tables of ``memory.db``: agent-brain's schema v4, and what stands beside it.

Owns the SQL that makes a database ready and brings an older one up to v4. Beside agent-brain's tables stand
``plainbrain_extra`` (what v4 has no column for, knowledge and counters apart) and ``plainbrain_changes``, one
row for each thing that changed, with a number that only grows. Plain triggers fill it, so a row that any
other program writes is noticed too. Must not know memories.
"""

from __future__ import annotations

import sqlite3

from plainbrain.model.kinds import class_of_kind
from plainbrain.notation.entry import FIELDS, USE_FIELDS
from plainbrain.records import record

VERSION = 4
#: Rows of ``meta`` whose key begins so are ours.
OURS = "plainbrain."
ORIGIN = OURS + "origin"
_KNOWLEDGE = tuple(name for name in FIELDS if name not in ("id", *USE_FIELDS))

_COLUMNS = {
    "id": "TEXT PRIMARY KEY",
    "type": "TEXT NOT NULL",
    "memory_class": "TEXT NOT NULL DEFAULT 'semantic'",
    "content": "TEXT NOT NULL",
    "source": "TEXT NOT NULL",
    "source_url": "TEXT",
    "tags": "TEXT",
    "context": "TEXT",
    "session_id": "INTEGER",
    "created": "TEXT NOT NULL",
    "last_accessed": "TEXT NOT NULL",
    "access_count": "INTEGER DEFAULT 1",
    "confidence": "TEXT DEFAULT 'likely'",
    "superseded_by": "TEXT",
    "success_count": "INTEGER DEFAULT 0",
    "correction_meta": "TEXT",
}
#: Columns that may not be NULL.
NOT_NULL = frozenset(name for name, kind in _COLUMNS.items() if "NOT NULL" in kind or name == "id")
_INDEXES = {
    "idx_entries_type": "entries(type)",
    "idx_entries_confidence": "entries(confidence)",
    "idx_entries_superseded": "entries(superseded_by)",
    "idx_entries_created": "entries(created)",
    "idx_entries_session": "entries(session_id)",
    "idx_entries_memory_class": "entries(memory_class)",
    "idx_log_timestamp": "activity_log(timestamp)",
    "idx_log_action": "activity_log(action)",
}
_TABLES = (
    f"CREATE TABLE IF NOT EXISTS entries ({', '.join(f'{name} {kind}' for name, kind in _COLUMNS.items())})",
    "CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT)",
    "CREATE TABLE IF NOT EXISTS activity_log (id INTEGER PRIMARY KEY AUTOINCREMENT, "
    "timestamp TEXT NOT NULL, action TEXT NOT NULL, entry_id TEXT, detail TEXT)",
    "CREATE TABLE IF NOT EXISTS plainbrain_extra (id TEXT PRIMARY KEY, extra TEXT, usage TEXT)",
    "CREATE TABLE IF NOT EXISTS plainbrain_changes (seq INTEGER PRIMARY KEY AUTOINCREMENT, "
    "id TEXT NOT NULL, what TEXT NOT NULL, UNIQUE (id, what))",
)


def _note(id: str, what: str) -> str:
    # not INSERT OR REPLACE: a trigger takes over the conflict rule of the statement that fires it
    return (
        f"DELETE FROM plainbrain_changes WHERE id = {id} AND what = '{what}'; "
        f"INSERT INTO plainbrain_changes (id, what) VALUES ({id}, '{what}');"
    )


def _differ(names: tuple[str, ...]) -> str:
    return " OR ".join(f"OLD.{name} IS NOT NEW.{name}" for name in names)


def _trigger(name: str, event: str, body: str, when: str = "") -> str:
    condition = f" WHEN {when}" if when else ""
    return f"CREATE TRIGGER IF NOT EXISTS plainbrain_{name} AFTER {event}{condition} BEGIN {body} END"


_TRIGGERS = (
    _trigger("entry_made", "INSERT ON entries", _note("NEW.id", "entry"), "NEW.id IS NOT NULL"),
    _trigger("entry_changed", "UPDATE ON entries", _note("NEW.id", "entry"), f"NEW.id IS NOT NULL AND ({_differ(_KNOWLEDGE)})"),
    _trigger("entry_used", "UPDATE ON entries", _note("NEW.id", "use"), f"NEW.id IS NOT NULL AND ({_differ(USE_FIELDS)})"),
    _trigger(
        "entry_renamed",
        "UPDATE OF id ON entries",
        _note("OLD.id", "entry") + " " + _note("NEW.id", "entry"),
        "OLD.id IS NOT NULL AND NEW.id IS NOT NULL AND OLD.id IS NOT NEW.id",
    ),
    _trigger(
        "entry_gone",
        "DELETE ON entries",
        f"{_note('OLD.id', 'entry')} DELETE FROM plainbrain_changes WHERE id = OLD.id AND what = 'use'; "
        "DELETE FROM plainbrain_extra WHERE id = OLD.id;",
        "OLD.id IS NOT NULL",
    ),
    _trigger("extra_made", "INSERT ON plainbrain_extra", _note("NEW.id", "entry"), "NEW.extra IS NOT NULL"),
    _trigger("extra_changed", "UPDATE ON plainbrain_extra", _note("NEW.id", "entry"), "OLD.extra IS NOT NEW.extra"),
    _trigger("extra_gone", "DELETE ON plainbrain_extra", _note("OLD.id", "entry"), "OLD.extra IS NOT NULL"),
    _trigger("usage_made", "INSERT ON plainbrain_extra", _note("NEW.id", "use"), "NEW.usage IS NOT NULL"),
    _trigger("usage_changed", "UPDATE ON plainbrain_extra", _note("NEW.id", "use"), "OLD.usage IS NOT NEW.usage"),
)  # fmt: skip
_META = {"version": str(VERSION), "last_decay": "", "session_counter": "0", "current_session": ""}
_MADE = "SELECT count(*) FROM sqlite_schema WHERE name GLOB 'plainbrain_*' AND type IN ('table', 'trigger')"


@record(frozen=True, slots=True)
class Layout:
    """What a database has: the columns of ``entries`` (none: no such table), its other tables, its version."""

    columns: frozenset[str]
    tables: frozenset[str]
    version: int | None
    ready: bool

    @property
    def is_old(self) -> bool:
        """Whether it holds entries in a schema before v4."""
        return bool(self.columns) and (not self.columns >= set(FIELDS) or (self.version or VERSION) < VERSION)

    @property
    def is_newer(self) -> bool:
        """Whether a program that knows more than v4 wrote it."""
        return (self.version or 0) > VERSION


def read_layout(db: sqlite3.Connection) -> Layout:
    """Look at what is there; writes nothing."""
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    columns = {row[1] for row in db.execute("PRAGMA table_info(entries)")} if "entries" in tables else set()
    version = None
    if "meta" in tables:
        row = db.execute("SELECT value FROM meta WHERE key = 'version'").fetchone()
        text = str(row[0]) if row else ""
        version = int(text) if text.isascii() and text.isdigit() else None
    made = db.execute(_MADE).fetchone()[0] == len(_TRIGGERS) + 2
    ready = made and version == VERSION and columns >= set(FIELDS) and tables >= {"meta", "activity_log"}
    return Layout(frozenset(columns), frozenset(tables), version, ready)


def make_ready(db: sqlite3.Connection, layout: Layout) -> None:
    """Bring the database to v4 with our tables beside; run inside a transaction. A ready one is not touched."""
    if layout.ready:
        return
    for name, kind in _COLUMNS.items():
        if layout.columns and name not in layout.columns:
            db.execute(f"ALTER TABLE entries ADD COLUMN {name} {_addable(kind)}")
            if name == "memory_class":
                _fill_classes(db)
    for statement in _TABLES:
        db.execute(statement)
    for name, on in _INDEXES.items():
        db.execute(f"CREATE INDEX IF NOT EXISTS {name} ON {on}")
    for statement in _TRIGGERS:
        db.execute(statement)
    db.executemany("INSERT OR IGNORE INTO meta (key, value) VALUES (?, ?)", list(_META.items()))
    db.execute("INSERT OR IGNORE INTO meta (key, value) VALUES (?, lower(hex(randomblob(8))))", (ORIGIN,))
    if layout.version is None or layout.version < VERSION:
        db.execute("UPDATE meta SET value = ? WHERE key = 'version'", (str(VERSION),))


def _addable(kind: str) -> str:
    """Return a column type that can be added to a table with rows: NOT NULL needs a default."""
    return kind if "NOT NULL" not in kind or "DEFAULT" in kind else f"{kind} DEFAULT ''"


def _fill_classes(db: sqlite3.Connection) -> None:
    kinds = [kind for (kind,) in db.execute("SELECT DISTINCT type FROM entries")]
    db.executemany(
        "UPDATE entries SET memory_class = ? WHERE type = ?", [(class_of_kind(str(kind)), kind) for kind in kinds]
    )
