"""Copying a brain from one store to another: every field, the counters, the journal and the values.

Owns the going through a whole store. Promises that it can be broken off and begun again: what is there and equal is passed
over, what is there and differs is left and told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from plainbrain.app import wiring
from plainbrain.app.context import Context
from plainbrain.app.intake import Outcome, Rule, What, secrets_refused, take_in
from plainbrain.app.settings import Settings, store_url
from plainbrain.errors import InputError, NoBrain
from plainbrain.files.outcome import standing
from plainbrain.interchange.item import Fault, Found, Item, Noted, Passed
from plainbrain.model.change import Activity
from plainbrain.model.memory import Memory
from plainbrain.model.problem import ASIDE, MERE
from plainbrain.notation.note import ENDINGS
from plainbrain.ports import Store

_BATCH = 500


def whole_memories(store: Store) -> Iterator[Memory]:
    """Yield every memory of a store whole, in its order."""
    ids = [id for id, _ in store.listing()]
    for start in range(0, len(ids), _BATCH):
        some = ids[start : start + _BATCH]
        stored = store.get_many(some)
        yield from (stored[id].memory for id in some if id in stored)


def open_to_copy(name: str, settings: Settings) -> Store:
    """Open the brain that is to be copied, for reading only. Raise NoBrain when there is none."""
    url = store_url(name, settings.brains)
    place = Path(url.partition(":")[2])
    if not url.startswith("ram:") and not place.exists():
        raise NoBrain(f"there is no brain at {place}", value=url, hint="name the store that is to be copied")
    return wiring.guard(wiring.open_store(url))


def copy_brain(source: Store, context: Context) -> Iterator[Outcome]:
    """Copy everything from ``source`` into the brain of ``context``; yield what became of each memory.

    Raise InputError when both are the same store.
    """
    if source.url == context.store.url:
        raise InputError("a brain cannot be copied onto itself", value=source.url, hint="name another store")
    rule = Rule(
        f"copy of {source.url}",
        adopt=lambda item: item,
        same=lambda there, new: there == new,
        check=secrets_refused(context),
        verify=True,
    )
    total = sum(1 for _ in source.listing())
    yield from take_in(context, items_of(source), rule, total=total)
    yield from _left_behind(source)
    carry_journal(context, source.journal.read()[::-1], source.journal.values())


def _left_behind(source: Store) -> Iterator[Outcome]:
    """Yield how many files beside the notes of a vault do not go with them."""
    if not source.traits.folder:
        return
    folder = Path(source.url.partition(":")[2])
    paths = (p for p in folder.rglob("*") if p.is_file() and not p.name.lower().endswith(ENDINGS))
    inside = (p.relative_to(folder) for p in paths)
    others = sorted(p.as_posix() for p in inside if p.parts[0] not in (".brain", ".git"))
    if others:
        why = f"files that are no notes: {len(others):,}, such as {others[0]}; notes get file names made from their ids"
        yield Outcome(What.NOTED, str(folder), why=why, hint="copy them yourself, and look at the embeds")


def items_of(source: Store) -> Iterator[Item]:
    """Yield everything that a store holds, then what is wrong in it: what did not come over, and what did all the same."""
    for memory in whole_memories(source):
        yield Found(memory, memory.id)
    for problem in source.problems():
        if problem.code in ASIDE:
            yield Passed(problem.message, problem.where)
        elif problem.code in MERE:
            yield Noted(problem.message, problem.where, problem.hint)
        else:
            yield Fault(problem.message, problem.where, problem.hint)


def carry_journal(context: Context, activities: Sequence[Activity], values: Mapping[str, str]) -> None:
    """Add the activities that are not there yet, oldest first, and the values that were never set."""
    journal = context.store.journal
    there = Counter(map(_key, journal.read()))
    fresh = [activity for activity in activities if not _counted(there, activity)]
    with standing("what was copied", missing="all of its journal"):
        for start in range(0, len(fresh), 10_000):
            journal.append(fresh[start : start + 10_000])
        if any(key not in journal.values() for key in values):
            journal.update(lambda old: {**values, **old})


def _key(activity: Activity) -> tuple[str, str, str, str]:
    """Return what tells activities apart in every store: some keep seconds only."""
    return (activity.at.iso_seconds(), activity.action, activity.id, activity.detail)


def _counted(there: Counter[tuple[str, str, str, str]], activity: Activity) -> bool:
    key = _key(activity)
    if there[key] <= 0:
        return False
    there[key] -= 1
    return True


def only(memories: Iterable[Memory], *, kinds: Sequence[str]) -> Iterator[Memory]:
    """Yield the memories of some kinds; without any named, all."""
    wanted = {kind.lower() for kind in kinds}
    return (memory for memory in memories if not wanted or memory.kind.lower() in wanted)
