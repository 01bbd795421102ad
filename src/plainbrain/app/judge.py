"""Holding a text, or what is known itself, against what is known: what contradicts it, and what it is like.

Gathers the memories that share words with the text through the index, and lets ``lifecycle`` judge them.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

from plainbrain.app.context import Context
from plainbrain.app.insight import whole
from plainbrain.later import later
from plainbrain.model.memory import Memory
from plainbrain.model.query import Query
from plainbrain.records import record

if TYPE_CHECKING:
    from plainbrain.lifecycle import conflicts as judges
    from plainbrain.lifecycle import overlap
    from plainbrain.lifecycle import similar as likenesses
    from plainbrain.lifecycle.conflicts import Finding, Verdict
    from plainbrain.lifecycle.similar import Similar
else:
    # Each question loads only what it is judged by: the words for conflicts are many.
    judges, overlap = later("plainbrain.lifecycle.conflicts"), later("plainbrain.lifecycle.overlap")
    likenesses = later("plainbrain.lifecycle.similar")

#: How many memories are held against a new fact: what it contradicts speaks of the same, and ranks high by words.
CANDIDATES = 80
#: How many are counted word by word, which costs little.
_COUNTED_FOR_OVERLAP, _COUNTED_FOR_LIKENESS = 1000, 400
#: How many memories are held against each other, the newest; each against so many that are nearest by words, by what it
#: says at its beginning; those that share less than this part of their words speak of something else.
LOOKED_AT = 1_000
_NEAREST, _BEGINNING, _SHARED = 8, 240, 0.3


@record(frozen=True, slots=True)
class Clash:
    """Two memories in effect that cannot both hold, in the order in which they were kept, as far as their days tell."""

    first: Memory
    second: Memory
    why: str
    strength: float


@record(frozen=True, slots=True)
class Clashes:
    """The pairs that were found, strongest first, and how many of the memories in effect were looked at."""

    pairs: tuple[Clash, ...]
    looked_at: int
    live: int


def candidates(context: Context, text: str, *, k: int = CANDIDATES) -> list[Memory]:
    """Return the live memories that share words with a text, by words first, at most ``k``."""
    context.catch_up()
    found, _ = context.index.search(Query(text, k), now=context.clock.now())
    stored = context.store.get_many([id for id, _, _ in found])
    return [stored[id].memory for id, _, _ in found if id in stored]


def conflicts(context: Context, content: str, *, scope: str = "") -> list[Finding]:
    """Return the live memories that a new fact contradicts, strongest first. ``scope`` is the context in which it holds."""
    return list(judges.find_conflicts(Memory("", content, context=scope), candidates(context, content)))


def clashes(context: Context, *, most: int = LOOKED_AT) -> Clashes:
    """Return the pairs of live memories that contradict each other, among the ``most`` newest and what is nearest to each."""
    kept: deque[Memory] = deque(maxlen=most)
    order: dict[str, int] = {}
    for memory in whole(context, Query("")):
        order[memory.id] = len(order)
        kept.append(memory)
    found: dict[tuple[str, str], Clash] = {}
    seen: set[tuple[str, str]] = set()
    now = context.clock.now()
    for count, memory in enumerate(kept, 1):
        near, _ = context.index.search(Query("\n".join(_says(memory)), _NEAREST + 1), now=now)
        for other in [s.memory for s in context.store.get_many([id for id, _, _ in near]).values()]:
            first, second = sorted((memory, other), key=lambda m: order.get(m.id, len(order)))
            if memory.id == other.id or (first.id, second.id) in seen:
                continue
            seen.add((first.id, second.id))
            verdict = _judge(second, first)
            if verdict is not None:
                found[first.id, second.id] = Clash(first, second, verdict.why, verdict.strength)
        if context.progress is not None:
            context.progress(count, len(kept), "holding memories against each other")
    return Clashes(tuple(sorted(found.values(), key=lambda c: -c.strength)), len(kept), len(order))


def _judge(new: Memory, old: Memory) -> Verdict | None:
    """Return the strongest contradiction between what two memories say, or None."""
    found = []
    for ours, theirs in product(_says(new), _says(old)):
        first, second = likenesses.count_words(ours).keys(), likenesses.count_words(theirs).keys()
        if len(first & second) >= _SHARED * min(len(first), len(second)):
            verdict = judges.judge(replace(new, content=ours), replace(old, content=theirs))
            found += [verdict] if verdict.kind == "conflict" else []
    return max(found, key=lambda v: v.strength, default=None)


def _says(memory: Memory) -> list[str]:
    """Return what a memory says: its title, and the beginning of its text where that is something else."""
    title, content = memory.title.strip(), memory.content[:_BEGINNING].strip()
    if not title or content.lstrip("# ").startswith(title.rstrip("…")):
        return [content]
    return [title, content] if content else [title]


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
