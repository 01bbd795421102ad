"""memory.db and memory.json do what the store in memory does, whatever is asked of them and in whatever order."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from plainbrain.errors import BrainError
from plainbrain.model.change import ABSENT, Activity, Change, Put, Remove, Use
from plainbrain.model.memory import Memory
from plainbrain.ports import Mark, Store
from plainbrain.stores.json import JsonStore
from plainbrain.stores.ram import RamStore
from plainbrain.stores.sqlite import SqliteStore
from plainbrain.testing.builders import NOON
from plainbrain.testing.contract import StoreContract
from plainbrain.testing.strategies import memories

ids = st.sampled_from(["a", "b", 'q"\\é', "c d"])
changes = st.lists(
    st.builds(Put, memories(ids), st.sampled_from([None, None, ABSENT, "stale"])) | st.builds(Remove, ids),
    min_size=1,
    max_size=4,
)


def outcome(store: Store, wanted: list[Change]) -> str:
    """Apply, and say how it went."""
    try:
        store.apply(wanted)
    except BrainError as error:
        return type(error).__name__
    return "done"


class EntryStores(RuleBasedStateMachine):
    """Ask three stores the same."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.ram = RamStore()
        self.stores: dict[str, Store] = {}
        self.marks = {"sqlite": Mark(), "json": Mark()}
        self.known: dict[str, dict[str, Memory]] = {"sqlite": {}, "json": {}}
        self.open_all()

    @rule()
    def open_all(self) -> None:
        """Close and open again."""
        for store in self.stores.values():
            store.close()
        place = Path(self.folder.name)
        self.stores = {"sqlite": SqliteStore(place / "m.db"), "json": JsonStore(place / "m.json")}

    @rule(wanted=changes)
    def apply(self, wanted: list[Change]) -> None:
        """Write, or be refused, alike."""
        expected = outcome(self.ram, wanted)
        assert {kind: outcome(store, wanted) for kind, store in self.stores.items()} == dict.fromkeys(
            self.stores, expected
        )

    @rule(id=ids, accesses=st.integers(0, 2), successes=st.integers(0, 2), injected=st.integers(0, 2))
    def record(self, id: str, accesses: int, successes: int, injected: int) -> None:
        """Count alike."""
        for store in (self.ram, *self.stores.values()):
            store.record([Use(id, NOON, accesses=accesses, successes=successes, injected=injected, relevance=0.1)])

    @rule(id=ids, detail=st.text("xyz é\n", max_size=9))
    def tell(self, id: str, detail: str) -> None:
        """Keep a journal alike."""
        for store in (self.ram, *self.stores.values()):
            store.journal.append([Activity(NOON, "add", id, detail)])
            store.journal.update(lambda values: {**values, "count": values.get("count", "") + "1"})

    @rule(kind=st.sampled_from(["sqlite", "json"]))
    def follow(self, kind: str) -> None:
        """A reader that only takes in what changed knows what is there."""
        found = self.stores[kind].changes_since(self.marks[kind])
        known = {} if found.everything else self.known[kind]
        known |= {s.memory.id: s.memory for s in found.stored}
        known |= {id: s.memory for id, s in self.stores[kind].get_many(found.used).items()}
        self.known[kind] = {id: memory for id, memory in known.items() if id not in found.gone}
        self.marks[kind] = StoreContract.mark_after(self.marks[kind], found)
        assert self.known[kind] == {id: s.memory for id, s in self.ram.get_many(["a", "b", 'q"\\é', "c d"]).items()}

    @invariant()
    def alike(self) -> None:
        """Hold the same memories, the same journal."""
        there = {id: self.ram.get(id).memory for id, _ in self.ram.listing()}
        for store in self.stores.values():
            found = store.get_many([id for id, _ in store.listing()])
            assert {id: stored.memory for id, stored in found.items()} == there
            assert dict(store.listing()) == {id: stored.revision for id, stored in found.items()}
            assert store.journal.read() == self.ram.journal.read()
            assert store.journal.values() == self.ram.journal.values()
            assert store.problems() == []

    def teardown(self) -> None:
        """Leave nothing behind."""
        for store in self.stores.values():
            store.close()
        self.folder.cleanup()


EntryStores.TestCase.settings = settings(max_examples=15, stateful_step_count=12, deadline=None)
TestEntryStores = EntryStores.TestCase
