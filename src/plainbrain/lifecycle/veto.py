"""Alternatives that were turned down, found again in a text that is about to bring them back.

Deterministic and without a model: an option is found as whole words, without case, blanks of any
length alike. A veto stands while its decision lives, and while a live decision stands in its place;
the vetoes of a decision that a review threw out are gone.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from plainbrain.lifecycle.admit import first_sentence
from plainbrain.lifecycle.denial import is_denied, is_mark
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
    (the same, or its successor); ``at`` counts characters into the text after Unicode folding. ``denied`` tells that the text
    itself turns the alternative down wherever it names it: a reminder of why, and no objection.
    """

    decision: Memory
    holder: Memory
    rejected: Rejected
    at: int
    denied: bool = False


def find_vetoes(text: str, decisions: Iterable[Memory], *, successors: Iterable[Memory] = ()) -> tuple[Veto, ...]:
    """Find what ``text`` is about to repeat, in the order it is named there.

    ``successors`` are further memories that may stand in the place of a superseded decision.
    """
    known = list(decisions)
    chain = _Chain([*known, *successors])
    clauses = _fold_lines(text)
    folded = clauses.replace("\n", " ")
    found = []
    for memory in known:
        hits = [(places, rejected) for rejected in memory.rejected if (places := _places(folded, rejected.option))]
        if hits and (holder := chain.holder(memory)):
            # What the successor is about has been taken up since: that it was turned down once stops nobody.
            adopted = "" if holder is memory else _fold(holder.title or first_sentence(holder.content))
            found += [
                Veto(memory, holder, no, places[0][0], all(is_denied(clauses, *place) for place in places))
                for places, no in hits
                if all(is_denied(adopted, *place) for place in _places(adopted, no.option))
            ]
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


def find_option(text: str, option: str) -> int:
    """Return where ``option`` stands in ``text`` as whole words, or -1; both are folded alike."""
    return next((at for at, _ in _places(_fold(text), option)), -1)


def names_any(text: str) -> Callable[[Iterable[str]], bool]:
    """Return a quick test whether a text names any of some options."""
    folded = _fold(text)
    return lambda options: any(_places(folded, option) for option in options)


def _places(folded: str, option: str) -> list[tuple[int, int]]:
    """Return where an option stands in a folded text as whole words, from where to where."""
    wanted = _fold(option)
    found: list[tuple[int, int]] = []
    if len(wanted) < (MIN_DENSE_OPTION if _is_dense(wanted[:1]) else MIN_OPTION):
        return found
    at = folded.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        if _is_edge(folded[at - 1 : at] if at else "", wanted[0]) and _is_edge(wanted[-1], folded[end : end + 1]):
            found.append((at, end))
        at = folded.find(wanted, at + 1)
    return found


def _fold(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _fold_lines(text: str) -> str:
    """Fold a text, a line feed in place of the blank where a paragraph or an item of a list begins."""
    found: list[str] = []
    begins = False
    for line in unicodedata.normalize("NFKC", text).casefold().split("\n"):
        words = line.split()
        if words:
            begins = begins or words[0].rstrip(".)").isdigit() or words[0] in ("-", "*", "+", "•")
            found += ["\n" if begins else " ", " ".join(words)]
        begins = not words
    return "".join(found[1:])


def _is_edge(left: str, right: str) -> bool:
    """Whether a word may end between two characters: only letters that run on make one word of both, and marks never stand alone."""
    return not (_is_running(left) and _is_running(right)) and not is_mark(right)


def _is_running(character: str) -> bool:
    return (character.isalnum() or character == "_") and not _is_dense(character)


def _is_dense(character: str) -> bool:
    return bool(character) and not character.isascii() and unicodedata.name(character, "").startswith(_DENSE)
