"""Relations between memories: a link has a target, a relation and, in a log, a strength."""

from __future__ import annotations

from plainbrain.model.instants import Instant
from plainbrain.records import record

SUPERSEDES = "supersedes"
SUPERSEDED_BY = "superseded_by"
RELATES_TO = "relates_to"
#: The relation of a bare ``[[wikilink]]`` in a body.
MENTIONS = "links_to"
#: What a memory says of a link to it whose relation has no known inverse.
LINKED_FROM = "linked_from"

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
    MENTIONS: LINKED_FROM,
}
_INVERSE |= {there: here for here, there in _INVERSE.items()}
_BOTH_WAYS = frozenset(
    (RELATES_TO, "related_to", "similar_to", "contradicts", "conflicts_with", "alternative_to", "same_as", "see_also")
)


@record(frozen=True, slots=True)
class Link:
    """Point at the memory ``to`` by the relation ``rel``; ``strength`` (0..1) only where a log says it."""

    to: str
    rel: str = RELATES_TO
    strength: float | None = None
    created: Instant | None = None
    updated: Instant | None = None


def inverse_relation(rel: str) -> str:
    """Return how the other side of a link is called.

    A relation that holds both ways is its own inverse; of one that we do not know, the other side only says that it
    is linked from there, since the same word backwards would be wrong.
    """
    return rel if rel in _BOTH_WAYS else _INVERSE.get(rel, LINKED_FROM)


def answers(back: str, rel: str) -> bool:
    """Tell whether the relation ``back`` on the other side goes with ``rel`` on this one."""
    return back == inverse_relation(rel) or rel in (inverse_relation(back), LINKED_FROM)
