"""Links that name a note by its path: where they stand in a text, which file they mean, and how a path is written from a folder.

Owns Markdown's ``[words](folder/note.md#part)`` and the arithmetic of paths inside a vault. A path is written from the vault's
root, with ``/``, without ``.md``. Promises linear time for any text.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from urllib.parse import quote, unquote

from plainbrain.records import record

#: No path is longer, and none is looked for beyond it.
_MOST = 1_000
_ENDING = ".md"
_ENCODED = frozenset('%#?()<>"')


@record(frozen=True, slots=True)
class FileLink:
    """The path part of one Markdown link to a note: ``text[start:end]``, and what it says, decoded and without ``.md``."""

    start: int
    end: int
    path: str


def file_links(text: str) -> Iterator[FileLink]:
    """Yield the Markdown links of ``text`` whose target is a Markdown file here, in order."""
    at = text.find("](")
    while at >= 0:
        start = at + 2
        bracketed = text[start : start + 1] == "<"
        start += bracketed
        end = _end_of(text, start, bracketed=bracketed)
        cut = min((i for i in (text.find("#", start, end), text.find("?", start, end)) if i >= 0), default=end)
        written = text[start:cut]
        if written.lower().endswith(_ENDING) and ":" not in written:
            yield FileLink(start, cut, unquote(written)[: -len(_ENDING)])
        at = text.find("](", start)


def _end_of(text: str, start: int, *, bracketed: bool) -> int:
    depth = 0
    for at in range(start, min(len(text), start + _MOST)):
        mark = text[at]
        if mark == "\n" or (bracketed and mark == ">") or (not bracketed and mark.isspace()):
            return at
        depth += (mark == "(") - (mark == ")")
        if depth < 0 and not bracketed:
            return at
    return start  # it does not end: no link


def from_root(path: str, *, folder: str) -> str:
    """Return the path that ``path``, written in a note in ``folder``, means: ``""`` for one that leaves the vault."""
    joined = posixpath.normpath(path.lstrip("/") if path.startswith("/") else posixpath.join(folder, path))
    return "" if joined.startswith("../") or joined in ("..", ".") else joined


def from_folder(path: str, *, folder: str) -> str:
    """Return how a note in ``folder`` writes the path of another as a relative one."""
    return posixpath.relpath(path, folder or ".")


def as_written(path: str) -> str:
    """Return a path as the target of a Markdown link, with its ending; letters of any script stay readable."""
    return "".join(quote(c) if c in _ENCODED or c.isspace() else c for c in path) + _ENDING


def is_relative(target: str) -> bool:
    """Tell whether a target says that it is to be read from the note's own folder."""
    return target.startswith(("./", "../"))
