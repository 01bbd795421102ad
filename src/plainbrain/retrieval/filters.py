"""What narrows a query, decided on one memory: the plain form of every filter.

Owns what each filter means; an index that filters in its own way is held against ``passes``. Knows
nothing of ranking.
"""

from __future__ import annotations

from plainbrain.model.instants import DAY_MS, Instant
from plainbrain.model.memory import Memory
from plainbrain.model.provenance import QUARANTINED
from plainbrain.model.query import Query

#: A time to live beyond three thousand years (or no number) is none.
_LONGEST_TTL = 1e11


def tag_key(tag: str) -> str:
    """Return a tag as it is compared: without case, ``/`` and ``.`` the same, no ``#`` in front."""
    return tag.strip().lstrip("#").strip("./").casefold().replace("/", ".")


def cortex_key(cortex: str) -> str:
    """Return a cortex as it is compared: without slashes at its ends."""
    return cortex.strip().strip("/")


def is_hidden(memory: Memory) -> bool:
    """Tell whether recall passes it over unless it is asked for."""
    return not memory.is_live


def is_quarantined(memory: Memory) -> bool:
    """Tell whether it waits for a person to look at it; only the status ``quarantined`` asks for it."""
    return memory.provenance.trust == QUARANTINED


def ends_at(memory: Memory) -> int | None:
    """Return the first millisecond at which it no longer holds by its own dates; None when it says none.

    A day as ``valid_until`` is valid to its end.
    """
    ends = []
    if memory.valid_until is not None and memory.valid_until.ms is not None:
        ends.append(memory.valid_until.ms + (DAY_MS if memory.valid_until.day else 0))
    ttl = memory.ttl_seconds
    if ttl is not None and abs(ttl) < _LONGEST_TTL and memory.created is not None and memory.created.ms is not None:
        ends.append(memory.created.ms + round(ttl * 1000))
    return min(ends, default=None)


def last_ms(before: Instant) -> int | None:
    """Return the last millisecond of a bound that includes itself: a day to its end."""
    return before.ms if before.ms is None or not before.day else before.ms + DAY_MS - 1


def status_keys(query: Query) -> frozenset[str]:
    """Return the statuses that a query asks for, as they are compared."""
    return frozenset(status.strip().lower() for status in query.statuses)


def passes(memory: Memory, query: Query, *, now: Instant | None) -> bool:
    """Tell whether ``memory`` passes every filter of ``query``; without ``now`` nothing has expired."""
    return (
        _is_shown(memory, query, now=now)
        and _is_in_cortex(memory.cortex, query.cortex)
        and (not query.kinds or memory.kind.lower() in {kind.lower() for kind in query.kinds})
        and (not query.classes or memory.class_.lower() in {name.lower() for name in query.classes})
        and all(_has_tag(memory, wanted) for wanted in query.tags)
        and (not query.scope or memory.scope == query.scope)
        and (not query.user_id or memory.user_id == query.user_id)
        and _is_between(memory.created, query)
    )


def _is_shown(memory: Memory, query: Query, *, now: Instant | None) -> bool:
    asked = status_keys(query)
    if is_quarantined(memory):
        return QUARANTINED in asked
    if asked:
        return memory.status.strip().lower() in asked
    if query.include_superseded:
        return True
    ends = ends_at(memory)
    expired = ends is not None and now is not None and now.ms is not None and ends <= now.ms
    return not is_hidden(memory) and not expired


def _is_in_cortex(cortex: str, wanted: str) -> bool:
    wanted, cortex = cortex_key(wanted), cortex_key(cortex)
    return not wanted or cortex == wanted or cortex.startswith(wanted + "/")


def _has_tag(memory: Memory, wanted: str) -> bool:
    key = tag_key(wanted)
    return any(tag == key or tag.startswith(key + ".") for tag in map(tag_key, memory.tags))


def _is_between(created: Instant | None, query: Query) -> bool:
    after = query.after.ms if query.after else None
    before = last_ms(query.before) if query.before else None
    if after is None and before is None:
        return True
    if created is None or created.ms is None:
        return False
    return (after is None or created.ms >= after) and (before is None or created.ms <= before)
