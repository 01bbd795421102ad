"""Turning texts into vectors: whatever the caller brings, and an embedder that needs no model."""

from __future__ import annotations

import inspect
import math
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol, cast

from plainbrain.errors import InvalidField
from plainbrain.vectors.hashing import hash_words

Vector = tuple[float, ...]


class EmbedsMany(Protocol):
    """An embedder of ours: many texts in, a vector for each out."""

    def embed(self, texts: Sequence[str]) -> Any:
        """Return one vector for each text."""
        ...


#: A function of one text, or an object with ``embed``; either may be asynchronous.
EmbeddingProvider = Callable[[str], Any] | EmbedsMany


class HashEmbeddings:
    """Embed texts by their words alone: texts that share words are near. No model, always the same answer."""

    def __init__(self, dimensions: int = 384) -> None:
        self.dimensions = dimensions
        self.name = f"hash-{dimensions}"

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one unit vector for each text; a text without words has the vector of the empty word."""
        return [self._one(text) for text in texts]

    def _one(self, text: str) -> list[float]:
        words = "".join(c if c.isalnum() else " " for c in text.casefold()).split() or [""]
        found = hash_words(words, self.dimensions)
        return found if any(found) else [1.0, *found[1:]]


def ask(provider: EmbeddingProvider, text: str) -> Vector | Awaitable[Any]:
    """Ask a provider for the vector of a text; the answer may be an awaitable of it. Raise InvalidField for no vector."""
    many = getattr(provider, "embed", None)
    answer = many([text]) if many is not None else cast(Callable[[str], Any], provider)(text)
    return answer if inspect.isawaitable(answer) else read_answer(provider, answer)


def read_answer(provider: EmbeddingProvider, answer: Any) -> Vector:
    """Return the vector in a provider's answer. Raise InvalidField when it is none."""
    try:
        rows = answer[0] if hasattr(provider, "embed") else answer
        found = tuple(float(number) for number in rows)
    except (TypeError, ValueError, IndexError, KeyError) as wrong:
        raise InvalidField(f"the embedding provider returned no vector: {wrong}", value=repr(answer)[:80]) from wrong
    if not found or not all(map(math.isfinite, found)) or not any(found):
        raise InvalidField("the embedding provider returned a vector without a direction", value=repr(answer)[:80])
    return found
