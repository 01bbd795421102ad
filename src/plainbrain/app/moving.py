"""Renaming a memory and putting it under another theme, with every link that this would break."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from plainbrain.app.context import Context
from plainbrain.errors import InvalidField, InvalidId
from plainbrain.later import later
from plainbrain.lifecycle.admit import check_cortex
from plainbrain.lifecycle.paths import Moved, carried, retarget
from plainbrain.model.change import ABSENT, Activity, Plan, Put, Remove
from plainbrain.model.identity import is_slug
from plainbrain.model.memory import Memory
from plainbrain.notation.wikilinks import path_links
from plainbrain.ports import Stored
from plainbrain.text.paths import from_root
from plainbrain.text.slug import slugify

if TYPE_CHECKING:
    from plainbrain.notation import note
else:
    note = later("plainbrain.notation.note")


def read_place(text: str, *, cortex: str = "") -> tuple[str, str]:
    """Return the id and the cortex that a person means by a place: ``new-id``, ``theme/new-id.md``, ``theme/``, ``New name``.

    Raise InvalidId for a place outside of the brain, InvalidField where it names another theme than ``cortex``.
    """
    place = text.strip().replace("\\", "/")
    folder, _, name = place.rpartition("/")
    if place.startswith(("/", "~")) or ".." in place.split("/") or place[1:2] == ":":
        raise InvalidId(f"{text!r} would leave the brain", value=text, hint="write new-id, or theme/new-id")
    if folder and cortex and check_cortex(folder) != check_cortex(cortex):
        raise InvalidField(f"{text!r} lies in another theme than {cortex!r}", value=text, hint="name the theme once")
    name = next((name[: -len(ending)] for ending in note.ENDINGS if name.lower().endswith(ending)), name).strip()
    return (slugify(name) if name and not is_slug(name) else name), cortex or folder


def move(context: Context, id: str, *, new_id: str = "", cortex: str = "") -> Plan:
    """Rename a memory or put it under another theme, and mend the links that point at it; ``new_id`` may be a place."""
    if new_id and not is_slug(new_id):
        new_id, cortex = read_place(new_id, cortex=cortex)
    if new_id and not is_slug(new_id):
        raise InvalidId(f"{new_id!r} cannot be an id", value=new_id, hint="use a-z, 0-9 and hyphens, at most 120")
    if not new_id and not cortex:
        raise InvalidField("there is nothing to move", hint="give a new id, a --cortex, or both")
    at = context.clock.now()
    context.catch_up()

    def decide(found: list[Stored]) -> Plan:
        stored = found[0]
        after = replace(stored.memory, cortex=check_cortex(cortex) if cortex else stored.memory.cortex, id=new_id or id)
        if after == stored.memory:
            return Plan(notes=("it is there already",))
        moved = Moved(id, after.id, _path_of(stored), f"{after.cortex}/{after.id}".lstrip("/"))
        if context.store.traits.folder and after.cortex != stored.memory.cortex:
            after = carried(after, folder=stored.memory.cortex, paths=_paths_beside(context, stored.memory))
        pointing = list(dict.fromkeys(other for other, _ in context.index.backlinks(id) if other != id))
        mended = retarget(context.store.get_many(pointing).values(), moved)
        if after.id == id:
            told = Activity(at, "move", id, f"to {after.cortex}")
            return Plan((Put(after, stored.revision), *mended), (told,))
        changes = (Put(after, ABSENT, was_id=id), *mended, Remove(id, stored.revision))
        return Plan(changes, (Activity(at, "move", after.id, f"{id} -> {after.id}"),))

    return context.carry_out_fresh([id], decide)


def _path_of(stored: Stored) -> str:
    """Return where a memory lies from the root, without an ending; of a store that is no folder, where it would."""
    for ending in note.ENDINGS:
        if stored.locator.lower().endswith(ending):
            return stored.locator[: -len(ending)]
    return f"{stored.memory.cortex}/{stored.memory.id}".lstrip("/")


def _paths_beside(context: Context, memory: Memory) -> frozenset[str]:
    """Return the paths, without case, that the note itself names by Markdown links and that are notes."""
    named = [from_root(path, folder=memory.cortex) for path in path_links(memory.content)]
    asked = list(dict.fromkeys(name for path in named for name in (path, path.rpartition("/")[2]) if name))
    return frozenset(_path_of(stored).casefold() for stored in context.store.get_many(asked).values())
