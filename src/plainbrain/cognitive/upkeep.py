"""The upkeep of one user's memories: tiers and summaries. Nothing is ever deleted here."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import replace

from plainbrain.cognitive.answers import Ticked
from plainbrain.cognitive.engine import Engine
from plainbrain.lifecycle import retention as formulas
from plainbrain.model.instants import Instant
from plainbrain.model.links import SUPERSEDED_BY, SUPERSEDES, Link
from plainbrain.model.memory import SUPERSEDED, Dynamics, Memory
from plainbrain.vectors.table import Floats, unit


def tick(engine: Engine, *, now: Instant) -> Ticked:
    """Move what has been at its floor for a week to the cold, what lay there for half a year to stubs; sum up what fades."""
    cooled, stubbed = [], []
    for memory in list(engine.mine()):
        if memory.class_ == formulas.CORE or memory.dynamics.stub:
            continue
        if memory.dynamics.cold:
            if formulas.days_between(memory.dynamics.cold_since, now) >= formulas.STUB_AFTER_DAYS:
                stubbed.append(_stub(memory))
        elif (days := _floor_days(memory, now)) >= formulas.COLD_AFTER_DAYS:
            cooled.append(_cool(memory, now, days=int(days)))
    summaries = consolidate(engine, now=now)
    taken = {id for summary in summaries for id in summary.supersedes}
    engine.adapter.put([m for m in (*cooled, *stubbed) if m.id not in taken])
    return Ticked(
        cooled=tuple(m.id for m in cooled if m.id not in taken),
        stubbed=tuple(m.id for m in stubbed),
        summaries=tuple(m.id for m in summaries),
    )


def _floor_days(memory: Memory, now: Instant) -> float:
    stability, importance = formulas.figures_of(memory)
    days = formulas.idle_days(memory, now)
    return formulas.days_at_floor(memory.class_, stability=stability, importance=importance, days=days)


def _cool(memory: Memory, now: Instant, *, days: int) -> Memory:
    return replace(memory, dynamics=replace(memory.dynamics, cold=True, cold_since=now, days_at_floor=days))


def _stub(memory: Memory) -> Memory:
    dynamics = replace(memory.dynamics, cold=False, cold_since=None, stub=True, retention=0.0)
    return replace(memory, content=formulas.stub_text(memory.content), embedding=None, dynamics=dynamics)


def consolidate(engine: Engine, *, now: Instant) -> list[Memory]:
    """Sum up groups of five fading memories that say alike things; they are superseded and go to the cold."""
    by_class: dict[str, list[tuple[Memory, Floats]]] = {}
    for memory in engine.mine():
        vector = unit(memory.embedding or ())
        if vector is not None and _fades(memory, now):
            by_class.setdefault(memory.class_, []).append((memory, vector))
    summaries = []
    for category, memories in by_class.items():
        for group in _groups(memories):
            summary = _sum_up(group, category, now=now)
            olds = [_supersede(memory, summary.id, now=now) for memory, _ in group]
            engine.adapter.put([summary, *olds])
            summaries.append(summary)
    return summaries


def _fades(memory: Memory, now: Instant) -> bool:
    if memory.class_ == formulas.CORE or not memory.is_live or memory.dynamics.cold or memory.dynamics.stub:
        return False
    return formulas.retention_of(memory, now) < formulas.CONSOLIDATE_BELOW


Group = Sequence[tuple[Memory, Floats]]


def _groups(memories: list[tuple[Memory, Floats]]) -> list[Group]:
    left, found = list(memories), list[Group]()
    while len(left) >= formulas.GROUP_SIZE:
        seed = left[0]
        alike = [
            other
            for other in left
            if len(other[1]) == len(seed[1]) and _product(other[1], seed[1]) >= formulas.GROUP_COSINE
        ]
        if len(alike) >= formulas.GROUP_SIZE:
            group = alike[: formulas.GROUP_SIZE]
            found.append(group)
            taken = {memory.id for memory, _ in group}
            left = [other for other in left if other[0].id not in taken]
        else:
            left.pop(0)
    return found


def _product(one: Floats, other: Floats) -> float:
    return float(one @ other)


def _sum_up(group: Group, category: str, *, now: Instant) -> Memory:
    figures = [formulas.figures_of(memory) for memory, _ in group]
    middle = [sum(numbers) / len(group) for numbers in zip(*(vector.tolist() for _, vector in group), strict=True)]
    memories = [memory for memory, _ in group]
    return Memory(
        str(uuid.uuid4()),
        formulas.summary_text(memory.content for memory in memories),
        memory_class=category,
        created=now,
        updated=now,
        user_id=memories[0].user_id,
        links=tuple(Link(memory.id, SUPERSEDES) for memory in memories),
        usage=replace(memories[0].usage, accesses=max(m.usage.accesses for m in memories), last_accessed=now),
        dynamics=Dynamics(
            importance=max(importance for _, importance in figures),
            stability=sum(stability for stability, _ in figures) / len(figures),
            retention=1.0,
        ),
        embedding=tuple(middle),
    )


def _supersede(memory: Memory, by: str, *, now: Instant) -> Memory:
    dynamics = replace(memory.dynamics, cold=True, cold_since=now)
    return replace(memory, status=SUPERSEDED, links=(*memory.links, Link(by, SUPERSEDED_BY)), dynamics=dynamics)
