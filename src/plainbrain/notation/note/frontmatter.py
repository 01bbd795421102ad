"""The block of YAML at the top of a note: where it lies, and what it says.

Owns the cutting of a text at its fences and the reading of the block on a string-only schema: no value ever
becomes a date, a boolean or a number here. Promises never to raise for any text, to refuse what makes YAML
dangerous (anchors, aliases, tags, great depth, great size), and to say the line of what is wrong. Knows no
memories.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from plainbrain.notation.note.lenient import read_lenient
from plainbrain.notation.note.scalars import Node, Plain
from plainbrain.notation.note.simple import read_simple
from plainbrain.records import record
from plainbrain.text.quoted import quoted

MAX_BLOCK_BYTES = 64 * 1024
MAX_DEPTH = 40
BOM = "\ufeff"
_OTHER_ENDS = ("\r", "\x85", "\u2028", "\u2029")
_BLANK = " \t\r\n"


@record(frozen=True, slots=True)
class Parts:
    """A text cut at its fences: ``text == bom + opening + block + closing + body``, to the letter.

    ``opening`` and ``closing`` are whole lines, both empty where there is no block; ``eol`` is the line end
    of the first line. ``unclosed`` is true when a fence opens and none closes.
    """

    bom: str
    opening: str
    block: str
    closing: str
    body: str
    eol: str
    unclosed: bool = False


@record(frozen=True, slots=True)
class Fault:
    """Say what is wrong with a block; ``line`` counts from 1 in the block, 0 is the whole of it; ``key`` is its key."""

    code: str
    message: str
    line: int = 0
    hint: str = ""
    key: str = ""


@record(frozen=True, slots=True)
class Block:
    """What a block says. ``broken`` is true when ``values`` are only what could be made out line by line."""

    values: dict[str, Node]
    faults: tuple[Fault, ...] = ()
    broken: bool = False
    mapping: bool = True


@record(frozen=True, slots=True)
class Span:
    """A place in a block: from ``(line, column)`` up to, not with, ``(end_line, end_column)``, from 0."""

    line: int
    column: int
    end_line: int
    end_column: int


@record(frozen=True, slots=True)
class Entry:
    """A key of the block and where it stands.

    ``value`` spans what was written behind it; ``inline`` is true for a value that is all on one line and
    no block scalar; ``literal`` for a block scalar; ``items`` are the places of a list's items, in order, and
    ``flow`` says whether that list stands between brackets.
    """

    key: str
    node: Node
    name: Span
    value: Span
    literal: bool = False
    flow: bool = False
    items: tuple[Span, ...] = ()

    @property
    def inline(self) -> bool:
        """Whether key and value share one line."""
        return self.name.line == self.value.line == self.value.end_line and not self.literal


class _Refused(Exception):
    def __init__(self, code: str, message: str, line: int) -> None:
        super().__init__(message)
        self.fault = Fault(code, message, line + 1, "write each value as plain text")


def split_note(text: str) -> Parts:
    """Cut ``text`` at the fences of its block: a first line ``---`` and the next line that is ``---``."""
    bom = BOM if text.startswith(BOM) else ""
    start = len(bom)
    first_end = text.find("\n", start) + 1
    eol = "\r\n" if first_end > 1 and text[first_end - 2] == "\r" else "\n"
    if not first_end or text[start:first_end].rstrip(_BLANK) != "---":
        return Parts(bom, "", "", "", text[start:], eol)
    at = first_end
    while True:
        if text.startswith("---", at):
            end = text.find("\n", at) + 1 or len(text)
            if text[at:end].rstrip(_BLANK) == "---":
                return Parts(bom, text[start:first_end], text[first_end:at], text[at:end], text[end:], eol)
        at = text.find("\n---", at) + 1
        if not at:
            return Parts(bom, "", "", "", text[start:], eol, unclosed=True)


def read_block(block: str) -> Block:
    """Return what ``block`` says, with what is wrong in it; the first of two equal keys counts."""
    if len(block) > MAX_BLOCK_BYTES // 4 and len(block.encode("utf-8", "surrogatepass")) > MAX_BLOCK_BYTES:
        fault = Fault("frontmatter-too-large", f"the block is over {MAX_BLOCK_BYTES // 1024} KiB", 0, _MOVE_TEXT)
        return Block(read_lenient(block[:MAX_BLOCK_BYTES]), (fault,), broken=True)
    if "\r" in block:
        block = block.replace("\r\n", "\n")
    simple = read_simple(block)
    if simple is not None:
        return Block(simple)
    return read_yaml(block)


def read_yaml(block: str) -> Block:
    """Read ``block`` by a YAML parser alone; ``read_block`` takes a shorter way where it can."""
    if (marker := conflict_line(block)) is not None:
        fault = Fault("merge-conflict", "a merge was left half-done in the block", marker, _MERGE)
        return Block(read_lenient(block), (fault,), broken=True)
    composer = _Composer(block)
    invalid, node = composer.run()
    if invalid is not None:
        return Block(read_lenient(block), (invalid,), broken=True)
    if not isinstance(node, dict):
        fault = Fault("frontmatter-not-mapping", "the block is not a list of keys and values", 1, _NO_MAPPING)
        return Block(read_lenient(block), (fault,), broken=True, mapping=False)
    return Block(node, tuple(composer.duplicates))


def outline(block: str) -> tuple[Entry, ...] | None:
    """Return the keys of a sound block with their places, or None where the block is not keys line by line."""
    if any(end in block.replace("\r\n", "\n") for end in _OTHER_ENDS):
        return None  # what a YAML parser takes for the end of a line, and an editor does not
    composer = _Composer(block)
    fault, node = composer.run()
    if fault is not None or not isinstance(node, dict) or composer.flow_root:
        return None
    lines = [entry.name.line for entry in composer.entries]
    return tuple(composer.entries) if len(set(lines)) == len(lines) else None


_MOVE_TEXT = "move long text into the body of the note"
_MERGE = "choose one side, and take the marker lines out"
_NO_MAPPING = "write `key: value` lines between the fences, or put a blank line before the text"
_INVALID = "put the value in quotes, and indent with spaces"


def conflict_line(text: str) -> int | None:
    """Return the line of ``text`` (from 1) where a merge that was left half-done begins, or None."""
    if "<<<<<<<" not in text and ">>>>>>>" not in text:
        return None
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith(("<<<<<<< ", ">>>>>>> ")) or line.rstrip() in ("<<<<<<<", ">>>>>>>"):
            return number
    return None


class _Composer:
    """Make nodes of the events of a YAML parser, with the places of the keys of the outermost mapping."""

    def __init__(self, block: str) -> None:
        self.block = block
        self.entries: list[Entry] = []
        self.duplicates: list[Fault] = []
        self.flow_root = False

    def run(self) -> tuple[Fault | None, Node]:
        """Return what is wrong, or the node of the whole block (an empty mapping when it says nothing)."""
        import yaml  # only blocks that are not simple pay for it

        loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        try:
            return None, self._document(yaml.parse(self.block, Loader=loader))
        except _Refused as refused:
            return refused.fault, None
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
            said = getattr(error, "problem", None) or getattr(error, "reason", None) or "it cannot be read"
            line = mark.line + 1 if mark is not None else 0
            return Fault("frontmatter-invalid", f"the block is not valid YAML: {said}", line, _INVALID), None
        except (ValueError, LookupError, AttributeError, TypeError, RecursionError, OverflowError):
            # What PyYAML lets escape for hostile texts, a lone surrogate among them.
            return Fault("frontmatter-invalid", "the block is not valid YAML", 0, _INVALID), None

    def _document(self, events: Iterator[Any]) -> Node:
        node: Node = {}
        seen = False
        for event in events:
            kind = type(event).__name__
            if kind == "DocumentStartEvent":
                if seen:
                    raise _Refused("frontmatter-invalid", "the block holds two documents", event.start_mark.line)
                seen = True
                node = self._node(next(events), events, 0)[0]
        return {} if isinstance(node, Plain) and not node else node

    def _node(self, event: Any, events: Iterator[Any], depth: int) -> tuple[Node, Span]:
        kind = type(event).__name__
        start = event.start_mark
        if kind == "AliasEvent" or event.anchor is not None:
            raise _Refused("frontmatter-forbidden", "the block uses an anchor or an alias", start.line)
        if event.tag is not None:
            raise _Refused("frontmatter-forbidden", f"the block uses the tag {quoted(event.tag)}", start.line)
        if depth > MAX_DEPTH:
            raise _Refused("frontmatter-too-deep", f"the block is nested deeper than {MAX_DEPTH}", start.line)
        if kind == "ScalarEvent":
            text = event.value if event.style else Plain(event.value)
            return text, Span(start.line, start.column, event.end_mark.line, event.end_mark.column)
        if kind == "SequenceStartEvent":
            return self._sequence(event, events, depth)[:2]
        return self._mapping(event, events, depth)

    def _sequence(self, opening: Any, events: Iterator[Any], depth: int) -> tuple[Node, Span, tuple[Span, ...]]:
        items: list[Node] = []
        spans: list[Span] = []
        while type(event := next(events)).__name__ != "SequenceEndEvent":
            node, span = self._node(event, events, depth + 1)
            items.append(node)
            spans.append(span)
        return items, _whole(opening, event, spans), tuple(spans)

    def _mapping(self, opening: Any, events: Iterator[Any], depth: int) -> tuple[Node, Span]:
        found: dict[str, Node] = {}
        spans: list[Span] = []
        if not depth:
            self.flow_root = bool(opening.flow_style)
        while type(event := next(events)).__name__ != "MappingEndEvent":
            key, name = self._node(event, events, depth + 1)
            if not isinstance(key, str):
                raise _Refused("frontmatter-invalid", "a key of the block is not a text", name.line)
            value = next(events)
            items: tuple[Span, ...] = ()
            if not depth and type(value).__name__ == "SequenceStartEvent" and value.anchor is None:
                node, span, items = self._sequence(value, events, depth + 1)
            else:
                node, span = self._node(value, events, depth + 1)
            spans.extend((name, span))
            if key in found:
                message = f"the key {quoted(key, longest=80)} stands twice; the first counts"
                self.duplicates.append(
                    Fault(
                        "duplicate-key",
                        message,
                        name.line + 1,
                        "keep one of the two lines",
                        str(key) if not depth else "",
                    )
                )
            else:
                found[str(key)] = node
            if not depth:
                literal = getattr(value, "style", None) in ("|", ">")
                flow = bool(getattr(value, "flow_style", False))
                self.entries.append(Entry(str(key), node, name, span, literal, flow, items))
        return found, _whole(opening, event, spans)


def _whole(opening: Any, closing: Any, inside: list[Span]) -> Span:
    """Return the place of a collection; one without brackets ends with the last thing in it."""
    start = opening.start_mark
    if opening.flow_style or not inside:
        return Span(start.line, start.column, closing.end_mark.line, closing.end_mark.column)
    last = max(inside, key=lambda span: (span.end_line, span.end_column))
    return Span(start.line, start.column, last.end_line, last.end_column)
