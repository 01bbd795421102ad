"""Notes as resources: ``brain://note/ID``, listed a page at a time, read like ``brain_read`` reads them.

With several brains the URI names the brain: ``brain://NAME/note/ID``. Ids are percent-encoded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from urllib.parse import quote, unquote

from plainbrain.app.brain import Brain
from plainbrain.errors import Gone, InputError, NoBrain, NotFound
from plainbrain.faces.mcp.answers import show_reading
from plainbrain.model.memory import Memory

PAGE = 100
SCHEME = "brain://"

Get = Callable[[str], Brain]


@dataclass(frozen=True, slots=True)
class Page:
    """One page of notes with their URIs; ``next_cursor`` is where to go on, or None."""

    notes: tuple[tuple[str, Memory], ...]
    next_cursor: str | None = None


def note_uri(id: str, brain: str = "") -> str:
    """Return the URI of a note."""
    return f"{SCHEME}{quote(brain, safe='') + '/' if brain else ''}note/{quote(id, safe='')}"


def parse_uri(uri: str) -> tuple[str, str]:
    """Return the brain's name (or ``""``) and the note's id. Raise InputError for a URI that is none of ours."""
    parts = [unquote(part) for part in uri.removeprefix(SCHEME).split("/")]
    match parts:
        case ["note", id] if uri.startswith(SCHEME) and id:
            return "", id
        case [brain, "note", id] if uri.startswith(SCHEME) and id:
            return brain, id
    raise InputError(f"{uri!r} names no note", value=uri, hint="write brain://note/ID")


def list_page(get: Get, cursor: str | None, *, name: str) -> Page:
    """Return one page of notes, oldest first; ``cursor`` is where to go on. No brain yet is no notes yet."""
    if cursor and not (cursor.isascii() and cursor.isdigit() and len(cursor) < 12):
        raise InputError(f"{cursor!r} is no cursor of this list", value=cursor, hint="send the nextCursor as it came")
    start = int(cursor or 0)
    try:
        brain = get(name)
    except Gone:
        raise
    except NoBrain:
        return Page(())
    found = list(islice(brain.memories(), start, start + PAGE + 1))
    notes = tuple((note_uri(memory.id, name), memory) for memory in found[:PAGE])
    return Page(notes, str(start + PAGE) if len(found) > PAGE else None)


def read(get: Get, uri: str, *, names: Sequence[str]) -> str:
    """Return one note, fenced as data. Raise NotFound, also for a brain that is not served."""
    name, id = parse_uri(uri)
    if name and name not in names:
        raise NotFound(f"no brain {name!r} is served here", value=name, candidates=tuple(names))
    brain = get(name)
    return show_reading(brain.read(id), offset=0, now=brain.context.clock.now()).text
