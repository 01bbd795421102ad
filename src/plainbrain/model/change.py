"""What is to be done to a store: decisions as values, so that they can be tested, shown and explained."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from plainbrain.model.instants import Instant
from plainbrain.model.memory import Memory, Usage
from plainbrain.records import record

#: As ``expecting``: whatever is there.
ANY: None = None
#: As ``expecting``: nothing may be there yet.
ABSENT = ""


@record(frozen=True, slots=True)
class Put:
    """Write ``memory`` whole. ``expecting`` is the revision it was read at, ``ABSENT`` or ``ANY``.

    ``text`` is the written form that it once had: a folder writes these very characters where they say the same.
    ``was_id`` is the id that it had until now: a folder goes on from that file, its mode included.
    """

    memory: Memory
    expecting: str | None = ANY
    text: str = ""
    was_id: str = ""


@record(frozen=True, slots=True)
class Remove:
    """Take the memory ``id`` away. ``expecting`` as for Put."""

    id: str
    expecting: str | None = ANY


Change = Put | Remove


def ids_of(changes: Iterable[Change]) -> list[str]:
    """Return which memories changes are about, in order."""
    return [change.memory.id if isinstance(change, Put) else change.id for change in changes]


@record(frozen=True, slots=True)
class Use:
    """Record that a memory served, once: what is added to its counters, and when.

    ``relevance`` is a change of ``Usage.relevance`` (the result stays in 0..1).
    """

    id: str
    at: Instant
    accesses: int = 0
    successes: int = 0
    injected: int = 0
    used: int = 0
    relevance: float = 0.0


@record(frozen=True, slots=True)
class Activity:
    """Tell one thing that happened, for the activity log.

    ``at`` is when, ``action`` a short word (``add``, ``supersede`` …), ``id`` the memory or ``""``.
    """

    at: Instant
    action: str
    id: str = ""
    detail: str = ""


def tells_of(detail: str, id: str, texts: Sequence[str] = ()) -> bool:
    """Tell whether the detail of an activity names a memory, or holds one of ``texts``.

    An id counts as a word of its own; one that is a plain word itself (``server``) only where an id stands, since what was asked or
    said holds such words too.
    """
    if id and id in detail:
        name = re.escape(id)
        plain = id.isalpha()
        found = rf"(?:-> |[:=]){name}(?![\w-])|(?<![\w-]){name}(?: ->|:)" if plain else rf"(?<![\w-]){name}(?![\w-])"
        if re.search(found, detail):
            return True
    return any(text in detail for text in texts)


@record(frozen=True, slots=True)
class Plan:
    """List what a decision would do: changes in the order they are to be written, all or none.

    ``notes`` tell a person what was decided along the way (a suffix, a correction of a value …).
    """

    changes: tuple[Change, ...] = ()
    activities: tuple[Activity, ...] = ()
    uses: tuple[Use, ...] = ()
    notes: tuple[str, ...] = ()


def add_use(usage: Usage, use: Use) -> Usage:
    """Fold one use into the counters; only an access or a success moves ``last_accessed``."""
    relevance = usage.relevance
    if use.relevance:
        relevance = min(1.0, max(0.0, (0.5 if relevance is None else relevance) + use.relevance))
    return Usage(
        accesses=usage.accesses + use.accesses,
        last_accessed=_later(usage.last_accessed, use.at) if use.accesses or use.successes else usage.last_accessed,
        successes=usage.successes + use.successes,
        injected=usage.injected + use.injected,
        used=usage.used + use.used,
        relevance=relevance,
    )


def _later(one: Instant | None, other: Instant) -> Instant:
    if one is None or one.ms is None or (other.ms is not None and other.ms >= one.ms):
        return other
    return one
