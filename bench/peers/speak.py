"""Speaking with a server over its standard streams: bare JSON-RPC lines, every wait bounded."""

from __future__ import annotations

import itertools
import json
import queue
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

_PROTOCOL = "2025-06-18"
START_SECONDS, CALL_SECONDS = 90.0, 30.0


class Trouble(Exception):
    """A peer could not do it: what it said, or how long it was waited for."""


class Server:
    """A child process that is a server."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], folder: Path) -> None:
        self._log = (folder / "stderr.log").open("wb")
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, env=dict(environment), cwd=folder
        )
        self._ids = itertools.count(1)
        self._lines: queue.Queue[bytes] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(b"")

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()
        except OSError as error:
            raise Trouble("the server has left") from error

    def ask(self, method: str, params: dict[str, Any], *, seconds: float = CALL_SECONDS) -> dict[str, Any]:
        """Return the result of a request. Raise Trouble for an error, and after ``seconds`` of silence."""
        number = next(self._ids)
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        while True:
            try:
                line = self._lines.get(timeout=seconds)
            except queue.Empty:
                raise Trouble(f"no answer within {seconds:.0f} s") from None
            if not line:
                raise Trouble("the server has left")
            try:
                message = json.loads(line)
            except ValueError:
                continue  # some print their greetings among the answers
            if isinstance(message, dict) and message.get("id") == number and "method" not in message:
                if "error" in message:
                    raise Trouble(str(message["error"].get("message", "an error"))[:80])
                return dict(message.get("result") or {})

    def shake_hands(self) -> int:
        """Begin; return how many tools there are."""
        info = {"name": "compare", "version": "1"}
        given = {"protocolVersion": _PROTOCOL, "capabilities": {}, "clientInfo": info}
        self.ask("initialize", given, seconds=START_SECONDS)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return len(self.ask("tools/list", {}, seconds=START_SECONDS)["tools"])

    def call(self, tool: str, arguments: dict[str, Any]) -> str:
        """Call a tool; return all it said, as text. Raise Trouble when it says that it failed."""
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})
        said = json.dumps(result, ensure_ascii=False)
        if result.get("isError"):
            told = " ".join(str(part.get("text", "")) for part in result.get("content", []))
            raise Trouble(" ".join(told.split())[:100])
        return said

    def memory_mb(self) -> float:
        """Return the resident memory of it and its children in MB; 0 where the system does not tell."""
        parents: dict[int, int] = {}
        sizes: dict[int, float] = {}
        for status in Path("/proc").glob("[0-9]*/status"):
            try:
                told = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
            except OSError:
                continue  # it ended while we looked
            parents[int(told["Pid"])] = int(told["PPid"])
            sizes[int(told["Pid"])] = int(told.get("VmRSS", "0 kB").split()[0]) / 1024
        family = {self._process.pid}
        for _ in range(4):
            family |= {pid for pid, parent in parents.items() if parent in family}
        return sum(sizes.get(pid, 0.0) for pid in family)

    def stop(self) -> None:
        """End it, by force if it will not go."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.close()
            self._process.wait(timeout=5)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait(timeout=10)
        self._log.close()
