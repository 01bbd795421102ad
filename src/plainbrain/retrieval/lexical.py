"""Word relevance by BM25, counted in plain Python over token texts.

Owns the formula: that of SQLite's FTS5 (k1 1.2, b .75, weights by column), so that an index and a plain
scan give the same figures. Knows nothing of memories' confidence or age.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from plainbrain.retrieval.fields import WEIGHTS, Fields
from plainbrain.retrieval.parse import Term, drop_common

K1, B = 1.2, 0.75
#: What a word counts that more than half of all memories hold (FTS5's least).
LEAST_IDF = 1e-6
#: A brain of fewer memories is too small to tell by counting which words are rare.
FEW = 4


def idf(total: int, held: int) -> float:
    """Return how telling a word is that ``held`` of ``total`` memories hold."""
    value = math.log((total - held + 0.5) / (held + 0.5)) if held <= total else 0.0
    return value if value > 0.0 else LEAST_IDF


def weigh(terms: Sequence[Term], held: Callable[[Term], int], *, total: int) -> dict[Term, float]:
    """Return the terms worth looking for, each with its inverse document frequency; ``held`` tells in how many memories one stands.

    In a brain of a few memories a word that none holds weighs no more than one that some hold: every word that is there at all
    stands in a large part of them, and would else count for nothing beside it.
    """
    counts = {term: held(term) for term in drop_common(terms, held, total=total)}
    found = {term: idf(total, count) for term, count in counts.items()}
    if total < FEW and (there := [found[term] for term, count in counts.items() if count]):
        found = {term: min(weight, max(there)) for term, weight in found.items()}
    return found


def possible_score(idfs: Iterable[float]) -> float:
    """Return the BM25 that no memory can exceed for words of these weights."""
    return math.fsum(idfs) * (K1 + 1.0)


class Corpus:
    """Count the words of memories, each given as the token text of its columns."""

    def __init__(self, fields: Sequence[Fields]) -> None:
        self.total = len(fields)
        self._counts: list[Mapping[str, float]] = []
        self._lengths: list[int] = []
        self._held: Counter[str] = Counter()
        for columns in fields:
            weighted, length = _weigh(columns)
            self._counts.append(weighted)
            self._lengths.append(length)
            self._held.update(weighted.keys())

    @property
    def words(self) -> Iterable[str]:
        """Every token that a memory holds."""
        return self._held.keys()

    @property
    def average_length(self) -> float:
        """The words of a memory, on average."""
        return sum(self._lengths) / self.total if self.total else 0.0

    def held(self, term: Term) -> int:
        """Return how many memories hold ``term``."""
        if not term.prefix:
            return self._held[term.token]
        return sum(1 for counts in self._counts if any(t.startswith(term.token) for t in counts))

    def telling(self, terms: Sequence[Term]) -> dict[Term, float]:
        """Return the terms worth looking for, each with its inverse document frequency."""
        return weigh(terms, self.held, total=self.total)

    def score(self, weights: Mapping[Term, float]) -> dict[int, float]:
        """Return the BM25 of every memory that holds a term, by its number."""
        if not self.total or not (words := sum(self._lengths)):
            return {}
        average = words / self.total
        found: dict[int, float] = {}
        for number, counts in enumerate(self._counts):
            damping = K1 * (1.0 - B + B * self._lengths[number] / average)
            hits = [(weight, _count(counts, term)) for term, weight in weights.items()]
            if any(count for _, count in hits):
                found[number] = sum(w * (n * (K1 + 1.0) / (n + damping)) for w, n in hits)
        return found


def _weigh(columns: Fields) -> tuple[dict[str, float], int]:
    weighted: dict[str, float] = {}
    length = 0
    for text, weight in zip(columns, WEIGHTS, strict=True):
        tokens = text.split()
        length += len(tokens)
        for token in tokens:
            weighted[token] = weighted.get(token, 0.0) + weight
    return weighted, length


def _count(counts: Mapping[str, float], term: Term) -> float:
    if term.prefix:
        return sum(count for token, count in counts.items() if token.startswith(term.token))
    return counts.get(term.token, 0.0)
