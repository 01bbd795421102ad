"""Connections to ``memory.db``: one that only reads and never waits, one that writes and is durable.

Owns how the file is opened, which settings each connection has, how long a writer waits, and what SQLite's
errors mean. Promises that reading writes nothing, but for taking back the half of a change that a killed writer left,
and works beside a held write lock and in a read-only folder, and that a file that was deleted or replaced meanwhile is
opened anew. Must not know tables.
"""

from __future__ import annotations

import os
import sqlite3
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import quote

from plainbrain.errors import BrainError, Busy, Damaged, InvalidField, NoRoom, ReadOnly, StoreError
from plainbrain.files.beneath import make_folder
from plainbrain.files.outcome import told
from plainbrain.model.problem import Problem

WAIT_MS = 10_000
#: How long a reader waits for the moments in which SQLite itself holds readers off (recovery, a mode change).
_READ_WAIT_MS = 1_000
_FIRST_NAP, _LONGEST_NAP = 0.0003, 0.006
_NO_FILES = frozenset({sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY})
Moment = tuple[int, int, int, int]


@contextmanager
def sqlite_told(path: str, doing: str) -> Iterator[None]:
    """Raise what one of SQLite's errors means, with the path and the next step."""
    try:
        yield
    except UnicodeEncodeError as error:
        raise InvalidField(
            "a text holds half a character (a lone surrogate)", value=path, hint="write the text again without it"
        ) from error
    except OverflowError as error:
        raise InvalidField("a counter is too large for the store", value=path) from error
    except sqlite3.Error as error:
        raise error_of_sqlite(error, path=path, doing=doing) from error


def error_of_sqlite(error: sqlite3.Error, *, path: str, doing: str) -> BrainError:
    """Return the error that stands for one of SQLite's."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    what = f"cannot {doing} {path}: {error}"
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        holders = holders_of(path)
        who = f"process {', '.join(map(str, holders))}" if holders else "another process"
        return Busy(
            f"{path} is locked by {who}",
            value=holders[0] if holders else None,
            hint="let it finish, or end it, then repeat",
        )
    if code == sqlite3.SQLITE_FULL:
        return NoRoom(what, value=path, hint="make room on the disk or raise the quota, then repeat")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH):
        return ReadOnly(what, value=path, hint="check the owner and the mode of the folder and of the file")
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return Damaged(
            what,
            value=path,
            hint=f"keep a copy, then try `sqlite3 {os.path.basename(path)} .recover`, or put a backup back",
        )
    return StoreError(what, value=path, hint="check the disk and the path, then repeat; nothing was written")


def holders_of(path: str) -> list[int]:
    """Return the processes that hold a write lock on the database, where the system tells (Linux)."""
    files = set()
    for name in (path, path + "-shm"):
        with suppress(OSError):
            facts = os.stat(name)
            files.add(f"{os.major(facts.st_dev):02x}:{os.minor(facts.st_dev):02x}:{facts.st_ino}")
    try:
        with open("/proc/locks", encoding="ascii") as lines:
            locks = [line.split() for line in lines]
    except OSError:
        return []
    found = {int(lock[4]) for lock in locks if len(lock) > 5 and lock[3] == "WRITE" and lock[5] in files}
    return sorted(pid for pid in found if pid != os.getpid()) or sorted(found)


def moment_of(path: str) -> Moment | None:
    """Return what tells one state of a file from another without reading it, or None when there is no file."""
    try:
        facts = os.stat(path)
    except OSError:
        return None
    return facts.st_ino, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns


class Reader:
    """The reading connection, opened when there is something to read."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._db: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None
        self._frozen: Moment | None = None

    def connect(self) -> sqlite3.Connection | None:
        """Return the connection, or None when there is no database. Raise Busy or Damaged."""
        file = _file_of(self._path)
        stale = file != self._file or (self._frozen is not None and self._frozen != moment_of(self._path))
        if self._db is not None and stale:
            self.close()
        if file is None:
            return None
        if self._db is None:
            self._db = self._open()
            self._file = file
            weakref.finalize(self, self._db.close)  # for whoever forgets to
        return self._db

    def _open(self) -> sqlite3.Connection:
        with sqlite_told(self._path, "read"):
            try:
                return _connect(self._path, "mode=ro")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF not in _NO_FILES:
                    raise
                if error.sqlite_errorcode == sqlite3.SQLITE_READONLY_ROLLBACK:
                    return self._open_rolled_back()
            # the files that WAL needs cannot be made here, so nobody can be writing here either
            self._frozen = moment_of(self._path)
            return _connect(self._path, "immutable=1")

    def _open_rolled_back(self) -> sqlite3.Connection:
        """Take back the half of a change that a writer left when it died: who reads past it takes it for whole."""
        _connect(self._path, "mode=rw").close()
        return _connect(self._path, "mode=ro")

    def problems(self) -> tuple[Problem, ...]:
        """Return what this connection cannot see."""
        log = moment_of(self._path + "-wal")
        if self._frozen is None or log is None or log[1] == 0:
            return ()
        message = (
            "the newest changes cannot be read here: they lie in the write-ahead file, and the folder is read-only"
        )
        hint = "open the store once as a user who may write there"
        return (Problem("unread-changes", message, f"{self._path}-wal", hint=hint),)

    def close(self) -> None:
        """Let go of the file."""
        if self._db is not None:
            self._db.close()
        self._db, self._file, self._frozen = None, None, None


def _file_of(path: str) -> tuple[int, int] | None:
    try:
        facts = os.stat(path)
    except OSError:
        return None
    return facts.st_dev, facts.st_ino


def _connect(path: str, mode: str) -> sqlite3.Connection:
    db = sqlite3.connect(f"file:{quote(path)}?{mode}", uri=True, isolation_level=None, check_same_thread=False)
    try:
        db.execute(f"PRAGMA busy_timeout = {_READ_WAIT_MS}")
        db.text_factory = _text
        db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except BaseException:
        db.close()
        raise
    return db


def _text(raw: bytes) -> str | bytes:
    """Return a text as it is, and one that is no UTF-8 as its bytes: it is told, never lost."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw


class Writer:
    """The writing connection, opened at the first write."""

    def __init__(self, path: str, *, wait_ms: int = WAIT_MS) -> None:
        self._path = path
        self.wait_ms = wait_ms
        self._db: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None

    @property
    def is_open(self) -> bool:
        """Whether the file that is open is still the one that stands there."""
        return self._db is not None and self._file == _file_of(self._path)

    def connect(self) -> sqlite3.Connection:
        """Return the connection, making the file if there is none. Raise Busy, ReadOnly, NoRoom or Damaged."""
        if self._db is not None and not self.is_open:
            self.close()
        if self._db is None:
            with told(self._path, "write"):
                _make_private(self._path)
            with sqlite_told(self._path, "write"):
                self._db = _connect(self._path, "mode=rw")
                weakref.finalize(self, self._db.close)  # for whoever forgets to
                self._prepare(self._db)
            self._file = _file_of(self._path)
        return self._db

    def _prepare(self, db: sqlite3.Connection) -> None:
        # SQLite's own waiting naps longer and longer, so that a busy writer starves the others, and it does
        # not wait at all when the mode changes: eight first openings at once would fail
        db.execute("PRAGMA busy_timeout = 0")
        self._insist(db, "PRAGMA journal_mode = WAL")
        for pragma in ("synchronous = FULL", "foreign_keys = ON", "secure_delete = ON"):
            db.execute(f"PRAGMA {pragma}")

    def _insist(self, db: sqlite3.Connection, sql: str) -> None:
        """Execute ``sql``, again and again while another process holds the lock, until it is too long."""
        until = time.monotonic() + self.wait_ms / 1000
        nap = _FIRST_NAP
        while True:
            try:
                db.execute(sql).fetchall()
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                    raise
            time.sleep(nap)
            nap = min(nap * 1.5, _LONGEST_NAP)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Hold the write lock; commit at the end, or leave everything as it was when something is raised."""
        db = self.connect()
        with sqlite_told(self._path, "write"):
            self._insist(db, "BEGIN IMMEDIATE")
            try:
                yield db
                self._insist(db, "COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise

    def fold_in(self) -> None:
        """Bring the write-ahead file into the database and empty it, unless readers hold that up for too long."""
        db = self.connect()
        with sqlite_told(self._path, "write"):
            db.execute(f"PRAGMA busy_timeout = {_READ_WAIT_MS}")
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            db.execute("PRAGMA busy_timeout = 0")

    def close(self) -> None:
        """Let go of the file."""
        if self._db is not None:
            self._db.close()
        self._db, self._file = None, None


def _make_private(path: str) -> None:
    make_folder(os.path.dirname(path))
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        if not os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
            raise PermissionError(13, "Permission denied", path) from None
