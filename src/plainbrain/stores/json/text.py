"""The text of a ``memory.json``, cut into its parts without being parsed.

Owns the layout that agent-brain writes (indent 2, one key a line): where each top-level value begins and ends,
where each entry does. Text in this layout is changed by replacing single parts, so that ten thousand entries are
not parsed and written anew for one. Promises that the parts joined are the text. Must not know entries' fields.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import field
from math import isfinite
from typing import Any

from plainbrain.digests import sha256_hex
from plainbrain.model.jsontext import json_text, with_words
from plainbrain.records import open_record

#: Our own top-level key, always the last.
OURS = "plainbrain"
#: What stands between the rest of a text and our value.
BEFORE_OURS = b',\n  "plainbrain": '
ENTRIES = "entries"
_BETWEEN = b"\n    },\n    {\n"
_FIRST, _LAST = b"[\n    {\n", b"\n    }\n  ]"
_ID = b'      "id": "'
_quote = json.encoder.encode_basestring_ascii
_STR = frozenset({str})
_WORDS: dict[object, str] = {None: "null", True: "true", False: "false"}


@open_record(slots=True)
class Parts:
    """The parts of one text: top-level values as bytes, by key, in order; entries as the lines between their braces."""

    sections: dict[str, bytes]
    entries: list[bytes] = field(default_factory=list)
    tail: bytes = b"\n}"

    def value(self, key: str) -> Any:
        """Return one parsed top-level value (None when it is absent)."""
        raw = self.sections.get(key)
        return None if raw is None else json.loads(raw)

    def body(self) -> bytes:
        """Return the text without its tail."""
        pieces = [b"{"]
        for key, raw in self.sections.items():
            pieces.append(f"\n  {json.dumps(key)}: ".encode("ascii"))
            if key == ENTRIES and self.entries:
                pieces += (_FIRST, _BETWEEN.join(self.entries), _LAST, b",")
            else:
                pieces += (b"[]" if key == ENTRIES else raw, b",")
        return b"".join(pieces[:-1])

    def join(self) -> bytes:
        """Return the whole text."""
        return self.body() + self.tail


#: Where each top-level value stands in a text, by key, in order.
Spans = dict[str, tuple[int, int]]


def outline(text: bytes, *, known: Spans | None = None) -> Spans | None:
    """Return where the values stand; None when the text is not laid out as agent-brain does it. Nothing is validated.

    The end of a ``known`` value is not looked for.
    """
    if not text.startswith(b"{\n  "):
        return None
    spans: Spans = {}
    here = 1
    while True:
        found = _key(text, here)
        if found is None:
            return None
        key, start = found
        told = known.get(key, (-1, 0)) if known else (-1, 0)
        end = told[1] if told[0] == start else _end(text, start)
        if end is None or key in spans:
            return None
        spans[key] = start, end
        if text[end : end + 1] != b",":
            tail = text[end:]
            return spans if tail.strip() == b"}" and tail.startswith(b"\n}") else None
        here = end + 1


def cut(text: bytes, *, spans: Spans | None = None) -> Parts | None:
    """Cut a text into parts, at ``spans`` where they are known; None when it is not laid out as agent-brain does it.

    Nothing is validated.
    """
    spans = spans or outline(text)
    if spans is None:
        return None
    parts = Parts({})
    end = 0
    for key, (start, end) in spans.items():
        if key == ENTRIES:
            entries = _cut_entries(text, start, end)
            if entries is None:
                return None
            parts.sections[key], parts.entries = b"", entries
        else:
            parts.sections[key] = text[start:end]
    parts.tail = text[end:]
    return parts


def _key(text: bytes, here: int) -> tuple[str, int] | None:
    if text[here : here + 4] != b'\n  "':
        return None
    end = text.find(b'": ', here + 4, here + 1000)
    if end < 0:
        return None
    raw = text[here + 3 : end + 1]
    key = json.loads(raw)
    # a key that we would write otherwise would not come back as it was
    return (key, end + 3) if json.dumps(key).encode("ascii") == raw else None


def _end(text: bytes, start: int) -> int | None:
    """Return where the value that begins at ``start`` ends: at its bracket on a line of its own, or with the line."""
    two = text[start : start + 2]
    if two in (b"[\n", b"{\n"):
        close = text.find(b"\n  ]" if two == b"[\n" else b"\n  }", start)
        return None if close < 0 else close + 4
    line = text.find(b"\n", start)
    if line < 0:
        return None
    return line - 1 if text[line - 1 : line] == b"," else line


def _cut_entries(text: bytes, start: int, end: int) -> list[bytes] | None:
    if end - start == 2 and text.startswith(b"[]", start):
        return []
    if text[start : start + len(_FIRST)] != _FIRST or text[end - len(_LAST) : end] != _LAST:
        return None
    return text[start + len(_FIRST) : end - len(_LAST)].split(_BETWEEN)


def id_of(entry: bytes) -> str | None:
    """Return the id in the first line of an entry; None when it does not stand there."""
    if not entry.startswith(_ID):
        return None
    end = entry.find(b"\n")
    line = entry[len(_ID) - 1 :] if end < 0 else entry[len(_ID) - 1 : end]
    line = line[:-1] if line.endswith(b",") else line
    if b"\\" not in line and line.isascii():
        return line[1:-1].decode("ascii") if line.endswith(b'"') else None
    try:
        return str(json.loads(line))
    except ValueError:
        return None


def ids_of(entries: list[bytes]) -> list[str] | None:
    """Return the ids of entries that were written by ``write_entry``; None when one of them takes a closer look."""
    start = len(_ID)
    try:
        raw = b"\n".join([entry[start : entry.index(b'",\n')] for entry in entries])
    except ValueError:
        return None  # an entry of one line
    return raw.decode("ascii").split("\n") if entries and b"\\" not in raw and raw.isascii() else None


def parse_entry(entry: bytes) -> dict[str, Any]:
    """Parse the lines of one entry."""
    found: dict[str, Any] = json.loads(b"{" + entry + b"}")
    return found


def write_entry(entry: Mapping[str, Any]) -> bytes:
    """Return the lines of an entry."""
    return _indented(entry, 4).removeprefix(b"{\n").removesuffix(b"\n    }")


def write_value(value: object) -> bytes:
    """Return a top-level value as agent-brain lays it out."""
    return _indented(value, 2)


def _indented(value: object, by: int) -> bytes:
    return _laid_out(value, "\n" + " " * by).encode("ascii")


def _laid_out(value: object, line: str) -> str:
    """Return what ``json.dumps(value, indent=2)`` gives, its lines beginning with ``line``: the library's way takes thrice as long."""
    if isinstance(value, str):
        return _quote(value)
    if value is None or isinstance(value, bool):
        return _WORDS[value]
    if isinstance(value, int):
        return int.__repr__(value)
    inner = line + "  "
    if isinstance(value, (list, tuple)):
        return f"[{','.join([inner + _laid_out(item, inner) for item in value])}{line}]" if value else "[]"
    if isinstance(value, float):
        return float.__repr__(value) if isfinite(value) else _quote(with_words(value))
    if isinstance(value, dict) and _STR.issuperset(map(type, value)):
        rows = [
            f"{inner}{_quote(key)}: {_quote(item) if isinstance(item, str) else _laid_out(item, inner)}"
            for key, item in value.items()
        ]
        return f"{{{','.join(rows)}{line}}}" if value else "{}"
    # no string holds a bare line feed, so every one of them is layout
    return json_text(value, ascii=True, indent=2 if isinstance(value, dict) else None).replace("\n", line)


def append_items(raw: bytes, items: Sequence[Mapping[str, Any]]) -> bytes:
    """Add objects at the end of a list that is laid out as agent-brain does it."""
    new = b",\n    ".join(_indented(item, 4) for item in items)
    if raw == b"[]":
        return b"[\n    " + new + b"\n  ]"
    return raw.removesuffix(b"\n  ]") + b",\n    " + new + b"\n  ]"


def digest_of(*pieces: bytes | memoryview) -> str:
    """Return the hash of a text, given in pieces, without our section (SHA-256: many processors have it built in)."""
    return sha256_hex(pieces)[:24]


def without_ours(text: bytes) -> memoryview:
    """Return the text up to our section (all of it when there is none)."""
    place = text.rfind(BEFORE_OURS)
    return memoryview(text)[:place] if place >= 0 else memoryview(text)
