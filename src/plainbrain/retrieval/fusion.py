"""The ranking ``rrf``: reciprocal rank fusion of the ranking by words and, where there are vectors, the one by likeness.

Owns that score: the sum of ``1 / (K + place)`` over the rankings that hold a memory, as a share of what the first place in each
would give, so that it is in 0..1. Only places count, never how far apart two scores are. By words alone the order is that of
``blueprint``. Source: Cormack, Clarke and Büttcher, SIGIR 2009, for the sum and for K = 60. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from plainbrain.model.hit import Explanation
from plainbrain.model.instants import Instant
from plainbrain.model.query import Query
from plainbrain.retrieval.auto import Like
from plainbrain.retrieval.rank import Place, Prior, explain_blueprint, in_order

RRF = "rrf"
#: What is added to every place: the higher, the less the first places stand out.
K = 60
#: Places of each ranking that count.
DEPTH = 100

Scored = tuple[Place, Explanation]


def most_like(asked: Iterable[tuple[Place, Prior, Like]], *, now: Instant) -> list[Scored]:
    """Return memories by how like a question they are, most like first; what is not like it at all is left out.

    How like one is, is the mean of it alone and of it with what came before.
    """
    found: list[Scored] = []
    for place, prior, like in asked:
        if like.own + like.context > 0:
            why = explain_blueprint(0.0, possible=0.0, prior=prior, now=now)
            notes = {"passage": f"{like.start}-{like.stop}"} if like.stop > like.start else {}
            factors = {**why.factors, "likeness": like.own, "likeness_context": like.context}
            found.append((place, Explanation(factors, notes)))
    return sorted(found, key=lambda one: (-round(_mean(one[1]), 9), one[0].key()))


def _mean(why: Explanation) -> float:
    return (why.factors["likeness"] + why.factors["likeness_context"]) / 2


def depth_for(query: Query) -> int:
    """Return how many places of each ranking count for a query: enough for the page that it asks for."""
    return max(DEPTH, max(0, query.offset) + max(0, query.k))


def fuse(words: Sequence[Scored], alike: Sequence[Scored] | None) -> list[Scored]:
    """Return what stands in either ranking with the fused score, in no order.

    ``words`` carry the score of ``blueprint``, in any order; ``alike`` comes most like first, None where there are no vectors.
    The explanation keeps the factors of each and gets both places, counted from 1; 0 means that a ranking does not hold it.
    """
    by_words = {place.id: (number, place, why) for number, (place, why) in enumerate(in_order(words), 1)}
    by_likeness = {place.id: (number, place, why) for number, (place, why) in enumerate(alike or (), 1)}
    best = (1 if alike is None else 2) / (K + 1)
    fused = []
    for id in dict.fromkeys([*by_words, *by_likeness]):
        held = [ranking[id] for ranking in (by_likeness, by_words) if id in ranking]
        factors = {name: value for _, _, why in held for name, value in why.factors.items()}
        factors["words_place"] = by_words[id][0] if id in by_words else 0
        if alike is not None:
            factors["likeness_place"] = by_likeness[id][0] if id in by_likeness else 0
        factors["score"] = sum(1 / (K + number) for number, _, _ in held) / best
        fused.append((held[0][1], Explanation(factors, held[0][2].notes)))
    return fused
