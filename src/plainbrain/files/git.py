"""The state of a git repository, read from its files: what is under way, what is tracked, what a merge left open.

Owns the reading of ``.git`` and of its index (versions 2 to 4, SHA-1 and SHA-256). Runs no program and writes nothing, so that it
works where git is not installed. Promises that a repository it cannot read is told as such, and never as one without trouble.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

#: What lies in ``.git`` while something is under way, and what that is; a rebase makes others as well, so it comes first.
_UNDER_WAY = {
    "rebase-merge": "rebase",
    "rebase-apply": "rebase",
    "MERGE_HEAD": "merge",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
}
_EXTENDED, _NAME_BITS, _STAGE_SHIFT = 0x4000, 0x0FFF, 12
_STATS = 40  # bytes of times, owner and size before the hash of an entry
_LARGEST = 256 << 20


class Unreadable(Exception):
    """Tell that a repository is there and cannot be read."""


@dataclass(frozen=True, slots=True)
class Repository:
    """A working tree: its root, the folder of git's own files, and where the folder that was asked about lies in it (``""``: the root)."""

    root: Path
    folder: Path
    within: str


@dataclass(frozen=True, slots=True)
class Index:
    """What git tracks below a folder, by paths from there, and what a merge left open: the stages that each path has.

    Stage 1 is the common ancestor, 2 this side, 3 the other side.
    """

    tracked: frozenset[str]
    unmerged: Mapping[str, frozenset[int]]


def find_repository(place: Path) -> Repository | None:
    """Return the repository that a folder lies in; None where it lies in none. Raise Unreadable."""
    place = Path(os.path.realpath(place))
    for root in (place, *place.parents):
        own = root / ".git"
        if own.is_dir() and (own / "HEAD").exists():
            return Repository(root, own, _within(place, root))
        if own.is_file():
            return Repository(root, _linked(own), _within(place, root))
    return None


def _within(place: Path, root: Path) -> str:
    path = place.relative_to(root).as_posix()
    return "" if path == "." else path


def _linked(file: Path) -> Path:
    """Return the folder that a ``.git`` file of a linked working tree or a submodule names."""
    try:
        name, _, target = file.read_text(encoding="utf-8", errors="surrogateescape").partition(":")
    except OSError as error:
        raise Unreadable(f"{file} cannot be read: {error.strerror}") from error
    if name.strip() != "gitdir":
        raise Unreadable(f"{file} names no folder")
    folder = file.parent / target.strip()
    if not folder.is_dir():
        raise Unreadable(f"{file} names {target.strip()!r}, which is not there")
    return folder


def under_way(repository: Repository) -> str:
    """Return what is under way: ``merge``, ``rebase``, ``cherry-pick`` or ``revert``; an empty text for nothing."""
    for name, what in _UNDER_WAY.items():
        if (repository.folder / name).exists():
            # `git am` keeps its state where a rebase does.
            return "am" if (repository.folder / name / "applying").exists() else what
    return ""


def read_index(repository: Repository) -> Index:
    """Return what git tracks below the folder of a repository. Raise Unreadable."""
    path = repository.folder / "index"
    try:
        if not path.exists():
            return Index(frozenset(), {})
        if path.stat().st_size > _LARGEST:
            raise Unreadable(f"{path} is too large to be looked at")
        data = path.read_bytes()
    except OSError as error:
        raise Unreadable(f"{path} cannot be read: {error.strerror}") from error
    try:
        entries = _entries(data, hash_bytes=_hash_bytes(repository))
    except (struct.error, ValueError, IndexError) as error:
        raise Unreadable(f"{path} is of a form that we do not know") from error
    prefix = f"{repository.within}/" if repository.within else ""
    tracked: set[str] = set()
    unmerged: dict[str, set[int]] = {}
    for name, stage in entries:
        if name.startswith(prefix):
            tracked.add(name[len(prefix) :])
            if stage:
                unmerged.setdefault(name[len(prefix) :], set()).add(stage)
    return Index(frozenset(tracked), {name: frozenset(stages) for name, stages in sorted(unmerged.items())})


def _hash_bytes(repository: Repository) -> int:
    """Return how long a hash is: 20 bytes, 32 where the repository says so."""
    common = repository.folder / "commondir"
    home = repository.folder / common.read_text(encoding="utf-8").strip() if common.exists() else repository.folder
    try:
        config = (home / "config").read_text(encoding="utf-8", errors="replace").lower()
    except OSError:
        return 20
    lines = ("".join(line.split()) for line in config.splitlines())
    return 32 if "objectformat=sha256" in lines else 20


def _entries(data: bytes, *, hash_bytes: int) -> list[tuple[str, int]]:
    """Return path and stage of every entry of an index."""
    magic, version, count = struct.unpack_from(">4sII", data)
    if magic != b"DIRC" or version not in (2, 3, 4):
        raise ValueError("no index")
    found: list[tuple[str, int]] = []
    at, name = 12, b""
    for _ in range(count):
        start = at
        at += _STATS + hash_bytes
        (flags,) = struct.unpack_from(">H", data, at)
        at += 2 + (2 if flags & _EXTENDED else 0)
        if version == 4:
            kept, at = _varint(data, at)
            end = data.index(b"\0", at)
            name = name[: len(name) - kept] + data[at:end]
            at = end + 1
        else:
            end = data.index(b"\0", at + min(flags & _NAME_BITS, _NAME_BITS - 1))
            name = data[at:end]
            at = start + (end - start + 8) // 8 * 8
        found.append((os.fsdecode(name), flags >> _STAGE_SHIFT & 3))
    return found


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Read the number of bytes that the last name loses, in git's own coding; return it and where the reading ended."""
    value = data[at] & 0x7F
    while data[at] & 0x80:
        at += 1
        value = ((value + 1) << 7) | (data[at] & 0x7F)
    return value, at + 1
