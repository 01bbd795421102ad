"""Speaking with a server in bare JSON lines, the way a client that shares no code with us does."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

RUN = "from plainbrain.faces.mcp.main import main; main()"


class LineServer:
    """A server process on stdio; ``prelude`` is code that runs in it first."""

    def __init__(self, environment: dict[str, str], *arguments: str, prelude: str = "") -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", prelude + "\n" + RUN if prelude else RUN, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        self._last = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def write(self, data: bytes) -> None:
        """Send bytes as they are."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message: dict[str, Any]) -> None:
        """Send one message."""
        self.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def receive(self) -> Any:
        """Return the next message; fail when the line is none."""
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline().decode("utf-8", "strict"))

    def request(self, method: str, params: object = None) -> Any:
        """Send a request and return its whole answer."""
        self._last += 1
        self.send({"id": self._last, "method": method, **({} if params is None else {"params": params})})
        answer = self.receive()
        assert answer["id"] == self._last
        return answer

    def shake_hands(self, version: str = "2025-11-25") -> Any:
        """Do the handshake; return its result."""
        info = {"name": "lines", "version": "1"}
        answer = self.request("initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": info})
        self.send({"method": "notifications/initialized"})
        return answer["result"]

    def call(self, tool: str, arguments: object) -> Any:
        """Call a tool; return its result."""
        return self.request("tools/call", {"name": tool, "arguments": arguments})["result"]

    def stop(self) -> float:
        """Close its input; return the seconds until it was gone."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        began = time.monotonic()
        if not self.process.stdin.closed:
            self.process.stdin.close()
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
        finally:
            self.process.stdout.close()
        return time.monotonic() - began


def texts(result: dict[str, Any]) -> str:
    """Return the text of a tool's result."""
    parts: Sequence[dict[str, Any]] = result["content"]
    return "\n".join(part["text"] for part in parts)
