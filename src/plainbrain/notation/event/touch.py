"""The moving part of a memory in a log: what recall changes again and again, without its text and vector.

Counters, stability, retention, importance, days at the floor, associations and sessions. A ``touch`` event states
all of them; what it leaves out is unsaid. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from plainbrain.model.memory import Dynamics, Memory, Usage
from plainbrain.notation.event.memory import read_memory, write_memory
from plainbrain.notation.event.own import OWN, write_usage

_KEYS = (
    "importance",
    "stability",
    "retention",
    "accessCount",
    "lastAccessed",
    "daysAtFloor",
    "associations",
    "sessionIds",
)


def write_touch(memory: Memory) -> dict[str, Any] | None:
    """Return the moving part of ``memory`` as JSON, or None when only the whole memory can say it."""
    moving = Memory(
        memory.id,
        usage=memory.usage,
        provenance=replace(Memory("").provenance, sessions=memory.provenance.sessions),
        dynamics=_moving(memory.dynamics),
    )
    raw = write_memory(moving)
    own = raw.get("metadata", {}).get(OWN, {})
    if "over" in own:
        return None
    found = {"id": memory.id, **{key: raw[key] for key in _KEYS if key in raw}}
    if usage := write_usage(memory.usage):
        found["metadata"] = {OWN: {"usage": usage}}
    return found


def _moving(dynamics: Dynamics) -> Dynamics:
    return replace(dynamics, cold=False, cold_since=None, stub=False)


def still_part(memory: Memory) -> Memory:
    """Return ``memory`` without its moving part: two that are equal here differ in a touch at most."""
    dynamics = Dynamics(cold=memory.dynamics.cold, cold_since=memory.dynamics.cold_since, stub=memory.dynamics.stub)
    return replace(memory, usage=Usage(), dynamics=dynamics, provenance=replace(memory.provenance, sessions=()))


def apply_touch(memory: Memory, raw: Mapping[str, Any]) -> Memory:
    """Return ``memory`` with the moving part that a touch event states."""
    told = read_memory(raw)[0]
    mine = memory.dynamics
    return replace(
        memory,
        usage=told.usage,
        provenance=replace(memory.provenance, sessions=told.provenance.sessions),
        dynamics=replace(told.dynamics, cold=mine.cold, cold_since=mine.cold_since, stub=mine.stub),
    )
