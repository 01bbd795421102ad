"""The lines of the journal: one JSON object each, with a checksum, and how a torn or spoilt line is met.

Owns the written form ``{"type": …, …, "crc": "8 hex digits"}``: ``crc`` is the CRC-32 of the line without it, so that
a flipped bit is never taken for a value. A line without ``crc`` (written by hand) is taken as it is. A bad line is
skipped and reported; it is never removed. Pure: no files.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

from plainbrain.model.jsontext import json_text

Event = Mapping[str, Any]
_MARK = b',"crc":"'
#: A line longer than this is taken for damage.
MAX_LINE = 1 << 20


def encode(event: Event) -> bytes:
    """Return the line of an event, newline included."""
    body = json_text(event, compact=True).encode("utf-8", "backslashreplace")
    return b'%s,"crc":"%08x"}\n' % (body[:-1], zlib.crc32(body))


def decode(line: bytes) -> Event | None:
    """Return the event of a line, or None for one that is damaged or is none."""
    cut = len(line) - 18
    if cut > 0 and line[cut : cut + 8] == _MARK:
        body = line[:cut] + b"}"
        if line[cut + 8 : cut + 16] != b"%08x" % zlib.crc32(body):
            return None
    else:
        body = line
    try:
        event = json.loads(body) if len(body) <= MAX_LINE else None
    except (ValueError, RecursionError):
        return None
    return event if isinstance(event, dict) and isinstance(event.get("type"), str) else None


def whole_lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield ``(offset, line)`` of each line that has its newline; a torn last one is left for later."""
    start = 0
    while (end := data.find(b"\n", start)) >= 0:
        if line := data[start:end].rstrip(b"\r"):
            yield start, line
        start = end + 1
