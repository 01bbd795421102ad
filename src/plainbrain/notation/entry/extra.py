"""The ``extra`` object of an agent-brain entry: what a memory says and schema v4 has no field for.

Owns the names and the written forms inside that one object. Every value that is unsaid is left out, so
an entry that says only what v4 can say has no object at all. Must not know the sixteen fields of v4
(``entry.py`` does) nor where the object is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any

from plainbrain.model.instants import Instant, parse_instant
from plainbrain.model.jsontext import is_number
from plainbrain.model.links import RELATES_TO, Link
from plainbrain.model.memory import Association, Dynamics, Memory, Rejected
from plainbrain.model.provenance import Provenance

_TEXTS = ("title", "description", "cortex", "reason", "rationale", "scope", "user_id", "contradicted_by")
_INSTANTS = ("updated", "last_validated", "reviewed", "invalidated", "valid_from", "valid_until")
_take_texts, _take_instants = attrgetter(*_TEXTS), attrgetter(*_INSTANTS)
_NO_DYNAMICS = Dynamics()
_DYNAMIC_UNITS = ("importance", "stability", "retention")
_PROVENANCE_TEXTS = ("origin", "actor", "trust", "excerpt")
#: What ``entry.py`` keeps here itself: exact values of fields that v4 writes more coarsely.
EXACT = ("memory_class", "tags", "confidence", "created", "status", "links", "sessions", "usage", "of")
#: Every name that means something in the object; others belong to somebody else and are kept.
NAMES = frozenset(
    (*_TEXTS, *_INSTANTS, *EXACT, "ttl_seconds", "rejected", "files", "provenance", "dynamics", "embedding")
) | {"metadata", "extra"}

Complain = Callable[[str], None]


def write_extra(memory: Memory) -> dict[str, Any]:
    """Return the object's values for everything but what EXACT names."""
    found: dict[str, Any] = {name: value for name, value in zip(_TEXTS, _take_texts(memory), strict=True) if value}
    for name, at in zip(_INSTANTS, _take_instants(memory), strict=True):
        if at is not None:
            found[name] = at.iso()
    if memory.ttl_seconds is not None:
        found["ttl_seconds"] = memory.ttl_seconds
    if memory.rejected:
        found["rejected"] = [{"option": r.option, "reason": r.reason} for r in memory.rejected]
    if memory.files:
        found["files"] = list(memory.files)
    if provenance := _write_provenance(memory.provenance):
        found["provenance"] = provenance
    if dynamics := _write_dynamics(memory.dynamics):
        found["dynamics"] = dynamics
    if memory.embedding is not None:
        found["embedding"] = list(memory.embedding)
    if memory.metadata:
        found["metadata"] = dict(memory.metadata)
    if memory.extra:
        found["extra"] = dict(memory.extra)
    return found


def read_extra(extra: Mapping[str, Any], complain: Complain) -> dict[str, Any]:
    """Return keyword arguments for ``Memory``; a value of another shape is told to ``complain`` and left out."""
    found: dict[str, Any] = {}
    for name in _TEXTS:
        if name in extra:
            found[name] = _text(extra, name, complain)
    for name in _INSTANTS:
        if name in extra and (at := read_instant(extra[name])) is not None:
            found[name] = at
    if (ttl := read_number(extra.get("ttl_seconds"))) is not None:
        found["ttl_seconds"] = ttl
    found["rejected"] = tuple(
        Rejected(str(r.get("option", "")), r.get("reason")) for r in _objects(extra, "rejected", complain)
    )
    found["files"] = read_texts(extra.get("files"))
    if isinstance(provenance := extra.get("provenance"), Mapping):
        found["provenance"] = _read_provenance(provenance)
    if isinstance(dynamics := extra.get("dynamics"), Mapping):
        found["dynamics"] = _read_dynamics(dynamics, complain)
    if isinstance(vector := extra.get("embedding"), list) and all(map(is_number, vector)):
        found["embedding"] = tuple(map(float, vector))
    for name in ("metadata", "extra"):
        if isinstance(value := extra.get(name), Mapping):
            found[name] = dict(value)
    return found


def write_links(links: tuple[Link, ...]) -> list[dict[str, Any]]:
    """Return links as JSON objects, what is unsaid left out."""
    return [
        _said(
            to=link.to,
            rel=link.rel,
            strength=link.strength,
            created=write_instant(link.created),
            updated=write_instant(link.updated),
        )
        for link in links
    ]


def read_links(extra: Mapping[str, Any], complain: Complain) -> tuple[Link, ...]:
    """Read what ``write_links`` wrote."""
    return tuple(
        Link(
            to=str(link["to"]),
            rel=str(link.get("rel", RELATES_TO)),
            strength=read_number(link.get("strength")),
            created=read_instant(link.get("created")),
            updated=read_instant(link.get("updated")),
        )
        for link in _objects(extra, "links", complain)
        if "to" in link
    )


def read_texts(value: object) -> tuple[str, ...]:
    """Return the texts of a JSON list; anything else holds none."""
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def read_instant(value: object) -> Instant | None:
    """Read an instant from a JSON text; anything else is none."""
    return parse_instant(value) if isinstance(value, str) else None


def write_instant(at: Instant | None) -> str | None:
    """Write an instant so that ``read_instant`` gives it back."""
    return None if at is None else at.iso()


def read_number(value: object) -> float | None:
    """Read a JSON number; anything else is none."""
    return float(value) if is_number(value) else None


def _write_provenance(provenance: Provenance) -> dict[str, Any]:
    found: dict[str, Any] = {name: value for name in _PROVENANCE_TEXTS if (value := getattr(provenance, name))}
    if provenance.turn is not None:
        found["turn"] = provenance.turn
    if provenance.turn_ids:
        found["turn_ids"] = list(provenance.turn_ids)
    return found


def _read_provenance(found: Mapping[str, Any]) -> Provenance:
    texts: dict[str, Any] = {name: value for name in _PROVENANCE_TEXTS if isinstance(value := found.get(name), str)}
    turn = found.get("turn")
    return Provenance(turn=turn if isinstance(turn, int) else None, turn_ids=read_texts(found.get("turn_ids")), **texts)


def _write_dynamics(dynamics: Dynamics) -> dict[str, Any]:
    if dynamics == _NO_DYNAMICS:
        return {}
    return _said(
        importance=dynamics.importance,
        stability=dynamics.stability,
        retention=dynamics.retention,
        cold=dynamics.cold or None,
        cold_since=write_instant(dynamics.cold_since),
        days_at_floor=dynamics.days_at_floor or None,
        stub=dynamics.stub or None,
        associations=[
            _said(
                to=a.to, weight=a.weight, last_recalled=write_instant(a.last_recalled), created=write_instant(a.created)
            )
            for a in dynamics.associations
        ]
        or None,
    )


def _read_dynamics(found: Mapping[str, Any], complain: Complain) -> Dynamics:
    units = {name: float(found[name]) for name in _DYNAMIC_UNITS if is_number(found.get(name))}
    days = found.get("days_at_floor")
    return Dynamics(
        cold=found.get("cold") is True,
        cold_since=read_instant(found.get("cold_since")),
        days_at_floor=days if isinstance(days, int) else 0,
        stub=found.get("stub") is True,
        associations=tuple(
            Association(
                str(a["to"]), float(a["weight"]), read_instant(a.get("last_recalled")), read_instant(a.get("created"))
            )
            for a in _objects(found, "associations", complain)
            if "to" in a and is_number(a.get("weight"))
        ),
        **units,
    )


def _said(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _text(extra: Mapping[str, Any], name: str, complain: Complain) -> str:
    if isinstance(value := extra[name], str):
        return value
    complain(f"extra.{name} is no text")
    return ""


def _objects(found: Mapping[str, Any], name: str, complain: Complain) -> list[Mapping[str, Any]]:
    value = found.get(name)
    if value is None:
        return []
    if isinstance(value, list) and all(isinstance(item, Mapping) for item in value):
        return value
    complain(f"extra.{name} is no list of objects")
    return []
