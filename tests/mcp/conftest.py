"""A temporary brain with the example notes, and servers that know nothing but it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mcp.lines import LineServer

EXAMPLES = Path(__file__).parents[2] / "examples" / "brain"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with a copy of the example brain in ``brain``."""
    shutil.copytree(EXAMPLES, tmp_path / "brain")
    return tmp_path


def make_environment(root: Path) -> dict[str, str]:
    """Return an environment in which nothing outside ``root`` is read or written."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("BRAIN_", "MEMORY_DIR", "XDG_"))}
    (root / "config.toml").touch()
    source = str(Path(__file__).parents[2] / "src")
    return clean | {
        "PYTHONPATH": source,
        "HOME": str(root),
        "BRAIN_CACHE": str(root / "cache"),
        "BRAIN_CONFIG": str(root / "config.toml"),
        "XDG_STATE_HOME": str(root / "state"),
        "XDG_DATA_HOME": str(root / "data"),
        "BRAIN_DIR": str(root / "brain"),
    }


@pytest.fixture
def environment(root: Path) -> dict[str, str]:
    """An environment for servers of the brain under ``root``."""
    return make_environment(root)


@pytest.fixture
def lines(environment: dict[str, str]) -> Iterator[LineServer]:
    """A server on stdio, spoken to in bare lines, before any handshake."""
    with LineServer(environment) as server:
        yield server
