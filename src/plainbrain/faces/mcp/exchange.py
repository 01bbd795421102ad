"""One request of the handshake era over HTTP, answered without a session.

The SDK's own way starts a transport and several tasks for every request; one exchange needs none of them. What
is served, and what an error looks like on the wire, stays the SDK's: this module only reads a body and writes one.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass, field
from typing import Any

import anyio
import mcp_types as types
from mcp.server.connection import Connection
from mcp.server.lowlevel.server import Server
from mcp.server.runner import modern_error_data, serve_one
from mcp.shared.dispatcher import CallOptions
from mcp.shared.exceptions import NoBackChannelError
from mcp.shared.transport_context import TransportContext

from plainbrain.faces.mcp.messages import NoMessage, read_message
from plainbrain.model.jsontext import json_text

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_JSON = (b"content-type", b"application/json")
_TRANSPORT = TransportContext(kind="streamable-http", can_send_request=False)


class BodyTooLarge(Exception):
    """The body of a request is larger than it may be."""


@dataclass(slots=True)
class _Exchange:
    """What the SDK's kernel asks about a request: there is no way back to the client but the answer."""

    request_id: types.RequestId
    transport: TransportContext = _TRANSPORT
    message_metadata: Any = None
    cancel_requested: anyio.Event = field(default_factory=anyio.Event)
    can_send_request: bool = False

    async def send_raw_request(
        self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None
    ) -> dict[str, Any]:
        raise NoBackChannelError(method)

    async def notify(self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None) -> None:
        return

    async def progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        return


async def exchange(
    server: Server[Any], scope: Scope, receive: Receive, send: Send, *, version: str, max_body: int
) -> None:
    """Answer one POST of a client that speaks ``version``."""
    headers = dict(scope["headers"])
    if not _holds(headers.get(b"accept", b"*/*"), b"application/json", b"application/*", b"*/*"):
        await refuse(send, 406, "Accept application/json.")
    elif not _holds(headers.get(b"content-type", b""), b"application/json"):
        await refuse(send, 415, "Send application/json.")
    else:
        try:
            body = await read_body(headers, receive, max_body)
        except BodyTooLarge:
            await refuse(send, 413, f"A request holds at most {max_body} bytes.")
            return
        await _answer(server, body, send, version=version)


def _holds(header: bytes, *wanted: bytes) -> bool:
    kinds = {part.split(b";")[0].strip().lower() for part in header.split(b",")}
    return not kinds.isdisjoint(wanted)


async def read_body(headers: Mapping[bytes, bytes], receive: Receive, limit: int) -> bytes:
    """Return the whole body. Raise BodyTooLarge, before reading it where its length is declared."""
    declared = headers.get(b"content-length", b"")
    if declared.isdigit() and int(declared) > limit:
        raise BodyTooLarge
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return b""  # the client went away: nobody reads an answer
        body += message.get("body", b"")
        if len(body) > limit:
            raise BodyTooLarge
        if not message.get("more_body", False):
            return bytes(body)


async def _answer(server: Server[Any], body: bytes, send: Send, *, version: str) -> None:
    message = read_message(body, called="body")
    if isinstance(message, NoMessage):
        await respond(send, 400, message.answer().encode())
        return
    if not isinstance(message, types.JSONRPCRequest):
        await respond(send, 202, b"")
        return
    connection = Connection.from_envelope(version, None, None)
    answer: dict[str, Any] = {"jsonrpc": "2.0", "id": message.id}
    try:
        answer["result"] = await serve_one(
            server, _Exchange(message.id), message.method, message.params, connection=connection, lifespan_state={}
        )
    except Exception as error:
        answer["error"] = modern_error_data(error).model_dump(mode="json", by_alias=True, exclude_none=True)
    await respond(send, 200, json_text(answer, compact=True).encode())


async def hand_on(app: App, scope: Scope, receive: Receive, send: Send, *, max_body: int) -> None:
    """Let the SDK answer one POST, its body looked at and repaired before."""
    try:
        body = await read_body(dict(scope["headers"]), receive, max_body)
    except BodyTooLarge:
        await refuse(send, 413, f"A request holds at most {max_body} bytes.")
        return
    message = read_message(body, called="body")
    if isinstance(message, NoMessage):
        await respond(send, 400, message.answer().encode())
        return
    whole = message.model_dump_json(by_alias=True, exclude_unset=True).encode()
    waiting: list[Message] = [{"type": "http.request", "body": whole, "more_body": False}]

    async def receive_repaired() -> Message:
        return waiting.pop() if waiting else await receive()

    await app(scope, receive_repaired, send)


async def refuse(send: Send, status: int, text: str, code: int = types.INVALID_REQUEST) -> None:
    """Answer with a status, and the reason as a JSON-RPC error."""
    body = json.dumps({"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": text}}).encode()
    await respond(send, status, body, *([(b"www-authenticate", b"Bearer")] if status == 401 else []))


async def respond(send: Send, status: int, body: bytes, *more: tuple[bytes, bytes]) -> None:
    """Answer with a status and a JSON body, which may be empty."""
    headers = [(b"content-length", str(len(body)).encode()), *([_JSON] if body else []), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
