"""How long knowledge of each kind keeps: half-lives, and the factor that follows from age.

Owns the table. Promises a factor in 0..1: one when just checked, a half after one half-life. Without a
date it is one: a file's time is never knowledge. Takes the present as an argument.
"""

from __future__ import annotations

from plainbrain.model.instants import DAY_MS, Instant
from plainbrain.model.memory import Memory

#: Days after which an unchecked memory of a kind counts half, and why.
HALF_LIFE_DAYS = {
    "policy": 1460.0,  # rules are made to last, and their end is announced
    "preference": 730.0,  # people change slowly
    "decision": 730.0,  # holds until it is superseded, which says so
    "correction": 730.0,  # a mistake once made is made again
    "anti-pattern": 730.0,  # likewise
    "pattern": 365.0,  # ways of working move with the tools, about yearly
    "procedure": 365.0,  # commands and versions drift within a year
    "fact": 365.0,  # the common case: a year
    "reference": 365.0,  # addresses move
    "note": 365.0,
    "ingested": 180.0,  # copied from elsewhere, where it may have changed unnoticed
    "incident": 180.0,  # tells about a state that has been repaired since
}
#: For every other kind.
DEFAULT_HALF_LIFE_DAYS = 365.0


def half_life_days(kind: str) -> float:
    """Return the half-life of a kind, in days."""
    return HALF_LIFE_DAYS.get(kind.strip().lower(), DEFAULT_HALF_LIFE_DAYS)


def checked_at(memory: Memory) -> int | None:
    """Return when it was last known to be true, in milliseconds: validated, else created; None if unsaid."""
    for at in (memory.last_validated, memory.created):
        if at is not None and at.ms is not None:
            return at.ms
    return None


def age_days(since_ms: int | None, now: Instant) -> float:
    """Return the days since ``since_ms``, never negative; zero when there is no date."""
    if since_ms is None or now.ms is None:
        return 0.0
    return max(0, now.ms - since_ms) / DAY_MS


def freshness(age: float, half_life: float) -> float:
    """Return the factor for an age, both in days."""
    return float(0.5 ** (age / half_life))
