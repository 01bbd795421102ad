"""Links by path when a note moves: those to it from other notes, and those of its own that were written from its folder. Pure.

Owns which links mean the note. The words of a link, its heading and its form (a wikilink, a Markdown link, from the root or from
the folder) stay as they are; so does every link that is right as it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from plainbrain.lifecycle.relate import replace_wikilinks
from plainbrain.model.change import Change, Put
from plainbrain.model.memory import Memory
from plainbrain.ports import Stored
from plainbrain.records import record
from plainbrain.text.paths import as_written, file_links, from_folder, from_root, is_relative


@record(frozen=True, slots=True)
class Moved:
    """A note that goes from one place to another: its ids, and its paths from the root, without an ending."""

    old_id: str
    new_id: str
    old_path: str
    new_path: str


def retarget(stored: Iterable[Stored], moved: Moved) -> list[Change]:
    """Return the changes that make every link, wikilink and link by path to a note go on to its new place."""
    changes: list[Change] = []
    for one in stored:
        memory = one.memory
        links = tuple(replace(link, to=moved.new_id) if link.to == moved.old_id else link for link in memory.links)
        after = replace(memory, links=links, content=_content(memory, moved))
        if after != memory:
            changes.append(Put(after, one.revision))
    return changes


def _content(memory: Memory, moved: Moved) -> str:
    content = replace_wikilinks(memory.content, old=moved.old_id, new=moved.new_id)
    if moved.old_path == moved.new_path:
        return content
    if moved.old_path != moved.old_id:
        content = replace_wikilinks(content, old=moved.old_path, new=moved.new_path)
        near = from_folder(moved.old_path, folder=memory.cortex)
        for old in (near, f"./{near}"):
            if is_relative(old):
                content = replace_wikilinks(content, old=old, new=from_folder(moved.new_path, folder=memory.cortex))
    return _with_paths(content, lambda path: _goes_on(path, folder=memory.cortex, moved=moved))


def _goes_on(path: str, *, folder: str, moved: Moved) -> str:
    """Return what a path in a note of ``folder`` has to say now: the same where it means something else."""
    if from_root(path, folder=folder) == moved.old_path:
        new = f"/{moved.new_path}" if path.startswith("/") else from_folder(moved.new_path, folder=folder)
        return f"./{new}" if path.startswith("./") and not new.startswith(".") else new
    return moved.new_path if path == moved.old_path else path  # from the root, as some editors write it


def carried(memory: Memory, *, folder: str, paths: frozenset[str]) -> Memory:
    """Return a note that leaves ``folder`` for its cortex with the links that it wrote from there to ``paths`` still right."""
    if folder == memory.cortex:
        return memory

    def goes_on(path: str) -> str:
        meant = "" if path.startswith("/") else from_root(path, folder=folder)
        return from_folder(meant, folder=memory.cortex) if meant.casefold() in paths else path

    return replace(memory, content=_with_paths(memory.content, goes_on))


def _with_paths(content: str, goes_on: Callable[[str], str]) -> str:
    """Return the text with the path of each Markdown link to a note as ``goes_on`` has it; the rest to the letter."""
    out: list[str] = []
    at = 0
    for link in file_links(content):
        new = goes_on(link.path)
        if new != link.path:
            out += (content[at : link.start], as_written(new))
            at = link.end
    return "".join((*out, content[at:]))
