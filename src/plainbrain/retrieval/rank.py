"""The ranking of notes: words × confidence × freshness × trust, every factor a number.

Owns the score of the profile ``blueprint``. Promises scores in 0..1, higher is better, each the product
of the factors in its explanation (relevance, confidence, freshness, trust; the last three together count
a millionth at least, so that words still decide among memories that nobody believes). Takes the raw BM25 from whoever counted the words.
"""

from __future__ import annotations

from collections.abc import Iterable

from plainbrain.model.hit import Explanation
from plainbrain.model.instants import Instant
from plainbrain.model.memory import Memory
from plainbrain.model.provenance import UNREVIEWED
from plainbrain.records import record
from plainbrain.retrieval.freshness import age_days, checked_at, freshness, half_life_days

#: What somebody else's unreviewed word counts.
UNREVIEWED_FACTOR = 0.5
#: What confidence, freshness and trust count together, at least.
LEAST_PRIOR = 1e-6


@record(frozen=True, slots=True)
class Prior:
    """What is known of a memory before anything is asked: ``since_ms`` is when it was last known true."""

    confidence: float
    since_ms: int | None
    half_life_days: float
    trust: float


def prior_of(memory: Memory) -> Prior:
    """Return the prior of a memory."""
    return Prior(
        confidence=memory.confidence.value,
        since_ms=checked_at(memory),
        half_life_days=half_life_days(memory.kind),
        trust=UNREVIEWED_FACTOR if memory.provenance.trust == UNREVIEWED else 1.0,
    )


def prior_factor(prior: Prior, now: Instant) -> float:
    """Return confidence × freshness × trust, at least ``LEAST_PRIOR``: what orders memories of equal words."""
    fresh = freshness(age_days(prior.since_ms, now), prior.half_life_days)
    return max(LEAST_PRIOR, prior.confidence * prior.trust * fresh)


def explain_blueprint(bm25: float, *, possible: float, prior: Prior, now: Instant) -> Explanation:
    """Return every factor of the score of a memory.

    ``possible`` is the BM25 that no memory could exceed for this query: relevance is the share of it.
    """
    age = age_days(prior.since_ms, now)
    fresh = freshness(age, prior.half_life_days)
    relevance = min(1.0, bm25 / possible) if possible > 0 else 0.0
    return Explanation(
        {
            "bm25": bm25,
            "relevance": relevance,
            "confidence": prior.confidence,
            "freshness": fresh,
            "trust": prior.trust,
            "age_days": age,
            "half_life_days": prior.half_life_days,
            "score": relevance * prior_factor(prior, now),
        }
    )


@record(frozen=True, slots=True)
class Place:
    """Where a memory stands among equals: the oldest first, then as its store has it, then by id."""

    created_ms: int
    sequence: int
    id: str

    def key(self) -> tuple[int, int, str]:
        """Return what to sort by."""
        return (self.created_ms, self.sequence, self.id)


#: For memories without a date, which come first.
UNDATED = -(2**62)


def place_of(memory: Memory, sequence: int) -> Place:
    """Return the place of a memory; ``sequence`` is its number in a store that keeps an order, else 0."""
    created = memory.created.ms if memory.created is not None else None
    return Place(UNDATED if created is None else created, sequence, memory.id)


def best_first(
    scored: Iterable[tuple[Place, Explanation]], *, start: int, count: int
) -> list[tuple[str, float, Explanation]]:
    """Return ``(id, score, why)`` from ``start`` on, best first; scores that differ by rounding are equal."""
    return [(place.id, why.factors["score"], why) for place, why in in_order(scored)[start : start + count]]


def in_order(scored: Iterable[tuple[Place, Explanation]]) -> list[tuple[Place, Explanation]]:
    """Return them best first; scores that differ by rounding are equal, and places decide."""
    return sorted(scored, key=lambda pair: (-round(pair[1].factors["score"], 12), pair[0].key()))
