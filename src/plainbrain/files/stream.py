"""Writing a file of any length whole or not at all: pieces go to a temporary file beside it, which then gets the name.

Promises that what was there stays until the new file is on the disk, and that nothing is left behind when it fails.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from plainbrain.files.atomic import discard, temp_name
from plainbrain.files.beneath import Beneath
from plainbrain.files.outcome import told

_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_BUFFER = 1 << 20


def write_stream(path: Path, pieces: Iterable[str]) -> int:
    """Write ``pieces`` in UTF-8 as the file ``path`` (private, 0600); return the bytes. Raise ReadOnly, NoRoom or a StoreError."""
    size = 0
    with told(str(path), "write"), Beneath(path.parent).root() as folder:
        name = temp_name()
        try:
            with os.fdopen(folder.open(name, _CREATE, 0o600), "wb", buffering=_BUFFER) as file:
                for piece in pieces:
                    size += file.write(piece.encode("utf-8", "replace"))
                file.flush()
                os.fsync(file.fileno())
            folder.rename(name, path.name)
        except BaseException:
            discard(folder, name)
            raise
        folder.sync()
    return size
