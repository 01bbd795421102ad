"""The store in ``memory.db``: the contract, agent-brain's SQL before and after, reading beside a writer."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from plainbrain.errors import Damaged, InvalidField, InvalidId, ReadOnly
from plainbrain.model.change import Activity, Put, Remove, Use
from plainbrain.model.memory import Memory
from plainbrain.ports import Changes, Mark, Seen, Store
from plainbrain.stores.sqlite import SqliteStore
from plainbrain.testing.builders import NOON, full_memory
from plainbrain.testing.contract import StoreContract
from plainbrain.testing.strategies import memories, words
from tests.stores.agent_brain import COLUMNS, entry, insert, make_db


class TestSqliteStore(StoreContract):
    def open_store(self, place: Path) -> Store:
        return SqliteStore(str(place / "memory.db"))


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(memories() | memories(words))
def test_keeps_any_memory(tmp_path: Path, memory: Memory) -> None:
    store = SqliteStore(str(tmp_path / "memory.db"))
    [revision] = store.apply([Put(memory)])
    assert store.get(memory.id).memory == memory
    assert store.get(memory.id).revision == revision
    store.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


def fold(mark: Mark, changes: Changes) -> Mark:
    """Return the mark that a reader keeps after it took in changes."""
    return StoreContract.mark_after(mark, changes)


class TestBesideAgentBrain:
    """agent-brain's own statements go on working, and what they do is noticed."""

    def test_reading_alone_is_no_reason_to_look_at_every_row_again(self, path: Path) -> None:
        make_db(path, [entry("a"), entry("b")])
        first = SqliteStore(str(path))
        changes = first.changes_since(Mark())
        mark = fold(Mark(), changes)
        first.close()

        def never() -> dict[str, Seen]:
            raise AssertionError("nobody should ask")

        log = path.with_name("memory.db-wal")
        for when in (None, 1, 2):
            if when is not None:
                log.touch()
                os.utime(log, ns=(when, when))
            store = SqliteStore(str(path))
            again = store.changes_since(Mark(mark.token, never))
            assert (list(again.stored), again.token) == ([], mark.token)
            store.close()
        with closing(sqlite3.connect(path)) as db:
            db.execute("PRAGMA wal_autocheckpoint = 0")
            db.execute("UPDATE entries SET content = 'changed' WHERE id = 'a'")
            db.commit()
            store = SqliteStore(str(path))
            assert [s.memory.content for s in store.changes_since(mark).stored] == ["changed"]
            store.close()

    def test_reads_what_it_wrote(self, path: Path) -> None:
        make_db(path, [entry("b", created="2026-10-03T08:00:00Z"), entry("a", superseded_by="b")])
        store = SqliteStore(str(path))
        assert [id for id, _ in store.listing()] == ["a", "b"]
        memory = store.get("a").memory
        assert (memory.status, memory.superseded_by, memory.usage.accesses) == ("superseded", "b", 3)
        assert memory.tags == ("code.python", "tooling")
        assert store.journal.values() == {"session_counter": "2"}

    def test_reading_leaves_the_file_as_it_is(self, path: Path) -> None:
        make_db(path, [entry("a")])
        before = path.read_bytes()
        store = SqliteStore(str(path))
        store.get("a")
        list(store.listing())
        list(store.changes_since(Mark()).stored)
        assert store.problems() == []
        store.journal.read()
        store.close()
        assert path.read_bytes() == before

    def test_it_goes_on_working_after_we_wrote(self, path: Path) -> None:
        make_db(path, [entry("a"), entry("b")])
        store = SqliteStore(str(path))
        store.apply([Put(full_memory("c")), Put(Memory("d", "text", tags=("Smith, John", "x"))), Remove("b")])
        with closing(sqlite3.connect(path)) as db, db:
            assert dict(db.execute("SELECT key, value FROM meta WHERE key IN ('version', 'session_counter')")) == {
                "version": "4",
                "session_counter": "2",
            }
            active = db.execute("SELECT id FROM entries WHERE superseded_by IS NULL ORDER BY created").fetchall()
            assert {id for (id,) in active} == {"a", "d"}
            insert(db, entry("e"))
            db.execute(
                "UPDATE entries SET last_accessed = '2026-11-01T00:00:00Z', access_count = access_count + 1 WHERE id = 'a'"
            )
            db.execute("UPDATE entries SET content = 'changed' WHERE id = 'c'")
            db.execute("UPDATE entries SET superseded_by = 'e' WHERE id = 'd'")
            db.execute("UPDATE meta SET value = '3' WHERE key = 'session_counter'")
            db.execute(
                "INSERT INTO activity_log (timestamp, action, entry_id, detail) VALUES ('2026-11-01T00:00:00Z', 'add', 'e', 'x')"
            )
        assert store.get("a").memory.usage.accesses == 4
        changed = store.get("c").memory
        assert (changed.content, changed.title, changed.rationale) == ("changed", "", full_memory().rationale)
        assert store.get("d").memory.tags == ("Smith, John", "x")
        assert store.get("d").memory.superseded_by == "e"
        assert store.get("e").memory.kind == "fact"
        assert store.journal.values()["session_counter"] == "3"
        assert store.journal.read(limit=1)[0].id == "e"

    def test_what_it_does_is_noticed(self, path: Path) -> None:
        make_db(path, [entry("a"), entry("b"), entry("c"), entry("d")])
        store = SqliteStore(str(path))
        store.journal.append([])
        store.prepare()
        mark = fold(Mark(), store.changes_since(Mark()))
        with closing(sqlite3.connect(path)) as db, db:
            db.execute("UPDATE entries SET confidence = 'likely' WHERE id = 'a'")
            db.execute("UPDATE entries SET access_count = 9 WHERE id = 'a'")
            db.execute("UPDATE entries SET access_count = 9 WHERE id = 'b'")
            db.execute("UPDATE entries SET content = content WHERE id = 'c'")
            db.execute("DELETE FROM entries WHERE id = 'd'")
            insert(db, entry("e"))
        changes = store.changes_since(mark)
        assert {s.memory.id for s in changes.stored} == {"a", "e"}
        assert (changes.gone, changes.used, changes.everything) == (("d",), ("b",), False)
        mark = fold(mark, changes)
        assert list(store.changes_since(mark).stored) == []

    def test_replacing_statements_are_noticed(self, path: Path) -> None:
        store = SqliteStore(str(path))
        store.apply([Put(Memory("a", "one")), Put(Memory("b", "two"))])
        store.apply([Remove("b")])
        mark = fold(Mark(), store.changes_since(Mark()))
        with closing(sqlite3.connect(path)) as db, db:
            names, row = ", ".join(COLUMNS), entry("a", "replaced") | {"tags": ""}
            holes = ", ".join("?" * len(COLUMNS))
            db.execute(f"INSERT OR REPLACE INTO entries ({names}) VALUES ({holes})", tuple(row.values()))
            db.execute(f"INSERT OR IGNORE INTO entries ({names}) VALUES ({holes})", tuple((row | {"id": "b"}).values()))
        assert {s.memory.id for s in store.changes_since(mark).stored} == {"a", "b"}

    def test_before_we_ever_wrote_changes_are_told_by_hash(self, path: Path) -> None:
        make_db(path, [entry("a"), entry("b"), entry("c")])
        store = SqliteStore(str(path))
        first = store.changes_since(Mark())
        assert {s.memory.id for s in first.stored} == {"a", "b", "c"}
        mark = fold(Mark(), first)
        with closing(sqlite3.connect(path)) as db, db:
            db.execute("UPDATE entries SET content = 'new' WHERE id = 'a'")
            db.execute("UPDATE entries SET access_count = 9 WHERE id = 'b'")
            db.execute("DELETE FROM entries WHERE id = 'c'")
        second = store.changes_since(mark)
        assert {s.memory.id for s in second.stored} == {"a"}
        assert (second.gone, second.used, second.everything) == (("c",), ("b",), False)
        assert list(store.changes_since(fold(mark, second)).stored) == []

    def test_the_change_table_does_not_grow_with_every_change(self, path: Path) -> None:
        store = SqliteStore(str(path))
        for number in range(30):
            store.apply([Put(Memory("a", f"text {number}"))])
            store.record([Use("a", NOON, accesses=1)])
        with closing(sqlite3.connect(path)) as db:
            assert db.execute("SELECT count(*) FROM plainbrain_changes").fetchone() == (2,)

    def test_another_database_at_the_same_place_is_told_whole(self, path: Path) -> None:
        store = SqliteStore(str(path))
        store.apply([Put(Memory("a", "one"))])
        mark = fold(Mark(), store.changes_since(Mark()))
        path.unlink()
        empty = store.changes_since(mark)
        assert (list(empty.stored), empty.everything) == ([], True)
        store.apply([Put(Memory("b", "two"))])
        changes = store.changes_since(mark)
        assert {s.memory.id for s in changes.stored} == {"b"}
        assert changes.everything
        store.close()


class TestBadRows:
    def test_are_told_and_stop_nothing(self, path: Path) -> None:
        make_db(
            path,
            [
                entry("a", correction_meta="{broken"),
                entry("b", correction_meta="[1, 2]"),
                entry("c", content=b"\xff\xfe caf"),
                entry("d", access_count="many"),
                entry("e"),
            ],
        )
        with closing(sqlite3.connect(path)) as db, db:
            insert(db, entry("x") | {"id": None})
            db.execute("UPDATE entries SET tags = CAST(X'fffe' AS TEXT) WHERE id = 'e'")
        store = SqliteStore(str(path))
        assert [id for id, _ in store.listing()] == ["a", "b", "c", "d", "e"]
        assert set(store.get_many(["a", "b", "c", "d", "e"])) == {"a", "b", "c", "d", "e"}
        told = " ".join(problem.message for problem in store.problems())
        for part in ("entry a", "entry b", "entry c", "entry d", "without an id"):
            assert part in told
        changes = store.changes_since(Mark())
        assert len([*changes.stored]) == 5

    def test_once_we_wrote_the_change_table_tells_them_too(self, path: Path) -> None:
        make_db(path, [entry("a", correction_meta="{broken"), entry("b")])
        store = SqliteStore(str(path))
        store.prepare()
        first = store.changes_since(Mark())
        assert [(s.locator, bool(s.problems)) for s in first.seen] == [("a", True)]
        with closing(sqlite3.connect(path)) as db, db:
            db.execute("UPDATE entries SET correction_meta = NULL WHERE id = 'a'")
            db.execute("UPDATE entries SET correction_meta = '7' WHERE id = 'b'")
        second = store.changes_since(fold(Mark(), first))
        assert {s.locator: bool(s.problems) for s in second.seen} == {"a": False, "b": True}

    def test_keep_what_they_hold_when_something_else_changes(self, path: Path) -> None:
        make_db(path, [entry("a", correction_meta="{broken", created="last tuesday", tags=" x,,y ")])
        store = SqliteStore(str(path))
        memory = store.get("a").memory
        store.apply([Put(replace(memory, context="at home"))])
        store.record([Use("a", NOON, accesses=1)])
        with closing(sqlite3.connect(path)) as db:
            row = db.execute("SELECT correction_meta, created, tags, context, access_count FROM entries").fetchone()
        assert row == ("{broken", "last tuesday", " x,,y ", "at home", 4)

    def test_damaged_values_do_not_stop_the_store(self, path: Path) -> None:
        make_db(path, [entry("a")])
        with closing(sqlite3.connect(path)) as db, db:
            db.execute("UPDATE meta SET value = 'x' WHERE key = 'session_counter'")
            db.execute("UPDATE meta SET value = '[1,2]' WHERE key = 'current_session'")
            db.execute("INSERT INTO activity_log (timestamp, action, entry_id, detail) VALUES ('', 5, 6, NULL)")
        store = SqliteStore(str(path))
        assert store.journal.values() == {"session_counter": "x", "current_session": "[1,2]"}
        assert store.journal.read()[0].action == "5"
        store.journal.update(lambda values: {**values, "session_counter": "1"})
        assert store.journal.values()["session_counter"] == "1"


class TestBadFiles:
    @pytest.mark.parametrize("text", [b"not a database at all, but long enough to look like one" * 20, b"{}"])
    def test_no_database_is_told_and_left_alone(self, path: Path, text: bytes) -> None:
        path.write_bytes(text)
        store = SqliteStore(str(path))
        with pytest.raises(Damaged) as caught:
            list(store.listing())
        assert caught.value.hint
        with pytest.raises(Damaged):
            store.apply([Put(Memory("a", "one"))])
        assert [problem.code for problem in store.problems()] == ["damaged-store"]
        store.close()
        assert path.read_bytes() == text

    def test_an_empty_file_is_an_empty_store(self, path: Path) -> None:
        path.write_bytes(b"")
        store = SqliteStore(str(path))
        assert list(store.listing()) == []
        store.apply([Put(Memory("a", "one"))])
        assert store.get("a").memory.content == "one"

    def test_a_damaged_page_is_damage_and_no_traceback(self, path: Path) -> None:
        store = SqliteStore(str(path))
        store.apply([Put(Memory(f"m{n}", "text " * 200)) for n in range(50)])
        store.close()
        raw = bytearray(path.read_bytes())
        raw[8192:20480] = b"\xa5" * 12288
        path.write_bytes(raw)
        store = SqliteStore(str(path))
        assert any(problem.code == "damaged-store" for problem in store.problems())
        store.close()

    def test_a_newer_schema_is_read_and_not_written(self, path: Path) -> None:
        make_db(path, [entry("a")], version="5")
        before = path.read_bytes()
        store = SqliteStore(str(path))
        assert store.get("a").memory.content == "content of a"
        for write in (
            lambda: store.apply([Put(Memory("b", "x"))]),
            lambda: store.record([Use("a", NOON, accesses=1)]),
            lambda: store.journal.update(lambda values: values),
            store.prepare,
        ):
            with pytest.raises(ReadOnly, match="version 5"):
                write()
        assert "newer-schema" in {problem.code for problem in store.problems()}
        store.close()
        assert path.read_bytes() == before

    def test_half_a_character_is_refused_by_name(self, path: Path) -> None:
        store = SqliteStore(str(path))
        with pytest.raises(InvalidField):
            store.apply([Put(Memory("a", "good")), Put(Memory("b", "\ud800"))])
        assert list(store.listing()) == []
        with pytest.raises(InvalidId):
            store.apply([Put(Memory("", "x"))])

    def test_files_are_private(self, path: Path) -> None:
        store = SqliteStore(str(path))
        store.apply([Put(Memory("a", "one"))])
        assert {stat.S_IMODE(found.stat().st_mode) for found in path.parent.iterdir()} == {0o600}
        store.close()


def test_what_is_forgotten_is_in_no_file(path: Path) -> None:
    store = SqliteStore(str(path))
    store.apply([Put(Memory("a", "the hunter2 word")), Put(Memory("b", "two"))])
    store.journal.append([Activity(NOON, "add", "a", "hunter2"), Activity(NOON, "supersede", "b", "b -> a")])
    store.apply([Remove("a")])
    store.journal.forget("a")
    assert store.journal.read() == []
    raw = b"".join(found.read_bytes() for found in path.parent.iterdir())
    assert b"hunter2" not in raw
    store.close()


def test_a_short_id_is_not_found_inside_words(path: Path) -> None:
    store = SqliteStore(str(path))
    store.journal.append([Activity(NOON, "add", "b", "a-team and data"), Activity(NOON, "add", "b", "for a: x")])
    store.journal.forget("a")
    assert [a.detail for a in store.journal.read()] == ["a-team and data"]


def test_a_use_of_nothing_makes_nothing(path: Path) -> None:
    store = SqliteStore(path)
    store.record([Use("nobody", NOON, accesses=1)])
    assert not path.exists()
