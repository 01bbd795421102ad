"""Whether an answer is one: the nearest of what is there may still be noise.

Owns the bar that one of the hits of the ranking ``auto`` must pass. Their ``evidence`` (words, context and vectors, without who and when)
is a share of what could be reached, words that no memory holds counted in, so one bar serves every question and brain
(docs/evaluation.md tells how it was set).
Other rankings do not say how sure they are: with them every hit counts. A question of small words only is met by every
memory that has them, however many of them it has: it is doubted in every ranking. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

from plainbrain.model.hit import Explanation
from plainbrain.retrieval.small import names_something

#: The least evidence for an answer by words alone, and by words and vectors.
BY_WORDS, BY_VECTORS = 0.13, 0.20


def is_relevant(text: str, found: Sequence[Explanation]) -> bool:
    """Tell whether any of the hits is likely to answer the question ``text``; none answers one that names nothing."""
    return names_something(text) and any(_passes(why) for why in found)


def _passes(why: Explanation) -> bool:
    evidence = why.factors.get("evidence")
    if evidence is None:
        return True
    return evidence >= (BY_VECTORS if "likeness" in why.factors else BY_WORDS)
