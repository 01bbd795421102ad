"""Alternatives that were turned down, found again in a text that is about to bring them back.

Deterministic and without a model: what names an option is ``lifecycle.naming``'s to say. A veto stands while its decision
lives, and while a live decision stands in its place; the vetoes of a decision that a review threw out are gone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from plainbrain.lifecycle.admit import first_sentence
from plainbrain.lifecycle.folding import fold
from plainbrain.lifecycle.naming import Naming, Passage
from plainbrain.model.links import SUPERSEDED_BY, SUPERSEDES
from plainbrain.model.memory import Memory, Rejected
from plainbrain.model.provenance import QUARANTINED


@dataclass(frozen=True, slots=True)
class Veto:
    """One turned-down alternative that a text repeats.

    ``decision`` is the memory that turned it down, ``holder`` the live memory that keeps the veto up
    (the same, or its successor); ``at`` counts characters into the text after Unicode folding. ``denied`` tells that the text
    itself turns the alternative down wherever it names it: a reminder of why, and no objection. ``word`` is the one word of
    the alternative that the text names where it names a part of it only: a hint, and no objection either.
    """

    decision: Memory
    holder: Memory
    rejected: Rejected
    at: int
    denied: bool = False
    word: str = ""


def find_vetoes(text: str, decisions: Iterable[Memory], *, successors: Iterable[Memory] = ()) -> tuple[Veto, ...]:
    """Find what ``text`` is about to repeat, in the order it is named there.

    ``successors`` are further memories that may stand in the place of a superseded decision.
    """
    known = list(decisions)
    chain = _Chain([*known, *successors])
    passage = Passage(text)
    found = []
    for memory in known:
        hits = [(namings, no) for no in memory.rejected if (namings := passage.namings(no.option))]
        if hits and (holder := chain.holder(memory)):
            adopted = _adopted(memory, holder)
            found += [
                Veto(memory, holder, no, min(one.at for one in namings), all(map(passage.denies, namings)))
                for namings, no in hits
                if not _takes_up(adopted, no)
            ]
    return tuple(sorted(found, key=lambda veto: veto.at))


def find_partly(text: str, decisions: Iterable[Memory], *, successors: Iterable[Memory] = ()) -> tuple[Veto, ...]:
    """Find of which alternatives of several words ``text`` names one that is telling, in the order they are named there.

    A word that the decision itself speaks of tells nothing, and one that the text turns down is none.
    """
    known = list(decisions)
    chain = _Chain([*known, *successors])
    passage = Passage(text)
    found = []
    for memory in known:
        hits = [(parts, no) for no in memory.rejected if (parts := _parts(passage, no))]
        if hits and (holder := chain.holder(memory)):
            adopted = _adopted(memory, holder)
            own = Passage(f"{memory.title}\n\n{memory.content}")
            for parts, no in hits:
                told = [(word, one) for word, one in parts if not own.namings(word) and not passage.denies(one)]
                if told and not _takes_up(adopted, no):
                    word, one = min(told, key=lambda each: each[1].at)
                    found.append(Veto(memory, holder, no, one.at, word=word))
    return tuple(sorted(found, key=lambda veto: veto.at))


def _parts(passage: Passage, no: Rejected) -> tuple[tuple[str, Naming], ...]:
    return () if passage.namings(no.option) else passage.partly(no.option)


def _adopted(memory: Memory, holder: Memory) -> Passage | None:
    """What the successor is about has been taken up since: that it was turned down once stops nobody."""
    return None if holder is memory else Passage(holder.title or first_sentence(holder.content))


def _takes_up(adopted: Passage | None, no: Rejected) -> bool:
    return adopted is not None and not all(map(adopted.denies, adopted.namings(no.option)))


def distinct(vetoes: Sequence[Veto]) -> tuple[tuple[Veto, ...], ...]:
    """Gather the vetoes that say the same, each once, in their order; first in each the one whose decision is in effect.

    Two say the same when they turn down one option for one reason; without a reason, when their decisions say the same.
    """
    found: dict[tuple[str, str, str], list[Veto]] = {}
    for veto in vetoes:
        reason = fold(veto.rejected.reason or "")
        decided = "" if reason else fold(veto.decision.title or first_sentence(veto.decision.content))
        found.setdefault((fold(veto.rejected.option), reason, decided), []).append(veto)
    return tuple(tuple(sorted(same, key=lambda veto: veto.holder.id != veto.decision.id)) for same in found.values())


class _Chain:
    """Who stands in whose place, from either side's links."""

    def __init__(self, memories: list[Memory]) -> None:
        self._by_id = {memory.id: memory for memory in memories}
        self._next: dict[str, list[str]] = {}
        for memory in memories:
            for link in memory.links:
                if link.rel == SUPERSEDED_BY:
                    self._next.setdefault(memory.id, []).append(link.to)
                elif link.rel == SUPERSEDES:
                    self._next.setdefault(link.to, []).append(memory.id)

    def holder(self, memory: Memory) -> Memory | None:
        """Return the live memory that keeps up the vetoes of ``memory``; a cycle holds nothing up."""
        seen, waiting = {memory.id}, [memory]
        while waiting:
            here = waiting.pop(0)
            if is_in_effect(here):
                return here
            fresh = [id for id in self._next.get(here.id, ()) if id in self._by_id and id not in seen]
            seen.update(fresh)
            waiting += [self._by_id[id] for id in fresh]
        return None


def is_in_effect(memory: Memory) -> bool:
    """Tell whether a memory holds its vetoes up itself."""
    live = memory.is_live and memory.invalidated is None and not memory.superseded_by
    return live and memory.provenance.trust != QUARANTINED


def names_any(text: str) -> Callable[[Iterable[str]], bool]:
    """Return a quick test whether a text names any of some options, or a telling word of one."""
    passage = Passage(text)
    return lambda options: any(map(passage.tells_of, options))
