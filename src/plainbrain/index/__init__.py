"""The disposable SQLite index: made from a store, thrown away at any moment, never read to write a store."""
