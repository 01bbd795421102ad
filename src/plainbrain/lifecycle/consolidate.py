"""Groups of memories that could be one: the same tag on three live memories or more.

It finds the groups and can write a first summary of one; that the summary takes the place of its
members is a supersession, decided where supersessions are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from plainbrain.lifecycle.tags import fold_tag
from plainbrain.model.confidence import LIKELY, Confidence
from plainbrain.model.instants import Instant
from plainbrain.model.kinds import FACT
from plainbrain.model.links import Link
from plainbrain.model.memory import Memory
from plainbrain.model.provenance import AGENT, Provenance

MIN_MEMBERS = 3
#: The relation of a summary to what it was made from.
MADE_FROM = "derived_from"


@dataclass(frozen=True, slots=True)
class Cluster:
    """Memories that carry the same ``tag``, in the order of the store."""

    tag: str
    members: tuple[Memory, ...]


def find_clusters(memories: Iterable[Memory]) -> tuple[Cluster, ...]:
    """Group live memories by exact tag, biggest first; groups with the same members are shown once, by their first tag."""
    groups: dict[str, dict[str, Memory]] = {}
    spelling: dict[str, str] = {}
    for memory in memories:
        for tag in memory.tags if memory.is_live else ():
            if key := fold_tag(tag):
                spelling.setdefault(key, tag)
                groups.setdefault(key, {})[memory.id] = memory
    once: dict[frozenset[str], Cluster] = {}
    for key, group in groups.items():
        if len(group) >= MIN_MEMBERS:
            once.setdefault(frozenset(group), Cluster(spelling[key], tuple(group.values())))
    return tuple(sorted(once.values(), key=lambda cluster: -len(cluster.members)))


def summarise(cluster: Cluster, *, id: str, now: Instant) -> Memory:
    """Write the summary of a cluster: one line for each different content, every tag kept, and links to the members."""
    lines = list(
        dict.fromkeys(" ".join(member.content.split()) for member in cluster.members if member.content.strip())
    )
    tags = tuple(dict.fromkeys(tag for member in cluster.members for tag in member.tags))
    kinds = {member.kind for member in cluster.members}
    return Memory(
        id=id,
        content="\n".join(f"- {line}" for line in lines),
        title=f"Summary: {cluster.tag}",
        kind=kinds.pop() if len(kinds) == 1 else FACT,
        tags=tags,
        confidence=Confidence(word=LIKELY),
        links=tuple(Link(member.id, MADE_FROM) for member in cluster.members),
        created=now,
        source="inferred",
        provenance=Provenance(origin=AGENT),
    )
