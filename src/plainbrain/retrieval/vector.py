"""How like a question memories are by vectors, worked out plainly: every passage of every memory compared.

Owns what an index with a model must agree with, as ``scan`` does for words. The model comes in as two functions, so nothing
here reads a file or knows one model from another. Pure.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from plainbrain.model.memory import Memory
from plainbrain.records import record
from plainbrain.retrieval.auto import ALIKE, Like, spot_of
from plainbrain.retrieval.passages import EARLIER, Passage, after, passages_of

Vector = Sequence[float]
#: Digits of a cosine that count, as in an index.
_DIGITS = 6


@record(frozen=True, slots=True)
class Meant:
    """What is kept of one memory: its passages with their vectors, and the vector of the first with what came before it."""

    passages: tuple[tuple[Passage, Vector], ...]
    context: Vector | None


class Meanings:
    """Know the vectors of memories; ``embed`` turns texts into unit vectors, ``embed_query`` a question (None: it has none)."""

    def __init__(
        self,
        memories: Sequence[Memory],
        *,
        embed: Callable[[Sequence[str]], Sequence[Vector]],
        embed_query: Callable[[str], Vector | None],
    ) -> None:
        self._embed_query = embed_query
        earlier = _earlier(memories)
        self._meant = [_meant(memory, earlier.get(number, ()), embed) for number, memory in enumerate(memories)]

    def likeness(self, asked: str) -> dict[int, Like] | None:
        """Return how like a question memories are, by number; one that says nothing is left out. None without a vector for it."""
        query = self._embed_query(asked) if any(one.passages for one in self._meant) else None
        if query is None:
            return None
        return {number: _like(query, one) for number, one in enumerate(self._meant) if one.passages}


def most_alike(likeness: dict[int, Like], shown: Sequence[int], k: int = ALIKE) -> list[int]:
    """Return the ``k`` of ``shown`` that are most like by each kind, first by themselves, then with what came before."""
    known = [number for number in shown if number in likeness]
    own = sorted(known, key=lambda number: -likeness[number].own)[:k]
    context = sorted(known, key=lambda number: -likeness[number].context)[:k]
    return list(dict.fromkeys([*own, *context]))


def _like(query: Vector, one: Meant) -> Like:
    cosines = [_cosine(query, vector) for _, vector in one.passages]
    best = max(range(len(cosines)), key=cosines.__getitem__)
    passage = one.passages[best][0]
    start, stop = (passage.start, passage.stop) if len(cosines) > 1 else (0, 0)
    context = cosines[best] if one.context is None else _cosine(query, one.context)
    return Like(cosines[best], context, start, stop)


def _cosine(one: Vector, other: Vector) -> float:
    return round(math.fsum(a * b for a, b in zip(one, other, strict=True)), _DIGITS)


def _meant(memory: Memory, earlier: Sequence[Memory], embed: Callable[[Sequence[str]], Sequence[Vector]]) -> Meant:
    passages = passages_of(memory)
    texts = [passage.text for passage in passages]
    if earlier and passages:
        texts.append(after(earlier, texts[0]))
    vectors = list(embed(texts)) if texts else []
    context = vectors.pop() if len(vectors) > len(passages) else None
    return Meant(tuple(zip(passages, vectors, strict=True)), context)


def _earlier(memories: Sequence[Memory]) -> dict[int, list[Memory]]:
    """Return by number the memories that came before one in its session, the oldest first; of one turn as the store has them."""
    by_session: dict[str, list[tuple[int, int]]] = {}
    for number, memory in enumerate(memories):
        if (spot := spot_of(memory)) is not None:
            by_session.setdefault(spot[0], []).append((spot[1], number))
    found: dict[int, list[Memory]] = {}
    for turns in by_session.values():
        for turn, number in turns:
            before = sorted(one for one in turns if one[0] < turn)[-EARLIER:]
            found[number] = [memories[other] for _, other in before]
    return found
