"""Themes that are one: ``Infra/DNS`` and ``infra/dns`` are the same folder on many a disk, and the same theme to who asks.

Pure: names in, a name out.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable


def same_theme(name: str, themes: Iterable[str]) -> str:
    """Return ``name`` spelled as the themes that are there: part by part, where one differs in its letter case alone.

    Spaces and slashes around a part do not count. A part that is there as it is written stays; from the first part
    that is not there in any spelling on, all stays as it is.
    """
    there = _tree(themes)
    spelled: tuple[str, ...] = ()
    for part in parts_of(name):
        known = there.get(spelled, {}).get(_key(part), ())
        spelled = (*spelled, part if part in known or not known else known[0])
    return "/".join(spelled)


def _tree(themes: Iterable[str]) -> dict[tuple[str, ...], dict[str, list[str]]]:
    """Return what is below each theme: by its key, every spelling."""
    found: dict[tuple[str, ...], dict[str, list[str]]] = {}
    for theme in themes:
        parts = parts_of(theme)
        for at, part in enumerate(parts):
            spellings = found.setdefault(parts[:at], {}).setdefault(_key(part), [])
            if part not in spellings:
                spellings.append(part)
    return found


def parts_of(name: str) -> tuple[str, ...]:
    """Return the parts of a theme, without the spaces around them."""
    return tuple(part.strip() for part in name.replace("\\", "/").split("/") if part.strip() not in ("", "."))


def _key(part: str) -> str:
    return unicodedata.normalize("NFC", part).casefold()
