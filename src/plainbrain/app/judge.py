"""Holding a text against what is known: what it contradicts, and what it is like.

Gathers the memories that share words with the text through the index, and lets ``lifecycle`` judge them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plainbrain.app.context import Context
from plainbrain.later import later
from plainbrain.model.memory import Memory
from plainbrain.model.query import Query

if TYPE_CHECKING:
    from plainbrain.lifecycle import conflicts as judges
    from plainbrain.lifecycle import overlap
    from plainbrain.lifecycle import similar as likenesses
    from plainbrain.lifecycle.conflicts import Finding
    from plainbrain.lifecycle.similar import Similar
else:
    # Each question loads only what it is judged by: the words for conflicts are many.
    judges, overlap = later("plainbrain.lifecycle.conflicts"), later("plainbrain.lifecycle.overlap")
    likenesses = later("plainbrain.lifecycle.similar")

#: How many memories are held against a new fact: what it contradicts speaks of the same, and ranks high by words.
CANDIDATES = 80
#: How many are counted word by word, which costs little.
_COUNTED_FOR_OVERLAP, _COUNTED_FOR_LIKENESS = 1000, 400


def candidates(context: Context, text: str, *, k: int = CANDIDATES) -> list[Memory]:
    """Return the live memories that share words with a text, by words first, at most ``k``."""
    context.catch_up()
    found, _ = context.index.search(Query(text, k), now=context.clock.now())
    stored = context.store.get_many([id for id, _, _ in found])
    return [stored[id].memory for id, _, _ in found if id in stored]


def conflicts(context: Context, content: str, *, scope: str = "") -> list[Finding]:
    """Return the live memories that a new fact contradicts, strongest first. ``scope`` is the context in which it holds."""
    return list(judges.find_conflicts(Memory("", content, context=scope), candidates(context, content)))


def overlaps(context: Context, content: str) -> list[tuple[Memory, float]]:
    """Return what agent-brain's own rule calls conflicts: memories that share two words and 30 % of the shorter text."""
    found = []
    for memory in candidates(context, content, k=_COUNTED_FOR_OVERLAP):
        shared = overlap.measure_overlap(content, memory.content)
        if shared.is_conflict:
            found.append((memory, shared.ratio))
    return sorted(found, key=lambda pair: -pair[1])


def similar(context: Context, text: str, *, threshold: float) -> list[Similar]:
    """Return the live memories that are like a text, most alike first."""
    return list(likenesses.rank_similar(text, candidates(context, text, k=_COUNTED_FOR_LIKENESS), threshold=threshold))
