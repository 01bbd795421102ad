"""Locks between processes, let go by the system when a process dies.

Owns ``flock`` (``msvcrt`` on Windows) and the waiting. A lock is never a file with a number in it: the
number in the file only names the holder to a person. Each taking counts up a generation, so that a
process can tell whether another one wrote since. Knows nothing of what is guarded.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from plainbrain.errors import Busy
from plainbrain.files.beneath import Beneath, Folder
from plainbrain.files.outcome import told

WAIT_SECONDS = 10.0
_FIRST_NAP, _LONGEST_NAP = 0.0002, 0.005

if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 30  # a byte past the text, so that others can read who holds it

    def _take(fd: int) -> None:
        os.lseek(fd, _FAR, os.SEEK_SET)
        msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)

    def let_go(fd: int) -> None:
        """Release the lock on an open file."""
        os.lseek(fd, _FAR, os.SEEK_SET)
        msvcrt.locking(fd, msvcrt.LK_UNLCK, 1)

    _TAKEN: tuple[type[OSError], ...] = (PermissionError, OSError)
else:
    import fcntl

    def _take(fd: int) -> None:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def let_go(fd: int) -> None:
        """Release the lock on an open file."""
        fcntl.flock(fd, fcntl.LOCK_UN)

    _TAKEN = (BlockingIOError,)


def wait_for(fd: int, *, path: str, seconds: float = WAIT_SECONDS) -> None:
    """Lock an open file, waiting up to ``seconds``. Raise Busy naming the holder, or OSError where nothing can be locked."""
    nap, until = _FIRST_NAP, time.monotonic() + seconds
    while True:
        try:
            return _take(fd)
        except _TAKEN as error:
            if time.monotonic() >= until:
                holder = _read(fd)[0]
                raise Busy(
                    f"{path} is locked by process {holder}" if holder else f"{path} is locked by another process",
                    value=holder,
                    hint="let it finish, or end it, then repeat",
                ) from error
        time.sleep(nap)
        nap = min(nap * 1.5, _LONGEST_NAP)


def _read(fd: int) -> tuple[int, int]:
    """Return the holder's process and the generation that a lock file names (0 for what it does not)."""
    os.lseek(fd, 0, os.SEEK_SET)
    words = [word for word in os.read(fd, 64).split() if word.isdigit()]
    return (int(words[0]), int(words[1])) if len(words) == 2 else (0, 0)


def is_same_file(fd: int, folder: Folder, name: str) -> bool:
    """Tell whether an open file is still the one of that name."""
    try:
        there = folder.stat(name)
    except FileNotFoundError:
        return False
    mine = os.fstat(fd)
    return (mine.st_dev, mine.st_ino) == (there.st_dev, there.st_ino)


class FileLock:
    """One lock file beneath a root; threads of this process and other processes take turns, one thread may take it twice."""

    def __init__(self, beneath: Beneath, parts: Sequence[str], *, wait_seconds: float = WAIT_SECONDS) -> None:
        self._beneath = beneath
        self._parts = tuple(parts)
        self._wait = wait_seconds
        self._fd: int | None = None
        self._turn = threading.RLock()
        self._depth = 0
        self._generation: tuple[int, int] = (0, 0)

    @contextmanager
    def hold(self) -> Iterator[tuple[int, int]]:
        """Hold the lock; gives a value that has changed by one step of ours unless another process held it since.

        Makes the file and its folders. Raise Busy, ReadOnly, NoRoom or StoreError.
        """
        if not self._turn.acquire(timeout=self._wait):
            raise Busy(f"{self._name} is held by another thread", value=os.getpid(), hint="repeat when it is done")
        try:
            if self._depth == 0:
                with told(self._name, "lock"):
                    self._generation = self._acquire()
            self._depth += 1
            try:
                yield self._generation
            finally:
                self._depth -= 1
                if self._depth == 0 and self._fd is not None:
                    let_go(self._fd)
        finally:
            self._turn.release()

    @property
    def _name(self) -> str:
        return "/".join(self._parts)

    def _acquire(self) -> tuple[int, int]:
        while True:
            with self._beneath.folder_made(self._parts[:-1]) as folder:
                if self._fd is None:
                    self._fd = folder.open(self._parts[-1], os.O_RDWR | os.O_CREAT, 0o600)
                wait_for(self._fd, path=self._name, seconds=self._wait)
                if is_same_file(self._fd, folder, self._parts[-1]):
                    break
                self._drop()  # it was removed while we waited: lock the one that stands there now
        generation = _read(self._fd)[1] + 1
        text = f"{os.getpid():>10} {generation:>20}\n".encode("ascii")
        os.lseek(self._fd, 0, os.SEEK_SET)
        try:
            os.write(self._fd, text)
        except OSError:
            self._drop()
            raise
        return os.fstat(self._fd).st_ino, generation

    def _drop(self) -> None:
        if self._fd is not None:
            os.close(self._fd)  # which lets go of the lock as well
            self._fd = None

    def close(self) -> None:
        """Let go of the file; it is opened again when the lock is next taken."""
        with self._turn:
            self._drop()
