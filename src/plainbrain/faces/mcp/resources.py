"""Notes as resources: ``brain://note/ID``, listed a page at a time, read like ``brain_read`` reads them.

With several brains the URI names the brain: ``brain://NAME/note/ID``. Ids are percent-encoded.
"""

from __future__ import annotations

from itertools import islice
from urllib.parse import quote, unquote

import mcp_types as types

from plainbrain.errors import InputError, NoBrain, NotFound
from plainbrain.faces.mcp.answers import show_reading
from plainbrain.faces.mcp.brains import Brains

PAGE = 100
SCHEME = "brain://"
TEMPLATE = types.ResourceTemplate(
    name="note",
    title="A stored note",
    uri_template=SCHEME + "note/{id}",
    description="One memory note, by its exact id.",
    mime_type="text/markdown",
)


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


def list_resources(brains: Brains, cursor: str | None) -> types.ListResourcesResult:
    """Return one page of notes, those of the first brain; ``cursor`` is where to go on. No brain yet is no notes yet."""
    if cursor and not cursor.isdigit():
        raise InputError(f"{cursor!r} is no cursor of this list", value=cursor, hint="send the nextCursor as it came")
    start = int(cursor or 0)
    name = brains.names[0] if len(brains.names) > 1 else ""
    try:
        brain = brains.get("", actor="", writes=False)
    except NoBrain:
        return types.ListResourcesResult(resources=[])
    found = list(islice(brain.memories(), start, start + PAGE + 1))
    shown = [
        types.Resource(
            uri=note_uri(memory.id, name),
            name=memory.id,
            title=memory.title[:300] or None,
            description=memory.description[:300] or None,
            mime_type="text/markdown",
        )
        for memory in found[:PAGE]
    ]
    return types.ListResourcesResult(resources=shown, next_cursor=str(start + PAGE) if len(found) > PAGE else None)


def read_resource(brains: Brains, uri: str) -> types.ReadResourceResult:
    """Return one note, fenced as data. Raise NotFound, also for a brain that is not served."""
    name, id = parse_uri(uri)
    if name and name not in brains.names:
        raise NotFound(
            f"no brain {name!r} is served here", value=name, hint="serve it with --brain", candidates=brains.names
        )
    brain = brains.get(name, actor="", writes=False)
    answer = show_reading(brain.read(id), offset=0, now=brain.context.clock.now())
    return types.ReadResourceResult(
        contents=[types.TextResourceContents(uri=uri, mime_type="text/markdown", text=answer.text)]
    )
