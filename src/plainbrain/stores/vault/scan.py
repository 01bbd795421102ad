"""Looking through the folders of a vault for what is new, changed or gone.

Owns the walk: one listing of each folder and one ``stat`` for each note, nothing read that has not changed. A note is
believed to be gone only after a second look, and never when its folder could not be read. Links are not followed.
Tells the ``Shelf`` what it saw and keeps the texts that it had to read for whoever asks next.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterable

from plainbrain.files.atomic import is_temp
from plainbrain.files.beneath import Beneath, Folder, split
from plainbrain.model.problem import Problem
from plainbrain.ports import Sources, Stored
from plainbrain.stores.vault.glance import glance
from plainbrain.stores.vault.names import HOME, is_conflict_copy, is_hidden, is_note
from plainbrain.stores.vault.reading import (
    Facts,
    Reading,
    conflict_problem,
    facts_of,
    link_problem,
    read,
    signature_of,
)
from plainbrain.stores.vault.shelf import Entry, Shelf, entry_of

#: How many bytes of notes just read are kept for the reader that comes next.
KEEP_BYTES = 32 << 20
_FRESH_NS = 20_000_000
#: Notes that are looked at one by one; where more differ, each folder is gone through.
_FEW = 100
_NAP_SECONDS = 0.01


class Scanner:
    """Bring a shelf up to the folder it stands for."""

    def __init__(self, beneath: Beneath, shelf: Shelf) -> None:
        self._beneath = beneath
        self._shelf = shelf
        self.strays: list[str] = []
        self._has_glanced = False
        self._fresh: dict[str, Stored] = {}
        self._room = 0
        self._folder_facts: dict[str, Facts] = {}
        self._racy_folders: set[str] = set()
        self._problems: dict[str, Problem] = {}

    def problems(self) -> list[Problem]:
        """Return the folders that could not be read."""
        return list(self._problems.values())

    def scan(self) -> None:
        """Look at everything."""
        asleep, first = self._shelf.asleep, not self._has_glanced
        self._has_glanced = True
        # Whoever looks twice stays: entries, once made, are compared faster than what is remembered.
        if asleep is not None and first and self._is_as_remembered(asleep):
            return
        self.strays = []
        self._problems = {}
        visited: set[str] = set()
        missing: list[str] = []
        closed: list[str] = []
        waiting = [""]
        while waiting:
            folder = waiting.pop()
            subfolders = self._look_in(folder, missing)
            if subfolders is None:
                closed.append(folder)
            else:
                visited.add(folder)
                waiting += [f"{folder}/{name}" if folder else name for name in subfolders]
        for folder in self._shelf.folders.keys() - visited:
            if not any(shut in ("", folder) or folder.startswith(f"{shut}/") for shut in closed):
                missing += [f"{folder}/{name}" for name in self._shelf.folders[folder]]
                self._folder_facts.pop(folder, None)
        self._strays_at_home()
        self._second_look(missing)

    def _is_as_remembered(self, known: Sources) -> bool:
        """Look at everything at a glance, and at what differs; return False where that is too much for this way."""
        self.strays = []
        self._problems = {}
        try:
            seen = glance(self._beneath, known, sort=self._sort)
        except OSError:
            return False
        if seen.met != len(known) or len(seen.differing) > _FEW:
            return False
        for path, (facts, when) in seen.folders.items():
            self._folder_seen(path, facts, when=when)
        self._strays_at_home()
        missing = [locator for locator in seen.differing if not self._examine_at(locator)]
        self._second_look([locator for locator in missing if self._shelf.entry(locator) is not None])
        return True

    def _folder_seen(self, path: str, facts: Facts, *, when: int) -> None:
        self._folder_facts[path] = facts
        (self._racy_folders.add if facts[3] > when - _FRESH_NS * 5 else self._racy_folders.discard)(path)

    def _strays_at_home(self) -> None:
        try:
            with self._beneath.folder(HOME) as home, home.scan() as entries:
                self.strays += ["/".join((*HOME, entry.name)) for entry in entries if is_temp(entry.name)]
        except OSError:
            return  # there is none yet

    def look_again(self, *, all_racy: bool) -> None:
        """Look into the folders whose listing changed since the last look; with ``all_racy`` also those that may have."""
        missing: list[str] = []
        for folder in list(self._folder_facts):
            path = os.path.join(self._beneath.path, folder)
            try:
                facts = facts_of(os.lstat(path))
            except OSError:
                self.scan()
                return
            if facts != self._folder_facts[folder] or (all_racy and folder in self._racy_folders):
                known = self._folder_facts.keys()
                subfolders = self._look_in(folder, missing)
                if subfolders is None or any((f"{folder}/{n}" if folder else n) not in known for n in subfolders):
                    self.scan()
                    return
        self._second_look(missing)

    def touch(self, locators: Iterable[str]) -> None:
        """Look at single files that something may have happened to."""
        missing = []
        for locator in locators:
            name = locator.rpartition("/")[2]
            if is_note(name) and not self._examine_at(locator) and self._shelf.entry(locator) is not None:
                missing.append(locator)
        self._second_look(missing)

    # one folder

    def _look_in(self, path: str, missing: list[str]) -> list[str] | None:
        """Look at the entries of one folder; return its subfolders, or None when it cannot be read or is gone."""
        try:
            with self._beneath.folder(split(path) if path else ()) as folder:
                now = time.time_ns()
                facts = facts_of(folder.own_stat())
                changed, subfolders, absent = self._compare(folder, path)
                missing += [f"{path}/{name}" if path else name for name in absent]
                for name in changed:
                    locator = f"{path}/{name}" if path else name
                    if not self._examine(folder, name, locator) and self._shelf.entry(locator) is not None:
                        missing.append(locator)
        except (FileNotFoundError, NotADirectoryError):
            if path == "":
                raise
            missing += [f"{path}/{name}" for name in self._shelf.folders.get(path, ())]
            return []  # it went away meanwhile
        except OSError as error:
            hint = "check its owner and mode; what was known of its notes is kept"
            message = f"the folder cannot be read: {error.strerror or error}"
            self._problems[path] = Problem("unreadable-folder", message, path or ".", hint=hint)
            return None
        self._folder_seen(path, facts, when=now)
        return subfolders

    def _compare(self, folder: Folder, path: str) -> tuple[list[str], list[str], list[str]]:
        """Return the names of changed notes, of subfolders, and of notes that are not listed any more."""
        known = self._shelf.folders.setdefault(path, {})
        changed: list[str] = []
        others: list[os.DirEntry[str]] = []
        met = 0
        with folder.scan() as entries:
            for entry in entries:
                was = known.get(entry.name)
                if was is None:
                    others.append(entry)
                    continue
                met += 1
                try:
                    now = entry.stat(follow_symlinks=False)
                except FileNotFoundError:
                    changed.append(entry.name)
                    continue
                facts = (now.st_ino, now.st_size, now.st_mtime_ns, now.st_ctime_ns)
                if (was.facts != facts and not _was_so(was, facts)) or was.racy:
                    changed.append(entry.name)
            new, subfolders = self._sort(others, path)
        if met == len(known):
            return changed + new, subfolders, []
        with folder.scan() as entries:
            return changed + new, subfolders, sorted(known.keys() - {entry.name for entry in entries})

    def _sort(self, entries: list[os.DirEntry[str]], path: str) -> tuple[list[str], list[str]]:
        """Return the names of new notes and of subfolders among entries that are not known."""
        new: list[str] = []
        subfolders: list[str] = []
        for entry in entries:
            name = entry.name
            if not name.isascii() and not _is_text(name):
                self._misnamed(path, name)
            elif entry.is_dir(follow_symlinks=False):
                if not is_hidden(name):
                    subfolders.append(name)
            elif is_temp(name):
                self.strays.append(f"{path}/{name}" if path else name)
            elif is_note(name) or (entry.is_symlink() and not is_hidden(name) and _leads_to_folder(entry)):
                new.append(name)
        return new, subfolders

    def _misnamed(self, path: str, name: str) -> None:
        shown = f"{path}/{name}" if path else name
        shown = shown.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
        self._problems[shown] = Problem("bad-name", "the name is no UTF-8; it is not read", shown, hint="rename it")

    # one file

    def _examine_at(self, locator: str) -> bool:
        """Look at one file by its path; return False when it is not there."""
        *parents, name = split(locator)
        try:
            with self._beneath.folder(parents) as folder:
                return self._examine(folder, name, locator)
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError:
            return True  # its folder cannot be read now: nothing is dropped

    def _examine(self, folder: Folder, name: str, locator: str) -> bool:
        try:
            reading = self._read(folder, name, locator)
        except FileNotFoundError:
            return False
        old = self._shelf.entry(locator)
        memory = reading.memory
        claim = memory.id if memory else ""
        bad = memory is None and bool(reading.problems) and not _is_skipped(reading)
        entry = entry_of(
            reading.facts, racy=reading.racy, revision=reading.revision, claim=claim, problems=reading.problems, bad=bad
        )
        if old is not None and _is_same(old, entry):
            old.facts, old.signature = entry.facts, entry.signature
            if old.racy != entry.racy:
                old.racy = entry.racy
                self._shelf.note(locator, old)
        else:
            self._shelf.set(locator, entry)
        self._keep(locator, reading)
        return True

    @staticmethod
    def _read(folder: Folder, name: str, locator: str) -> Reading:
        found = folder.stat(name)
        if stat.S_ISLNK(found.st_mode):
            return Reading(facts_of(found), False, problems=(link_problem(locator),))
        if is_conflict_copy(name):
            return Reading(facts_of(found), False, problems=(conflict_problem(locator),))
        reading = read(folder, name, locator=locator)
        if not reading.data and reading.racy and reading.facts[1] == 0:
            time.sleep(_NAP_SECONDS)  # opened for writing just now, most likely: give it a moment
            reading = read(folder, name, locator=locator)
        return reading

    def keep(self) -> None:
        """Keep the notes that are read from now on, as many as there is room for, until they are taken."""
        self._room = KEEP_BYTES

    def take(self) -> dict[str, Stored]:
        """Return the notes that were kept, by locator, and keep no more."""
        fresh, self._fresh, self._room = self._fresh, {}, 0
        return fresh

    def _keep(self, locator: str, reading: Reading) -> None:
        if reading.memory is not None and self._room >= len(reading.data):
            self._room -= len(reading.data)
            self._fresh[locator] = Stored(reading.memory, reading.revision, locator, reading.text)

    def _second_look(self, missing: list[str]) -> None:
        """Forget what is gone, after looking once more; in a folder that is being rewritten, after a moment."""
        gone = [locator for locator in missing if not self._examine_at(locator)]
        if gone and any(self._just_changed(locator.rpartition("/")[0]) for locator in gone):
            time.sleep(_NAP_SECONDS)
            gone = [locator for locator in gone if not self._examine_at(locator)]
        for locator in gone:
            self._shelf.remove(locator)
            self._fresh.pop(locator, None)

    def _just_changed(self, path: str) -> bool:
        facts = self._folder_facts.get(path)
        return facts is not None and facts[3] > time.time_ns() - _FRESH_NS

    # our own writing

    def wrote(self, locator: str, entry: Entry | None) -> None:
        """Take over what we wrote ourselves (None: removed), without looking."""
        self._fresh.pop(locator, None)
        if entry is not None:
            self._shelf.set(locator, entry)
        elif self._shelf.entry(locator) is not None:
            self._shelf.remove(locator)

    def settle(self, path: str) -> None:
        """Take the present listing of a folder for known, after we wrote in it."""
        try:
            self._folder_facts[path] = facts_of(os.lstat(os.path.join(self._beneath.path, path)))
        except OSError:
            self._folder_facts.pop(path, None)
            return
        self._shelf.folders.setdefault(path, {})
        self._racy_folders.add(path)


def _was_so(was: Entry, facts: Facts) -> bool:
    """Tell whether facts are those that an earlier process wrote down, and keep them."""
    if was.facts is not None or was.signature != signature_of(facts):
        return False
    was.facts = facts
    return True


def _is_same(old: Entry, new: Entry) -> bool:
    if old.bad != new.bad or old.problems != new.problems:
        return False
    return new.bad or (old.revision, old.claim) == (new.revision, new.claim)


def _is_skipped(reading: Reading) -> bool:
    return reading.problems[0].code in ("symlink", "conflict-copy", "not-a-file")


def _is_text(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _leads_to_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False
