"""Writing a file of any length whole or not at all: pieces go to a temporary file beside it, which then gets the name.

Promises that what was there stays until the new file is on the disk, and that nothing is left behind when it fails.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable
from pathlib import Path

from plainbrain.files.atomic import discard, dress, temp_name
from plainbrain.files.beneath import Beneath, Folder
from plainbrain.files.outcome import told

_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_BUFFER = 1 << 20


def write_stream(path: Path, pieces: Iterable[str]) -> int:
    """Write ``pieces`` in UTF-8 as the file ``path``; return the bytes. Raise ReadOnly, NoRoom or a StoreError.

    A new file is private (0600), one that is replaced keeps its mode. A link is followed. What is no plain file (a pipe, a device)
    cannot be replaced: the pieces are written into it.
    """
    with told(str(path), "write"):
        path = Path(os.path.realpath(path))
        like = path.stat() if path.exists() else None
        if like is not None and stat.S_ISDIR(like.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if like is not None and not stat.S_ISREG(like.st_mode):
            with path.open("wb") as file:
                return sum(file.write(piece.encode("utf-8", "replace")) for piece in pieces)
        with Beneath(path.parent).root() as folder:
            return _replace(folder, path.name, pieces, like)


def _replace(folder: Folder, target: str, pieces: Iterable[str], like: os.stat_result | None) -> int:
    size, name = 0, temp_name()
    try:
        with os.fdopen(folder.open(name, _CREATE, 0o600), "wb", buffering=_BUFFER) as file:
            for piece in pieces:
                size += file.write(piece.encode("utf-8", "replace"))
            file.flush()
            if like is not None:
                dress(file.fileno(), like)
            os.fsync(file.fileno())
        folder.rename(name, target)
    except BaseException:
        discard(folder, name)
        raise
    folder.sync()
    return size
