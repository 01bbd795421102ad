"""Reading and copying a memory's line without taking apart its vector, which is most of it.

Serves the opening of a log and its compaction: a vector of hundreds of numbers takes longer to read than all else, and the
state of a log holds none. Goes by lines of ours only, whose checksum holds; any other line is read whole. Pure.
"""

from __future__ import annotations

import json
import zlib

from plainbrain.errors import Unreadable
from plainbrain.notation.event import check_line, line_of, parse_line
from plainbrain.notation.event.values import LogLine

_START = b'{"type":"memory","memory":{"id":"'
_BATCH = b',"batch":['
_CRC_SIZE = len(b',"crc":"00000000"}')
#: A quote that is not escaped stands before the name, so this is never inside a text.
_VECTOR = b',"embedding":['
#: The most that stands behind the vector: ``at``, ``rev``, ``batch``, ``crc``.
_LARGEST_END = 160


def skim_line(raw: bytes) -> list[LogLine]:
    """Return the events of one line as ``parse_line`` does; a memory's ``raw`` may lack ``embedding``. Raise Unreadable."""
    start = raw.rfind(_VECTOR) if raw.startswith(_START) else -1
    end = raw.find(b"]", start)
    if start < 0 or raw[end : end + 3] != b"]}," or len(raw) - end > _LARGEST_END:
        return parse_line(raw)
    try:
        if not check_line(raw):
            return parse_line(raw)
        value = json.loads(raw[:start] + raw[end + 1 :])
    except (Unreadable, ValueError, RecursionError):
        return parse_line(raw)
    return [line_of(value, is_checked=True)]


def stand_alone(raw: bytes) -> bytes | None:
    """Return a memory's line so that it counts by itself, whatever batch it came in; None for a line that is not ours and whole."""
    if not raw.startswith(_START):
        return None
    try:
        if not check_line(raw):
            return None
    except Unreadable:
        return None
    at = raw.rfind(_BATCH, max(0, len(raw) - _LARGEST_END))
    if at < 0:
        return raw
    if raw.find(b"]", at) != len(raw) - _CRC_SIZE - 1:
        return None
    return raw[:at] + b',"crc":"%08x"}' % zlib.crc32(raw[:at])
