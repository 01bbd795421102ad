"""Which decisions bear on what somebody is about to do: by words, by the files it touches, and by what they turned down.

Owns the paths' likeness and the score. Pure: the words' score is worked out by the caller's search.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plainbrain.model.memory import Memory

#: What each sign counts; a named veto alone outweighs all others together.
VETO, WORDS, FILES, QUALITY = 2.0, 0.6, 0.5, 0.1


@dataclass(frozen=True, slots=True)
class Bearing:
    """A decision with its score and the signs it is made of, each in 0..1 (``veto`` 0 or 1)."""

    memory: Memory
    score: float
    words: float
    files: float
    veto: float


def bear(memory: Memory, *, words: float, named: bool, files: Sequence[str]) -> Bearing:
    """Score how far a decision bears on a task; ``words`` is its share of the best word score, 0..1."""
    overlap = share_of_files(memory.files, files)
    quality = 0.5 if memory.usage.relevance is None else memory.usage.relevance
    sign = float(named)
    score = VETO * sign + WORDS * words + FILES * overlap + QUALITY * quality
    return Bearing(memory, score, words, overlap, sign)


def share_of_files(known: Sequence[str], touched: Sequence[str]) -> float:
    """Return how many of the files that are touched a decision applies to, 0..1."""
    if not touched:
        return 0.0
    return sum(any(same_path(one, file) for one in known) for file in touched) / len(touched)


def same_path(known: str, touched: str) -> bool:
    """Tell whether two paths mean one file: equal, one the end of the other in two segments or more, or a folder over it.

    A bare file name is too little to tell (every folder has an ``index.ts``).
    """
    a, b = _segments(known), _segments(touched)
    if not a or not b:
        return False
    if a == b or (known.rstrip().endswith(("/", "/**", "/*")) and b[: len(a)] == a):
        return True
    short, long = sorted((a, b), key=len)
    return len(short) > 1 and long[-len(short) :] == short


def is_about(known: str, asked: str) -> bool:
    """Tell whether a path belongs to what a person asks about: the same file, one of that name, or one in that folder."""
    if same_path(known, asked):
        return True
    a, b = _segments(known), _segments(asked)
    return bool(a and b) and (a[-len(b) :] == b or a[: len(b)] == b)


def _segments(path: str) -> list[str]:
    plain = path.strip().replace("\\", "/").removesuffix("/**").removesuffix("/*")
    return [part for part in plain.split("/") if part not in ("", ".")]
