"""Writing to a log: under its lock, behind a whole last line, all of it or nothing, on the disk before it is told.

Owns the making of the live file, the putting aside of a torn end, and the rolling over. Knows bytes; what they say is
the store's matter.
"""

from __future__ import annotations

import os
from contextlib import suppress

from plainbrain.errors import Unreadable
from plainbrain.files.atomic import write_all
from plainbrain.files.beneath import Beneath
from plainbrain.files.outcome import told
from plainbrain.notation.event import parse_line, render_line
from plainbrain.notation.event.values import Meta
from plainbrain.stores.jsonl.segments import Places, Segment, read_at

_APPEND = os.O_RDWR | os.O_APPEND | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
#: What could not be read, beside the log.
DAMAGED = "damaged.jsonl"
_sync_data = getattr(os, "fdatasync", os.fsync)


def make_live(places: Places, beneath: Beneath, *, segment: int | None, now_ms: int) -> None:
    """Make the live file with its first line (without one when ``segment`` is None: a bare log has no head); harmless when another process was first. Raise ReadOnly or NoRoom."""
    line = b"" if segment is None else render_line(Meta(now_ms, segment), at=now_ms or None)
    with told(places.live, "write"), beneath.root() as folder:
        try:
            fd = folder.open(places.name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return
        try:
            write_all(fd, line)  # one that dies here leaves a torn line, which the next writer puts aside
            os.fsync(fd)
        finally:
            os.close(fd)


def append_lines(places: Places, segment: Segment, data: bytes, *, beneath: Beneath, durable: bool) -> int:
    """Add whole lines behind what was consumed; after an error nothing of them is there. Call it under the lock.

    Return the offset at which they begin.
    ``segment`` is the live file, read to its end: what stands behind ``consumed`` is torn and is put aside first.
    """
    with told(places.live, "write"):
        fd = os.open(places.live, _APPEND)
        try:
            if durable and segment.lines < 2:
                with beneath.root() as folder:
                    folder.sync()  # its name: who made the file may have died before that
            lead = _mend_end(places, segment, fd, beneath)
            end = os.fstat(fd).st_size
            try:
                write_all(fd, lead + data)
                if durable:
                    _sync_data(fd)
            except BaseException:
                with suppress(OSError):  # what is left is torn: the next writer puts it aside
                    os.ftruncate(fd, end)
                raise
        finally:
            os.close(fd)
    return end + len(lead)


def _mend_end(places: Places, segment: Segment, fd: int, beneath: Beneath) -> bytes:
    """Make the end of the file fit to be written behind; return what has to be written before the new lines."""
    size = os.fstat(fd).st_size
    rest = read_at(fd, size - segment.consumed, segment.consumed) if size > segment.consumed else b""
    if not rest:
        ended = size == 0 or read_at(fd, 1, size - 1) == b"\n"
        return b"" if ended else b"\n"
    if _holds_something_whole(rest):
        return b"\n"  # other bytes were glued to it: end the line, so that what is whole in it is kept
    set_aside(beneath, places, rest)
    try:
        os.ftruncate(fd, segment.consumed)
    except PermissionError:  # an append-only file: end the torn line instead, it is reported and counts for nothing
        return b"" if rest.endswith(b"\n") else b"\n"
    return b""


def _holds_something_whole(rest: bytes) -> bool:
    if b"\n" in rest:
        return False  # lines of a batch that is not complete
    try:
        return any(line.batch is None for line in parse_line(rest))
    except Unreadable:
        return False


def set_aside(beneath: Beneath, places: Places, data: bytes) -> None:
    """Keep bytes that are no whole lines in ``damaged.jsonl`` beside the log, on the disk. Raise OSError."""
    with beneath.folder_made((places.own,)) as folder:
        fd = folder.open(DAMAGED, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            write_all(fd, data if data.endswith(b"\n") else data + b"\n")
            os.fsync(fd)
        finally:
            os.close(fd)
        folder.sync()


def roll_over(places: Places, beneath: Beneath, *, segment: int | None, now_ms: int) -> None:
    """Give the live file a name of the past and begin a new one. Call it under the lock. Raise ReadOnly or NoRoom."""
    with told(places.live, "write"), beneath.root() as folder:
        while True:
            name = places.next_archive(now_ms)
            try:
                folder.stat(name)
            except FileNotFoundError:
                break
            now_ms += 1
        folder.rename(places.name, name)
        folder.sync()
    make_live(places, beneath, segment=segment, now_ms=now_ms)
