"""What a check of a plan found, as data and as lines: vetoes, what the plan turns down itself, what decisions turned down.

Must not know fences: whoever calls brings the function that makes a stored text harmless on one line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from plainbrain.app.decisions import Check, Veto, distinct
from plainbrain.model.memory import Memory

_MOST = 200
_OPTION, _REASON = 300, 1_000


def _cut(text: str | None, limit: int) -> str:
    text = text or ""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def veto_data(vetoes: Sequence[Veto]) -> list[dict[str, Any]]:
    """Return vetoes as data, those that say the same once: ``also`` names the other decisions, ``word`` what of it is named."""
    found = []
    for veto, *others in distinct(vetoes)[:_MOST]:
        also = list(dict.fromkeys(other.decision.id for other in others))
        one = {
            "option": _cut(veto.rejected.option, _OPTION),
            "reason": _cut(veto.rejected.reason, _REASON),
            "id": veto.decision.id,
            "holder": veto.holder.id,
        }
        found.append(one | ({"word": veto.word} if veto.word else {}) | ({"also": also[:_MOST]} if also else {}))
    return found


def check_data(found: Check) -> dict[str, list[dict[str, Any]]]:
    """Return what a plan names of what was turned down, as data."""
    return {"vetoes": veto_data(found.vetoes), "denied": veto_data(found.denied), "partly": veto_data(found.partly)}


def headline(named: Mapping[str, Sequence[object]], bearing: int) -> str:
    """Return the sentence that says what was found, and no more: that no word matches is no leave to go on."""
    if vetoes := len(named["vetoes"]):
        return f"{vetoes} rejected alternative{'s' if vetoes > 1 else ''} named."
    if named["denied"]:
        return "What was turned down is named only to turn it down again."
    if named["partly"]:
        return "No turned-down option is named in full; some are in part."
    if bearing:
        return "No turned-down option is named in these words; the decisions below bear on it."
    return "Nothing that was turned down is named."


def rejected_data(memory: Memory) -> dict[str, Any]:
    """Return what a decision turned down, under ``rejected``; nothing where it turned nothing down."""
    found = [{"option": _cut(r.option, _OPTION), "reason": _cut(r.reason, _REASON)} for r in memory.rejected[:_MOST]]
    return {"rejected": found} if found else {}


def rejected_lines(memory: Memory, line: Callable[[str], str]) -> list[str]:
    """Return a line for each alternative that a decision turned down."""
    return [f"   not {_against(one, line)}" for one in rejected_data(memory).get("rejected", ())]


def veto_lines(named: Mapping[str, Sequence[Mapping[str, Any]]], line: Callable[[str], str]) -> list[str]:
    """Return a line for each veto, then for each alternative that the plan turns down as well or names in part."""

    def tell(v: Mapping[str, Any], what: str) -> str:
        return f"{line(v['option'])}{what} was turned down by {_by_whom(v, line)}{_because(v, line)}"

    return [
        *(tell(v, "") for v in named["vetoes"]),
        *(tell(v, ", which the plan turns down too,") for v in named["denied"]),
        *(tell(v, f", partly named ({line(v['word'])}),") for v in named["partly"]),
    ]


def _by_whom(veto: Mapping[str, Any], line: Callable[[str], str]) -> str:
    by = line(veto["id"])
    if veto["holder"] != veto["id"]:
        by += f", which {line(veto['holder'])} replaced (the veto still holds)"
    also = ", ".join(map(line, veto.get("also", ())))
    return f"{by}, as well as by {also}" if also else by


def _against(one: Mapping[str, Any], line: Callable[[str], str]) -> str:
    return line(one["option"]) + _because(one, line)


def _because(one: Mapping[str, Any], line: Callable[[str], str]) -> str:
    return f": {line(one['reason'])}" if one["reason"] else ""
