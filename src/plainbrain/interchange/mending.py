"""Mending what no file can hold: half surrogates become U+FFFD, NUL goes, numbers that JSON has not become text.

The item says in which fields.

Pure. Must not know who reads or who keeps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from plainbrain.interchange.item import Found
from plainbrain.model.jsontext import with_words
from plainbrain.model.memory import Memory
from plainbrain.records import changed


def mended(item: Found) -> Found:
    """Return the item with a memory that every store can hold, and a note where that took a change. Most come back as they are."""
    if _is_sound(item.memory):
        return item
    memory: Memory = _mend(item.memory)
    notes = list(item.notes)
    if names := _differing(memory, item.memory):
        notes.append(f"characters that no file can hold were taken out or replaced in: {', '.join(names)}")
    kept = changed(memory, metadata=with_words(memory.metadata), extra=with_words(memory.extra))
    if names := _differing(kept, memory):
        notes.append(f"numbers that no JSON can hold are kept as text (NaN, Infinity) in: {', '.join(names)}")
    return replace(item, memory=kept, notes=tuple(notes)) if len(notes) > len(item.notes) else item


def _differing(one: Memory, other: Memory) -> list[str]:
    return [name for name in Memory.__slots__ if getattr(one, name) != getattr(other, name)]


def _is_sound(memory: Memory) -> bool:
    """Tell quickly that nothing needs mending; False where it takes a closer look."""
    if memory.metadata or memory.extra or memory.correction is not None or memory.dynamics.associations:
        return False
    texts = [memory.id, memory.content, memory.title, memory.description, memory.kind, memory.cortex, memory.reason]
    texts += [memory.rationale, memory.scope, memory.context, memory.user_id, memory.source, memory.source_url]
    texts += [*memory.tags, *memory.files, memory.provenance.excerpt, *memory.provenance.sessions]
    texts += [*memory.provenance.turn_ids, memory.status, memory.memory_class, memory.contradicted_by]
    texts += [memory.provenance.origin, memory.provenance.actor, memory.confidence.word]
    for rejected in memory.rejected:
        texts += [rejected.option, rejected.reason or ""]
    for link in memory.links:
        texts += [link.to, link.rel]
    joined = "".join(texts)
    try:
        joined.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return "\0" not in joined


def _mend(value: Any) -> Any:
    if isinstance(value, str):
        if not value.isascii():
            value = value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return value.replace("\0", "")
    if isinstance(value, (tuple, list)):
        return type(value)(map(_mend, value))
    if isinstance(value, Mapping):
        return {_mend(key): _mend(item) for key, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        changes = {f.name: new for f in fields(value) if (new := _mend(old := getattr(value, f.name))) != old}
        return replace(value, **changes) if changes else value
    return value
