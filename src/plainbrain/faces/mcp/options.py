"""What the command line of the server says. Standard library only, so that reading it costs nothing."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

from plainbrain.version import VERSION

DEFAULT_PORT = 8765


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """Hold how to serve: which brains, over stdio or (``http``) on a loopback port, 0 for any free one.

    ``store`` is one store; ``names`` are configured brains, the first the default; ``config`` a configuration file.
    """

    store: str = ""
    config: str = ""
    names: tuple[str, ...] = ()
    http: bool = False
    port: int = DEFAULT_PORT
    open_door: bool = False


def read_options(arguments: Sequence[str]) -> ServeOptions:
    """Read the arguments; leave the process with status 0 after ``--help`` and 2 for what cannot be meant."""
    parser = argparse.ArgumentParser(
        "brain-mcp", description="Serve a brain over MCP: on stdio, or on a loopback port."
    )
    parser.add_argument("--version", action="version", version=f"brain-mcp {VERSION}")
    parser.add_argument("--store", default="", metavar="URL", help="the store: vault:DIR, sqlite:FILE …, or a path")
    parser.add_argument("--config", default="", metavar="FILE", help="the configuration file")
    parser.add_argument(
        "--brain", dest="names", action="append", default=[], metavar="NAME", help="a configured brain; may be repeated"
    )
    parser.add_argument("--http", action="store_true", help="streamable HTTP on 127.0.0.1 instead of stdio")
    parser.add_argument(
        "--port", type=int, default=DEFAULT_PORT, metavar="N", help=f"its port ({DEFAULT_PORT}; 0: any)"
    )
    parser.add_argument(
        "--no-auth", dest="open_door", action="store_true", help="HTTP without a token: any local program may write"
    )
    found = parser.parse_args(arguments)
    if found.store and found.names:
        parser.error("--store and --brain exclude each other")
    if not 0 <= found.port <= 65_535:
        parser.error(f"--port {found.port} is no port")
    names = tuple(dict.fromkeys(found.names))
    return ServeOptions(found.store, found.config, names, found.http, found.port, found.open_door)
