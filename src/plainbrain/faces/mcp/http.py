"""The HTTP transport: streamable HTTP without sessions, on 127.0.0.1, for callers who hold the token.

Every request of every path passes the same door first: our exact Host, no foreign Origin, the bearer token.
Promises that nothing is told to who does not pass, not even which paths there are, and that a body over
``MAX_BODY`` bytes is refused.
"""

from __future__ import annotations

import hmac
import socket
from typing import Any

import mcp_types as types
import uvicorn
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from plainbrain.faces.mcp.exchange import App, Receive, Scope, Send, exchange, hand_on, refuse, respond

PATH = "/mcp"
MAX_BODY = 1024 * 1024
MAX_CALLERS = 256
_GRACE_SECONDS = 2


class Door:
    """Let a request in that names this server, comes from no foreign page and shows the token.

    An empty ``token`` is an open door: Host and Origin are looked at all the same.
    """

    def __init__(self, app: App, *, port: int, token: str) -> None:
        self._app = app
        names = _own_names(port)
        self._hosts = frozenset(name.encode() for name in names)
        self._origins = frozenset(f"http://{name}".encode() for name in names)
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 421, 403 or 401, or hand the request on."""
        if scope["type"] == "http" and (refusal := self._refuse(scope["headers"])):
            await refuse(send, *refusal)
        elif scope["type"] in ("http", "lifespan"):
            await self._app(scope, receive, send)

    def _refuse(self, headers: list[tuple[bytes, bytes]]) -> tuple[int, str] | None:
        hosts = [value.lower() for name, value in headers if name == b"host"]
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return 421, "This server answers to its own name only."
        if any(value.lower() not in self._origins for name, value in headers if name == b"origin"):
            return 403, "Requests from other web pages are refused."
        if self._token and not self._shows_token(headers):
            return 401, "Send the header Authorization: Bearer TOKEN; the server says at its start where it lies."
        return None

    def _shows_token(self, headers: list[tuple[bytes, bytes]]) -> bool:
        shown = [value for name, value in headers if name == b"authorization"]
        scheme, _, token = shown[0].partition(b" ") if len(shown) == 1 else (b"", b"", b"")
        return hmac.compare_digest(token.strip(), self._token) and scheme.lower() == b"bearer"


class Rooms:
    """Serve the one path there is. POST carries messages; without sessions there is nothing to GET or to DELETE.

    The era of a client stands in its version header: the handshake era is answered here, the newer one by the SDK.
    """

    def __init__(self, server: Server[Any], manager: StreamableHTTPSessionManager) -> None:
        self._server, self._manager = server, manager

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or run for as long as the server does."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["path"] != PATH:
            await refuse(send, 404, f"The path is {PATH}.")
        elif scope["method"] != "POST":
            await respond(send, 405, b"", (b"allow", b"POST"))
        else:
            await self._post(scope, receive, send)

    async def _post(self, scope: Scope, receive: Receive, send: Send) -> None:
        said = next((value for name, value in scope["headers"] if name == b"mcp-protocol-version"), b"")
        version = said.decode("latin-1") or types.DEFAULT_NEGOTIATED_VERSION
        if version in HANDSHAKE_PROTOCOL_VERSIONS:
            await exchange(self._server, scope, receive, send, version=version, max_body=MAX_BODY)
        else:
            await hand_on(self._manager.handle_request, scope, receive, send, max_body=MAX_BODY)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        async with self._manager.run():
            await send({"type": "lifespan.startup.complete"})
            await receive()
        await send({"type": "lifespan.shutdown.complete"})


def _own_names(port: int) -> list[str]:
    return [f"127.0.0.1:{port}", f"localhost:{port}"]


def make_app(server: Server[Any], *, port: int, token: str) -> App:
    """Return the whole application for a server that listens on ``port``."""
    manager = StreamableHTTPSessionManager(
        app=server,
        json_response=True,
        stateless=True,
        max_request_body_size=MAX_BODY,
        security_settings=TransportSecuritySettings(
            enable_dns_rebinding_protection=True,
            allowed_hosts=_own_names(port),
            allowed_origins=[f"http://{name}" for name in _own_names(port)],
        ),
    )
    return Door(Rooms(server, manager), port=port, token=token)


def bind_loopback(port: int) -> socket.socket:
    """Return a listening socket on 127.0.0.1; port 0 takes a free one. Raise OSError when the port is taken."""
    # The protocol is named so that each connection gets TCP_NODELAY: without it small answers wait 40 ms.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        exclusive = getattr(socket, "SO_EXCLUSIVEADDRUSE", None)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR if exclusive is None else exclusive, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen(512)
    except OSError:
        listener.close()
        raise
    return listener


def serve_http(app: App, listener: socket.socket) -> None:
    """Serve until the process is told to stop."""
    config = uvicorn.Config(
        app,
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=MAX_CALLERS,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        lifespan="on",
    )
    uvicorn.Server(config).run(sockets=[listener])
