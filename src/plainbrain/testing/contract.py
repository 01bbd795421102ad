"""The promises of ``ports.Store`` as a test class that every store passes.

Derive from it, and return a fresh store of the same place at each call of ``open_store`` (``place`` is
an empty folder that belongs to one test)::

    class TestMyStore(StoreContract):
        def open_store(self, place):
            return MyStore(place / "memory.mine")
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from plainbrain.errors import AlreadyExists, Changed, NotFound
from plainbrain.model.change import ABSENT, Activity, Put, Remove, Use
from plainbrain.model.memory import Memory
from plainbrain.ports import Mark, Store
from plainbrain.testing.builders import NOON, full_memory


class StoreContract(ABC):
    """Hold a store to its contract."""

    #: False for a store that forgets when it is closed.
    persistent = True

    @abstractmethod
    def open_store(self, place: Path) -> Store:
        """Open the store that lies in the folder ``place``, making it if it is not there: each store's own test class says how."""

    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        """Give one test an empty store."""
        store = self.open_store(tmp_path)
        yield store
        store.close()

    def again(self, store: Store, place: Path) -> Store:
        """Close and open again, where the store outlives closing."""
        if not self.persistent:
            return store
        store.close()
        return self.open_store(place)

    def test_is_empty_at_first(self, store: Store) -> None:
        assert list(store.listing()) == []
        assert store.problems() == []
        assert store.get_many(["a"]) == {}
        with pytest.raises(NotFound):
            store.get("a")

    def test_keeps_every_field(self, store: Store, tmp_path: Path) -> None:
        memory = full_memory()
        [revision] = store.apply([Put(memory, ABSENT)])
        assert store.get(memory.id).memory == memory
        assert store.get(memory.id).revision == revision
        store = self.again(store, tmp_path)
        assert store.get(memory.id).memory == memory
        assert list(store.listing()) == [(memory.id, revision)]

    def test_keeps_a_bare_memory(self, store: Store, tmp_path: Path) -> None:
        memory = Memory("a", "text")
        store.apply([Put(memory)])
        assert self.again(store, tmp_path).get("a").memory == memory

    @pytest.mark.parametrize(
        "content",
        [
            "",
            "\n",
            "a\r\nb\r\n",
            "    code\n\n",
            "---\nx\n---\n",
            "\ufeffx",
            "日本 🚀\u2028\x0b",
            "- supersedes [[x]]\n",
        ],
    )
    def test_keeps_content_to_the_letter(self, store: Store, tmp_path: Path, content: str) -> None:
        store.apply([Put(Memory("a", content))])
        assert self.again(store, tmp_path).get("a").memory.content == content

    def test_lists_in_the_order_of_creation(self, store: Store) -> None:
        for day, id in enumerate(["b", "a", "c"]):
            store.apply([Put(Memory(id, id, created=replace(NOON, ms=NOON.ms + day * 86_400_000 if NOON.ms else 0)))])
        assert sorted(id for id, _ in store.listing()) == ["a", "b", "c"]

    def test_put_replaces_whole(self, store: Store) -> None:
        store.apply([Put(full_memory("a"))])
        bare = Memory("a", "new", created=NOON)
        store.apply([Put(bare)])
        assert store.get("a").memory == bare

    def test_revision_follows_the_knowledge(self, store: Store) -> None:
        [first] = store.apply([Put(Memory("a", "one"))])
        [second] = store.apply([Put(Memory("a", "two"))])
        assert first != second
        assert store.get("a").revision == second

    def test_refuses_what_is_stale(self, store: Store) -> None:
        [first] = store.apply([Put(Memory("a", "one"), ABSENT)])
        [second] = store.apply([Put(Memory("a", "two"), first)])
        with pytest.raises(Changed):
            store.apply([Put(Memory("a", "three"), first)])
        with pytest.raises(Changed):
            store.apply([Remove("a", first)])
        with pytest.raises(AlreadyExists):
            store.apply([Put(Memory("a", "three"), ABSENT)])
        with pytest.raises(NotFound):
            store.apply([Put(Memory("b", "three"), first)])
        assert store.get("a").memory.content == "two"
        assert store.get("a").revision == second

    def test_removes(self, store: Store, tmp_path: Path) -> None:
        store.apply([Put(Memory("a", "one")), Put(Memory("b", "two"))])
        store.apply([Remove("a")])
        with pytest.raises(NotFound):
            store.get("a")
        with pytest.raises(NotFound):
            store.apply([Remove("a")])
        store = self.again(store, tmp_path)
        assert [id for id, _ in store.listing()] == ["b"]
        store.apply([Put(Memory("a", "again"), ABSENT)])
        assert store.get("a").memory == Memory("a", "again")

    def test_writes_all_or_none(self, store: Store) -> None:
        [revision] = store.apply([Put(Memory("a", "one"))])
        with pytest.raises(Changed):
            store.apply([Put(Memory("b", "new")), Put(Memory("a", "two"), "stale")])
        assert [id for id, _ in store.listing()] == ["a"]
        assert store.get("a").revision == revision

    def test_counters_move_without_a_revision(self, store: Store, tmp_path: Path) -> None:
        [revision] = store.apply([Put(Memory("a", "one"))])
        store.record(
            [
                Use("a", NOON, accesses=1),
                Use("a", NOON, successes=2, injected=1, used=1, relevance=0.1),
                Use("nobody", NOON, accesses=1),
            ]
        )
        store = self.again(store, tmp_path)
        found = store.get("a")
        assert found.revision == revision
        assert (found.memory.usage.accesses, found.memory.usage.successes) == (1, 2)
        assert (found.memory.usage.injected, found.memory.usage.used) == (1, 1)
        assert found.memory.usage.relevance == pytest.approx(0.6)
        assert found.memory.usage.last_accessed == NOON
        store.apply([Put(Memory("a", "two", usage=found.memory.usage), revision)])
        assert store.get("a").memory.usage == found.memory.usage

    def test_keeps_what_happened_with_what_was_written(self, store: Store, tmp_path: Path) -> None:
        added, used, alone = (Activity(NOON, action, "a", f"{action} a") for action in ("add", "get", "loop_get"))
        store.apply([Put(Memory("a", "one"))], activities=[added])
        store.record([Use("a", NOON, accesses=1)], activities=[used])
        store.record([Use("nobody", NOON, accesses=1)], activities=[alone])
        store.apply([], activities=[added])
        with pytest.raises(Changed):
            store.apply([Put(Memory("a", "two"), "stale")], activities=[added])
        store = self.again(store, tmp_path)
        assert store.get("a").memory.usage.accesses == 1
        assert [(told.action, told.detail) for told in store.journal.read()] == [
            ("loop_get", "loop_get a"),
            ("get", "get a"),
            ("add", "add a"),
        ]

    def test_tells_what_changed(self, store: Store) -> None:
        store.apply([Put(Memory("a", "one")), Put(Memory("b", "two"))])
        first = store.changes_since(Mark())
        assert {s.memory.id for s in first.stored} == {"a", "b"}
        mark = self.mark_after(Mark(), first)
        again = store.changes_since(mark)
        assert (list(again.stored), again.gone) == ([], ())
        store.apply([Put(Memory("b", "changed")), Put(Memory("c", "new")), Remove("a")])
        second = store.changes_since(mark)
        assert {s.memory.id: s.memory.content for s in second.stored} == {"b": "changed", "c": "new"}
        assert set(second.gone) == {"a"}

    def test_tells_which_counters_moved(self, store: Store) -> None:
        store.apply([Put(Memory("a", "one"))])
        mark = self.mark_after(Mark(), store.changes_since(Mark()))
        store.record([Use("a", NOON, accesses=1)])
        changes = store.changes_since(mark)
        assert "a" in {*changes.used, *(s.memory.id for s in changes.stored)}

    @staticmethod
    def mark_after(mark: Mark, changes: object) -> Mark:
        """Fold changes into a mark, as an index does."""
        assert hasattr(changes, "seen")
        assert hasattr(changes, "unseen")
        assert hasattr(changes, "token")
        seen = dict(mark.recall_seen())
        for locator in changes.unseen:
            seen.pop(locator, None)
        seen.update({s.locator: s for s in changes.seen})
        return Mark(changes.token, seen)

    def test_another_opening_sees_what_was_written(self, store: Store, tmp_path: Path) -> None:
        if not self.persistent:
            pytest.skip("a store in memory has one opening")
        other = self.open_store(tmp_path)
        store.apply([Put(Memory("a", "one"))])
        assert other.get("a").memory.content == "one"
        [revision] = other.apply([Put(Memory("a", "two"))])
        assert store.get("a").revision == revision
        assert other.url == store.url
        other.close()

    def test_journal_keeps_activities(self, store: Store, tmp_path: Path) -> None:
        store.journal.append([Activity(NOON, "add", "a", "first"), Activity(NOON, "get", "", "query\nline")])
        store = self.again(store, tmp_path)
        assert [a.action for a in store.journal.read()] == ["get", "add"]
        assert store.journal.read(limit=1)[0].detail == "query\nline"
        assert [a.id for a in store.journal.read(action="add")] == ["a"]
        assert store.journal.read(id="a")[0].at == NOON

    def test_journal_keeps_values(self, store: Store, tmp_path: Path) -> None:
        store.journal.update(
            lambda values: {**values, "session_counter": str(int(values.get("session_counter", "0")) + 1)}
        )
        store.journal.update(lambda values: {**values, "session_counter": str(int(values["session_counter"]) + 1)})
        assert self.again(store, tmp_path).journal.values()["session_counter"] == "2"

    def test_journal_forgets(self, store: Store, tmp_path: Path) -> None:
        store.apply([Put(Memory("a", "one")), Put(Memory("b", "two"))])
        store.record([Use("a", NOON, accesses=3)])
        store.journal.append([Activity(NOON, "add", "a", "one"), Activity(NOON, "add", "b", "two")])
        store.apply([Remove("a")])
        store.journal.forget("a")
        store = self.again(store, tmp_path)
        assert [a.id for a in store.journal.read()] == ["b"]
        store.journal.append([Activity(NOON, "correct", "c", "wrong=one right=two"), Activity(NOON, "add", "d", "a b")])
        store.journal.forget("x", ["wrong=one"])
        assert [a.id for a in store.journal.read()] == ["d", "b"]
        store.apply([Put(Memory("a", "again"))])
        assert store.get("a").memory.usage.accesses == 0

    def test_closes_twice(self, store: Store) -> None:
        store.close()
        store.close()
