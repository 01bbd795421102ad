"""Our own clients of the server: a child process over stdio, or a running server over HTTP with its token."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import mcp_types as types
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from plainbrain.version import VERSION

_RUN = "from plainbrain.faces.mcp.main import main; main()"


def server_command(arguments: Sequence[str]) -> list[str]:
    """Return the command that starts a server with the Python that runs now."""
    return [sys.executable, "-c", _RUN, *arguments]


@asynccontextmanager
async def connect_stdio(
    arguments: Sequence[str], *, environment: Mapping[str, str] | None = None, name: str = "brain", mode: Any = "auto"
) -> AsyncIterator[Client]:
    """Start a server as a child process and speak with it over its standard streams; it leaves when this ends."""
    command, *rest = server_command(arguments)
    parameters = StdioServerParameters(
        command=command, args=rest, env=dict(os.environ if environment is None else environment)
    )
    info = types.Implementation(name=name, version=VERSION)
    async with Client(stdio_client(parameters), client_info=info, mode=mode) as client:
        yield client


@asynccontextmanager
async def connect_http(url: str, token: str, *, name: str = "brain", mode: Any = "auto") -> AsyncIterator[Client]:
    """Speak with a server that runs at ``url``, showing ``token``."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    info = types.Implementation(name=name, version=VERSION)
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30, trust_env=False) as http,
        Client(streamable_http_client(url, http_client=http), client_info=info, mode=mode) as client,
    ):
        yield client
