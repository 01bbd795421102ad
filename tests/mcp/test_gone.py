"""A brain that was there and is gone is no empty brain: every call says so, nothing is made, and all works when it is back."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client

from mcp import MCPError
from plainbrain.app.brain import open_brain
from plainbrain.errors import Gone
from tests.mcp.session import call, in_session, refused

NOTE = {"title": "Second thing", "body": "the second", "cortex": "odd", "type": "fact"}
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("brain_search", {"query": "pnpm"}),
    ("brain_list", {}),
    ("brain_check", {"text": "use yarn"}),
    ("brain_read", {"id": "use-pnpm-for-all-workspace-commands"}),
    ("brain_encode", NOTE),
    ("brain_validate", {"id": "use-pnpm-for-all-workspace-commands"}),
]


async def all_say_it(client: Client, words: str) -> None:
    for _ in range(2):
        for tool, given in CALLS:
            said = await refused(client, tool, **given)
            assert words in said
            assert "Tell the user" in said
            assert "first brain_encode" not in said
        with pytest.raises(MCPError, match=words):
            await client.list_resources()


@pytest.mark.parametrize("used", [True, False])
def test_a_folder_that_was_moved_away_is_told_until_it_is_back(
    environment: dict[str, str], root: Path, used: bool
) -> None:
    brain, away = root / "brain", root / "away"

    async def work(client: Client) -> None:
        await client.list_tools()
        if used:
            await call(client, "brain_search", query="pnpm")
        brain.rename(away)
        await all_say_it(client, "is gone")
        assert not brain.exists()
        away.rename(brain)
        assert (await call(client, "brain_search", query="pnpm"))["total"] == 1
        kept = await call(client, "brain_encode", **NOTE)
        assert (brain / "odd" / f"{kept['id']}.md").exists()
        (brain / "odd" / "by-hand.md").write_text("# Marmalade by hand\n", encoding="utf-8")
        assert (await call(client, "brain_search", query="marmalade"))["hits"][0]["id"] == "by-hand"

    in_session(environment, work)


def test_a_folder_under_one_that_was_moved_is_told_too(environment: dict[str, str], root: Path) -> None:
    inner = root / "disk" / "brain"
    inner.parent.mkdir()
    (root / "brain").rename(inner)

    async def work(client: Client) -> None:
        assert (await call(client, "brain_search", query="pnpm"))["total"] == 1
        (root / "disk").rename(root / "unplugged")
        await all_say_it(client, "is gone")
        (root / "disk").mkdir()
        await all_say_it(client, "is gone")
        inner.mkdir()  # the place where a disk is mounted, and none is
        await all_say_it(client, "is empty now")
        assert list(inner.iterdir()) == []
        inner.rmdir()
        (root / "disk").rmdir()
        (root / "unplugged").rename(root / "disk")
        assert (await call(client, "brain_search", query="pnpm"))["total"] == 1

    in_session({**environment, "BRAIN_DIR": str(inner)}, work)


def test_another_folder_in_its_place_is_read_and_watched(environment: dict[str, str], root: Path) -> None:
    brain = root / "brain"

    async def work(client: Client) -> None:
        assert (await call(client, "brain_search", query="pnpm"))["total"] == 1
        shutil.copytree(brain, root / "copy")
        (root / "copy" / "new.md").write_text("# Marmalade\n", encoding="utf-8")
        shutil.rmtree(brain)
        (root / "copy").rename(brain)
        assert (await call(client, "brain_search", query="marmalade"))["total"] == 1
        assert (await call(client, "brain_search", query="pnpm"))["total"] == 1
        (brain / "newer.md").write_text("# Quince\n", encoding="utf-8")
        assert (await call(client, "brain_search", query="quince"))["total"] == 1

    in_session(environment, work)


@pytest.mark.parametrize("name", ["memory.db", "memory.json", "memories.jsonl"])
def test_a_file_that_is_gone_is_no_empty_brain(environment: dict[str, str], root: Path, name: str) -> None:
    kind = {"db": "sqlite", "json": "json", "jsonl": "jsonl"}[name.rpartition(".")[2]]
    disk, away = root / "disk", root / "away"
    disk.mkdir()

    async def work(client: Client) -> None:
        assert (await call(client, "brain_search", query="first"))["total"] == 0
        kept = await call(client, "brain_encode", **{**NOTE, "title": "First thing"})
        assert (await call(client, "brain_search", query="first"))["total"] == 1
        disk.rename(away)
        for tool, given in CALLS:
            assert "is gone" in await refused(client, tool, **given)
        assert not disk.exists()
        away.rename(disk)
        assert (await call(client, "brain_read", id=kept["id"]))["id"] == kept["id"]

    in_session({**environment, "BRAIN_STORE": f"{kind}:{disk / name}"}, work)


def test_a_brain_that_is_held_open_says_it_at_every_look(environment: dict[str, str], root: Path) -> None:
    with open_brain(f"vault:{root / 'brain'}", environment=environment) as brain:
        brain.watch()
        assert brain.search("pnpm").total == 1
        (root / "brain").rename(root / "away")
        for _ in range(3):
            with pytest.raises(Gone):
                brain.search("pnpm")
        with pytest.raises(Gone):
            brain.encode("New", "new", cortex="odd")
        assert not (root / "brain").exists()
        (root / "away").rename(root / "brain")
        assert brain.search("pnpm").total == 1
        (root / "brain" / "new.md").write_text("# Quince\n", encoding="utf-8")
        assert brain.search("quince").total == 1
