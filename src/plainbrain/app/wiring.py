"""The one place that names concrete parts: which class serves a store's URL, the index, the clock.

Parts are imported when they are asked for, so that a command loads only what it uses.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

from plainbrain.errors import NoBrain, SettingsError
from plainbrain.model.instants import Instant, from_ms, parse_instant
from plainbrain.ports import Clock, Index, Store


class SystemClock:
    """Tell the time of this machine."""

    def now(self) -> Instant:
        """Return the present instant, in milliseconds."""
        return from_ms(time.time_ns() // 1_000_000)


class StoppedClock:
    """Tell one time for ever, for runs that are to be repeated to the letter (``BRAIN_NOW``)."""

    def __init__(self, at: Instant) -> None:
        self._at = at

    def now(self) -> Instant:
        """Return the time it stands at."""
        return self._at


def read_clock(environment: Mapping[str, str]) -> Clock:
    """Return the clock: this machine's, or one that stands at ``BRAIN_NOW``. Raise SettingsError for a time that is none."""
    text = environment.get("BRAIN_NOW", "")
    if not text:
        return SystemClock()
    at = parse_instant(text)
    if at.ms is None:
        raise SettingsError(f"BRAIN_NOW {text!r} is no time", value=text, hint="write 2026-10-27T12:00:00Z")
    return StoppedClock(at)


def open_store(url: str) -> Store:
    """Open the store that is there. A file that is missing is an empty store until the first write; a missing folder is no brain.

    Raise NoBrain, SettingsError or a StoreError.
    """
    kind, _, place = url.partition(":")
    match kind:
        case "vault":
            from plainbrain.stores.vault import VaultStore

            if not Path(place).is_dir():
                raise NoBrain(
                    f"there is no brain at {place}",
                    value=url,
                    hint=f"make one: brain init --store {place}  (or encode a first note)",
                )
            return VaultStore(Path(place))
        case "sqlite":
            from plainbrain.stores.sqlite import SqliteStore

            return SqliteStore(place)
        case "json":
            from plainbrain.stores.json import JsonStore

            return JsonStore(place)
        case "jsonl":
            from plainbrain.stores.jsonl import JsonlStore

            return JsonlStore(Path(place))
        case "ram":
            from plainbrain.stores.ram import RamStore

            return RamStore(place)
    raise SettingsError(f"{kind!r} is no kind of store", value=url, hint="kinds: vault, sqlite, json, jsonl")


def make_store(url: str) -> Store:
    """Open a store for somebody who is about to write: a vault's folder is made if it is missing."""
    kind, _, place = url.partition(":")
    if kind == "vault" and not Path(place).is_dir():
        from plainbrain.stores.vault import create_vault

        create_vault(Path(place))
    return open_store(url)


def open_index(store: Store, cache: Path) -> Index:
    """Open the disposable index of a store; one in memory for a store in memory."""
    from plainbrain.index.sqlite import SqliteIndex

    return SqliteIndex(None if store.traits.kind == "ram" else cache, store.url)


def watch(store: Store) -> None:
    """Have a store that is a folder notice changes as they happen, where the system can tell of them."""
    if store.traits.folder:
        from plainbrain.stores.vault import VaultStore

        if isinstance(store, VaultStore):
            store.watch()


def rehearse(store: Store) -> Store:
    """Return the store as a rehearsal: every write is checked and none is done."""
    from plainbrain.stores.wrappers import RehearsalStore

    return RehearsalStore(store)


def guard(store: Store) -> Store:
    """Return the store for reading only."""
    from plainbrain.stores.wrappers import ReadOnlyStore

    return ReadOnlyStore(store)
