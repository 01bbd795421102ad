"""Changing single keys in the text of a block, line by line.

Owns where a changed, new or dropped key's lines go. Promises to touch no line of any other key, and within a
list no item that stays. Knows how nodes are written, not what they mean.
"""

from __future__ import annotations

from collections.abc import Mapping

from plainbrain.notation.note.fields import CANONICAL, same_item
from plainbrain.notation.note.frontmatter import Entry, Span
from plainbrain.notation.note.scalars import Node, in_flow, item_lines, key_lines
from plainbrain.records import record

_RANK = {key: rank for rank, key in enumerate(CANONICAL)}


@record(frozen=True, slots=True)
class _Patch:
    """Put ``lines`` in place of the lines from ``start`` up to ``end``."""

    start: int
    end: int
    lines: list[str]


@record(frozen=True, slots=True)
class BlockText:
    """The lines of a block (with their ends), its keys in order, and the line end for new lines."""

    lines: list[str]
    entries: tuple[Entry, ...]
    eol: str

    def changed(self, keys: Mapping[str, Node], *, whole_lists: bool) -> str:
        """Return the text with ``keys`` set (None: taken out); ``whole_lists`` writes lists anew, not item by item."""
        patches: list[_Patch] = []
        for key in sorted(keys, key=lambda key: _RANK.get(key, len(_RANK))):
            node, entry = keys[key], self._entry(key)
            if node is None:
                patches += [_Patch(entry.name.line, self._end(entry), [])] if entry else []
            elif entry is None:
                at = self._place(key)
                patches.append(_Patch(at, at, self._ended(key_lines(key, node, indent=self._indent()))))
            else:
                patches.append(self._replaced(entry, node, whole_lists=whole_lists))
        out: list[str] = []
        at = 0
        for patch in sorted(patches, key=lambda patch: (patch.start, patch.end)):
            out += self.lines[at : patch.start] + patch.lines
            at = patch.end
        return "".join(out + self.lines[at:])

    def _entry(self, key: str) -> Entry | None:
        return next((entry for entry in self.entries if entry.key == key), None)

    def _indent(self) -> str:
        return " " * (self.entries[0].name.column if self.entries else 0)

    def _ended(self, lines: list[str]) -> list[str]:
        return [line + self.eol for line in lines]

    def _end(self, entry: Entry) -> int:
        """Return the line after the last of an entry; blank lines and comments behind it are not its own."""
        if not entry.literal:
            return _end_line(entry.value)
        end = _end_line(entry.value)
        header = self.lines[entry.value.line][entry.value.column :].split("#")[0]
        while end > entry.value.line + 1 and self._is_between(self.lines[end - 1], kept="+" in header):
            end -= 1
        return end

    @staticmethod
    def _is_between(line: str, *, kept: bool) -> bool:
        return line.startswith("#") or (not kept and not line.strip())

    def _place(self, key: str) -> int:
        """Return the line for a new key: behind the nearest canonical key before it, else before the next one."""
        rank = _RANK.get(key)
        if rank is None:
            return self._end(self.entries[-1]) if self.entries else len(self.lines)
        ranked = [(_RANK[entry.key], entry) for entry in self.entries if entry.key in _RANK]
        if before := [pair for pair in ranked if pair[0] < rank]:
            return self._end(max(before, key=lambda pair: pair[0])[1])
        return min(ranked, key=lambda pair: pair[0])[1].name.line if ranked else self._place("")

    def _replaced(self, entry: Entry, node: Node, *, whole_lists: bool) -> _Patch:
        if isinstance(node, list) and entry.items and not whole_lists:
            patch = self._flow_items(entry, node) if entry.flow else self._line_items(entry, node)
            if patch is not None:
                return patch
        written = key_lines(entry.key, node, indent=self._indent())
        line = self.lines[entry.name.line]
        if len(written) > 1 or not entry.inline:
            return _Patch(entry.name.line, self._end(entry), self._ended(written))
        text = written[0][len(key_lines(entry.key, [], indent=self._indent())[0]) - 2 :]
        start, end = entry.value.column, entry.value.end_column
        if start == end:
            start = end = line.index(":", entry.name.end_column) + 1
            text = f" {text}"
        return _Patch(entry.name.line, entry.name.line + 1, [line[:start] + text + line[end:]])

    def _flow_items(self, entry: Entry, node: list[Node]) -> _Patch | None:
        """Edit a list between brackets on one line; the items that stay keep their spelling."""
        if not entry.inline:
            return None
        line = self.lines[entry.name.line]
        old = [line[span.column : span.end_column] for span in entry.items]
        kept = _match(entry, node)
        texts = [old[match] if match is not None else in_flow(item) for match, item in zip(kept, node, strict=True)]
        if kept[: len(old)] == list(range(len(old))):
            end = entry.items[-1].end_column
            new = line[:end] + "".join(f", {text}" for text in texts[len(old) :]) + line[end:]
        else:
            new = f"{line[: entry.value.column]}[{', '.join(texts)}]{line[entry.value.end_column :]}"
        return _Patch(entry.name.line, entry.name.line + 1, [new])

    def _line_items(self, entry: Entry, node: list[Node]) -> _Patch | None:
        """Edit a list with an item on each line; the items that stay keep their lines, and comments stay."""
        first = self.lines[entry.items[0].line]
        indent = first[: len(first) - len(first.lstrip(" "))]
        if any(not self.lines[span.line].startswith(f"{indent}-") for span in entry.items):
            return None
        ends = [_end_line(span) for span in entry.items]
        starts = [entry.name.line + 1, *ends[:-1]]
        kept = _match(entry, node)
        groups: dict[int, list[str]] = {}
        orphans: list[str] = []
        for i, span in enumerate(entry.items):
            comments = orphans + self.lines[starts[i] : span.line]
            orphans = comments if i not in kept else []
            groups[i] = comments + self.lines[span.line : ends[i]]
        out: list[str] = []
        for match, item in zip(kept, node, strict=True):
            out += groups[match] if match is not None else self._ended(item_lines(item, indent=indent))
        return _Patch(starts[0], ends[-1], out + orphans)


def _end_line(span: Span) -> int:
    return span.end_line if not span.end_column and span.end_line > span.line else span.end_line + 1


def _match(entry: Entry, node: list[Node]) -> list[int | None]:
    """Return for each new item the place of the old one that says the same, None for one that is new."""
    free = list(range(len(entry.items)))
    kept: list[int | None] = []
    for item in node:
        match = next((i for i in free if same_item(entry.key, entry.node[i], item)), None)
        if match is not None:
            free.remove(match)
        kept.append(match)
    return kept
