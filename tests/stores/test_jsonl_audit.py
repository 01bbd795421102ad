"""A log beside another store, a log as a fixture, and a new log of bare objects."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from plainbrain.errors import NoBrain, ReadOnly, SettingsError, StoreError, Unreadable
from plainbrain.model.change import Activity, Change, Put, Remove, Use
from plainbrain.model.instants import from_ms
from plainbrain.model.memory import Memory
from plainbrain.ports import Store
from plainbrain.stores.audit import AuditedStore
from plainbrain.stores.jsonl.store import JsonlStore
from plainbrain.stores.ram import RamStore
from plainbrain.testing.contract import StoreContract
from plainbrain.testing.fixtures import load_log


class TestAuditedStore(StoreContract):
    persistent = False

    def open_store(self, place: Path) -> Store:
        return AuditedStore(RamStore(), JsonlStore(place / "audit.jsonl"))


class TestBareLog(StoreContract):
    def open_store(self, place: Path) -> Store:
        return JsonlStore(place / "memories.jsonl", form="bare")


class Unwilling(JsonlStore):
    """A log that cannot be written for a while."""

    is_full = False

    def apply(self, changes: Sequence[Change], *, activities: Sequence[Activity] = ()) -> list[str]:
        if self.is_full:
            raise ReadOnly("the log is read-only")
        return super().apply(changes, activities=activities)


def test_the_log_holds_every_mutation(tmp_path: Path) -> None:
    inner, log = RamStore(), JsonlStore(tmp_path / "audit.jsonl")
    inner.apply([Put(Memory("old", "was there before"))])
    store = AuditedStore(inner, log)
    store.apply([Put(Memory("a", "one"))])
    store.apply([Put(Memory("a", "two")), Remove("old")])
    store.record([Use("a", from_ms(5), accesses=1)])
    assert {id: log.get(id).memory for id, _ in log.listing()} == {"a": inner.get("a").memory}
    past = log.as_of(3)
    assert {id: past.get(id).memory.content for id, _ in past.listing()} == {"old": "was there before", "a": "one"}


def test_a_log_that_cannot_follow_is_told_and_brought_up(tmp_path: Path) -> None:
    inner, log = RamStore(), Unwilling(tmp_path / "audit.jsonl")
    store = AuditedStore(inner, log)
    store.apply([Put(Memory("a", "one"))])
    log.is_full = True
    with pytest.raises(StoreError, match="was written, but"):
        store.apply([Put(Memory("b", "two"))])
    assert inner.get("b").memory.content == "two"
    log.is_full = False
    store.apply([Put(Memory("c", "three"))])
    assert dict(log.listing()) == dict(inner.listing())


def test_a_log_is_a_fixture(tmp_path: Path) -> None:
    path = tmp_path / "conversation.jsonl"
    JsonlStore(path).apply([Put(Memory("a", "one")), Put(Memory("b", "two"))])
    before = path.read_bytes()
    store = load_log(path)
    store.apply([Remove("a")])
    assert [id for id, _ in store.listing()] == ["b"]
    assert path.read_bytes() == before
    path.write_bytes(before[:-20])
    with pytest.raises(Unreadable) as wrong:
        load_log(path)
    assert wrong.value.line == 2
    with pytest.raises(NoBrain):
        load_log(tmp_path / "none.jsonl")


def test_a_new_bare_log_holds_nothing_but_objects(tmp_path: Path) -> None:
    store = JsonlStore(tmp_path / "m.jsonl", form="bare", roll_over_lines=3)
    for number in range(5):
        store.apply([Put(Memory(f"m{number}", "text", memory_class="core"))])
    store.apply([Remove("m0")])
    texts = [path.read_text() for path in sorted(tmp_path.glob("m.jsonl*")) if path.is_file()]
    lines = [json.loads(line) for text in texts for line in text.splitlines()]
    assert all("type" not in line and "id" in line for line in lines)
    assert len(list(tmp_path.glob("m.jsonl.*.*"))) >= 1
    assert len(list(JsonlStore(tmp_path / "m.jsonl").listing())) == 4


def test_a_log_keeps_the_changes_of_one_store(tmp_path: Path) -> None:
    log = JsonlStore(tmp_path / "audit.jsonl")
    AuditedStore(JsonlStore(tmp_path / "one.jsonl"), log).apply([Put(Memory("a", "x"))])
    AuditedStore(JsonlStore(tmp_path / "one.jsonl"), log).apply([Put(Memory("b", "y"))])
    other = JsonlStore(tmp_path / "other.jsonl")
    with pytest.raises(SettingsError):
        AuditedStore(other, log).apply([Put(Memory("c", "z"))])
    assert list(other.listing()) == []
    assert [id for id, _ in log.listing()] == ["a", "b"]


def test_a_store_is_never_taken_for_an_audit_log(tmp_path: Path) -> None:
    precious = JsonlStore(tmp_path / "memories.jsonl")
    precious.apply([Put(Memory("precious", "x"))])
    with pytest.raises(SettingsError):
        AuditedStore(RamStore(), precious).apply([Put(Memory("a", "y"))])
    assert [id for id, _ in precious.listing()] == ["precious"]
