"""The vault behaves as the store in memory does, whatever is done to it."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from plainbrain.errors import BrainError
from plainbrain.model.change import ABSENT, ANY, Change, Put, Remove, Use
from plainbrain.ports import Mark
from plainbrain.stores.ram import RamStore
from plainbrain.stores.vault import VaultStore
from plainbrain.testing.builders import NOON
from plainbrain.testing.contract import StoreContract
from plainbrain.testing.strategies import memories

ids = st.sampled_from(["a", "b", "c"])
expectations = st.sampled_from([ANY, ABSENT, "stale", "current"])
deeds = st.one_of(
    st.lists(st.tuples(st.just("put"), memories(ids), expectations), min_size=1, max_size=3),
    st.lists(st.tuples(st.just("remove"), ids, expectations), min_size=1, max_size=2),
    st.lists(st.tuples(st.just("use"), ids, st.none()), min_size=1, max_size=2),
)


@settings(max_examples=80, deadline=None)
@given(st.lists(deeds, max_size=6), st.sets(st.integers(0, 5)))
def test_does_what_the_store_in_memory_does(
    program: list[list[tuple[str, object, str | None]]], reopen: set[int]
) -> None:
    with tempfile.TemporaryDirectory() as place:
        vault, ram = VaultStore(Path(place)), RamStore()
        mark, told = Mark(), dict[str, object]()
        for n, deed in enumerate(program):
            if n in reopen:
                vault.close()
                vault = VaultStore(Path(place))
            assert carry_out(vault, deed) == carry_out(ram, deed)
            present = [id for id, _ in ram.listing()]
            expected = {id: one.memory for id, one in ram.get_many(present).items()}
            assert {id: one.memory for id, one in vault.get_many(["a", "b", "c"]).items()} == expected
            changes = vault.changes_since(mark)
            for id in changes.gone:
                told.pop(id)
            told.update({one.memory.id: one.memory for one in changes.stored})
            told.update({id: vault.get(id).memory for id in changes.used})
            assert told == expected
            mark = StoreContract.mark_after(mark, changes)
        assert vault.problems() == []
        vault.close()


def carry_out(store: VaultStore | RamStore, deed: list[tuple[str, object, str | None]]) -> str:
    if deed[0][0] == "use":
        store.record([Use(str(id), NOON, accesses=1, successes=2) for _, id, _ in deed])
        return "used"
    revisions = dict(store.listing())
    changes: list[Change] = []
    for what, value, expecting in deed:
        id = getattr(value, "id", value)
        wanted = revisions.get(str(id), ABSENT) if expecting == "current" else expecting
        changes.append(Put(value, wanted) if what == "put" else Remove(str(id), wanted))  # type: ignore[arg-type]
    try:
        return f"{len(store.apply(changes))} written"
    except BrainError as error:
        return type(error).__name__
