"""How a memory fades, holds and is tied to others: the formulas of the forgetting engine.

They are those of cognitive-memory 0.4.0. ``days`` are days of time that passed, never calls; a decayed weight is worked
out from the date it was last strengthened, so that looking at it twice decays it once. Pure functions of numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from plainbrain.model.instants import DAY_MS, Instant
from plainbrain.model.memory import Memory

EPISODIC, SEMANTIC, PROCEDURAL, CORE = "episodic", "semantic", "procedural", "core"
#: Days over which a class of memory decays; what is not named here does as semantic memories do.
BASE_DAYS = {EPISODIC: 45.0, SEMANTIC: 120.0, PROCEDURAL: math.inf, CORE: 120.0}
CORE_FLOOR, FLOOR = 0.60, 0.02
POWER_GAMMA = 1.4427
FIRST_STABILITY, FIRST_IMPORTANCE = 0.3, 0.5
SCORE_EXPONENT = 0.3
DIRECT_BOOST, ASSOCIATIVE_BOOST = 0.1, 0.03
CORE_ACCESSES, CORE_STABILITY, CORE_SESSIONS = 10, 0.85, 3
STRENGTHEN, FOLLOWED_FROM, ASSOCIATION_DAYS = 0.1, 0.3, 90.0
COLD_AFTER_DAYS, STUB_AFTER_DAYS = 7.0, 180.0
FAINT_BELOW = 0.15
CONSOLIDATE_BELOW, GROUP_SIZE, GROUP_COSINE = 0.20, 5, 0.70
DEEP_PENALTY = 0.5
_STUB_MARK, _STUB_LENGTH = "[archived] ", 200
#: The kinds of memory that end by themselves.
_PASSING = ("plan", "transient_state")


def floor_of(category: str) -> float:
    """Return the least retention of a class."""
    return CORE_FLOOR if category == CORE else FLOOR


def half_way_days(category: str, *, stability: float, importance: float) -> float:
    """Return the time constant in days after which retention has fallen to 1/e."""
    return max(stability, 0.01) * min(3.0, 1 + 2 * importance) * BASE_DAYS.get(category, BASE_DAYS[SEMANTIC])


def retention(category: str, *, stability: float, importance: float, days: float, stub: bool = False) -> float:
    """Return what is left after ``days`` without recall, floor..1, by the exponential curve; 0 for a stub."""
    if stub:
        return 0.0
    span = half_way_days(category, stability=stability, importance=importance)
    return max(floor_of(category), 1.0 if math.isinf(span) else math.exp(-max(0.0, days) / span))


def power_retention(category: str, *, stability: float, importance: float, days: float) -> float:
    """Return what is left after ``days`` by the power curve, which forgets slower in the long run."""
    span = half_way_days(category, stability=stability, importance=importance)
    left = 1.0 if math.isinf(span) else (1 + max(0.0, days) / span) ** -POWER_GAMMA
    return max(floor_of(category), left)


def days_at_floor(category: str, *, stability: float, importance: float, days: float) -> float:
    """Return for how many of the ``days`` without recall retention has been at its floor."""
    span = half_way_days(category, stability=stability, importance=importance)
    if math.isinf(span):
        return 0.0
    return max(0.0, days + span * math.log(floor_of(category)))


def stability_after_recall(stability: float, days: float) -> float:
    """Return the stability after a direct recall ``days`` after the one before: spacing pays, cramming does not."""
    return min(1.0, stability + DIRECT_BOOST * min(2.0, max(0.0, days) / 7))


def stability_after_association(stability: float, days: float) -> float:
    """Return the stability after being recalled by way of another memory."""
    return min(1.0, stability + ASSOCIATIVE_BOOST * min(2.0, max(0.0, days) / 7))


def is_core(*, accesses: int, stability: float, sessions: int) -> bool:
    """Tell whether a memory has earned its place among the core ones."""
    return accesses >= CORE_ACCESSES and stability >= CORE_STABILITY and sessions >= CORE_SESSIONS


def association_weight(weight: float, days: float) -> float:
    """Return what is left of an association ``days`` after the two were last recalled together."""
    return weight * math.exp(-max(0.0, days) / ASSOCIATION_DAYS)


def strengthened(weight: float) -> float:
    """Return the weight of an association after another recall together."""
    return min(1.0, weight + STRENGTHEN)


def first_weight(cosine: float) -> float | None:
    """Return the weight that ties a new memory to one it resembles; None when they are not alike enough (0.4)."""
    return min(0.5, 0.2 + (cosine - 0.4) / 2) if cosine >= 0.4 else None


def search_score(cosine: float, held: float) -> float:
    """Return the rank of a memory in a search: likeness, dimmed a little by forgetting."""
    return float(cosine * held**SCORE_EXPONENT)


def days_between(earlier: Instant | None, later: Instant) -> float:
    """Return the days between two instants, 0 when one is not known or they stand the other way round."""
    if earlier is None or earlier.ms is None or later.ms is None:
        return 0.0
    return max(0.0, (later.ms - earlier.ms) / DAY_MS)


def idle_days(memory: Memory, now: Instant) -> float:
    """Return the days since a memory was last recalled, or made."""
    return days_between(memory.usage.last_accessed or memory.created, now)


def retention_of(memory: Memory, now: Instant) -> float:
    """Return the retention of a memory now."""
    stability, importance = figures_of(memory)
    return retention(
        memory.class_,
        stability=stability,
        importance=importance,
        days=idle_days(memory, now),
        stub=memory.dynamics.stub,
    )


def figures_of(memory: Memory) -> tuple[float, float]:
    """Return a memory's stability and importance, the first ones where nobody said."""
    stability, importance = memory.dynamics.stability, memory.dynamics.importance
    return FIRST_STABILITY if stability is None else stability, FIRST_IMPORTANCE if importance is None else importance


def is_expired(memory: Memory, now: Instant) -> bool:
    """Tell whether a plan or a passing state is over, or has not begun."""
    if memory.kind not in _PASSING or now.ms is None:
        return False
    until, since, made = memory.valid_until, memory.valid_from, memory.created
    if until is not None and until.ms is not None and until.ms < now.ms:
        return True
    if since is not None and since.ms is not None and since.ms > now.ms:
        return True
    return (
        memory.ttl_seconds is not None
        and made is not None
        and made.ms is not None
        and made.ms + memory.ttl_seconds * 1000 < now.ms
    )


def stub_text(content: str) -> str:
    """Return what is left of the text of a memory that became a stub."""
    return _STUB_MARK + content[:_STUB_LENGTH]


def summary_text(contents: Iterable[str]) -> str:
    """Return the plain summary of several memories: their texts, one after the other."""
    return "Summary: " + " | ".join(text.strip() for text in contents)
