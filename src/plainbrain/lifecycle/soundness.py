"""Values of a memory that are read and kept, and that nobody can mean: a confidence of 99, a date that is none.

Owns which values are in doubt and what to write instead. Pure, and a judgement only: nothing is changed for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from plainbrain.model.confidence import LIKELY, SURE, UNCERTAIN
from plainbrain.model.instants import Instant
from plainbrain.model.memory import STATUSES, Memory
from plainbrain.records import record
from plainbrain.text.quoted import quoted

_INSTANTS = ("created", "updated", "last_validated", "reviewed", "invalidated", "valid_from", "valid_until")
_WORDS = (SURE, LIKELY, UNCERTAIN)
#: How like a known word another one must be to pass for a slip of it.
_LIKE = 0.75


@record(frozen=True, slots=True)
class Doubt:
    """One value in doubt: its field, what is wrong with it, and what to write."""

    field: str
    message: str
    hint: str


def doubts(memory: Memory) -> Iterator[Doubt]:
    """Yield the values of a memory that cannot be meant as they stand."""
    number, word = memory.confidence.number, memory.confidence.word.strip().lower()
    if number is not None and not 0 <= number <= 1:
        yield Doubt(
            "confidence", f"confidence {number:g} is not from 0 to 1", "write 0.9, or a word: sure, likely, uncertain"
        )
    elif number is None and word and word not in _WORDS:
        yield Doubt(
            "confidence", f"confidence {quoted(word)} is no known word", "write 0.9, or a word: sure, likely, uncertain"
        )
    for name in _INSTANTS:
        at = getattr(memory, name)
        if isinstance(at, Instant) and at.ms is None:
            yield Doubt(name, f"{name} {quoted(at.iso())} is no date", "write 2026-10-27 or 2026-10-27T12:00:00Z")
    status = memory.status.strip().lower()
    if status not in STATUSES and (near := get_close_matches(status, STATUSES, n=1, cutoff=_LIKE)):
        yield Doubt(
            "status", f"status {quoted(status)} is no known one, so it counts as in effect", f"is {near[0]!r} meant?"
        )
