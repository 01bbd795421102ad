"""Forgetting by rule: what is long unused becomes less sure, one step at a time.

A memory holds ``30 × (1 + accesses)`` days from when it last served. Then it loses one step (sure, likely,
uncertain), and the next step only after a whole such time again: the day of a step is kept in ``extra``.
A clock that lies must not do harm: times in the future never age a memory and never stop decay, and the
first automatic run after a gap of more than two days waits for a second look, since a clock that jumped
ahead looks just the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from plainbrain.model.change import Activity, Plan, Put
from plainbrain.model.confidence import LIKELY, NUMBER_OF_WORD, SURE, UNCERTAIN, Confidence
from plainbrain.model.instants import Instant, parse_instant
from plainbrain.model.memory import Memory
from plainbrain.ports import Stored
from plainbrain.records import record

BASE_DAYS = 30
COOLDOWN_DAYS = 1.0
JUMP_DAYS = 2.0
#: The key of ``extra`` under which the day of the last step is kept.
DECAYED = "decayed"
_NEXT = {SURE: LIKELY, LIKELY: UNCERTAIN}


def is_due(last_decay: Instant | None, now: Instant) -> bool:
    """Tell whether an automatic run may go ahead: a day has passed, or the last time is unknown or lies ahead."""
    gap = _gap_days(last_decay, now)
    return gap is None or gap < 0 or gap > COOLDOWN_DAYS


def is_jump(last_decay: Instant | None, now: Instant) -> bool:
    """Tell whether the clock went on so far since the last run that it may have jumped: hold, and look again."""
    gap = _gap_days(last_decay, now)
    return gap is not None and gap > JUMP_DAYS


def _gap_days(last_decay: Instant | None, now: Instant) -> float | None:
    if last_decay is None or last_decay.ms is None or now.ms is None:
        return None
    return (now.ms - last_decay.ms) / 86_400_000


def threshold_days(memory: Memory) -> int:
    """Return how many days a memory keeps its confidence without serving."""
    return BASE_DAYS * (1 + max(0, memory.usage.accesses))


def last_served(memory: Memory) -> Instant | None:
    """Return when a memory last served or was last vouched for; None when nothing readable is known."""
    served = memory.usage.last_accessed or memory.created
    known = [time for time in (served, memory.last_validated) if time is not None and time.ms is not None]
    return max(known, key=lambda time: time.ms or 0, default=None)


@record(frozen=True, slots=True)
class Decay:
    """What a run would do: the plan, and how many memories it weakens. ``held`` when it waits for a second look."""

    plan: Plan
    count: int = 0
    held: bool = False


def decay_automatically(stored: Iterable[Stored], *, last_decay: Instant | None, now: Instant) -> Decay:
    """Decide the run that recall and adding bring along; call it when ``is_due``, then set the last time to ``now``."""
    if is_jump(last_decay, now):
        return Decay(Plan(notes=("decay waits a day: the clock has moved on by more than two days",)), held=True)
    return decay(stored, now=now)


def decay(stored: Iterable[Stored], *, now: Instant) -> Decay:
    """Weaken every live memory whose time is over by one step. Calling it twice weakens nothing twice."""
    puts = tuple(Put(_weaken(s.memory, now), s.revision) for s in stored if is_over(s.memory, now))
    activities = (Activity(now, "decay", detail=f"{len(puts)} entries decayed"),) if puts else ()
    return Decay(Plan(changes=puts, activities=activities), len(puts))


def is_over(memory: Memory, now: Instant) -> bool:
    """Tell whether a live memory has a step to lose and has gone unused for longer than it holds."""
    if not memory.is_live or not memory.confidence.said or memory.confidence.label.strip().lower() not in _NEXT:
        return False
    days = (since.days_before(now) for since in (last_served(memory), _last_step(memory)) if since is not None)
    known = [day for day in days if day is not None]
    return bool(known) and int(min(known)) > threshold_days(memory)


def _last_step(memory: Memory) -> Instant | None:
    written = memory.extra.get(DECAYED)
    return parse_instant(written) if isinstance(written, str) else None


def _weaken(memory: Memory, now: Instant) -> Memory:
    word = _NEXT[memory.confidence.label.strip().lower()]
    lower = Confidence(number=NUMBER_OF_WORD[word]) if memory.confidence.number is not None else Confidence(word=word)
    return replace(memory, confidence=lower, extra={**memory.extra, DECAYED: now.iso_seconds()})
