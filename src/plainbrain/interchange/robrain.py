"""Reading robrain-memory/v1: chains rebuilt whatever the order of the lines, doubles folded, the last one counting.

Goes through the source twice: once for the ids, once for the memories, so that a file of any length is read in
little memory. A successor that is not in the file is left for the caller to find; lines of another format are faults, one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from plainbrain.errors import Unreadable
from plainbrain.interchange.item import Fault, Found, Item, Passed
from plainbrain.interchange.source import Source
from plainbrain.model.links import SUPERSEDED_BY, SUPERSEDES, Link
from plainbrain.model.memory import INVALIDATED, SUPERSEDED, Memory
from plainbrain.notation.decision import FORMAT, read_decision
from plainbrain.records import changed
from plainbrain.text.quoted import quoted


@dataclass(slots=True)
class _Lines:
    """What the first look tells: the line that counts for an id, who replaced whom, and which link of these would close a circle."""

    last: dict[str, int] = field(default_factory=dict)
    successor: dict[str, str] = field(default_factory=dict)
    closing: dict[str, str] = field(default_factory=dict)


def read(source: Source) -> Iterator[Item]:
    """Yield the decisions of a file. Raise InputError where it changes meanwhile."""
    lines = _look(source)
    for number, value in source.objects():
        where = f"line {number}"
        if isinstance(value, str):
            yield Fault(value, where, "the other lines were read")
            continue
        try:
            decision = read_decision(value)
        except Unreadable as error:
            yield Fault(error.message, where, error.hint)
            continue
        id = decision.memory.id
        last = lines.last.get(id, 0)
        if last < number:
            raise source.has_changed()  # the first look had no such line
        if last > number:
            yield Passed(f"{id} comes again on line {last}, which counts", where)
            continue
        notes = [*decision.complaints, *(f"{quoted(key)} stands twice, the last counts" for key in source.doubled)]
        gone = [old for old in decision.memory.supersedes if old not in lines.last]
        notes += [f"supersedes {old}, which is not in the file" for old in gone]
        memory = _without_circle(decision.memory, lines, notes)
        yield Found(_in_chain(memory, lines), where, tuple(notes))


def _look(source: Source) -> _Lines:
    lines = _Lines()
    of_line: dict[str, str] = {}
    for number, value in source.objects():
        if isinstance(value, str) or value.get("format") != FORMAT:
            continue
        id, lifecycle = value.get("id"), value.get("lifecycle")
        if not isinstance(id, str) or not isinstance(value.get("decision"), str):
            continue
        lines.last[id] = number
        of_line.pop(id, None)
        if isinstance(lifecycle, dict) and isinstance(old := lifecycle.get("supersedes_id"), str):
            of_line[id] = old
    lines.closing = _closing(of_line, lines.last)
    lines.successor = {old: id for id, old in of_line.items() if id not in lines.closing}
    return lines


def _closing(old_of: Mapping[str, str], line_of: Mapping[str, int]) -> dict[str, str]:
    """Return of each circle of replacements the link that stands on its last line: the one that closes it."""
    found: dict[str, str] = {}
    done: set[str] = set()
    for start in old_of:
        trail: dict[str, None] = {}
        id = start
        while id in old_of and id not in done and id not in trail:
            trail[id] = None
            id = old_of[id]
        if id in trail:
            ids = list(trail)
            last = max(ids[ids.index(id) :], key=line_of.__getitem__)
            found[last] = old_of[last]
        done |= trail.keys()
    return found


def _without_circle(memory: Memory, lines: _Lines, notes: list[str]) -> Memory:
    """Return the memory without the link that would close a circle, and note that it was left out."""
    old = lines.closing.get(memory.id)
    if old is None:
        return memory
    why = "is itself" if old == memory.id else "replaced it, at once or through others"
    notes.append(f"supersedes {old}, which {why}: this link was left out, as no chain goes round")
    return changed(memory, links=tuple(link for link in memory.links if (link.to, link.rel) != (old, SUPERSEDES)))


def _in_chain(memory: Memory, lines: _Lines) -> Memory:
    """Return the memory with the link to what replaced it; one that was replaced and is over was superseded."""
    after = lines.successor.get(memory.id, "")
    if not after or memory.superseded_by:
        return memory
    status = SUPERSEDED if memory.status == INVALIDATED else memory.status
    return changed(memory, status=status, links=(*memory.links, Link(after, SUPERSEDED_BY)))
