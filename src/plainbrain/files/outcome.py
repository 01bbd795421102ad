"""What the operating system's errors mean to a brain.

Owns the table from ``errno`` to our errors. Promises that an ``OSError`` met while a file is read or
written leaves as one of ours, with the path and the next step. Knows nothing of notes.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from plainbrain.errors import BrainError, NoRoom, OutOfBounds, PartlyDone, ReadOnly, StoreError

_NO_ROOM = frozenset({errno.ENOSPC, errno.EFBIG, errno.EDQUOT})
_READ_ONLY = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})


def error_of(error: OSError, *, path: str, doing: str) -> BrainError:
    """Return the error that stands for ``error``, met while ``doing`` (a verb: ``write``) the file ``path``."""
    cause = error.strerror or str(error)
    what = f"cannot {doing} {path}: {cause}"
    if error.errno in _NO_ROOM:
        return NoRoom(what, value=path, hint="make room on the disk or raise the quota, then repeat")
    if error.errno in _READ_ONLY:
        return ReadOnly(what, value=path, hint="check the owner and the mode of the folder and of the file")
    if error.errno == errno.ELOOP:
        return OutOfBounds(what, value=path, hint="symbolic links are not followed; put a real folder in its place")
    return StoreError(what, value=path, hint="check the disk and the path, then repeat; nothing was written")


@contextmanager
def told(path: str, doing: str) -> Iterator[None]:
    """Raise what ``error_of`` says for an ``OSError`` inside."""
    try:
        yield
    except OSError as error:
        raise error_of(error, path=path, doing=doing) from error


@contextmanager
def standing(what: str, *, missing: str, revisions: Sequence[str] = ()) -> Iterator[None]:
    """Raise PartlyDone for an error inside: ``what`` stands already, and only ``missing`` could not be written."""
    try:
        yield
    except PartlyDone as error:
        raise _partly(what, f"{missing} and {error.missing}", error, revisions or error.revisions) from error
    except BrainError as error:
        raise _partly(what, missing, error, revisions) from error


def _partly(what: str, missing: str, error: BrainError, revisions: Sequence[str]) -> PartlyDone:
    cause = error.__cause__ if isinstance(error, PartlyDone) and error.__cause__ is not None else error
    return PartlyDone(
        f"{what} stands, but {missing} could not be written: {cause}",
        value=error.value,
        hint="do not repeat it: it is done. Make room or mend the disk, then see what `brain doctor` says",
        missing=missing,
        revisions=tuple(revisions),
    )


def change_of(ids: Sequence[str]) -> str:
    """Return how a change of some memories is named."""
    more = f" and {len(ids) - 3} more" if len(ids) > 3 else ""
    return f"the change of {', '.join(map(repr, ids[:3]))}{more}"
