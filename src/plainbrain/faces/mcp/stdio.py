"""The stdio transport: one JSON message a line, in UTF-8 whatever the locale, nothing else on standard output.

Works on the two descriptors that ``streams`` kept aside. Promises that a line over ``MAX_LINE`` bytes is
refused without being kept, that a line which is no message is answered with an error, that calls whose answers
are still due at the end of the input get ``GRACE_SECONDS`` to end, and that the process then leaves.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import anyio
import anyio.to_thread
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.lowlevel.server import Server
from mcp.shared.message import SessionMessage

from plainbrain.faces.mcp.messages import END, NoMessage, find_id, read_message

MAX_LINE = 4 * 1024 * 1024
GRACE_SECONDS = 1.0
_CHUNK = 65_536
_TOO_LONG = f"The line is over {MAX_LINE} bytes and was not read."


@dataclass(slots=True)
class Lines:
    """Read lines from a descriptor, none longer than ``MAX_LINE``."""

    descriptor: int
    _buffer: bytearray = field(default_factory=bytearray)
    _searched: int = 0
    _skipping: bool = False
    _ended: bool = False
    _head: bytes = b""
    _tail: bytes = b""

    def next(self) -> bytes | None:
        """Return the next line; empty for one that was too long, None at the end. Blocks."""
        while True:
            end = self._buffer.find(b"\n", self._searched)
            if end >= 0 or (self._ended and self._buffer):
                line = bytes(self._buffer[: end if end >= 0 else len(self._buffer)])
                del self._buffer[: len(line) + 1]
                self._searched = 0
                if self._skipping or len(line) > MAX_LINE:
                    self._skip(line)
                    self._skipping = False
                    return b""
                if line.strip():
                    return line
                continue
            if self._ended:
                return None
            self._searched = len(self._buffer)
            if self._searched > MAX_LINE:
                self._skip(self._buffer)
                self._skipping = True
                self._buffer.clear()
                self._searched = 0
            chunk = os.read(self.descriptor, _CHUNK)
            self._ended = not chunk
            self._buffer += chunk

    def _skip(self, piece: bytes | bytearray) -> None:
        """Keep the two ends of a line that is too long: its id stands in one of them."""
        self._head = self._head if self._skipping else bytes(piece[:END])
        self._tail = ((self._tail if self._skipping else b"") + piece[-END:])[-END:]

    def refusal(self) -> NoMessage:
        """Return the error for the line that was too long."""
        id = find_id(self._head.decode("utf-8", "replace"), self._tail.decode("utf-8", "replace"))
        return NoMessage(types.INVALID_REQUEST, _TOO_LONG, id)


def write_whole(descriptor: int, data: bytes) -> None:
    """Write all of ``data``. Blocks."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


@dataclass(slots=True)
class Wire:
    """Hold the two ends of the wire, and which requests still wait for their answer."""

    source: Lines
    sink: int
    due: set[str] = field(default_factory=set)
    idle: anyio.Event = field(default_factory=anyio.Event)

    def note_in(self, message: Any) -> None:
        """Take notice of a message that came in."""
        if isinstance(message, types.JSONRPCRequest):
            self.due.add(json.dumps(message.id))
        elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
            self._settle((message.params or {}).get("requestId"))

    def note_out(self, message: Any) -> None:
        """Take notice of an answer that went out."""
        if isinstance(message, (types.JSONRPCResponse, types.JSONRPCError)):
            self._settle(message.id)

    def _settle(self, id: object) -> None:
        self.due.discard(json.dumps(id, default=str))
        if not self.due:
            self.idle.set()
            self.idle = anyio.Event()

    async def wait_idle(self) -> None:
        """Wait until every answer that is due has gone out, ``GRACE_SECONDS`` at most."""
        with anyio.move_on_after(GRACE_SECONDS):
            while self.due:
                await self.idle.wait()


async def serve_stdio(server: Server[Any], *, source: int, sink: int) -> None:
    """Serve one client on the descriptors ``source`` and ``sink`` until it closes its end."""
    async with _open_wire(Wire(Lines(source), sink)) as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


@asynccontextmanager
async def _open_wire(
    wire: Wire,
) -> AsyncIterator[
    tuple[MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]]
]:
    to_server, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, from_server = anyio.create_memory_object_stream[SessionMessage](0)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_read_messages, wire, to_server)
        tasks.start_soon(_write_messages, wire, from_server)
        yield incoming, outgoing


async def _read_messages(wire: Wire, to_server: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
    async with to_server:
        while True:
            line = await anyio.to_thread.run_sync(wire.source.next, abandon_on_cancel=True)
            if line is None:
                break
            message = read_message(line, called="line") if line else wire.source.refusal()
            if isinstance(message, NoMessage):
                await _write_line(wire, message.answer())
                continue
            wire.note_in(message)
            try:
                await to_server.send(SessionMessage(message))
            except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                return
        force_exit_later()
        await wire.wait_idle()


async def _write_messages(wire: Wire, from_server: MemoryObjectReceiveStream[SessionMessage]) -> None:
    async with from_server:
        async for item in from_server:
            await _write_line(wire, item.message.model_dump_json(by_alias=True, exclude_unset=True))
            wire.note_out(item.message)


async def _write_line(wire: Wire, text: str) -> None:
    data = text.encode("utf-8", "replace") + b"\n"
    try:
        await anyio.to_thread.run_sync(write_whole, wire.sink, data, abandon_on_cancel=True)
    except OSError:
        # The client is gone: its end of the input closes too, and the server leaves by that way.
        return


def force_exit_later(seconds: float = GRACE_SECONDS + 0.7) -> None:
    """Leave the process after ``seconds`` whatever still runs: stores are whole at every instant."""
    timer = threading.Timer(seconds, os._exit, (0,))
    timer.daemon = True
    timer.start()
