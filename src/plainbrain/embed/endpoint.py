"""A model behind an OpenAI-compatible address: ``POST URL/embeddings`` with a list of texts.

Owns what is sent and which answers are believed: as many vectors as texts, in the order they say, all of one
length, finite numbers. The address is the person's own choice; plain http only to this machine. No redirect is
followed and no proxy taken from the environment.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

import httpx

from plainbrain.embed.remote import fault_of
from plainbrain.errors import Unavailable

SECONDS = 10.0
_MOST_TEXTS = 64
_MOST_BYTES = 64 << 20
_MOST_NUMBERS = 65_536


class EndpointEmbedder:
    """Ask an endpoint for vectors; ``url`` ends before ``/embeddings``, ``key`` may be empty."""

    def __init__(self, url: str, model: str, *, key: str = "", seconds: float = SECONDS) -> None:
        self._url = url.rstrip("/").removesuffix("/embeddings")
        self._model = model
        self._seconds = seconds
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._dimensions = 0

    @property
    def name(self) -> str:
        """The address and the model: vectors of two are never mixed."""
        return f"{self._url}#{self._model}"

    @property
    def dimensions(self) -> int:
        """The length of the vectors, 0 as long as none was seen."""
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector for each text. Raise Unavailable; the endpoint is then as it was."""
        if fault := fault_of(self._url):
            raise Unavailable(fault, value=self._url, hint="write https://host/v1#MODEL, or http on this machine")
        found: list[list[float]] = []
        try:
            with httpx.Client(
                timeout=self._seconds, trust_env=False, follow_redirects=False, headers=self._headers
            ) as client:
                for at in range(0, len(texts), _MOST_TEXTS):
                    found += self._ask(client, [_sendable(text) for text in texts[at : at + _MOST_TEXTS]])
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError, RecursionError) as error:
            raise self._failed(f"{type(error).__name__}: {str(error)[:200]}") from error
        self._hold_length(found)
        return found

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of a question. Raise Unavailable."""
        return self.embed([text])[0]

    def _ask(self, client: httpx.Client, texts: list[str]) -> list[list[float]]:
        with client.stream("POST", f"{self._url}/embeddings", json={"model": self._model, "input": texts}) as answer:
            answer.raise_for_status()
            data = bytearray()
            for piece in answer.iter_bytes():
                data += piece
                if len(data) > _MOST_BYTES:
                    raise ValueError("the answer is too long")
        return _read(json.loads(data), len(texts))

    def _hold_length(self, vectors: Sequence[Sequence[float]]) -> None:
        lengths = {len(vector) for vector in vectors} | ({self._dimensions} if self._dimensions else set())
        if len(lengths) > 1:
            raise self._failed(f"it gave vectors of {' and '.join(map(str, sorted(lengths)))} numbers")
        if lengths:
            self._dimensions = lengths.pop()

    def _failed(self, why: str) -> Unavailable:
        return Unavailable(
            f"the embedding endpoint {self._url} failed: {why}",
            value=self._url,
            hint="see that it answers; BRAIN_MODEL=off goes without",
        )


def _read(answer: Any, count: int) -> list[list[float]]:
    """Return the vectors of an answer in the order of the texts. Raise ValueError for what cannot be believed."""
    rows = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(rows, list) or len(rows) != count:
        raise ValueError(f"it gave {len(rows) if isinstance(rows, list) else 'no'} vectors for {count} texts")
    found: list[list[float]] = [[] for _ in rows]
    for place, row in enumerate(rows):
        number = row.get("index", place) if isinstance(row, dict) else -1
        if not isinstance(number, int) or not 0 <= number < count or found[number]:
            raise ValueError("its answer does not say which vector is whose")
        found[number] = _numbers(row.get("embedding"))
    return found


def _numbers(value: object) -> list[float]:
    if not isinstance(value, list) or not 0 < len(value) <= _MOST_NUMBERS:
        raise ValueError("it gave something that is no vector")
    if not all(isinstance(n, int | float) and not isinstance(n, bool) for n in value):
        raise ValueError("it gave something that is no vector")
    try:
        numbers = [float(n) for n in value]
        length = math.sqrt(math.fsum(n * n for n in numbers))
    except OverflowError as error:
        raise ValueError("it gave a number that is none") from error
    if not math.isfinite(length):
        raise ValueError("it gave numbers that are not finite (NaN)")
    return [n / length for n in numbers] if length else numbers


def _sendable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
