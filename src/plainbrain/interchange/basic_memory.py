"""Basic Memory's notes: observations ``- [category] text #tag (context)`` and relations ``- rel [[Target]] (context)``.

Where things go: a note is a memory, its text kept whole; ``permalink`` stays among the foreign keys, ``modified`` is
``updated``; tags of observations join the note's; relations become links as well, to the id of the note that has that
title, permalink or file name, and its last section ``Relations`` keeps only what no link says. ``write`` makes such notes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from plainbrain.interchange.item import Found, Item, Names
from plainbrain.interchange.markdown import read_notes, stem
from plainbrain.interchange.source import Source
from plainbrain.model.instants import parse_instant
from plainbrain.model.links import MENTIONS, SUPERSEDED_BY, Link, inverse_relation
from plainbrain.model.memory import Memory
from plainbrain.notation.note.scalars import quote
from plainbrain.notation.wikilinks import prose_lines
from plainbrain.text.slug import slugify

_RELATION = re.compile(r"[-*] (?:\"([^\"\[\]]{1,80})\" ?|([^\[\]\"]{1,80}?) ?)?\[\[([^\[\]|#]{1,300})")
_TAG = re.compile(r"(?:^|\s)#([^\s#()\[\]]{1,100})")
_MEMORY_URL = "memory://"
_RELATIONS = "## Relations"


@dataclass(slots=True)
class _Known:
    """The notes by every name that a relation may use, without case, and the links by the id that they lead to."""

    names: Names = field(default_factory=Names)
    by_name: dict[str, str] = field(default_factory=dict)
    back: dict[str, list[Link]] = field(default_factory=dict)

    def add(self, memory: Memory, where: str) -> str:
        permalink = str(memory.extra.get("permalink") or "")
        id = self.names.id_of(where, said=memory.title or stem(where))
        for name in (memory.title, permalink, stem(where), memory.id):
            if name:
                self.by_name.setdefault(name.casefold(), id)
        return id

    def target(self, name: str) -> str:
        """Return the id of the note of that name, ``""`` where there is none."""
        key = name.strip().removeprefix(_MEMORY_URL).casefold()
        return self.by_name.get(key) or self.by_name.get(key.rpartition("/")[2]) or ""

    def link_of(self, line: str, id: str) -> Link | None:
        """Return the link from the note ``id`` that a line makes; None for a line that makes none."""
        found = None if is_observation(line) else _RELATION.match(line)
        to = self.target(found[3]) if found else ""
        if found is None or not to or to == id:
            return None
        return Link(to, (found[1] or found[2] or "").strip() or MENTIONS)


def read_folder(source: Source) -> Iterator[Item]:
    """Yield the notes of a folder, their relations resolved and answered on the other side."""
    known = _Known()
    for item in read_notes(source):
        if isinstance(item, Found):
            known.add(item.memory, item.where)
    for item in read_notes(source):
        if isinstance(item, Found):
            id = known.names.id_of(item.where)
            for link in _links(item.memory, id, known):
                known.back.setdefault(link.to, []).append(Link(id, inverse_relation(link.rel)))
    for item in read_notes(source):
        yield replace(item, memory=_note(item, known)) if isinstance(item, Found) else item


def _links(memory: Memory, id: str, known: _Known) -> list[Link]:
    """Return the links of a note: its own, and those that its lines make. A line to no note stays a line."""
    links = list(memory.links)
    for line in map(str.strip, prose_lines(memory.content)):
        link = known.link_of(line, id)
        if link is not None and (link.to, link.rel) not in {(k.to, k.rel) for k in links}:
            links.append(link)
    return links


def _note(item: Found, known: _Known) -> Memory:
    memory = item.memory
    id = known.names.id_of(item.where)
    tags, links = dict.fromkeys(memory.tags), _links(memory, id, known)
    for line in map(str.strip, prose_lines(memory.content)):
        if is_observation(line):
            tags |= dict.fromkeys(_TAG.findall(line))
    linked = {link.to for link in links}
    links += [back for back in dict.fromkeys(known.back.get(id, ())) if back.to not in linked]
    extra = dict(memory.extra)
    modified = parse_instant(str(extra["modified"])) if extra.get("modified") else None
    if modified is not None and modified.ms is not None:
        del extra["modified"]
    else:
        modified = memory.updated
    content = _without_relations(memory.content, id, known)
    return replace(
        memory, id=id, content=content, tags=tuple(tags), links=tuple(links), updated=modified, extra=extra,
        kind=memory.kind or "note",
    )  # fmt: skip


def _without_relations(content: str, id: str, known: _Known) -> str:
    """Return a text without the lines of its last section ``Relations`` that say a link and no more: the links say them."""
    before, heading, section = content.rpartition(f"\n{_RELATIONS}\n")
    if not heading or "\n#" in section:
        return content
    kept = [line for line in section.split("\n") if not line.endswith("]]") or known.link_of(line.strip(), id) is None]
    rest = "\n".join(kept).strip("\n")
    return f"{before}{heading}\n{rest}" if rest else before.rstrip("\n")


def is_observation(line: str) -> bool:
    """Tell whether a line is an observation: ``- [category] text``, no task and no link."""
    if not line.startswith(("- [", "* [")) or line.startswith(("- [[", "* [[")):
        return False
    category, closing, rest = line[3:].partition("]")
    return bool(closing) and category not in ("", " ", "x", "X", "-") and rest[:1] == " " and bool(rest.strip())


def write(memories: Iterable[Memory], titles: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield path and text of a note for each memory; ``titles`` are those of all, by id."""
    taken: set[str] = set()
    for memory in memories:
        slug = slugify(memory.id)
        path = f"{memory.cortex}/{slug}.md" if memory.cortex else f"{slug}.md"
        number = 1
        while path.casefold() in taken:
            number += 1
            path = path.removesuffix(".md").removesuffix(f"-{number - 1}") + f"-{number}.md"
        taken.add(path.casefold())
        yield path, _text(memory, path, titles)


def _text(memory: Memory, path: str, titles: Mapping[str, str]) -> str:
    keys = [("title", memory.title or memory.id), ("type", memory.kind or "note"), ("permalink", path[:-3])]
    keys += [("created", memory.created.iso())] if memory.created else []
    keys += [("modified", memory.updated.iso())] if memory.updated else []
    keys += [("valid_until", memory.valid_until.iso())] if memory.valid_until else []
    block = [f"{key}: {quote(value)}" for key, value in keys]
    if memory.tags:
        block += ["tags:", *(f"- {quote(tag)}" for tag in memory.tags)]
    parts = [memory.content.rstrip("\n")]
    observations = [f"- [rationale] {_line(memory.rationale)}"] if memory.rationale else []
    observations += [
        f"- [rejected] {_line(f'{r.option}: {r.reason}' if r.reason else r.option)}" for r in memory.rejected
    ]
    observations += [f"- [file] {_line(name)}" for name in memory.files]
    if observations:
        parts.append("## Observations\n\n" + "\n".join(observations))
    relations = [
        f"- {_relation(link.rel)} [[{titles[link.to]}]]"
        for link in memory.links
        if link.to in titles and link.rel != SUPERSEDED_BY
    ]
    if relations:
        parts.append(f"{_RELATIONS}\n\n" + "\n".join(relations))
    return "---\n" + "\n".join(block) + "\n---\n\n" + "\n\n".join(part for part in parts if part) + "\n"


def _relation(rel: str) -> str:
    plain = _line(rel).replace('"', "'")
    return f'"{plain}"' if " " in plain else plain


def _line(text: str) -> str:
    return " ".join(text.split())
