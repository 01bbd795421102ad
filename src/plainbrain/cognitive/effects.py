"""What recall does to a memory, and how a memory scores: values in, values out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from plainbrain.cognitive.answers import Found
from plainbrain.lifecycle import retention as formulas
from plainbrain.model.instants import Instant
from plainbrain.model.links import RELATES_TO, Link
from plainbrain.model.memory import Association, Memory


def scored(memory: Memory, cosine: float, *, deep: bool, now: Instant) -> Found | None:
    """Return the memory as a hit; None for one that is over, unless a deep search asks."""
    expired = formulas.is_expired(memory, now)
    if expired and not deep:
        return None
    held = formulas.retention_of(memory, now)
    score = formulas.search_score(max(0.0, cosine), held)
    if expired or not memory.is_live:
        score *= formulas.DEEP_PENALTY
    return Found(memory, score, cosine, held)


def ways(memory: Memory, now: Instant) -> Iterator[tuple[str, float, bool]]:
    """Yield where a memory leads, how strongly, and whether by a link that somebody made."""
    for association in memory.dynamics.associations:
        yield association.to, weight_now(association, now), False
    for link in memory.links:
        if link.strength is not None:
            yield link.to, link.strength, True


def weight_now(association: Association, now: Instant) -> float:
    """Return what an association weighs now."""
    since = association.last_recalled or association.created
    return formulas.association_weight(association.weight, formulas.days_between(since, now))


def boosted(memory: Memory, *, session_id: str, direct: bool, now: Instant) -> Memory:
    """Return the memory after a recall: of its own (``direct``) or by way of another."""
    stability, _ = formulas.figures_of(memory)
    idle, dynamics = formulas.idle_days(memory, now), memory.dynamics
    if not direct:
        stability = formulas.stability_after_association(stability, idle)
        return replace(memory, dynamics=replace(dynamics, stability=stability))
    sessions = memory.provenance.sessions
    if session_id and session_id not in sessions:
        sessions = (*sessions, session_id)
    stability = formulas.stability_after_recall(stability, idle)
    usage = replace(memory.usage, accesses=memory.usage.accesses + 1, last_accessed=now)
    is_core = formulas.is_core(accesses=usage.accesses, stability=stability, sessions=len(sessions))
    warm = not memory.dynamics.cold or not memory.is_live
    return replace(
        memory,
        memory_class=formulas.CORE if is_core else memory.memory_class,
        usage=usage,
        provenance=replace(memory.provenance, sessions=sessions),
        dynamics=replace(
            dynamics,
            stability=stability,
            retention=1.0 if not dynamics.stub else 0.0,
            cold=dynamics.cold if warm else False,
            cold_since=dynamics.cold_since if warm else None,
            days_at_floor=0,
        ),
    )


def tied(memory: Memory, to: str, *, weight: float, now: Instant) -> Memory:
    """Return the memory with its association to another at a weight."""
    old = next((a for a in memory.dynamics.associations if a.to == to), None)
    made = now if old is None or old.created is None else old.created
    others = tuple(a for a in memory.dynamics.associations if a.to != to)
    tied = (*others, Association(to, weight, last_recalled=now, created=made))
    return replace(memory, dynamics=replace(memory.dynamics, associations=tied))


def linked(memory: Memory, to: str, *, strength: float, made: Instant, now: Instant) -> Memory:
    """Return the memory with a link of a strength to another."""
    others = tuple(link for link in memory.links if link.to != to or link.strength is None)
    return replace(memory, links=(*others, Link(to, RELATES_TO, strength, made, now)))


def cosine_of(vector: tuple[float, ...], other: tuple[float, ...] | None) -> float:
    """Return the cosine of two vectors, 0 where they cannot be compared."""
    if not other or len(other) != len(vector):
        return 0.0
    product = sum(a * b for a, b in zip(vector, other, strict=True))
    lengths = sum(a * a for a in vector) * sum(b * b for b in other)
    return product / lengths**0.5 if lengths > 0 else 0.0
