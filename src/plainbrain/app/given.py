"""Reading the text that somebody gives, in a file or on standard input: UTF-8, or UTF-16 that says so."""

from __future__ import annotations

from plainbrain.errors import InputError
from plainbrain.text.encoding import as_utf8, wide_encoding


def decode(data: bytes, name: str) -> str:
    """Return UTF-8 as text, without a byte order mark. Raise InputError naming the first byte that is none."""
    if wide := wide_encoding(data):
        raise InputError(f"{name} is no whole {wide}", value=name, hint="save it again as UTF-8")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{name} is not UTF-8 (byte {error.start + 1})", value=name, hint="convert it: iconv -t UTF-8"
        ) from error


__all__ = ["as_utf8", "decode"]
