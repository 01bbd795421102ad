"""A long text in pieces that its successors share: putting something in copies none of the rest.

Owns nothing but the pieces. Must not know what the text says.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate

#: Some bytes, and which part of them is meant.
Piece = tuple[bytes, int, int]


class Rope:
    """Hold a text; places count its bytes."""

    __slots__ = ("_pieces", "_starts", "size")

    def __init__(self, pieces: Iterable[Piece]) -> None:
        self._pieces = [piece for piece in pieces if piece[1] < piece[2]]
        self._starts = list(accumulate((end - start for _, start, end in self._pieces), initial=0))
        self.size = self._starts.pop()

    def views(self) -> list[memoryview]:
        """Return the text piece by piece."""
        return [memoryview(data)[start:end] for data, start, end in self._pieces]

    def slices(self, start: int, end: int) -> list[Piece]:
        """Return the pieces of a part."""
        found: list[Piece] = []
        at = max(0, bisect_right(self._starts, start) - 1)
        while at < len(self._pieces) and self._starts[at] < end:
            data, low, high = self._pieces[at]
            shift = low - self._starts[at]
            found.append((data, max(low, start + shift), min(high, end + shift)))
            at += 1
        return found

    def part(self, start: int, end: int) -> bytes:
        """Return a part as bytes."""
        return b"".join([data[low:high] for data, low, high in self.slices(start, end)])

    def until(self, mark: bytes, start: int) -> int:
        """Return where ``mark`` next stands in the piece that holds ``start``; where there is none, the end of the piece."""
        at = bisect_right(self._starts, start) - 1
        data, low, high = self._pieces[at]
        shift = low - self._starts[at]
        found = data.find(mark, start + shift, high)
        return (high if found < 0 else found) - shift

    def whole(self) -> bytes:
        """Return the text as bytes, and hold it as that from now on."""
        if len(self._pieces) != 1 or self._pieces[0][1:] != (0, len(self._pieces[0][0])):
            data = b"".join(self.views())
            self._pieces, self._starts = [(data, 0, len(data))], [0]
        return self._pieces[0][0]


def rope_of(*texts: bytes) -> Rope:
    """Return texts one after the other as a rope."""
    return Rope((text, 0, len(text)) for text in texts)
