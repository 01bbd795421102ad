"""Bringing older data into ``memory.db``: an earlier schema, or a ``memory.json`` beside it.

Owns when and how that is done: in one transaction, with the old form kept under a name that nothing had, and so
that a kill at any moment leaves either the old state or the new one, to be taken up again. What cannot be read
stops nothing: it is told, and kept in the backup. Runs at the first write, or when a face asks for it.
"""

from __future__ import annotations

import json
import os
import sqlite3

from plainbrain.errors import BrainError, Damaged, ReadOnly
from plainbrain.files.atomic import discard, temp_name
from plainbrain.files.beneath import Beneath, Folder, read_file
from plainbrain.files.locks import FileLock
from plainbrain.files.outcome import told
from plainbrain.model.problem import Problem
from plainbrain.notation.entry import FIELDS, memory_of
from plainbrain.records import record
from plainbrain.stores.json import JsonStore
from plainbrain.stores.json.document import Document
from plainbrain.stores.json.journal import activities_of, values_of
from plainbrain.stores.json.reading import read_document
from plainbrain.stores.json.text import digest_of
from plainbrain.stores.migration import Migration, keep_backup
from plainbrain.stores.sqlite.connection import Writer
from plainbrain.stores.sqlite.journal import insert_activities, write_values
from plainbrain.stores.sqlite.rows import WIDTH, row_of
from plainbrain.stores.sqlite.schema import OURS, VERSION, Layout, make_ready, read_layout

#: In ``meta``: the digest of the ``memory.json`` that was carried over.
_IMPORTED = OURS + "imported"
#: In ``meta``: a ``memory.json`` could not be read when it should have been carried over; it is tried again.
_PENDING = OURS + "pending"
#: In ``meta``: what could not be read when a ``memory.json`` was carried over, by the backup that still holds it.
_UNREAD = OURS + "unread"
#: The code of a value that could not be read, of an entry that could.
VALUE = "damaged-value"
_WHOLE = 1 << 40


@record(frozen=True, slots=True)
class Waiting:
    """A ``memory.json`` that nothing was carried over from yet."""

    path: str
    store: JsonStore


def json_beside(path: str) -> str | None:
    """Return the ``memory.json`` that stands beside a ``memory.db``, or None."""
    folder, name = os.path.split(path)
    other = os.path.join(folder, "memory.json")
    return other if name == "memory.db" and os.path.isfile(other) else None


def json_waiting(path: str, *, known: Waiting | None) -> Waiting | None:
    """Return the ``memory.json`` to read from as long as ``path`` has no entries; ``known`` is kept if it still is that."""
    other = json_beside(path)
    if other is None:
        return None
    return known if known and known.path == other else Waiting(other, JsonStore(other))


def refuse_newer(path: str, layout: Layout) -> None:
    """Raise ReadOnly for a database that a program of a later schema wrote."""
    if layout.is_newer:
        raise ReadOnly(
            f"{path} has schema version {layout.version}, and this program writes {VERSION}",
            value=layout.version,
            hint="bring Plainbrain up to date; reading goes on",
        )


def prepare(path: str, writer: Writer) -> Migration | None:
    """Make the database ready for writing; return what was carried over, if anything was.

    Raise Busy, ReadOnly, NoRoom or Damaged.
    """
    writer.connect()
    beneath = Beneath(os.path.dirname(path))
    if (other := json_beside(path)) is not None:
        lock = FileLock(beneath, (f".{os.path.basename(other)}.lock",), wait_seconds=writer.wait_ms / 1000)
        try:
            with lock.hold(), told(path, "write"), beneath.root() as folder:
                return _carry_over(path, other, writer=writer, folder=folder) or _upgrade(path, writer, folder)
        finally:
            lock.close()
    with told(path, "write"), beneath.root() as folder:
        return _upgrade(path, writer, folder)


def _upgrade(path: str, writer: Writer, folder: Folder) -> Migration | None:
    if read_layout(writer.connect()).ready:
        return None
    with writer.transaction() as db:
        layout = read_layout(db)
        done = _keep_old(path, db, layout=layout, folder=folder) if layout.is_old else None
        make_ready(db, layout)
    return done


def _keep_old(path: str, db: sqlite3.Connection, *, layout: Layout, folder: Folder) -> Migration:
    """Copy the database as it is, through SQLite, beside itself; nobody writes meanwhile, the write lock is held."""
    temp = temp_name()
    try:
        source = sqlite3.connect(path)
        target = sqlite3.connect(os.path.join(folder.path, temp))
        try:
            source.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")
        finally:
            source.close()
            target.close()
        data, facts = read_file(folder, temp, _WHOLE)
    finally:
        discard(folder, temp)
    version = layout.version or (3 if "memory_class" not in layout.columns else VERSION)
    backup = keep_backup(folder, data, f"{os.path.basename(path)}.v{version}.bak", like=facts)
    count = db.execute("SELECT count(*) FROM entries").fetchone()[0]
    return Migration(count, os.path.join(folder.path, backup), ())


def _carry_over(path: str, other: str, *, writer: Writer, folder: Folder) -> Migration | None:
    """Take a ``memory.json`` in, then put it aside. Its lock is held."""
    name = os.path.basename(other)
    try:
        text, facts = read_file(folder, name, _WHOLE)
    except FileNotFoundError:
        return None  # another process was faster
    digest = digest_of(text)
    with writer.transaction() as db:
        layout = read_layout(db)
        make_ready(db, layout)
        marks = dict(db.execute("SELECT key, value FROM meta WHERE key IN (?, ?)", (_IMPORTED, _PENDING)))
        done = marks.get(_IMPORTED) == digest
        if not done and _PENDING not in marks and db.execute("SELECT 1 FROM entries LIMIT 1").fetchone():
            return None  # both are in use: each goes its own way
        try:
            document = read_document(text, path=other)
        except Damaged as error:
            _mark(db, _PENDING, other)
            return Migration(0, "", (), (Problem("damaged-store", str(error), other, hint=error.hint),))
        problems = () if done else _insert_all(db, document, other)
        _mark(db, _IMPORTED, digest)
        db.execute("DELETE FROM meta WHERE key = ?", (_PENDING,))
        backup = os.path.join(folder.path, keep_backup(folder, text, f"{name}.bak", like=facts))
        if problems:
            lost = [problem.message for problem in problems if problem.code != VALUE]
            values = [problem.message for problem in problems if problem.code == VALUE]
            _mark(db, _UNREAD, json.dumps({"backup": backup, "messages": lost, "values": values}))
    folder.unlink(name)
    folder.sync()
    count = len(document.places)
    lines = (f"Migrated {count} entries from JSON to SQLite", f"  Backed up: {backup}")
    return Migration(count, backup, lines, problems)


def _insert_all(db: sqlite3.Connection, document: Document, path: str) -> tuple[Problem, ...]:
    problems = list(document.problems)
    rows = []
    for id, entry in document.entries():
        try:
            memory, complaints = memory_of(entry)
            rows.append(row_of(memory))
        except (BrainError, UnicodeEncodeError) as error:
            problems.append(Problem("damaged-entry", f"entry {id}: {error}", path))
            continue
        problems += [Problem(VALUE, f"entry {id}: {what}", path) for what in complaints]
    insert = f"INSERT OR IGNORE INTO entries ({', '.join(FIELDS)}) VALUES ({', '.join('?' * WIDTH)})"
    db.executemany(insert, [row[:WIDTH] for row in rows])
    db.executemany(
        "INSERT OR IGNORE INTO plainbrain_extra (id, extra, usage) VALUES (?, ?, ?)",
        [(row[0], *row[WIDTH:]) for row in rows if row[WIDTH:] != (None, None)],
    )
    insert_activities(db, activities_of(document))
    write_values(db, values_of(document))
    return tuple(problems)


def problems_of_import(db: sqlite3.Connection, layout: Layout) -> list[Problem]:
    """Return what is left to be done about a ``memory.json``: as long as the file that holds it is there."""
    if "meta" not in layout.tables:
        return []
    marks = dict(db.execute("SELECT key, value FROM meta WHERE key IN (?, ?)", (_PENDING, _UNREAD)))
    found = []
    if (other := marks.get(_PENDING)) and os.path.exists(other):
        message = "it could not be read, so nothing was carried over from it; it is tried again at the next write"
        found.append(Problem("damaged-store", message, other, hint="mend it, or move it away"))
    unread = json.loads(marks.get(_UNREAD) or "{}")
    if unread and os.path.exists(unread["backup"]):
        hint = "add it again by hand, then remove the backup"
        found += [Problem("damaged-entry", said, unread["backup"], hint=hint) for said in unread["messages"]]
        hint = "see in the backup what it was, then remove the backup"
        found += [Problem(VALUE, said, unread["backup"], hint=hint) for said in unread.get("values", ())]
    return found


def _mark(db: sqlite3.Connection, key: str, value: str) -> None:
    db.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, value))
