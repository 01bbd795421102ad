"""A model without layers: each token has a vector, a text the mean of its tokens' (the form of model2vec).

A thousand times faster than an encoder, and knows less. Needs numpy and tokenizers.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from plainbrain.embed.manifest import Manifest, space_of, verify
from plainbrain.embed.tensors import read_tensors
from plainbrain.errors import Unavailable

#: The library raises what it likes, down to bare Exception.
_RAISED: tuple[type[Exception], ...] = (Exception,)
_CHARACTERS = 16


class StaticEmbedder:
    """Embed texts with the table in ``folder``; an unknown token counts nothing."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        """Raise Unavailable when the files are not whole or not a table."""
        self._manifest = manifest
        self._name = space_of(folder, manifest)
        verify(folder, manifest)
        try:
            self._tokenizer = Tokenizer.from_file(str(folder / manifest.tokenizer))
            tensors = read_tensors(folder / manifest.weights)
        except _RAISED as error:
            raise _useless(folder, str(error)) from error
        table = tensors.get("embeddings", tensors.get("embedding.weight"))
        if table is None or table.ndim != 2 or not table.size:
            raise _useless(folder, "it holds no table of embeddings")
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._table = table
        self._weights = tensors.get("weights")
        self._rows = tensors.get("mapping")
        self._unknown = _unknown_token(self._tokenizer)

    @property
    def name(self) -> str:
        """The model's name and what tells its weights from others."""
        return self._name

    @property
    def dimensions(self) -> int:
        """The length of each vector."""
        return int(self._table.shape[1])

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector for each text; a text without a known token has none (all zero)."""
        return [self._one(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of a question."""
        return self._one(text)

    def _one(self, text: str) -> list[float]:
        seen = text[: self._manifest.max_tokens * _CHARACTERS].encode("utf-8", "replace").decode("utf-8")
        ids = np.array(self._tokenizer.encode(seen, add_special_tokens=False).ids, np.int64)
        ids = ids[ids != self._unknown][: self._manifest.max_tokens]
        ids = ids[ids < self._known()]
        if not len(ids):
            return [0.0] * self.dimensions
        rows = ids if self._rows is None else self._rows[ids]
        vectors: NDArray[np.float32] = self._table[rows].astype(np.float32)
        if self._weights is not None:
            vectors = vectors * self._weights[ids].astype(np.float32)[:, None]
        mean = vectors.mean(axis=0)
        length = float(np.linalg.norm(mean))
        return [float(number) for number in (mean / length if length else mean)]

    def _known(self) -> int:
        return len(self._table) if self._rows is None else len(self._rows)


def _unknown_token(tokenizer: Tokenizer) -> int:
    for token in ("[UNK]", "<unk>"):
        if (found := tokenizer.token_to_id(token)) is not None:
            return int(found)
    return -1


def _useless(folder: Path, why: str) -> Unavailable:
    return Unavailable(
        f"the model in {folder} cannot be used: {why}", value=str(folder), hint="bring its folder again, whole"
    )
