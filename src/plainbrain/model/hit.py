"""What recall answers: hits, each with the numbers that put it where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from plainbrain.model.memory import Memory
from plainbrain.records import record


@record(frozen=True, slots=True)
class Explanation:
    """Every factor of a score as a number, by name, in the order they are worked out.

    ``notes`` hold what is no number (``semantic_mode``, the passage's place …).
    """

    factors: Mapping[str, float] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)


@record(frozen=True, slots=True)
class Hit:
    """One recalled memory with its score (higher is better) and why.

    ``passage`` is the part of the content that matched best; ``via`` is the id of the hit that a
    neighbour was reached from, or ``""``.
    """

    memory: Memory
    score: float
    explanation: Explanation
    passage: str = ""
    via: str = ""

    @property
    def id(self) -> str:
        """The id of the memory."""
        return self.memory.id


@record(frozen=True, slots=True)
class Recall:
    """The answer to a query: hits best first, how many matched in all, and what to tell the person.

    ``relevant`` is False when nothing that was found is likely to answer the question.
    """

    hits: tuple[Hit, ...]
    total: int
    relevant: bool = True
    notes: tuple[str, ...] = ()
