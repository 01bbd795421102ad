"""The HTTP transport: streamable HTTP without sessions, on 127.0.0.1, for callers who hold the token.

Every request of every path passes the same door first: our exact Host, no foreign Origin, the bearer token,
a body of at most ``MAX_BODY`` bytes. Promises that nothing is told to who does not pass, not even which paths there are.
"""

from __future__ import annotations

import hmac
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import RequestBodyLimitMiddleware, TransportSecuritySettings
from starlette.applications import Starlette
from starlette.routing import Route

PATH = "/mcp"
MAX_BODY = 1024 * 1024
MAX_CALLERS = 256
_GRACE_SECONDS = 2

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class Door:
    """Let a request in that names this server, comes from no foreign page and shows the token.

    An empty ``token`` is an open door: Host and Origin are looked at all the same.
    """

    def __init__(self, app: App, *, port: int, token: str) -> None:
        self._app = app
        names = (f"127.0.0.1:{port}", f"localhost:{port}")
        self._hosts = frozenset(name.encode() for name in names)
        self._origins = frozenset(f"http://{name}".encode() for name in names)
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 421, 403 or 401, or hand the request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refuse(scope["headers"])
        if refusal is None:
            await self._app(scope, receive, send)
        else:
            await _answer(send, *refusal)

    def _refuse(self, headers: list[tuple[bytes, bytes]]) -> tuple[int, str] | None:
        hosts = [value for name, value in headers if name == b"host"]
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return 421, "This server answers to its own name only."
        if any(value.lower() not in self._origins for name, value in headers if name == b"origin"):
            return 403, "Requests from other web pages are refused."
        if self._token:
            shown = [value for name, value in headers if name == b"authorization"]
            scheme, _, token = shown[0].partition(b" ") if len(shown) == 1 else (b"", b"", b"")
            if not hmac.compare_digest(token.strip(), self._token) or scheme.lower() != b"bearer":
                return (
                    401,
                    "Send the header Authorization: Bearer TOKEN; the server says at its start where the token lies.",
                )
        return None


async def _answer(send: Send, status: int, text: str) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": text}}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class Endpoint:
    """Serve one path: POST carries messages; without sessions there is nothing to GET or to DELETE."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a POST on; answer anything else with 405."""
        if scope["method"] == "POST":
            await self._app(scope, receive, send)
            return
        headers = [(b"allow", b"POST"), (b"content-length", b"0")]
        await send({"type": "http.response.start", "status": 405, "headers": headers})
        await send({"type": "http.response.body", "body": b""})


def make_app(server: Server[Any], *, port: int, token: str) -> App:
    """Return the whole application for a server that listens on ``port``."""
    names = [f"127.0.0.1:{port}", f"localhost:{port}"]
    manager = StreamableHTTPSessionManager(
        app=server,
        json_response=True,
        stateless=True,
        max_request_body_size=MAX_BODY,
        security_settings=TransportSecuritySettings(
            enable_dns_rebinding_protection=True,
            allowed_hosts=names,
            allowed_origins=[f"http://{name}" for name in names],
        ),
    )

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with manager.run():
            yield

    inner = Starlette(routes=[Route(PATH, endpoint=Endpoint(manager.handle_request))], lifespan=lifespan)
    return Door(RequestBodyLimitMiddleware(inner, MAX_BODY), port=port, token=token)


def bind_loopback(port: int) -> socket.socket:
    """Return a listening socket on 127.0.0.1; port 0 takes a free one. Raise OSError when the port is taken."""
    # The protocol is named so that each connection gets TCP_NODELAY: without it small answers wait 40 ms.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
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
        limit_concurrency=MAX_CALLERS,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        lifespan="on",
    )
    uvicorn.Server(config).run(sockets=[listener])
