"""Removing a memory for good: its text, its counters, its lines in the journal, its kept versions, under every name that it bore.

Owns what counts as a trace of a memory. A correction keeps the words of what it corrected; they go too. Promises that a
removal which was broken off, or a file that somebody deleted by hand, can be followed up by forgetting the same id again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from plainbrain.app.context import Context
from plainbrain.errors import NotFound
from plainbrain.files.outcome import standing
from plainbrain.lifecycle.learn import RIGHT, logged_claim
from plainbrain.model.change import Plan, Put, Remove
from plainbrain.model.memory import Memory
from plainbrain.ports import Stored
from plainbrain.records import record


@record(frozen=True, slots=True)
class Forgotten:
    """What went with a memory and what stays.

    ``pointing`` still link to it, ``former`` are the names that it bore before, ``cleared`` the corrections that held its
    words, ``taken`` former names that another memory bears now: what is kept under those stays.
    """

    pointing: tuple[str, ...] = ()
    former: tuple[str, ...] = ()
    cleared: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()


def forget(context: Context, id: str) -> Forgotten:
    """Remove a memory for good. Raise NotFound for an id that neither a memory nor a trace of one has."""
    there = require(context, id)
    context.catch_up()
    former = _former_names(context, id)
    taken = tuple(context.store.get_many(former)) if former else ()
    former = tuple(name for name in former if name not in taken)
    pointing = tuple(dict.fromkeys(other for other, _ in context.index.backlinks(id) if other != id))
    holding = _holding(context, pointing, (id, *former))
    cleared = [Put(_without_words(one), one.revision) for one in holding]
    removed = [Remove(id, there.revision)] if there is not None else []
    context.carry_out(Plan((*removed, *cleared)))
    said = [one.memory.correction.wrong_claim for one in holding if one.memory.correction is not None]
    claims = [f"{logged_claim(claim)} {RIGHT}" for claim in said]
    with standing(f"the removal of {id!r}", missing="the journal and the history without it"):
        for name in (id, *former):
            context.store.journal.forget(name, claims)
        if context.history is not None:
            for name in (id, *former, *(one.memory.id for one in holding)):
                context.history.forget(name)
    context.catch_up()
    return Forgotten(pointing, former, tuple(one.memory.id for one in holding), taken)


def require(context: Context, id: str) -> Stored | None:
    """Return the memory; None where it is gone and traces of it are not. Raise NotFound where nothing is."""
    try:
        return context.require(id)
    except NotFound:
        kept = context.history
        if not id or not (context.store.journal.read(limit=1, id=id) or (kept is not None and kept.knows(id))):
            raise
        if now := _present_name(context, id):
            message = f"there is no memory {id!r}: it is called {now!r} now"
            raise NotFound(message, value=id, hint=f"brain forget {now}", candidates=(now,)) from None
        return None


def _present_name(context: Context, id: str) -> str:
    """Return the name of the memory that was moved away from ``id`` and is still there; ``""`` where there is none."""
    moves = [move.detail.partition(" -> ") for move in context.store.journal.read(action="move")]
    later = {old: new for old, arrow, new in moves if arrow and old != new}
    name, seen = id, {id}
    while (name := later.get(name, "")) and name not in seen:
        if name in context.store.get_many([name]):
            return name
        seen.add(name)
    return ""


def _former_names(context: Context, id: str) -> tuple[str, ...]:
    """Return the names that a memory bore before it was moved to ``id``, the latest first."""
    found: list[str] = []
    name = id
    while True:
        moves = [move.detail.partition(" -> ") for move in context.store.journal.read(action="move", id=name)]
        olds = [old for old, arrow, new in moves if arrow and new == name and old != id and old not in found]
        if not olds:
            return tuple(found)
        found += olds
        name = olds[0]


def _holding(context: Context, pointing: Sequence[str], names: Sequence[str]) -> list[Stored]:
    """Return the corrections that hold the words of a memory."""
    found = context.store.get_many(list(pointing)).values()
    return [
        one
        for one in found
        if (said := one.memory.correction) is not None and said.wrong_entry_id in names and said.wrong_claim
    ]


def _without_words(stored: Stored) -> Memory:
    memory = stored.memory
    assert memory.correction is not None
    return replace(memory, correction=replace(memory.correction, wrong_claim=""))
