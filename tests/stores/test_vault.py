"""The vault under the store contract, and what is its own."""

from __future__ import annotations

from pathlib import Path

from plainbrain.ports import Store
from plainbrain.stores.vault import VaultStore, create_vault
from plainbrain.testing.contract import StoreContract


class TestVaultStore(StoreContract):
    def open_store(self, place: Path) -> Store:
        create_vault(place / "brain")
        return VaultStore(place / "brain")
