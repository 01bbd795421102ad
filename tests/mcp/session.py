"""A client in the same process as the server: the whole protocol, without the start of a process."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from mcp.client.client import Client
from mcp_types import CallToolResult, Implementation, TextContent

from plainbrain.faces.mcp.replies import Options
from plainbrain.faces.mcp.server import make_server
from plainbrain.faces.mcp.worker import Worker


def in_session(environment: dict[str, str], work: Callable[[Client], Awaitable[None]], *, mode: Any = "auto") -> None:
    """Do ``work`` with a client of a server that serves what the environment names."""

    async def run() -> None:
        worker = Worker(Options(), environment)
        try:
            info = Implementation(name="Test  Client\n2", version="1")
            async with Client(make_server(worker), client_info=info, mode=mode) as client:
                await work(client)
        finally:
            worker.close()

    asyncio.run(run())


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool that must succeed; return its data."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, text_of(result)
    found: dict[str, Any] = result.structured_content
    return found


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    """Call a tool that must refuse; return what it says."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error, text_of(result)
    return text_of(result)


def text_of(result: CallToolResult) -> str:
    """Return the text of a result."""
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))
