"""The store in ``memory.db``: the contract, agent-brain's SQL before and after, reading beside a writer."""

from __future__ import annotations

from pathlib import Path

from hypothesis import HealthCheck, given, settings

from plainbrain.model.change import Put
from plainbrain.model.memory import Memory
from plainbrain.ports import Store
from plainbrain.stores.sqlite import SqliteStore
from plainbrain.testing.contract import StoreContract
from plainbrain.testing.strategies import memories


class TestSqliteStore(StoreContract):
    def open_store(self, place: Path) -> Store:
        return SqliteStore(str(place / "memory.db"))


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(memories())
def test_keeps_any_memory(tmp_path: Path, memory: Memory) -> None:
    store = SqliteStore(str(tmp_path / "memory.db"))
    [revision] = store.apply([Put(memory)])
    assert store.get(memory.id).memory == memory
    assert store.get(memory.id).revision == revision
    store.close()
