"""Whether what holds a brain is still where it was: a folder that was moved away, a disk that is no longer mounted.

Owns what was seen of the place. Promises that a brain which was there and is gone is never taken for an empty one, not
to read and not to write, until it is back. Reads no memory.
"""

from __future__ import annotations

import os

from plainbrain.errors import Gone


class Presence:
    """Remember that the store at ``url`` was there, from the first time that it is seen."""

    def __init__(self, url: str) -> None:
        kind, _, self._path = url.partition(":")
        self._kind = "" if kind == "ram" else kind
        self._seen: tuple[int, int] | None = None
        self._was_empty = True

    def check(self) -> None:
        """Take notice of the place. Raise Gone when it was there before and is not, or is an empty folder in its stead."""
        if not self._kind:
            return
        try:
            facts = os.stat(self._path)
        except PermissionError:
            return  # it is there; the store says what cannot be read
        except OSError as error:
            if self._seen is None:
                return  # nothing was there yet
            raise self._gone("is gone") from error
        here = (facts.st_dev, facts.st_ino)
        if self._kind != "vault":
            self._seen = here
            return
        if (self._seen is None or here == self._seen) and not self._was_empty:
            self._seen = here
            return
        is_empty = _is_empty(self._path)
        if is_empty and not self._was_empty:
            raise self._gone("is empty now, and is not the one that it was")
        self._seen, self._was_empty = here, is_empty

    def _gone(self, how: str) -> Gone:
        what = "folder" if self._kind == "vault" else "file"
        hint = "was it moved, or is its disk not mounted? Bring it back and ask again"
        return Gone(f"the {what} {self._path} {how}", value=self._path, hint=hint)


def _is_empty(folder: str) -> bool:
    try:
        with os.scandir(folder) as entries:
            return next(entries, None) is None
    except OSError:
        return False  # it cannot be looked into: the store says so
