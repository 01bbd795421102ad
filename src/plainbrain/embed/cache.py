"""Vectors that were paid for once, kept on the disk: nothing is sent twice.

Owns one SQLite file in the cache folder. It may be thrown away at any moment; trouble with it never reaches
the caller, who then gets and keeps nothing. Texts are not kept, only their hashes, with whose vectors they are.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
from array import array
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

_CHUNK = 400
_TABLE = "CREATE TABLE IF NOT EXISTS vector (key BLOB PRIMARY KEY, numbers BLOB NOT NULL) WITHOUT ROWID"


class VectorCache:
    """Keep vectors in the file ``path``, by who made them and of which text."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def find(self, maker: str, texts: Sequence[str]) -> dict[str, list[float]]:
        """Return the vectors that are there, by text."""
        keys = {_key(maker, text): text for text in texts}
        found: dict[str, list[float]] = {}
        with contextlib.suppress(sqlite3.Error, OSError), self._open() as db:
            every = list(keys)
            for at in range(0, len(every), _CHUNK):
                some = every[at : at + _CHUNK]
                marks = ", ".join("?" * len(some))
                for key, numbers in db.execute(f"SELECT key, numbers FROM vector WHERE key IN ({marks})", some):
                    found[keys[key]] = _floats(numbers)
        return found

    def keep(self, maker: str, vectors: Mapping[str, Sequence[float]]) -> None:
        """Keep vectors, by text."""
        rows = [(_key(maker, text), array("d", vector).tobytes()) for text, vector in vectors.items()]
        with contextlib.suppress(sqlite3.Error, OSError), self._open() as db, db:
            db.executemany("INSERT OR REPLACE INTO vector VALUES (?, ?)", rows)

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Made by us first, so that it belongs to its owner alone.
        with contextlib.suppress(FileExistsError):
            os.close(os.open(self._path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        db = sqlite3.connect(self._path, timeout=1.0)
        try:
            db.execute("PRAGMA synchronous = OFF")
            db.execute(_TABLE)
            yield db
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", 0) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
                self._path.unlink(missing_ok=True)  # worthless: the next call begins a new one
            raise
        finally:
            db.close()


def _key(maker: str, text: str) -> bytes:
    return hashlib.sha256(f"{maker}\0{text}".encode("utf-8", "surrogatepass")).digest()


def _floats(numbers: bytes) -> list[float]:
    found = array("d")
    found.frombytes(numbers)
    return found.tolist()
