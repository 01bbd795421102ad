"""Decisions at work: what a text is about to repeat, what holds for a file, what became of one, and their review.

Owns how candidates are gathered. Every decision with rejected alternatives is looked at, also a superseded one, whose
successor keeps its vetoes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from plainbrain.app.context import Context
from plainbrain.app.recall import search
from plainbrain.errors import InvalidField
from plainbrain.later import later
from plainbrain.lifecycle.admit import split_list
from plainbrain.lifecycle.bearing import Bearing, bear, is_about, share_of_files
from plainbrain.lifecycle.edits import Edit
from plainbrain.lifecycle.folding import fold
from plainbrain.lifecycle.quality import Outcome, record_outcome
from plainbrain.lifecycle.veto import Veto, distinct, find_partly, find_vetoes, is_in_effect, names_any
from plainbrain.model.change import Activity, Plan, Put
from plainbrain.model.kinds import DECISION
from plainbrain.model.links import SUPERSEDED_BY, SUPERSEDES
from plainbrain.model.memory import Memory
from plainbrain.model.provenance import QUARANTINED, REVIEWED, UNREVIEWED
from plainbrain.model.query import Query
from plainbrain.ports import Stored

if TYPE_CHECKING:
    from plainbrain.app import remember
else:
    remember = later("plainbrain.app.remember")  # for a review only

_LOOKED_AT = 200
DEFAULT_K = 5


@dataclass(frozen=True, slots=True)
class Check:
    """What stands against a text: the vetoes it runs into, in its order, and the decisions that bear on it, best first.

    ``denied`` are rejected alternatives that the text names and turns down itself: no vetoes, but worth knowing why.
    ``partly`` are those of which it names one telling word: no vetoes, but worth a look.
    """

    vetoes: tuple[Veto, ...]
    bearing: tuple[Bearing, ...]
    denied: tuple[Veto, ...] = ()
    partly: tuple[Veto, ...] = ()


def check(context: Context, text: str, *, files: Sequence[str] | str = (), k: int = DEFAULT_K) -> Check:
    """Tell which rejected alternatives a text repeats, and the ``k`` decisions that bear on it most."""
    files = split_list(files)
    context.catch_up()
    named, partly = _named(context, text)
    standing = [veto for veto in named if not veto.denied]
    bearing = _bearing(context, text, standing, files)
    best_of = bearing[: max(0, k)]
    texts = _whole(context, [one.memory for one in best_of])
    return Check(
        tuple(standing),
        tuple(replace(one, memory=texts[one.memory.id]) for one in best_of),
        tuple(veto for veto in named if veto.denied),
        _further(partly, named),
    )


def vetoes(context: Context, text: str) -> tuple[Veto, ...]:
    """Return every rejected alternative that a text names, in its order, also what it turns down itself, as the index has it now."""
    return _named(context, text)[0]


def _named(context: Context, text: str) -> tuple[tuple[Veto, ...], tuple[Veto, ...]]:
    """Return every rejected alternative that a text names and somebody still holds up, and those that it names in part."""
    names = names_any(text)
    ids = [id for id, rejected in context.index.said("rejected") if names(str(row[0]) for row in rejected)]
    holders = _with_successors(context, ids)
    known = _whole(context, [memory for memory in holders if memory.provenance.trust != QUARANTINED])
    decisions = [known[id] for id in ids if id in known]
    return (
        find_vetoes(text, decisions, successors=known.values()),
        find_partly(text, decisions, successors=known.values()),
    )


def _further(partly: Sequence[Veto], named: Sequence[Veto]) -> tuple[Veto, ...]:
    """Return what is named in part but for the words that are alternatives by themselves and told as such."""
    told = {fold(veto.rejected.option) for veto in named}
    return tuple(veto for veto in partly if fold(veto.word) not in told)


def _with_successors(context: Context, ids: Sequence[str]) -> list[Memory]:
    """Return the cards of memories and of all that came in their place, from either side's links."""
    found: dict[str, Memory] = {}
    frontier = list(dict.fromkeys(ids))
    while frontier:
        cards = context.index.cards(frontier)
        found |= cards
        following = [link.to for card in cards.values() for link in card.links if link.rel == SUPERSEDED_BY]
        gone = [id for id, card in cards.items() if not is_in_effect(card)]
        following += [other for id in gone for other, rel in context.index.backlinks(id) if rel == SUPERSEDES]
        frontier = [id for id in dict.fromkeys(following) if id not in found]
    return list(found.values())


def _bearing(context: Context, text: str, vetoes: Sequence[Veto], files: Sequence[str]) -> list[Bearing]:
    """Return the decisions that bear on a text, best first: named by a veto, found by words, or about its files."""
    named = {veto.holder.id for veto in vetoes} | {veto.decision.id for veto in vetoes if veto.decision.is_live}
    found, _ = context.index.search(Query(text, _LOOKED_AT, profile="auto"), now=context.clock.now())
    words = {id: score for id, score, _ in found}
    best = max(words.values(), default=0.0)
    about = [id for id, known in context.index.said("files") if share_of_files(known, files)] if files else []
    cards = context.index.cards(list(dict.fromkeys((*named, *words, *about))))
    scored = [
        bear(card, words=words.get(id, 0.0) / best if best else 0.0, named=id in named, files=files)
        for id, card in cards.items()
        if _decides(card)
    ]
    bearing = [one for one in scored if one.veto or one.words or one.files]
    return sorted(bearing, key=lambda one: (-one.score, one.memory.id))


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
    named = [id for id, files in context.index.said("files") if any(is_about(one, file) for one in files)]
    cards = [card for card in context.index.cards(named).values() if card.is_live]
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
        after, others = remember.edited(context, found[0].memory, edits)
        after = replace(after, reviewed=at, last_validated=at, provenance=replace(after.provenance, trust=REVIEWED))
        what = "edited and approved" if edits else "approved"
        return Plan((Put(after, found[0].revision), *others), (Activity(at, "review", id, what),))

    context.carry_out_fresh([id], decide)
    return context.require(id).memory


def reject(context: Context, id: str, *, reason: str = "") -> Plan:
    """Throw a memory out: it is no longer in effect, and its vetoes fall with it."""
    return remember.invalidate_memory(context, id, reason=reason or "rejected in review")


__all__ = [
    "Bearing", "Check", "Edit", "Explained", "Outcome", "Veto", "approve", "check", "distinct", "explain", "outcome", "reject", "unreviewed", "vetoes",
]  # fmt: skip
