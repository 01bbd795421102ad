"""Relations between memories: a link has a target, a relation and, in a log, a strength."""

from __future__ import annotations

from plainbrain.model.instants import Instant
from plainbrain.records import record

SUPERSEDES = "supersedes"
SUPERSEDED_BY = "superseded_by"
RELATES_TO = "relates_to"
#: The relation of a bare ``[[wikilink]]`` in a body.
MENTIONS = "links_to"

_INVERSE = {
    SUPERSEDES: SUPERSEDED_BY,
    "caused_by": "causes",
    "part_of": "has_part",
    "depends_on": "required_by",
    "extends": "extended_by",
    "implements": "implemented_by",
    "refines": "refined_by",
    "blocks": "blocked_by",
    "supports": "supported_by",
    "derived_from": "source_of",
    "example_of": "has_example",
    "follows": "followed_by",
    "parent_of": "child_of",
    "replaces": "replaced_by",
    MENTIONS: "linked_from",
}
_INVERSE |= {there: here for here, there in _INVERSE.items()}


@record(frozen=True, slots=True)
class Link:
    """Point at the memory ``to`` by the relation ``rel``; ``strength`` (0..1) only where a log says it."""

    to: str
    rel: str = RELATES_TO
    strength: float | None = None
    created: Instant | None = None
    updated: Instant | None = None


def inverse_relation(rel: str) -> str:
    """Return how the other side of a link is called; a relation without a known inverse is its own."""
    return _INVERSE.get(rel, rel)
