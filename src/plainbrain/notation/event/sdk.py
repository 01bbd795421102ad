"""The log events of cognitive-memory's Python package: snake_case keys, naive ISO times, link weights that add.

Read only: a log that holds them is continued in the typed form. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plainbrain.errors import Unreadable
from plainbrain.model.instants import Instant, parse_instant
from plainbrain.model.jsontext import is_number
from plainbrain.notation.event.values import Cleared, Erased, Event, Moved, Strengthened, Unlinked, Wrote

_KEYS = {
    "user_id": "userId",
    "access_count": "accessCount",
    "last_accessed_at": "lastAccessed",
    "created_at": "createdAt",
    "updated_at": "updatedAt",
    "session_ids": "sessionIds",
    "is_cold": "isCold",
    "cold_since": "coldSince",
    "days_at_floor": "daysAtFloor",
    "is_superseded": "isSuperseded",
    "superseded_by": "supersededBy",
    "contradicted_by": "contradictedBy",
    "is_stub": "isStub",
    "memory_type": "semanticType",
    "valid_from": "validFrom",
    "valid_until": "validUntil",
    "ttl_seconds": "ttlSeconds",
    "source_turn_ids": "sourceTurnIds",
}
#: The event types that are this package's alone; ``link`` is shared, and is its own when it has a ``weight``.
TYPES = frozenset(
    {"create", "update", "delete", "migrate_to_cold", "migrate_to_hot", "convert_to_stub", "unlink", "clear"}
)


def read_sdk_event(raw: Mapping[str, Any]) -> Event:
    """Return the event of one object of the Python package's log. Raise Unreadable when it is not whole."""
    kind = raw["type"]
    if kind == "clear":
        return Cleared()
    if kind in ("link", "unlink"):
        return _link(raw, kind)
    if kind in ("create", "update"):
        memory = raw.get("memory")
        if not isinstance(memory, Mapping) or not isinstance(memory.get("id"), str):
            raise Unreadable(f"a {kind} event without a memory that has an id", value=kind)
        told: dict[str, Any] = {_KEYS.get(str(key), str(key)): value for key, value in memory.items()}
        told.setdefault("userId", "default")
        return Wrote(memory["id"], told, if_there=kind == "update")
    id = raw.get("id")
    if not isinstance(id, str):
        raise Unreadable(f"a {kind} event without an id", value=kind)
    if kind == "delete":
        return Erased(id)
    if kind == "migrate_to_cold":
        return Moved(id, {"isCold": True, "coldSince": raw.get("cold_since")}, ("hot",))
    if kind == "migrate_to_hot":
        return Moved(id, {"isCold": False, "coldSince": None, "daysAtFloor": 0}, ("cold",))
    stub: dict[str, Any] = {"isStub": True, "isCold": False, "coldSince": None, "stability": 0.0, "embedding": []}
    return Moved(id, {**stub, "content": str(raw.get("content", ""))}, ("cold", "hot"))


def _link(raw: Mapping[str, Any], kind: str) -> Event:
    a, b, weight = raw.get("a"), raw.get("b"), raw.get("weight")
    if not isinstance(a, str) or not isinstance(b, str):
        raise Unreadable(f"a {kind} event without two ids", value=kind)
    if kind == "unlink":
        return Unlinked(a, b)
    if not is_number(weight):
        raise Unreadable("a link event without a weight", value=kind)
    return Strengthened(a, b, float(weight), _when(raw.get("created_at")), _when(raw.get("updated_at")))


def _when(value: Any) -> Instant | None:
    return parse_instant(value) if isinstance(value, str) else None
