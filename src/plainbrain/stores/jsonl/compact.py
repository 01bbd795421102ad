"""Making a log short again: new files in the place of old ones, whole at every moment.

``compact`` writes the present state to a new file and gives it the live file's name in one step. Files that were rolled
over are let go after that; until then they are replayed before it, so it holds a tombstone for whatever they alone would
bring back. A process killed at any step leaves a log that replays to the same state, and the next compaction goes on.
Lines that cannot be read are put aside to ``damaged.jsonl``, events of other tools are kept. Call it under the lock.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from plainbrain.errors import BrainError
from plainbrain.files.atomic import discard, is_temp, temp_name
from plainbrain.files.beneath import Beneath, Folder
from plainbrain.files.outcome import told
from plainbrain.model.memory import Memory
from plainbrain.notation.event import render_line
from plainbrain.notation.event.skim import stand_alone
from plainbrain.notation.event.values import (
    Erased,
    Event,
    Linked,
    Meta,
    Strengthened,
    Unknown,
    Unlinked,
    Wrote,
)
from plainbrain.stores.jsonl.append import set_aside
from plainbrain.stores.jsonl.follow import counted
from plainbrain.stores.jsonl.segments import Places, Segment, read_at
from plainbrain.stores.jsonl.state import State
from plainbrain.stores.jsonl.words import words_of


@dataclass(frozen=True, slots=True)
class Compacted:
    """Say what a compaction did: sizes in bytes of all files before and after, and how many lines were put aside."""

    before: int
    after: int
    put_aside: int
    history: str = ""


@contextmanager
def new_file(beneath: Beneath, places: Places, mode: int) -> Iterator[tuple[str, int]]:
    """Give a new file to be filled and renamed; it lies in the folder beside the log, and goes unless it was renamed."""
    with told(places.live, "write"), beneath.folder_made((places.own,)) as folder:
        _sweep(folder)
        name = temp_name()
        fd = folder.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        try:
            yield places.own_path(name), fd
        finally:
            os.close(fd)
            discard(folder, name)


def _sweep(folder: Folder) -> None:
    """Remove what compactions that died left under temporary names; the lock is held, so nobody is at it."""
    with folder.scan() as entries:
        for name in [entry.name for entry in entries if is_temp(entry.name)]:
            discard(folder, name)


def put_in_place(beneath: Beneath, temp: str, target: str) -> None:
    """Give a new file its name in one step, on the disk."""
    os.replace(temp, target)
    parts = os.path.relpath(target, beneath.path).split(os.sep)
    with beneath.folder(parts[:-1]) as folder:
        folder.sync()


class LineWriter:
    """Write lines to a descriptor in large pieces."""

    def __init__(self, fd: int) -> None:
        self._file = os.fdopen(fd, "wb", buffering=1 << 20, closefd=False)

    def add(self, line: bytes) -> None:
        """Add whole lines."""
        self._file.write(line)

    def done(self) -> None:
        """Bring everything to the disk."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()


def compact(
    places: Places,
    beneath: Beneath,
    state: State,
    *,
    segments: list[Segment],
    memory: Callable[[str], Memory],
    now_ms: int | None,
    history: str = "",
) -> Compacted:
    """Rewrite the log as its present state; ``history`` names the folder, beside the log, that keeps the old files."""
    before = sum(segment.size for segment in segments)
    mode = os.fstat(segments[-1].fd).st_mode & 0o777
    has_past = any(segment.name != places.name for segment in segments)
    with new_file(beneath, places, mode) as (temp, fd):
        out = LineWriter(fd)
        if not state.is_bare:
            out.add(render_line(Meta(now_ms or 0, state.segment_number + 1), at=now_ms))
        is_plain = not (has_past or state.unknown or state.problems or state.more_problems)
        kept, aside, seen = ([], [], {}) if is_plain else _look_through(segments)
        for id in state.rows:
            out.add(_row(state, id, segments=segments, memory=memory, aside=aside))
        if not state.is_bare:
            for event in _links(state):
                out.add(render_line(event))
        if has_past:
            for event in _tombstones(state, seen):
                out.add(render_line(event))
        for line in kept:
            out.add(line)
        _take_the_end(out, segments[-1], aside)
        out.done()
        if aside:
            set_aside(beneath, places, b"\n".join(aside) + b"\n")
        if history:
            with beneath.folder_made((places.own, history)) as folder:
                for segment in segments:  # oldest first: one after the other they are the log of before
                    _keep_file(places, segment.name, history)
                folder.sync()  # before the old names go
        put_in_place(beneath, temp, places.live)
        with beneath.root() as folder:
            for segment in segments:
                if segment.name != places.name:
                    folder.unlink(segment.name)
            folder.sync()
            after = folder.stat(places.name).st_size
    return Compacted(before, after, len(aside), history)


def _take_the_end(out: LineWriter, segment: Segment, aside: list[bytes]) -> None:
    """Carry over what a writer that knows no lock added meanwhile; put aside an end that is torn."""
    fresh = Segment(segment.name, segment.fd, segment.inode, segment.consumed, segment.lines)
    for raw, _ in counted(fresh, lambda problem, raw: aside.append(raw.data) if problem.code != "odd" else None):
        out.add(raw.data + b"\n")
    rest = read_at(segment.fd, max(0, segment.size - fresh.consumed), fresh.consumed)
    if rest.strip():
        aside.append(rest.rstrip(b"\n"))


def _row(
    state: State, id: str, *, segments: list[Segment], memory: Callable[[str], Memory], aside: list[bytes]
) -> bytes:
    """Return the line that states a memory as it is now; nothing, and its bytes put aside, when they were damaged meanwhile."""
    row = state.rows[id]
    data = read_at(segments[row.place[0]].fd, row.place[2], row.place[1])
    if not row.tail and not row.uses and row.revision and not state.is_bare:
        line = stand_alone(data)
        if line is not None:
            return line + b"\n"
    try:
        whole = memory(id)
    except BrainError:
        if data not in aside:
            aside.append(data)
        return b""
    return render_line(words_of(whole, bare=state.is_bare), revision=row.revision)


def _look_through(segments: list[Segment]) -> tuple[list[bytes], list[bytes], dict[str, set[str]]]:
    """Return lines of other tools, lines that cannot be read, and every id ever told with the links told from it."""
    kept: list[bytes] = []
    aside: list[bytes] = []
    seen: dict[str, set[str]] = {}
    for segment in segments:
        fresh = Segment(segment.name, segment.fd, segment.inode)
        for raw, lines in counted(
            fresh, lambda problem, raw: aside.append(raw.data) if problem.code != "odd" else None
        ):
            for line in lines:
                match line.event:
                    case Unknown(type="") if not raw.data.strip().startswith(b"{"):
                        aside.append(raw.data)
                    case Unknown():
                        kept.append(raw.data.strip() + b"\n")
                    case Wrote() | Erased():
                        seen.setdefault(line.event.id, set())
                    case Linked() | Strengthened():
                        a, b = sorted((line.event.a, line.event.b))
                        seen.setdefault(a, set()).add(b)
                    case _:
                        pass
    return kept, aside, seen


def _links(state: State) -> Iterator[Event]:
    for a, held in state.links.items():
        for b, link in held.items():
            if a in state.rows or b in state.rows:
                yield Linked(a, b, link.strength or 0.0, link.created, link.updated)


def _tombstones(state: State, seen: dict[str, set[str]]) -> Iterator[Event]:
    for id, others in seen.items():
        if id not in state.rows:
            yield Erased(id, bare=state.is_bare)
        if not state.is_bare:
            for other in others:
                if other not in state.links.get(id, {}) and id not in state.links.get(other, {}):
                    yield Unlinked(id, other)


def _keep_file(places: Places, name: str, history: str) -> None:
    """Give a file a second name in the archive folder; copy it where files cannot have two."""
    folder = places.own_path(history)
    source = os.path.join(places.folder, name)
    number = len(os.listdir(folder))
    target = os.path.join(folder, f"{number:05d}-{name}")
    while os.path.exists(target):
        number += 1
        target = os.path.join(folder, f"{number:05d}-{name}")
    try:
        os.link(source, target)
    except OSError:
        with suppress(FileNotFoundError):
            shutil.copy2(source, target)
            _sync_file(target)


def _sync_file(path: str) -> None:
    fd = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
