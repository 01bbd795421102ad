"""A ``memory.json`` that we wrote whole, as one text: single entries are found in it and replaced, nothing is cut.

Owns what is quick in a regular text: every entry begins with its id, spelt as we spell it, and no two share one.
Whoever knows that of a text (our section says it, and the digest that nobody touched the rest since) may ask here.
Must not know what an entry says.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from json.encoder import encode_basestring_ascii

from plainbrain.stores.json.rope import Piece, Rope, rope_of
from plainbrain.stores.json.text import BEFORE_OURS, ENTRIES, OURS, Parts, Spans, outline

Span = tuple[int, int]
_OPEN, _CLOSE, _LIST_END = b"\n    {\n", b"\n    }", b"\n  ]"
_HEAD = b'      "id": '
_BETWEEN = _CLOSE + b"," + _OPEN


def first_line(id: str) -> bytes:
    """Return how a regular entry of that id begins, up to the end of the id."""
    return _HEAD + encode_basestring_ascii(id).encode("ascii")


class Laid:
    """One regular text. ``spans`` tell where its top-level values stand, our section, at its end, among them or not yet."""

    __slots__ = ("_index", "_known", "rope", "spans")

    def __init__(self, rope: Rope, spans: Spans, *, index: dict[str, int] | None = None) -> None:
        self.rope = rope
        self.spans = spans
        self._known: dict[str, int | None] = {}
        self._index = index

    def raw(self, key: str) -> bytes | None:
        """Return a top-level value as it is written; None when there is none."""
        span = self.spans.get(key)
        return None if span is None else self.rope.part(*span)

    def has(self, id: str) -> bool:
        """Tell whether there is an entry of that id."""
        return self._place(id) is not None

    def entry(self, id: str) -> bytes | None:
        """Return the lines of an entry; None when there is none of that id."""
        span = self._span(id)
        return None if span is None else self.rope.part(*span)

    def ids(self) -> Iterable[str]:
        """Return the ids of all entries, in the order of the text."""
        return self._places().keys()

    def blocks(self) -> Iterator[bytes]:
        """Yield the lines of the entries in order, some hundreds at a time, braces between them."""
        text, (start, end) = self.rope.whole(), self.spans[ENTRIES]
        here, end = start + len(b"[" + _OPEN), end - len(_CLOSE + _LIST_END)
        while here < end:
            cut = text.find(_BETWEEN, min(end, here + _BLOCK), end)
            cut = end if cut < 0 else cut
            yield text[here:cut]
            here = cut + len(_BETWEEN)

    def get_ready(self) -> None:
        """Find the places of all entries now, for many are about to be asked for."""
        self._places()

    def _span(self, id: str) -> Span | None:
        place = self._place(id)
        if place is None:
            return None
        place += self.spans[ENTRIES][0]
        return place, self.rope.until(_CLOSE, place)

    def _place(self, id: str) -> int | None:
        """Return where the lines of an entry begin, counted from the beginning of the entries."""
        if self._index is not None or (len(self._known) >= _FEW and id not in self._known):
            return self._places().get(id)
        if id not in self._known:
            self._known[id] = self._look_for(id)
        return self._known[id]

    def _look_for(self, id: str) -> int | None:
        start, end = self.spans[ENTRIES]
        place = self.rope.whole().find(_OPEN + first_line(id), start, end)
        return None if place < 0 else place + len(_OPEN) - start

    def _places(self) -> dict[str, int]:
        if self._index is None:
            text, (start, end) = self.rope.whole(), self.spans[ENTRIES]
            mark = _OPEN + _HEAD
            self._index = {}
            here = text.find(mark, start, end)
            while here >= 0:  # a part at a time: what is cut out is held twice
                after = text.find(mark, here + _PART, end)
                _, *entries = text[here : after if after >= 0 else end].split(mark)
                ids = _ids_of([entry[: entry.index(b"\n")] for entry in entries])
                sizes = [len(mark) + len(entry) for entry in entries]
                self._index.update(zip(ids, accumulate(sizes, initial=here + len(_OPEN) - start), strict=False))
                here = after
        return self._index

    def spliced(self, entries: Mapping[str, bytes], sections: Mapping[str, bytes]) -> Laid | None:
        """Return the text without our section, entries put in (an unknown one last) and top-level values replaced.

        None when a value has no place yet, or an entry would be the first.
        """
        if any(key not in self.spans or key in (ENTRIES, OURS) for key in sections):
            return None
        swaps = [(*self.spans[key], raw) for key, raw in sections.items()]
        index, (start, end) = self._index, self.spans[ENTRIES]
        added: list[bytes] = []
        last = end - len(_LIST_END)
        place = last - start
        for id, lines in entries.items():
            span = self._span(id)
            if span is not None:
                swaps.append((*span, lines))
                index = None  # what stands behind it moves
                continue
            if not added and self.rope.part(last - len(_CLOSE), end) != _CLOSE + _LIST_END:
                return None
            if index is not None:
                index = dict(index) if index is self._index else index
                index[id] = place + len(b"," + _OPEN)
            added.append(b"".join((b",", _OPEN, lines, _CLOSE)))
            place += len(added[-1])
        if added:
            swaps.append((last, last, b"".join(added)))
        return self._put_in(sorted(swaps), index)

    def _put_in(self, swaps: list[tuple[int, int, bytes]], index: dict[str, int] | None) -> Laid:
        pieces: list[Piece] = []
        here = 0
        for begin, finish, raw in swaps:
            pieces += (*self.rope.slices(here, begin), (raw, 0, len(raw)))
            here = finish
        kept = {key: span for key, span in self.spans.items() if key != OURS}
        pieces += self.rope.slices(here, [end for _, end in kept.values()][-1])
        longer = [(begin, len(raw) - (finish - begin)) for begin, finish, raw in swaps]
        spans = {
            key: (
                start + sum(more for begin, more in longer if begin < start),
                end + sum(more for begin, more in longer if begin < end),
            )
            for key, (start, end) in kept.items()
        }
        return Laid(Rope(pieces), spans, index=index)

    def ended(self, section: bytes) -> Laid:
        """Return the text with our section at its end."""
        start = self.rope.size + len(BEFORE_OURS)
        spans = {**self.spans, OURS: (start, start + len(section))}
        pieces = (*self.rope.slices(0, self.rope.size), *rope_of(BEFORE_OURS, section, b"\n}").slices(0, 1 << 60))
        return Laid(Rope(pieces), spans, index=self._index)


#: How many entries are looked for in the text one by one; for more, the places of all are found once.
_FEW = 24
#: A block of entries has about so many bytes, and a part of a text that is cut at once.
_BLOCK, _PART = 1 << 18, 1 << 22


def _ids_of(lines: list[bytes]) -> list[str]:
    """Return the ids that stand in such lines as ``"id",``, spelt as we spell them."""
    plain = b"\n".join(lines)
    if b"\\" in plain:
        return [json.loads(line.removesuffix(b",")) for line in lines]
    return [line.removesuffix(",")[1:-1] for line in plain.decode("ascii").split("\n")] if lines else []


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
    return Laid(rope_of(text), spans)


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
