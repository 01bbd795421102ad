"""Taking the last operation back, from the versions that were kept before it was carried out.

Owns what is kept and when undoing is refused: something that was changed since is never overwritten. Counters are not
knowledge and stay as they are. What was forgotten for good is gone from here too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import NoReturn

from plainbrain.app.context import Context
from plainbrain.errors import Changed, InputError, NotFound
from plainbrain.files.history import Before, FileHistory, Operation
from plainbrain.files.outcome import standing
from plainbrain.model.change import ABSENT, Activity, Change, Put, Remove, ids_of
from plainbrain.notation.whole import read_whole
from plainbrain.ports import Stored

_BATCH = 2_000
_FOR_GOOD = "the last operation removed a memory for good, and cannot be taken back"


@dataclass(frozen=True, slots=True)
class Undone:
    """What was taken back: the operation in words, when it was done, and the ids that changed."""

    told: str
    at: str
    ids: tuple[str, ...]


def undo(context: Context) -> Undone:
    """Take the last operation back.

    Raise NotFound when none is kept, or when a memory of it is gone: it is passed over then, and the next call takes the
    one before it. Raise Changed when something was changed since.
    """
    kept = context.history
    operation = kept.last() if kept is not None else None
    if kept is None or operation is None:
        raise NotFound("there is nothing to take back", hint="`brain log` shows what happened")
    if not operation.changes:
        _pass_over(kept, operation)
    there = _there(context, operation)
    gone = _gone(context, operation, there)
    if gone:
        kept.mark_undone(operation.key, {})
        names = ", ".join(map(repr, gone[:5])) + (f" and {len(gone) - 5} more" if len(gone) > 5 else "")
        raise NotFound(
            f"{operation.told or 'the last operation'} ({operation.at}) is not taken back, but passed over: {names} is gone since",
            value=gone[0],
            hint="`brain undo` once more takes back the one before it",
        )
    changes = _changes(operation, there)
    now: dict[str, str] = {}
    for start in range(0, len(changes), _BATCH):
        some = changes[start : start + _BATCH]
        now |= dict(zip(ids_of(some), context.store.apply(some), strict=True))
    ids = tuple(dict.fromkeys(change.id for change in operation.changes))
    detail = f"{operation.told or 'an operation'} of {operation.at}"
    with standing(f"the undoing of {detail}", missing="that it is undone"):
        kept.mark_undone(operation.key, now)
    with standing(f"the undoing of {detail}", missing="its line in the journal"):
        context.store.journal.append([Activity(context.clock.now(), "undo", ids[0] if len(ids) == 1 else "", detail)])
    return Undone(operation.told, operation.at, ids)


def look_back(context: Context) -> Undone:
    """Return what ``undo`` would take back, and change nothing; no ids where nothing of it is left, and it is passed over.

    Raise NotFound when no operation is kept, Changed when something was changed since.
    """
    operation = context.history.last() if context.history is not None else None
    if operation is None:
        raise NotFound("there is nothing to take back", hint="`brain log` shows what happened")
    there = _there(context, operation)
    if _gone(context, operation, there):
        return Undone(operation.told, operation.at, ())
    _changes(operation, there)
    return Undone(operation.told, operation.at, tuple(dict.fromkeys(change.id for change in operation.changes)))


def _pass_over(kept: FileHistory, operation: Operation) -> NoReturn:
    """Pass over an operation that left nothing to take back, and those before it of which forgetting left nothing. Raise InputError."""
    kept.mark_undone(operation.key, {})
    before = kept.last()
    while before is not None and not before.changes and not before.told:
        kept.mark_undone(before.key, {})
        before = kept.last()
    why = f"{operation.told} ({operation.at}) changed no memory, and stays" if operation.told else _FOR_GOOD
    raise InputError(why, value=operation.told, hint="`brain undo` once more takes back the one before it")


def _there(context: Context, operation: Operation) -> dict[str, Stored]:
    """Return what is there now of the memories that the operation changed."""
    ids = [change.id for change in operation.changes]
    there: dict[str, Stored] = {}
    for start in range(0, len(ids), _BATCH):
        there |= context.store.get_many(ids[start : start + _BATCH])
    return there


def _gone(context: Context, operation: Operation, there: Mapping[str, Stored]) -> list[str]:
    """Return the ids that the operation left and that are there no more; what cannot be read just now is not gone."""
    gone = [change.id for change in operation.changes if change.after and change.id not in there]
    if not gone:
        return []
    unread = {PurePosixPath(problem.path).stem for problem in context.store.problems()}
    return [id for id in gone if id not in unread]


def _changes(operation: Operation, there: Mapping[str, Stored]) -> Sequence[Change]:
    back = [_back(change, there.get(change.id)) for change in reversed(operation.changes)]
    gone = [change.id for change in back if isinstance(change, Remove)]
    new = [n for n, change in enumerate(back) if isinstance(change, Put) and change.expecting == ABSENT]
    if len(gone) == len(new) == 1:  # a memory that was renamed gets its name back
        put = back[new[0]]
        assert isinstance(put, Put)
        back[new[0]] = replace(put, was_id=gone[0])
    return back


def _back(change: Before, there: Stored | None) -> Change:
    """Return the change that puts one memory back, provided that it is still as the operation left it."""
    if (there.revision if there is not None else "") != change.after:
        raise Changed(
            f"{change.id!r} was changed since, so the operation is not taken back",
            value=change.id,
            hint=f"look at it with `brain read {change.id}`, and edit it by hand",
        )
    if change.version is None:
        return Remove(change.id, change.after)
    memory, _ = read_whole({name: value for name, value in change.version.items() if name != "text"})
    text = str(change.version.get("text", ""))
    if there is not None:
        return Put(replace(memory, usage=there.memory.usage), change.after, text)
    return Put(memory, ABSENT, text)
