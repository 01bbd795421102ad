"""agent-brain's entry, schema v2, v3 and v4: from its JSON object to a Memory and back.

Where the fields go: ``id``, ``content``, ``source``, ``source_url``, ``context`` under their own names;
``type`` is the kind; ``session_id`` the first session, when that is a whole number; ``correction_meta`` the
correction; ``superseded_by`` a link and the status; ``access_count``, ``last_accessed`` and ``success_count``
the usage. Everything else lies in one ``extra`` object (``extra.py``), counters of ours in its ``usage``.

Some fields are coarser in v4 than in a Memory: seconds, a word of confidence, one pointer. Their exact value
lies in ``extra`` as well and holds **only as long as it still renders to what the field says**: when
agent-brain itself has changed the field since, the field wins. A title, a description and a vector hold as
long as the content is the one they were made for.

Promises: ``memory_of(entry_of(m)) == m``; with ``base``, a field whose meaning did not change keeps the value
it had, however odd, and unknown keys stay where they were. Must not know files, databases or the time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from plainbrain.errors import Unreadable
from plainbrain.model.confidence import Confidence
from plainbrain.model.identity import session_number
from plainbrain.model.instants import Instant
from plainbrain.model.kinds import class_of_kind
from plainbrain.model.links import SUPERSEDED_BY, Link
from plainbrain.model.memory import ACTIVE, SUPERSEDED, Memory, Usage
from plainbrain.model.provenance import Provenance
from plainbrain.notation.entry.extra import (
    NAMES,
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
from plainbrain.notation.entry.values import (
    is_in_seconds,
    mark_content,
    read_confidence,
    read_correction,
    read_count,
    read_text,
    read_time,
    write_confidence,
    write_correction,
    write_seconds,
)

#: The fields of schema v4, in the order of its columns and keys.
FIELDS = (
    "id",
    "type",
    "memory_class",
    "content",
    "source",
    "source_url",
    "tags",
    "context",
    "session_id",
    "created",
    "last_accessed",
    "access_count",
    "confidence",
    "superseded_by",
    "success_count",
    "correction_meta",
)
#: Those of them that count use and are no knowledge.
USE_FIELDS = ("last_accessed", "access_count", "success_count")
EXTRA = "extra"
#: What stands for the texts that a changed content makes stale.
_OF_CONTENT = ("title", "description", "embedding")
_KNOWN = frozenset((*FIELDS, EXTRA))


def entry_of(memory: Memory, *, base: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Write ``memory`` as an entry; with ``base``, the entry it replaces, by the smallest change of it."""
    fresh = _render(memory)
    if base is None:
        return fresh
    old = _render(memory_of(base)[0])
    entry: dict[str, Any] = {}
    extra = fresh.pop(EXTRA, {})
    foreign = dict(extra.get("extra", {}))
    for key, value in base.items():
        if key in fresh:
            entry[key] = value if fresh[key] == old[key] else fresh[key]
        elif key not in _KNOWN and key in foreign:
            entry[key] = foreign.pop(key)
    entry |= {key: value for key, value in fresh.items() if key not in entry}
    extra.pop("extra", None)
    if foreign:
        extra["extra"] = foreign
    if extra:
        entry[EXTRA] = extra
    return entry


def memory_of(entry: Mapping[str, Any]) -> tuple[Memory, tuple[str, ...]]:
    """Read an entry of any schema; return the memory and what is wrong with it, in words.

    Raise Unreadable when it has no id; everything else that is amiss is read as well as it can be.
    """
    id = entry.get("id")
    if not isinstance(id, str) or not id:
        raise Unreadable("an entry without an id", value=id, hint="give it an id of its own")
    complaints: list[str] = []
    complain = complaints.append
    extra = _extra_of(entry, complain)
    found = read_extra(extra, complain) if extra else {}
    if not isinstance(entry.get("content"), str):
        complain("content is no text")
    content = read_text(entry.get("content"))
    if "of" in extra and extra["of"] != mark_content(content):
        for name in _OF_CONTENT:
            found.pop(name, None)
    foreign = {key: value for key, value in entry.items() if key not in _KNOWN}
    if extra:
        foreign |= {key: value for key, value in extra.items() if key not in NAMES}
    kind = read_text(entry.get("type"))
    status, links = _read_relations(entry, extra, complain)
    memory = Memory(
        id=id,
        content=content,
        kind=kind,
        memory_class=_read_class(entry, extra, kind=kind),
        tags=_read_tags(entry.get("tags"), complain),
        confidence=_read_confidence(entry, extra),
        status=status,
        links=links,
        created=read_time(entry.get("created"), read_instant(extra.get("created"))),
        context=read_text(entry.get("context")),
        source=read_text(entry.get("source")),
        source_url=read_text(entry.get("source_url")),
        provenance=_read_provenance(found.pop("provenance", None), _read_sessions(entry, extra)),
        correction=read_correction(entry.get("correction_meta"), complain),
        usage=_read_usage(entry, extra, complain),
        extra={**foreign, **found.pop("extra", {})},
        **found,
    )
    return memory, tuple(complaints)


# writing


def _render(memory: Memory) -> dict[str, Any]:
    extra = write_extra(memory)
    created, usage, sessions = memory.created, memory.usage, memory.provenance.sessions
    pointer = _pointer(memory)
    made = write_seconds(created)
    entry: dict[str, Any] = {
        "id": memory.id,
        "type": memory.kind,
        "memory_class": memory.class_,
        "content": memory.content,
        "source": memory.source,
        "source_url": memory.source_url or None,
        "tags": list(memory.tags),
        "context": memory.context or None,
        "session_id": session_number(sessions),
        "created": made,
        "last_accessed": made if usage.last_accessed is None else write_seconds(usage.last_accessed),
        "access_count": usage.accesses,
        "confidence": memory.confidence.label,
        "superseded_by": pointer,
        "success_count": usage.successes,
        "correction_meta": None if memory.correction is None else write_correction(memory.correction),
    }
    if memory.memory_class and memory.memory_class == class_of_kind(memory.kind):
        extra["memory_class"] = memory.memory_class
    if memory.confidence != Confidence(word=entry["confidence"]):
        extra["confidence"] = write_confidence(memory.confidence)
    if not is_in_seconds(created, made):
        extra["created"] = write_instant(created)
    if memory.status != _status_of(pointer) or memory.links != _links_of(pointer):
        extra["status"], extra["links"] = memory.status, write_links(memory.links)
    if sessions != _sessions_of(entry["session_id"]):
        extra["sessions"] = list(sessions)
    if counters := _write_usage(usage, entry["last_accessed"]):
        extra["usage"] = counters
    if any(name in extra for name in _OF_CONTENT):
        extra["of"] = mark_content(memory.content)
    if extra:
        entry[EXTRA] = extra
    return entry


def _pointer(memory: Memory) -> str | None:
    """Return what ``superseded_by`` says: the successor; ``""`` hides what is over without one."""
    return memory.superseded_by or (None if memory.is_live else "")


def _status_of(pointer: str | None) -> str:
    return ACTIVE if pointer is None else SUPERSEDED


def _links_of(pointer: str | None) -> tuple[Link, ...]:
    return (Link(pointer, SUPERSEDED_BY),) if pointer else ()


def _sessions_of(number: object) -> tuple[str, ...]:
    return () if number is None else (str(number),)


def _write_usage(usage: Usage, accessed: str) -> dict[str, Any]:
    counters: dict[str, Any] = {}
    if not is_in_seconds(usage.last_accessed, accessed):
        counters["last_accessed"] = write_instant(usage.last_accessed)
    if usage.injected:
        counters["injected"] = usage.injected
    if usage.used:
        counters["used"] = usage.used
    if usage.relevance is not None:
        counters["relevance"] = usage.relevance
    return counters


# reading


def _extra_of(entry: Mapping[str, Any], complain: Complain) -> Mapping[str, Any]:
    extra = entry.get(EXTRA)
    if extra is None:
        return {}
    if isinstance(extra, Mapping):
        return extra
    complain("extra is no object")
    return {"extra": {EXTRA: extra}}


def _read_tags(value: object, complain: Complain) -> tuple[str, ...]:
    if isinstance(value, str):  # schema v2 and hand-made files: one comma-joined text
        return tuple(tag for tag in value.split(",") if tag)
    if value is not None and not isinstance(value, list):
        complain("tags are no list")
    if isinstance(value, list) and not all(isinstance(tag, str) for tag in value):
        complain("a tag is no text")
        return tuple(read_text(tag) for tag in value if tag is not None)
    return read_texts(value)


def _read_class(entry: Mapping[str, Any], extra: Mapping[str, Any], *, kind: str) -> str:
    written = read_text(entry.get("memory_class"))
    if extra.get("memory_class") == written:
        return written
    return "" if written == class_of_kind(kind) else written


def _read_confidence(entry: Mapping[str, Any], extra: Mapping[str, Any]) -> Confidence:
    word = read_text(entry.get("confidence"))
    if "confidence" in extra:
        exact = read_confidence(extra["confidence"])
        if exact.label == word:
            return exact
    return Confidence(word=word)


def _read_relations(
    entry: Mapping[str, Any], extra: Mapping[str, Any], complain: Complain
) -> tuple[str, tuple[Link, ...]]:
    """Return status and links: the exact ones when they still render to the pointer, else what the pointer says."""
    value = entry.get("superseded_by")
    pointer = None if value is None else read_text(value)
    status, links = _status_of(pointer), _links_of(pointer)
    if "status" not in extra:
        return status, links
    exact_status, exact_links = read_text(extra["status"]), read_links(extra, complain)
    if _pointer(Memory("", status=exact_status, links=exact_links)) == pointer:
        return exact_status, exact_links
    return status, (*links, *(link for link in exact_links if link.rel != SUPERSEDED_BY))


def _read_provenance(exact: Provenance | None, sessions: tuple[str, ...]) -> Provenance:
    return Provenance(sessions=sessions) if exact is None else replace(exact, sessions=sessions)


def _read_sessions(entry: Mapping[str, Any], extra: Mapping[str, Any]) -> tuple[str, ...]:
    value = entry.get("session_id")
    if "sessions" in extra:
        exact = read_texts(extra["sessions"])
        if session_number(exact) == value:
            return exact
    return () if value is None else (read_text(value),)


def _read_usage(entry: Mapping[str, Any], extra: Mapping[str, Any], complain: Complain) -> Usage:
    counters = extra.get("usage")
    counters = counters if isinstance(counters, Mapping) else {}
    accessed = read_text(entry.get("last_accessed"))
    last: Instant | None = read_time(accessed, read_instant(counters.get("last_accessed")))
    # never accessed: v4 then repeats the time of creation
    if (
        "last_accessed" in counters
        and counters["last_accessed"] is None
        and accessed == read_text(entry.get("created"))
    ):
        last = None
    return Usage(
        accesses=read_count(entry, "access_count", complain),
        last_accessed=last,
        successes=read_count(entry, "success_count", complain),
        injected=read_count(counters, "injected", complain),
        used=read_count(counters, "used", complain),
        relevance=read_number(counters.get("relevance")),
    )
