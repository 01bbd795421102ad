"""A ``memory.json`` that we wrote whole, as one text: single entries are found in it and replaced, nothing is cut.

Owns what is quick in a regular text: every entry begins with its id, spelt as we spell it, and no two share one.
Whoever knows that of a text (our section says it, and the digest that nobody touched the rest since) may ask here.
Must not know what an entry says.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from plainbrain.stores.json.text import ENTRIES, OURS, Parts, Spans, outline

_OPEN, _CLOSE, _LIST_END = b"\n    {\n", b"\n    }", b"\n  ]"


def first_line(id: str) -> bytes:
    """Return how a regular entry of that id begins, up to the end of the id."""
    return b'      "id": ' + json.dumps(id).encode("ascii")


class Laid:
    """One regular text, our section at its end. ``spans`` tell where its top-level values stand."""

    __slots__ = ("_known", "spans", "text")

    def __init__(self, text: bytes, spans: Spans) -> None:
        self.text = text
        self.spans = spans
        self._known: dict[str, tuple[int, int] | None] = {}

    def raw(self, key: str) -> bytes | None:
        """Return a top-level value as it is written; None when there is none."""
        span = self.spans.get(key)
        return None if span is None else self.text[span[0] : span[1]]

    def entry(self, id: str) -> bytes | None:
        """Return the lines of an entry; None when there is none of that id."""
        span = self._span(id)
        return None if span is None else self.text[span[0] : span[1]]

    def _span(self, id: str) -> tuple[int, int] | None:
        if id not in self._known:
            self._known[id] = self._look_for(id)
        return self._known[id]

    def _look_for(self, id: str) -> tuple[int, int] | None:
        start, end = self.spans[ENTRIES]
        place = self.text.find(_OPEN + first_line(id), start, end)
        if place < 0:
            return None
        place += len(_OPEN)
        return place, self.text.index(_CLOSE, place)

    def spliced(
        self, entries: Mapping[str, bytes], sections: Mapping[str, bytes]
    ) -> tuple[bytes | memoryview, ...] | None:
        """Return the text up to our section with entries put in (an unknown one last) and top-level values replaced.

        It comes in pieces. None when a value has no place yet, or an entry would be the first.
        """
        swaps: list[tuple[int, int, bytes]] = []
        added: list[bytes] = []
        for id, lines in entries.items():
            span = self._span(id)
            if span is None:
                added.append(b"," + _OPEN + lines + _CLOSE)
            else:
                swaps.append((*span, lines))
        if added:
            _, end = self.spans[ENTRIES]
            if not self.text.startswith(_CLOSE + _LIST_END, end - len(_CLOSE + _LIST_END)):
                return None
            swaps.append((end - len(_LIST_END), end - len(_LIST_END), b"".join(added)))
        for key, raw in sections.items():
            if key not in self.spans or key in (ENTRIES, OURS):
                return None
            swaps.append((*self.spans[key], raw))
        return self._in_pieces(sorted(swaps))

    def _in_pieces(self, swaps: list[tuple[int, int, bytes]]) -> tuple[bytes | memoryview, ...]:
        whole = memoryview(self.text)
        pieces: list[bytes | memoryview] = []
        here = 0
        for start, end, raw in swaps:
            pieces += (whole[here:start], raw)
            here = end
        return *pieces, whole[here : self._end_of_rest()]

    def _end_of_rest(self) -> int:
        """Return where the value before our section ends."""
        return [end for key, (_, end) in self.spans.items() if key != OURS][-1]


def is_regular(parts: Parts, places: Mapping[str, int]) -> bool:
    """Tell whether every entry begins with its id, spelt as we spell it, and no two share one."""
    return len(places) == len(parts.entries) and all(
        lines.startswith(first_line(id)) for id, lines in zip(places, parts.entries, strict=True)
    )


def lay(text: bytes) -> Laid | None:
    """Return the text as one whose values are found; None when its layout is another, or our section is not the last."""
    spans = outline(text)
    if spans is None or ENTRIES not in spans or next(reversed(spans)) != OURS or len(spans) < 2:
        return None
    start, end = spans[ENTRIES]
    is_list = text.startswith(b"[" + _OPEN, start) and text.startswith(_LIST_END, end - len(_LIST_END))
    return Laid(text, spans) if is_list or text[start:end] == b"[]" else None
