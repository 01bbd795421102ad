"""Keys that stand twice in one object of JSON: the last counts, and what the first said would go without a word.

Owns finding them at next to no cost where there are none. Pure.
"""

from __future__ import annotations

import json
from typing import Any


def doubled_keys(text: bytes, value: Any) -> tuple[str, ...]:
    """Return the keys that stand more than once in an object of ``text``, which was read as ``value``."""
    try:
        if text.count(b'":') + text.count(b'" :') == _count(value):
            return ()
    except RecursionError:
        return ()  # too deep to be looked through
    found: dict[str, None] = {}

    def note(pairs: list[tuple[str, Any]]) -> None:
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                found[key] = None
            seen.add(key)

    json.loads(text, object_pairs_hook=note)
    return tuple(found)


def _count(value: Any) -> int:
    """Return how many keys there are in a value, however deep."""
    if isinstance(value, dict):
        return len(value) + sum(_count(inner) for inner in value.values() if isinstance(inner, (dict, list)))
    return sum(_count(inner) for inner in value if isinstance(inner, (dict, list))) if isinstance(value, list) else 0
