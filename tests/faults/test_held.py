"""Reading what another process holds: nobody waits for a writer, and what stands in the way is told."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from mcp.client.client import Client

from plainbrain.files.beneath import Beneath
from plainbrain.files.locks import WAIT_SECONDS, FileLock
from tests.cli.transcript import Step, perform
from tests.mcp.session import call, in_session, refused
from tests.stores.agent_brain import NEW_IN_V4, entry, make_db, make_json_v2

READS = ["search content", "get content", "list", "stats", "read a", "export"]


@contextmanager
def held(path: Path, *, from_readers: bool) -> Iterator[None]:
    """Hold a database as a program does that writes; in the older way of SQLite readers are held off, too."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        if from_readers:
            db.execute("PRAGMA journal_mode=DELETE")
        db.execute("BEGIN EXCLUSIVE")
        yield


def ask(words: str, store: str, folder: Path) -> list[str]:
    began = time.monotonic()
    said = perform(Step(f"brain {words} --store {store}", 1), folder=folder)
    assert time.monotonic() - began < WAIT_SECONDS * 0.8, "it waited as long as a writer does"
    return said


@pytest.mark.parametrize("words", READS)
def test_an_older_database_that_is_being_written_is_read_as_it_is(words: str, tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    make_db(path, [entry("a")], lacking=NEW_IN_V4, version="3")
    with held(path, from_readers=False):
        said = ask(words, f"sqlite:{path}", tmp_path)
    assert any("content" in line or "1 active" in line for line in said)
    assert sum("read as it is, and brought up to date when it is free" in line for line in said) == 1
    assert "? 3" not in said
    assert not any("read as it is" in line for line in ask(words, f"sqlite:{path}", tmp_path))


@pytest.mark.parametrize("words", READS)
@pytest.mark.parametrize("version", ["3", "4"])
def test_a_database_that_is_held_from_readers_is_told_to_be(version: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    make_db(path, [entry("a")], lacking=NEW_IN_V4 if version == "3" else (), version=version)
    with held(path, from_readers=True):
        said = ask(words, f"sqlite:{path}", tmp_path)
    assert any("is locked by" in line for line in said)
    assert said[-1] == "? 3"


@pytest.mark.parametrize("words", READS)
def test_an_older_json_file_that_is_being_written_is_read_as_it_is(words: str, tmp_path: Path) -> None:
    path = tmp_path / "memory.json"
    make_json_v2(path, [entry("a")])
    with FileLock(Beneath(tmp_path), (".memory.json.lock",)).hold():
        said = ask(words, f"json:{path}", tmp_path)
    assert any("content" in line or "1 active" in line for line in said)
    assert sum("read as it is, and brought up to date when it is free" in line for line in said) == 1
    assert "Migrated memory to v4" in " ".join(ask("list", f"json:{path}", tmp_path))


@pytest.mark.parametrize(
    ("tool", "given"), [("brain_search", {"query": "content"}), ("brain_check", {"text": "content"})]
)
def test_an_agent_is_told_what_is_held_and_that_it_may_ask_again(
    tool: str, given: dict[str, str], tmp_path: Path
) -> None:
    path = tmp_path / "memory.db"
    make_db(path, [entry("a")])
    with held(path, from_readers=True):
        pass  # from now on it is in the older way

    async def work(client: Client) -> None:
        await call(client, tool, **given)
        with held(path, from_readers=True):
            said = await refused(client, tool, **given)
        assert "is locked by" in said
        assert "send it again" in said
        await call(client, tool, **given)

    in_session({"BRAIN_STORE": f"sqlite:{path}"}, work)
