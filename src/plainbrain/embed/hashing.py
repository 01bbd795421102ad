"""An embedder that needs no model: texts that share words, by their stems, are near. Always the same answer."""

from __future__ import annotations

from collections.abc import Sequence

from plainbrain.text.tokens import tokens_of
from plainbrain.vectors.hashing import hash_words

DIMENSIONS = 384
_MOST_DIMENSIONS = 4096


class HashEmbedder:
    """Embed texts by their tokens alone; ``dimensions`` is the length of the vectors, 8 to 4096."""

    def __init__(self, dimensions: int = DIMENSIONS) -> None:
        self.dimensions = min(_MOST_DIMENSIONS, max(8, dimensions))

    @property
    def name(self) -> str:
        """``hash`` and the number of dimensions."""
        return f"hash-{self.dimensions}"

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one unit vector for each text; a text without words has no direction (all zero)."""
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of a question."""
        return hash_words(tokens_of(text), self.dimensions)
