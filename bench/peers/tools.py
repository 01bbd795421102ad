"""The tools that are compared: how each is installed, started, given a note and asked."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.peers.notes import Note
from bench.peers.speak import Trouble

INSTALL_SECONDS = 240.0
_SERVER = "@modelcontextprotocol/server-memory"
Call = tuple[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Peer:
    """One tool. ``install`` returns its version; ``start`` the command; ``write`` and ``search`` what to call with what."""

    name: str
    install: Callable[[Path], str]
    start: Callable[[Path, Path], Sequence[str]]
    write: Callable[[Note], Call]
    search: Callable[[str], Call]
    environment: Callable[[Path], dict[str, str]]
    remark: str = ""


def _run(command: Sequence[str], *, seconds: float = INSTALL_SECONDS) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        raise Trouble(f"not installed within {seconds:.0f} s") from None
    except OSError as error:
        raise Trouble(f"{command[0]} is not here ({error.strerror})") from error
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip() and not line.startswith("WARNING")]
        raise Trouble(f"not installed: {(lines or ['no reason given'])[-1][:80]}")
    return done.stdout


def _python_that(passes: str) -> str:
    """Return a Python that runs the code ``passes`` without an error, or this one; COMPARE_PYTHON names the first to try."""
    for name in (os.environ.get("COMPARE_PYTHON", ""), sys.executable, "python3.12", "python3.13", "/usr/bin/python3"):
        found = shutil.which(name) if name else None
        if found and subprocess.run([found, "-c", passes], capture_output=True, check=False).returncode == 0:
            return found
    return sys.executable


def _newer_python() -> str:
    return _python_that("import sys; sys.exit(sys.version_info < (3, 12))")


def _extending_python() -> str:
    return _python_that("import sqlite3, venv; sqlite3.connect(':memory:').enable_load_extension(True)")


def _from_pip(package: str, python: Callable[[], str]) -> Callable[[Path], str]:
    def install(home: Path) -> str:
        _run([python(), "-m", "venv", str(home)])
        inside = str(home / "bin" / "python")
        _run([inside, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", package])
        told = f"from importlib.metadata import version; print(version({package!r}))"
        return _run([inside, "-c", told]).strip()

    return install


def _from_npm(home: Path) -> str:
    _run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(home), _SERVER])
    return str(json.loads((home / "node_modules" / _SERVER / "package.json").read_text())["version"])


def _ours(home: Path) -> str:
    """Install the working tree into an environment of its own, with what its server needs."""
    _run([sys.executable, "-m", "venv", str(home)])
    inside = str(home / "bin" / "python")
    root = str(Path(__file__).resolve().parents[2])
    _run([inside, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", root])
    return _run([inside, "-c", "from plainbrain.version import VERSION; print(VERSION)"]).strip()


def _our_environment(data: Path) -> dict[str, str]:
    return {
        "BRAIN_DIR": str(data / "brain"),
        "BRAIN_CACHE": str(data / "cache"),
        "BRAIN_CONFIG": str(data / "none.toml"),
    }


def _our_write(note: Note) -> Call:
    return "brain_encode", {"title": note.title, "body": note.body, "cortex": "notes", "type": "fact"}


PEERS = (
    Peer(
        "Plainbrain",
        _ours,
        lambda home, data: [str(home / "bin" / "brain"), "mcp"],
        _our_write,
        lambda text: ("brain_search", {"query": text, "k": 10}),
        _our_environment,
        "words only",
    ),
    Peer(
        "basic-memory",
        _from_pip("basic-memory", _newer_python),
        lambda home, data: [str(home / "bin" / "basic-memory"), "mcp"],
        lambda note: ("write_note", {"title": note.title, "content": note.body, "directory": "notes"}),
        lambda text: ("search_notes", {"query": text, "page_size": 10}),
        lambda data: {"BASIC_MEMORY_HOME": str(data / "notes")},
    ),
    Peer(
        "MCP reference server",
        _from_npm,
        lambda home, data: ["node", str(home / "node_modules" / _SERVER / "dist" / "index.js")],
        lambda note: (
            "create_entities",
            {"entities": [{"name": note.title, "entityType": "fact", "observations": [note.body]}]},
        ),
        lambda text: ("search_nodes", {"query": text}),
        lambda data: {"MEMORY_FILE_PATH": str(data / "memory.jsonl")},
    ),
    Peer(
        "mcp-memory-service",
        _from_pip("mcp-memory-service", _extending_python),
        lambda home, data: [str(home / "bin" / "memory"), "server"],
        # Without a conversation it takes notes that are much alike for the same, and keeps one of them.
        lambda note: ("memory_store", {"content": f"{note.title}\n{note.body}", "conversation_id": "notes"}),
        lambda text: ("memory_search", {"query": text, "mode": "hybrid", "limit": 10}),
        lambda data: {"MCP_MEMORY_BASE_DIR": str(data), "MCP_MEMORY_SQLITE_PATH": str(data / "memory.db")},
        "hybrid",
    ),
    Peer(
        "cognitive-memory",
        _from_pip("cognitive-memory", lambda: sys.executable),
        lambda home, data: [
            str(home / "bin" / "python"),
            str(Path(__file__).with_name("cognitive.py")),
            str(data / "memory.jsonl"),
        ],
        lambda note: ("add", {"content": f"{note.title}\n{note.body}"}),
        lambda text: ("search", {"query": text}),
        lambda data: {},
        "a library: through a few lines of ours, hash vectors",
    ),
)
