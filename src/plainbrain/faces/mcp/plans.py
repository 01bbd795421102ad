"""What a check of a plan found, as data and as lines: vetoes, what the plan turns down itself, what decisions turned down.

Must not know fences: whoever calls brings the function that makes a stored text harmless on one line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from plainbrain.app.decisions import Veto
from plainbrain.model.memory import Memory

_MOST = 200
_OPTION, _REASON = 300, 1_000


def _cut(text: str | None, limit: int) -> str:
    text = text or ""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def veto_data(vetoes: Sequence[Veto]) -> list[dict[str, Any]]:
    """Return vetoes as data."""
    return [
        {
            "option": _cut(veto.rejected.option, _OPTION),
            "reason": _cut(veto.rejected.reason, _REASON),
            "id": veto.decision.id,
            "holder": veto.holder.id,
        }
        for veto in vetoes[:_MOST]
    ]


def rejected_data(memory: Memory) -> dict[str, Any]:
    """Return what a decision turned down, under ``rejected``; nothing where it turned nothing down."""
    found = [{"option": _cut(r.option, _OPTION), "reason": _cut(r.reason, _REASON)} for r in memory.rejected[:_MOST]]
    return {"rejected": found} if found else {}


def rejected_lines(memory: Memory, line: Callable[[str], str]) -> list[str]:
    """Return a line for each alternative that a decision turned down."""
    return [f"   not {_against(one, line)}" for one in rejected_data(memory).get("rejected", ())]


def veto_lines(
    vetoes: Sequence[Mapping[str, Any]], denied: Sequence[Mapping[str, Any]], line: Callable[[str], str]
) -> list[str]:
    """Return a line for each veto, then for each alternative that the plan turns down as well."""
    told = [f"{line(v['option'])} was turned down by {line(v['id'])}{_because(v, line)}" for v in vetoes]
    also = "which the plan turns down too, was turned down by"
    return told + [f"{line(v['option'])}, {also} {line(v['id'])}{_because(v, line)}" for v in denied]


def _against(one: Mapping[str, Any], line: Callable[[str], str]) -> str:
    return line(one["option"]) + _because(one, line)


def _because(one: Mapping[str, Any], line: Callable[[str], str]) -> str:
    return f": {line(one['reason'])}" if one["reason"] else ""
