"""Measure the MCP server as its clients meet it: start, search over stdio, load over HTTP, memory.

Run ``python -m bench.mcp_speed [COUNT]``. The vault is generated, the same for every run; each server is a
process of its own; the HTTP load comes from eight clients in this process, nine reads to one write.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.recall_speed import make_notes, make_queries
from plainbrain.notation.note import write_note

SERVER = [sys.executable, "-c", "from plainbrain.faces.mcp.main import main; main()"]
CLIENTS, SECONDS = 8, 10.0
_LATEST = "2025-11-25"


def make_vault(folder: Path, count: int) -> None:
    """Write ``count`` notes as files."""
    for note in make_notes(count):
        place = folder / note.cortex / f"{note.id}.md"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(write_note(replace(note, status="active")), encoding="utf-8")


def environment(root: Path) -> dict[str, str]:
    """Return an environment in which nothing outside ``root`` is read or written."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("BRAIN_", "MEMORY_DIR"))}
    return clean | {
        "BRAIN_CACHE": str(root / "cache"),
        "BRAIN_CONFIG": str(root / "config.toml"),
        "XDG_STATE_HOME": str(root / "state"),
        "BRAIN_DIR": str(root / "brain"),
    }


class StdioServer:
    """A server and the bare lines that go to and fro."""

    def __init__(self, root: Path) -> None:
        self._process = subprocess.Popen(
            SERVER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(root), cwd=root
        )
        self._ids = itertools.count(1)

    def ask(self, method: str, **params: Any) -> Any:
        """Send a request and return its result."""
        self._send({"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": params})
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())["result"]

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()

    def shake_hands(self) -> None:
        """Do the handshake of the handshake era."""
        info = {"name": "bench", "version": "1"}
        self.ask("initialize", protocolVersion=_LATEST, capabilities={}, clientInfo=info)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def search(self, query: str) -> Any:
        """Call the search tool."""
        return self.ask("tools/call", name="brain_search", arguments={"query": query})

    def memory_mb(self) -> float:
        """Return the resident memory in MB; 0 where the system does not tell."""
        try:
            lines = Path(f"/proc/{self._process.pid}/status").read_text().splitlines()
        except OSError:
            return 0.0
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))

    def stop(self) -> float:
        """Close its input; return the seconds until it was gone."""
        assert self._process.stdin is not None
        began = time.perf_counter()
        self._process.stdin.close()
        self._process.wait(timeout=10)
        return time.perf_counter() - began


def measure_start(root: Path, rounds: int = 5) -> dict[str, float]:
    """Return seconds to a first tools/list, and what importing the SDK alone takes, each the median, taken in turn."""
    alone, ours = [], []
    for _ in range(rounds):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", "import mcp.server"], check=True)
        alone.append(time.perf_counter() - began)
        began = time.perf_counter()
        server = StdioServer(root)
        server.shake_hands()
        assert len(server.ask("tools/list")["tools"]) == 8
        ours.append(time.perf_counter() - began)
        server.stop()
    return {"sdk_import_s": round(statistics.median(alone), 3), "first_list_s": round(statistics.median(ours), 3)}


def measure_stdio(root: Path, queries: Sequence[str]) -> dict[str, float]:
    """Return the times of searches by one client over stdio."""
    server = StdioServer(root)
    server.shake_hands()
    began = time.perf_counter()
    server.search("warm up")
    first = time.perf_counter() - began
    spent = []
    for query in queries:
        began = time.perf_counter()
        assert not server.search(query).get("isError")
        spent.append((time.perf_counter() - began) * 1000)
    found = {"first_search_s": round(first, 2), **in_figures("search", spent), "memory_mb": round(server.memory_mb())}
    return {**found, "exit_s": round(server.stop(), 2)}


def in_figures(name: str, spent: list[float]) -> dict[str, float]:
    """Return median, 95th and 99th percentile in milliseconds."""
    ordered = sorted(spent)
    figures = {"p50": statistics.median(ordered), "p95": ordered[len(ordered) * 95 // 100]}
    figures["p99"] = ordered[len(ordered) * 99 // 100]
    return {f"{name}_{mark}_ms": round(value, 1) for mark, value in figures.items()}


@contextmanager
def http_server(root: Path) -> Iterator[tuple[int, str]]:
    """Run a server over HTTP; yield its port and token."""
    process = subprocess.Popen(
        [*SERVER, "--http", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(root),
        text=True,
    )
    try:
        assert process.stdout is not None
        port = int(process.stdout.readline().rsplit(":", 1)[1].split("/")[0])
        yield port, (root / "state" / "plainbrain" / "mcp-token").read_text().strip()
    finally:
        process.terminate()
        process.wait(timeout=10)


class Caller:
    """One HTTP client: one connection kept open, plain requests, so that the load costs little beside the server."""

    def __init__(self, port: int, token: str) -> None:
        self._port = port
        self._head = (
            f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n"
            f"Content-Type: application/json\r\nAccept: application/json\r\nMCP-Protocol-Version: {_LATEST}\r\n"
        )

    async def open(self) -> None:
        """Connect."""
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)

    async def call(self, tool: str, **arguments: Any) -> float:
        """Call a tool; return the milliseconds until its answer was there."""
        params = {"name": tool, "arguments": arguments}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        began = time.perf_counter()
        self._writer.write(f"{self._head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
        head = (await self._reader.readuntil(b"\r\n\r\n")).lower()
        size = int(head.split(b"content-length:")[1].split(b"\r\n")[0])
        answer = await self._reader.readexactly(size)
        assert b" 200 " in head[:20], answer
        assert b'"isError":true' not in answer, answer
        return (time.perf_counter() - began) * 1000


async def _load(port: int, token: str, queries: Sequence[str], seconds: float) -> tuple[list[float], float]:
    spent: list[float] = []
    until = time.perf_counter() + seconds

    async def one(number: int) -> None:
        chance = random.Random(number)
        caller = Caller(port, token)
        await caller.open()
        for turn in itertools.count():
            if time.perf_counter() > until:
                return
            if turn % 10 == number:
                title = f"Load {number} {turn} {seconds:g}"
                spent.append(
                    await caller.call("brain_encode", title=title, body=f"{title} body", cortex="load", type="fact")
                )
            else:
                spent.append(await caller.call("brain_search", query=chance.choice(queries), k=5))

    began = time.perf_counter()
    await asyncio.gather(*(one(number) for number in range(CLIENTS)))
    return spent, time.perf_counter() - began


def measure_http(root: Path, queries: Sequence[str]) -> dict[str, float]:
    """Return requests a second and their times under eight clients."""
    with http_server(root) as (port, token):
        asyncio.run(_load(port, token, queries, 1.0))
        spent, took = asyncio.run(_load(port, token, queries, SECONDS))
    return {"http_requests_per_s": round(len(spent) / took), **in_figures("http", spent)}


def main(count: int) -> None:
    """Print the figures for ``count`` notes."""
    queries = make_queries(300)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        make_vault(root / "brain", count)
        (root / "config.toml").touch()
        figures: dict[str, Any] = {"notes": count}
        figures |= measure_stdio(root, queries)
        figures |= measure_start(root)
        figures |= measure_http(root, queries)
    print(json.dumps(figures))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
