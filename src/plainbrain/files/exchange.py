"""Swapping two files of one folder in one step, where the system can (Linux, ``renameat2``).

Owns the one system call that Python has no name for. With it a writer sees exactly what it displaced, so
that an edit which came in at the last moment is put back instead of lost. ``ctypes`` is loaded at the first
write and not with the module: a process that only reads does not pay for it.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from functools import lru_cache

from plainbrain.files.beneath import Folder

_EXCHANGE = 2
#: What the system answers when it or the file system does not know the call.
UNKNOWN = frozenset({errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP, errno.ENOTSUP})


@lru_cache(maxsize=1)
def _renameat2() -> Callable[[int, bytes, int, bytes, int], int] | None:
    if not sys.platform.startswith("linux"):
        return None
    import ctypes

    try:
        call = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return None  # a C library without it
    call.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)

    def run(from_fd: int, old: bytes, to_fd: int, new: bytes, flags: int) -> int:
        return 0 if call(from_fd, old, to_fd, new, flags) == 0 else ctypes.get_errno()

    return run


def exchange(folder: Folder, one: str, other: str) -> bool:
    """Swap two files; return False where the system or the file system cannot. Raise OSError for the rest."""
    fd, call = folder.descriptor(), _renameat2()
    if fd is None or call is None:
        return False
    failed = call(fd, os.fsencode(one), fd, os.fsencode(other), _EXCHANGE)
    if failed in UNKNOWN:
        return False
    if failed:
        raise OSError(failed, os.strerror(failed), other)
    return True
