"""A table of unit vectors in one contiguous array, searched by cosine.

Up to 20 000 rows every row is compared. Above that a shortlist is made from the signs of the coordinates (one bit each,
around the mean of the table): first by how many bits agree, then by the query's coordinates in four bits against
those bits, which ranks far better; what is left is compared exactly. Scores are always exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plainbrain.vectors.signs import Signs

Floats = NDArray[np.float32]
Labels = NDArray[np.int32]
Mask = NDArray[np.bool_]
Wanted = Callable[[Labels], Mask]

EXACT_UP_TO = 20_000
#: Rows multiplied at a time: larger products wake the linear algebra library's threads, which cost more than they give.
_BLOCK = 512


@dataclass(frozen=True, slots=True)
class Near:
    """A row that was found: its id and its cosine with the query, -1..1."""

    id: str
    cosine: float


def unit(vector: Sequence[float] | Floats) -> Floats | None:
    """Return the vector at length one, or None for one that has no direction (zero, NaN, infinite, empty)."""
    try:
        found = np.asarray(vector, dtype=np.float64)
    except (TypeError, ValueError):
        return None
    if found.ndim != 1 or not found.size or not np.isfinite(found).all():
        return None
    largest = float(np.abs(found).max())
    if largest == 0.0:
        return None
    found = found / largest  # so that squares neither vanish nor overflow
    return np.ascontiguousarray(found / np.linalg.norm(found), dtype=np.float32)


class VectorTable:
    """Hold unit vectors of one length, each with an id and a label that a search can go by."""

    def __init__(self, dimensions: int) -> None:
        self.dimensions = dimensions
        self.ids: list[str] = []
        self._row_of: dict[str, int] = {}
        self._rows: Floats = np.empty((0, dimensions), dtype=np.float32)
        self._labels: Labels = np.empty(0, dtype=np.int32)
        self._signs: Signs | None = None

    def __len__(self) -> int:
        return len(self.ids)

    def __contains__(self, id: str) -> bool:
        return id in self._row_of

    @property
    def rows(self) -> Floats:
        """The vectors, in the order of ``ids``."""
        return self._rows[: len(self.ids)]

    @property
    def labels(self) -> Labels:
        """The labels, in the order of ``ids``."""
        return self._labels[: len(self.ids)]

    def fill(self, ids: list[str], rows: Floats, labels: Labels) -> None:
        """Take over a whole table of unit vectors; the arrays are the table's from then on."""
        self.ids, self._rows, self._labels = ids, rows, labels
        self._row_of = {id: row for row, id in enumerate(ids)}
        self._signs = None

    def set(self, id: str, vector: Floats, *, label: int = 0) -> None:
        """Add or replace the unit vector of ``id``."""
        row = self._row_of.get(id)
        if row is None:
            row = len(self.ids)
            self._grow(row + 1)
            self.ids.append(id)
            self._row_of[id] = row
        self._rows[row] = vector
        self._labels[row] = label
        if self._signs is not None:
            self._signs = self._signs.with_row(row, self._rows, count=len(self.ids))

    def _grow(self, size: int) -> None:
        if size <= len(self._rows):
            return
        room = max(64, size + size // 2)
        rows, labels = np.empty((room, self.dimensions), np.float32), np.zeros(room, np.int32)
        rows[: len(self.ids)], labels[: len(self.ids)] = self.rows, self.labels
        self._rows, self._labels = rows, labels

    def remove(self, id: str) -> None:
        """Take a vector away; harmless when it is not there."""
        row = self._row_of.pop(id, None)
        if row is None:
            return
        last = len(self.ids) - 1
        if row != last:
            moved = self.ids[last]
            self.ids[row], self._row_of[moved] = moved, row
            self._rows[row], self._labels[row] = self._rows[last], self._labels[last]
            if self._signs is not None:
                self._signs = self._signs.with_row(row, self._rows, count=last)
        self.ids.pop()

    def search(self, query: Floats, k: int, *, wanted: Wanted | None = None) -> list[Near]:
        """Return the ``k`` nearest rows to a unit vector, nearest first; equal ones in the order of the table."""
        allowed = None if wanted is None else np.flatnonzero(wanted(self.labels))
        if allowed is not None and len(allowed) == len(self.ids):
            allowed = None
        count = len(self.ids) if allowed is None else len(allowed)
        if not count or k <= 0:
            return []
        if count <= EXACT_UP_TO or k > count // 100:
            found = allowed if allowed is not None else np.arange(count)
            scores = _products(self._rows, found, query)
        else:
            if self._signs is None or not self._signs.fits(len(self.ids)):
                self._signs = Signs.of(self.rows, room=len(self._rows))
            found = np.sort(self._signs.shortlist(query, k, count=len(self.ids), allowed=allowed))
            scores = _products(self._rows, found, query)
        best = np.argpartition(-scores, k - 1)[:k] if k < len(scores) else np.arange(len(scores))
        best = best[np.lexsort((found[best], -scores[best]))]
        return [Near(self.ids[int(found[i])], float(min(1.0, max(-1.0, scores[i])))) for i in best]

    def scores(self, ids: Sequence[str], query: Floats) -> list[float]:
        """Return the cosine of each of ``ids`` (all in the table) with a unit vector. Raise KeyError."""
        if not ids:
            return []
        rows = np.fromiter((self._row_of[id] for id in ids), np.intp, len(ids))
        found: list[float] = (self._rows[rows] @ query).tolist()
        return found

    def cosine(self, one: str, other: str) -> float | None:
        """Return the cosine of two rows, None when one is not there."""
        a, b = self._row_of.get(one), self._row_of.get(other)
        return None if a is None or b is None else float(self._rows[a] @ self._rows[b])


def _products(rows: Floats, which: NDArray[np.intp], query: Floats) -> Floats:
    scores = np.empty(len(which), dtype=np.float32)
    for start in range(0, len(which), _BLOCK):
        block = which[start : start + _BLOCK]
        first, last = int(block[0]), int(block[-1])
        part = rows[first : last + 1] if last - first + 1 == len(block) else rows[block]
        scores[start : start + len(block)] = part @ query
    return scores
