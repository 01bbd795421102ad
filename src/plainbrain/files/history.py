"""Earlier versions, kept beside the memories so that an operation can be taken back: one append-only file for each machine.

Owns ``HOME/history/MACHINE.jsonl``. A record is written before the operation and marked as done after it. Promises
that the file is bounded (the oldest operations go, each whole; the last one stays whatever its length), that a torn line spoils nothing but itself, and that ``forget`` takes every
trace of a memory out. Handed to the system, not synced: after a power cut the last seconds may not be undone.
Knows nothing of memories: a version is a JSON object.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from plainbrain.files.atomic import contents, replace_file, sweep_left, write_all
from plainbrain.files.beneath import Beneath, Folder, Parts, make_folder
from plainbrain.files.locks import is_same_file, let_go, wait_for
from plainbrain.files.outcome import told
from plainbrain.model.jsontext import json_text
from plainbrain.records import record

_APPEND = os.O_RDWR | os.O_APPEND | os.O_CREAT
#: Above this size the operations of the older half go.
LARGEST = 16 << 20
Json = Mapping[str, Any]


@record(frozen=True, slots=True)
class Before:
    """One memory that an operation changed: what it was (None: nothing), and its revision after (``""``: none)."""

    id: str
    version: Json | None
    after: str = ""


@record(frozen=True, slots=True)
class Operation:
    """One operation that was done: its key, when, in what words, and what it changed, in order."""

    key: str
    at: str
    told: str
    changes: tuple[Before, ...]


def new_key() -> str:
    """Return a fresh key for an operation."""
    return os.urandom(8).hex()


class FileHistory:
    """Keep versions in ``home/history/name.jsonl`` beneath ``root``; ``name`` is asked for when it is needed."""

    def __init__(self, root: str, home: Parts, *, name: Callable[[], str]) -> None:
        self._root = root
        self._folder = (*home, "history")
        self._name = name
        self._is_swept = False

    def begin(self, key: str, *, at: str, told: str, before: Mapping[str, tuple[str, Json] | None]) -> None:
        """Keep what is about to be changed: revision and version by id, None where nothing is. Raise ReadOnly, NoRoom or a StoreError."""
        versions = {id: None if found is None else found[1] for id, found in before.items()}
        was = {id: found[0] for id, found in before.items() if found is not None}
        self._add({"op": key, "at": at, "told": told, "before": versions} | ({"was": was} if was else {}))

    def finish(self, key: str, after: Mapping[str, str]) -> None:
        """Say that an operation was done, with the revisions it left. Raise as ``begin``."""
        self._add({"op": key, "after": dict(after)})

    def mark_undone(self, key: str, now: Mapping[str, str]) -> None:
        """Say that an operation was taken back, with the revisions that left. Raise as ``begin``."""
        self._add({"op": key, "undone": dict(now)})

    def last(self) -> Operation | None:
        """Return the newest operation that was done and not taken back."""
        lines = list(self._lines())
        undone = {line["op"] for line in lines if "undone" in line}
        done = [line["op"] for line in lines if "after" in line and line["op"] not in undone]
        if not done:
            return None
        key = done[-1]
        mine = [line for line in lines if line["op"] == key]
        begun = [line for line in mine if "before" in line]
        same = _restored(lines)
        after = {id: revision for line in mine for id, revision in line.get("after", {}).items()}
        after = {id: same.get((id, revision), revision) for id, revision in after.items()}
        first_of: dict[str, Before] = {}  # what it wrote more than once goes back to what it was before all of it
        for id, version in ((id, version) for line in begun for id, version in line["before"].items()):
            if id in after:
                first_of.setdefault(id, Before(id, version, after[id]))
        first: Json = begun[0] if begun else {}
        return Operation(key, str(first.get("at", "")), str(first.get("told", "")), tuple(first_of.values()))

    def forget(self, id: str) -> None:
        """Take every version of a memory out. Raise as ``begin``."""

        def without(line: dict[str, Any]) -> dict[str, Any]:
            kept = dict(line)
            for part in ("before", "was", "after", "undone"):
                if id in line.get(part, {}):
                    kept[part] = {key: value for key, value in line[part].items() if key != id}
            return kept | ({"told": ""} if id in str(line.get("told", "")) else {})

        self._rewrite(lambda lines: [without(line) for line in lines])

    def knows(self, id: str) -> bool:
        """Tell whether versions of a memory are kept."""
        return any(id in line.get("before", {}) for line in self._lines())

    # the file

    def _add(self, line: Json) -> None:
        data = json_text(line, compact=True).encode("utf-8", "replace") + b"\n"
        make_folder(self._root)
        name = self._file()
        with (
            told("/".join((*self._folder, name)), "write"),
            Beneath(self._root).folder_made(self._folder) as folder,
            _locked(folder, name) as fd,
        ):
            end = os.fstat(fd).st_size
            torn = end > 0 and _last(fd, end) != b"\n"
            try:
                write_all(fd, b"\n" + data if torn else data)
            except OSError:
                os.ftruncate(fd, end)
                raise
            if not self._is_swept:
                sweep_left(folder, os.fstat(fd).st_mtime)  # of rewritings that died
                self._is_swept = True
        if end + len(data) > LARGEST:
            self._rewrite(_newer_half)

    def _file(self) -> str:
        return f"{self._name()}.jsonl"

    def _lines(self) -> Iterator[dict[str, Any]]:
        try:
            with Beneath(self._root).folder(self._folder) as folder:
                data = contents(folder, self._file()) or b""
        except OSError:
            return  # nothing was kept yet
        yield from _parsed(data)

    def _rewrite(self, change: Callable[[list[dict[str, Any]]], Sequence[Json]]) -> None:
        name = self._file()
        try:
            folder = Beneath(self._root).folder(self._folder)
        except OSError:
            return  # nothing was kept
        with told("/".join((*self._folder, name)), "write"), folder:
            if not folder.has(name):
                return
            with _locked(folder, name):
                lines = list(_parsed(contents(folder, name) or b""))
                kept = change(lines)
                if kept == lines:
                    return
                text = "".join(json_text(line, compact=True) + "\n" for line in kept)
                replace_file(folder, name, text.encode("utf-8", "replace"))


def _restored(lines: Sequence[Json]) -> dict[tuple[str, str], str]:
    """Return under which revision a version stands again that was put back: a file may say the same in other bytes."""
    was = {(line["op"], id): revision for line in lines for id, revision in line.get("was", {}).items()}
    same: dict[tuple[str, str], str] = {}
    for line in lines:
        for id, now in line.get("undone", {}).items():
            before = was.get((line["op"], id), "")
            same = {key: now if key[0] == id and there == before else there for key, there in same.items()}
            same[id, before] = now
    return same


def _newer_half(lines: list[dict[str, Any]]) -> list[Json]:
    """Keep the operations that began in the newer half, and the last one whatever its length; none is cut in two."""
    last = lines[-1]["op"] if lines else ""
    begun: dict[str, int] = {}
    for number, line in enumerate(lines):
        begun.setdefault(line["op"], number)
    return [line for line in lines if begun[line["op"]] >= len(lines) // 2 or line["op"] == last]


def _parsed(data: bytes) -> Iterator[dict[str, Any]]:
    for line in data.split(b"\n"):
        try:
            value = json.loads(line) if line else None
        except ValueError:
            continue  # torn by a crash
        if isinstance(value, dict) and isinstance(value.get("op"), str):
            yield value


def _last(fd: int, end: int) -> bytes:
    os.lseek(fd, end - 1, os.SEEK_SET)
    return os.read(fd, 1)


@contextmanager
def _locked(folder: Folder, name: str) -> Iterator[int]:
    while True:
        fd = folder.open(name, _APPEND, 0o600)
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
