"""The mirror to SuperMemory: a copy of each new entry, sent after it was kept here.

Owns the form of what is sent and the settings of sending, both agent-brain's. Promises that nothing here ever
raises, and that nobody waits for it but ``close``, for no longer than the timeout. The copy is sent from a thread
of its own; what could not be sent is not tried again, and is told only where somebody asked to be told.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Mapping
from queue import SimpleQueue
from urllib.parse import urlsplit

import httpx

from plainbrain.model.jsontext import json_text
from plainbrain.model.memory import Memory
from plainbrain.notation.entry import entry_of

DEFAULT_URL = "https://api.supermemory.ai/v3/documents"
DEFAULT_SECONDS = 8.0
_MOST_SECONDS = 60.0
_MOST_TAGS = 8
_OFF = frozenset({"0", "false", "no", "off"})
_ON = frozenset({"1", "true", "yes", "on"})
_LOCAL = frozenset({"127.0.0.1", "::1", "localhost"})
Warn = Callable[[str], None]


def read_mirror(environment: Mapping[str, str], *, warn: Warn) -> SuperMemory | None:
    """Return the mirror that the environment sets up, or None. ``warn`` is told of trouble only in debug mode."""
    sync = environment.get("AGENT_BRAIN_SUPERMEMORY_SYNC", "").strip().lower() or "auto"
    if sync in _OFF:
        return None
    debug = environment.get("AGENT_BRAIN_SUPERMEMORY_DEBUG", "").strip().lower() in _ON
    tell: Warn = (lambda text: warn(f"SuperMemory sync warning: {text}")) if debug else (lambda _: None)
    key = environment.get("SUPERMEMORY_API_KEY", "").strip()
    if not key:
        if sync != "auto":
            tell("SUPERMEMORY_API_KEY is not set; nothing is sent")
        return None
    url = environment.get("SUPERMEMORY_API_URL", "").strip() or DEFAULT_URL
    if fault := fault_of(url, key):
        tell(fault)
        return None
    return SuperMemory(url, key, seconds=_read_seconds(environment, tell), warn=tell)


def fault_of(url: str, key: str) -> str:
    """Return what is wrong with an address and a key that are to be sent to, or an empty text."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return "SUPERMEMORY_API_URL is no address"
    if not host or parts.scheme not in ("http", "https"):
        return "SUPERMEMORY_API_URL is no address"
    if parts.scheme == "http" and host not in _LOCAL:
        return "SUPERMEMORY_API_URL is not https; the key is not sent in clear"
    if not key.isascii() or not key.isprintable():
        return "SUPERMEMORY_API_KEY is no key"
    return ""


def _read_seconds(environment: Mapping[str, str], tell: Warn) -> float:
    text = environment.get("AGENT_BRAIN_SUPERMEMORY_TIMEOUT", "").strip()
    if not text:
        return DEFAULT_SECONDS
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        tell(f"AGENT_BRAIN_SUPERMEMORY_TIMEOUT {text!r} is no time in seconds; {DEFAULT_SECONDS:g} is taken")
        return DEFAULT_SECONDS
    return min(seconds, _MOST_SECONDS)


def document_of(memory: Memory) -> dict[str, object]:
    """Return what is sent of a memory: its entry as JSON text, a name of its own, and the tags it is filed under."""
    entry = entry_of(memory)
    kept = (
        "type",
        "content",
        "source",
        "source_url",
        "tags",
        "context",
        "created",
        "confidence",
        "session_id",
        "correction_meta",
    )
    content = {"origin": "agent-brain", "entry_id": memory.id} | {name: entry[name] for name in kept}
    tags = dict.fromkeys(_plain(tag) for tag in ("agent-brain", memory.kind, *memory.tags))
    return {
        "content": json_text(content),
        "customId": f"agent_brain_{memory.id}",
        "containerTags": list(tags)[:_MOST_TAGS],
    }


def _plain(tag: str) -> str:
    """Return a tag as the service takes it: small letters, digits, ``_`` and ``-``."""
    kept = "".join(c if c.isascii() and (c.isalnum() or c in "_-") else " " for c in tag.lower())
    return "-".join(kept.split()).strip("-") or "agent-brain"


class SuperMemory:
    """Send copies to one address. ``seconds`` bound each sending and the wait at the end."""

    def __init__(self, url: str, key: str, *, seconds: float = DEFAULT_SECONDS, warn: Warn = lambda _: None) -> None:
        self._url = url
        self._key = key
        self._seconds = seconds
        self._warn = warn
        self._queue: SimpleQueue[dict[str, object] | None] = SimpleQueue()
        self._worker: threading.Thread | None = None
        self._until = 0.0

    def send(self, memory: Memory) -> None:
        """Begin to send a memory. Never raises and never waits."""
        self._until = time.monotonic() + self._seconds
        self._queue.put(document_of(memory))
        if self._worker is None or not self._worker.is_alive():
            self._worker = threading.Thread(target=self._work, name="mirror", daemon=True)
            self._worker.start()

    def close(self) -> None:
        """Wait until everything is sent, or until the time is over; what is not sent by then stays unsent."""
        worker, self._worker = self._worker, None
        if worker is None:
            return
        self._queue.put(None)
        worker.join(max(0.0, self._until - time.monotonic()))
        if worker.is_alive():
            self._warn(f"no answer within {self._seconds:g} s")

    def _work(self) -> None:
        headers = {"Authorization": f"Bearer {self._key}"}
        try:
            with httpx.Client(
                timeout=self._seconds, trust_env=False, follow_redirects=False, headers=headers
            ) as client:
                while (document := self._queue.get()) is not None:
                    self._post(client, document)
        except (httpx.HTTPError, OSError, ValueError) as error:  # no client could be made: no certificates, say
            self._warn(type(error).__name__)

    def _post(self, client: httpx.Client, document: Mapping[str, object]) -> None:
        """Send one document. The answer is of no interest beyond its status, and is not read whole."""
        try:
            with client.stream("POST", self._url, json=document) as answer:
                if not answer.is_success:
                    self._warn(f"the service answered {answer.status_code}")
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
            self._warn(f"{type(error).__name__}: {error}")
