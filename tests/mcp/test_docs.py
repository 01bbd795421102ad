"""The pages about the server say what the code does, and the ways into the hosts are whole."""

from __future__ import annotations

import importlib.util
import json
import re
import tomllib
from pathlib import Path
from types import ModuleType

from plainbrain.faces.mcp.tools import TOOLS

ROOT = Path(__file__).parents[2]


def make() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_make", ROOT / "docs" / "make.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_of_the_server_is_made_from_the_code() -> None:
    page = (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8")
    assert page == make().PAGES["mcp.md"](), "run: make docs"
    for tool in TOOLS:
        assert f"### {tool.name}" in page
        for parameter in tool.parameters:
            assert f"| `{parameter.name}` |" in page


def test_every_configuration_shown_for_a_host_can_be_read() -> None:
    page = (ROOT / "docs" / "hosts.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```(json|toml)\n(.*?)```", page, re.S)
    assert len(blocks) >= 5
    for kind, text in blocks:
        found = json.loads(text) if kind == "json" else tomllib.loads(text)
        if not {"brains", "hooks"} & found.keys():
            servers = found.get("mcpServers") or found.get("servers") or found["mcp_servers"]
            server = servers["brain"]
            assert server["url"] if "url" in server else server["command"].endswith("brain-mcp")
    for path in (
        ".mcp.json",
        "claude_desktop_config.json",
        "~/.cursor/mcp.json",
        ".vscode/mcp.json",
        "~/.codex/config.toml",
        "~/.gemini/settings.json",
    ):
        assert path in page


def test_the_blueprint_speaks_of_every_part() -> None:
    page = (ROOT / "docs" / "blueprint.md").read_text(encoding="utf-8").lower()
    for part in ("## a note", "## the life of a note", "## ranking", "## the protocol", "## evaluation"):
        assert part in page
    for tool in TOOLS:
        assert tool.name in page
