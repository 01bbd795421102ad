"""How alike a text and memories are: six parts rare words in common, four parts all words in common.

The formula is agent-brain's (0.6 cosine of TF-IDF + 0.4 Jaccard), over words of any script. Whoever asks
brings the candidates and the statistics of the brain, so that the cost does not grow with the brain.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from plainbrain.lifecycle.overlap import FUNCTION_WORDS
from plainbrain.model.memory import Memory
from plainbrain.records import record
from plainbrain.text.stem import stem
from plainbrain.text.tokens import tokens_of

DEFAULT_THRESHOLD = 0.10
_COSINE, _JACCARD = 0.6, 0.4
#: What a word that stands in every memory still counts, so that equal texts are equal in the smallest brain.
_LEAST_WEIGHT = 0.1


@record(frozen=True, slots=True)
class Similar:
    """One memory that is like the text, and how much (0..1; 1 for the same words)."""

    memory: Memory
    similarity: float


def rank_similar(
    text: str,
    memories: Iterable[Memory],
    *,
    threshold: float = DEFAULT_THRESHOLD,
    frequency: Callable[[str], int] | None = None,
    total: int | None = None,
) -> tuple[Similar, ...]:
    """Return the memories that are like ``text`` by at least ``threshold``, most alike first; ties keep their order.

    ``frequency`` tells in how many of the ``total`` memories of the brain a token (``text.tokens``) stands;
    without them the candidates themselves are counted.
    """
    wanted = count_words(text)
    if not wanted:
        return ()
    bags = [(memory, count_words(memory.content)) for memory in memories]
    weigh = _weights(wanted, bags, frequency=frequency, total=total)
    mine = _vector(wanted, weigh)
    found = (
        Similar(memory, _likeness(mine, _vector(bag, weigh))) for memory, bag in bags if wanted.keys() & bag.keys()
    )
    return tuple(sorted((s for s in found if s.similarity >= threshold), key=lambda s: -s.similarity))


def share_words(one: str, other: str) -> float:
    """Return how many of their words two short texts share, over those of the shorter (0..1); 0 for a single word."""
    first, second = count_words(one).keys(), count_words(other).keys()
    shared = len(first & second)
    return shared / min(len(first), len(second)) if shared > 1 else 0.0


def count_words(text: str) -> Counter[str]:
    """Return the words of ``text`` with their counts, function words left out (all of them when there are no others)."""
    words = Counter(tokens_of(text))
    telling = Counter({word: count for word, count in words.items() if word not in _quiet()})
    return telling or words


@lru_cache(maxsize=1)
def _quiet() -> frozenset[str]:
    return FUNCTION_WORDS | frozenset(map(stem, FUNCTION_WORDS))


def _weights(
    wanted: Counter[str],
    bags: list[tuple[Memory, Counter[str]]],
    *,
    frequency: Callable[[str], int] | None,
    total: int | None,
) -> Callable[[str], float]:
    known: dict[str, float] = {}
    if frequency is None:
        within = Counter(word for _, bag in bags for word in bag)
        frequency = within.__getitem__
    # The text itself counts as one more memory, which holds its own words.
    size = (len(bags) if total is None else total) + 1
    count: Callable[[str], int] = frequency

    def weigh(word: str) -> float:
        if word not in known:
            held_by = max(1, count(word) + (word in wanted))
            known[word] = max(_LEAST_WEIGHT, math.log((size + 1) / (held_by + 1)))
        return known[word]

    return weigh


def _vector(bag: Counter[str], weigh: Callable[[str], float]) -> dict[str, float]:
    length = sum(bag.values())
    return {word: count / length * weigh(word) for word, count in bag.items()}


def _likeness(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    shared = one.keys() & other.keys()
    jaccard = len(shared) / (len(one) + len(other) - len(shared))
    product = sum(one[word] * other[word] for word in shared)
    norm = math.sqrt(sum(v * v for v in one.values())) * math.sqrt(sum(v * v for v in other.values()))
    return min(1.0, _COSINE * product / norm + _JACCARD * jaccard)
