"""The log store under the contract."""

from __future__ import annotations

from pathlib import Path

from plainbrain.ports import Store
from plainbrain.stores.jsonl.store import JsonlStore
from plainbrain.testing.contract import StoreContract


class TestJsonlStore(StoreContract):
    def open_store(self, place: Path) -> Store:
        return JsonlStore(place / "memories.jsonl")
