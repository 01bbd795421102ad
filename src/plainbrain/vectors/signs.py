"""One bit for each coordinate of many vectors, and a shortlist of the nearest from them.

The bits say on which side of the mean a coordinate lies. The second stage follows the published idea of binary codes with
a query of a few bits (RaBitQ: Gao and Long, 2024), in our own arithmetic.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_PLANES = 4
#: The parts of all rows that pass the first and the second stage, and the least numbers.
_FIRST, _SECOND = 0.20, 0.025
_LEAST_FIRST, _LEAST_SECOND = 12_000, 2_500
_BUILD_BLOCK = 8_192


@dataclass(slots=True)
class Signs:
    """Hold the bits (words of 64, one row of words for each 64 coordinates), and what corrects an estimate by them."""

    mean: NDArray[np.float32]
    words: NDArray[np.uint64]
    ones: NDArray[np.int32]
    scale: NDArray[np.float32]
    built: int

    @classmethod
    def of(cls, rows: NDArray[np.float32], *, room: int) -> Signs:
        """Make the bits of all rows, with room for more."""
        mean = rows.mean(axis=0, dtype=np.float64).astype(np.float32)
        width = -(-rows.shape[1] // 64)
        made = cls(
            mean, np.zeros((width, room), np.uint64), np.zeros(room, np.int32), np.zeros(room, np.float32), len(rows)
        )
        for start in range(0, len(rows), _BUILD_BLOCK):
            made._encode(start, rows[start : start + _BUILD_BLOCK])
        return made

    def _encode(self, start: int, rows: NDArray[np.float32]) -> None:
        middle = rows - self.mean
        end = start + len(rows)
        self.words[:, start:end] = _pack(middle > 0).T
        self.ones[start:end] = (middle > 0).sum(axis=1)
        spread = np.abs(middle).sum(axis=1)
        self.scale[start:end] = (middle * middle).sum(axis=1) / np.where(spread == 0, 1, spread)

    def fits(self, count: int) -> bool:
        """Whether the mean is still that of about the same table."""
        return count <= self.words.shape[1] and self.built / 2 <= count <= self.built * 2

    def with_row(self, row: int, rows: NDArray[np.float32], *, count: int) -> Signs | None:
        """Take a row that changed into account; None when all has to be made anew."""
        if row >= self.words.shape[1] or not self.fits(count):
            return None
        self._encode(row, rows[row : row + 1])
        return self

    def shortlist(
        self, query: NDArray[np.float32], k: int, *, count: int, allowed: NDArray[np.intp] | None
    ) -> NDArray[np.intp]:
        """Return the rows, in no order, among which the ``k`` nearest are very likely to be."""
        words, total = self.words[:, :count], count if allowed is None else len(allowed)
        is_few = total < count // 4
        if allowed is not None and is_few:
            words = words[:, allowed]
        bits = _pack((query > 0)[None, :])[0]
        apart = _sum_bits([words[w] ^ bits[w] for w in range(len(bits))])
        if allowed is not None and not is_few:
            apart = apart[allowed]
        many = min(total, max(_LEAST_FIRST, 20 * k, int(total * _FIRST)))
        near = np.flatnonzero(apart <= np.searchsorted(np.cumsum(np.bincount(apart)), many))
        rows = near if allowed is None else allowed[near]
        few = min(len(rows), max(_LEAST_SECOND, 10 * k, int(total * _SECOND)))
        if few == len(rows):
            return rows
        guess = self._estimate(query, rows)
        return rows[np.argpartition(guess, len(rows) - few)[-few:]]

    def _estimate(self, query: NDArray[np.float32], rows: NDArray[np.intp]) -> NDArray[np.float32]:
        """Estimate the products with the query, up to a sum and a factor that are the same for all rows."""
        half = (2**_PLANES - 1) / 2
        steps = np.clip(np.rint(query / np.abs(query).max() * half + half), 0, 2 * half).astype(np.uint8)
        words = self.words[:, rows]
        agreed = np.zeros(len(rows), np.int32)
        for plane in range(_PLANES):
            bits = _pack(((steps >> plane) & 1).astype(bool)[None, :])[0]
            agreed += _sum_bits([words[w] & bits[w] for w in range(len(bits))]).astype(np.int32) << plane
        agreed += agreed
        agreed -= int(2 * half) * self.ones[rows]
        found = agreed.astype(np.float32)
        found -= np.float32(steps.sum(dtype=np.int64) - half * len(steps))
        found *= self.scale[rows]
        return found


def _pack(bits: NDArray[np.bool_]) -> NDArray[np.uint64]:
    width = -(-bits.shape[1] // 64) * 8
    packed = np.zeros((len(bits), width), np.uint8)
    found = np.packbits(bits, axis=1)
    packed[:, : found.shape[1]] = found
    return packed.view(np.uint64)


def _sum_bits(rows: list[NDArray[np.uint64]]) -> NDArray[np.uint16]:
    total = np.bitwise_count(rows[0]).astype(np.uint16)
    for row in rows[1:]:
        total += np.bitwise_count(row)
    return total
