"""A memory whole, as one JSON object under the model's own names: the form of the archive and of the kept history.

Owns the names. Every field has a key of its own name; what is unsaid is left out. Promises
``read_whole(write_whole(m)) == m`` for any memory. Reads leniently: a value of another shape is told and
left out. Must not know files or lines.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plainbrain.errors import Unreadable
from plainbrain.model.jsontext import is_number
from plainbrain.model.memory import ACTIVE, Memory, Usage
from plainbrain.model.provenance import Provenance
from plainbrain.notation.entry.extra import (
    Complain,
    read_extra,
    read_instant,
    read_links,
    read_number,
    read_texts,
    write_extra,
    write_instant,
    write_links,
)
from plainbrain.notation.entry.values import read_confidence, read_correction, write_confidence, write_correction

_TEXTS = ("content", "kind", "memory_class", "context", "source", "source_url")
_COUNTS = ("accesses", "successes", "injected", "used")


def write_whole(memory: Memory) -> dict[str, Any]:
    """Return the object of ``memory``."""
    found: dict[str, Any] = {"id": memory.id}
    found |= {name: value for name in _TEXTS if (value := getattr(memory, name))}
    if memory.tags:
        found["tags"] = list(memory.tags)
    if memory.confidence.said:
        found["confidence"] = (
            memory.confidence.word if memory.confidence.number is None else write_confidence(memory.confidence)
        )
    if memory.status != ACTIVE:
        found["status"] = memory.status
    if memory.links:
        found["links"] = write_links(memory.links)
    if memory.created is not None:
        found["created"] = memory.created.iso()
    if memory.correction is not None:
        found["correction"] = write_correction(memory.correction)
    if usage := _write_usage(memory.usage):
        found["usage"] = usage
    found |= write_extra(memory)
    if memory.provenance.sessions:
        found.setdefault("provenance", {})["sessions"] = list(memory.provenance.sessions)
    return found


def _write_usage(usage: Usage) -> dict[str, Any]:
    found: dict[str, Any] = {name: value for name in _COUNTS if (value := getattr(usage, name))}
    if usage.last_accessed is not None:
        found["last_accessed"] = write_instant(usage.last_accessed)
    if usage.relevance is not None:
        found["relevance"] = usage.relevance
    return found


def read_whole(found: Mapping[str, Any]) -> tuple[Memory, tuple[str, ...]]:
    """Read an object; return the memory and what is amiss with it, in words. Raise Unreadable without an id."""
    id = found.get("id")
    if not isinstance(id, str) or not id:
        raise Unreadable("a memory without an id", value=id, hint="give it an id of its own")
    complaints: list[str] = []
    complain = complaints.append
    fields = read_extra(found, complain)
    for name in _TEXTS:
        value = found.get(name, "")
        if isinstance(value, str):
            fields[name] = value
        else:
            complain(f"{name} is no text")
    provenance, said = fields.pop("provenance", Provenance()), found.get("provenance")
    if isinstance(said, Mapping) and said.get("sessions"):
        provenance = Provenance(**_with_sessions(provenance, read_texts(said["sessions"])))
    status, confidence = found.get("status", ACTIVE), found.get("confidence")
    memory = Memory(
        id=id,
        tags=read_texts(found.get("tags")),
        confidence=read_confidence({"word": confidence} if isinstance(confidence, str) else confidence),
        status=status if isinstance(status, str) else ACTIVE,
        links=read_links(found, complain),
        created=read_instant(found.get("created")),
        correction=read_correction(found.get("correction"), complain),
        usage=_read_usage(found.get("usage"), complain),
        provenance=provenance,
        **fields,
    )
    return memory, tuple(complaints)


def _with_sessions(provenance: Provenance, sessions: tuple[str, ...]) -> dict[str, Any]:
    names = ("origin", "actor", "trust", "turn", "turn_ids", "excerpt")
    return {name: getattr(provenance, name) for name in names} | {"sessions": sessions}


def _read_usage(found: object, complain: Complain) -> Usage:
    if found is None:
        return Usage()
    if not isinstance(found, Mapping):
        complain("usage is no object")
        return Usage()
    for name in (*_COUNTS, "relevance"):
        if found.get(name) is not None and not is_number(found[name]):
            complain(f"usage.{name} is no number: left out")
    counts = {name: int(found[name]) for name in _COUNTS if is_number(found.get(name))}
    return Usage(
        last_accessed=read_instant(found.get("last_accessed")), relevance=read_number(found.get("relevance")), **counts
    )
