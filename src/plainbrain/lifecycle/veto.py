"""Alternatives that were turned down, found again in a text that is about to bring them back.

Deterministic and without a model: an option is found as whole words, without case, blanks of any
length alike. A veto stands while its decision lives, and while a live decision stands in its place;
the vetoes of a decision that a review threw out are gone.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from plainbrain.model.links import SUPERSEDED_BY, SUPERSEDES
from plainbrain.model.memory import Memory, Rejected
from plainbrain.model.provenance import QUARANTINED

#: Shorter options (Go, R) are also everyday words; in scripts without blanks two characters are a word.
MIN_OPTION, MIN_DENSE_OPTION = 3, 2
#: First characters of the Unicode names of scripts that are written without blanks between words.
_DENSE = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR")


@dataclass(frozen=True, slots=True)
class Veto:
    """One turned-down alternative that a text repeats.

    ``decision`` is the memory that turned it down, ``holder`` the live memory that keeps the veto up
    (the same, or its successor); ``at`` counts characters into the text after Unicode folding.
    """

    decision: Memory
    holder: Memory
    rejected: Rejected
    at: int


def find_vetoes(text: str, decisions: Iterable[Memory], *, successors: Iterable[Memory] = ()) -> tuple[Veto, ...]:
    """Find what ``text`` is about to repeat, in the order it is named there.

    ``successors`` are further memories that may stand in the place of a superseded decision.
    """
    known = list(decisions)
    chain = _Chain([*known, *successors])
    folded = _fold(text)
    found = []
    for memory in known:
        hits = [(at, rejected) for rejected in memory.rejected if (at := _find(folded, rejected.option)) >= 0]
        if hits and (holder := chain.holder(memory)):
            # What the successor is about has been taken up since: that it was turned down once stops nobody.
            adopted = "" if holder is memory else _fold(f"{holder.title}\n{holder.content}")
            found += [Veto(memory, holder, no, at) for at, no in hits if not adopted or _find(adopted, no.option) < 0]
    return tuple(sorted(found, key=lambda veto: veto.at))


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
            if _is_in_effect(here):
                return here
            fresh = [id for id in self._next.get(here.id, ()) if id in self._by_id and id not in seen]
            seen.update(fresh)
            waiting += [self._by_id[id] for id in fresh]
        return None


def _is_in_effect(memory: Memory) -> bool:
    live = memory.is_live and memory.invalidated is None and not memory.superseded_by
    return live and memory.provenance.trust != QUARANTINED


def find_option(text: str, option: str) -> int:
    """Return where ``option`` stands in ``text`` as whole words, or -1; both are folded alike."""
    return _find(_fold(text), option)


def _find(folded: str, option: str) -> int:
    wanted = _fold(option)
    if len(wanted) < (MIN_DENSE_OPTION if _is_dense(wanted[:1]) else MIN_OPTION):
        return -1
    at = folded.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        if _is_edge(folded[at - 1 : at] if at else "", wanted[0]) and _is_edge(folded[end : end + 1], wanted[-1]):
            return at
        at = folded.find(wanted, at + 1)
    return -1


def _fold(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _is_edge(outside: str, inside: str) -> bool:
    """Whether a word may end between the two characters: only letters that run on make one word of both."""
    return not (_is_running(outside) and _is_running(inside))


def _is_running(character: str) -> bool:
    return (character.isalnum() or character == "_") and not _is_dense(character)


def _is_dense(character: str) -> bool:
    return bool(character) and not character.isascii() and unicodedata.name(character, "").startswith(_DENSE)
