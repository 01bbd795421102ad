"""Claude Code's memory folders: topic files beside an index ``MEMORY.md``, one folder for each project.

Where things go: ``name`` is the title, ``description`` itself, ``type`` (flat or under ``metadata``) the kind; a paragraph
``**Why:**`` is the rationale and stays in the text; ``originSessionId`` is the session; the project is theme and context.
In the index a line that points to a topic file is passed over, and its hook is the description of a topic that has none;
what the index says itself comes over section by section.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass, field, replace
from posixpath import normpath
from urllib.parse import unquote

from plainbrain.interchange.item import Found, Item, Names, Passed
from plainbrain.interchange.markdown import dated, note_names, read_notes, stem
from plainbrain.interchange.source import Source
from plainbrain.model.memory import Memory
from plainbrain.notation.wikilinks import numbered_prose
from plainbrain.text.slug import slugify

INDEX = "MEMORY.md"
_FOLDER = "memory"
_WHY = "**Why:**"
_SESSION = "originSessionId"
#: A path with hyphens for its separators, as Claude Code names the folder of a project.
_PROJECT = re.compile(r"-|[A-Za-z]--")
_HEADING = re.compile(r"#{1,2}[ \t]+(.*?)[ \t#]*$")
_POINTER = re.compile(r"\s*(?:[-*+]\s+|\d+[.)]\s+)?(?:\*\*|__)?(?:\[[^\]]*\]\(([^)]+)\)|\[\[([^\]|#]+)[^\]]*\]\])(.*)")
_BEFORE_HOOK = " \t*_:\u2014\u2013-"


@dataclass(slots=True)
class _Section:
    """What stands under one heading of an index."""

    title: str
    line: int
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(self.lines).strip("\n").rstrip()


@dataclass(slots=True)
class _Index:
    """An index taken apart: its own sections, and the hook of each topic file it points to."""

    sections: list[_Section] = field(default_factory=list)
    hooks: dict[str, str] = field(default_factory=dict)


def read_folder(source: Source) -> Iterator[Item]:
    """Yield the topic files of a memory folder, or of a folder of such folders, and what an index says beside them."""
    files = {name.casefold() for name in note_names(source)}
    items = list(read_notes(source))
    indexes = {
        item.where: _take_apart(item.memory.content, item.where, files)
        for item in items
        if isinstance(item, Found) and _name(item.where) == INDEX
    }
    hooks = {name: hook for index in indexes.values() for name, hook in index.hooks.items()}
    for item in items:
        if not isinstance(item, Found):
            yield item
        elif item.where in indexes:
            for part in _of_index(item, indexes[item.where]):
                yield _placed(part, source) if isinstance(part, Found) else part
        else:
            topic = _topic(dated(item.memory), hooks.get(item.where.casefold(), ""))
            yield _placed(replace(item, memory=topic), source)


def _name(where: str) -> str:
    return where.rpartition("/")[2]


def _topic(memory: Memory, hook: str) -> Memory:
    why = memory.rationale or _why(memory.content)
    session = memory.metadata.get(_SESSION) or memory.extra.get(_SESSION)
    origin = memory.provenance
    if isinstance(session, str) and not origin.sessions:
        origin = replace(origin, sessions=(session,))
    return replace(memory, description=memory.description or hook, rationale=why, provenance=origin)


def _why(content: str) -> str:
    """Return the paragraph that says why."""
    _, mark, after = content.partition(_WHY)
    return " ".join(after.split("\n\n", 1)[0].split("\n**", 1)[0].split()) if mark else ""


def _placed(item: Found, source: Source) -> Found:
    """Return the item under its project, which keeps it apart from what has the same name in another."""
    folders = [part for part in item.memory.cortex.split("/") if part and part != _FOLDER]
    project = folders[0] if folders else _project_of(source)
    theme = "/".join(folders or [project]).lstrip("-")
    memory = replace(item.memory, cortex=theme, context=item.memory.context or project)
    return replace(item, memory=memory, other=f"{memory.id}-in-{slugify(project)}" if project else "")


def _project_of(source: Source) -> str:
    """Return the project whose memory folder was named itself, ``""`` for a folder that tells none."""
    path = source.path.resolve() if source.is_folder else source.path.resolve().parent
    parent = path.parent.name
    return parent if path.name == _FOLDER and _PROJECT.match(parent) else ""


def _take_apart(content: str, where: str, files: Container[str]) -> _Index:
    folder = where.rpartition("/")[0]
    index, section = _Index(), _Section("", 1)
    prose = {number for number, _ in numbered_prose(content)}
    for number, line in enumerate(content.split("\n")):
        if number in prose and (heading := _HEADING.match(line)):
            index.sections.append(section)
            section = _Section(heading[1], number + 1)
        elif number in prose and (found := _POINTER.match(line)) and (topic := _target(found, folder)) in files:
            index.hooks.setdefault(topic, found[3].strip(_BEFORE_HOOK))
        else:
            section.lines.append(line)
    index.sections = [one for one in (*index.sections, section) if one.text.strip()]
    return index


def _target(found: re.Match[str], folder: str) -> str:
    """Return the path of the file that a line points to, without case."""
    name = unquote((found[1] or "").strip().strip("<>").partition("#")[0]) or f"{found[2]}.md"
    return normpath(f"{folder}/{name}".lstrip("/")).casefold()


def _of_index(item: Found, index: _Index) -> Iterator[Found | Passed]:
    names = Names()
    for section in index.sections:
        id = names.id_of(f"{section.title}\n{section.line}", said=f"{stem(item.where)} {section.title}")
        memory = replace(item.memory, id=id, title=section.title, content=section.text)
        yield Found(memory, f"{item.where}, line {section.line}", item.notes)
    if index.hooks:
        yield Passed(f"{len(index.hooks)} of its lines, which repeat the topic files", item.where)
    elif not index.sections:
        yield Passed("the index, which says nothing", item.where)
