"""What a log event keeps under ``metadata.plainbrain``: all that a memory holds and the log's own keys cannot say.

Keys are the names of the memory's fields; what is unsaid is left out. ``links`` are ``[to, rel, strength,
created, updated]`` shortened from the right; a link that the log's link events hold is ``{"linked": to}``, which keeps
its place among the others. ``over``, ``own`` and ``extra`` are explained in ``event_memory``.

Pure. Knows no line and no plain key.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from plainbrain.model.confidence import Confidence
from plainbrain.model.instants import Instant, parse_instant
from plainbrain.model.jsontext import is_number
from plainbrain.model.links import SUPERSEDED_BY, Link
from plainbrain.model.memory import Correction, Memory, Rejected, Usage
from plainbrain.model.provenance import Provenance

#: The key under ``metadata``.
OWN = "plainbrain"
_TEXTS = ("title", "description", "cortex", "reason", "rationale", "scope", "context", "source", "source_url")
_INSTANTS = ("last_validated", "reviewed", "invalidated")
_PROVENANCE = ("origin", "actor", "trust", "excerpt")
_CORRECTION = ("wrong_entry_id", "wrong_claim", "right_claim", "reason")
#: The relation that stands in for "the log's link events say it".
_LINKED = "linked"


@dataclass(frozen=True, slots=True)
class Own:
    """Hold what was found under ``metadata.plainbrain``, ready to be joined with the plain keys."""

    fields: Mapping[str, Any] = field(default_factory=dict)
    links: tuple[Link, ...] = ()
    usage: Mapping[str, Any] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)
    over: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)
    clash: Any = None

    def memory(
        self,
        *,
        sessions: tuple[str, ...],
        turn_ids: tuple[str, ...],
        accesses: int,
        last_accessed: Instant | None,
        **plain: Any,
    ) -> Memory:
        """Build the memory from the plain keys' fields and these."""
        return Memory(
            usage=Usage(accesses=accesses, last_accessed=last_accessed, **self.usage),
            provenance=Provenance(sessions=sessions, turn_ids=turn_ids, **self.provenance),
            **plain,
            **self.fields,
        )


def write_own(memory: Memory, *, over: Mapping[str, Any], extra: Mapping[str, Any]) -> dict[str, Any]:
    """Return the object for ``metadata.plainbrain``; empty when there is nothing to keep."""
    found: dict[str, Any] = {name: getattr(memory, name) for name in _TEXTS if getattr(memory, name)}
    for name in _INSTANTS:
        if (at := getattr(memory, name)) is not None:
            found[name] = at.iso()
    if memory.tags:
        found["tags"] = list(memory.tags)
    if memory.files:
        found["files"] = list(memory.files)
    if memory.confidence.said:
        found["confidence"] = _write_confidence(memory.confidence)
    if memory.links and memory.links != (Link(memory.superseded_by, SUPERSEDED_BY),):
        found["links"] = [write_link(link) for link in memory.links]
    if memory.rejected:
        found["rejected"] = [[r.option] if r.reason is None else [r.option, r.reason] for r in memory.rejected]
    if memory.correction is not None:
        told = {name: getattr(memory.correction, name) for name in _CORRECTION}
        found["correction"] = {name: value for name, value in told.items() if value is not None}
    if usage := write_usage(memory.usage):
        found["usage"] = usage
    if said := _said(memory.provenance, (*_PROVENANCE, "turn")):
        found["provenance"] = said
    if extra:
        found["extra"] = dict(extra)
    if over:
        found["over"] = dict(over)
    return found


def write_usage(usage: Usage) -> dict[str, Any]:
    """Return the counters that the log has no key for."""
    found: dict[str, Any] = {n: getattr(usage, n) for n in ("successes", "injected", "used") if getattr(usage, n)}
    if usage.relevance is not None:
        found["relevance"] = usage.relevance
    return found


def _said(record: object, names: Sequence[str]) -> dict[str, Any]:
    found = {name: getattr(record, name) for name in names}
    return {name: value for name, value in found.items() if value is not None and value != ""}


def _write_confidence(confidence: Confidence) -> Any:
    if confidence.number is not None and confidence.word:
        return [confidence.number, confidence.word]
    return confidence.word if confidence.number is None else confidence.number


def write_link(link: Link) -> Any:
    """Return one link as a short list, or as a place-holder when its strength is told by link events."""
    if link.rel == _LINKED:
        return {_LINKED: link.to}
    row: list[Any] = [link.to, link.rel, link.strength, link.created and link.created.iso()]
    row.append(link.updated and link.updated.iso())
    while row[-1] is None:
        row.pop()
    return row


def place_holder(link: Link) -> Link:
    """Return what keeps the place of a link that the log's link events hold."""
    return Link(link.to, _LINKED)


def is_place_holder(link: Link) -> bool:
    """Tell whether the link only keeps a place."""
    return link.rel == _LINKED


def read_own(raw: Mapping[str, Any]) -> Own:
    """Read the object back; what is not of our form (somebody edited it) is passed over."""
    fields: dict[str, Any] = {name: raw[name] for name in _TEXTS if isinstance(raw.get(name), str)}
    for name in _INSTANTS:
        if isinstance(raw.get(name), str):
            fields[name] = parse_instant(raw[name])
    for name in ("tags", "files"):
        if isinstance(raw.get(name), list):
            fields[name] = tuple(str(item) for item in raw[name])
    if "confidence" in raw:
        fields["confidence"] = _read_confidence(raw["confidence"])
    rejected = raw.get("rejected")
    if isinstance(rejected, list):
        rows = [row for row in rejected if isinstance(row, list) and row]
        fields["rejected"] = tuple(Rejected(str(row[0]), str(row[1]) if len(row) > 1 else None) for row in rows)
    if isinstance(raw.get("correction"), Mapping):
        fields["correction"] = Correction(**{n: str(v) for n, v in raw["correction"].items() if n in _CORRECTION})
    links = raw.get("links")
    return Own(
        fields=fields,
        links=tuple(_read_link(row) for row in links if row) if isinstance(links, list) else (),
        usage=read_usage(raw.get("usage")),
        provenance=_read_provenance(raw.get("provenance")),
        over=raw["over"] if isinstance(raw.get("over"), Mapping) else {},
        extra=raw["extra"] if isinstance(raw.get("extra"), Mapping) else {},
        clash=raw.get("own"),
    )


def read_usage(raw: Any) -> dict[str, Any]:
    """Read the counters back."""
    if not isinstance(raw, Mapping):
        return {}
    found: dict[str, Any] = {n: int(raw[n]) for n in ("successes", "injected", "used") if is_number(raw.get(n))}
    if is_number(raw.get("relevance")):
        found["relevance"] = float(raw["relevance"])
    return found


def _read_provenance(raw: Any) -> dict[str, Any]:
    if not isinstance(raw, Mapping):
        return {}
    found: dict[str, Any] = {name: raw[name] for name in _PROVENANCE if isinstance(raw.get(name), str)}
    if isinstance(raw.get("turn"), int):
        found["turn"] = raw["turn"]
    return found


def _read_confidence(raw: Any) -> Confidence:
    if isinstance(raw, list) and len(raw) == 2 and is_number(raw[0]):
        return Confidence(raw[0], str(raw[1]))
    return Confidence(raw) if is_number(raw) else Confidence(word=str(raw))


def _read_link(row: Any) -> Link:
    if isinstance(row, Mapping):
        return Link(str(row.get(_LINKED, "")), _LINKED)
    if not isinstance(row, list):
        return Link(str(row))
    to, rel, strength, created, updated = (*row, *[None] * 5)[:5]
    return Link(
        str(to),
        rel if isinstance(rel, str) else "relates_to",
        float(strength) if is_number(strength) else None,
        parse_instant(created) if isinstance(created, str) else None,
        parse_instant(updated) if isinstance(updated, str) else None,
    )
