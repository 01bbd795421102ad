"""Brains on every kind of store, and importing in one line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from plainbrain.app.brain import Brain, make_brain
from plainbrain.app.imports import Renewing, form_of_source, import_from, open_source, renew
from plainbrain.app.intake import Outcome, Report, collect
from plainbrain.model.memory import Memory
from plainbrain.testing.builders import FixedClock

KINDS = ("ram", "vault", "sqlite", "json", "jsonl")


def brain_at(kind: str, place: Path, *, secrets: str = "refused") -> Brain:
    """Make an empty brain of a kind in a folder of its own."""
    place.mkdir(parents=True, exist_ok=True)
    config = place / "config.toml"
    config.touch()
    environment = {"BRAIN_CONFIG": str(config), "BRAIN_CACHE": str(place / "cache")}
    if secrets == "allowed":
        environment["AGENT_BRAIN_PII_MODE"] = "off"
    return make_brain(f"{kind}:{place / 'brain'}", clock=FixedClock(), environment=environment)


def bring_in(
    brain: Brain,
    path: Path,
    form: str = "",
    *,
    renewing: Renewing = renew,
    tell: Callable[[Outcome], None] = lambda _: None,
) -> Report:
    """Import a file or folder."""
    source = open_source(str(path))
    try:
        found = form_of_source(source, form)
        return collect(found.name, import_from(brain.context, source, found, renewing=renewing), tell)
    finally:
        source.close()


def memories_of(brain: Brain) -> dict[str, Memory]:
    """Return every memory of a brain, by id."""
    ids = [id for id, _ in brain.store.listing()]
    return {id: stored.memory for id, stored in brain.store.get_many(ids).items()}


def write_lines(path: Path, objects: Iterable[object]) -> Path:
    """Write a file of JSON lines."""
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in objects), encoding="utf-8")
    return path


def decision_line(id: str, **changes: object) -> dict[str, object]:
    """Return a line of robrain-memory/v1; ``changes`` name fields at any depth."""
    line: dict[str, dict[str, object] | object] = {
        "format": "robrain-memory/v1",
        "id": id,
        "decision": f"Decide {id}",
        "rationale": None,
        "rejected": [],
        "files_affected": [],
        "scope": "team",
        "lifecycle": {
            "created_at": "2026-05-01T10:00:00.000Z",
            "invalidated_at": None,
            "reviewed_at": None,
            "supersedes_id": None,
        },
        "provenance": {"session_id": "s", "source_turn_sequence": None, "source_excerpt": None},
        "quality": {"historical_relevance": 0.5, "injected_count": 0, "used_count": 0},
    }
    for key, value in changes.items():
        part = next((p for p in line.values() if isinstance(p, dict) and key in p), line)
        part[key] = value
    return line


def plain(memory: Memory) -> Memory:
    """Return a memory without what only the door it came through says."""
    return replace(memory, provenance=replace(memory.provenance, origin="", trust=""))
