"""memory.db with many processes, held locks and read-only folders."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from plainbrain.errors import Busy, ReadOnly
from plainbrain.model.change import Put, Use
from plainbrain.model.memory import Memory
from plainbrain.ports import Mark, Store
from plainbrain.stores.sqlite import SqliteStore
from plainbrain.testing.builders import NOON
from tests.faults.crowd import ROUNDS, CrowdContract, Worker, bound, unprivileged
from tests.stores.agent_brain import entry, make_db, make_json

_HOLDER = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.readline()
"""


class TestSqliteCrowd(CrowdContract):
    kind = "sqlite"

    def open_store(self, path: Path) -> Store:
        return SqliteStore(str(path))

    def check_refuses(self, store: Store) -> None:
        with pytest.raises(ReadOnly):
            store.apply([Put(Memory("b", "two"))])
        with pytest.raises(ReadOnly):
            store.record([Use("a", NOON, accesses=1)])
        with pytest.raises(ReadOnly):
            store.journal.update(lambda values: {**values, "x": "1"})


def test_reading_goes_on_beside_a_held_lock_and_writing_names_the_holder(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    make_db(path, [entry("a")])
    command = [sys.executable, "-c", _HOLDER, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdin is not None
        holder.stdout.readline()
        store = SqliteStore(str(path), wait_ms=30)
        began = time.monotonic()
        assert store.get("a").memory.content == "content of a"
        assert len([*store.listing()]) == 1
        assert len([*store.changes_since(Mark()).stored]) == 1
        assert store.journal.values() == {"session_counter": "2"}
        assert time.monotonic() - began < 0.9
        with pytest.raises(Busy) as caught:
            store.apply([Put(Memory("b", "two"))])
        if sys.platform == "linux":
            assert caught.value.value == holder.pid
        with pytest.raises(Busy):
            store.record([Use("a", NOON, accesses=1)])
        holder.stdin.write("\n")
        holder.stdin.flush()
        holder.wait(30)
    store.apply([Put(Memory("b", "two"))])
    assert len([*store.listing()]) == 2
    store.close()


def test_changes_that_a_read_only_folder_hides_are_told(tmp_path: Path) -> None:
    with unprivileged() as folder:
        path = folder / "memory.db"
        worker = Worker("sqlite", path, "add", me="p", count=1000)
        worker.go()
        worker.acknowledged(3)
        worker.kill()
        (folder / "memory.db-shm").unlink()
        store = SqliteStore(path)
        with bound(folder):
            assert [problem.code for problem in store.problems()][:1] == ["unread-changes"]
        store.close()
        assert len([*SqliteStore(path).listing()]) >= 3


def test_a_database_that_is_removed_under_an_open_store_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    store = SqliteStore(str(path))
    store.apply([Put(Memory("a", "one"))])
    assert store.get("a").memory.content == "one"
    path.unlink()
    assert list(store.listing()) == []
    store.apply([Put(Memory("b", "two"))])
    assert [id for id, _ in store.listing()] == ["b"]
    assert SqliteStore(str(path)).get("b").memory.content == "two"
    store.close()


def test_eight_first_openings_carry_a_memory_json_over_once(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    make_json(tmp_path / "memory.json", [entry(f"e{n}") for n in range(300)])
    crowd = [Worker("sqlite", path, "add", me=f"p{n}", count=5) for n in range(8)]
    for worker in crowd:
        worker.go()
    assert sum(len(worker.end()) for worker in crowd) == 40
    store = SqliteStore(str(path))
    assert len([*store.listing()]) == 340
    assert len(store.journal.read(action="add")) == 1
    assert sorted(found.name for found in tmp_path.glob("memory.json*")) == ["memory.json.bak"]
    store.close()


def test_a_killed_migration_is_whole_or_not_begun(tmp_path: Path) -> None:
    for number in range(ROUNDS):
        place = tmp_path / str(number)
        place.mkdir()
        make_json(place / "memory.json", [entry(f"e{n}") for n in range(1000)])
        worker = Worker("sqlite", place / "memory.db", "add", me="p", count=1)
        worker.go()
        began = time.monotonic()
        while time.monotonic() - began < 0.02 * number:
            pass
        worker.kill()
        store = SqliteStore(str(place / "memory.db"))
        there = {id for id, _ in store.listing()}
        assert {f"e{n}" for n in range(1000)} <= there
        store.apply([Put(Memory("after", "x"))])
        assert len([*store.listing()]) == len(there) + 1
        assert not (place / "memory.json").exists()
        store.close()


def test_the_database_stays_whole_for_sqlite_itself(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    crowd = [Worker("sqlite", path, "add", me=f"p{n}", count=1000) for n in range(3)]
    for worker in crowd:
        worker.go()
    crowd[0].acknowledged(10)
    for worker in crowd:
        worker.kill()
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_side_files_of_a_database_that_is_gone_bring_nothing_back(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    worker = Worker("sqlite", path, "add", me="old", count=1000)
    worker.go()
    worker.acknowledged(5)
    worker.kill()
    assert (tmp_path / "memory.db-wal").stat().st_size > 0
    path.unlink()
    store = SqliteStore(path)
    assert list(store.listing()) == []
    store.apply([Put(Memory("new", "x"))])
    assert [id for id, _ in store.listing()] == ["new"]
    store.close()
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("SELECT id FROM entries").fetchall() == [("new",)]
