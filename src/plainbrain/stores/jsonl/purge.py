"""Taking a memory out of a log's past: every file is written anew without the lines about it.

Goes through the files of the log, those that a compaction kept, and the lines that were put aside; what only makes things
fast is thrown away when it may hold a trace. Call it under the lock.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator

from plainbrain.files.atomic import discard
from plainbrain.files.beneath import Beneath
from plainbrain.model.change import Use
from plainbrain.notation.event import parse_line, render_line
from plainbrain.notation.event.skim import skim_line, stand_alone
from plainbrain.notation.event.values import (
    Erased,
    Event,
    Linked,
    LogLine,
    Moved,
    Strengthened,
    Touched,
    Unlinked,
    Used,
    Wrote,
)
from plainbrain.stores.jsonl.append import DAMAGED
from plainbrain.stores.jsonl.compact import LineWriter, new_file, put_in_place
from plainbrain.stores.jsonl.follow import counted
from plainbrain.stores.jsonl.segments import ARCHIVE, Places, Segment, open_segment, read_at

#: Files beside the log that are made anew from it.
_MADE_ANEW = ("snapshot.json", "vectors.bin")


def purge(places: Places, beneath: Beneath, id: str, *, segments: list[Segment]) -> bool:
    """Rewrite all files without the lines about ``id``; tell whether a file of the log itself was. Raise ReadOnly or NoRoom."""
    found = [_purge_file(places, beneath, id, segment=s, target=os.path.join(places.folder, s.name)) for s in segments]
    for path in _beside(places):
        try:
            segment = open_segment(path)
        except FileNotFoundError:
            continue
        try:
            _purge_file(places, beneath, id, segment=segment, target=path)
        finally:
            segment.close()
    if any(found):
        with beneath.folder_made((places.own,)) as folder:
            for name in _MADE_ANEW:
                discard(folder, name)
            folder.sync()
    return any(found)


def _beside(places: Places) -> list[str]:
    """Return the paths of files that hold lines of the past, as far as they are there."""
    kept = places.own_path(ARCHIVE)
    try:
        names = sorted(os.listdir(kept))
    except (FileNotFoundError, NotADirectoryError):
        names = []
    return [*(os.path.join(kept, name) for name in names), places.own_path(DAMAGED)]


def _purge_file(places: Places, beneath: Beneath, id: str, *, segment: Segment, target: str) -> bool:
    if all(same for same, _ in _purged(id, segment)):
        return False
    with new_file(beneath, places, os.fstat(segment.fd).st_mode & 0o777) as (temp, fd):
        out = LineWriter(fd)
        for _, data in _purged(id, segment):
            out.add(data)
        out.done()
        put_in_place(beneath, temp, target)
    return True


def _purged(id: str, segment: Segment) -> Iterator[tuple[bool, bytes]]:
    """Yield for each line whether it stays as it is, and what is to stand in its place; the torn end comes last."""
    fresh = Segment(segment.name, segment.fd, segment.inode)
    for raw, events in counted(fresh, lambda problem, raw: None, skim_line):
        yield _without(id, raw.data, events)
    rest = read_at(segment.fd, segment.size - fresh.consumed, fresh.consumed)
    yield (False, b"") if _is_named(id, rest) else (True, rest)


def _without(id: str, raw: bytes, lines: list[LogLine]) -> tuple[bool, bytes]:
    """Return whether a line stays as it is, and what is to stand in its place."""
    if not lines and _is_named(id, raw):
        return False, b""
    if not any(_is_about(id, line.event) for line in lines):
        if not any(line.batch for line in lines):
            return True, raw + b"\n"
        alone = stand_alone(raw)
        if alone is not None:
            return True, alone + b"\n"
        return True, b"".join(render_line(line.event, at=line.at, revision=line.revision) for line in parse_line(raw))
    kept = [_left_of(id, line.event) for line in lines]
    return False, b"".join(
        render_line(event, at=line.at, revision=line.revision)
        for event, line in zip(kept, lines, strict=True)
        if event is not None
    )


def _is_named(id: str, damaged: bytes) -> bool:
    """Tell whether bytes that are no whole line hold the id as a JSON text."""
    return any(json.dumps(id, ensure_ascii=ascii).encode("utf-8", "replace") in damaged for ascii in (True, False))


def _is_about(id: str, event: Event) -> bool:
    match event:
        case Wrote() | Erased() | Touched() | Moved():
            return event.id == id
        case Linked() | Strengthened() | Unlinked():
            return id in (event.a, event.b)
        case Used():
            return any(use.id == id for use in event.uses)
        case _:
            return False


def _left_of(id: str, event: Event) -> Event | None:
    if not _is_about(id, event):
        return event
    if isinstance(event, Used):
        left: tuple[Use, ...] = tuple(use for use in event.uses if use.id != id)
        return Used(left) if left else None
    return None
