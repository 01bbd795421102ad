"""Decisions at work: what a text is about to repeat, what holds for a file, what became of one, and their review.

Owns how candidates are gathered. Every decision with rejected alternatives is looked at, also a superseded one, whose
successor keeps its vetoes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from plainbrain.app.context import Context
from plainbrain.app.recall import search
from plainbrain.app.remember import edited, invalidate_memory
from plainbrain.errors import InvalidField
from plainbrain.lifecycle.admit import split_list
from plainbrain.lifecycle.bearing import Bearing, bear, is_about
from plainbrain.lifecycle.edits import Edit
from plainbrain.lifecycle.quality import Outcome, record_outcome
from plainbrain.lifecycle.veto import Veto, find_vetoes
from plainbrain.model.change import Activity, Plan, Put
from plainbrain.model.kinds import DECISION
from plainbrain.model.memory import Memory
from plainbrain.model.provenance import QUARANTINED, REVIEWED, UNREVIEWED
from plainbrain.model.query import Query
from plainbrain.ports import Stored

_LOOKED_AT = 200
DEFAULT_K = 5


@dataclass(frozen=True, slots=True)
class Check:
    """What stands against a text: the vetoes it runs into, in its order, and the decisions that bear on it, best first."""

    vetoes: tuple[Veto, ...]
    bearing: tuple[Bearing, ...]


def check(context: Context, text: str, *, files: Sequence[str] | str = (), k: int = DEFAULT_K) -> Check:
    """Tell which rejected alternatives a text repeats, and the ``k`` decisions that bear on it most."""
    files = split_list(files)
    context.catch_up()
    cards = list(context.index.find(Query("", include_superseded=True)))
    vetoes = find_vetoes(text, [card for card in cards if card.rejected], successors=cards)
    named = {veto.holder.id for veto in vetoes} | {veto.decision.id for veto in vetoes if veto.decision.is_live}
    found, _ = context.index.search(Query(text, _LOOKED_AT, profile="auto"), now=context.clock.now())
    words = {id: score for id, score, _ in found}
    best = max(words.values(), default=0.0)
    scored = [
        bear(card, words=words.get(card.id, 0.0) / best if best else 0.0, named=card.id in named, files=files)
        for card in cards
        if _decides(card)
    ]
    bearing = [one for one in scored if one.veto or one.words or one.files]
    bearing.sort(key=lambda one: (-one.score, one.memory.id))
    best_of = bearing[: max(0, k)]
    named_ones = [memory for veto in vetoes for memory in (veto.decision, veto.holder)]
    texts = _whole(context, [*named_ones, *(one.memory for one in best_of)])
    return Check(
        tuple(replace(v, decision=texts[v.decision.id], holder=texts[v.holder.id]) for v in vetoes),
        tuple(replace(one, memory=texts[one.memory.id]) for one in best_of),
    )


def _whole(context: Context, cards: Sequence[Memory]) -> dict[str, Memory]:
    """Return memories with their text, by id; a card where the store has none by now."""
    stored = context.store.get_many(list(dict.fromkeys(card.id for card in cards)))
    return {card.id: stored[card.id].memory if card.id in stored else card for card in cards}


def _decides(card: Memory) -> bool:
    return card.is_live and card.provenance.trust != QUARANTINED and (card.kind == DECISION or bool(card.rejected))


@dataclass(frozen=True, slots=True)
class Explained:
    """What holds for a file: memories that name it, and others that speak of it (``by_words``)."""

    named: tuple[Memory, ...]
    by_words: tuple[Memory, ...]


def explain(context: Context, file: str, *, k: int = 20) -> Explained:
    """Return the live memories that apply to a file, newest first, and those that only speak of it."""
    if not file.strip():
        raise InvalidField("no file is named", value=file, hint="brain explain src/app.py")
    context.catch_up()
    cards = [card for card in context.index.find(Query("")) if any(is_about(one, file) for one in card.files)]
    cards.sort(key=lambda card: -(card.created.ms or 0) if card.created else 0)
    known = {card.id for card in cards}
    name = file.strip().rstrip("/").rpartition("/")[2].casefold()
    hits = search(context, Query(name, k)).hits if len(cards) < k else ()
    others = tuple(hit.memory for hit in hits if hit.id not in known and name in _said(hit.memory).casefold())
    texts = _whole(context, cards[:k])
    return Explained(tuple(texts[card.id] for card in cards[:k]), others[: max(0, k - len(cards))])


def _said(memory: Memory) -> str:
    return "\n".join((memory.title, memory.description, memory.content, memory.rationale))


def outcome(context: Context, id: str, became: str, *, evidence: str = "") -> Plan:
    """Record what became of a decision; the same evidence counts once. Raise InvalidField or NotFound."""
    try:
        what = Outcome(became.strip().lower())
    except ValueError:
        known = ", ".join(Outcome)
        raise InvalidField(f"{became!r} is no outcome", value=became, hint=f"outcomes: {known}") from None
    at = context.clock.now()
    known_so_far = context.store.journal.read(action="outcome", id=id)
    plan = record_outcome(context.require(id).memory, what, at=at, evidence=evidence, known=known_so_far)
    context.carry_out(plan)
    return plan


# review


def unreviewed(context: Context) -> list[Memory]:
    """Return what nobody has confirmed and waits for a look, oldest first, quarantined last; cards where these say enough."""
    context.catch_up()
    shown = list(context.index.find(Query("")))
    held = list(context.index.find(Query("", statuses=(QUARANTINED,))))
    cards = [card for card in (*shown, *held) if card.provenance.trust in (UNREVIEWED, QUARANTINED) and card.is_live]
    texts = _whole(context, [card for card in cards if not card.title and not card.description])
    return [texts.get(card.id, card) for card in cards]


def approve(context: Context, id: str, edits: Sequence[Edit] = ()) -> Memory:
    """Say that a person looked at a memory and found it right, after ``edits``; return it."""
    at = context.clock.now()

    def decide(found: list[Stored]) -> Plan:
        after, others = edited(context, found[0].memory, edits)
        after = replace(after, reviewed=at, last_validated=at, provenance=replace(after.provenance, trust=REVIEWED))
        what = "edited and approved" if edits else "approved"
        return Plan((Put(after, found[0].revision), *others), (Activity(at, "review", id, what),))

    context.carry_out_fresh([id], decide)
    return context.require(id).memory


def reject(context: Context, id: str, *, reason: str = "") -> Plan:
    """Throw a memory out: it is no longer in effect, and its vetoes fall with it."""
    return invalidate_memory(context, id, reason=reason or "rejected in review")


__all__ = [
    "Bearing", "Check", "Edit", "Explained", "Outcome", "Veto", "approve", "check", "explain", "outcome", "reject", "unreviewed",
]  # fmt: skip
