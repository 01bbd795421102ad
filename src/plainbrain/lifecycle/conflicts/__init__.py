"""Whether two memories say what cannot both be true.

Two statements conflict when they speak of the same thing and differ in what can have one value only: a
number, a version, a time, a yes and a no, two sides of an opposition, a replaced value. Different subjects,
facts that add to each other, another wording of the same, and another context are no conflicts. The words
that decide are data (``conflicts_words``, ``conflicts_values``); no model is asked. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from plainbrain.lifecycle.conflicts.case import Decision
from plainbrain.lifecycle.conflicts.decide import decide
from plainbrain.lifecycle.conflicts.match import pair_up
from plainbrain.lifecycle.conflicts.reading import Statement, read_statements
from plainbrain.lifecycle.overlap import measure_overlap
from plainbrain.model.memory import Memory
from plainbrain.records import record

DUPLICATE_FROM = 0.92
Kind = Literal["conflict", "same", "none"]


@record(frozen=True, slots=True)
class Verdict:
    """The judgement on two memories.

    ``overlap`` is agent-brain's figure (shared words over those of the shorter text, 0..1; for texts that it
    cannot read, the same over our words), and 0 for ``none``. ``why`` says in a few words what decided; ``strength`` sorts
    conflicts, 0..1.
    """

    kind: Kind
    overlap: float = 0.0
    why: str = ""
    strength: float = 0.0


@record(frozen=True, slots=True)
class Finding:
    """A memory that conflicts with the new one, and why."""

    memory: Memory
    verdict: Verdict


def find_conflicts(new: Memory, candidates: Iterable[Memory]) -> tuple[Finding, ...]:
    """Return the live candidates that ``new`` conflicts with, strongest first; ties keep their order."""
    judged = ((old, judge(new, old)) for old in candidates if old.is_live and (not new.id or old.id != new.id))
    found = [Finding(old, verdict) for old, verdict in judged if verdict.kind == "conflict"]
    return tuple(sorted(found, key=lambda f: (-f.verdict.strength, -f.verdict.overlap)))


def judge(new: Memory, old: Memory) -> Verdict:
    """Judge whether ``new`` conflicts with ``old``, says the same, or neither."""
    if apart := _apart(new, old):
        return Verdict("none", why=apart)
    return judge_texts(_text(new), _text(old))


def judge_texts(new: str, old: str) -> Verdict:
    """Judge two texts, sentence by sentence: one conflict is enough; the same is what is so throughout."""
    ours, theirs = read_statements(new), read_statements(old)
    decisions = [[decide(one, other) for other in theirs] for one in ours]
    conflicts = [d for row in decisions for d in row if d.kind == "conflict"]
    if conflicts and not _is_settled(decisions):
        strongest = max(conflicts, key=lambda d: d.strength)
        return Verdict("conflict", _overlap(new, old), strongest.why, strongest.strength)
    if decisions and decisions[0] and all(any(d.kind == "same" for d in row) for row in decisions):
        return Verdict("same", _overlap(new, old), "says the same")
    return Verdict("none", why=next((d.why for row in decisions for d in row if d.why), "nothing to compare"))


def _is_settled(decisions: list[list[Decision]]) -> bool:
    """Whether each sentence on either side is found again on the other: lists in another order do not conflict."""
    rows = all(any(d.kind == "same" for d in row) for row in decisions)
    return rows and all(any(row[at].kind == "same" for row in decisions) for at in range(len(decisions[0])))


def is_duplicate(a: str, b: str) -> bool:
    """Tell whether two texts say the same in (nearly) the same words: never with another number or a denial between them."""
    ours, theirs = read_statements(a), read_statements(b)
    if not ours or not theirs:
        return " ".join(a.split()).casefold() == " ".join(b.split()).casefold()
    if _marks(ours) != _marks(theirs) or judge_texts(a, b).kind == "conflict":
        return False
    first, second = _keys(ours), _keys(theirs)
    return len(first & second) >= DUPLICATE_FROM * len(first | second)


def _marks(statements: tuple[Statement, ...]) -> tuple[list[tuple[str, str]], list[bool], frozenset[str]]:
    figures = sorted((i.dim, i.key) for s in statements for i in s.items if i.sort == "figure" or i.sort == "name")
    denied = frozenset(key for s in statements for key in s.denied)
    return figures, sorted(s.negated for s in statements), denied


def _keys(statements: tuple[Statement, ...]) -> frozenset[str]:
    return frozenset(item.key for statement in statements for item in statement.items)


def _overlap(new: str, old: str) -> float:
    """Return agent-brain's figure, or the like of it over our words where the original reads none."""
    if plain := measure_overlap(new, old).ratio:
        return plain
    ours, theirs = read_statements(new), read_statements(old)
    first, second = _keys(ours), _keys(theirs)
    best = max(len(pair_up(one, other).shared) for one in ours for other in theirs)
    return min(1.0, max(best, len(first & second)) / min(len(first), len(second)))


def _text(memory: Memory) -> str:
    return memory.content if memory.content.strip() else memory.description or memory.title


def _apart(new: Memory, old: Memory) -> str:
    """Say what keeps two memories apart whatever they say, or ``""``."""
    for name in ("context", "user_id"):
        ours, theirs = str(getattr(new, name)), str(getattr(old, name))
        if ours and theirs and " ".join(ours.split()).casefold() != " ".join(theirs.split()).casefold():
            return f"different {name}"
    return ""
