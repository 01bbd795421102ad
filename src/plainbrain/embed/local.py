"""A sentence encoder that runs here: an ONNX graph and its tokenizer, loaded at the first text.

Promises one vector for each text, in the order of the texts, at length one wherever the model gives a direction.
Texts of like length share a batch, so that little is spent on padding. Needs numpy, onnxruntime and tokenizers.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from plainbrain.embed.manifest import Manifest, space_of, verify
from plainbrain.errors import Unavailable

Floats = NDArray[np.float32]
#: At most so many texts and tokens (padding included) at a time: more is no faster and takes memory.
_MOST_TEXTS, _MOST_TOKENS = 32, 2048
#: Characters looked at for each token: longer words are cut to pieces anyway.
_CHARACTERS = 16
#: Both libraries raise what they like, down to bare Exception.
_RAISED: tuple[type[Exception], ...] = (Exception,)


class LocalEmbedder:
    """Embed texts with the ONNX model in ``folder``. Safe for several threads."""

    def __init__(self, folder: Path, manifest: Manifest, *, threads: int = 0) -> None:
        """``threads`` 0 leaves the number to the machine. Raise Unavailable when the files are not whole."""
        self._folder = folder
        self._manifest = manifest
        self._name = space_of(folder, manifest)
        self._lock = threading.Lock()
        verify(folder, manifest)
        try:
            self._tokenizer = _open_tokenizer(folder / manifest.tokenizer, manifest.max_tokens)
            self._session = _open_session(folder / manifest.weights, threads)
        except _RAISED as error:
            raise self._failed(error) from error
        self._inputs = {one.name for one in self._session.get_inputs()}
        self._output = self._session.get_outputs()[0].name
        self.dimensions = manifest.dimensions or len(self.embed(["one"])[0])

    @property
    def name(self) -> str:
        """The model's name and what tells its weights from others."""
        return self._name

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector for each text. Raise Unavailable."""
        return self._embed([self._manifest.passage_prefix + text for text in texts])

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of a question. Raise Unavailable."""
        return self._embed([self._manifest.query_prefix + text])[0]

    def _embed(self, texts: Sequence[str]) -> list[list[float]]:
        try:
            with self._lock:
                encoded = [self._tokenizer.encode(_clean(text, self._manifest.max_tokens)) for text in texts]
                found: list[list[float]] = [[] for _ in texts]
                for batch in _batches(encoded):
                    for row, vector in zip(batch, self._run([encoded[row] for row in batch]).tolist(), strict=True):
                        found[row] = vector
                return found
        except _RAISED as error:
            raise self._failed(error) from error

    def _run(self, batch: Sequence[Encoding]) -> Floats:
        length = max(1, *(len(one.ids) for one in batch))
        ids, mask = np.zeros((len(batch), length), np.int64), np.zeros((len(batch), length), np.int64)
        for row, one in enumerate(batch):
            ids[row, : len(one.ids)] = one.ids
            mask[row, : len(one.ids)] = 1
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        answer = self._session.run([self._output], {name: feed[name] for name in self._inputs})[0]
        return _unit(_pool(np.asarray(answer, np.float32), mask, self._manifest.pooling))

    def _failed(self, error: Exception) -> Unavailable:
        return Unavailable(
            f"the model in {self._folder} failed: {type(error).__name__}: {str(error)[:200]}",
            value=str(self._folder),
            hint="install it again: brain model install; or go without: BRAIN_MODEL=off",
        )


def _open_tokenizer(path: Path, max_tokens: int) -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.enable_truncation(max_tokens)
    tokenizer.no_padding()
    return tokenizer


def _open_session(path: Path, threads: int) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 4  # what goes wrong is raised; nothing is printed
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # a waiting server uses no processor
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _clean(text: str, max_tokens: int) -> str:
    """Return as much of a text as can be looked at, halves of characters as question marks."""
    return text[: max_tokens * _CHARACTERS].encode("utf-8", "replace").decode("utf-8")


def _batches(encoded: Sequence[Encoding]) -> Iterator[list[int]]:
    """Yield the numbers of texts that go together, shortest first."""
    batch: list[int] = []
    for row in sorted(range(len(encoded)), key=lambda row: len(encoded[row].ids)):
        if batch and (len(batch) == _MOST_TEXTS or (len(batch) + 1) * len(encoded[row].ids) > _MOST_TOKENS):
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


def _pool(answer: Floats, mask: NDArray[np.int64], pooling: str) -> Floats:
    """Return one vector for each text where the model gives one for each token."""
    if answer.ndim == 2:
        return answer
    if pooling == "cls":
        return np.ascontiguousarray(answer[:, 0])
    weights = mask[:, :, None].astype(np.float32)
    return np.asarray((answer * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1), np.float32)


def _unit(rows: Floats) -> Floats:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths == 0, 1, lengths), np.float32)
