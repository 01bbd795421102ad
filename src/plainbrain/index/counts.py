"""In how many memories a word stands, remembered from question to question: common words take long to count.

Owns when a count may still be believed: at the generation of the index at which it was taken, and after writings of
this process that did not touch the word.
"""

from __future__ import annotations

from collections.abc import Set

from plainbrain.retrieval.parse import Term

#: Counts that are kept at most.
_MOST = 10_000


class Counts:
    """Remember counts of terms at one generation of the index."""

    def __init__(self) -> None:
        self._counts: dict[Term, int] = {}
        self._generation = -1

    def at(self, generation: int) -> dict[Term, int]:
        """Return what is known at this generation, to be added to."""
        if generation != self._generation or len(self._counts) > _MOST:
            self._counts, self._generation = {}, generation
        return self._counts

    def follow(self, generation: int, touched: Set[str]) -> None:
        """Go on to ``generation``, written by this process just after the one before: words not ``touched`` stay as they were."""
        if generation == self._generation + 1:
            for term in [term for term in self._counts if term.prefix or term.token in touched]:
                del self._counts[term]
            self._generation = generation
