"""What the library answers: values, with every figure that stands behind them."""

from __future__ import annotations

from dataclasses import dataclass

from plainbrain.model.memory import Memory


@dataclass(frozen=True, slots=True)
class Found:
    """A memory that a search found: ``score`` ranks, ``cosine`` and ``retention`` say why.

    ``via`` is the id of the memory it was reached from, ``""`` for one that was found itself.
    """

    memory: Memory
    score: float
    cosine: float
    retention: float
    via: str = ""

    @property
    def id(self) -> str:
        """The id of the memory."""
        return self.memory.id

    @property
    def content(self) -> str:
        """The text of the memory."""
        return self.memory.content


@dataclass(frozen=True, slots=True)
class Ticked:
    """What one round of upkeep did, as ids."""

    cooled: tuple[str, ...] = ()
    stubbed: tuple[str, ...] = ()
    summaries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stats:
    """Count a user's memories: by tier, and the core, faint and superseded ones among them."""

    total: int = 0
    hot: int = 0
    cold: int = 0
    stub: int = 0
    core: int = 0
    faint: int = 0
    superseded: int = 0
    average_retention: float = 0.0
