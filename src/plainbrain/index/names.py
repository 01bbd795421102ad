"""Which ids look like a name that was asked for: another spelling, a title, a part, a slip of the keys.

Owns the order of likeness. Pure: works on rows that somebody else read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from plainbrain.text.tokens import tokens_of

MOST_NAMES = 8
#: From this share of common letter pairs on, two names may be meant for one another.
_ALIKE = 0.55


def look_alikes(name: str, rows: Iterable[tuple[str, str, str]]) -> list[str]:
    """Return at most eight ids of ``(id, title, cortex)`` rows (an id may have several) that ``name`` may mean, best first."""
    wanted = name.strip().removesuffix(".md")
    if not wanted:
        return []
    key, words, pairs = _squash(wanted), set(tokens_of(wanted)), _pairs(_squash(wanted))
    ranked = []
    for id, title, cortex in rows:
        likeness = max(_likeness(wanted, key, words, pairs, other=other) for other in _names(id, title, cortex))
        if likeness > 0:
            ranked.append((-likeness, len(id), id))
    return list(dict.fromkeys(id for _, _, id in sorted(ranked)))[:MOST_NAMES]


def _names(id: str, title: str, cortex: str) -> Iterable[str]:
    yield id
    if title:
        yield title
    if cortex:
        yield f"{cortex}/{id}"


def _likeness(wanted: str, key: str, words: set[str], pairs: Counter[str], *, other: str) -> float:
    if other == wanted:
        return 6.0
    if other.casefold() == wanted.casefold():
        return 5.0
    squashed = _squash(other)
    if key and squashed == key:
        return 4.0
    if key and squashed.startswith(key):
        return 3.0
    if len(key) > 1 and key in squashed:
        return 2.5
    if words and words <= set(tokens_of(other)):
        return 2.0
    theirs = _pairs(squashed)
    both = sum(pairs.values()) + sum(theirs.values())
    share = 2 * sum((pairs & theirs).values()) / both if both else 0.0
    return share if share >= _ALIKE else 0.0


def _squash(name: str) -> str:
    return "".join(c for c in name.casefold() if c.isalnum())


def _pairs(text: str) -> Counter[str]:
    return Counter(text[at : at + 2] for at in range(len(text) - 1))
