"""The graph of the MCP memory server: entities with observations, and relations, one JSON object a line.

Where things go: an entity is a memory, its name the title and id, its ``entityType`` the kind, its observations the
content as a list; a relation is a link. ``write`` makes the same lines again from any memories.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from plainbrain.interchange.item import Fault, Found, Item, Names, Noted
from plainbrain.interchange.source import Source
from plainbrain.model.jsontext import json_text
from plainbrain.model.links import SUPERSEDED_BY, Link
from plainbrain.model.memory import Memory
from plainbrain.text.headed import headed
from plainbrain.text.quoted import quoted

_NAMES = ("name", "entityName", "entity_name")
_TYPES = ("entityType", "entity_type", "type_")
_FROM, _TO, _REL = ("from", "from_id", "source"), ("to", "to_id", "target"), ("relationType", "relation_type")


def read(source: Source) -> Iterator[Item]:
    """Yield an entity as a memory each, with its relations as links; the first of a name counts."""
    names = Names()
    links, known = _look(source, names)
    told: set[str] = set()
    seen: set[str] = set()
    for number, value in source.objects():
        where = f"line {number}"
        if isinstance(value, str):
            yield Fault(value, where, "the other lines were read")
        elif value.get("type") == "entity" or (value.get("type") is None and _text(value, _NAMES)):
            yield from _entity(value, where, names, links, seen)
        elif value.get("type") == "relation":
            yield from _said_of_relation(value, where, known, told)
        else:
            yield Fault(f"a line of type {quoted(value.get('type'))}", where, "entities and relations are read")


def _look(source: Source, names: Names) -> tuple[dict[str, list[Link]], set[str]]:
    """Return the links by the name they go out from, and the names of all entities."""
    links: dict[str, list[Link]] = {}
    relations: list[tuple[str, str, str]] = []
    known: set[str] = set()
    for _, value in source.objects():
        if isinstance(value, str):
            continue
        if value.get("type") == "relation":
            relations.append((_text(value, _FROM), _text(value, _TO), _text(value, _REL) or "relates_to"))
        elif name := _text(value, _NAMES):
            known.add(name)
            names.id_of(name)
    for start, end, rel in relations:
        if start in known and end:
            link = Link(names.id_of(end), rel)
            if link not in links.setdefault(start, []):
                links[start].append(link)
    return links, known


def _entity(
    value: Mapping[str, Any], where: str, names: Names, links: Mapping[str, list[Link]], seen: set[str]
) -> Iterator[Item]:
    name = _text(value, _NAMES)
    if not name:
        yield Fault("an entity without a name", where, "give it a name")
        return
    if name in seen:
        yield Fault(f"the entity {quoted(name)} was there before", where, "its first line counts")
        return
    seen.add(name)
    told = value.get("observations")
    observations = [told] if isinstance(told, str) else told if isinstance(told, list) else []
    texts = [_observation(one) for one in observations if one is not None]
    kind = _text(value, _TYPES)
    memory = Memory(
        id=names.id_of(name),
        content="\n".join(_bullet(text) for text in texts),
        title=name,
        kind=kind,
        links=tuple(links.get(name, ())),
    )
    notes = () if isinstance(told, list) else ("observations is no list",)
    yield Found(memory, where, notes)


def _said_of_relation(value: Mapping[str, Any], where: str, known: set[str], told: set[str]) -> Iterator[Item]:
    """Yield what there is to say: a relation needs where it starts from; one to no entity stays an open link."""
    start, end = _text(value, _FROM), _text(value, _TO)
    if not start or not end:
        yield Fault("a relation without both ends", where, "name both ends")
    elif start not in known:
        yield Fault(f"a relation from {quoted(start)}, which is no entity here", where, "add the entity to the file")
    elif end not in known and end not in told:
        told.add(end)
        yield Noted(
            f"{quoted(end)} is no entity here: the relation is kept as an open link", where, "add the entity, or a note"
        )


def _text(value: Mapping[str, Any], names: tuple[str, ...]) -> str:
    return next((str(value[name]).strip() for name in names if isinstance(value.get(name), str)), "")


def _observation(one: object) -> str:
    if isinstance(one, Mapping):
        one = next((one[key] for key in ("content", "text", "observation") if isinstance(one.get(key), str)), one)
    return one if isinstance(one, str) else json_text(one)


def _bullet(text: str) -> str:
    return "- " + text.replace("\r\n", "\n").replace("\n", "\n  ")


def write(memories: Iterable[Memory]) -> Iterator[str]:
    """Yield the lines of a graph: every memory an entity, then every link between two of them a relation."""
    names: dict[str, str] = {}
    links: list[tuple[str, Link]] = []
    taken: set[str] = set()
    for memory in memories:
        name = memory.title if memory.title and memory.title not in taken else memory.id
        names[memory.id] = name
        taken.add(name)
        links += [(memory.id, link) for link in memory.links if link.rel != SUPERSEDED_BY]
        yield _line(
            {
                "type": "entity",
                "name": name,
                "entityType": memory.kind or "note",
                "observations": observations_of(memory if name == memory.title else _headed(memory)),
            }
        )
    for start, link in links:
        if link.to in names:
            yield _line({"type": "relation", "from": names[start], "to": names[link.to], "relationType": link.rel})


def _headed(memory: Memory) -> Memory:
    """Return the memory with a text that says its title, which is no entity's name."""
    return replace(memory, content=headed(memory.title, memory.content))


def observations_of(memory: Memory) -> list[str]:
    """Return the items of a content that is one list, else the content as one observation."""
    items: list[str] = []
    for line in memory.content.split("\n"):
        if line.startswith("- "):
            items.append(line[2:])
        elif items and (line.startswith("  ") or not line):
            items[-1] += "\n" + line.removeprefix("  ")
        elif line or not items:
            return [memory.content] if memory.content else []
    return [item.rstrip("\n") for item in items]


def _line(value: Mapping[str, Any]) -> str:
    return json_text(value, compact=True) + "\n"
