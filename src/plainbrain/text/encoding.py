"""Telling text of wide units (UTF-16, UTF-32) from UTF-8, by its byte order mark or by where its NUL bytes lie. Pure."""

from __future__ import annotations

import codecs

#: The longer marks first: that of UTF-32 begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
_LOOKED_AT = 4_096


def wide_encoding(data: bytes) -> str:
    """Return the encoding of a text whose units have two or four bytes (``UTF-16``, ``UTF-16LE`` …), ``""`` for any other.

    The names are those of Python's codecs and of iconv; one without an ending has a byte order mark.
    """
    marked = next((name for mark, name in _MARKS if data.startswith(mark)), "")
    head = data[:_LOOKED_AT]
    if marked or head.count(0) * 4 < max(len(head), 8):
        return marked
    even, odd = head[::2].count(0), head[1::2].count(0)
    return "UTF-16LE" if not even else "UTF-16BE" if not odd else ""


def as_utf8(data: bytes) -> bytes:
    """Return a text of wide units as UTF-8; anything else, and what is broken, as it is."""
    name = wide_encoding(data)
    try:
        return data.decode(name).encode("utf-8") if name else data
    except UnicodeError:
        return data
