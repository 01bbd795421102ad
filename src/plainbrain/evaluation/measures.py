"""The figures of a ranking: recall, reciprocal rank, nDCG, area under a curve, and how sure they are.

Owns the definitions. Pure arithmetic; chance comes from a seed, so that the same answers give the same figures.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

#: Samples drawn for an interval.
DRAWS = 1000


def recall_at(k: int, places: Sequence[int], sought: int) -> float:
    """Return the share of what was sought that stands among the first ``k``; ``places`` count from 1."""
    return sum(place <= k for place in places) / sought if sought else 0.0


def reciprocal_rank(places: Sequence[int]) -> float:
    """Return one over the first place at which something sought stands; 0 when none was found."""
    return 1.0 / min(places) if places else 0.0


def ndcg_at(k: int, places: Sequence[int], sought: int) -> float:
    """Return the discounted gain of the first ``k`` over the best that could be (Järvelin and Kekäläinen, 2002)."""
    best = sum(1.0 / math.log2(place + 1) for place in range(1, min(k, sought) + 1))
    return sum(1.0 / math.log2(place + 1) for place in places if place <= k) / best if best else 0.0


def mean(values: Sequence[float]) -> float:
    """Return the mean; 0 of nothing."""
    return math.fsum(values) / len(values) if values else 0.0


def interval(values: Sequence[float], *, seed: int, draws: int = DRAWS) -> tuple[float, float]:
    """Return the 95 % interval of the mean by the bootstrap: the questions drawn anew ``draws`` times."""
    if not values:
        return 0.0, 0.0
    chance = random.Random(seed)
    means = sorted(mean(chance.choices(values, k=len(values))) for _ in range(draws))
    return means[int(draws * 0.025)], means[min(draws - 1, int(draws * 0.975))]


def area_under(positive: Sequence[float], negative: Sequence[float]) -> float:
    """Return the chance that a positive scores above a negative, ties half: the area under the ROC curve."""
    if not positive or not negative:
        return 0.5
    ranked = sorted([(score, 1) for score in positive] + [(score, 0) for score in negative])
    total, at = 0.0, 0
    while at < len(ranked):
        end = at
        while end < len(ranked) and ranked[end][0] == ranked[at][0]:
            end += 1
        total += sum(label for _, label in ranked[at:end]) * ((at + 1 + end) / 2)
        at = end
    ours = len(positive)
    return (total - ours * (ours + 1) / 2) / (ours * len(negative))


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which ``share`` of the values lie; 0 of nothing."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0
