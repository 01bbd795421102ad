"""Files that lie beneath one folder, and no others.

Owns every way to a file of a brain. A path is a tuple of names, walked from the root one folder at a
time, each opened relative to the one before without following links: no name can climb, a link is
refused wherever it stands, and swapping a folder for a link half-way changes nothing. That is what
``openat2(RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS)`` promises, on every POSIX system. Where folders cannot
be held open (Windows), links are looked for before each step. Knows nothing of notes.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from types import TracebackType

from plainbrain.errors import OutOfBounds

#: Folders can be held open and names looked up in them.
HOLDS_FOLDERS = os.open in os.supports_dir_fd and os.scandir in os.supports_fd
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _NO_FOLLOW | getattr(os, "O_CLOEXEC", 0)
_BINARY = getattr(os, "O_BINARY", 0)
_READ = os.O_RDONLY | _NO_FOLLOW | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0) | _BINARY
_DRIVE = re.compile(r"[A-Za-z]:[\\/]|\\\\")

Parts = tuple[str, ...]


def split(path: str) -> Parts:
    """Return the names of a relative path with ``/``. Raise OutOfBounds for one that is absolute, climbs, or is none."""
    parts = tuple(path.split("/"))
    if "\0" in path or _DRIVE.match(path):
        raise _out(path)
    for part in parts:
        check_name(part)
    return parts


def check_name(name: str) -> str:
    """Return ``name`` when it can only mean an entry of the folder it is looked up in. Raise OutOfBounds."""
    climbs = ".." in name.replace("\\", "/").split("/")
    if (
        name in ("", ".", "..")
        or "/" in name
        or "\0" in name
        or climbs
        or (os.sep == "\\" and set(name) & set('\\:*?"<>|'))
    ):
        raise _out(name)
    return name


def _out(path: str) -> OutOfBounds:
    return OutOfBounds(f"{path!r} is not a path inside the brain", value=path, hint="use a relative path without '..'")


class Folder:
    """One open folder: its entries are reached by name alone, and links are never followed.

    Every method raises ``OSError`` as the system does; the names come from ``check_name`` or a listing.
    """

    __slots__ = ("_fd", "path")

    def __init__(self, path: str, fd: int | None) -> None:
        self.path = path
        self._fd = fd

    def __enter__(self) -> Folder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the folder; twice is harmless."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def _at(self, name: str) -> str:
        return name if HOLDS_FOLDERS else os.path.join(self.path, name)

    def open(self, name: str, flags: int, mode: int = 0o600) -> int:
        """Open an entry and return its descriptor; a link in its place is refused."""
        if not HOLDS_FOLDERS:
            _refuse_link(self._at(name))
        return os.open(
            self._at(name), flags | _NO_FOLLOW | getattr(os, "O_CLOEXEC", 0) | _BINARY, mode, dir_fd=self._fd
        )

    def child(self, name: str) -> Folder:
        """Open the folder ``name`` in this one."""
        path = os.path.join(self.path, name)
        if HOLDS_FOLDERS:
            return Folder(path, os.open(name, _FOLDER, dir_fd=self._fd))
        _refuse_link(path)
        if not os.path.isdir(path):
            raise FileNotFoundError(errno.ENOENT, "no such folder", path)
        return Folder(path, None)

    def child_made(self, name: str) -> Folder:
        """Open the folder ``name``, making it (0700) if it is not there; its name is on the disk before anything is in it."""
        try:
            found = self.child(name)
        except FileNotFoundError:
            with suppress(FileExistsError):  # somebody else made it just now
                os.mkdir(self._at(name), 0o700, dir_fd=self._fd)
            found = self.child(name)
        if found.is_empty():  # made just now, by us or by one who may have died since
            self.sync()
        return found

    def is_empty(self) -> bool:
        """Tell whether nothing is in this folder."""
        with self.scan() as entries:
            return next(entries, None) is None

    def stat(self, name: str) -> os.stat_result:
        """Return the facts of an entry itself, of a link too."""
        return os.stat(self._at(name), dir_fd=self._fd, follow_symlinks=False)

    def has(self, name: str) -> bool:
        """Tell whether there is an entry of that name."""
        try:
            self.stat(name)
        except FileNotFoundError:
            return False
        return True

    def own_stat(self) -> os.stat_result:
        """Return the facts of this folder."""
        return os.stat(self.path if self._fd is None else self._fd)

    def rename(self, old: str, new: str) -> None:
        """Give ``old`` the name ``new``, replacing what has it."""
        os.replace(self._at(old), self._at(new), src_dir_fd=self._fd, dst_dir_fd=self._fd)

    def link(self, old: str, new: str) -> None:
        """Give ``old`` a second name; raise FileExistsError when it is taken."""
        os.link(self._at(old), self._at(new), src_dir_fd=self._fd, dst_dir_fd=self._fd, follow_symlinks=False)

    def unlink(self, name: str) -> None:
        """Remove a file."""
        os.unlink(self._at(name), dir_fd=self._fd)

    def scan(self) -> AbstractContextManager[Iterator[os.DirEntry[str]]]:
        """Return the entries, in the order of the system, to be used as ``with folder.scan() as entries``."""
        return os.scandir(self.path if self._fd is None else self._fd)

    def sync(self) -> None:
        """Bring the names in this folder to the disk (systems that cannot hold folders do so by themselves)."""
        if self._fd is not None:
            os.fsync(self._fd)

    def descriptor(self) -> int | None:
        """Return the open descriptor for calls that have no method here (None where folders are not held)."""
        return self._fd


def make_folder(path: str | os.PathLike[str]) -> None:
    """Make a folder (0700) and those above it that are missing. Raise OSError.

    Their names are on the disk before anything is in them, also where somebody made them who died before that.
    """
    place = os.path.abspath(path)
    if _is_in_use(place):
        return
    above = os.path.dirname(place)
    make_folder(above)
    os.makedirs(place, mode=0o700, exist_ok=True)
    with suppress(PermissionError), Beneath(above).root() as folder:
        folder.sync()  # one that we may write to and not read cannot be opened for that


def _is_in_use(place: str) -> bool:
    try:
        with os.scandir(place) as entries:
            return next(entries, None) is not None
    except PermissionError:
        return True  # not ours to look into
    except FileNotFoundError:
        return False


class Beneath:
    """The inside of the folder ``root``: the one door to its files."""

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self.path = os.path.realpath(root)

    def root(self) -> Folder:
        """Open the root itself."""
        if HOLDS_FOLDERS:
            return Folder(self.path, os.open(self.path, _FOLDER))
        if not os.path.isdir(self.path):
            raise FileNotFoundError(errno.ENOENT, "no such folder", self.path)
        return Folder(self.path, None)

    def folder(self, parts: Sequence[str]) -> Folder:
        """Open a folder beneath the root, step by step."""
        return self._walk(parts, Folder.child)

    def folder_made(self, parts: Sequence[str]) -> Folder:
        """Open a folder beneath the root, making those that are missing (0700)."""
        return self._walk(parts, Folder.child_made)

    def _walk(self, parts: Sequence[str], step: Callable[[Folder, str], Folder]) -> Folder:
        here = self.root()
        for part in parts:
            with here:
                following = step(here, check_name(part))
            here = following
        return here

    def read(self, parts: Sequence[str], limit: int) -> tuple[bytes, os.stat_result]:
        """Return a file's bytes (at most ``limit`` + 1) and its facts. Raise OSError, also for what is no plain file."""
        with self.folder(parts[:-1]) as folder:
            return read_file(folder, check_name(parts[-1]), limit)

    def exists(self, parts: Sequence[str]) -> bool:
        """Tell whether there is an entry of that name; an unreadable way to it counts as no."""
        try:
            with self.folder(parts[:-1]) as folder:
                folder.stat(parts[-1])
        except OSError:
            return False
        return True


def read_file(folder: Folder, name: str, limit: int) -> tuple[bytes, os.stat_result]:
    """Return the bytes of a plain file (at most ``limit`` + 1) and its facts, both of one moment if it holds still.

    A file that changes under the reading is read again, a few times. Raise OSError.
    """
    fd = folder.open(name, _READ)
    try:
        before = os.fstat(fd)
        if not stat.S_ISREG(before.st_mode):
            raise OSError(errno.EINVAL, "not a plain file", name)
        data, after = _read_once(fd, before, limit)
        for _ in range(3):
            if _moment(before) == _moment(after) and (len(data) == after.st_size or len(data) > limit):
                break
            os.lseek(fd, 0, os.SEEK_SET)
            before = after
            data, after = _read_once(fd, before, limit)
        return data, after
    finally:
        os.close(fd)


def _read_once(fd: int, facts: os.stat_result, limit: int) -> tuple[bytes, os.stat_result]:
    guess = min(facts.st_size, limit) + 1
    data = os.read(fd, guess)
    if len(data) == guess:  # it grew meanwhile, or is over the limit
        pieces = [data]
        size = guess
        while size <= limit and (piece := os.read(fd, min(1 << 20, limit + 1 - size))):
            pieces.append(piece)
            size += len(piece)
        data = b"".join(pieces)
    return data, os.fstat(fd)


def _moment(facts: os.stat_result) -> tuple[int, int, int]:
    return facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns


def _refuse_link(path: str) -> None:
    try:
        facts = os.lstat(path)
    except FileNotFoundError:
        return
    if stat.S_ISLNK(facts.st_mode) or bool(getattr(facts, "st_reparse_tag", False)):
        raise OSError(errno.ELOOP, "a link is not followed", path)
