"""A ``memory.json`` that we wrote whole, as one text: single entries are found in it and replaced, nothing is cut.

Owns what is quick in a regular text: every entry begins with its id, spelt as we spell it, and no two share one.
Whoever knows that of a text (our section says it, and the digest that nobody touched the rest since) may ask here.
Must not know what an entry says.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from plainbrain.stores.json.text import ENTRIES, OURS, Parts, Spans, outline

Span = tuple[int, int]
#: A text up to our section, in pieces, and where the entries stand in it.
Body = tuple[tuple[bytes | memoryview, ...], Span | None]

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

    def is_worth_looking(self, id: str, *, most: int) -> bool:
        """Tell whether the entry of an id was looked for before, or less than ``most`` were."""
        return len(self._known) < most or id in self._known

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

    def spliced(self, entries: Mapping[str, bytes], sections: Mapping[str, bytes]) -> Body | None:
        """Return the text up to our section with entries put in (an unknown one last) and top-level values replaced.

        None when a value has no place yet, or an entry would be the first.
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
        return self._put_in(sorted(swaps))

    def _put_in(self, swaps: list[tuple[int, int, bytes]]) -> Body:
        whole = memoryview(self.text)
        start, end = self.spans[ENTRIES]
        pieces: list[bytes | memoryview] = []
        here = start_moves = end_moves = 0
        for begin, finish, raw in swaps:
            pieces += (whole[here:begin], raw)
            here = finish
            longer = len(raw) - (finish - begin)
            start_moves += longer if begin < start else 0
            end_moves += longer if begin < end else 0
        return (*pieces, whole[here : self._end_of_rest()]), (start + start_moves, end + end_moves)

    def _end_of_rest(self) -> int:
        """Return where the value before our section ends."""
        return [end for key, (_, end) in self.spans.items() if key != OURS][-1]


def is_regular(parts: Parts, places: Mapping[str, int]) -> bool:
    """Tell whether every entry begins with its id, spelt as we spell it, and no two share one."""
    return len(places) == len(parts.entries) and all(
        lines.startswith(first_line(id)) for id, lines in zip(places, parts.entries, strict=True)
    )


def lay(text: bytes, *, entries: Span) -> Laid | None:
    """Return the text as one whose values are found, ``entries`` telling where those stand.

    None when the layout is another, or our section is not the last.
    """
    start, end = entries
    is_list = text.startswith(b"[" + _OPEN, start) and text.startswith(
        _CLOSE + _LIST_END, end - len(_CLOSE + _LIST_END)
    )
    if not is_list and text[start:end] != b"[]":
        return None
    spans = outline(text, known={ENTRIES: entries})
    if spans is None or spans.get(ENTRIES) != entries or next(reversed(spans)) != OURS or len(spans) < 2:
        return None
    return Laid(text, spans)


def span_of_entries(body: bytes) -> Span | None:
    """Return where the entries stand in a text without our section and its end; None when its layout is another."""
    spans = outline(body + b"\n}")
    return None if spans is None else spans.get(ENTRIES)


def write_span(span: Span) -> str:
    """Return a span as our section keeps it."""
    return f"{span[0]}-{span[1]}"


def read_span(text: object) -> Span | None:
    """Return the span that our section keeps; None where it keeps none."""
    start, dash, end = text.partition("-") if isinstance(text, str) else ("", "", "")
    return (int(start), int(end)) if dash and f"{start}{end}".isdecimal() and start and end else None
