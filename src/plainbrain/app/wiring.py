"""The one place that names concrete parts: which class serves a store's URL, the index, the clock.

Parts are imported when they are asked for, so that a command loads only what it uses.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from plainbrain.app.clocks import SystemClock
from plainbrain.app.context import Remote
from plainbrain.app.settings import Settings
from plainbrain.errors import Busy, NoBrain, SettingsError, Unavailable
from plainbrain.model.instants import Instant
from plainbrain.model.problem import Problem
from plainbrain.ports import Clock, Index, Mirror, Model, Store

if TYPE_CHECKING:
    from plainbrain.embed.installed import Installed
    from plainbrain.fetch.text import Page
    from plainbrain.files.history import FileHistory
    from plainbrain.stores.json import JsonStore
    from plainbrain.stores.jsonl.compact import Compacted
    from plainbrain.stores.sqlite import SqliteStore

#: Seconds that a reader waits for a lock, to count a use, before it leaves the counting out.
_READER_WAITS = 0.03
_ON = frozenset({"1", "true", "yes", "on"})


def open_store(url: str, *, clock: Clock | None = None) -> Store:
    """Open the store that is there. A file that is missing is an empty store until the first write; a missing folder is no brain.

    ``clock`` dates the lines of a log; without one it is this machine's.
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

            return JsonlStore(Path(place), clock=clock or SystemClock())
        case "ram":
            from plainbrain.stores.ram import RamStore

            return RamStore(place)
    raise SettingsError(f"{kind!r} is no kind of store", value=url, hint="kinds: vault, sqlite, json, jsonl")


def imagine_store(url: str, *, clock: Clock | None = None) -> Store:
    """Open the store that is there, and for a folder that is not one in memory that is empty, to rehearse a first write."""
    try:
        return open_store(url, clock=clock)
    except NoBrain:
        from plainbrain.stores.ram import RamStore

        return RamStore(url.partition(":")[2], slug_ids=True)


def make_store(url: str, *, clock: Clock | None = None) -> Store:
    """Open a store for somebody who is about to write: a vault's folder is made if it is missing."""
    kind, _, place = url.partition(":")
    if kind == "vault" and not Path(place).is_dir():
        from plainbrain.stores.vault import create_vault

        create_vault(Path(place))
    return open_store(url, clock=clock)


def open_to_read(url: str, *, clock: Clock | None = None) -> Store:
    """Open a store as ``open_store`` does, for a reader: it counts uses only when nobody else writes at that moment."""
    kind, _, place = url.partition(":")
    if kind == "sqlite":
        from plainbrain.stores.sqlite import SqliteStore

        return SqliteStore(place, wait_ms=round(_READER_WAITS * 1000))
    if kind == "json":
        from plainbrain.stores.json import JsonStore

        return JsonStore(place, wait_seconds=_READER_WAITS)
    return open_store(url, clock=clock)


def carry_over(store: Store, *, hurried: bool) -> tuple[tuple[str, ...], tuple[Problem, ...]]:
    """Bring up to date what an older agent-brain wrote; return its words for it, and what could not be read.

    Who is ``hurried`` waits for nobody who writes, and is told that it is read as it is. Does nothing, and costs next to
    nothing, where nothing is to be done. Raise Busy, ReadOnly, NoRoom or Damaged.
    """
    old = _behind(store)
    if old is None:
        return (), ()
    if not hurried:
        found = old.prepare()
    else:
        try:
            with closing(open_to_read(store.url)) as other:
                again = _behind(other)
                found = None if again is None else again.prepare()
        except Busy as error:
            message = f"read as it is, and brought up to date when it is free: {error}"
            return (), (Problem("not-upgraded", message, store.url.partition(":")[2]),)
    return (found.lines, found.problems) if found else ((), ())


def _behind(store: Store) -> SqliteStore | JsonStore | None:
    """Return a store where an older program left something to be carried over."""
    if store.traits.kind == "sqlite":
        from plainbrain.stores.sqlite import SqliteStore

        return store if isinstance(store, SqliteStore) and store.is_behind() else None
    if store.traits.kind == "json":
        from plainbrain.stores.json import JsonStore

        return store if isinstance(store, JsonStore) and store.is_behind() else None
    return None


def open_mirror(environment: Mapping[str, str]) -> Mirror | None:
    """Return the cloud mirror that the environment sets up, or None."""
    if not environment.get("SUPERMEMORY_API_KEY", "") and "AGENT_BRAIN_SUPERMEMORY_SYNC" not in environment:
        return None
    from plainbrain.mirror.supermemory import read_mirror

    return read_mirror(environment, warn=_warn)


def open_remote(environment: Mapping[str, str], cache: Path) -> Remote | None:
    """Return the service that measures likeness, where the environment asks for one; its vectors are kept under ``cache``."""
    if environment.get("AGENT_BRAIN_REMOTE_EMBEDDINGS", "").strip().lower() not in _ON:
        return None
    url = environment.get("AGENT_BRAIN_EMBEDDING_URL", "").strip()
    limit = _whole_number(environment.get("AGENT_BRAIN_REMOTE_EMBEDDING_MAX_ENTRIES", ""), Remote(None, "").limit)
    if not url:
        return Remote(None, "missing_url", limit)
    from plainbrain.embed.cache import VectorCache
    from plainbrain.embed.remote import RemoteEmbedder

    return Remote(RemoteEmbedder(url, environment, cache=VectorCache(cache / "embeddings.db")), "remote_enabled", limit)


def fetch_page(url: str) -> Page:
    """Fetch a page from the web and return its text. Raise Refused, InputError or Unavailable."""
    from plainbrain.fetch.web import fetch

    try:
        from plainbrain.fetch.text import read_page
    except ImportError as error:
        raise Unavailable(
            "reading web pages needs trafilatura", value=url, hint="pip install 'plainbrain[ingest]'"
        ) from error
    return read_page(fetch(url))


def _whole_number(text: str, otherwise: int) -> int:
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else otherwise


def _warn(text: str) -> None:
    print(text, file=sys.stderr)


def open_index(store: Store, cache: Path, *, model: Model | None = None) -> Index:
    """Open the disposable index of a store; one in memory for a store in memory. With a ``model`` it keeps vectors."""

    def make() -> Index:
        from plainbrain.index.sqlite import SqliteIndex

        return SqliteIndex(None if store.traits.kind == "ram" else cache, store.url, model=model, warn=_warn)

    return cast(Index, _WhenAsked(make))


class _WhenAsked:
    """Stand for a part until something is asked of it: many a call never does, and need not load it."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make
        self._made: Any = None

    def __getattr__(self, name: str) -> Any:
        if self._made is None:
            self._made = self._make()
        return getattr(self._made, name)

    def close(self) -> None:
        """Close the part, if it was ever opened."""
        if self._made is not None:
            self._made.close()


def open_embedder(settings: Settings) -> Model | None:
    """Return the model that the settings name, or that was installed here; None where there is none, said when it is broken.

    Cheap: a model is loaded at its first text.
    """
    if not settings.model and not os.path.isdir(models_folder(settings)):
        return None
    from plainbrain.embed import registry

    word = settings.model or registry.chosen(models_folder(settings))
    if not word or word.lower() in registry.OFF:
        return None
    try:
        return registry.open_model(word, models_folder(settings), settings.environment)
    except Unavailable as error:
        _warn(f"{error}; recall goes on with words\n  {error.hint}".rstrip())
        return None


def models_folder(settings: Settings) -> Path:
    """Return where installed models lie: ``BRAIN_MODELS``, else in the user's data folder."""
    named = settings.environment.get("BRAIN_MODELS", "")
    return Path(named).expanduser() if named else settings.data / "models"


def open_models(settings: Settings) -> Installed:
    """Open the models that are installed on this machine."""
    from plainbrain.embed.installed import Installed

    return Installed(models_folder(settings))


def open_history(store: Store) -> FileHistory | None:
    """Open where a store's earlier versions are kept: in a vault's ``.brain``, else in the folder ``FILE.brain`` beside it."""
    return None if store.url.startswith("ram:") else cast("FileHistory", _WhenAsked(lambda: _history_of(store)))


def _history_of(store: Store) -> FileHistory:
    from plainbrain.files.history import FileHistory
    from plainbrain.files.journal import FileJournal

    kind, _, place = store.url.partition(":")
    journal = store.journal
    name = (lambda: journal.machine) if isinstance(journal, FileJournal) else (lambda: "history")
    path = Path(place)
    if kind == "vault":
        return FileHistory(place, (".brain",), name=name)
    return FileHistory(str(path.parent), (f"{path.name}.brain",), name=name)


def watch(store: Store) -> None:
    """Have a store that is a folder notice changes as they happen, where the system can tell of them."""
    if store.traits.folder:
        from plainbrain.stores.vault import VaultStore

        inner = _inmost(store)
        if isinstance(inner, VaultStore):
            inner.watch()


def audit(store: Store, log: str, *, clock: Clock) -> Store:
    """Return the store with the event log at the URL ``log`` beside it, which keeps every mutation. Raise SettingsError."""
    if not log:
        return store
    if not log.startswith("jsonl:"):
        raise SettingsError(f"an audit log is an event log, not {log}", value=log, hint="write --audit jsonl:FILE")
    if log == store.url:
        raise SettingsError("a store cannot be its own audit log", value=log, hint="name another file")
    from plainbrain.stores.audit import AuditedStore

    return AuditedStore(store, open_store(log, clock=clock))


def open_past(url: str, moment: Instant | int) -> Store:
    """Open what an event log held at a moment, or after so many of its lines. Raise NoBrain or a StoreError."""
    from plainbrain.stores.jsonl import JsonlStore

    place = Path(url.partition(":")[2])
    if not place.exists():
        raise NoBrain(f"there is no log at {place}", value=url, hint="name a .jsonl file")
    return JsonlStore(place).as_of(moment)


def compact(store: Store, *, keeps_history: bool) -> Compacted | None:
    """Rewrite a log as its present state; return None for a store that does not grow by its past. Raise a StoreError."""
    if store.traits.kind != "jsonl":
        return None
    from plainbrain.stores.jsonl import JsonlStore

    inner = _inmost(store)
    if not isinstance(inner, JsonlStore):
        return None
    return inner.compact_keeping_history() if keeps_history else inner.compact()


def vector_problems(store: Store) -> list[Problem]:
    """Tell which memories of a log cannot be found by their vector; nothing where no vector can be searched."""
    if store.traits.kind != "jsonl":
        return []
    from plainbrain.stores.jsonl import JsonlStore

    inner = _inmost(store)
    try:
        return inner.vector_problems() if isinstance(inner, JsonlStore) else []
    except Unavailable:
        return []


def _inmost(store: Store) -> Store:
    """Return the store inside its audit or rehearsal."""
    while (inner := getattr(store, "inner", None)) is not None:
        store = inner
    return store


def rehearse(store: Store) -> Store:
    """Return the store as a rehearsal: every write is checked and none is done."""
    from plainbrain.stores.wrappers import RehearsalStore

    return RehearsalStore(store)


def is_rehearsal(store: Store) -> bool:
    """Tell whether a store only pretends to write."""
    from plainbrain.stores.wrappers import RehearsalStore

    return isinstance(store, RehearsalStore)


def guard(store: Store) -> Store:
    """Return the store for reading only."""
    from plainbrain.stores.wrappers import ReadOnlyStore

    return ReadOnlyStore(store)
