"""Older data comes into memory.db whole: earlier schemas, and a memory.json beside it."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from plainbrain.errors import Damaged
from plainbrain.model.change import Put
from plainbrain.model.memory import Memory
from plainbrain.ports import Mark
from plainbrain.stores.sqlite import SqliteStore
from tests.stores.agent_brain import NEW_IN_V3, NEW_IN_V4, entry, make_db, make_json, make_json_v2


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.mark.parametrize(("version", "lacking"), [("3", NEW_IN_V4), ("2", NEW_IN_V3 + NEW_IN_V4)])
class TestOlderSchemas:
    def entries(self) -> list[dict[str, object]]:
        return [entry("a"), entry("b", type="preference"), entry("c", type="anti-pattern"), entry("d", type="odd")]

    def test_are_read_as_they_are(self, path: Path, version: str, lacking: tuple[str, ...]) -> None:
        make_db(path, self.entries(), version=version, lacking=lacking)
        before = path.read_bytes()
        store = SqliteStore(str(path))
        assert store.get("c").memory.class_ == "procedural"
        assert len([*store.changes_since(Mark()).stored]) == 4
        assert store.problems() == []
        store.close()
        assert path.read_bytes() == before

    def test_are_brought_up_by_the_first_write_with_a_copy_beside(
        self, path: Path, version: str, lacking: tuple[str, ...]
    ) -> None:
        make_db(path, self.entries(), version=version, lacking=lacking)
        store = SqliteStore(str(path))
        store.apply([Put(Memory("e", "new", kind="fact"))])
        store.close()
        with closing(sqlite3.connect(path)) as db:
            classes = dict(db.execute("SELECT id, memory_class FROM entries"))
            assert classes == {"a": "semantic", "b": "preference", "c": "procedural", "d": "semantic", "e": "semantic"}
            assert db.execute("SELECT value FROM meta WHERE key = 'version'").fetchone() == ("4",)
            assert db.execute("SELECT max(success_count) FROM entries").fetchone() in {(1,), (0,)}
        with closing(sqlite3.connect(path.parent / f"memory.db.v{version}.bak")) as db:
            assert db.execute("SELECT count(*) FROM entries").fetchone() == (4,)
            columns = {row[1] for row in db.execute("PRAGMA table_info(entries)")}
            assert not columns & set(lacking)

    def test_never_overwrite_an_older_copy(self, path: Path, version: str, lacking: tuple[str, ...]) -> None:
        make_db(path, self.entries(), version=version, lacking=lacking)
        mine = path.parent / f"memory.db.v{version}.bak"
        mine.write_text("mine")
        done = SqliteStore(str(path)).prepare()
        assert done is not None
        assert (done.count, done.backup) == (4, f"{mine}.1")
        assert mine.read_text() == "mine"
        assert SqliteStore(str(path)).prepare() is None


def test_a_version_that_is_no_number_is_mended(path: Path) -> None:
    make_db(path, [entry("a")], version="four")
    SqliteStore(str(path)).prepare()
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT value FROM meta WHERE key = 'version'").fetchone() == ("4",)


class TestMemoryJsonBeside:
    def test_is_read_before_anything_is_carried_over(self, path: Path) -> None:
        make_json(path.with_suffix(".json"), [entry("a"), entry("b")])
        store = SqliteStore(str(path))
        assert [id for id, _ in store.listing()] == ["a", "b"]
        assert store.get("a").memory.content == "content of a"
        assert len([*store.changes_since(Mark()).stored]) == 2
        assert store.journal.values()["session_counter"] == "2"
        assert len(store.journal.read()) == 1
        assert sorted(found.name for found in path.parent.iterdir()) == ["memory.json"]

    def test_is_carried_over_whole_and_put_aside(self, path: Path) -> None:
        other = path.with_suffix(".json")
        make_json(other, [entry("a"), entry("b", extra={"title": "T"}, mood="good")])
        text = other.read_bytes()
        store = SqliteStore(str(path))
        done = store.prepare()
        assert done is not None
        assert done.lines == (
            "Migrated 2 entries from JSON to SQLite",
            f"  Backed up: {path.parent / 'memory.json.bak'}",
        )
        assert (path.parent / "memory.json.bak").read_bytes() == text
        assert not other.exists()
        memory = store.get("b").memory
        assert (memory.title, memory.extra) == ("T", {"mood": "good"})
        assert json.loads(store.journal.values()["current_session"])["id"] == 2
        assert [a.id for a in store.journal.read()] == ["a"]
        assert store.prepare() is None

    def test_in_its_second_version_too(self, path: Path) -> None:
        make_json_v2(path.with_suffix(".json"), [entry("a", type="policy")])
        store = SqliteStore(str(path))
        store.apply([Put(Memory("b", "new"))])
        assert store.get("a").memory.class_ == "policy"
        assert [id for id, _ in store.listing()] == ["b", "a"]

    def test_an_older_backup_stays(self, path: Path) -> None:
        make_json(path.with_suffix(".json"), [entry("a")])
        (path.parent / "memory.json.bak").write_text("mine")
        done = SqliteStore(str(path)).prepare()
        assert done is not None
        assert done.backup.endswith("memory.json.bak.1")
        assert (path.parent / "memory.json.bak").read_text() == "mine"

    def test_damaged_entries_are_told_and_kept_and_the_good_ones_come(self, path: Path) -> None:
        one = entry("a")
        del one["source"]
        make_json(path.with_suffix(".json"), [one, "text", entry("b", tags=None), {"content": "no id"}, entry("a")])
        store = SqliteStore(str(path))
        done = store.prepare()
        assert done is not None
        assert done.count == 2
        told = " ".join(problem.message for problem in done.problems)
        for part in ("entry number 2", "entry number 4", "two entries have the id 'a'"):
            assert part in told
        assert [id for id, _ in store.listing()] == ["a", "b"]
        assert json.loads(Path(done.backup).read_text())["entries"][1] == "text"
        assert {problem.path for problem in store.problems()} == {done.backup}
        Path(done.backup).unlink()
        assert store.problems() == []

    def test_one_that_is_no_json_is_left_and_tried_again(self, path: Path) -> None:
        other = path.with_suffix(".json")
        make_json(other, [entry("a")])
        whole = other.read_bytes()
        other.write_bytes(whole[:300])
        store = SqliteStore(str(path))
        with pytest.raises(Damaged, match="line 1"):
            list(store.listing())
        done = store.prepare()
        assert done is not None
        assert (done.count, [problem.code for problem in done.problems]) == (0, ["damaged-store"])
        store.apply([Put(Memory("b", "new"))])
        assert other.read_bytes() == whole[:300]
        assert [problem.path for problem in store.problems()] == [str(other)]
        store.close()
        other.write_bytes(whole)
        store = SqliteStore(str(path))
        assert store.prepare() is not None
        assert sorted(id for id, _ in store.listing()) == ["a", "b"]

    def test_an_empty_database_that_a_died_migration_left_is_filled(self, path: Path) -> None:
        make_db(path, [])
        make_json(path.with_suffix(".json"), [entry("a")])
        store = SqliteStore(str(path))
        assert store.get("a").memory.content == "content of a"
        assert store.prepare() is not None
        assert store.get("a").memory.content == "content of a"

    def test_a_backup_that_a_killed_migration_still_owed_is_made(self, path: Path) -> None:
        other = path.with_suffix(".json")
        make_json(other, [entry("a")])
        text = other.read_bytes()
        store = SqliteStore(str(path))
        store.prepare()
        store.close()
        (path.parent / "memory.json.bak").rename(other)
        store = SqliteStore(str(path))
        store.apply([Put(Memory("b", "new"))])
        assert not other.exists()
        assert (path.parent / "memory.json.bak").read_bytes() == text
        assert [id for id, _ in store.listing()] == ["b", "a"]

    def test_beside_a_database_in_use_goes_its_own_way(self, path: Path) -> None:
        make_db(path, [entry("a")])
        make_json(path.with_suffix(".json"), [entry("b")])
        store = SqliteStore(str(path))
        assert store.prepare() is None
        assert [id for id, _ in store.listing()] == ["a"]
        assert path.with_suffix(".json").exists()

    def test_beside_a_database_of_another_name_is_none_of_its_business(self, path: Path) -> None:
        make_json(path.parent / "other.json", [entry("b")])
        make_json(path.parent / "memory.json", [entry("b")])
        store = SqliteStore(str(path.with_name("other.db")))
        assert list(store.listing()) == []
        assert store.prepare() is None
