"""Writing several files all or none, also when the process is killed half-way.

Owns the intent file. The new files are first written under temporary names and synced; then the intent,
which lists what is to be done, is put on the disk; then each file gets its name; then the intent is removed.
A process that finds an intent finishes it. When a step fails, the steps before it are undone. One step alone
is atomic by itself and needs no intent. The caller holds the lock. Knows nothing of notes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import ExitStack

from plainbrain.digests import blake2b
from plainbrain.errors import Damaged
from plainbrain.files.atomic import (
    Displaced,
    conflict_name,
    contents,
    discard,
    give_name,
    is_temp,
    publish,
    replace_file,
    swap,
    take,
    temp_name,
    write_temp,
)
from plainbrain.files.beneath import Beneath, Folder, Parts, check_name
from plainbrain.files.outcome import told
from plainbrain.records import open_record, record

INTENT = "intent"


@record(frozen=True, slots=True)
class Write:
    """Write ``data`` to the file ``path``. ``before`` is what it holds now, None: it must not be there.

    ``like`` are the facts of the file whose mode and owner are kept (None: private).
    """

    path: Parts
    data: bytes
    before: bytes | None = None
    like: os.stat_result | None = None


@record(frozen=True, slots=True)
class Delete:
    """Remove the file ``path``, which holds ``before``."""

    path: Parts
    before: bytes


Step = Write | Delete


@open_record(slots=True)
class _Work:
    """A step under way: ``temp`` is its temporary name, ``done`` whether its effect shows, ``kept`` whether ``temp`` exists."""

    step: Step
    folder: Folder
    temp: str
    done: bool = False
    kept: bool = False

    @property
    def name(self) -> str:
        return self.step.path[-1]


def commit(beneath: Beneath, steps: Sequence[Step], *, home: Parts) -> None:
    """Carry out all ``steps`` or none; they are on the disk when it returns. The intent lies in the folder ``home``.

    Raise Displaced when a file is not what its step says (nothing was written then), ReadOnly, NoRoom,
    StoreError, or Damaged when a failed batch could not be undone and waits to be finished.
    """
    with ExitStack() as stack:
        folders: dict[Parts, Folder] = {}
        works: list[_Work] = []
        announced = False
        try:
            for step in steps:
                with told("/".join(step.path), "write"):
                    if step.path[:-1] not in folders:
                        folders[step.path[:-1]] = stack.enter_context(beneath.folder_made(step.path[:-1]))
                    works.append(_prepare(step, folders[step.path[:-1]]))
            if len(works) > 1:
                announced = True
                _announce(beneath, works, home)
            for work in works:
                with told("/".join(work.step.path), "write"):
                    _perform(work)
            _sync(folders)
        except BaseException as error:
            _take_back(beneath, works, home if announced else None, error)
            raise
        if announced:
            _retire(beneath, home)
        for work in works:
            if work.kept:
                discard(work.folder, work.temp)


def _prepare(step: Step, folder: Folder) -> _Work:
    if isinstance(step, Delete):
        return _Work(step, folder, temp_name())
    return _Work(step, folder, write_temp(folder, step.data, like=step.like), kept=True)


def _perform(work: _Work) -> None:
    step = work.step
    try:
        if isinstance(step, Delete):
            take(work.folder, work.name, work.temp, before=step.before)
            work.kept = True
        elif step.before is None:
            work.kept = give_name(work.folder, work.temp, work.name)
        else:
            work.kept = swap(work.folder, work.temp, work.name, before=step.before)
    except (FileExistsError, FileNotFoundError) as error:
        raise Displaced(work.name) from error
    work.done = True


def _sync(folders: dict[Parts, Folder]) -> None:
    for parts, folder in folders.items():
        with told("/".join(parts) or ".", "write"):
            folder.sync()


def _announce(beneath: Beneath, works: Sequence[_Work], home: Parts) -> None:
    """Put the intent on the disk, after the temporary files that it names."""
    _sync({work.step.path[:-1]: work.folder for work in works})
    body = json.dumps([_record(work) for work in works], separators=(",", ":")).encode("ascii")
    path = "/".join((*home, INTENT))
    with told(path, "write"), beneath.folder_made(home) as folder:
        replace_file(folder, INTENT, _digest(body).encode("ascii") + b"\n" + body)


def _record(work: _Work) -> dict[str, object]:
    step = work.step
    before = None if step.before is None else _digest(step.before)
    record: dict[str, object] = {"path": list(step.path), "temp": work.temp, "before": before}
    if isinstance(step, Write):
        return {**record, "do": "write", "after": _digest(step.data)}
    return {**record, "do": "delete", "file": work.folder.stat(work.name).st_ino}


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()


def _take_back(beneath: Beneath, works: Sequence[_Work], home: Parts | None, error: BaseException) -> None:
    """Undo what was done, last first; the temporary files and the intent go too."""
    try:
        for work in reversed(works):
            if work.done:
                _undo(work)
        if any(work.done for work in works):
            _sync({work.step.path[:-1]: work.folder for work in works})
        if home is not None:
            _drop_intent(beneath, home)
    except (OSError, Displaced) as second:
        if home is None:
            raise error from second
        raise Damaged(
            f"a write to {'/'.join(works[0].step.path)} and {len(works) - 1} more failed half-way ({error}), and could not be undone",
            value=[list(work.step.path) for work in works],
            hint="it is finished when the brain is next opened and the disk works again",
        ) from error
    for work in works:
        if work.kept:
            discard(work.folder, work.temp)


def _undo(work: _Work) -> None:
    step = work.step
    if isinstance(step, Delete):
        publish(work.folder, work.temp, work.name)
        work.kept = False
    elif step.before is None:
        if work.kept:  # the second name of one file: a rename of one to the other would do nothing
            discard(work.folder, work.temp)
        take(work.folder, work.name, work.temp, before=step.data)
        work.kept = True
    else:
        if not work.kept:
            work.temp = write_temp(work.folder, step.before, like=step.like)
        work.kept = swap(work.folder, work.temp, work.name, before=step.data)


def _retire(beneath: Beneath, home: Parts) -> None:
    try:
        _drop_intent(beneath, home)
    except OSError:
        return  # all is done and on the disk; an intent that stays finds nothing left to do


def _drop_intent(beneath: Beneath, home: Parts) -> None:
    try:
        with beneath.folder(home) as folder:
            folder.unlink(INTENT)
            folder.sync()
    except FileNotFoundError:
        return  # it was never put there


def has_intent(beneath: Beneath, home: Parts) -> bool:
    """Tell whether a batch of a process that died waits to be finished."""
    return beneath.exists((*home, INTENT))


def finish(beneath: Beneath, *, home: Parts) -> None:
    """Finish the batch that a killed process left, if there is one. The caller holds the lock.

    A file that somebody edited since keeps the edit; our version is then kept beside it as a conflict copy.
    Raise ReadOnly, NoRoom or StoreError.
    """
    path = "/".join((*home, INTENT))
    with told(path, "finish"):
        try:
            with beneath.folder(home) as folder:
                raw = contents(folder, INTENT)
                folder.sync()  # who wrote it may have died before its name was on the disk
        except FileNotFoundError:
            return
        if raw is None:
            return
        digest, _, body = raw.partition(b"\n")
        if digest.decode("ascii", "replace") == _digest(body):
            for record in json.loads(body):
                *parents, name = record["path"]
                if not is_temp(record["temp"]) or any(part.startswith(".") for part in parents):
                    continue  # not of our making
                with beneath.folder_made(parents) as folder:
                    _finish_one(folder, check_name(name), record)
                    folder.sync()
                    discard(folder, record["temp"])  # not before its new name is on the disk
        _drop_intent(beneath, home)


def _finish_one(folder: Folder, name: str, record: dict[str, object]) -> None:
    temp = str(record["temp"])
    waiting, there = contents(folder, temp), contents(folder, name)
    if record["do"] == "delete":
        is_old = there is not None and _digest(there) == record["before"]
        if waiting is None and is_old and folder.stat(name).st_ino == record["file"]:
            folder.unlink(name)
        return
    if waiting is None:
        return  # it has its name already
    if _digest(waiting) != record["after"] or (there is not None and _digest(there) == record["after"]):
        return  # the step was done: this is what it displaced
    if there is None and record["before"] is None:
        give_name(folder, temp, name)
    elif there is not None and _digest(there) == record["before"]:
        try:
            swap(folder, temp, name, before=there)
        except Displaced:
            give_name(folder, temp, conflict_name(name))
    else:
        give_name(folder, temp, conflict_name(name))
