"""What happened, kept beside the memories: an append-only file for each machine, and a few values.

Owns ``HOME/journal/MACHINE.jsonl`` and ``HOME/values.json``. Lines are only ever added, under a lock on the file
itself, each in one write; a torn last line is first ended, so that it spoils nothing but itself. Git and folder sync can
merge the files, since each machine writes its own. The name of the machine is random and lies in
``HOME/machine-HOST``, which git is told to ignore; where the whole folder is synced (Dropbox, Syncthing) each
host finds its own, for ``HOST`` is a hash of how the host is called.

Promises: values and set counters are on the disk when a call returns. Activities and single uses (``record``) tell of
memories that are on the disk already; they are handed to the system but not synced: they survive the death of the
process, and a power cut may lose the last seconds of them.
Knows nothing of notes.
"""

from __future__ import annotations

import json
import os
import platform
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice

from plainbrain.digests import blake2b
from plainbrain.errors import BrainError, InvalidField
from plainbrain.files.atomic import contents, discard, is_temp, publish, replace_file, sweep_left, write_all, write_temp
from plainbrain.files.beneath import Beneath, Folder, Parts
from plainbrain.files.counters import Counters, event_of_usage, event_of_use, read_from, used_ids
from plainbrain.files.events import decode, encode, whole_lines
from plainbrain.files.locks import FileLock, is_same_file, let_go, wait_for
from plainbrain.files.outcome import told
from plainbrain.model.change import Activity, Use, tells_of
from plainbrain.model.instants import parse_instant
from plainbrain.model.memory import Usage
from plainbrain.model.problem import Problem

_APPEND = os.O_RDWR | os.O_APPEND | os.O_CREAT
_MACHINE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}\Z")
_ENDING = ".jsonl"
#: Lines of uses in our own file before they are folded into totals.
FOLD_AFTER = 4000


class FileJournal:
    """The journal in the folder ``home`` beneath a root; ``lock`` guards the values."""

    def __init__(self, beneath: Beneath, home: Parts, *, lock: FileLock, machine: str = "") -> None:
        if machine and not _MACHINE.match(machine):
            raise InvalidField(f"{machine!r} cannot name a machine", value=machine, hint="use letters, digits, - and _")
        self._beneath = beneath
        self._home = home
        self._folder = (*home, "journal")
        self._lock = lock
        self._machine = machine
        self._counters = Counters()
        self._turn = threading.RLock()
        self._is_named = self._is_swept = False

    # activities

    def append(self, activities: Sequence[Activity]) -> None:
        """Add activities, oldest first; they outlive the process. Raise ReadOnly, Busy or NoRoom."""
        self.record((), activities=activities)

    def read(self, *, limit: int | None = None, action: str = "", id: str = "") -> list[Activity]:
        """Return activities newest first: of one machine in the order they were written, of several by their time."""
        wanted = None if limit is None else max(0, limit)
        per_file = [
            list(islice(self._activities(folder, name, action, id), wanted))
            for folder, names in self._files()
            for name in sorted(names)
        ]
        merged = [activity for found in per_file for activity in found]
        if len(per_file) > 1:
            merged.sort(key=lambda a: -1 if a.at.ms is None else a.at.ms, reverse=True)
        return merged[:wanted]

    @staticmethod
    def _activities(folder: Folder, name: str, action: str, id: str) -> Iterator[Activity]:
        lines = list(whole_lines(read_from(folder, name, 0)))
        for _, line in reversed(lines):
            if line.startswith(b'{"type":"activity"') and (event := decode(line)):
                found = Activity(
                    parse_instant(str(event.get("at", ""))),
                    *(str(event.get(key, "")) for key in ("action", "id", "detail")),
                )
                if (not action or found.action == action) and (not id or found.id == id):
                    yield found

    # counters

    def record(self, uses: Sequence[Use], *, activities: Sequence[Activity] = ()) -> None:
        """Add to counters, and activities, all or none. Raise ReadOnly, Busy or NoRoom."""
        lines = [encode(event_of_use(use)) for use in uses]
        lines += [
            encode({"type": "activity", "at": a.at.iso(), "action": a.action, "id": a.id, "detail": a.detail})
            for a in activities
        ]
        if lines:
            self._add(b"".join(lines), durable=False)

    def set_usages(self, wanted: Mapping[str, Usage]) -> None:
        """Make the totals of memories what is ``wanted``, where they differ. Raise ReadOnly, Busy or NoRoom."""
        with self._turn:
            self._refresh()
            differing = {id: usage for id, usage in wanted.items() if self._counters.of(id) != usage}
            if differing:
                own = self._own_name()
                events = [
                    event_of_usage(id, usage, others=self._counters.without(own, id)) for id, usage in differing.items()
                ]
                self._add(b"".join(map(encode, events)), durable=True)

    def usages(self, ids: Sequence[str]) -> dict[str, Usage]:
        """Return how memories served, those that did."""
        with self._turn:
            self._refresh()
            return {id: usage for id in ids if (usage := self._counters.of(id)) != Usage()}

    def token(self) -> str:
        """Return how far the journal goes now, for ``used_since``."""
        return next((_marks(names) for _, names in self._files()), "")

    def used_since(self, token: str) -> tuple[set[str], str]:
        """Return the ids whose counters moved after ``token``, and the token from which to ask on.

        Of a file that was rewritten, all that it counts comes back.
        """
        before = {}
        for word in token.split(","):
            name, _, place = word.partition(":")
            before[name] = place
        found: set[str] = set()
        token = ""
        with self._turn:
            for folder, names in self._files():
                token = _marks(names)
                for name, (file, size) in names.items():
                    then_file, _, offset = before.get(name, "").partition(":")
                    if then_file == f"{file:x}" and (start := int(offset, 16)) <= size:
                        found.update(used_ids(read_from(folder, name, start)) if start < size else ())
                    else:
                        found.update(used_ids(read_from(folder, name, 0)))
        return found, token

    def _refresh(self) -> None:
        for folder, names in self._files():
            with told("/".join(self._folder), "read"):
                self._counters.refresh(folder, names)

    # values

    def values(self) -> Mapping[str, str]:
        """Return the brain's values; an absent one was never set. A file that is not whole counts as empty and is a problem."""
        try:
            with self._beneath.folder(self._home) as folder:
                raw = contents(folder, "values.json")
        except OSError:
            return {}
        try:
            found = json.loads(raw or b"{}")
        except (ValueError, RecursionError):
            return {}
        return {str(key): str(value) for key, value in found.items()} if isinstance(found, dict) else {}

    def update(self, change: Callable[[Mapping[str, str]], Mapping[str, str]]) -> Mapping[str, str]:
        """Replace the values by ``change(values)`` under the lock and return them. Raise ReadOnly, Busy or NoRoom."""
        with self._lock.hold():
            values = dict(change(self.values()))
            data = json.dumps(values, ensure_ascii=True, indent=1, sort_keys=True).encode("ascii") + b"\n"
            with told("/".join((*self._home, "values.json")), "write"), self._beneath.folder_made(self._home) as folder:
                replace_file(folder, "values.json", data)
            return values

    # forgetting and folding

    def forget(self, id: str, texts: Sequence[str] = ()) -> None:
        """Take every line that names a memory, or holds one of ``texts``, out of the files of all machines. Raise ReadOnly, Busy or NoRoom."""
        for folder, names in self._files():
            for name in names:
                self._rewrite(folder, name, lambda lines: [line for line in lines if not _names(line, id, texts)])

    def fold(self) -> None:
        """Fold the uses in our own file into one total for each memory, once there are many. Raise as ``record``."""
        with self._turn:
            self._refresh()
            own = self._own_name()
            if self._counters.uses_in(own) - len(self._counters.totals_in(own)) < FOLD_AFTER:
                return
            for folder, names in self._files():
                if own in names:
                    self._rewrite(folder, own, self._folded)

    @staticmethod
    def _folded(lines: list[bytes]) -> list[bytes]:
        counters = Counters()
        counters.take("", lines)
        kept = [line for line in lines if (event := decode(line)) is None or event["type"] not in ("use", "usage_set")]
        totals = [encode(event_of_usage(id, usage, others=Usage())) for id, usage in counters.totals_in("").items()]
        return kept + [line.rstrip(b"\n") for line in totals]

    def _rewrite(self, folder: Folder, name: str, change: Callable[[list[bytes]], list[bytes]]) -> None:
        with told("/".join((*self._folder, name)), "write"), self._locked(folder, name, os.O_RDWR):
            data = contents(folder, name) or b""
            lines = [line for line in data.split(b"\n") if line]
            kept = change(lines)
            if kept != lines:
                replace_file(folder, name, b"".join(line + b"\n" for line in kept))
            with folder.scan() as entries:
                strays = [entry.name for entry in entries if is_temp(entry.name)]
            for stray in strays:
                discard(folder, stray)  # of a rewriting that died

    # files

    def _files(self) -> Iterator[tuple[Folder, dict[str, tuple[int, int]]]]:
        """Yield the open folder with the number and size of each journal file; nothing when there is no folder yet."""
        try:
            folder = self._beneath.folder(self._folder)
        except OSError:
            return
        with folder:
            names = {}
            with folder.scan() as entries:
                for entry in entries:
                    if entry.name.endswith(_ENDING) and entry.is_file(follow_symlinks=False):
                        facts = entry.stat(follow_symlinks=False)
                        names[entry.name] = (facts.st_ino, facts.st_size)
            yield folder, names

    def _add(self, data: bytes, *, durable: bool) -> None:
        name = self._own_name()
        with told("/".join((*self._folder, name)), "write"), self._beneath.folder_made(self._folder) as folder:
            is_new = not folder.has(name)
            with self._locked(folder, name, _APPEND) as fd:
                end = os.fstat(fd).st_size
                torn = end > 0 and _last_byte(fd, end) != b"\n"
                try:
                    write_all(fd, b"\n" + data if torn else data)
                    if durable:
                        os.fsync(fd)
                    if is_new or (durable and not self._is_named):
                        folder.sync()  # also for one who made the file and died before
                        self._is_named = True
                except OSError:
                    os.ftruncate(fd, end)  # nobody was told that it is there
                    raise
                if not self._is_swept:
                    sweep_left(folder, os.fstat(fd).st_mtime)  # of rewritings that died
                    self._is_swept = True

    @staticmethod
    @contextmanager
    def _locked(folder: Folder, name: str, flags: int) -> Iterator[int]:
        while True:
            fd = folder.open(name, flags, 0o600)
            try:
                wait_for(fd, path=name)
                if is_same_file(fd, folder, name):
                    try:
                        yield fd
                    finally:
                        let_go(fd)
                    return
            finally:
                os.close(fd)

    def _own_name(self) -> str:
        if not self._machine:
            self._machine = self._machine_on_disk()
        return self._machine + _ENDING

    def _machine_on_disk(self) -> str:
        name = f"machine-{blake2b(platform.node().encode('utf-8', 'surrogateescape'), digest_size=4).hexdigest()}"
        with told("/".join((*self._home, name)), "write"), self._beneath.folder_made(self._home) as folder:
            for _ in range(8):
                there = contents(folder, name)
                found = (there or b"").decode("ascii", "replace").strip()
                if _MACHINE.match(found):
                    return found
                if there is not None:
                    discard(folder, name)  # empty or spoilt: it names nobody
                temp = write_temp(folder, os.urandom(6).hex().encode("ascii") + b"\n")
                # Another process was first: its name is taken at the next look. Or another one that opened
                # the vault swept our draft away as a dead writer's: then once more.
                with suppress(FileExistsError, FileNotFoundError):
                    publish(folder, temp, name)
                discard(folder, temp)
            return (contents(folder, name) or b"unnamed").decode("ascii").strip()

    @property
    def machine(self) -> str:
        """The name of this machine, made at the first need. Raise ReadOnly, NoRoom or a StoreError."""
        return self._own_name().removesuffix(_ENDING)

    def problems(self) -> list[Problem]:
        """Return the damaged lines of all files and values that cannot be read."""
        with self._turn:
            try:
                self._refresh()
            except BrainError as error:
                return [Problem("unreadable", str(error), "/".join(self._folder), hint=error.hint)]
            return self._counters.problems("/".join(self._folder))


def _marks(names: Mapping[str, tuple[int, int]]) -> str:
    return ",".join(f"{name}:{file:x}:{size:x}" for name, (file, size) in sorted(names.items()))


def _last_byte(fd: int, end: int) -> bytes:
    os.lseek(fd, end - 1, os.SEEK_SET)
    return os.read(fd, 1)


def _names(line: bytes, id: str, texts: Sequence[str]) -> bool:
    """Tell whether a line is about a memory, or tells of it."""
    event = decode(line)
    if event is None:
        return tells_of(line.decode("utf-8", "replace"), id, texts) or json.dumps(id)[1:-1].encode("ascii") in line
    return event.get("id") == id or tells_of(str(event.get("detail", "")), id, texts)
