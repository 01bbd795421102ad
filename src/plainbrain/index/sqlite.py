"""The index over SQLite: kept up with its store, thrown away when in doubt, in memory when it must be.

Owns the life of the index. Promises: no error of the index file reaches the caller; a file that is
missing, damaged or foreign is built anew by one process while others wait for it; a full disk, a
read-only cache or a lack of file handles is never taken for damage, but answered from memory, and said
once. Safe for several threads and processes.
"""

from __future__ import annotations

import sqlite3
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from plainbrain.errors import Unavailable
from plainbrain.index.check import is_sound
from plainbrain.index.connection import Damage, Verdict, judge, open_file, open_memory, reading
from plainbrain.index.counts import Counts
from plainbrain.index.embedding import Embedding, pack
from plainbrain.index.names import look_alikes
from plainbrain.index.place import Place, identity_of, stamp_fits, write_stamp
from plainbrain.index.reader import Reader
from plainbrain.index.shown import Shown
from plainbrain.index.update import Follower
from plainbrain.later import later
from plainbrain.model.hit import Explanation
from plainbrain.model.instants import Instant
from plainbrain.model.memory import Memory
from plainbrain.model.problem import Problem
from plainbrain.model.query import Query
from plainbrain.ports import Model, Progress, Step, Store
from plainbrain.retrieval.auto import AUTO, Like
from plainbrain.retrieval.fusion import RRF
from plainbrain.retrieval.passages import PLAIN, Wording

if TYPE_CHECKING:
    from plainbrain.index import vectors
else:
    vectors = later("plainbrain.index.vectors")  # numpy, where there are vectors

T = TypeVar("T")
#: A model, and how texts are made ready for it.
Meaning = tuple[Model, Wording]
_TRIES = 4
_CHUNK = 500
#: Memories that get their vectors whenever the index catches up: some tenths of a second with a local model.
_AT_ONCE = 48


class _Open:
    """One connection and the file it is on (None: in memory)."""

    def __init__(self, connection: sqlite3.Connection, path: Path | None, meaning: Meaning | None) -> None:
        self.connection = connection
        self.path = path
        self.identity = identity_of(path) if path else None
        counts = Counts()
        self.follower = Follower(connection, path, counts)
        self.reader = Reader(connection, counts)
        self.embedding = Embedding(connection, *meaning) if meaning else None
        self.shelf: vectors.Shelf | None = None
        #: Closes at the end of the process too: SQLite then tidies the file, and the stamp must follow.
        self.close = weakref.finalize(self, _close, connection, path, self.identity)


class SqliteIndex:
    """Find memories of one store through an SQLite file under ``folder``; ``url`` names the store.

    Without a folder the index lives in memory: for a store that does so too. With a ``model`` it keeps vectors as well; one that fails is named once, and words go on.
    """

    def __init__(
        self,
        folder: Path | None,
        url: str,
        *,
        model: Model | None = None,
        wording: Wording = PLAIN,
        warn: Callable[[str], None] | None = None,
    ) -> None:
        self._warn = warn
        self._meaning: Meaning | None = (model, wording) if model is not None else None
        self._place = Place(folder or Path(), url)
        self._lock = threading.RLock()
        self._open: _Open | None = None
        self._store: Store | None = None
        self._why_in_memory = "" if folder else "it was given no folder"
        self._say: list[Problem] = []

    @property
    def in_memory(self) -> bool:
        """Whether the index lives in memory because its file cannot be used."""
        return bool(self._why_in_memory)

    def catch_up(self, store: Store, *, progress: Progress | None = None) -> tuple[Problem, ...]:
        """Bring the index to the state of the store; return the problems that stand in the store now."""
        with self._lock:
            self._store = store
            problems = self._work(lambda at: at.follower.catch_up(store, progress=progress), fresh=True)
            if self._meaning is not None:
                self.embed_some(store, _AT_ONCE)
                problems += self._work(lambda at: at.embedding.problems() if at.embedding else [], fresh=False)
            said, self._say = self._say, []
            return (*problems, *said)

    def follows(self, store: Store) -> bool:
        """Tell whether the index was brought to a state of this very store before."""
        return self._store is store

    def search(self, query: Query, *, now: Instant) -> tuple[list[tuple[str, float, Explanation]], int]:
        """Return ``(id, score, why)`` of the best for ``query``, best first, and how many matched in all."""
        with self._lock:
            if self._meaning is not None and query.profile in (AUTO, RRF):
                found = self._compare(lambda at, shelf: at.reader.search(query, now=now, near=_Near(self, shelf)), None)
                if found is not None:
                    return found
            return self._read(lambda reader: reader.search(query, now=now))

    def cards(self, ids: Sequence[str]) -> dict[str, Memory]:
        """Return what the index knows of those of ``ids`` that are there, in their order."""
        with self._lock:  # one statement sees one state by itself
            return self._work(lambda at: at.reader.cards(ids), fresh=False)

    def find(self, query: Query, *, now: Instant | None = None) -> Iterator[Memory]:
        """Yield the card of all that pass the filters of ``query`` (its text is not looked at), oldest first; without ``now`` nothing has expired."""
        docs = self._read(lambda reader: reader.matching(query, now=now))
        for at in range(0, len(docs), _CHUNK):
            yield from self._cards_of(docs[at : at + _CHUNK])

    def _cards_of(self, docs: Sequence[int]) -> list[Memory]:
        return self._read(lambda reader: list(reader.cards_of(docs)))

    def lengths(self, ids: Sequence[str]) -> dict[str, int]:
        """Return how long the texts of memories are, in characters of their words."""
        with self._lock:
            return self._work(lambda at: at.reader.lengths(ids), fresh=False)

    def themes(self, query: Query, *, now: Instant | None = None) -> list[tuple[str, int]]:
        """Return every theme with how many of its memories pass the filters of ``query``, by name."""
        return self._read(lambda reader: reader.themes(query, now=now))

    def said(self, field: str) -> Iterator[tuple[str, list[Any]]]:
        """Yield ``(id, value)`` of all that say something in ``files`` or ``rejected``, but what is quarantined."""
        yield from self._read(lambda reader: reader.said(field))

    def backlinks(self, id: str) -> list[tuple[str, str]]:
        """Return ``(id, relation)`` of the memories that point at ``id``."""
        return self._read(lambda reader: reader.backlinks(id))

    def names(self, name: str) -> list[str]:
        """Return ids that look like ``name``, best first."""
        return look_alikes(name, self._read(lambda reader: reader.ids_and_titles()))

    # vectors

    def embed_some(self, store: Store, limit: int) -> Step:
        """Give at most ``limit`` memories their vectors. Without a model, or after it failed, nothing is done."""

        def step(at: _Open) -> Step:
            return at.embedding.step(store, limit) if at.embedding is not None else Step(0, 0, 0)

        with self._lock:
            try:
                return self._work(step, fresh=True) if self._meaning else Step(0, 0, 0)
            except Unavailable as error:
                self._go_without(error)
                return Step(0, 0, 0)

    def embed_query(self, text: str) -> list[float] | None:
        """Return the vector of a question; None without a model, after it failed, or when it gives no direction."""
        with self._lock:
            if self._meaning is None:
                return None
            try:
                vector = self._meaning[0].embed_query(text)
            except Unavailable as error:
                self._go_without(error)
                return None
            return vector if pack(vector) is not None else None

    def similar(
        self, vector: Sequence[float], k: int, *, among: Query | None = None, now: Instant | None = None
    ) -> dict[str, vectors.Likeness]:
        """Return by id the memories most like a question's vector: the best ``k`` alone, and ``k`` with what came before.

        ``among`` narrows by its filters. Nothing comes back without a model. Raise InvalidField for a vector that
        cannot be compared.
        """

        def ask(at: _Open, shelf: vectors.Shelf) -> dict[str, vectors.Likeness]:
            docs = None if among is None else at.reader.matching(among, now=now)
            return shelf.similar(vector, k, among=docs)

        return self._compare(ask, {})

    def likeness(self, vector: Sequence[float], ids: Sequence[str]) -> dict[str, vectors.Likeness]:
        """Return how like a question's vector memories are; one without a vector is left out. Raise InvalidField."""
        return self._compare(lambda _, shelf: shelf.likeness(vector, ids), {})

    def spread(self, vector: Sequence[float]) -> vectors.Spread | None:
        """Return mean and deviation of all cosines with a question's vector; None without vectors. Raise InvalidField."""
        return self._compare(lambda _, shelf: shelf.spread(vector) if len(shelf) else None, None)

    def _compare(self, ask: Callable[[_Open, vectors.Shelf], T], otherwise: T) -> T:
        def answer(at: _Open) -> T:
            if at.embedding is None or not at.embedding.is_ours():
                return otherwise
            if at.shelf is None:
                at.shelf = vectors.Shelf(at.connection)
            with reading(at.connection):
                at.shelf.follow()
                return ask(at, at.shelf)

        with self._lock:
            return self._work(answer, fresh=False) if self._meaning else otherwise

    def _go_without(self, error: Unavailable) -> None:
        """Leave the model out from here on, and say so once."""
        self._meaning = None
        if self._open is not None:
            self._open.embedding = self._open.shelf = None
        self._say.append(Problem("no-model", f"{error}; recall goes on with words", hint=error.hint))
        if self._warn is not None:
            self._warn(f"{error}; recall goes on with words\n  {error.hint}".rstrip())

    def close(self) -> None:
        """Let go of the files. The next call opens them again."""
        with self._lock:
            self._drop()

    def _read(self, question: Callable[[Reader], T]) -> T:
        def ask(at: _Open) -> T:
            with reading(at.connection):
                return question(at.reader)

        with self._lock:
            return self._work(ask, fresh=False)

    def _work(self, work: Callable[[_Open], T], *, fresh: bool) -> T:
        """Do ``work``, with a new file after damage and in memory when no file can be used."""
        for _ in range(_TRIES):
            try:  # Catching up looks for the file in use; what follows asks the one that it found.
                at = self._open if self._open is not None and not fresh else self._opened()
                if not fresh and self._store is not None and not at.follower.is_built():
                    at.follower.catch_up(self._store)
                return work(at)
            except (sqlite3.Error, OSError) as error:
                self._recover(error)
        self._to_memory("it cannot be kept whole")
        at = self._opened()
        if not fresh and self._store is not None:
            at.follower.catch_up(self._store)
        return work(at)

    def _recover(self, error: sqlite3.Error | OSError) -> None:
        path = self._open.path if self._open else None
        verdict = judge(error) if isinstance(error, sqlite3.Error) else Verdict.UNUSABLE
        self._drop()
        if isinstance(error, FileNotFoundError):
            return  # deleted while we looked: the next try begins a new one
        if verdict is Verdict.DAMAGED and not self._why_in_memory:
            try:
                self._place.begin_next(path or self._place.newest())
            except OSError as trouble:
                self._to_memory(str(trouble))
        else:
            self._to_memory(str(error))

    def _to_memory(self, why: str) -> None:
        self._drop()
        if not self._why_in_memory:
            self._why_in_memory = why
            self._say.append(
                Problem(
                    "index-in-memory",
                    f"the index cannot be kept on disk ({why}); it is made anew in memory each time",
                    path=str(self._place.folder),
                    hint="free some space, or make the cache folder writable",
                )
            )

    def _opened(self) -> _Open:
        """Return the open index: the one at hand while its file is the one in use, else a new one."""
        if self._why_in_memory:
            if self._open is None:
                self._open = _Open(open_memory(), None, self._meaning)
            return self._open
        path = self._place.newest()
        if self._open is not None:
            if path == self._open.path and path and identity_of(path) == self._open.identity:
                return self._open
            path = path if path != self._open.path else None
            after = self._open.path
            self._drop()
            path = path or self._place.begin_next(after)
        path = path or self._place.begin_next(None)
        self._open = _Open(_open_checked(path), path, self._meaning)
        self._place.sweep(path)
        return self._open

    def _drop(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None


class _Near:
    """The vectors of an index and its model, as the ranking asks for them."""

    def __init__(self, index: SqliteIndex, shelf: vectors.Shelf) -> None:
        self._index, self._shelf = index, shelf
        self._vector: list[float] | None = None

    def nearest(self, asked: str, k: int, *, shown: Shown) -> list[int]:
        """Return documents among which are the ``k`` of those shown most like the question ``asked``; none without a vector."""
        self._vector = self._index.embed_query(asked) if len(self._shelf) else None
        return self._shelf.nearest(self._vector, k, shown=shown) if self._vector else []

    def measure(self, docs: Sequence[int]) -> dict[int, Like] | None:
        """Return how like that question documents are; None when it has no vector."""
        if not self._vector:
            return None
        measured = self._shelf.measure(self._vector, docs)
        return {doc: Like(one.own, one.context, one.start, one.stop) for doc, one in measured.items()}


def _open_checked(path: Path) -> sqlite3.Connection:
    """Open a file; look at it closely when it is not as its last writer left it. Raise Damage."""
    doubtful = path.stat().st_size > 0 and not stamp_fits(path)
    connection = open_file(path)
    try:
        # What was never written whole is not believed anyway, and its builder may be at work.
        if doubtful and Follower(connection, path).is_built():
            if not is_sound(connection):
                raise Damage("the index is not what was written")
            write_stamp(path)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _close(connection: sqlite3.Connection, path: Path | None, identity: tuple[int, int] | None) -> None:
    believed = path is not None and stamp_fits(path)
    connection.close()
    if path is not None and believed and identity_of(path) == identity:
        write_stamp(path)
