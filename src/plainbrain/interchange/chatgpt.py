"""ChatGPT's export: ``conversations.json``, a list of conversations, each a tree of messages.

The branch that the user saw last is read (from ``current_node`` upwards); without it, all messages by their time. What ChatGPT
saved of its user is read on every branch. A missing title or time is no fault; a conversation of another shape is one, and stops nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from plainbrain.errors import BrainError
from plainbrain.interchange.chatgpt_saved import CONTEXTS, Saved, Talk
from plainbrain.interchange.conversations import Facts, Turn, nothing_in
from plainbrain.interchange.item import Fault, Item
from plainbrain.interchange.source import Source
from plainbrain.model.instants import Instant, from_ms, parse_instant
from plainbrain.model.jsontext import is_number


def read(source: Source) -> Iterator[Item]:
    """Yield what the conversations reveal."""
    facts = Facts()
    saved = Saved(facts)
    names = (
        [n for n in source.names() if n.rpartition("/")[2].startswith("conversations")] if source.is_container else [""]
    )
    for name in names:
        try:
            for number, value in source.items(name):
                yield from _conversation(value, f"{name} conversation {number}".strip(), saved)
        except BrainError as error:
            yield Fault(error.message, name or source.name, error.hint)
    yield from saved.instructions()


def _conversation(value: Any, where: str, saved: Saved) -> Iterator[Item]:
    mapping = value.get("mapping") if isinstance(value, Mapping) else None
    if not isinstance(mapping, Mapping):
        yield Fault("a conversation without messages", where, "its messages stand under mapping")
        return
    session = next((str(value[k]) for k in ("conversation_id", "id") if isinstance(value.get(k), str)), "")
    title = value["title"] if isinstance(value.get("title"), str) else ""
    turns = list(_turns(value, mapping))
    at = read_time(value.get("create_time"))
    talk = Talk(session, title, at, where)
    found = 0
    for item in (
        *saved.facts.of(turns, session=session, title=title, at=at, where=where),
        *_saved_in(mapping, saved, talk),
    ):
        found += 1
        yield item
    if not found:
        yield nothing_in(title, where)


def _saved_in(mapping: Mapping[str, Any], saved: Saved, talk: Talk) -> Iterator[Item]:
    """Yield what ChatGPT saved in a conversation, on whatever branch: a memory stays though its answer was asked for anew."""
    for node in sorted((node for node in mapping.values() if isinstance(node, Mapping)), key=_time_of):
        message = node.get("message")
        if isinstance(message, Mapping):
            yield from saved.of(message, at=read_time(message.get("create_time")), talk=talk)


def _turns(value: Mapping[str, Any], mapping: Mapping[str, Any]) -> Iterator[Turn]:
    number = 0
    for node in _branch(value, mapping):
        message = node.get("message") if isinstance(node, Mapping) else None
        author = message.get("author") if isinstance(message, Mapping) else None
        if not isinstance(message, Mapping) or not isinstance(author, Mapping) or author.get("role") != "user":
            continue
        content = message.get("content")
        if isinstance(content, Mapping) and content.get("content_type") in CONTEXTS:
            continue
        number += 1
        if text := _said(content):
            yield Turn(text, number, read_time(message.get("create_time")))


def _said(content: object) -> str:
    if isinstance(content, str):
        return content
    if not isinstance(content, Mapping) or content.get("content_type") not in (None, "text", "multimodal_text"):
        return ""
    parts = content.get("parts")
    texts = [part for part in parts if isinstance(part, str)] if isinstance(parts, list) else [content.get("text")]
    return "\n".join(text for text in texts if isinstance(text, str)).strip()


def _branch(value: Mapping[str, Any], mapping: Mapping[str, Any]) -> list[Any]:
    node_id, trail, seen = value.get("current_node"), [], set()
    while isinstance(node_id, str) and node_id in mapping and node_id not in seen:
        seen.add(node_id)
        node = mapping[node_id]
        trail.append(node)
        node_id = node.get("parent") if isinstance(node, Mapping) else None
    if trail:
        return trail[::-1]
    nodes = [node for node in mapping.values() if isinstance(node, Mapping)]
    return sorted(nodes, key=_time_of)


def _time_of(node: Mapping[str, Any]) -> float:
    message = node.get("message")
    at = message.get("create_time") if isinstance(message, Mapping) else None
    return float(at) if is_number(at) else 0.0


def read_time(value: object) -> Instant | None:
    """Read seconds since 1970, or an ISO time; anything else is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)) and -1e12 < value < 1e12:
        return from_ms(value * 1000)
    at = parse_instant(value) if isinstance(value, str) and value else None
    return at if at is not None and at.ms is not None else None
