"""What a change of a memory is in the words of the log: which events say it, and in what order.

Decides between the whole memory and a touch, and which links are link events. Promises that the events fold to exactly
the memory that was put. Writes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from plainbrain.errors import NotFound
from plainbrain.model.change import Put, Remove
from plainbrain.model.links import RELATES_TO, Link
from plainbrain.model.memory import Memory
from plainbrain.notation.event.memory import write_memory
from plainbrain.notation.event.own import place_holder
from plainbrain.notation.event.touch import still_part, write_touch
from plainbrain.notation.event.values import Erased, Event, Linked, Touched, Unlinked, Wrote, link_ends
from plainbrain.stores.jsonl.state import State
from plainbrain.stores.revision import check_expecting, revision_of


class Draft:
    """Gather the events of several changes, each checked against what the ones before it leave."""

    def __init__(self, state: State, memory: Callable[[str], Memory], revision: Callable[[str], str]) -> None:
        self.events: list[tuple[Event, str]] = []
        self._state = state
        self._memory = memory
        self._stored_revision = revision
        self._new: dict[str, tuple[Memory, str] | None] = {}
        self._links: dict[str, dict[str, Link]] = {}

    def put(self, change: Put) -> str:
        """Add the events that write a memory; return its revision."""
        memory = change.memory
        check_expecting(memory.id, self._there(memory.id), change.expecting)
        revision = revision_of(memory)
        touch = self._touch(memory)
        if touch is not None:
            self.events.append((touch, revision))
        else:
            written = memory if self._state.is_bare else self._split_links(memory)
            self.events.append((_wrote(written, bare=self._state.is_bare), revision))
        self._new[memory.id] = (memory, revision)
        return revision

    def remove(self, change: Remove) -> str:
        """Add the event that takes a memory away."""
        there = self._there(change.id)
        check_expecting(change.id, there, change.expecting)
        if there is None:
            raise NotFound(f"no memory {change.id!r}", value=change.id)
        self.events.append((Erased(change.id, bare=self._state.is_bare), ""))
        self._new[change.id] = None
        return ""

    def _there(self, id: str) -> str | None:
        if id in self._new:
            found = self._new[id]
            return None if found is None else found[1]
        return self._stored_revision(id) if id in self._state.rows else None

    def _touch(self, memory: Memory) -> Touched | None:
        """Return a touch where that says the whole change and saves a vector."""
        if self._state.is_bare or not memory.embedding or memory.id in self._new or memory.id not in self._state.rows:
            return None
        if still_part(self._memory(memory.id)) != still_part(memory):
            return None
        raw = write_touch(memory)
        return None if raw is None else Touched(memory.id, raw)

    def _split_links(self, memory: Memory) -> Memory:
        """Add link events for the links that the log has a word for; leave place-holders for them."""
        held = self._links.setdefault(memory.id, dict(self._state.links.get(memory.id, {})))
        if not held and not memory.links:
            return memory
        wanted: dict[str, Link] = {}
        kept = []
        for link in memory.links:
            if _is_event(memory.id, link) and link.to not in wanted:
                wanted[link.to] = link
                kept.append(place_holder(link))
            else:
                kept.append(link)
        for to in held.keys() - wanted.keys():
            self.events.append((Unlinked(memory.id, to), ""))
        for to, link in wanted.items():
            if held.get(to) != link:
                assert link.strength is not None
                self.events.append((Linked(memory.id, to, link.strength, link.created, link.updated), ""))
        self._links[memory.id] = wanted
        return replace(memory, links=tuple(kept))


def _is_event(id: str, link: Link) -> bool:
    """Tell whether a link event can say the link: it is kept on the first of the two ids."""
    if link.rel != RELATES_TO or link.strength is None or link.to == id or not 0 <= link.strength <= 1:
        return False
    times = [at for at in (link.created, link.updated) if at is not None]
    return link_ends(id, link.to)[0] == id and all(at.ms is not None and not at.day for at in times)


def _wrote(memory: Memory, *, bare: bool) -> Wrote:
    return Wrote(memory.id, write_memory(memory, class_key="memoryType" if bare else "category"), bare=bare)


def words_of(memory: Memory, *, bare: bool) -> Wrote:
    """Return the event that states a memory as it is; links that link events hold are left to them."""
    if bare:
        return _wrote(memory, bare=True)
    links, placed = [], set()
    for link in memory.links:
        is_event = _is_event(memory.id, link) and link.to not in placed
        placed |= {link.to} if is_event else set()
        links.append(place_holder(link) if is_event else link)
    return _wrote(replace(memory, links=tuple(links)), bare=False)
