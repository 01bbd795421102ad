"""A vector from words alone: each word leans a little along axes that its hash names. Needs nothing, knows no meaning."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable

#: Along how many axes a word leans, four bytes of its hash for each.
_AXES = 16


def hash_words(words: Iterable[str], dimensions: int) -> list[float]:
    """Return the unit vector of some words, all zero when there is none or they cancel out."""
    found = [0.0] * dimensions
    for word in words:
        digest = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=4 * _AXES).digest()
        for at in range(0, len(digest), 4):
            number = int.from_bytes(digest[at : at + 4], "little")
            found[(number >> 1) % dimensions] += 1.0 if number & 1 else -1.0
    length = math.sqrt(sum(x * x for x in found))
    return [x / length for x in found] if length else found
