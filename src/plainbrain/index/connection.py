"""A connection to one index file: opened, furnished, checked, and its errors read.

Owns what an SQLite error means for something that may be thrown away. Knows nothing of memories.
"""

from __future__ import annotations

import enum
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from plainbrain.index.schema import TABLES, VERSION

#: Seconds to wait for another process that writes the index.
PATIENCE = 10.0


class Verdict(enum.Enum):
    """What to do about an error."""

    DAMAGED = "build a new file"
    BUSY = "go on with what is there"
    UNUSABLE = "work in memory"


class Damage(sqlite3.DatabaseError):
    """Tell that the index is not what was written."""


_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_UNUSABLE = frozenset(
    {
        sqlite3.SQLITE_PERM, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_TOOBIG,
    }
)  # fmt: skip


def judge(error: sqlite3.Error) -> Verdict:
    """Return what an error means: a lock and a full disk are no damage; what SQLite cannot explain is."""
    extended = getattr(error, "sqlite_errorcode", None)
    if extended is None or extended == sqlite3.SQLITE_IOERR_SHORT_READ:
        return Verdict.DAMAGED
    code = extended & 0xFF
    if code in _BUSY:
        return Verdict.BUSY
    return Verdict.UNUSABLE if code in _UNUSABLE else Verdict.DAMAGED


def open_file(path: Path) -> sqlite3.Connection:
    """Open an index file and furnish it if it is empty. Raise sqlite3.Error."""
    connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
    try:
        # A file that a power cut leaves half made is damaged, and damage costs nothing before there is content.
        connection.execute("PRAGMA synchronous = OFF")
        _ask_for_wal(connection)
        _furnish(connection)
        connection.execute("PRAGMA synchronous = NORMAL")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _ask_for_wal(connection: sqlite3.Connection) -> None:
    """Switch to a write-ahead log; another process that is just doing the same does it for both."""
    try:
        connection.execute("PRAGMA journal_mode = WAL")
    except sqlite3.OperationalError as error:
        if judge(error) is not Verdict.BUSY:
            raise


def open_memory() -> sqlite3.Connection:
    """Open an index that lives as long as the connection."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    _furnish(connection)
    return connection


def _furnish(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA cache_size = -16000")
    if _version(connection) != VERSION:
        with writing(connection):
            if _version(connection) == 0 and not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
                for statement in TABLES:
                    connection.execute(statement)
        if _version(connection) != VERSION:
            raise Damage("an index of another version under our name")
    if not connection.execute("SELECT 1 FROM pragma_function_list WHERE name = 'pow'").fetchone():
        connection.create_function("pow", 2, pow, deterministic=True)


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


@contextmanager
def writing(connection: sqlite3.Connection) -> Iterator[None]:
    """Hold the write lock; commit at the end, undo everything on any error."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextmanager
def reading(connection: sqlite3.Connection) -> Iterator[None]:
    """See one state of the index for several statements."""
    if connection.in_transaction:
        yield
        return
    connection.execute("BEGIN")
    try:
        yield
    finally:
        if connection.in_transaction:
            connection.execute("COMMIT")
