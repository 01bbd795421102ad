"""Any folder of Markdown notes, or one note: each file a memory, its folder the cortex, as in a vault.

Owns the walk that the readers of Claude Code's and Basic Memory's folders share. Two notes of one id are kept
apart by their folders.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from plainbrain.errors import BrainError
from plainbrain.interchange.item import Fault, Found, Item, Noted, Passed
from plainbrain.interchange.source import Source
from plainbrain.model.instants import Instant, parse_instant
from plainbrain.model.memory import Json, Memory
from plainbrain.model.problem import UNREAD
from plainbrain.notation.note import read_note

_ENDINGS = (".md", ".markdown", ".mdc")
#: Hidden files that hold what a person wrote for an agent.
_RULES = re.compile(r"(?i)(?:.*/)?\.[^/]*(?:\.md|\.markdown|\.mdc|rules)")
#: What other tools call the day a note was made, and the day it was changed last.
_CREATED = ("created_at", "createdAt", "date_created", "date created", "date")
_UPDATED = ("modified", "updated_at", "updatedAt", "last_modified", "lastmod", "date_modified", "date modified")


def note_names(source: Source) -> list[str]:
    """Return the notes in a source, by path; of a single file, the file."""
    if not source.is_container:
        return [""]
    return [name for name in source.names() if name.lower().endswith(_ENDINGS)]


def read(source: Source) -> Iterator[Item]:
    """Yield the notes of a folder."""
    taken: set[str] = set()
    for item in read_notes(source):
        if isinstance(item, Found):
            item = _apart(replace(item, memory=dated(item.memory)), taken)
        yield item


def left_behind(source: Source) -> Iterator[Item]:
    """Yield what a folder holds that does not come over: hidden notes, an item for each place, and files that are no notes."""
    for name in source.hidden():
        inside = note_names(Source(source.path / name)) if name.endswith("/") else _RULES.fullmatch(name) and [name]
        if inside:
            hint = f"import it by itself: brain import {source.path / name}"
            yield Noted(f"it is hidden: {len(inside)} in it did not come over", name, hint)
    others = [name for name in source.names() if not name.lower().endswith(_ENDINGS)] if source.is_folder else []
    if others:
        yield Passed(f"files that are no notes: {len(others):,}, such as {others[0]}", source.name)


def read_notes(source: Source) -> Iterator[Item]:
    """Yield every note as it says itself, ids as they are written."""
    for name in note_names(source):
        where = name or source.name
        try:
            text = source.text(name)
        except BrainError as error:
            yield Fault(error.message, where, error.hint)
            continue
        note = read_note(text, locator=where.removesuffix("c") if where.endswith(".mdc") else where)
        if unread := [problem for problem in note.problems if problem.code in UNREAD]:
            yield Fault(unread[0].message, unread[0].where, unread[0].hint)
            continue
        yield Found(note.memory, where, tuple(problem.message for problem in note.problems))


def dated(memory: Memory) -> Memory:
    """Return the memory with the times that its other keys tell, where it says none itself; the keys stay."""
    said = {**memory.metadata, **memory.extra}
    created = memory.created or _first_time(said, _CREATED)
    updated = memory.updated or _first_time(said, _UPDATED)
    return replace(memory, created=created, updated=updated)


def _first_time(said: Mapping[str, Json], keys: tuple[str, ...]) -> Instant | None:
    times = (parse_instant(str(said[key])) for key in keys if said.get(key))
    return next((at for at in times if at.ms is not None), None)


def _apart(item: Found, taken: set[str]) -> Found:
    id = item.memory.id
    if id.casefold() in taken:
        path = item.where.rsplit(".", 1)[0]
        new = path if path.casefold() not in taken else item.where
        note = f"another note has the id {id}, so this one is {new}"
        item = replace(item, memory=replace(item.memory, id=new), notes=(*item.notes, note))
    taken.add(item.memory.id.casefold())
    return item


def stem(where: str) -> str:
    """Return a note's file name without its ending."""
    return where.rpartition("/")[2].rsplit(".", 1)[0]


def has_text(memory: Memory) -> bool:
    """Tell whether a note says anything."""
    return bool(memory.content.strip() or memory.description or memory.extra)
