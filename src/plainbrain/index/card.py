"""A memory as the index keeps it: everything but its content and its vector, as one line of JSON.

Owns that form, which lives as long as one index file and is nobody else's business. Promises that
``read_card(write_card(m))`` is ``m`` without content and embedding. A damaged card raises BrokenCard.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from plainbrain.model.confidence import Confidence
from plainbrain.model.instants import Instant
from plainbrain.model.jsontext import with_words
from plainbrain.model.links import Link
from plainbrain.model.memory import Association, Correction, Dynamics, Memory, Rejected, Usage
from plainbrain.model.provenance import Provenance

_TEXTS = (
    "title", "description", "kind", "memory_class", "cortex", "reason", "rationale", "scope", "context", "user_id",
    "source", "source_url", "contradicted_by",
)  # fmt: skip
_TIMES = (
    "created", "updated", "last_validated", "reviewed", "invalidated", "valid_from", "valid_until",
)  # fmt: skip
_NO_CONFIDENCE, _NO_PROVENANCE, _NO_USAGE, _NO_DYNAMICS = Confidence(), Provenance(), Usage(), Dynamics()


class BrokenCard(ValueError):
    """Tell that a card is not what was written."""


def write_card(memory: Memory) -> str:
    """Return the card of ``memory``."""
    card: dict[str, Any] = {"id": memory.id, "status": memory.status}
    for name in _TEXTS:
        if value := getattr(memory, name):
            card[name] = value
    for name in _TIMES:
        if (at := getattr(memory, name)) is not None:
            card[name] = _write_time(at)
    if memory.ttl_seconds is not None:
        card["ttl_seconds"] = memory.ttl_seconds
    for name in ("tags", "files", "metadata", "extra"):
        if value := getattr(memory, name):
            card[name] = value
    _write_parts(memory, card)
    try:
        return _ENCODER.encode(card)
    except ValueError:
        return _ENCODER.encode(with_words(card))


def _write_parts(memory: Memory, card: dict[str, Any]) -> None:
    """Add the parts that are records themselves, each as a list in the order of its fields."""
    if memory.confidence != _NO_CONFIDENCE:
        card["confidence"] = [memory.confidence.number, memory.confidence.word]
    if memory.links:
        card["links"] = [
            [link.to, link.rel, link.strength, _write_time(link.created), _write_time(link.updated)]
            for link in memory.links
        ]
    if memory.rejected:
        card["rejected"] = [[item.option, item.reason] for item in memory.rejected]
    if (p := memory.provenance) != _NO_PROVENANCE:
        card["provenance"] = [p.origin, p.actor, p.trust, p.sessions, p.turn, p.turn_ids, p.excerpt]
    if (c := memory.correction) is not None:
        card["correction"] = [c.wrong_entry_id, c.wrong_claim, c.right_claim, c.reason]
    if (u := memory.usage) != _NO_USAGE:
        card["usage"] = [u.accesses, _write_time(u.last_accessed), u.successes, u.injected, u.used, u.relevance]
    if (d := memory.dynamics) != _NO_DYNAMICS:
        ties = [[a.to, a.weight, _write_time(a.last_recalled), _write_time(a.created)] for a in d.associations]
        state = [d.importance, d.stability, d.retention, d.cold, _write_time(d.cold_since), d.days_at_floor, d.stub]
        card["dynamics"] = [*state, ties]


def read_card(text: str) -> Memory:
    """Return the memory of a card, without content and embedding. Raise BrokenCard."""
    try:
        card = json.loads(text)
        for name in _TIMES:
            if name in card:
                card[name] = _read_time(card[name])
        for name, read in _READERS.items():
            if name in card:
                card[name] = read(card[name])
        return Memory(**card)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
        raise BrokenCard(f"a card that cannot be read: {text[:60]!r}") from error


def _read_links(rows: list[Any]) -> tuple[Link, ...]:
    return tuple(Link(to, rel, weight, _read_time(made), _read_time(last)) for to, rel, weight, made, last in rows)


def _read_provenance(row: list[Any]) -> Provenance:
    origin, actor, trust, sessions, turn, turn_ids, excerpt = row
    return Provenance(origin, actor, trust, tuple(sessions), turn, tuple(turn_ids), excerpt)


def _read_usage(row: list[Any]) -> Usage:
    return Usage(row[0], _read_time(row[1]), *row[2:])


def _read_dynamics(row: list[Any]) -> Dynamics:
    importance, stability, retention, cold, since, days, stub, rows = row
    ties = tuple(Association(to, w, _read_time(last), _read_time(made)) for to, w, last, made in rows)
    return Dynamics(importance, stability, retention, cold, _read_time(since), days, stub, ties)


_READERS: Mapping[str, Callable[[Any], object]] = {
    "tags": tuple,
    "files": tuple,
    "confidence": lambda row: Confidence(*row),
    "links": _read_links,
    "rejected": lambda rows: tuple(Rejected(*row) for row in rows),
    "provenance": _read_provenance,
    "correction": lambda row: Correction(*row),
    "usage": _read_usage,
    "dynamics": _read_dynamics,
}


def _write_time(at: Instant | None) -> object:
    """Return a number for a time, a list of one for a day, a text for what is neither."""
    if at is None:
        return None
    if at.ms is None:
        return at.text
    return [at.ms] if at.day else at.ms


def _read_time(value: Any) -> Instant | None:
    if value is None:
        return None
    if isinstance(value, str):
        return Instant(None, text=value)
    return Instant(value[0], day=True) if isinstance(value, list) else Instant(value)


def _plain(value: object) -> object:
    """Turn what a metadata mapping may hold into what JSON can say."""
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, (set, frozenset)) else str(value)


_ENCODER = json.JSONEncoder(separators=(",", ":"), allow_nan=False, default=_plain)
