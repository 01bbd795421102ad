"""How decisions prove themselves: put into a prompt, drawn on or ignored, borne out or reverted.

The steps are those of robrain-memory (its ``quality`` fields): what is drawn on rises, what is ignored
sinks, and what is always ignored sinks faster. Everything comes out as ``Use`` values.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum

from plainbrain.lifecycle.overlap import plain_words
from plainbrain.model.change import Activity, Plan, Use
from plainbrain.model.instants import Instant
from plainbrain.model.memory import Memory

USED, IGNORED, NO_REPLY = 0.05, -0.02, 0.03
DEMOTION, DEMOTE_FROM_INJECTED, DEMOTE_BELOW_SHARE = -0.05, 5, 0.2
USED_FROM_COSINE, USED_FROM_TERMS = 0.55, 0.30
MIN_TERM = 4
_RUN = re.compile(r"\w+")


class Outcome(StrEnum):
    """What became of a decision."""

    CONFIRMED = "confirmed"
    REVERT = "revert"
    INCIDENT = "incident"


_STEP = {Outcome.CONFIRMED: 0.10, Outcome.REVERT: -0.15, Outcome.INCIDENT: -0.10}


def key_terms(memory: Memory) -> frozenset[str]:
    """Return the words that a reply which draws on ``memory`` would use: more than three letters, no function words."""
    return _terms(f"{memory.content} {memory.rationale}")


def _terms(text: str) -> frozenset[str]:
    words = (word for word in _RUN.findall(text.casefold()) if len(word) >= MIN_TERM or not word.isascii())
    return frozenset(word for word in words if not word.isascii() or not word.isalpha() or plain_words(word))


def share_of_terms(memory: Memory, reply: str) -> float:
    """Return how much of the key terms of ``memory`` stands in ``reply``, 0..1."""
    terms = key_terms(memory)
    return len(terms & _terms(reply)) / len(terms) if terms else 0.0


def drew_on(share: float, *, cosine: float | None = None) -> bool:
    """Tell whether a reply used a memory, by the share of its terms or by the likeness of the vectors."""
    return share >= USED_FROM_TERMS or (cosine is not None and cosine >= USED_FROM_COSINE)


def inject(memory: Memory, *, at: Instant) -> Use:
    """Count that ``memory`` was put into a prompt and that nothing is known of the reply."""
    return Use(memory.id, at, injected=1, relevance=NO_REPLY + demotion(memory.usage.injected + 1, memory.usage.used))


def judge_reply(memory: Memory, reply: str, *, at: Instant, cosine: float | None = None) -> Use:
    """Count that ``memory`` was put into a prompt, and whether ``reply`` drew on it."""
    used = int(drew_on(share_of_terms(memory, reply), cosine=cosine))
    sinks = demotion(memory.usage.injected + 1, memory.usage.used + used)
    return Use(memory.id, at, injected=1, used=used, relevance=(USED if used else IGNORED) + sinks)


def demotion(injected: int, used: int) -> float:
    """Return the further step down of what is nearly always ignored, else 0; both counts include this time."""
    ignored = injected >= DEMOTE_FROM_INJECTED and used / injected < DEMOTE_BELOW_SHARE
    return DEMOTION if ignored else 0.0


def record_outcome(
    memory: Memory, outcome: Outcome, *, at: Instant, evidence: str = "", known: Iterable[Activity]
) -> Plan:
    """Move the relevance of a decision by what became of it; the same evidence of the same outcome counts once.

    ``known`` are the activities told of this memory so far. Outcomes without evidence count each time. Evidence may
    count for several outcomes, as in robrain-memory; where one bears the decision out and another does not, a note tells.
    """
    evidence = " ".join(evidence.split())
    detail = f"{outcome.value}: {evidence}" if evidence else outcome.value
    told = {a.detail for a in known if a.action == "outcome" and a.id == memory.id} if evidence else set()
    if detail in told:
        return Plan(notes=(f"already recorded: {detail}",))
    against = [one for one in Outcome if _STEP[one] * _STEP[outcome] < 0 and f"{one.value}: {evidence}" in told]
    return Plan(
        uses=(Use(memory.id, at, relevance=_STEP[outcome]),),
        activities=(Activity(at, "outcome", memory.id, detail),),
        notes=tuple(f"mind that {evidence} was recorded as {one.value} before; both count" for one in against),
    )
