"""Vectors from a service that the user named: agent-brain's remote embeddings.

Owns what is asked and which answers are understood: one POST of ``{"input": text}`` for each text, answered by
``{"embedding": […]}`` or ``{"data": [{"embedding": […]}]}``. Everything that was ever answered is kept, so that
only new texts are sent. The address is the user's own choice: loopback is allowed, plain http nowhere else.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

import httpx

from plainbrain.embed.cache import VectorCache
from plainbrain.errors import Unavailable

DEFAULT_SECONDS = 6.0
_MOST_SECONDS = 60.0
#: How long one call may go on in all, in timeouts of a single answer.
_PATIENCE = 5
_MOST_BYTES = 1 << 20
_MOST_NUMBERS = 65_536
_LOCAL = frozenset({"127.0.0.1", "::1", "localhost"})


class RemoteEmbedder:
    """Ask one address for vectors. ``environment`` holds the key and the timeout; ``cache`` what was answered before."""

    def __init__(self, url: str, environment: Mapping[str, str], *, cache: VectorCache) -> None:
        self._url = url
        self._key = environment.get("AGENT_BRAIN_EMBEDDING_API_KEY", "").strip()
        self._seconds = _read_seconds(environment.get("AGENT_BRAIN_EMBEDDING_TIMEOUT", ""))
        self._cache = cache
        self._dimensions = 0

    @property
    def name(self) -> str:
        """The address: vectors of two services are never mixed."""
        return self._url

    @property
    def dimensions(self) -> int:
        """The length of the vectors, 0 as long as none was seen."""
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one unit vector for each text, all of one length. Raise Unavailable; what was answered by then is kept."""
        known = self._cache.find(self._url, texts)
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        if missing:
            known |= self._ask(missing)
        vectors = [known[text] for text in texts]
        lengths = {len(vector) for vector in vectors}
        if len(lengths) > 1:
            raise Unavailable("the embedding service gave vectors of different lengths", value=self._url)
        self._dimensions = lengths.pop() if lengths else 0
        return vectors

    def _ask(self, texts: Sequence[str]) -> dict[str, list[float]]:
        if fault := fault_of(self._url):
            raise Unavailable(fault, value=self._url, hint="write https://… in AGENT_BRAIN_EMBEDDING_URL")
        until = time.monotonic() + _PATIENCE * self._seconds
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        found: dict[str, list[float]] = {}
        try:
            with httpx.Client(
                timeout=self._seconds, trust_env=False, follow_redirects=False, headers=headers
            ) as client:
                for text in texts:
                    if time.monotonic() > until:
                        raise Unavailable("the embedding service is too slow", value=self._url)
                    found[text] = self._ask_one(client, text, until=until)
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
            raise Unavailable(f"the embedding service: {type(error).__name__}: {error}", value=self._url) from error
        finally:
            if found:
                self._cache.keep(self._url, found)
        return found

    def _ask_one(self, client: httpx.Client, text: str, *, until: float) -> list[float]:
        with client.stream("POST", self._url, json={"input": text}) as answer:
            answer.raise_for_status()
            data = bytearray()
            for piece in answer.iter_bytes():
                data += piece
                if len(data) > _MOST_BYTES or time.monotonic() > until:
                    raise ValueError("the answer is too long")
        return read_vector(httpx.Response(200, content=bytes(data)).json())


def read_vector(answer: object) -> list[float]:
    """Return the vector in an answer, as a unit vector. Raise ValueError when there is none."""
    numbers = answer.get("embedding") if isinstance(answer, dict) else None
    if numbers is None and isinstance(answer, dict):
        with contextlib.suppress(KeyError, IndexError, TypeError):
            numbers = answer["data"][0]["embedding"]
    if not isinstance(numbers, list) or not 0 < len(numbers) <= _MOST_NUMBERS:
        raise ValueError("the answer holds no embedding")
    if not all(isinstance(n, int | float) and not isinstance(n, bool) and math.isfinite(n) for n in numbers):
        raise ValueError("the embedding is no list of numbers")
    length = math.sqrt(math.fsum(n * n for n in numbers))
    if not 0 < length < math.inf:
        raise ValueError("the embedding has no direction")
    return [n / length for n in numbers]


def fault_of(url: str) -> str:
    """Return what is wrong with an address, or an empty text."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return f"{url!r} is no address"
    if not host or parts.scheme not in ("http", "https"):
        return f"{url!r} is no address"
    if parts.scheme == "http" and host not in _LOCAL:
        return f"{url!r} is not https, and texts are not sent in clear"
    return ""


def _read_seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        return DEFAULT_SECONDS
    return min(seconds, _MOST_SECONDS) if 0 < seconds < math.inf else DEFAULT_SECONDS
