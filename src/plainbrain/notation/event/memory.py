"""The memory inside a log event: which field of a memory goes under which key, and back without loss.

Plain keys are those of cognitive-memory's TypeScript adapter: ``userId``, ``content``, ``category`` (bare
objects say ``memoryType``), ``semanticType`` (our ``kind``; its ``other`` is our unsaid), ``importance``,
``stability``, ``retention``, ``accessCount``, ``lastAccessed``, ``createdAt``, ``updatedAt``, ``validFrom``,
``validUntil``, ``ttlSeconds``, ``isSuperseded`` and ``supersededBy`` (our status and link),
``contradictedBy``, ``sessionIds``, ``sourceTurnIds``, ``isCold``, ``coldSince``, ``daysAtFloor``, ``isStub``,
``associations``, ``embedding``. What is unsaid is left out; readers fill in their defaults. An embedding is
always there (empty when there is none), since the TypeScript search fails without one.

All else that a memory holds lies under ``metadata.plainbrain`` (``own``). Where a plain key cannot
say the whole truth (a day, a status of our own) it gets the nearest value, and ``plainbrain.over`` keeps
``[what was written, the truth]``; the truth counts as long as nobody changed the plain key. Unknown keys
are the memory's ``extra`` and stay where they were.

Pure. Knows one memory; knows nothing of lines, files and replay.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plainbrain.model.instants import Instant, from_ms
from plainbrain.model.jsontext import is_number
from plainbrain.model.kinds import EVENT_CATEGORIES
from plainbrain.model.links import SUPERSEDED_BY, Link
from plainbrain.model.memory import ACTIVE, SUPERSEDED, Association, Dynamics, Memory
from plainbrain.notation.event.fields import Reader, Writer
from plainbrain.notation.event.own import OWN, Own, read_own, write_own

Raw = Mapping[str, Any]
#: The plain keys.
_KNOWN = frozenset(
    {
        "id",
        "userId",
        "content",
        "category",
        "memoryType",
        "semanticType",
        "importance",
        "stability",
        "accessCount",
        "lastAccessed",
        "retention",
        "createdAt",
        "updatedAt",
        "associations",
        "sessionIds",
        "isCold",
        "coldSince",
        "daysAtFloor",
        "isSuperseded",
        "supersededBy",
        "isStub",
        "contradictedBy",
        "validFrom",
        "validUntil",
        "ttlSeconds",
        "sourceTurnIds",
        "embedding",
        "metadata",
    }
)
#: Keys that mean something about a line: never used for what a memory holds besides.
_RESERVED = _KNOWN | {"type", "deleted", "deletedAt", "_deleted", "tombstone", "crc", "batch", "at", "rev"}
_OTHER = "other"
#: What the TypeScript adapter calls a memory that came without an id.
NO_ID = "undefined"


def write_memory(memory: Memory, *, class_key: str = "category", shown: str | None = None) -> dict[str, Any]:
    """Return the JSON object of ``memory``; ``class_key`` is ``memoryType`` for a bare object, ``shown`` what others read as its content."""
    to = Writer()
    to.raw["id"] = memory.id
    to.say("userId", memory.user_id)
    if shown is None or shown == memory.content:
        to.raw["content"] = memory.content
    else:
        to.say_instead("content", shown, memory.content)
    _write_class(to, memory, class_key)
    _write_dynamics(to, memory.dynamics)
    to.say("accessCount", memory.usage.accesses)
    to.say_when("lastAccessed", memory.usage.last_accessed)
    for key, at in (("createdAt", memory.created), ("updatedAt", memory.updated)):
        to.say_when(key, at)
    for key, at in (("validFrom", memory.valid_from), ("validUntil", memory.valid_until)):
        to.say_when(key, at)
    if memory.ttl_seconds is not None:
        to.raw["ttlSeconds"] = memory.ttl_seconds
    _write_status(to, memory)
    to.say("contradictedBy", memory.contradicted_by)
    if memory.provenance.sessions:
        to.raw["sessionIds"] = list(memory.provenance.sessions)
    if memory.provenance.turn_ids:
        to.raw["sourceTurnIds"] = list(memory.provenance.turn_ids)
    inside = {key: value for key, value in memory.extra.items() if key in _RESERVED}
    to.raw.update((key, value) for key, value in memory.extra.items() if key not in _RESERVED)
    own = write_own(memory, over=to.over, extra=inside)
    metadata = dict(memory.metadata)
    if OWN in metadata:
        own["own"] = metadata.pop(OWN)
    if own:
        metadata[OWN] = own
    if metadata:
        to.raw["metadata"] = metadata
    to.raw["embedding"] = list(memory.embedding or ())
    return to.raw


def _write_class(to: Writer, memory: Memory, class_key: str) -> None:
    if memory.memory_class in EVENT_CATEGORIES:
        to.raw[class_key] = memory.memory_class
    elif memory.memory_class or memory.class_ in EVENT_CATEGORIES[:1] + EVENT_CATEGORIES[2:]:
        nearest = memory.class_ if memory.class_ in EVENT_CATEGORIES else "semantic"
        to.say_instead(class_key, nearest, memory.memory_class)
    if memory.kind == _OTHER:
        to.say_instead("semanticType", _OTHER, _OTHER)
    else:
        to.say("semanticType", memory.kind)


def _write_dynamics(to: Writer, dynamics: Dynamics) -> None:
    to.say("importance", dynamics.importance)
    to.say("stability", dynamics.stability)
    to.say("retention", dynamics.retention)
    to.say("isCold", dynamics.cold)
    to.say_when("coldSince", dynamics.cold_since)
    to.say("daysAtFloor", dynamics.days_at_floor)
    to.say("isStub", dynamics.stub)
    if dynamics.associations:
        shown = {a.to: write_association(a) for a in dynamics.associations}
        if _read_associations(shown) == dynamics.associations:
            to.raw["associations"] = shown
        else:
            to.say_instead("associations", shown, [_whole_association(a) for a in dynamics.associations])


def write_association(association: Association) -> dict[str, Any]:
    """Return one association as the engine's JSON."""
    last, made = association.last_recalled, association.created
    found: dict[str, Any] = {"targetId": association.to, "weight": association.weight}
    found["lastCoRetrieval"] = None if last is None else last.ms
    found["createdAt"] = None if made is None else made.ms
    return found


def _whole_association(association: Association) -> list[Any]:
    last, made = association.last_recalled, association.created
    return [association.to, association.weight, last and last.iso(), made and made.iso()]


def _write_status(to: Writer, memory: Memory) -> None:
    live = memory.is_live
    if memory.status not in (ACTIVE, SUPERSEDED):
        to.say_instead("isSuperseded", not live, memory.status)
    elif not live:
        to.raw["isSuperseded"] = True
    to.say("supersededBy", memory.superseded_by)


def read_memory(raw: Raw) -> tuple[Memory, tuple[str, ...]]:
    """Return the memory of a JSON object, and what was odd about it, in words. Never raises on any JSON object."""
    metadata = raw.get("metadata")
    named = metadata if isinstance(metadata, Mapping) else {}
    inside = named.get(OWN)
    own: Own = read_own(inside if isinstance(inside, Mapping) else {})
    at = Reader(raw, own.over)
    if metadata is not None and not isinstance(metadata, Mapping):
        at.odd["metadata"] = metadata
    memory = _build(at, own)
    extra = {key: value for key, value in raw.items() if key not in _KNOWN}
    if raw.get("category") is not None and raw.get("memoryType") not in (None, raw["category"]):
        extra["memoryType"] = raw["memoryType"]
    shown = {key: value for key, value in named.items() if key != OWN}
    if inside is not None and not isinstance(inside, Mapping):
        shown[OWN] = inside
    elif own.clash is not None:
        shown[OWN] = own.clash
    notes = [f"{key} is of the wrong sort and was set aside" for key in at.odd]
    if not isinstance(raw.get("id"), str) or not raw["id"]:
        notes.append(f"the memory has no id and is called {memory.id!r}")
    object.__setattr__(memory, "metadata", shown)
    object.__setattr__(memory, "extra", {**extra, **own.extra, **at.odd})
    return memory, tuple(notes)


def _build(at: Reader, own: Own) -> Memory:
    class_key = "category" if at.raw.get("category") is not None else "memoryType"
    kind = at.text("semanticType")
    if kind == _OTHER and not at.truth("semanticType")[0]:
        kind = ""
    dynamics = Dynamics(
        importance=at.number("importance"),
        stability=at.number("stability"),
        retention=at.number("retention"),
        cold=at.flag("isCold"),
        cold_since=at.when("coldSince"),
        days_at_floor=at.count("daysAtFloor"),
        stub=at.flag("isStub"),
        associations=_associations(at),
    )
    status, superseded_by = _status(at), at.text("supersededBy")
    return own.memory(
        id=_id(at.raw.get("id")),
        content=at.text("content"),
        kind=kind,
        memory_class=at.text(class_key),
        status=status,
        links=_links(own.links, superseded_by),
        created=at.when("createdAt"),
        updated=at.when("updatedAt"),
        valid_from=at.when("validFrom"),
        valid_until=at.when("validUntil"),
        ttl_seconds=at.number("ttlSeconds"),
        user_id=at.text("userId"),
        contradicted_by=at.text("contradictedBy"),
        sessions=at.texts("sessionIds"),
        turn_ids=at.texts("sourceTurnIds"),
        accesses=at.count("accessCount"),
        last_accessed=at.when("lastAccessed"),
        dynamics=dynamics,
        embedding=at.vector(),
    )


def _id(value: Any) -> str:
    if isinstance(value, str) and value:
        return value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else NO_ID


def _status(at: Reader) -> str:
    known, truth = at.truth("isSuperseded")
    if known and isinstance(truth, str):
        return truth
    return SUPERSEDED if at.flag("isSuperseded") else ACTIVE


def _links(own: tuple[Link, ...], superseded_by: str) -> tuple[Link, ...]:
    written = next((link.to for link in own if link.rel == SUPERSEDED_BY), "")
    if written == superseded_by:
        return own
    kept = tuple(link for link in own if link.rel != SUPERSEDED_BY)
    return (*kept, Link(superseded_by, SUPERSEDED_BY)) if superseded_by else kept


def _associations(at: Reader) -> tuple[Association, ...]:
    known, truth = at.truth("associations")
    if known and isinstance(truth, list):
        return tuple(
            Association(to, weight, at.moment("associations", last), at.moment("associations", made))
            for to, weight, last, made in (row for row in truth if _is_association(row))
        )
    value = at.raw.get("associations")
    if value is None or isinstance(value, Mapping):
        found = _read_associations(value or {})
        if len(found) == len(value or {}):
            return found
    at.odd["associations"] = value
    return ()


def _is_association(row: Any) -> bool:
    return isinstance(row, list) and len(row) == 4 and isinstance(row[0], str) and isinstance(row[1], (int, float))


def _read_associations(value: Mapping[str, Any]) -> tuple[Association, ...]:
    found = []
    for to, item in value.items():
        if isinstance(item, Mapping):
            weight = item.get("weight")
            if is_number(weight):
                last, made = (_ms(item.get(key)) for key in ("lastCoRetrieval", "createdAt"))
                found.append(Association(to, float(weight), last, made))
    return tuple(found)


def _ms(value: Any) -> Instant | None:
    return from_ms(value) if is_number(value) else None
