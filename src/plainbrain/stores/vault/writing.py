"""Writing notes: changes become the smallest edits of files, and these are carried out all or none.

Owns the way from ``Change`` to file: which file, under what name, with which bytes. Each note is read again under
the lock and written only while it still holds what was read; an edit by hand that comes between starts the write
anew. Promises that no other note's file is touched and that an id never takes a file that is there.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from plainbrain.errors import Busy, Damaged, InvalidField, InvalidId, NotFound
from plainbrain.files.atomic import Displaced, discard, replace_file
from plainbrain.files.batch import Delete, Step, Write, commit, finish, has_intent
from plainbrain.files.beneath import Beneath, split
from plainbrain.files.locks import FileLock
from plainbrain.files.outcome import told
from plainbrain.model.change import Change, Put
from plainbrain.model.memory import Memory, Usage
from plainbrain.notation.note import read_note, write_note
from plainbrain.notation.note.edit import edit_note
from plainbrain.records import open_record
from plainbrain.stores.revision import check_expecting
from plainbrain.stores.vault.names import HOME, cortex_folder, note_names, split_folder, without_ending
from plainbrain.stores.vault.reading import MAX_NOTE_BYTES, Reading, facts_of, read, revision_of_bytes
from plainbrain.stores.vault.scan import Scanner
from plainbrain.stores.vault.shelf import Entry, Shelf, entry_of

_TRIES = 20
_IGNORED = b"# Of this machine alone; the journal is meant to be shared.\nlock\nmachine-*\nhistory\nvalues.json\nintent\n*.brain-tmp\n"
_MERGED = b"# The lines of both sides count.\njournal/*.jsonl merge=union\n"


class _Stale(Exception):
    """Say that the shelf was wrong about a file: look again, then repeat."""


@open_record(slots=True)
class _Sheet:
    """One note in the making: what lies on the disk (``was`` at ``place``, or nothing) and what is to lie there."""

    id: str
    place: str = ""
    was: Reading | None = None
    claim: str = ""
    goal: str = ""
    text: str | None = None
    like: os.stat_result | None = None

    @property
    def revision(self) -> str | None:
        if self.text is not None:
            return revision_of_bytes(self.text.encode("utf-8"))
        return None

    @property
    def exists(self) -> bool:
        return bool(self.goal)


class Writer:
    """Apply changes to the files of one vault."""

    def __init__(self, beneath: Beneath, shelf: Shelf, scanner: Scanner, lock: FileLock) -> None:
        self._beneath = beneath
        self._shelf = shelf
        self._scanner = scanner
        self._lock = lock
        self._held: tuple[int, int] = (0, 0)
        self._at_home = False

    def apply(self, changes: Sequence[Change]) -> tuple[list[str], Mapping[str, Usage]]:
        """Write all changes or none; return the revisions and the counters that the memories came with.

        Raise as ``Store.apply``.
        """
        if not changes:
            return [], {}
        for _ in range(_TRIES):
            with self._lock.hold() as held:
                self._prepare(held)
                try:
                    return self._write(changes)
                except (Displaced, _Stale):
                    self._scanner.scan()
        raise Busy("the notes are being changed by hand faster than we can write", hint="repeat in a moment")

    def _prepare(self, held: tuple[int, int]) -> None:
        """Finish what a killed process left, sweep, and learn what others wrote since we last held the lock."""
        alone = held == (self._held[0], self._held[1] + 1)
        self._held = held
        if has_intent(self._beneath, HOME):
            finish(self._beneath, home=HOME)
        if not self._at_home:
            self._settle_in()
        self._scanner.look_again(all_racy=not alone)
        if self._scanner.strays:
            self.sweep()

    def _settle_in(self) -> None:
        with told("/".join((*HOME, ".gitignore")), "write"), self._beneath.folder_made(HOME) as home:
            for name, text in ((".gitignore", _IGNORED), (".gitattributes", _MERGED)):
                if not home.has(name):
                    replace_file(home, name, text)
        self._at_home = True

    def finish(self) -> None:
        """Finish what a killed process left. Raise Busy, ReadOnly, NoRoom or StoreError."""
        with self._lock.hold():
            finish(self._beneath, home=HOME)

    def sweep(self) -> None:
        """Remove the temporary files of writers that died: nobody else can be writing while we hold the lock."""
        with self._lock.hold():
            if has_intent(self._beneath, HOME):
                finish(self._beneath, home=HOME)
            strays, self._scanner.strays = self._scanner.strays, []
            for stray in strays:
                *parents, name = split(stray)
                with suppress(OSError), self._beneath.folder(parents) as folder:
                    discard(folder, name)

    # drafting

    def _write(self, changes: Sequence[Change]) -> tuple[list[str], Mapping[str, Usage]]:
        sheets: dict[str, _Sheet] = {}
        taken: set[str] = set()
        revisions: list[str] = []
        usages: dict[str, Usage] = {}
        for change in changes:
            id = change.memory.id if isinstance(change, Put) else change.id
            sheet = self._sheet(id, sheets)
            check_expecting(id, self._revision(sheet), change.expecting)
            if isinstance(change, Put):
                fresh = not sheet.exists
                self._draft(sheet, change.memory, taken)
                if fresh and change.was_id and sheet.was is None:
                    self._go_on_from(self._sheet(change.was_id, sheets), sheet, change.memory)
                _as_it_was(sheet, change)
                usages[sheet.id] = change.memory.usage
                revisions.append(sheet.revision or "")
            elif not sheet.exists:
                raise NotFound(f"no memory {id!r}", value=id, hint="look for it with `brain search`")
            else:
                sheet.goal, sheet.text = "", None
                usages.pop(sheet.id, None)
                revisions.append("")
        steps = [step for sheet in sheets.values() for step in _steps(sheet)]
        if steps:
            commit(self._beneath, steps, home=HOME)
            self._remember(list(sheets.values()))
        return revisions, usages

    def _sheet(self, id: str, sheets: dict[str, _Sheet]) -> _Sheet:
        if not id:
            raise InvalidId("a memory needs an id", value=id, hint="give it one, or a title to make one from")
        locator = self._shelf.locate(id)
        entry = self._shelf.entry(locator) if locator is not None else None
        key = entry.id if entry is not None else id
        if key not in sheets:
            sheets[key] = _Sheet(id, claim=id) if locator is None or entry is None else self._pick_up(locator, entry)
        return sheets[key]

    def _pick_up(self, locator: str, entry: Entry) -> _Sheet:
        *parents, name = split(locator)
        with told(locator, "read"):
            try:
                with self._beneath.folder(parents) as folder:
                    was = read(folder, name, locator=locator)
            except (FileNotFoundError, NotADirectoryError) as error:
                raise _Stale(locator) from error
        if was.memory is not None and was.memory.id != (entry.claim or was.memory.id):
            raise _Stale(locator)
        claim = was.memory.id if was.memory is not None else entry.claim
        return _Sheet(entry.id, locator, was, claim, locator, was.text if was.memory is not None else None)

    @staticmethod
    def _revision(sheet: _Sheet) -> str | None:
        if not sheet.exists:
            return None
        return sheet.revision or (sheet.was.revision if sheet.was is not None else "")

    def _draft(self, sheet: _Sheet, memory: Memory, taken: set[str]) -> None:
        """Write the memory on its sheet: a new text, or the smallest edit of the one that is there."""
        parts = cortex_folder(memory.cortex)
        wanted = replace(memory, id=sheet.claim, usage=Usage())
        if not sheet.exists:
            self._draft_new(sheet, wanted, parts, taken)
        else:
            self._draft_edit(sheet, wanted, parts, taken)
        if sheet.text is not None and len(sheet.text.encode("utf-8")) > MAX_NOTE_BYTES:
            message = f"the note would have over {MAX_NOTE_BYTES} bytes"
            raise InvalidField(message, value=sheet.id, hint="split it into notes of one idea each")

    def _draft_new(self, sheet: _Sheet, wanted: Memory, parts: tuple[str, ...], taken: set[str]) -> None:
        sheet.text = write_note(replace(wanted, cortex="/".join(parts)))
        if sheet.was is not None and sheet.place.rpartition("/")[0] == "/".join(parts):
            sheet.goal = sheet.place  # removed and put again in one go: the file stays where it is
        else:
            sheet.goal = self._free_place(sheet.claim, parts, taken)

    @staticmethod
    def _go_on_from(old: _Sheet, sheet: _Sheet, memory: Memory) -> None:
        """Make a new note of the file that held the memory under another id: its text, edited, and its mode."""
        if old.was is None or old.text is None:
            return
        sheet.like = old.was.stat
        before = read_note(old.text, locator=sheet.goal).memory
        if said := read_note(old.text, locator=sheet.goal.rpartition("/")[2]).memory.cortex:
            before = replace(before, cortex=said)
        wanted = replace(memory, id=sheet.claim, cortex=sheet.goal.rpartition("/")[0], usage=Usage())
        sheet.text = edit_note(old.text, before=before, after=wanted, locator=sheet.goal)

    def _draft_edit(self, sheet: _Sheet, wanted: Memory, parts: tuple[str, ...], taken: set[str]) -> None:
        if sheet.text is None:
            assert sheet.was is not None
            problem = sheet.was.problems[0]
            message = f"the note of {sheet.id!r} cannot be edited: {problem.where}: {problem.message}"
            raise Damaged(message, value=sheet.id, hint=problem.hint or "mend the file by hand")
        before = read_note(sheet.text, locator=sheet.goal).memory
        if before.cortex == wanted.cortex:
            goal = sheet.goal
        else:
            wanted = replace(wanted, cortex="/".join(parts))
            goal = sheet.goal if before.cortex == wanted.cortex else self._moved(sheet.goal, parts, taken)
            before = read_note(sheet.text, locator=goal).memory
            if said := read_note(sheet.text, locator=goal.rpartition("/")[2]).memory.cortex:
                before = replace(before, cortex=said)  # the key moves along; where there is none, none is made
        sheet.text = edit_note(sheet.text, before=before, after=wanted, locator=goal)
        sheet.goal = goal

    def _free_place(self, id: str, parts: tuple[str, ...], taken: set[str]) -> str:
        """Return a locator for a new note that no file has, whatever a file system makes of cases."""
        folder = "/".join(parts)
        for name in note_names(id):
            place = f"{folder}/{name}" if folder else name
            if place not in taken and not self._is_taken(folder, name):
                taken.add(place)
                return place
        raise AssertionError("the names of a note never end")

    def _is_taken(self, folder: str, name: str) -> bool:
        known = self._shelf.folders.get(folder, {})
        return (
            name in known or self._shelf.has_alike(folder, name) or self._beneath.exists((*split_folder(folder), name))
        )

    def _moved(self, place: str, parts: tuple[str, ...], taken: set[str]) -> str:
        """Return where a note goes that changes its cortex: under its own name, unless that is taken there."""
        name = place.rpartition("/")[2]
        goal = "/".join((*parts, name))
        if goal not in taken and not self._is_taken("/".join(parts), name):
            taken.add(goal)
            return goal
        return self._free_place(without_ending(name), parts, taken)

    # after writing

    def _remember(self, sheets: Sequence[_Sheet]) -> None:
        """Tell the shelf what lies on the disk now."""
        folders = set()
        for sheet in sheets:
            if sheet.place and sheet.place != sheet.goal:
                self._scanner.wrote(sheet.place, None)
                folders.add(sheet.place.rpartition("/")[0])
            if sheet.goal and sheet.text is not None:
                folder = sheet.goal.rpartition("/")[0]
                folders.add(folder)
                self._scanner.wrote(sheet.goal, self._entry(sheet))
        for folder in folders:
            self._scanner.settle(folder)

    def _entry(self, sheet: _Sheet) -> Entry:
        """Return the entry of a note that we wrote; it counts as racy, so that the next look reads it."""
        try:
            found = os.lstat(os.path.join(self._beneath.path, *split(sheet.goal)))
        except OSError:
            facts = (0, 0, 0, 0)  # taken away by somebody already: the next look tells
        else:
            facts = facts_of(found)
        return entry_of(facts, racy=True, revision=sheet.revision or "", claim=sheet.claim)


def _as_it_was(sheet: _Sheet, change: Put) -> None:
    """Take the text that comes with a change, to the letter, where at this place it says just what is to be written."""
    if not change.text or change.text == sheet.text or sheet.text is None:
        return
    wanted = read_note(sheet.text, locator=sheet.goal)
    known = read_note(change.text, locator=sheet.goal)
    if known.memory == wanted.memory and not any(one.code == "merge-conflict" for one in known.problems):
        sheet.text = change.text


def _steps(sheet: _Sheet) -> list[Step]:
    """Return what is to be done to the disk for one note."""
    old = tuple(split(sheet.place)) if sheet.place else ()
    new = tuple(split(sheet.goal)) if sheet.goal else ()
    was = sheet.was
    if was is None:
        return [Write(new, _bytes(sheet), like=sheet.like)] if new else []
    if not new:
        return [Delete(old, was.data)]
    if new != old:
        return [Write(new, _bytes(sheet), like=was.stat), Delete(old, was.data)]
    return [] if _bytes(sheet) == was.data else [Write(new, _bytes(sheet), was.data, was.stat)]


def _bytes(sheet: _Sheet) -> bytes:
    assert sheet.text is not None
    return sheet.text.encode("utf-8")
