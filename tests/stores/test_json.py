"""The store in ``memory.json``: the contract, agent-brain's layout, damaged files."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from plainbrain.errors import Damaged, InvalidId, ReadOnly
from plainbrain.model.change import Activity, Put, Remove, Use
from plainbrain.model.memory import Memory
from plainbrain.ports import Changes, Mark, Store
from plainbrain.stores.json import JsonStore
from plainbrain.testing.builders import NOON, full_memory
from plainbrain.testing.contract import StoreContract
from plainbrain.testing.strategies import memories, words
from tests.stores.agent_brain import COLUMNS, NEW_IN_V4, entry, make_json, make_json_v2, without


class TestJsonStore(StoreContract):
    def open_store(self, place: Path) -> Store:
        return JsonStore(str(place / "memory.json"))


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(memories() | memories(words))
def test_keeps_any_memory(tmp_path: Path, memory: Memory) -> None:
    store = JsonStore(str(tmp_path / "memory.json"))
    [revision] = store.apply([Put(memory)])
    assert store.get(memory.id).memory == memory
    assert store.get(memory.id).revision == revision
    store.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.json"


def fold(mark: Mark, changes: Changes) -> Mark:
    """Return the mark that a reader keeps after it took in changes."""
    return StoreContract.mark_after(mark, changes)


def rewrite(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Load, change and write the file as agent-brain does."""
    data = json.loads(path.read_text(encoding="utf-8"))
    change(data)
    path.write_text(json.dumps(data, indent=2), encoding="utf-8")


class TestBesideAgentBrain:
    def test_reads_what_it_wrote_and_leaves_it(self, path: Path) -> None:
        make_json(path, [entry("b"), entry("a", superseded_by="b")])
        before = path.read_bytes()
        store = JsonStore(str(path))
        assert [id for id, _ in store.listing()] == ["b", "a"]
        assert store.get("a").memory.superseded_by == "b"
        assert json.loads(store.journal.values()["current_session"])["context"] == "at work"
        assert store.journal.read()[0].action == "add"
        assert store.problems() == []
        assert store.prepare() is None
        assert path.read_bytes() == before
        assert [found.name for found in path.parent.iterdir()] == ["memory.json"]

    def test_writes_in_its_layout(self, path: Path) -> None:
        make_json(path, [entry("a"), entry("b")])
        store = JsonStore(str(path))
        store.apply([Put(full_memory("c")), Remove("b")])
        store.record([Use("a", NOON, accesses=1)])
        store.journal.append([Activity(NOON, "add", "c", "über 日本")])
        store.journal.update(lambda values: {**values, "session_counter": "7", "machine": "m1"})
        text = path.read_text(encoding="ascii")
        data = json.loads(text)
        assert text == json.dumps(data, indent=2)
        assert list(data) == [
            "version", "last_decay", "session_counter", "current_session", "entries", "activity_log", "plainbrain",
        ]  # fmt: skip
        assert [tuple(one)[:16] for one in data["entries"]] == [COLUMNS, COLUMNS]
        assert data["entries"][0] == entry("a", access_count=4, last_accessed="2026-10-27T12:00:00Z")
        assert (data["version"], data["session_counter"], data["current_session"]["id"]) == (4, 7, 2)
        assert data["activity_log"][-1] == {
            "timestamp": "2026-10-27T12:00:00Z",
            "action": "add",
            "entry_id": "c",
            "detail": "über 日本",
        }
        assert store.journal.values()["machine"] == "m1"

    def test_only_the_lines_of_what_changed_are_different(self, path: Path) -> None:
        make_json(path, [entry("a"), entry("b", content="Ü"), entry("c")], mood="good")
        before = path.read_text()
        store = JsonStore(str(path))
        store.record([Use("b", NOON, accesses=1)])
        after = path.read_text()
        assert after.startswith(before[: before.index('"access_count"')])
        changed = [new for old, new in zip(before.splitlines(), after.splitlines(), strict=False) if old != new]
        assert changed[:2] == ['      "last_accessed": "2026-10-27T12:00:00Z",', '      "access_count": 4,']

    def test_what_it_does_is_noticed(self, path: Path) -> None:
        store = JsonStore(str(path))
        store.apply([Put(Memory(id, f"text of {id}", title="T")) for id in "abcd"])
        mark = fold(Mark(), store.changes_since(Mark()))

        def change(data: dict[str, Any]) -> None:
            data["entries"][0]["content"] = "changed"
            data["entries"][1]["access_count"] += 1
            del data["entries"][3]
            data["entries"].append(entry("e"))

        rewrite(path, change)
        changes = store.changes_since(mark)
        assert {s.memory.id for s in changes.stored} == {"a", "e"}
        assert (changes.gone, changes.used, changes.everything) == (("d",), ("b",), False)
        assert store.get("a").memory.title == ""
        assert store.get("b").memory.title == "T"
        mark = fold(mark, changes)
        assert list(store.changes_since(mark).stored) == []
        store.apply([Put(Memory("f", "ours again"))])
        assert [s.memory.id for s in store.changes_since(mark).stored] == ["f"]

    def test_our_own_changes_are_told_without_a_look_at_what_was_seen(self, path: Path) -> None:
        store = JsonStore(str(path))
        store.apply([Put(Memory("a", "one")), Put(Memory("b", "two")), Put(Memory("c", "three"))])
        token = store.changes_since(Mark()).token
        store.apply([Put(Memory("a", "changed")), Remove("b")])
        store.record([Use("c", NOON, accesses=1)])
        store.journal.append([Activity(NOON, "add", "a")])

        def never() -> dict[str, Any]:
            raise AssertionError("nobody should ask")

        changes = JsonStore(str(path)).changes_since(Mark(token, never))
        assert [s.memory.id for s in changes.stored] == ["a"]
        assert (changes.gone, changes.used) == (("b",), ("c",))

    def test_a_memory_of_changes_has_an_end(self, path: Path) -> None:
        store = JsonStore(str(path))
        store.apply([Put(Memory("z", "first"))])
        mark = fold(Mark(), store.changes_since(Mark()))
        for number in range(80):
            store.apply([Put(Memory("a", f"text {number}"))])
        assert len(json.loads(path.read_text())["plainbrain"]["log"]) == 64
        assert [s.memory.id for s in store.changes_since(mark).stored] == ["a"]

    def test_another_file_at_the_same_place_is_told(self, path: Path) -> None:
        store = JsonStore(str(path))
        store.apply([Put(Memory("a", "one"))])
        mark = fold(Mark(), store.changes_since(Mark()))
        path.unlink()
        assert store.changes_since(mark).everything
        assert list(store.listing()) == []
        store.apply([Put(Memory("b", "two"))])
        changes = store.changes_since(mark)
        assert ([s.memory.id for s in changes.stored], changes.gone) == (["b"], ("a",))

    @pytest.mark.parametrize("indent", [None, 4, 1])
    def test_another_layout_is_read_and_made_its_own(self, path: Path, indent: int | None) -> None:
        data = {"version": 4, "mood": {"deep": [1]}, "entries": [entry("a", odd="key"), {"content": "x", "id": "b"}]}
        path.write_text("\ufeff" + json.dumps(data, indent=indent, ensure_ascii=False), encoding="utf-8")
        store = JsonStore(str(path))
        store.apply([Put(Memory("c", "new"))])
        after = json.loads(path.read_text())
        assert after["mood"] == data["mood"]
        assert after["entries"][0] == entry("a", odd="key")
        assert after["entries"][1] == {"id": "b", "content": "x"}
        assert path.read_text() == json.dumps(after, indent=2)

    def test_text_that_looks_like_layout_is_text(self, path: Path) -> None:
        trap = '\n    },\n    {\n      "id": "x",\n  ],\n  "plainbrain": {'
        store = JsonStore(str(path))
        store.apply([Put(Memory("a", trap)), Put(Memory('q"\\é', trap, title=trap)), Put(Memory("b", "x"))])
        again = JsonStore(str(path))
        again.apply([Put(Memory("b", "y"))])
        assert [id for id, _ in again.listing()] == ["a", 'q"\\é', "b"]
        assert again.get("a").memory.content == trap
        assert path.read_text() == json.dumps(json.loads(path.read_text()), indent=2)


class TestOlderSchemas:
    def test_are_read_as_they_are(self, path: Path) -> None:
        make_json_v2(path, [entry("a", type="preference")])
        before = path.read_bytes()
        store = JsonStore(str(path))
        assert store.get("a").memory.class_ == "preference"
        assert store.get("a").memory.usage.accesses == 3
        assert store.journal.read() == []
        assert store.journal.values() == {}
        assert path.read_bytes() == before

    @pytest.mark.parametrize("version", [2, 3])
    def test_are_brought_up_by_the_first_write_with_the_old_file_beside(self, path: Path, version: int) -> None:
        if version == 2:
            make_json_v2(path, [entry("a", type="policy"), entry("b")])
        else:
            make_json(path, [without(entry("a", type="policy"), *NEW_IN_V4), entry("b")], version=3)
        before = path.read_bytes()
        (path.parent / "memory.json.bak").write_text("mine")
        store = JsonStore(str(path))
        store.apply([Put(Memory("c", "new"))])
        data = json.loads(path.read_text())
        assert (data["version"], data["last_decay"]) == (4, None)
        assert {"session_counter", "current_session", "activity_log"} <= set(data)
        assert data["entries"][0]["memory_class"] == "policy"
        assert data["entries"][0]["access_count"] == 3
        assert data["entries"][0]["correction_meta"] is None
        assert (path.parent / "memory.json.bak.1").read_bytes() == before
        assert (path.parent / "memory.json.bak").read_text() == "mine"
        done = store.prepare()
        assert done is not None
        assert (done.lines, done.count) == (("Migrated memory to v4",), 2)
        assert store.prepare() is None

    def test_can_be_brought_up_without_a_change(self, path: Path) -> None:
        make_json_v2(path, [entry("a")])
        assert JsonStore(str(path)).prepare() is not None
        assert json.loads(path.read_text())["version"] == 4

    def test_a_newer_schema_is_read_and_not_written(self, path: Path) -> None:
        make_json(path, [entry("a")], version=5)
        before = path.read_bytes()
        store = JsonStore(str(path))
        assert store.get("a").memory.content == "content of a"
        with pytest.raises(ReadOnly, match="version 5"):
            store.apply([Put(Memory("b", "x"))])
        with pytest.raises(ReadOnly):
            store.record([Use("a", NOON, accesses=1)])
        assert [problem.code for problem in store.problems()] == ["newer-schema"]
        assert path.read_bytes() == before


class TestDamage:
    @pytest.mark.parametrize(
        "text",
        [b"", b"{", b"[]", b"null", b'{"entries": 5}', b'{"entries": [}', b"\xff\xfe{", b"{" * 50_000, b"[" * 50_000],
    )
    def test_a_file_that_is_not_whole_is_told_and_never_written(self, path: Path, text: bytes) -> None:
        path.write_bytes(text)
        store = JsonStore(str(path))
        for use in (
            lambda: list(store.listing()),
            lambda: store.get("a"),
            lambda: store.changes_since(Mark()),
            lambda: store.apply([Put(Memory("a", "x"))]),
            lambda: store.record([Use("a", NOON, accesses=1)]),
            lambda: store.journal.append([Activity(NOON, "add")]),
            store.prepare,
        ):
            with pytest.raises(Damaged) as caught:
                use()
            assert str(path) in str(caught.value)
            assert caught.value.hint
        assert [problem.code for problem in store.problems()] == ["damaged-store"]
        assert path.read_bytes() == text
        assert not list(path.parent.glob("*brain-tmp"))

    def test_the_place_is_named(self, path: Path) -> None:
        make_json(path, [entry("a")])
        text = path.read_text().splitlines()
        path.write_text("\n".join([*text[:9], "oops", *text[9:]]))
        with pytest.raises(Damaged, match="line 10, column 1"):
            JsonStore(str(path)).get("a")

    def test_a_changed_byte_in_our_own_file_is_seen(self, path: Path) -> None:
        store = JsonStore(str(path))
        store.apply([Put(Memory("a", "one")), Put(Memory("b", "two"))])
        store.close()
        path.write_bytes(path.read_bytes().replace(b'"two"', b'"tw\n'))
        with pytest.raises(Damaged):
            JsonStore(str(path)).get("a")

    def test_bad_entries_stop_nothing_and_are_kept(self, path: Path) -> None:
        bad: list[Any] = ["text", 7, None, {"content": "no id"}, {"id": 5}, {}]
        make_json(path, [entry("a", correction_meta=[1]), *bad, entry("b", tags=5), entry("a", "second")])
        store = JsonStore(str(path))
        assert [id for id, _ in store.listing()] == ["a", "b"]
        told = " ".join(problem.message for problem in store.problems())
        for part in ("entry number 2", "entry number 7", "entry a: correction_meta", "entry b: tags", "two entries"):
            assert part in told
        store.apply([Put(Memory("c", "new"))])
        data = json.loads(path.read_text())
        assert data["plainbrain"]["damaged"] == bad
        assert [one["id"] for one in data["entries"]] == ["a", "b", "a", "c"]
        again = JsonStore(str(path))
        assert len([p for p in again.problems() if "kept under" in p.message]) == len(bad)
        again.apply([Put(replace(again.get("a").memory, context="x"))])
        assert json.loads(path.read_text())["entries"][0]["correction_meta"] == [1]
        again.apply([Remove("a")])
        assert [id for id, _ in again.listing()] == ["b", "c"]

    def test_odd_top_level_values_stay(self, path: Path) -> None:
        make_json(path, [entry("a")], session_counter="x", current_session=[1, 2], plainbrain="mine", activity_log=[5])
        store = JsonStore(str(path))
        assert store.journal.values() == {"session_counter": "x", "current_session": "[1, 2]"}
        store.journal.append([Activity(NOON, "add", "a")])
        data = json.loads(path.read_text())
        assert (data["session_counter"], data["current_session"], data["activity_log"][0]) == ("x", [1, 2], 5)
        assert data["plainbrain"]["other"] == "mine"

    def test_an_id_is_needed(self, path: Path) -> None:
        with pytest.raises(InvalidId):
            JsonStore(str(path)).apply([Put(Memory("", "x"))])
        assert not path.exists()


def test_files_are_private_and_a_mode_is_kept(path: Path) -> None:
    store = JsonStore(str(path))
    store.apply([Put(Memory("a", "one"))])
    assert {stat.S_IMODE(found.stat().st_mode) for found in path.parent.iterdir()} == {0o600}
    path.chmod(0o640)
    store.apply([Put(Memory("b", "two"))])
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_what_a_killed_writer_left_is_swept(path: Path) -> None:
    old, young = path.parent / f".{'a' * 16}.brain-tmp", path.parent / f".{'b' * 16}.brain-tmp"
    for found in (old, young):
        found.write_text("half")
    os.utime(old, (0, 0))
    JsonStore(str(path)).apply([Put(Memory("a", "one"))])
    assert (old.exists(), young.exists()) == (False, True)
