"""The command that serves the brain over MCP."""

from __future__ import annotations

import sys

import click

from plainbrain.faces.mcp.options import DEFAULT_PORT, ServeOptions


@click.command("mcp")
@click.option(
    "--store", default="", metavar="URL", help="The store: vault:DIR, sqlite:FILE, json:FILE, jsonl:FILE, or a path."
)
@click.option("--config", default="", metavar="FILE", help="The configuration file.")
@click.option(
    "--brain",
    "names",
    multiple=True,
    metavar="NAME",
    help="A configured brain; may be repeated, the first is the default.",
)
@click.option("--http", is_flag=True, help="Serve streamable HTTP on 127.0.0.1 instead of stdio.")
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=DEFAULT_PORT,
    show_default=True,
    help="The port for --http; 0 takes a free one.",
)
@click.option(
    "--no-auth", is_flag=True, help="With --http: no token; every program on this machine may read and write."
)
def mcp_command(store: str, config: str, names: tuple[str, ...], http: bool, port: int, no_auth: bool) -> None:
    """Serve the brain to agents over MCP, on stdio or on a loopback port; the same as brain-mcp."""
    if store and names:
        raise click.UsageError("--store and --brain exclude each other")
    # Loaded here: the standard streams are claimed before the rest of the server is loaded.
    from plainbrain.faces.mcp.main import start

    sys.exit(start(ServeOptions(store, config, tuple(dict.fromkeys(names)), http, port, no_auth)))
