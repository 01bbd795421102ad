"""The files that one log is made of: the live file and those it was rolled over to, in the order of their history.

Names are the TypeScript adapter's: ``NAME``, and beside it ``NAME.<ms>`` and ``NAME.<ms>.<n>``. Its readers go by the
numbers in the names, so we never give a name that is not behind all others, whatever the clock says; the
``segment`` number in the first line of a file of ours rules where every file has one. What is ours alone
(lock, journal, snapshot, damaged lines, history) lies in the folder ``NAME.brain`` beside it.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from dataclasses import dataclass

from plainbrain.errors import Unreadable
from plainbrain.files.outcome import told
from plainbrain.notation.event import parse_line
from plainbrain.notation.event.values import Meta

#: How much of a file's beginning and of what stands before a position tells it from another file.
_HEAD, _TAIL = 4096, 64
_FIRST_LINE = 1 << 16
#: The folder beside the log that keeps the files of before a compaction.
ARCHIVE = "archive"
_READ = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)


@dataclass(slots=True)
class Segment:
    """One open file of the log: read up to ``consumed`` bytes, ``lines`` lines. The descriptor pins the inode."""

    name: str
    fd: int
    inode: tuple[int, int]
    consumed: int = 0
    lines: int = 0

    @property
    def size(self) -> int:
        """Its length now."""
        return os.fstat(self.fd).st_size

    def close(self) -> None:
        """Let go of the file; twice is harmless."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1


def read_at(fd: int, size: int, offset: int) -> bytes:
    """Read up to ``size`` bytes at ``offset``, wherever the file's position is."""
    if hasattr(os, "pread"):
        return os.pread(fd, size, offset)
    os.lseek(fd, offset, os.SEEK_SET)
    return os.read(fd, size)


def open_segment(path: str) -> Segment:
    """Open the file for reading. Raise OSError."""
    fd = os.open(path, _READ)
    facts = os.fstat(fd)
    if not stat.S_ISREG(facts.st_mode):
        os.close(fd)
        raise IsADirectoryError(errno.EISDIR, "this is no file", path)
    return Segment(os.path.basename(path), fd, (facts.st_dev, facts.st_ino))


def head_of(segment: Segment) -> Meta:
    """Return the first line of a file where it is a head, else an empty one."""
    try:
        found = parse_line(read_at(segment.fd, _FIRST_LINE, 0).partition(b"\n")[0])
    except Unreadable:
        found = []
    event = found[0].event if found else None
    return event if isinstance(event, Meta) else Meta()


class Places:
    """Know where the files of one log lie."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.live = os.path.realpath(path)
        self.folder, self.name = os.path.split(self.live)
        self.own = f"{self.name}.brain"

    def own_path(self, name: str) -> str:
        """Return the path of a file of ours beside the log."""
        return os.path.join(self.folder, self.own, name)

    def archives(self) -> list[str]:
        """Return the names of the rolled over files, oldest first."""
        try:
            names = [name for name in os.listdir(self.folder) if rolled(self.name, name) is not None]
        except (FileNotFoundError, NotADirectoryError):
            return []
        names.sort(key=lambda name: rolled(self.name, name) or (0, 0))
        numbers = {name: self.number(name) for name in names}
        if all(number is not None for number in numbers.values()):
            names.sort(key=lambda name: numbers[name] or 0)
        return names

    def number(self, name: str) -> int | None:
        """Return the segment number in the first line of a file, or None where there is none."""
        try:
            with open(os.path.join(self.folder, name), "rb") as file:
                found = parse_line(file.readline(_FIRST_LINE))
        except (OSError, Unreadable):
            return None
        event = found[0].event if found else None
        return event.segment if isinstance(event, Meta) else None

    def next_archive(self, now_ms: int) -> str:
        """Return the name to roll the live file over to: behind every other, even when the clock went back."""
        taken = [rolled(self.name, name) or (0, 0) for name in self.archives()]
        last, number = max(taken, default=(0, -1))
        at = (now_ms, 0) if now_ms > last else (last, number + 1)
        if at[1] > 999:
            at = (last + 1, 0)
        return f"{self.name}.{at[0]}.{at[1]}"

    def open_all(self) -> list[Segment]:
        """Open every file of the log, oldest first, the live one last. Raise StoreError."""
        found: list[Segment] = []
        for name in [*self.archives(), self.name]:
            path = os.path.join(self.folder, name)
            try:
                with told(path, "read"):
                    try:
                        found.append(open_segment(path))
                    except FileNotFoundError:
                        continue  # rolled over or compacted this moment, or a log that is yet to be
            except BaseException:
                for segment in found:
                    segment.close()
                raise
        return found


def rolled(base: str, name: str) -> tuple[int, int] | None:
    """Return the numbers in the name of a rolled over file of the log ``base``; None for any other file."""
    if not name.startswith(base + "."):
        return None
    parts = name[len(base) + 1 :].split(".")
    if len(parts) > 2 or not all(part.isascii() and part.isdigit() and len(part) < 20 for part in parts):
        return None
    return int(parts[0]), int(parts[1]) if len(parts) == 2 else -1


def fingerprint(segment: Segment, consumed: int) -> str:
    """Return what tells a file, read up to ``consumed``, from another: a hash of its beginning and of the last bytes read."""
    head = read_at(segment.fd, min(_HEAD, consumed), 0)
    tail = read_at(segment.fd, min(_TAIL, consumed), max(0, consumed - _TAIL))
    return hashlib.blake2b(head + b"\0" + tail, digest_size=12).hexdigest()
