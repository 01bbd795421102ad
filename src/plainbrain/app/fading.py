"""Fading: confidence that goes unused, once a day by itself and whenever somebody asks."""

from __future__ import annotations

from contextlib import nullcontext

from plainbrain.app.context import Context
from plainbrain.files.outcome import standing
from plainbrain.lifecycle.decay import decay, decay_automatically, is_due, is_over
from plainbrain.model.instants import Instant, parse_instant
from plainbrain.model.query import Query
from plainbrain.ports import Stored
from plainbrain.records import record

LAST_DECAY = "last_decay"


@record(frozen=True, slots=True)
class Faded:
    """How many memories lost a step of confidence, and what a person should know about it."""

    count: int = 0
    notes: tuple[str, ...] = ()


def decay_if_due(context: Context) -> Faded:
    """Let confidence fade once a day where the store keeps counters itself; tell how many memories it weakened.

    In a folder of notes fading is worked out when ranking, and nothing is written by a read.
    """
    now = context.clock.now()
    values = context.store.journal.values()
    last = parse_instant(values[LAST_DECAY]) if values.get(LAST_DECAY) else None
    if context.store.traits.folder or not is_due(last, now):
        return Faded()
    found = decay_automatically(_fading(context), last_decay=last, now=now)
    context.carry_out(found.plan)
    _note_decay(context, now, found.count)
    return Faded(found.count, found.plan.notes)


def decay_now(context: Context) -> int:
    """Let confidence fade now, however short ago it did; return how many memories it weakened."""
    now = context.clock.now()
    found = decay(_fading(context), now=now)
    context.carry_out(found.plan)
    _note_decay(context, now, found.count)
    return found.count


def _fading(context: Context) -> list[Stored]:
    now = context.clock.now()
    context.catch_up()
    ids = [memory.id for memory in context.index.find(Query("")) if is_over(memory, now)]
    return list(context.store.get_many(ids).values())


def _note_decay(context: Context, now: Instant, count: int) -> None:
    with standing("what faded", missing="the time of it") if count else nullcontext():
        context.store.journal.update(lambda values: {**values, LAST_DECAY: now.iso_seconds()})
