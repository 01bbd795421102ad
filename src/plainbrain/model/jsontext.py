"""JSON that every reader takes: what is no number there (NaN, the infinities) stands as text.

Owns the words for such numbers. Promises that one odd value, however deep, never keeps the rest from being written.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, TypeGuard

#: Levels that a value may have: what is deeper ends in one reader's or writer's recursion or the other's.
DEEPEST = 200


def json_text(value: object, *, ascii: bool = False, compact: bool = False, indent: int | None = None) -> str:
    """Return ``value`` as JSON. Raise TypeError for what is no value of JSON, RecursionError for one too deep."""
    separators = (",", ":") if compact else None
    try:
        return json.dumps(value, ensure_ascii=ascii, allow_nan=False, separators=separators, indent=indent)
    except ValueError:
        value = with_words(value)
        return json.dumps(value, ensure_ascii=ascii, allow_nan=False, separators=separators, indent=indent)


def with_words(value: Any) -> Any:
    """Return the value with ``"NaN"``, ``"Infinity"`` and ``"-Infinity"`` for the numbers that JSON has not."""
    if isinstance(value, float):
        return (
            value if math.isfinite(value) else "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
        )
    if isinstance(value, Mapping):
        return dict(zip(map(with_words, value), map(with_words, value.values()), strict=True))
    return list(map(with_words, value)) if isinstance(value, (list, tuple, set, frozenset)) else value


def is_too_deep(value: object) -> bool:
    """Tell whether a value is nested deeper than every store can hold."""
    level = [value]
    for _ in range(DEEPEST):
        level = [
            inner
            for one in level
            if isinstance(one, (Mapping, list, tuple))
            for inner in (one.values() if isinstance(one, Mapping) else one)
        ]
        if not level:
            return False
    return True


def as_text(value: object) -> str:
    """Return a text as it is, any other value as its JSON, a number that JSON has not as its word."""
    value = with_words(value)
    return value if isinstance(value, str) else json_text(value)


def is_number(value: object) -> TypeGuard[float]:
    """Tell whether a JSON value is a number (true and false are none) that is finite and can be a time or a count."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1 << 63
