"""Writing one file whole or not at all, on the disk before it is acknowledged.

Owns the steps of the write protocol: a temporary file of a random name beside the target (never
followed, never shared, private), written to the end, synced, given its name in one step, and the folder
synced. A new file never takes a name that is taken; an old one is only replaced while it still holds the
bytes that the writer read. Temporary files of a writer that died are known by their name and swept.
Knows nothing of notes.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress

from plainbrain.files.beneath import Folder, read_file
from plainbrain.files.exchange import exchange

_SUFFIX = ".brain-tmp"
_LENGTH = 17 + len(_SUFFIX)
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL
_NO_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})
_WHOLE = 1 << 40
#: A temporary file that is older than this beside a fresh one was left by a writer that died.
_LEFT_OVER_SECONDS = 600


class Displaced(Exception):
    """Say that the file no longer held the expected bytes; it holds what somebody else wrote."""


def temp_name() -> str:
    """Return a fresh random name of our kind."""
    return f".{os.urandom(8).hex()}{_SUFFIX}"


def is_temp(name: str) -> bool:
    """Tell whether ``name`` is a temporary file of ours."""
    return len(name) == _LENGTH and name[0] == "." and name.endswith(_SUFFIX)


def write_temp(folder: Folder, *data: bytes | memoryview, like: os.stat_result | None = None) -> str:
    """Write ``data``, piece after piece, to a new temporary file, on the disk, with the mode and owner of ``like``; return its name.

    Without ``like`` it is private (0600). Nothing stays behind when OSError is raised.
    """
    name = temp_name()
    fd = folder.open(name, _CREATE, 0o600)
    try:
        try:
            for piece in data:
                write_all(fd, piece)
            if like is not None:
                dress(fd, like)
            os.fsync(fd)
        finally:
            os.close(fd)
    except BaseException:
        discard(folder, name)
        raise
    return name


def write_all(fd: int, data: bytes | memoryview) -> None:
    """Write every byte, however many the system takes at a time."""
    done = os.write(fd, data)
    if done < len(data):
        rest = memoryview(data)[done:]
        while rest:
            taken = os.write(fd, rest)
            if taken == 0:
                raise OSError(errno.EIO, "the system takes no more bytes")
            rest = rest[taken:]


def dress(fd: int, like: os.stat_result) -> None:
    """Keep the mode and, where we may, the owner of the file that is replaced."""
    if not hasattr(os, "fchown"):
        return
    if (like.st_uid, like.st_gid) != (os.geteuid(), os.getegid()):
        with suppress(PermissionError):  # only root may give a file away; the mode is kept all the same
            os.fchown(fd, like.st_uid, like.st_gid)
    mode = stat.S_IMODE(like.st_mode)
    if mode != 0o600:
        os.fchmod(fd, mode)


def discard(folder: Folder, name: str) -> None:
    """Remove a temporary file if it is there; one that cannot be removed is swept at the next opening."""
    with suppress(OSError):
        folder.unlink(name)


def sweep_left(folder: Folder, now: float) -> None:
    """Remove temporary files that writers left when they died: those that are older than ten minutes at the time ``now``."""
    with folder.scan() as entries:
        names = [entry.name for entry in entries if is_temp(entry.name[:_LENGTH])]  # SQLite adds an ending of its own
    for name in names:
        with suppress(FileNotFoundError):  # its writer was slow, and is done with it now
            if now - folder.stat(name).st_mtime > _LEFT_OVER_SECONDS:
                discard(folder, name)


def publish(folder: Folder, temp: str, name: str) -> None:
    """Give ``temp`` the name ``name``, which nobody may have. Raise FileExistsError when it is taken."""
    if give_name(folder, temp, name):
        discard(folder, temp)


def give_name(folder: Folder, temp: str, name: str) -> bool:
    """Give ``temp`` the name ``name`` too, which nobody may have; tell whether it has its old one still.

    That one may only go after the folder was synced where something else is to know that the file is not lost: until
    then a power cut may lose the new name and keep that the old one went. Raise FileExistsError when the name is taken.
    """
    if os.name == "nt":
        os.rename(os.path.join(folder.path, temp), os.path.join(folder.path, name))  # refuses a taken name there
        return False
    try:
        folder.link(temp, name)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        os.close(folder.open(name, _CREATE, 0o600))  # a file system without links: hold the name, then fill it
        folder.rename(temp, name)
        return False
    return True


def swap(folder: Folder, temp: str, name: str, *, before: bytes) -> bool:
    """Put ``temp`` in the place of ``name``, which must hold ``before``. Raise Displaced when it does not.

    Return True when the displaced file lies under the name ``temp`` now (the caller discards it), False
    when it is gone already. Where files can be exchanged, not even an edit made between the last look and the
    write is lost: it is put back, and one made while it is put back is kept as a conflict copy.
    """
    ours = folder.stat(temp).st_ino
    if not exchange(folder, temp, name):
        if contents(folder, name) != before:
            raise Displaced(name)
        folder.rename(temp, name)
        return False
    if contents(folder, temp) == before:
        return True
    exchange(folder, temp, name)
    if folder.stat(temp).st_ino != ours:
        publish(folder, temp, conflict_name(name))
    raise Displaced(name)


def conflict_name(name: str) -> str:
    """Return the name under which a second version of the file ``name`` is kept beside it."""
    stem, dot, ending = name.rpartition(".")
    return f"{stem or ending} (conflicted copy {os.urandom(4).hex()}){dot if stem else ''}{ending if stem else ''}"


def take(folder: Folder, name: str, temp: str, *, before: bytes) -> None:
    """Move ``name``, which must hold ``before``, to the temporary name ``temp``. Raise Displaced."""
    if contents(folder, name) != before:
        raise Displaced(name)
    folder.rename(name, temp)
    if contents(folder, temp) != before:
        publish(folder, temp, name)
        raise Displaced(name)


def contents(folder: Folder, name: str) -> bytes | None:
    """Return the bytes of a file, or None when there is none."""
    try:
        return read_file(folder, name, _WHOLE)[0]
    except FileNotFoundError:
        return None


def replace_file(folder: Folder, name: str, data: bytes) -> None:
    """Write ``data`` as ``name``, whatever was there: for files that only we write, under a lock. Raise OSError."""
    temp = write_temp(folder, data)
    try:
        folder.rename(temp, name)
    except BaseException:
        discard(folder, temp)
        raise
    folder.sync()
