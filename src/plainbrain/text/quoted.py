"""A value in a message: in quotes, short, and never cut within a word.

A secret that was cut in two is known by nobody as one, and half of it would be told.
"""

from __future__ import annotations

_LONGEST = 40


def quoted(value: object, *, longest: int = _LONGEST) -> str:
    """Return a text in quotes, cut after a word where it is long; its length alone where it is one long word."""
    text = str(value)
    if len(text) <= longest:
        return repr(text)
    kept = text[: longest + 1].rpartition(" ")[0].rstrip()
    return repr(kept + " …") if kept else f"(one word of {len(text):,} characters)"
