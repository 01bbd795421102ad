"""A line of a memory log, read and written.

Three forms carry the same name, and are told apart line by line:

- typed: ``{"type": "memory", "memory": {…}}``, ``memory_delete``, ``link``, ``link_delete``, ``meta`` (cognitive-memory's
  TypeScript adapter): what we write;
- bare: the memory's object itself (the adapter's published description); a tombstone is
  ``{"id": …, "deleted": true, "deletedAt": ms}``;
- the Python package's events (``event_sdk``).

Lines of ours carry four keys more, which other readers pass over: ``at`` (ms), ``rev`` (the memory's revision),
``batch`` (``[n, of]``: these lines count together or not at all) and, at the very end, ``crc`` (CRC-32 of all that
stands before it, eight hexadecimal digits). A bare line carries none of them, so that a bare file stays what it was.
Two event types are ours: ``use`` adds to counters, ``touch`` states the moving part of a memory.

What is written is JSON for any reader: no NaN, no raw lone surrogate, ``\\n`` at the end and nowhere else.

Pure. Knows one line; what a log comes to is a store's matter.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Mapping
from typing import Any, assert_never

from plainbrain.errors import InvalidField, Unreadable
from plainbrain.model.change import Use
from plainbrain.model.instants import Instant, from_ms, parse_instant
from plainbrain.model.jsontext import with_words
from plainbrain.notation.event.memory import NO_ID, read_memory
from plainbrain.notation.event.sdk import TYPES, read_sdk_event
from plainbrain.notation.event.values import (
    Cleared,
    Erased,
    Event,
    Linked,
    LogLine,
    Meta,
    Moved,
    Strengthened,
    Touched,
    Unknown,
    Unlinked,
    Used,
    Wrote,
)

_CRC = b',"crc":"'
_CRC_SIZE = len(_CRC) + 8 + len(b'"}')
_BLANK = b" \t\r\n\x0b\x0c"
_BOM = b"\xef\xbb\xbf"
_START = b'{"type":"'
_MAX_PIECES = 64
_plain = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
_ascii = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":"))
_USE_COUNTS = ("accesses", "successes", "injected", "used")


def parse_line(raw: bytes) -> list[LogLine]:
    """Return the events of one line: one; none for a blank line; several where lines were glued together.

    Raise Unreadable when nothing of it is whole.
    """
    body = raw.strip(_BLANK)
    while body.startswith(_BOM):
        body = body.removeprefix(_BOM).strip(_BLANK)
    if not body:
        return []
    try:
        return [_parse(body)]
    except Unreadable as wrong:
        found = _recover(body)
        if not found:
            raise
        note = f"lines were glued together or torn ({wrong.message}); {len(found)} whole events were read"
        return [*found[:-1], _with_note(found[-1], note)]


def _with_note(line: LogLine, note: str) -> LogLine:
    return LogLine(line.event, line.at, line.revision, line.batch, line.checked, (*line.notes, note))


def _parse(body: bytes) -> LogLine:
    checked = check_line(body)
    notes: tuple[str, ...] = ()
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        text = body.decode("utf-8", "replace")
        notes = ("bytes that are no UTF-8 were replaced",)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as wrong:
        why = getattr(wrong, "msg", "nested too deep or a number too long")
        raise Unreadable(f"this line is not whole JSON: {why}", value=text[:80]) from None
    if not isinstance(value, dict):
        return LogLine(Unknown(), notes=(*notes, "a JSON value that is no object"))
    return line_of(value, is_checked=checked, notes=notes)


def line_of(value: Mapping[str, Any], *, is_checked: bool, notes: tuple[str, ...] = ()) -> LogLine:
    """Return the event of a line's object. Raise Unreadable where it is not whole."""
    event, odd = _event(value)
    at = value.get("at") if _is_count(value.get("at")) else _time_told(event, value)
    revision = value.get("rev") if is_checked and isinstance(value.get("rev"), str) else ""
    return LogLine(event, at, str(revision), _batch(value) if is_checked else None, is_checked, (*notes, *odd))


def check_line(body: bytes) -> bool:
    """Return whether a checksum stands at the end and holds. Raise Unreadable when it does not hold."""
    tail = body[-_CRC_SIZE:]
    if not tail.startswith(_CRC) or not body.endswith(b'"}'):
        return False
    if tail[len(_CRC) : -2] != b"%08x" % zlib.crc32(body[:-_CRC_SIZE]):
        raise Unreadable(
            "the checksum does not hold: the line was damaged or edited",
            value=body[:80].decode("utf-8", "replace"),
            hint='if you edited it on purpose, take its "crc" key away',
        )
    return True


def _recover(body: bytes) -> list[LogLine]:
    """Read what is whole in a line into which other bytes were glued.

    A piece counts when it is a whole event up to the next one, or when its own checksum holds.
    """
    starts = [0]
    for mark, shift in ((_START, 0), (b"}{", 1)):
        at = body.find(mark, 1)
        while at != -1 and len(starts) < _MAX_PIECES:
            starts.append(at + shift)
            at = body.find(mark, at + 1)
    starts = sorted(set(starts))
    found = []
    for start, end in zip(starts, [*starts[1:], len(body)], strict=True):
        piece = body[start:end].strip(_BLANK)
        crc = piece.rfind(_CRC)
        for whole in (piece, piece[: crc + _CRC_SIZE] if crc != -1 else b""):
            try:
                line = _parse(whole)
            except Unreadable:
                continue
            if not isinstance(line.event, Unknown) and (line.checked or whole == piece):
                found.append(line)
            break
    return found


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _batch(value: Mapping[str, Any]) -> tuple[int, int] | None:
    pair = value.get("batch")
    if isinstance(pair, list) and len(pair) == 2 and all(map(_is_count, pair)):
        return pair[0], pair[1]
    return None


def _time_told(event: Event, value: Mapping[str, Any]) -> int | None:
    """Return the latest time that a foreign line tells about itself."""
    if isinstance(event, Wrote):
        told = [event.raw.get("updatedAt"), event.raw.get("createdAt")]
    else:
        told = [value.get("deletedAt"), value.get("updatedAt"), value.get("createdAt")]
    times = [_moment(each) for each in told]
    return max((at.ms for at in times if at is not None and at.ms is not None), default=None)


def _moment(value: Any) -> Instant | None:
    if isinstance(value, str):
        return parse_instant(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
        return from_ms(value)
    return None


def _event(value: Mapping[str, Any]) -> tuple[Event, tuple[str, ...]]:
    kind = value.get("type")
    if kind is None:
        return _bare(value)
    if kind == "memory":
        return _wrote(value)
    if kind == "meta":
        segment = value.get("segment")
        return Meta(value.get("createdAt"), segment if _is_count(segment) else None, value), ()
    if kind == "memory_delete":
        return Erased(_text(value, "id")), ()
    if kind in ("link", "link_delete") and "weight" not in value:
        return _link(value, kind), ()
    if kind == "use":
        return Used(tuple(_read_use(row) for row in value.get("uses") or ())), ()
    if kind == "touch":
        memory = value.get("memory")
        if not isinstance(memory, dict):
            raise Unreadable("a touch event without a memory", value=kind)
        return Touched(_text(memory, "id"), memory), ()
    if kind == "link" or (isinstance(kind, str) and kind in TYPES):
        return read_sdk_event(value), ()
    return Unknown(str(kind)), ()


def _wrote(value: Mapping[str, Any]) -> tuple[Event, tuple[str, ...]]:
    memory = value.get("memory")
    if not isinstance(memory, dict):
        raise Unreadable("a memory event without a memory", value="memory")
    id = memory.get("id")
    return Wrote(id if isinstance(id, str) and id else read_memory(memory)[0].id, memory), ()


def _bare(value: Mapping[str, Any]) -> tuple[Event, tuple[str, ...]]:
    id = value.get("id")
    if not isinstance(id, str) or not id:
        return Unknown(), ()
    if any(value.get(key) is True for key in ("deleted", "_deleted", "tombstone")):
        return Erased(id, bare=True), ()
    if "content" in value:
        return Wrote(id, value, bare=True), ()
    return Unknown(), ()


def _text(value: Mapping[str, Any], key: str) -> str:
    found = value.get(key)
    if not isinstance(found, str):
        raise Unreadable(f"an event of the type {value.get('type', 'touch')!r} without {key!r}", value=NO_ID)
    return found


def _link(value: Mapping[str, Any], kind: str) -> Event:
    a, b, strength = _text(value, "a"), _text(value, "b"), value.get("strength")
    if kind == "link_delete":
        return Unlinked(a, b)
    if not isinstance(strength, (int, float)) or isinstance(strength, bool) or not math.isfinite(strength):
        raise Unreadable("a link event without a strength", value=kind)
    return Linked(a, b, float(strength), _moment(value.get("createdAt")), _moment(value.get("updatedAt")))


def _read_use(row: Any) -> Use:
    try:
        counts = {name: int(row[name]) for name in _USE_COUNTS if name in row}
        return Use(
            str(row["id"]), _moment(row["at"]) or Instant(None), relevance=float(row.get("relevance", 0)), **counts
        )
    except (KeyError, TypeError, ValueError, OverflowError):
        raise Unreadable("a use event that is not whole", value="use") from None


def _write_use(use: Use) -> dict[str, Any]:
    row: dict[str, Any] = {"id": use.id, "at": use.at.iso() if use.at.day or use.at.ms is None else use.at.ms}
    row.update((name, getattr(use, name)) for name in _USE_COUNTS if getattr(use, name))
    if use.relevance:
        row["relevance"] = use.relevance
    return row


def render_line(
    event: Event, *, at: int | None = None, revision: str = "", batch: tuple[int, int] | None = None
) -> bytes:
    """Return the line of ``event`` with its end of line. Raise InvalidField for a value that JSON cannot say."""
    value = _object(event, at)
    if (isinstance(event, Wrote | Erased) and event.bare) or isinstance(event, Unknown):
        return encode(value) + b"\n"
    if at is not None:
        value["at"] = at
    if revision:
        value["rev"] = revision
    if batch is not None:
        value["batch"] = list(batch)
    body = encode(value)[:-1]
    return body + _CRC + b'%08x"}\n' % zlib.crc32(body)


def _object(event: Event, at: int | None) -> dict[str, Any]:
    match event:
        case Meta():
            segment = {} if event.segment is None else {"segment": event.segment}
            return {"type": "meta", "version": 1, "createdAt": event.created or 0, **segment}
        case Wrote():
            return dict(event.raw) if event.bare else {"type": "memory", "memory": event.raw}
        case Erased():
            if event.bare:
                return {"id": event.id, "deleted": True} | ({} if at is None else {"deletedAt": at})
            return {"type": "memory_delete", "id": event.id}
        case Linked():
            times = {"createdAt": _ms(event.created), "updatedAt": _ms(event.updated)}
            said = {key: ms for key, ms in times.items() if ms is not None}
            return {"type": "link", "a": event.a, "b": event.b, "strength": event.strength, **said}
        case Unlinked():
            return {"type": "link_delete", "a": event.a, "b": event.b}
        case Used():
            return {"type": "use", "uses": [_write_use(use) for use in event.uses]}
        case Touched():
            return {"type": "touch", "memory": event.raw}
        case Strengthened() | Moved() | Cleared() | Unknown():
            raise InvalidField(f"{type(event).__name__} is read, never written", value=event)
        case _:
            assert_never(event)


def _ms(at: Instant | None) -> int | None:
    return None if at is None else at.ms


def encode(value: Mapping[str, Any]) -> bytes:
    """Return compact UTF-8 JSON that any reader takes: NaN and infinity become texts, lone surrogates escapes."""
    try:
        try:
            text = _plain.encode(value)
        except ValueError:
            value = with_words(value)
            text = _plain.encode(value)
        return text.encode("utf-8")
    except UnicodeEncodeError:
        return _ascii.encode(value).encode("ascii")
    except (TypeError, ValueError, RecursionError) as wrong:
        raise InvalidField(f"this cannot be written as JSON: {wrong}", value=repr(value)[:80]) from None
