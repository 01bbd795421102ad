"""The events of a memory log as values: one closed union over all three forms of a line.

Pure. Says what happened; ``event`` says how that is written, a store what comes of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from plainbrain.model.change import Use
from plainbrain.model.instants import Instant


@dataclass(frozen=True, slots=True)
class Meta:
    """Head a file of the log: the time it was made, and its number among its siblings (None: not ours)."""

    created: int | None = None
    segment: int | None = None
    raw: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Wrote:
    """State a memory whole: ``raw`` is its object with the adapter's keys.

    ``bare`` tells the form without a type; ``if_there`` that it counts for nothing when the id is not known (the
    Python adapter's update).
    """

    id: str
    raw: Mapping[str, Any]
    bare: bool = False
    if_there: bool = False


@dataclass(frozen=True, slots=True)
class Erased:
    """Take a memory away."""

    id: str
    bare: bool = False


@dataclass(frozen=True, slots=True)
class Linked:
    """Set the strength of the link between two memories."""

    a: str
    b: str
    strength: float
    created: Instant | None = None
    updated: Instant | None = None


@dataclass(frozen=True, slots=True)
class Strengthened:
    """Add to the strength of a link (the Python adapter); the sum is at most 1."""

    a: str
    b: str
    weight: float
    created: Instant | None = None
    updated: Instant | None = None


@dataclass(frozen=True, slots=True)
class Unlinked:
    """Drop the link between two memories."""

    a: str
    b: str


@dataclass(frozen=True, slots=True)
class Used:
    """Add to counters (ours; other readers pass it over)."""

    uses: tuple[Use, ...]


@dataclass(frozen=True, slots=True)
class Touched:
    """State the moving part of a memory, its counters and its state of forgetting, without its text and vector (ours)."""

    id: str
    raw: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Moved:
    """Change some keys of a memory's object (the Python adapter's moves between tiers)."""

    id: str
    raw: Mapping[str, Any]
    only_from: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cleared:
    """Take everything away (the Python adapter)."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """Stand for a whole JSON value that is no event we know: kept, never acted on."""

    type: str = ""


Event = Meta | Wrote | Erased | Linked | Strengthened | Unlinked | Used | Touched | Moved | Cleared | Unknown


@dataclass(frozen=True, slots=True)
class LogLine:
    """An event as a line of the log tells it.

    ``at`` is when it was written in ms, as far as the line says; ``revision`` the memory's, trusted because a
    checksum held; ``batch`` is ``(n, of)`` for the n-th line of several that count together or not at all;
    ``checked`` tells that a checksum held; ``notes`` say what was odd.
    """

    event: Event
    at: int | None = None
    revision: str = ""
    batch: tuple[int, int] | None = None
    checked: bool = False
    notes: tuple[str, ...] = ()


def link_ends(a: str, b: str) -> tuple[str, str]:
    """Return the two ids in the order the log keeps them in: by UTF-16 code units."""
    if a.isascii() and b.isascii():
        return (a, b) if a <= b else (b, a)
    first, second = (x.encode("utf-16-be", "surrogatepass") for x in (a, b))
    return (a, b) if first <= second else (b, a)
