"""The vault: a folder of Markdown notes that people edit too. Any folder of Markdown is one."""

from plainbrain.stores.vault.store import VaultStore, create_vault

__all__ = ["VaultStore", "create_vault"]
