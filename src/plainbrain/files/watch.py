"""Being told by the system what happens in a folder and those below it (Linux, inotify).

Owns one inotify instance and the watches on every folder that is not hidden. Promises that ``drain`` misses nothing:
it returns every path that may have changed since it was last called, or None when only a full look can tell (the queue
ran over, a folder came or went, a watch could not be set). Reads no file. Where the system has no inotify, ``open_watch`` returns None.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys

_EVENT = struct.Struct("iIII")
_CREATE, _MOVED_TO, _MOVED_FROM, _DELETE = 0x100, 0x80, 0x40, 0x200
_MODIFY, _ATTRIB, _CLOSE_WRITE, _DELETE_SELF, _MOVE_SELF = 0x2, 0x4, 0x8, 0x400, 0x800
_OVERFLOW, _IGNORED, _ISDIR = 0x4000, 0x8000, 0x40000000
_ONLYDIR, _DONT_FOLLOW = 0x01000000, 0x02000000
_FOLDER_EVENTS = _CREATE | _MOVED_TO | _MOVED_FROM | _DELETE | _ATTRIB
_MASK = _FOLDER_EVENTS | _MODIFY | _CLOSE_WRITE | _DELETE_SELF | _MOVE_SELF | _ONLYDIR | _DONT_FOLLOW
_NONBLOCK_CLOEXEC = os.O_NONBLOCK | getattr(os, "O_CLOEXEC", 0) if hasattr(os, "O_NONBLOCK") else 0


class Watch:
    """The watches on a folder and everything below it that is not hidden."""

    def __init__(self, root: str) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        self._add = libc.inotify_add_watch
        self._root = root
        self._fd: int | None = libc.inotify_init1(_NONBLOCK_CLOEXEC)
        if self._fd is None or self._fd < 0:
            raise OSError(ctypes.get_errno(), "inotify is not to be had", root)
        self._folders: dict[int, str] = {}
        #: The folder itself went away, or is another one now: nothing that happens there will be told.
        self.lost = False
        self._whole = self._watch_below("")

    def _watch_below(self, folder: str) -> bool:
        """Watch a folder and those below it; return False when one could not be watched."""
        whole = True
        waiting = [folder]
        while waiting:
            path = waiting.pop()
            full = os.path.join(self._root, path) if path else self._root
            number = self._add(self._fd, os.fsencode(full), _MASK)
            if number < 0:
                whole = whole and not os.path.lexists(full)
                continue
            self._folders[number] = path
            try:
                with os.scandir(full) as entries:
                    below = [e.name for e in entries if not e.name.startswith(".") and e.is_dir(follow_symlinks=False)]
            except OSError:
                whole = False
                continue
            waiting += [f"{path}/{name}" if path else name for name in below]
        return whole

    def drain(self) -> set[str] | None:
        """Return the paths of what may have changed since the last call; None: look at everything."""
        if self._fd is None:
            return None
        touched: set[str] = set()
        sure = self._whole
        while True:
            try:
                data = os.read(self._fd, 1 << 16)
            except BlockingIOError:
                break
            except OSError:
                self.close()
                return None
            sure = self._take_in(data, touched) and sure
        if not self._whole:
            self._whole = self._watch_below("")
        return touched if sure and not self.lost else None

    def _take_in(self, data: bytes, touched: set[str]) -> bool:
        """Add the paths of some events; return False when they do not tell all."""
        sure = True
        at = 0
        while at < len(data):
            number, mask, _, length = _EVENT.unpack_from(data, at)
            at += _EVENT.size
            name = os.fsdecode(data[at : at + length].rstrip(b"\0"))
            at += length
            folder = self._folders.get(number)
            if folder == "" and mask & (_DELETE_SELF | _MOVE_SELF | _IGNORED):
                self.lost = True
            if mask & _OVERFLOW:
                self._whole = sure = False  # a folder may have come without our hearing of it
            elif mask & _IGNORED:
                self._folders.pop(number, None)
            elif folder is None or mask & (_DELETE_SELF | _MOVE_SELF):
                sure = False
            elif mask & _ISDIR:
                if not name.startswith("."):
                    sure = False
                    path = f"{folder}/{name}" if folder else name
                    if mask & (_CREATE | _MOVED_TO) and not self._watch_below(path):
                        self._whole = False
            elif name:
                touched.add(f"{folder}/{name}" if folder else name)
        return sure

    def close(self) -> None:
        """Let go of the watches; ``drain`` returns None from then on."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None


def open_watch(root: str) -> Watch | None:
    """Watch a folder, or return None where the system cannot tell."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        return Watch(root)
    except (OSError, AttributeError):
        return None  # too many instances, or a C library without it: scanning goes on
