"""Fetching one page: https only, public addresses only, bounded in size, time and redirects.

Each hop is checked anew and connected to by the very address that was checked; certificates are checked against
the name. No cookie, no key and no proxy of the environment goes along.
"""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from urllib.parse import SplitResult, quote, urljoin

from plainbrain.errors import Refused, Unavailable
from plainbrain.fetch.address import Resolve, check_url, choose_public, resolve

MOST_BYTES = 2 * 1024 * 1024
MOST_SECONDS = 10.0
MOST_HOPS = 3
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_READABLE = ("text/", "application/xhtml+xml", "application/xml", "application/json")
_CHUNK = 65_536


@dataclass(frozen=True, slots=True)
class Fetched:
    """What came back: the address in the end, the kind of content, and its bytes."""

    url: str
    content_type: str
    body: bytes


Choose = Callable[[str, Sequence[str]], str]
Connect = Callable[[tuple[str, int], float], socket.socket]


@dataclass(frozen=True, slots=True)
class Ways:
    """How the web is reached: how names are resolved, how an address is chosen and connected to, which certificates count.

    Only a test brings its own, to reach a server of its own.
    """

    resolve: Resolve = resolve
    choose: Choose = choose_public
    connect: Connect = socket.create_connection
    certificates: ssl.SSLContext = field(default_factory=ssl.create_default_context)


def fetch(url: str, *, ways: Ways | None = None, seconds: float = MOST_SECONDS) -> Fetched:
    """Fetch a page. Raise InputError, Refused (an address that may not be asked) or Unavailable."""
    ways = ways or Ways()
    until = time.monotonic() + seconds
    for _ in range(MOST_HOPS + 1):
        parts = check_url(url)
        host = parts.hostname or ""
        pinned = ways.choose(host, ways.resolve(host, 443))
        try:
            found = _ask(parts, pinned, ways=ways, until=until)
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise Unavailable(f"{url} could not be fetched: {type(error).__name__}: {error}", value=url) from error
        if isinstance(found, Fetched):
            return found
        url = urljoin(url, found)
    raise Refused(f"more than {MOST_HOPS} redirects", value=url, hint="give the address they lead to")


class _Pinned(http.client.HTTPSConnection):
    """A connection to one address that was checked, under the name it was checked for."""

    def __init__(self, host: str, address: str, *, ways: Ways, seconds: float) -> None:
        super().__init__(host, 443, timeout=seconds)
        self._address = address
        self._ways = ways
        self._seconds = seconds

    def connect(self) -> None:
        """Connect to the pinned address."""
        plain = self._ways.connect((self._address, 443), self._seconds)
        plain.settimeout(self._seconds)
        self.sock = self._ways.certificates.wrap_socket(plain, server_hostname=self.host)

    def give_up(self) -> None:
        """Break the connection off, whatever it is waiting for: a server may not drip for ever."""
        if self.sock is not None:
            with contextlib.suppress(OSError):
                self.sock.shutdown(socket.SHUT_RDWR)


def _ask(parts: SplitResult, address: str, *, ways: Ways, until: float) -> Fetched | str:
    """Ask for one page; return it, or where it has moved to."""
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    connection = _Pinned(parts.hostname or "", address, ways=ways, seconds=_left(until))
    watch = threading.Timer(_left(until), connection.give_up)
    watch.daemon = True
    watch.start()
    try:
        connection.request("GET", quote(path, safe="/?&=%:@!$'()*+,;~-._"), headers={
            "Accept": "text/html, text/plain;q=0.9, */*;q=0.1", "Accept-Encoding": "identity", "User-Agent": "plainbrain-ingest",
        })  # fmt: skip
        answer = connection.getresponse()
        if answer.status in _REDIRECTS:
            where = answer.getheader("Location")
            if not where:
                raise Unavailable(f"{parts.hostname} redirects to nowhere", value=parts.geturl())
            return where
        if answer.status != 200:
            raise Unavailable(f"{parts.geturl()} answered {answer.status}", value=parts.geturl())
        kind = answer.getheader("Content-Type") or "text/plain"
        if not kind.lower().startswith(_READABLE):
            raise Refused(f"{parts.geturl()} is {kind.partition(';')[0]}, which is no text", value=kind)
        return Fetched(parts.geturl(), kind, _read(answer, connection, until=until))
    finally:
        watch.cancel()
        connection.close()


def _read(answer: http.client.HTTPResponse, connection: _Pinned, *, until: float) -> bytes:
    data = bytearray()
    while True:
        if connection.sock is not None:
            connection.sock.settimeout(_left(until))
        piece = answer.read1(_CHUNK)
        if not piece:
            return bytes(data)
        data += piece
        if len(data) > MOST_BYTES:
            raise Refused(f"the page is larger than {MOST_BYTES // 1024 // 1024} MiB", value=len(data))


def _left(until: float) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError(f"it took longer than {MOST_SECONDS:g} s")
    return left
