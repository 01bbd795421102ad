"""Claude's export: conversations, memories, projects; as a ZIP file, a folder, a manifest's parts, or one file.

Files are told by what they hold, not by their names. Conversations give what they reveal; ``memories.json`` gives each memory
text as a note; a project gives its instructions and documents as notes of its own cortex.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from plainbrain.errors import BrainError
from plainbrain.interchange.chatgpt import read_time
from plainbrain.interchange.conversations import Facts, Turn, nothing_in
from plainbrain.interchange.item import Fault, Found, Item, Names, Passed
from plainbrain.interchange.source import Source
from plainbrain.model.instants import Instant
from plainbrain.model.memory import Memory
from plainbrain.text.slug import slugify

_MESSAGES = ("chat_messages", "messages")
_MEMORIES = ("conversations_memory", "project_memories", "memories")


@dataclass(frozen=True, slots=True)
class _Told:
    """What Claude remembers of a project."""

    project: str
    text: str
    where: str
    at: Instant | None


@dataclass(slots=True)
class _Reading:
    facts: Facts = field(default_factory=Facts)
    names: Names = field(default_factory=Names)
    #: The projects by their uuid, and what is told of projects, which waits for their names.
    projects: dict[str, str] = field(default_factory=dict)
    waiting: list[_Told] = field(default_factory=list)


def read(source: Source) -> Iterator[Item]:
    """Yield what an export holds."""
    reading = _Reading()
    names = [n for n in source.names() if n.lower().endswith(".json")] if source.is_container else [""]
    for name in names:
        where = name or source.name
        try:
            for number, value in _values(source, name):
                yield from _one(value, f"{where} item {number}", reading)
        except BrainError as error:
            yield Fault(error.message, where, error.hint)
    for told in reading.waiting:
        yield _of_project(told, reading)


def _values(source: Source, name: str) -> Iterator[tuple[int, Any]]:
    if source.head(name).lstrip().startswith(b"["):
        yield from source.items(name)
    else:
        document = source.document(name)
        inner = document.get("conversations") if isinstance(document, Mapping) else None
        yield from enumerate(inner if isinstance(inner, list) else [document], 1)


def _one(value: Any, where: str, reading: _Reading) -> Iterator[Item]:
    if not isinstance(value, Mapping):
        yield Fault("this is no object", where)
    elif any(isinstance(value.get(key), list) for key in _MESSAGES):
        yield from _conversation(value, where, reading)
    elif any(key in value for key in _MEMORIES):
        yield from _memories(value, where, reading)
    elif isinstance(value.get("docs"), list) or "prompt_template" in value:
        yield from _project(value, where, reading)
    else:
        yield Passed("neither a conversation, a memory nor a project", where)


def _conversation(value: Mapping[str, Any], where: str, reading: _Reading) -> Iterator[Item]:
    messages = next(value[key] for key in _MESSAGES if isinstance(value.get(key), list))
    turns, number = [], 0
    for message in messages:
        if not isinstance(message, Mapping) or message.get("sender", message.get("role")) not in ("human", "user"):
            continue
        number += 1
        if text := _said(message):
            turns.append(Turn(text, number, read_time(message.get("created_at"))))
    title, session = _text(value, "name", "title"), _text(value, "uuid", "id")
    found = 0
    at = read_time(value.get("created_at"))
    for item in reading.facts.of(turns, session=session, title=title, at=at, where=where):
        found += 1
        yield item
    if not found:
        yield nothing_in(title, where)


def _said(message: Mapping[str, Any]) -> str:
    if text := _text(message, "text"):
        return text
    content = message.get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [p.get("text") for p in parts if isinstance(p, Mapping) and p.get("type", "text") == "text"]
    return "\n".join(text for text in texts if isinstance(text, str))


def _memories(value: Mapping[str, Any], where: str, reading: _Reading) -> Iterator[Item]:
    at = read_time(value.get("created_at"))
    for key in _MEMORIES:
        told = value.get(key)
        if isinstance(told, str):
            told = {"": told}
        elif isinstance(told, list):
            told = {str(n): item for n, item in enumerate(told, 1)}
        for name, item in told.items() if isinstance(told, Mapping) else ():
            text = (
                item if isinstance(item, str) else _text(item, "text", "content") if isinstance(item, Mapping) else ""
            )
            if not text.strip():
                yield Fault("a memory without text", where)
            elif key == "project_memories":
                reading.waiting.append(_Told(str(name), text, where, at))
            else:
                title = "What Claude remembers" if key == "conversations_memory" else ""
                made = Memory("", text, title, kind="note", created=at)
                yield _note(reading, f"{key} {name}", made, where=where)


def _of_project(told: _Told, reading: _Reading) -> Found:
    name = reading.projects.get(told.project, "")
    title = f"Project {name or told.project}"
    made = Memory("", told.text, title, kind="note", cortex=slugify(name) if name else "", created=told.at)
    return _note(reading, f"project_memories {told.project}", made, where=told.where)


def _project(value: Mapping[str, Any], where: str, reading: _Reading) -> Iterator[Item]:
    name, uuid = _text(value, "name") or "project", _text(value, "uuid")
    if uuid and _text(value, "name"):
        reading.projects[uuid] = name
    about = "\n\n".join(text for key in ("description", "prompt_template") if (text := _text(value, key)))
    if about:
        yield _note(
            reading,
            f"project {uuid or name}",
            _dated(value, Memory("", about, name, kind="note", cortex=slugify(name))),
            where=where,
        )
    docs = value.get("docs")
    for number, doc in enumerate(docs if isinstance(docs, list) else [], 1):
        text = _text(doc, "content", "text") if isinstance(doc, Mapping) else ""
        if not text:
            yield Fault(f"document {number} has no text", where)
            continue
        title = _text(doc, "filename", "name") or f"{name} {number}"
        made = _dated(doc, Memory("", text, title, kind="note", cortex=slugify(name)))
        yield _note(reading, f"doc {uuid or name} {title}", made, where=where)
    if not about and not docs:
        yield Passed(f"the project {name} says nothing", where)


def _dated(value: Mapping[str, Any], made: Memory) -> Memory:
    return replace(made, created=read_time(value.get("created_at")), updated=read_time(value.get("updated_at")))


def _note(reading: _Reading, key: str, made: Memory, *, where: str) -> Found:
    return Found(replace(made, id=reading.names.id_of(key, said=made.title or made.content[:80])), where)


def _text(value: Mapping[str, Any], *keys: str) -> str:
    return next((value[key] for key in keys if isinstance(value.get(key), str)), "")
