"""The state of a brain as one value: what is stale, promising, corrected, doubtful, and proven.

It decides nothing and writes nothing; the faces print it, and cut each list where they like.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from plainbrain.lifecycle.decay import last_served
from plainbrain.lifecycle.tags import most_carried
from plainbrain.model.confidence import SURE, UNCERTAIN
from plainbrain.model.instants import Instant
from plainbrain.model.kinds import ANTI_PATTERN, CORRECTION
from plainbrain.model.memory import Memory

STALE_AFTER_DAYS = 30
#: Served more often than this and still not sure: worth confirming.
UPGRADE_ABOVE_ACCESSES = 3


@dataclass(frozen=True, slots=True)
class Reflection:
    """What a look over the whole brain tells.

    ``stale`` holds ``(whole days untouched, memory)``, longest first; ``upgrades`` and ``successes`` are
    sorted by their counts, highest first; ``tags`` are ``(tag, count)``, most carried first.
    """

    active: int
    superseded: int
    sessions: int
    stale: tuple[tuple[int, Memory], ...] = ()
    upgrades: tuple[Memory, ...] = ()
    corrections: tuple[Memory, ...] = ()
    anti_patterns: tuple[Memory, ...] = ()
    successes: tuple[Memory, ...] = ()
    uncertain: tuple[Memory, ...] = ()
    tags: tuple[tuple[str, int], ...] = ()


def reflect(memories: Iterable[Memory], *, now: Instant, sessions: int = 0) -> Reflection:
    """Look over ``memories`` (in the order of the store) as of ``now``."""
    everything = list(memories)
    live = [memory for memory in everything if memory.is_live]
    tags: dict[str, int] = {}
    for tag in (tag for memory in live for tag in memory.tags):
        tags[tag] = tags.get(tag, 0) + 1
    return Reflection(
        active=len(live),
        superseded=len(everything) - len(live),
        sessions=sessions,
        stale=tuple(_stale(live, now)),
        upgrades=_by_count(
            [m for m in live if m.usage.accesses > UPGRADE_ABOVE_ACCESSES and m.confidence.label != SURE],
            {m.id: m.usage.accesses for m in live},
        ),
        corrections=tuple(m for m in live if m.kind == CORRECTION),
        anti_patterns=tuple(m for m in live if m.kind == ANTI_PATTERN),
        successes=_by_count([m for m in live if m.usage.successes], {m.id: m.usage.successes for m in live}),
        uncertain=tuple(m for m in live if m.confidence.label == UNCERTAIN),
        tags=tuple(most_carried(tags)),
    )


def _stale(live: list[Memory], now: Instant) -> list[tuple[int, Memory]]:
    aged = ((_days_untouched(memory, now), memory) for memory in live)
    return sorted((pair for pair in aged if pair[0] > STALE_AFTER_DAYS), key=lambda pair: -pair[0])


def _days_untouched(memory: Memory, now: Instant) -> int:
    served = last_served(memory)
    days = served.days_before(now) if served else None
    return int(days) if days is not None else 0


def _by_count(memories: list[Memory], counts: dict[str, int]) -> tuple[Memory, ...]:
    return tuple(sorted(memories, key=lambda memory: -counts[memory.id]))
