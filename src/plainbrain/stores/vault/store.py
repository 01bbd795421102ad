"""The vault store: a folder of Markdown notes under the contract of ``ports.Store``.

Owns the order of things: look at the folder, take the lock, write, tell the shelf. The files are the truth; what this
process knows of them is checked against the disk at every call. Opening and reading create nothing. Knows no index.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from plainbrain.errors import Damaged, Gone, NoBrain, NotFound, StoreError
from plainbrain.files.batch import has_intent
from plainbrain.files.beneath import Beneath, make_folder, split
from plainbrain.files.journal import FileJournal
from plainbrain.files.locks import WAIT_SECONDS, FileLock
from plainbrain.files.outcome import change_of, standing, told
from plainbrain.model.change import Activity, Change, Use, ids_of
from plainbrain.model.memory import Usage
from plainbrain.model.problem import Problem
from plainbrain.ports import Changes, Mark, Seen, Stored, Traits
from plainbrain.stores.vault.names import HOME
from plainbrain.stores.vault.reading import Reading, closed_folder, read
from plainbrain.stores.vault.scan import Scanner
from plainbrain.stores.vault.shelf import Entry, Shelf
from plainbrain.stores.vault.writing import Writer

if TYPE_CHECKING:
    from plainbrain.files.watch import Watch


def create_vault(root: Path) -> None:
    """Make the folder of a vault (0700), and those above it, if it is not there. Raise ReadOnly, NoRoom or StoreError."""
    with told(str(root), "make"):
        make_folder(root)


class VaultStore:
    """Keep memories as notes in the folder ``root``, which must exist (NoBrain).

    ``machine`` names this machine in the journal; without it the name lies in the vault (see ``files/journal``).
    """

    def __init__(self, root: Path, *, machine: str = "", wait_seconds: float = WAIT_SECONDS) -> None:
        if not root.is_dir():
            raise NoBrain(f"there is no folder {root}", value=str(root), hint="make it, or name another one")
        self._beneath = Beneath(root)
        self._lock = FileLock(self._beneath, (*HOME, "lock"), wait_seconds=wait_seconds)
        self._shelf = Shelf()
        self._scanner = Scanner(self._beneath, self._shelf)
        self._journal = FileJournal(self._beneath, HOME, lock=self._lock, machine=machine)
        self._writer = Writer(self._beneath, self._shelf, self._scanner, self._lock)
        self._turn = threading.RLock()
        self._watch: Watch | None = None
        self._looked = self._told = False
        self._place: tuple[int, int] | None = None
        self._session = os.urandom(6).hex()

    @property
    def url(self) -> str:
        return f"vault:{self._beneath.path}"

    @property
    def root(self) -> Path:
        """The real path of the folder."""
        return Path(self._beneath.path)

    @property
    def traits(self) -> Traits:
        return Traits(
            kind="vault", slug_ids=True, writable=os.access(self._beneath.path, os.W_OK | os.X_OK), folder=True
        )

    @property
    def journal(self) -> FileJournal:
        return self._journal

    # looking

    def _look(self) -> None:
        """Bring the shelf up to the folder, finishing first what a killed process left. Raise Gone."""
        self._stand_by()
        if has_intent(self._beneath, HOME):
            with suppress(StoreError):  # read-only, or somebody is at it: the notes are read as they are
                self._writer.finish()
        touched = self._watch.drain() if self._watch is not None else None
        try:
            if touched is None or not self._told:
                self._scanner.scan()
            else:
                self._scanner.touch(touched)
        except FileNotFoundError as error:
            raise self._gone() from error
        if not self._looked and self._scanner.strays:
            with suppress(StoreError):  # a writer is at work, or we may not write: they do no harm
                self._writer.sweep()
        self._looked = True
        self._told = self._watch is not None

    def _stand_by(self) -> None:
        """Raise Gone while the folder is not there; begin a new watch where it came back, or another took its place."""
        try:
            facts = os.stat(os.path.join(self._beneath.path, ""))
        except PermissionError:
            return  # it is there, and what can be known of it is kept
        except OSError as error:
            raise self._gone() from error
        place, self._place = self._place, (facts.st_dev, facts.st_ino)
        if self._watch is not None and (self._watch.lost or place != self._place):
            self._watch.close()
            self._watch = self._open_watch()
            self._told = False

    def _gone(self) -> Gone:
        self._place = None  # whatever is there next is looked at as if never seen
        hint = "was it moved, or is its disk not mounted? Bring it back and ask again"
        return Gone(f"the folder {self._beneath.path} is gone", value=self._beneath.path, hint=hint)

    def _open_watch(self) -> Watch | None:
        from plainbrain.files.watch import open_watch

        return open_watch(self._beneath.path)

    def watch(self) -> None:
        """Have the system tell of changes from now on, so that a look need not go through every folder.

        Where it cannot (other systems than Linux, too many watches), every look goes on scanning.
        """
        with self._turn:
            if self._watch is None:
                self._watch = self._open_watch()
                self._told = False

    def _known(self) -> None:
        if not self._looked:
            self._look()

    def listing(self) -> Iterator[tuple[str, str]]:
        with self._turn:
            self._look()
            found = [(entry.id, entry.revision) for _, entry in self._shelf.entries() if entry.id and not entry.bad]
        return iter(found)

    def get(self, id: str) -> Stored:
        with self._turn:
            self._known()
            found = self._find(id)
            if found is None:
                self._look()
                found = self._find(id)
            if found is None:
                raise NotFound(f"no memory {id!r}", value=id, hint="look for it with `brain search`")
            return self._used([found])[0]

    def get_many(self, ids: Sequence[str]) -> dict[str, Stored]:
        with self._turn:
            self._stand_by()
            self._known()
            looked = False
            found: list[tuple[str, Stored]] = []
            for id in ids:
                one = self._attempt(id)
                if one is None and not looked:
                    looked = True
                    self._look()
                    one = self._attempt(id)
                if one is not None:
                    found.append((id, one))
            used = self._used([one for _, one in found])
            return {id: one for (id, _), one in zip(found, used, strict=True)}

    def _attempt(self, id: str) -> Stored | None:
        try:
            return self._find(id)
        except (NotFound, Damaged):
            return None  # ambiguous or not readable: the problems say so

    def _find(self, id: str) -> Stored | None:
        """Return the note of that id as it is on the disk now; None when it is not known or was changed into another."""
        found = self._shelf.find(id)
        if found is None:
            return None
        locator, entry = found
        reading = self._read(locator)
        if reading is None:
            return None
        if reading.memory is None:
            raise _damaged(id, reading)
        return (
            self._stored(locator, entry, reading) if reading.memory.id == (entry.claim or reading.memory.id) else None
        )

    def _read(self, locator: str) -> Reading | None:
        *parents, name = split(locator)
        try:
            with self._beneath.folder(parents) as folder:
                return read(folder, name, locator=locator)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            return closed_folder(locator, error)

    @staticmethod
    def _stored(locator: str, entry: Entry, reading: Reading) -> Stored:
        assert reading.memory is not None
        memory = reading.memory if reading.memory.id == entry.id else replace(reading.memory, id=entry.id)
        return Stored(memory, reading.revision, locator, reading.text)

    def _used(self, found: list[Stored]) -> list[Stored]:
        """Fold the counters in."""
        usages = self._journal.usages([one.memory.id for one in found])
        return [_with_usage(one, usages.get(one.memory.id)) for one in found]

    # writing

    def apply(self, changes: Sequence[Change], *, activities: Sequence[Activity] = ()) -> list[str]:
        with self._turn:
            self._stand_by()
            self._known()
            revisions, usages = self._writer.apply(changes)
            with standing(change_of(ids_of(changes)), missing="its line in the journal", revisions=revisions):
                if usages:
                    self._journal.set_usages(usages)
                if changes and activities:
                    self._journal.append(activities)
            return revisions

    def record(self, uses: Sequence[Use], *, activities: Sequence[Activity] = ()) -> None:
        with self._turn:
            self._known()
            if not all(self._shelf.has(use.id) for use in uses):
                self._look()
            known = [use for use in uses if self._shelf.has(use.id)]
            self._journal.record(known, activities=activities)
            with suppress(StoreError):  # what was used is kept; there is time to fold it
                self._journal.fold()

    # telling

    def changes_since(self, mark: Mark) -> Changes:
        with self._turn:
            session, _, rest = mark.token.partition(":")
            tick, _, read_to = rest.partition(":")
            seen = mark.recall_seen() if mark.token and session != self._session else None
            if seen:
                self._shelf.remember(seen)
            self._scanner.keep()
            self._look()
            fresh = self._scanner.take()
            used, told = self._journal.used_since(read_to) if mark.token else (set(), self._journal.token())
            token = f"{self._session}:{self._shelf.tick}:{told}"
            if seen is None and mark.token:
                return self._since(int(tick), token, fresh, used)
            return self._against(seen or {}, token, fresh, used, everything=not mark.token)

    def _since(self, tick: int, token: str, fresh: dict[str, Stored], used: set[str]) -> Changes:
        noted, gone, unseen = self._shelf.since(tick)
        new = [(locator, entry) for locator, entry in noted if entry.tick > tick]
        return self._changes(token, new, noted, fresh, used, gone, unseen)

    def _against(
        self, seen: Mapping[str, Seen], token: str, fresh: dict[str, Stored], used: set[str], *, everything: bool
    ) -> Changes:
        different, gone, unseen = self._shelf.against(seen)
        new = [(locator, entry) for locator, entry, is_new in different if is_new]
        noted = [(locator, entry) for locator, entry, _ in different]
        changes = self._changes(token, new, noted, fresh, used, gone, unseen)
        return replace(changes, everything=True) if everything else changes

    def _changes(
        self,
        token: str,
        new: list[tuple[str, Entry]],
        noted: list[tuple[str, Entry]],
        fresh: dict[str, Stored],
        used: set[str],
        gone: list[str],
        unseen: list[str],
    ) -> Changes:
        readable = [(locator, entry) for locator, entry in new if entry.id and not entry.bad]
        changed = {entry.id for _, entry in readable}
        return Changes(
            token,
            stored=_Stream(self, readable, fresh) if readable else (),
            gone=tuple(gone),
            seen=tuple(self._shelf.seen(locator, entry) for locator, entry in noted),
            unseen=tuple(unseen),
            used=tuple(sorted(id for id in used if id not in changed and self._shelf.has(id))),
            problems=tuple(self._scanner.problems()),
        )

    def problems(self) -> list[Problem]:
        with self._turn:
            self._look()
            found = [*self._scanner.problems(), *self._journal.problems()]
            for locator, entry in self._shelf.entries():
                found += self._shelf.seen(locator, entry).problems
            return sorted(found, key=lambda problem: (problem.path, problem.line, problem.code))

    def close(self) -> None:
        with self._turn:
            self._lock.close()
            if self._watch is not None:
                self._watch.close()
                self._watch = None


class _Stream:
    """The changed notes, read as they are asked for (those that were read a moment ago are at hand)."""

    def __init__(self, store: VaultStore, entries: list[tuple[str, Entry]], fresh: dict[str, Stored]) -> None:
        self._store = store
        self._entries = entries
        self._fresh = fresh

    def __iter__(self) -> Iterator[Stored]:
        store = self._store
        usages = store.journal.usages([entry.id for _, entry in self._entries])
        for locator, entry in self._entries:
            one = self._fresh.get(locator)
            if one is None:
                reading = store._read(locator)
                if reading is None or reading.memory is None:
                    continue  # changed again since: the next call tells
                one = store._stored(locator, entry, reading)
            elif one.memory.id != entry.id:
                one = replace(one, memory=replace(one.memory, id=entry.id))
            yield _with_usage(one, usages.get(entry.id))


def _with_usage(one: Stored, usage: Usage | None) -> Stored:
    return one if usage is None else replace(one, memory=replace(one.memory, usage=usage))


def _damaged(id: str, reading: Reading) -> Damaged:
    problem = reading.problems[0]
    hint = problem.hint or "mend the file by hand"
    return Damaged(f"the note of {id!r} cannot be read: {problem.where}: {problem.message}", value=id, hint=hint)
