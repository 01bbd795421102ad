"""What comes back from the thread of the brains: an answer or a refusal. Loads nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Answer:
    """Hold one answer: ``data`` as the tool's output schema says, ``text`` for the model."""

    data: dict[str, Any]
    text: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """Hold why a call was not answered, and what to send instead."""

    text: str


@dataclass(frozen=True, slots=True)
class Options:
    """Hold what is served: one store, or brains by their configured names (the first is the default)."""

    store: str = ""
    config: str = ""
    names: tuple[str, ...] = ()
