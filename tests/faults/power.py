"""What may be on a disk after the power went: the operations of a recording, and every state they can leave.

An operation has effects: a name that appears or goes, a length, a page of bytes. An effect is on the disk for certain once
the file (for bytes) or the folder (for names) was synced after it; until then it may be there or not, whatever became
of the others. That is weaker than most file systems are, so what holds here holds on them.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

PAGE = 4096
ROOT = 1
#: Names in one folder: ``(folder, name, file)``, where file 0 means that the name goes.
Names = tuple[tuple[int, str, int], ...]
#: Bytes of one file: ``(file, offset, bytes)``; a length alone comes with no bytes.
Bytes = tuple[int, int, bytes]


@dataclass(frozen=True, slots=True)
class Operation:
    """One line of a recording, as ``faultshim.c`` says it."""

    what: str
    path: str
    number: int
    more: bytes


def read_record(file: Path) -> list[Operation]:
    """Return the operations of a recording, in order."""
    data, at = file.read_bytes(), 0
    found = []
    while at < len(data):
        end = data.index(b"\n", at)
        what, number, size, length = data[at:end].split()
        middle = end + 1 + int(length)
        at = middle + int(size)
        found.append(Operation(what.decode(), os.fsdecode(data[end + 1 : middle]), int(number), data[middle:at]))
    return found


@dataclass(slots=True)
class Effect:
    """What one operation did to one name, length or page; ``until`` is the operation that made it durable."""

    at: int
    names: Names = ()
    data: Bytes | None = None
    until: int | None = None


@dataclass(slots=True)
class Disk:
    """Files by number (None: a folder) and the names that lead to them; ``numbers`` are those of the real files."""

    files: dict[int, bytes | None] = field(default_factory=lambda: {ROOT: None})
    names: dict[tuple[int, str], int] = field(default_factory=dict)
    numbers: dict[int, int] = field(default_factory=dict)

    def at(self, parts: Sequence[str]) -> int:
        """Return the file that a path leads to, or 0."""
        here = ROOT
        for part in parts:
            here = self.names.get((here, part), 0)
        return here

    def with_effects(self, effects: Sequence[Effect]) -> Disk:
        """Return the disk after the effects, in their order."""
        files: dict[int, bytes | None] = dict(self.files)
        names = dict(self.names)
        for effect in effects:
            for folder, name, file in effect.names:
                if file:
                    names[folder, name] = file
                else:
                    names.pop((folder, name), None)
            if effect.data is not None:
                file, offset, data = effect.data
                files[file] = _changed(files[file] or b"", offset, data)
        return Disk(files, names, self.numbers)

    def paths(self) -> dict[str, int]:
        """Return what can be reached, by its path."""
        below: dict[int, list[tuple[str, int]]] = {}
        for (folder, name), file in self.names.items():
            below.setdefault(folder, []).append((name, file))
        found: dict[str, int] = {}
        waiting = [("", ROOT)]
        while waiting:
            path, folder = waiting.pop()
            for name, file in below.get(folder, ()):
                found[f"{path}{name}"] = file
                if self.files[file] is None:
                    waiting.append((f"{path}{name}/", file))
        return found

    def key(self) -> bytes:
        """Return what tells this state from others that a program could tell from it."""
        digest = hashlib.blake2b(digest_size=12)
        for path, file in sorted(self.paths().items()):
            data = self.files[file]
            digest.update(b"%b\0%d\0" % (os.fsencode(path), -1 if data is None else len(data)))
            digest.update(data or b"")
        return digest.digest()


def _changed(old: bytes, offset: int, data: bytes) -> bytes:
    if not data:
        return old[:offset].ljust(offset, b"\0")
    return old[:offset].ljust(offset, b"\0") + data + old[offset + len(data) :]


def read_disk(root: Path) -> Disk:
    """Return what lies below a folder now."""
    disk, fresh = Disk(), itertools.count(ROOT + 1)
    waiting = [(root, ROOT)]
    while waiting:
        place, folder = waiting.pop()
        for path in sorted(place.iterdir()):
            file = next(fresh)
            disk.names[folder, path.name] = file
            disk.numbers[path.stat().st_ino] = file
            disk.files[file] = None if path.is_dir() else path.read_bytes()
            if path.is_dir():
                waiting.append((path, file))
    return disk


class Recording:
    """The effects of a recording made below ``root``, which held ``base`` before; and what was said, at which operation."""

    def __init__(self, root: Path, base: Disk, operations: Sequence[Operation]) -> None:
        self._root = str(root)
        self.base = Disk(dict(base.files), dict(base.names), dict(base.numbers))
        self._live = Disk(dict(base.files), dict(base.names))
        self._fresh = itertools.count(max(base.files) + 1)
        self.effects: list[Effect] = []
        self.said: list[tuple[int, bytes]] = []
        self.length = len(operations)
        for at, operation in enumerate(operations):
            self._take(at, operation)

    def _take(self, at: int, operation: Operation) -> None:
        if operation.what == "said":
            self.said.append((at, operation.more))
            return
        if operation.path.endswith(" (deleted)"):
            return  # an open file that has no name any more
        parts = self._parts(operation.path)
        match operation.what:
            case "create" | "mkdir":
                file = next(self._fresh)
                self.base.files[file] = self._live.files[file] = None if operation.what == "mkdir" else b""
                self.base.numbers[operation.number] = file
                self._name(at, (parts, file))
            case "unlink":
                self._name(at, (parts, 0))
            case "link":
                self._name(at, (parts, self._live.at(self._parts(os.fsdecode(operation.more)))))
            case "rename" | "exchange":
                old = self._parts(os.fsdecode(operation.more))
                other = self._live.at(parts) if operation.what == "exchange" else 0
                self._name(at, (old, other), (parts, self._live.at(old)))
            case "write":
                self._write(at, self._live.at(parts), operation)
            case "truncate":
                self._change(at, (self._live.at(parts), operation.number, b""))
            case "sync":
                self._sync(at, self._live.at(parts))
            case _:
                raise AssertionError(operation)

    def _parts(self, path: str) -> list[str]:
        return [part for part in path.removeprefix(self._root).split("/") if part]

    def _name(self, at: int, *changes: tuple[list[str], int]) -> None:
        """Names change in one step; the folder of the last one is the one whose sync counts."""
        names = tuple((self._live.at(parts[:-1]), parts[-1], file) for parts, file in changes)
        self._add(Effect(at, names=names))

    def _write(self, at: int, file: int, operation: Operation) -> None:
        offset, data = operation.number, operation.more
        if offset + len(data) > len(self._live.files[file] or b""):
            self._change(at, (file, offset + len(data), b""))
        pieces = list(_pages(offset, data))
        if len(pieces) == 1 and len(data) > 1 and not operation.path.endswith((".db", "-wal", "-journal")):
            pieces = [(offset, data[: len(data) // 2]), (offset + len(data) // 2, data[len(data) // 2 :])]
        for start, piece in pieces:
            self._change(at, (file, start, piece))

    def _change(self, at: int, data: Bytes) -> None:
        self._add(Effect(at, data=data))

    def _add(self, effect: Effect) -> None:
        self.effects.append(effect)
        self._live = self._live.with_effects([effect])

    def _sync(self, at: int, file: int) -> None:
        for effect in self.effects:
            concerned = effect.names[-1][0] if effect.names else effect.data[0] if effect.data else 0
            if effect.until is None and concerned == file:
                effect.until = at

    def whole(self, until: int) -> Disk:
        """Return the disk with every effect of the operations before ``until``."""
        return self.base.with_effects([effect for effect in self.effects if effect.at < until])

    def states(self, until: int, *, most: int, chance: random.Random) -> Iterator[Disk]:
        """Yield what may be on the disk when the power goes before operation ``until``: all of it, or ``most`` of the possibilities."""
        happened = [effect for effect in self.effects if effect.at < until]
        pending = [i for i, effect in enumerate(happened) if effect.until is None or effect.until >= until]
        kept = dict.fromkeys(_with_what_they_need(some, happened) for some in _choices(pending, happened, most, chance))
        for lost in (frozenset(pending) - some for some in kept):
            yield self.base.with_effects([effect for i, effect in enumerate(happened) if i not in lost])


def _with_what_they_need(kept: frozenset[int], happened: Sequence[Effect]) -> frozenset[int]:
    """Add the earlier changes of the names that the kept ones change: one name has one history on every file system."""
    found, names = set(kept), set[tuple[int, str]]()
    for i in range(len(happened) - 1, -1, -1):
        mine = {(folder, name) for folder, name, _ in happened[i].names}
        if i in found or mine & names:
            found.add(i)
            names |= mine
    return frozenset(found)


def _pages(offset: int, data: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at < len(data):
        step = PAGE - (offset + at) % PAGE
        yield offset + at, data[at : at + step]
        at += step


def _choices(
    pending: Sequence[int], happened: Sequence[Effect], most: int, chance: random.Random
) -> list[frozenset[int]]:
    """Return which of the pending effects are kept: every choice of them, or the telling ones and a draw of the rest."""
    every = frozenset(pending)
    if 2 ** len(pending) <= most:
        return [frozenset(some) for n in range(len(pending) + 1) for some in itertools.combinations(pending, n)]
    telling = [frozenset[int](), every]
    telling += [frozenset(i for i in pending if bool(happened[i].names) == names) for names in (True, False)]
    rest = [every - {i} for i in pending] + [frozenset({i}) for i in pending]
    rest += [frozenset(pending[:n]) for n in range(1, len(pending))]
    rest += [frozenset(i for i in pending if chance.random() < 0.5) for _ in range(most)]
    chosen = list(dict.fromkeys(telling + (rest if most > len(rest) // 2 else chance.sample(rest, most))))
    return chosen[:most]
