"""The store in memory under the contract."""

from __future__ import annotations

from pathlib import Path

from plainbrain.ports import Store
from plainbrain.stores.ram import RamStore
from plainbrain.testing.contract import StoreContract


class TestRamStore(StoreContract):
    persistent = False

    def open_store(self, place: Path) -> Store:
        return RamStore()
