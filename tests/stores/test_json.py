"""The store in ``memory.json``: the contract, agent-brain's layout, damaged files."""

from __future__ import annotations

from pathlib import Path

from hypothesis import HealthCheck, given, settings

from plainbrain.model.change import Put
from plainbrain.model.memory import Memory
from plainbrain.ports import Store
from plainbrain.stores.json import JsonStore
from plainbrain.testing.contract import StoreContract
from plainbrain.testing.strategies import memories


class TestJsonStore(StoreContract):
    def open_store(self, place: Path) -> Store:
        return JsonStore(str(place / "memory.json"))


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(memories())
def test_keeps_any_memory(tmp_path: Path, memory: Memory) -> None:
    store = JsonStore(str(tmp_path / "memory.json"))
    [revision] = store.apply([Put(memory)])
    assert store.get(memory.id).memory == memory
    assert store.get(memory.id).revision == revision
    store.close()
