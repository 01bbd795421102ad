"""How memories look: as lines for people and as plain data for programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from plainbrain.model.hit import Hit
from plainbrain.model.instants import Instant
from plainbrain.model.memory import Memory
from plainbrain.model.problem import Problem


def card(memory: Memory) -> dict[str, Any]:
    """Return what a list shows of a memory, as data."""
    found: dict[str, Any] = {
        "id": memory.id,
        "title": memory.title,
        "description": memory.description,
        "type": memory.kind,
        "cortex": memory.cortex,
        "tags": list(memory.tags),
        "confidence": memory.confidence.value,
        "status": memory.status,
        "created": iso(memory.created),
        "last_validated": iso(memory.last_validated),
    }
    if memory.superseded_by:
        found["superseded_by"] = memory.superseded_by
    if memory.provenance.trust:
        found["trust"] = memory.provenance.trust
    return found


def iso(at: Instant | None) -> str | None:
    """Return an instant as text, or None."""
    return None if at is None else at.iso()


def turned_down(memory: Memory) -> str:
    """Return the sentence that says which alternatives a memory turned down, as they were read."""
    return f"Turned down: {', '.join(' '.join(no.option.split()) for no in memory.rejected)}."


def whole(memory: Memory) -> dict[str, Any]:
    """Return a memory with all that it says, as data; empty fields are left out."""
    found = card(memory)
    found["content"] = memory.content
    found["links"] = [{"to": link.to, "rel": link.rel} for link in memory.links]
    more: Mapping[str, Any] = {
        "rationale": memory.rationale,
        "rejected": [{"option": r.option, "reason": r.reason} for r in memory.rejected],
        "files": list(memory.files),
        "scope": memory.scope,
        "context": memory.context,
        "source": memory.source,
        "source_url": memory.source_url,
        "valid_from": iso(memory.valid_from),
        "valid_until": iso(memory.valid_until),
        "invalidated": iso(memory.invalidated),
        "reason": memory.reason,
        "origin": memory.provenance.origin,
        "actor": memory.provenance.actor,
        "sessions": list(memory.provenance.sessions),
        "metadata": dict(memory.metadata),
        "extra": dict(memory.extra),
    }
    found.update({name: value for name, value in more.items() if value})
    usage = memory.usage
    if usage.accesses or usage.successes or usage.injected or usage.used:
        found["usage"] = {
            "accesses": usage.accesses,
            "successes": usage.successes,
            "injected": usage.injected,
            "used": usage.used,
            "last_accessed": iso(usage.last_accessed),
            "relevance": usage.relevance,
        }
    return found


def hit(found: Hit, *, explain: bool) -> dict[str, Any]:
    """Return a hit as data, with its factors where they were asked for."""
    data = card(found.memory) | {"score": round(found.score, 6)}
    if found.passage:
        data["passage"] = found.passage
    if found.via:
        data["via"] = found.via
    if explain:
        data["factors"] = {name: round(value, 6) for name, value in found.explanation.factors.items()}
        data["notes"] = dict(found.explanation.notes)
    return data


def hit_lines(number: int, found: Hit, *, explain: bool) -> list[str]:
    """Return a hit as lines: the id and score, the title, the description, where it stands."""
    memory = found.memory
    lines = [f"{number}. {memory.id}  {found.score:.3f}"]
    if memory.title and memory.title != memory.id:
        lines.append(f"   {memory.title}")
    if memory.description:
        lines.append(f"   {memory.description}")
    if len(lines) == 1 and memory.content:
        lines.append(f"   {_beginning(memory.content)}")
    if found.passage:
        lines.append(f"   … {' '.join(found.passage.split())}")
    lines.append(f"   {facts(memory)}")
    if explain:
        lines.append("   " + "  ".join(f"{name} {value:.4g}" for name, value in found.explanation.factors.items()))
        lines += [f"   {name}: {value}" for name, value in found.explanation.notes.items()]
    return lines


def _beginning(text: str, length: int = 100) -> str:
    flat = " ".join(text[: 4 * length].split())
    return flat if len(flat) <= length else f"{flat[: length - 1]}…"


def facts(memory: Memory) -> str:
    """Return one line of what is known about a memory besides its text."""
    at = memory.last_validated or memory.created
    parts = [
        memory.cortex,
        memory.kind,
        f"confidence {memory.confidence.value:.2g}",
        at.day_text() if at else "",
        " ".join(f"#{tag}" for tag in memory.tags),
        "" if memory.is_live else f"{memory.status.upper()} by {memory.superseded_by}".removesuffix(" by "),
        f"until {memory.valid_until.day_text()}" if memory.valid_until is not None else "",
        memory.provenance.trust if memory.provenance.trust == "unreviewed" else "",
    ]
    return " · ".join(part for part in parts if part)


def problem(found: Problem) -> dict[str, Any]:
    """Return a problem as data."""
    return {
        "code": found.code,
        "message": found.message,
        "path": found.path,
        "line": found.line,
        "hint": found.hint,
        "fixable": found.fixable,
    }


def problem_lines(problems: Iterable[Problem]) -> list[str]:
    """Return problems as lines: where, what, and what to do."""
    lines = []
    for found in problems:
        lines.append(f"{found.where}: {found.message}" if found.where else found.message)
        if found.hint:
            lines.append(f"    {found.hint}")
    return lines


def counted(number: int, one: str, many: str = "") -> str:
    """Return ``1 note`` or ``2 notes``."""
    return f"{number} {one if number == 1 else many or one + 's'}"
