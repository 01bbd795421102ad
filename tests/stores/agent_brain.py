"""Files as agent-brain makes them, by plain SQL and plain JSON: what the stores are held against."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

COLUMNS = (
    "id", "type", "memory_class", "content", "source", "source_url", "tags", "context", "session_id", "created",
    "last_accessed", "access_count", "confidence", "superseded_by", "success_count", "correction_meta",
)  # fmt: skip
NEW_IN_V4 = ("memory_class",)
NEW_IN_V3 = ("context", "session_id", "success_count", "correction_meta")


def entry(id: str, content: Any = "", **changes: Any) -> dict[str, Any]:
    """Return one entry, as a JSON file holds it."""
    found: dict[str, Any] = dict.fromkeys(COLUMNS)
    found |= {
        "id": id,
        "type": "fact",
        "memory_class": "semantic",
        "content": content or f"content of {id}",
        "source": "user",
        "tags": ["code.python", "tooling"],
        "session_id": 1,
        "created": "2026-10-01T08:00:00Z",
        "last_accessed": "2026-10-02T08:00:00Z",
        "access_count": 3,
        "confidence": "sure",
        "success_count": 1,
    }
    return found | changes


def without(entry: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """Return an entry of an older schema."""
    return {name: value for name, value in entry.items() if name not in names}


def make_json(path: Path, entries: Iterable[Any], **changes: Any) -> None:
    """Write a memory.json as agent-brain does: indent 2, in place."""
    document = {
        "version": 4,
        "last_decay": None,
        "session_counter": 2,
        "current_session": {"id": 2, "context": "at work", "started": "2026-10-02T08:00:00Z"},
        "entries": list(entries),
        "activity_log": [
            {"timestamp": "2026-10-01T08:00:00Z", "action": "add", "entry_id": "a", "detail": "fact/semantic: x []"}
        ],
    }
    path.write_text(json.dumps(document | changes, indent=2), encoding="utf-8")


def make_json_v2(path: Path, entries: Iterable[Any]) -> None:
    """Write a memory.json as the second version did: no log, no sessions, no classes."""
    old = [without(one, *NEW_IN_V3, *NEW_IN_V4) for one in entries]
    path.write_text(json.dumps({"version": 2, "entries": old}, indent=2), encoding="utf-8")


def make_db(
    path: Path, entries: Iterable[Mapping[str, Any]], *, version: str = "4", lacking: tuple[str, ...] = ()
) -> None:
    """Make a memory.db with agent-brain's tables; ``lacking`` columns are those an older schema did not have."""
    kinds = {
        "id": "TEXT PRIMARY KEY", "type": "TEXT NOT NULL", "memory_class": "TEXT NOT NULL DEFAULT 'semantic'",
        "content": "TEXT NOT NULL", "source": "TEXT NOT NULL", "session_id": "INTEGER", "created": "TEXT NOT NULL",
        "last_accessed": "TEXT NOT NULL", "access_count": "INTEGER DEFAULT 1", "confidence": "TEXT DEFAULT 'likely'",
        "success_count": "INTEGER DEFAULT 0",
    }  # fmt: skip
    columns = ", ".join(f"{name} {kinds.get(name, 'TEXT')}" for name in COLUMNS if name not in lacking)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute(f"CREATE TABLE entries ({columns})")
        db.execute("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)")
        db.execute(
            "CREATE TABLE activity_log (id INTEGER PRIMARY KEY AUTOINCREMENT, timestamp TEXT NOT NULL,"
            " action TEXT NOT NULL, entry_id TEXT, detail TEXT)"
        )
        meta = {"version": version, "last_decay": "", "session_counter": "2", "current_session": ""}
        db.executemany("INSERT INTO meta VALUES (?, ?)", list(meta.items()))
        for one in entries:
            insert(db, without(one, *lacking))


def insert(db: sqlite3.Connection, one: Mapping[str, Any]) -> None:
    """Add an entry with the statement that agent-brain uses."""
    row = dict(one)
    row["tags"] = ",".join(row["tags"]) if isinstance(row["tags"], list) else row["tags"]
    if isinstance(row.get("correction_meta"), dict):
        row["correction_meta"] = json.dumps(row["correction_meta"])
    db.execute(f"INSERT INTO entries ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", tuple(row.values()))
