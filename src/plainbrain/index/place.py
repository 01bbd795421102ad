"""Where the index files of one brain lie, and which of them is in use.

Owns the names. A file is never replaced: a damaged one is left behind and the next number begun, so
that a process that still has it open cannot harm its successor (SQLite deletes a write-ahead log by its
name). Beside each file lies a stamp of how its last writer left it; a file that does not fit its stamp
is checked before it is believed.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

from plainbrain.digests import blake2b
from plainbrain.index.schema import VERSION

_NAME = re.compile(rf"v{VERSION}-(\d{{1,9}})\.db\Z")


class Place:
    """The folder of one brain's index within the cache folder."""

    def __init__(self, folder: Path, url: str) -> None:
        key = blake2b(url.encode("utf-8", "surrogatepass"), digest_size=10).hexdigest()
        self.folder = folder / key

    def newest(self) -> Path | None:
        """Return the file in use, or None when there is none. Raise OSError when the folder cannot be listed."""
        numbers = self._numbers()
        return self._file(max(numbers)) if numbers else None

    def begin_next(self, after: Path | None) -> Path:
        """Return the file that follows ``after``, made empty and private unless another process just made it.

        Raise OSError.
        """
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        number = 1 + max((_number(after.name) or 0) if after else 0, *(n - 1 for n in self._numbers()), 0)
        path = self._file(number)
        with suppress(FileExistsError):  # when another process was faster, its file serves as well
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        return path

    def sweep(self, current: Path) -> None:
        """Remove the files before ``current``. Whoever has one open keeps it until the next call."""
        mine = _number(current.name) or 0
        for number in self._numbers():
            if number < mine:
                for suffix in ("", "-wal", "-shm", ".ok"):
                    _remove(Path(f"{self._file(number)}{suffix}"))

    def _file(self, number: int) -> Path:
        return self.folder / f"v{VERSION}-{number}.db"

    def _numbers(self) -> list[int]:
        try:
            names = os.listdir(self.folder)
        except FileNotFoundError:
            return []
        return [number for name in names if (number := _number(name)) is not None]


def identity_of(path: Path) -> tuple[int, int] | None:
    """Return what tells one file from another of the same name; None when it is gone."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return (found.st_dev, found.st_ino)


def stamp_fits(path: Path) -> bool:
    """Tell whether ``path`` is as its last writer left it."""
    try:
        return _stamp_file(path).read_text(encoding="ascii") == _stamp(path)
    except (OSError, ValueError):
        return False


def write_stamp(path: Path) -> None:
    """Remember how ``path`` is left. A stamp that cannot be written only costs a check later."""
    try:
        descriptor = os.open(_stamp_file(path), os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
        with open(descriptor, "w", encoding="ascii") as stamp:
            stamp.write(_stamp(path))
    except OSError:
        pass  # see above


def _stamp(path: Path) -> str:
    found = os.stat(path)
    return f"{found.st_ino} {found.st_size} {found.st_mtime_ns} {found.st_ctime_ns}"


def _stamp_file(path: Path) -> Path:
    return Path(f"{path}.ok")


def _number(name: str) -> int | None:
    found = _NAME.match(name)
    return int(found[1]) if found else None


def _remove(path: Path) -> None:
    with suppress(OSError):  # gone already, or held open on Windows: the next sweep takes it
        path.unlink()
