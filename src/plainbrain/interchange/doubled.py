"""Keys that stand twice in one object of JSON: the last counts, and what the first said would go without a word.

Owns finding them at next to no cost where there are none. Pure.
"""

from __future__ import annotations

import json
from typing import Any


def doubled_keys(text: bytes, value: Any) -> tuple[str, ...]:
    """Return the keys that stand more than once in an object of ``text``, which was read as ``value``."""
    if text.count(b'":') + text.count(b'" :') == _count(value):
        return ()
    found: dict[str, None] = {}

    def note(pairs: list[tuple[str, Any]]) -> None:
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                found[key] = None
            seen.add(key)

    try:
        json.loads(text, object_pairs_hook=note)
    except RecursionError:
        return ()  # too deep to be looked through
    return tuple(found)


def _count(value: Any) -> int:
    """Return how many keys there are in a value, however deep."""
    count, left = 0, [value]
    while left:
        one = left.pop()
        if type(one) is dict:
            count += len(one)
            one = one.values()
        elif type(one) is not list:
            continue
        left += [inner for inner in one if type(inner) is dict or type(inner) is list]
    return count
