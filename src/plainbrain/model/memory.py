"""The one record that serves all four seeds: a home for every field of each of them.

Empty means unsaid: ``""``, ``()``, ``{}`` and ``None`` are never stored as knowledge. Each notation
says in its docstring which of its fields goes where.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from plainbrain.model.confidence import Confidence
from plainbrain.model.instants import Instant
from plainbrain.model.kinds import class_of_kind
from plainbrain.model.links import SUPERSEDED_BY, SUPERSEDES, Link
from plainbrain.model.provenance import Provenance
from plainbrain.records import record

ACTIVE, SUPERSEDED, INVALIDATED = "active", "superseded", "invalidated"

#: What JSON can say; the values of ``metadata`` and ``extra``.
Json = Any


@record(frozen=True, slots=True)
class Rejected:
    """Name an alternative that was considered and turned down, and why (None: nobody said)."""

    option: str
    reason: str | None = None


@record(frozen=True, slots=True)
class Correction:
    """Tell what a correction corrected (agent-brain's ``correction_meta``)."""

    wrong_entry_id: str = ""
    wrong_claim: str = ""
    right_claim: str = ""
    reason: str | None = None


@record(frozen=True, slots=True)
class Usage:
    """Count how a memory has served. Counters are not knowledge: they never change a revision.

    ``accesses`` and ``successes`` are agent-brain's and the log's counts, ``injected`` and ``used`` the
    interchange format's, ``relevance`` its ``historical_relevance`` in 0..1 (None: never measured).
    """

    accesses: int = 0
    last_accessed: Instant | None = None
    successes: int = 0
    injected: int = 0
    used: int = 0
    relevance: float | None = None


@record(frozen=True, slots=True)
class Association:
    """Tie a memory to one it was recalled together with (cognitive-memory's engine)."""

    to: str
    weight: float
    last_recalled: Instant | None = None
    created: Instant | None = None


@record(frozen=True, slots=True)
class Dynamics:
    """Hold the state of cognitive-memory's forgetting engine; None and () where a memory never met it.

    ``importance``, ``stability`` and ``retention`` are in 0..1; ``cold`` and ``stub`` are its tiers.
    """

    importance: float | None = None
    stability: float | None = None
    retention: float | None = None
    cold: bool = False
    cold_since: Instant | None = None
    days_at_floor: int = 0
    stub: bool = False
    associations: tuple[Association, ...] = ()


@record(frozen=True, slots=True)
class Memory:
    """Hold one memory, whole.

    ``content`` is the memory itself: a note's body, an entry's content, an event's content, a decision.
    ``status`` is open text; ``active``, ``superseded`` and ``invalidated`` mean something to us.
    """

    id: str
    content: str = ""
    title: str = ""
    description: str = ""
    kind: str = ""
    memory_class: str = ""
    cortex: str = ""
    tags: tuple[str, ...] = ()
    confidence: Confidence = Confidence()
    status: str = ACTIVE
    links: tuple[Link, ...] = ()
    # when
    created: Instant | None = None
    updated: Instant | None = None
    last_validated: Instant | None = None
    reviewed: Instant | None = None
    invalidated: Instant | None = None
    valid_from: Instant | None = None
    valid_until: Instant | None = None
    ttl_seconds: float | None = None
    # why, where, who
    reason: str = ""
    rationale: str = ""
    rejected: tuple[Rejected, ...] = ()
    files: tuple[str, ...] = ()
    scope: str = ""
    context: str = ""
    user_id: str = ""
    source: str = ""
    source_url: str = ""
    provenance: Provenance = Provenance()
    correction: Correction | None = None
    contradicted_by: str = ""
    # how it serves
    usage: Usage = Usage()
    dynamics: Dynamics = Dynamics()
    embedding: tuple[float, ...] | None = None
    # what only its own form knows
    metadata: Mapping[str, Json] = field(default_factory=dict)
    extra: Mapping[str, Json] = field(default_factory=dict)

    @property
    def superseded_by(self) -> str:
        """The id of what replaced it, or ``""``."""
        return next((link.to for link in self.links if link.rel == SUPERSEDED_BY), "")

    @property
    def supersedes(self) -> tuple[str, ...]:
        """The ids of what it replaced."""
        return tuple(link.to for link in self.links if link.rel == SUPERSEDES)

    @property
    def is_live(self) -> bool:
        """Whether it is still in effect, by its status (validity in time is the policy's matter)."""
        return self.status.strip().lower() not in NOT_LIVE

    @property
    def class_(self) -> str:
        """The memory class: as written, else by its kind."""
        return self.memory_class or class_of_kind(self.kind)


#: Statuses that hide a memory from recall unless they are asked for.
NOT_LIVE = frozenset({SUPERSEDED, INVALIDATED, "archived", "rejected", "deprecated", "retired"})
#: The statuses that mean something to us. A person may write another; it counts as in effect.
STATUSES = (ACTIVE, *sorted(NOT_LIVE))
