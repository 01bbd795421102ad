"""The store in agent-brain's ``memory.json``.

Owns reading and writing memories as entries of one JSON file. Each write makes a whole new file, on the disk
before it takes the old one's name, under a lock between processes, and only when nobody without the lock
(agent-brain itself) wrote meanwhile. A file that is not whole is never written to. Schema v2 and v3 are read as
they are and brought up to v4 by the first write, the old file kept beside. What an entry is, ``notation/entry.py``
knows; how the file's text is handled, ``document``.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from plainbrain.errors import Damaged, InvalidId, NotFound, ReadOnly
from plainbrain.files.atomic import discard, sweep_left, write_temp
from plainbrain.files.beneath import Beneath, Folder, make_folder, read_file
from plainbrain.files.locks import WAIT_SECONDS, FileLock
from plainbrain.files.outcome import told
from plainbrain.model.change import Activity, Change, Put, Use, add_use
from plainbrain.model.problem import Problem
from plainbrain.notation.entry import entry_of, memory_of
from plainbrain.ports import Changes, Mark, Stored, Traits
from plainbrain.stores.json.changes import changes_since, problems_of_entry, revision_of_entry, stored_of_entry
from plainbrain.stores.json.document import VERSION, Document, Edit, edited, migrated, new_document
from plainbrain.stores.json.journal import JsonJournal, edit_of_activities
from plainbrain.stores.json.reading import read_document
from plainbrain.stores.json.rope import Rope
from plainbrain.stores.migration import Migration, keep_backup
from plainbrain.stores.revision import check_expecting

_WHOLE = 1 << 40
Moment = tuple[int, int, int, int]


class JsonStore:
    """Hold memories in the JSON file ``path``; nothing is made before the first write."""

    def __init__(self, path: str | os.PathLike[str], *, wait_seconds: float = WAIT_SECONDS) -> None:
        self._path = os.path.realpath(path)
        self._folder, self._name = os.path.split(self._path)
        beneath = Beneath(self._folder)
        self._lock = FileLock(beneath, (f".{self._name}.lock",), wait_seconds=wait_seconds)
        self._beneath = beneath
        self._turn = threading.RLock()
        self._known: tuple[Moment, Document, os.stat_result] | None = None
        self._swept = False
        self._migration: Migration | None = None
        self._journal = JsonJournal(self._load, self._write)

    @property
    def url(self) -> str:
        """``json:`` and the real path."""
        return f"json:{self._path}"

    @property
    def traits(self) -> Traits:
        """Facts about this store."""
        return Traits(kind="json")

    @property
    def journal(self) -> JsonJournal:
        """The activity log and the top-level values."""
        return self._journal

    def prepare(self) -> Migration | None:
        """Bring an older schema up to v4, unless a write did already; tell, once, what was done.

        Raise Busy, ReadOnly, NoRoom or Damaged.
        """
        with self._turn:
            document = self._load()
            if document is not None and document.version < VERSION:
                self._write(lambda _: Edit())
            done, self._migration = self._migration, None
            return done

    def is_behind(self) -> bool:
        """Tell whether an older program wrote it, in an earlier schema."""
        document = self._load()
        return document is not None and document.version < VERSION

    # reading

    def _load(self) -> Document | None:
        with self._turn:
            try:
                moment = _moment(os.stat(self._path))
            except FileNotFoundError:
                self._known = None
                return None
            except OSError:
                moment = None  # what is wrong with it is told by the reading
            if self._known is None or self._known[0] != moment:
                self._known = self._read()
            return self._known[1] if self._known else None

    def _read(self, tries: int = 4) -> tuple[Moment, Document, os.stat_result] | None:
        with told(self._path, "read"):
            try:
                with self._beneath.root() as folder:
                    text, facts = read_file(folder, self._name, _WHOLE)
            except FileNotFoundError:
                return None
        try:
            return _moment(facts), read_document(text, path=self._path), facts
        except Damaged:
            # agent-brain writes in place: what was seen may be half of it
            if tries and _moment(os.stat(self._path)) != _moment(facts):
                return self._read(tries - 1)
            raise

    def listing(self) -> Iterator[tuple[str, str]]:
        """Yield ids and revisions, in the order of the file."""
        document = self._load()
        if document is None:
            return iter(())
        return iter([(id, revision_of_entry(entry)) for id, entry in document.entries()])

    def get(self, id: str) -> Stored:
        """Return one memory. Raise NotFound."""
        found = self.get_many([id])
        if id not in found:
            raise NotFound(f"no memory {id!r}", value=id, hint="look for it with `brain search`")
        return found[id]

    def get_many(self, ids: Sequence[str]) -> dict[str, Stored]:
        """Return those of ``ids`` that are there."""
        document = self._load()
        if document is None:
            return {}
        document.get_ready(len(ids))
        entries = {id: document.entry(id) for id in ids}
        return {id: stored_of_entry(entry) for id, entry in entries.items() if entry is not None}

    def changes_since(self, mark: Mark) -> Changes:
        """Tell what is different: nothing is read while the file is the same, little when only we wrote."""
        return changes_since(self._load(), mark, path=self._path)

    def problems(self) -> list[Problem]:
        """Return what is wrong with the file and with single entries. Reads everything."""
        try:
            document = self._load()
        except Damaged as error:
            return [Problem("damaged-store", str(error), self._path, hint=error.hint)]
        if document is None:
            return []
        found = list(document.problems)
        if document.version > VERSION:
            found.append(
                Problem("newer-schema", f"schema version {document.version} is newer than {VERSION}", self._path)
            )
        return found + [
            problem for _, entry in document.entries() for problem in problems_of_entry(entry, path=self._path)
        ]

    # writing

    def _write(self, make: Callable[[Document], Edit]) -> Document:
        """Make an edit of the present document under the lock and write it whole; return the new document."""
        with self._turn, told(self._path, "write"):
            make_folder(self._folder)
            with self._lock.hold(), self._beneath.root() as folder:
                while True:
                    before = self._load()
                    facts = self._known[2] if self._known else None
                    document = self._ready(before or new_document(), folder, facts)
                    after, text = edited(document, make(document))
                    if self._replace(folder, text, facts):
                        self._known = (_moment(facts := folder.stat(self._name)), after, facts)
                        return after

    def _ready(self, document: Document, folder: Folder, facts: os.stat_result | None) -> Document:
        if document.version > VERSION:
            raise ReadOnly(
                f"{self._path} has schema version {document.version}, and this program writes {VERSION}",
                value=document.version,
                hint="bring Plainbrain up to date; reading goes on",
            )
        if document.version == VERSION or document.fresh:
            return document
        text, _ = read_file(folder, self._name, _WHOLE)
        backup = os.path.join(self._folder, keep_backup(folder, text, f"{self._name}.bak", like=facts))
        self._migration = Migration(len(document.places), backup, ("Migrated memory to v4",), document.problems)
        return migrated(document)

    def _replace(self, folder: Folder, text: Rope, facts: os.stat_result | None) -> bool:
        """Put the new file in place of the one that was read; False when somebody else wrote meanwhile."""
        temp = write_temp(folder, *text.views(), like=facts)
        try:
            self._sweep(folder, temp)
            if (_moment(facts) if facts else None) != _moment_in(folder, self._name):
                discard(folder, temp)
                return False
            folder.rename(temp, self._name)
        except BaseException:
            discard(folder, temp)
            raise
        folder.sync()
        return True

    def _sweep(self, folder: Folder, mine: str) -> None:
        """Remove, once, temporary files that writers left behind when they died."""
        if self._swept:
            return
        self._swept = True
        sweep_left(folder, folder.stat(mine).st_mtime)

    def apply(self, changes: Sequence[Change], *, activities: Sequence[Activity] = ()) -> list[str]:
        """Write all changes or none, activities with them, in one new file; return the new revisions."""
        if not changes:
            return []
        revisions: list[str] = []

        def make(document: Document) -> Edit:
            edit = edit_of_activities(document, activities)
            revisions[:] = [_change(document, edit, change) for change in changes]
            return edit

        self._write(make)
        return revisions

    def record(self, uses: Sequence[Use], *, activities: Sequence[Activity] = ()) -> None:
        """Add to counters, an unknown id being passed over, and activities to the log, in one new file."""
        document = self._load()
        if not activities and (document is None or not any(document.has(use.id) for use in uses)):
            return

        def make(document: Document) -> Edit:
            edit = edit_of_activities(document, activities)
            for use in uses:
                entry = edit.used.get(use.id) or document.entry(use.id)
                if entry is not None:
                    memory, _ = memory_of(entry)
                    edit.used[use.id] = entry_of(replace(memory, usage=add_use(memory.usage, use)), base=entry)
            return edit

        self._write(make)

    def close(self) -> None:
        """Let go of the lock file and of what was read."""
        with self._turn:
            self._lock.close()
            self._known = None


def _change(document: Document, edit: Edit, change: Change) -> str:
    id = change.memory.id if isinstance(change, Put) else change.id
    if not id:
        raise InvalidId("a memory needs an id", value=id)
    there = edit.changed[id] if id in edit.changed else document.entry(id)
    check_expecting(id, None if there is None else revision_of_entry(there), change.expecting)
    if isinstance(change, Put):
        entry = entry_of(change.memory, base=there)
        edit.changed[id] = entry
        return revision_of_entry(entry)
    if there is None:
        raise NotFound(f"no memory {id!r}", value=id, hint="look for it with `brain search`")
    edit.changed[id] = None
    return ""


def _moment(facts: os.stat_result) -> Moment:
    return facts.st_ino, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns


def _moment_in(folder: Folder, name: str) -> Moment | None:
    try:
        return _moment(folder.stat(name))
    except FileNotFoundError:
        return None
