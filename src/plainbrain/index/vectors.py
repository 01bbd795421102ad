"""The vectors of an index in memory, ready to be compared with a question's.

Owns the way from the index file to two tables of unit vectors: of passages alone, and of memories with what came
before them. Promises to follow the file, whoever writes it, by what moved since last time. Needs numpy.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from plainbrain.errors import InvalidField
from plainbrain.index.connection import Damage
from plainbrain.index.embedding import CONTEXT, OWN, value_of
from plainbrain.index.shown import Shown
from plainbrain.vectors.table import Floats, Labels, Mask, VectorTable, Wanted, unit

#: Rows that tell how the cosines of a question are spread.
_SAMPLE = 2000
#: Passages looked at for each memory that is wanted, at first: a long note must not take all the places.
_PASSAGES = 3
#: One in so many of the nearest may be hidden before all that is shown is listed.
_HIDDEN = 4
#: Digits of a cosine that count: what lies beyond depends on where in the table a row stands.
_DIGITS = 6
#: How far from one the length of a vector of sixteen-bit numbers may be.
_SLACK = 0.02
_ROWS = "SELECT doc, part, data FROM passage CROSS JOIN vector ON vector.vector = passage.vector WHERE data IS NOT NULL"


@dataclass(frozen=True, slots=True)
class Likeness:
    """Say how like a question a memory is: cosines -1..1, and where in its content the nearest passage stands.

    ``start`` and ``stop`` are both 0 for a memory that is one passage. ``context`` is that of the memory with what came before; without anything before it, the same as ``own``.
    """

    own: float
    context: float
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Spread:
    """Say how the cosines of all memories with a question lie: their mean and their deviation."""

    mean: float
    deviation: float


class Shelf:
    """Hold the vectors of one index file; one thread at a time."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._space: object = None
        self._stamp = -1
        self._tables = {OWN: VectorTable(0), CONTEXT: VectorTable(0)}
        self._parts: dict[int, list[tuple[int, str]]] = {}
        self._sample: tuple[int, Floats] | None = None

    def __len__(self) -> int:
        return len(self._tables[OWN])

    def follow(self) -> None:
        """Bring the tables to the state of the file. Raise sqlite3.Error (Damage for what is no vector)."""
        space = (value_of(self._db, "vector_space"), value_of(self._db, "vector_dimensions"))
        first, last = self._db.execute(
            "SELECT (SELECT min(stamp) FROM moved), (SELECT max(stamp) FROM moved)"
        ).fetchone()
        if space == self._space and (last or 0) == self._stamp:
            return
        rows = self._db.execute("SELECT DISTINCT doc FROM moved WHERE stamp > ?", (self._stamp,)).fetchall()
        if space != self._space or first is None or first > self._stamp + 1 or len(rows) > len(self) // 4:
            self._load(int(space[1] or 0))
        else:
            self._renew([doc for (doc,) in rows])
        self._space, self._stamp, self._sample = space, last or 0, None

    def similar(self, vector: Sequence[float], k: int, *, among: Collection[int] | None = None) -> dict[str, Likeness]:
        """Return by id the ``k`` memories that are most like a question by either kind, and how like each is.

        ``among`` narrows to documents of these numbers. Raise InvalidField for a vector that cannot be compared.
        """
        query = self._query(vector)
        if query is None:
            return {}
        docs = self._nearest(query, k, among)
        measured = self._measured(query, docs)
        ids = {doc: id for doc in docs for (id,) in self._db.execute("SELECT id FROM doc WHERE doc = ?", (doc,))}
        return {ids[doc]: like for doc, like in measured.items() if doc in ids}

    def likeness(self, vector: Sequence[float], ids: Iterable[str]) -> dict[str, Likeness]:
        """Return how like a question memories are; one without a vector is left out. Raise InvalidField."""
        query = self._query(vector)
        if query is None:
            return {}
        docs: dict[int, str] = {}
        for id in ids:
            with suppress(UnicodeEncodeError):  # such an id was never written
                docs.update((doc, id) for (doc,) in self._db.execute("SELECT doc FROM doc WHERE id = ?", (id,)))
        return {docs[doc]: like for doc, like in self._measured(query, docs).items()}

    def measure(self, vector: Sequence[float], docs: Iterable[int]) -> dict[int, Likeness]:
        """Return how like a question documents are, by number; one without a vector is left out. Raise InvalidField."""
        query = self._query(vector)
        return {} if query is None else self._measured(query, docs)

    def nearest(self, vector: Sequence[float], k: int, *, shown: Shown) -> list[int]:
        """Return the documents among which are the ``k`` of those ``shown`` that are most like a question by either kind.

        Raise InvalidField.
        """
        query = self._query(vector)
        if query is None:
            return []
        found = [doc for kind in self._tables for doc in self._nearest_shown(query, k, kind=kind, shown=shown)]
        return list(dict.fromkeys(found))

    def _nearest_shown(self, query: Floats, k: int, *, kind: int, shown: Shown) -> list[int]:
        """Return the nearest by one kind. Most filters hide few: a few more are looked at before all that pass are listed."""
        wide = k + k // _HIDDEN
        near = self._nearest_of(query, wide, kind=kind)
        passing = shown.among(near)
        if len(passing) >= k or len(near) < wide:
            return passing[:k]
        return self._nearest_of(query, k, kind=kind, allowed=shown.all())

    def _nearest(self, query: Floats, k: int, among: Collection[int] | None) -> list[int]:
        found = [doc for kind in self._tables for doc in self._nearest_of(query, k, kind=kind, allowed=among)]
        return list(dict.fromkeys(found))

    def _nearest_of(self, query: Floats, k: int, *, kind: int, allowed: Collection[int] | None = None) -> list[int]:
        """Return the documents nearest by one kind, nearest first: ``k``, or fewer where no more are there."""
        table = self._tables[kind]
        wanted = None if allowed is None else _only(allowed)
        many = k * _PASSAGES if kind == OWN and len(table) > len(self._parts) else k
        while True:
            near = table.search(query, many, wanted=wanted)
            docs = list(dict.fromkeys(int(one.id.partition(".")[0]) for one in near))
            if len(docs) >= k or len(near) < many:
                return docs[:k]
            many *= 4  # one long note holds the places

    def spread(self, vector: Sequence[float]) -> Spread:
        """Return how the cosines of all passages lie, by a sample of evenly spaced rows. Raise InvalidField."""
        query = self._query(vector)
        if query is None:
            return Spread(0.0, 0.0)
        if self._sample is None:
            rows = self._tables[OWN].rows
            self._sample = (len(rows), np.ascontiguousarray(rows[:: max(1, len(rows) // _SAMPLE)]))
        cosines = self._sample[1] @ query
        return Spread(float(cosines.mean()), float(cosines.std()))

    def _query(self, vector: Sequence[float]) -> Floats | None:
        """Return a question's vector; None when there is nothing to compare it with."""
        found = unit(vector)
        if found is None:
            raise InvalidField("a vector without a direction cannot be compared", value=len(vector))
        if not len(self):
            return None
        if len(found) != self._tables[OWN].dimensions:
            have = self._tables[OWN].dimensions
            message = f"the question's vector has {len(found)} numbers, those of the memories have {have}"
            raise InvalidField(message, value=len(found), hint="embed both with one model")
        return found

    def _measured(self, query: Floats, docs: Iterable[int]) -> dict[int, Likeness]:
        own, context = self._tables[OWN], self._tables[CONTEXT]
        known = [doc for doc in docs if doc in self._parts]
        names = [name for doc in known for kind, name in self._parts[doc] if kind == OWN]
        cosines = dict(zip(names, _rounded(own.scores(names, query)), strict=True))
        with_context = [doc for doc in known if f"{doc}.0" in context]
        scores = context.scores([f"{doc}.0" for doc in with_context], query)
        told = dict(zip(with_context, _rounded(scores), strict=True))
        found = {}
        for doc in known:
            parts = [(cosines[name], name) for kind, name in self._parts[doc] if kind == OWN]
            if parts:
                best, name = max(parts, key=lambda one: one[0])
                place = self._place(name) if len(parts) > 1 else (0, 0)
                found[doc] = Likeness(best, told.get(doc, best), *place)
        return found

    def _place(self, name: str) -> tuple[int, int]:
        doc, _, part = name.partition(".")
        sql = f"SELECT start, stop FROM passage WHERE doc = ? AND kind = {OWN} AND part = ?"
        row = self._db.execute(sql, (int(doc), int(part))).fetchone()
        return (row[0], row[1]) if row else (0, 0)

    # following

    def _load(self, dimensions: int) -> None:
        self._parts = defaultdict(list)
        for kind in self._tables:
            table = self._tables[kind] = VectorTable(dimensions)
            rows = self._db.execute(f"{_ROWS} AND kind = ? ORDER BY doc, part", (kind,)).fetchall()
            if rows:
                labels = np.fromiter((doc for doc, _, _ in rows), np.int32, len(rows))
                names = [f"{doc}.{part}" for doc, part, _ in rows]
                table.fill(names, _unpack([data for _, _, data in rows], dimensions), labels)
                for name, (doc, _, _) in zip(names, rows, strict=True):
                    self._parts[doc].append((kind, name))

    def _renew(self, docs: Sequence[int]) -> None:
        for doc in docs:
            for kind, name in self._parts.pop(doc, ()):
                self._tables[kind].remove(name)
            for kind, table in self._tables.items():
                rows = self._db.execute(f"{_ROWS} AND doc = ? AND kind = ?", (doc, kind)).fetchall()
                for _, part, data in rows:
                    name = f"{doc}.{part}"
                    table.set(name, _unpack([data], table.dimensions)[0], label=doc)
                    self._parts.setdefault(doc, []).append((kind, name))


def _rounded(cosines: Iterable[float]) -> list[float]:
    return [round(cosine, _DIGITS) for cosine in cosines]


def _only(allowed: Collection[int]) -> Wanted:
    """Return what tells of labels whether they are among ``allowed``."""
    numbers = np.fromiter(allowed, np.int32, len(allowed))
    flags = np.zeros(int(numbers.max(initial=0)) + 1, np.bool_)
    flags[numbers] = True

    def wanted(labels: Labels) -> Mask:
        known = labels < len(flags)
        return np.asarray(known & flags[np.where(known, labels, 0)])

    return wanted


def _unpack(blobs: Sequence[bytes], dimensions: int) -> Floats:
    """Return kept vectors as rows. Raise Damage for what was never kept."""
    data = b"".join(blobs)
    if not dimensions or len(data) != 2 * dimensions * len(blobs):
        raise Damage("a vector of another length than the others")
    rows = np.frombuffer(data, "<f2").astype(np.float32).reshape(len(blobs), dimensions)
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    if not (np.abs(lengths - 1) < _SLACK).all():
        raise Damage("a vector that is not at length one")
    rows /= lengths[:, None]
    return rows
