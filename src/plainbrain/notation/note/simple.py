"""The fast way to read a block: the plain shapes that nearly every note uses, line by line, without a YAML parser.

Promises to give exactly what the YAML reader gives, or None where it is not certain: one scalar or one list on
the line of its key, lists with an item on each line, and mappings one level deep.
"""

from __future__ import annotations

import re

from plainbrain.notation.note.scalars import ODD, Node, Plain

_KEY = re.compile(r"([A-Za-z_][A-Za-z0-9_-]*):(?: +(.*))?\Z")
# Sets are written as what is not in them: the many characters beyond Latin 1 then cost nothing to compile.
_FIRST = r"[^\x00-/:-@\[-\^`{-\xa0\U00010000-\U0010ffff]"
_INNER = r"[^\x00-\x1f!-*,:-?\[-\^`{-\xa0\U00010000-\U0010ffff]"
_LAST = r"[^\x00-*,:-?\[-\^`{-\xa0\U00010000-\U0010ffff]"
#: Letters, digits and ``_``, within also ``. / @ + -`` and blanks.
_FLOW_ITEM = re.compile(rf"{_FIRST}(?:{_INNER}*{_LAST})?\Z")
_QUOTED = re.compile(r"\"[^\"\\]*\"\Z|'[^']*'\Z")
_MAX_KEY = 100


class _Uncertain(Exception):
    """The block is not of the plain shapes."""


def read_simple(block: str) -> dict[str, Node] | None:
    """Return the keys and nodes of ``block`` (lines ended by LF), or None where only a YAML parser can tell."""
    if ODD.search(block):
        return None
    lines = [line for line in block.split("\n") if (bare := line.lstrip(" ")) and bare[0] != "#"]
    try:
        return _read_lines(lines)
    except _Uncertain:
        return None


def _read_lines(lines: list[str]) -> dict[str, Node]:
    found: dict[str, Node] = {}
    count, i = len(lines), 0
    while i < count:
        key, text = _pair(lines[i])
        i += 1
        if key in found:
            raise _Uncertain
        if text:
            found[key] = _value(text)
            continue
        start = i
        while i < count and lines[i][0] in " -":
            i += 1
        found[key] = _nested(lines[start:i]) if i > start else Plain()
    return found


def _pair(line: str) -> tuple[str, str]:
    match = _KEY.match(line)
    if match is None or len(match[1]) > _MAX_KEY:
        raise _Uncertain
    return match[1], (match[2] or "").rstrip(" ")


def _value(text: str) -> Node:
    first = text[0]
    if first.isalnum() or first in "_/(":
        if ": " in text or " #" in text or text[-1] == ":":
            raise _Uncertain
        return Plain(text)
    if first == "[":
        return _flow_list(text)
    if _QUOTED.match(text):
        return text[1:-1]
    raise _Uncertain


def _flow_list(text: str) -> list[Node]:
    if text[-1] != "]":
        raise _Uncertain
    inside = text[1:-1].strip(" ")
    items: list[Node] = []
    for piece in inside.split(",") if inside else ():
        item = piece.strip(" ")
        if _FLOW_ITEM.match(item):
            items.append(Plain(item))
        elif _QUOTED.match(item):
            items.append(item[1:-1])
        else:
            raise _Uncertain
    return items


def _nested(lines: list[str]) -> Node:
    """Read the lines under a key that has nothing on its own line: a list or a mapping, all at one depth."""
    first = lines[0]
    indent = len(first) - len(first.lstrip(" "))
    if first.startswith("- ", indent):
        return _block_list(lines, indent=indent)
    if not indent:
        raise _Uncertain
    found: dict[str, Node] = {}
    for line in lines:
        _add_pair(found, line, indent=indent)
    return found


def _block_list(lines: list[str], *, indent: int) -> list[Node]:
    items: list[Node] = []
    mapping: dict[str, Node] | None = None
    margin = " " * indent
    for line in lines:
        if line.startswith(margin + "- "):
            rest = line[indent + 2 :].rstrip(" ")
            mapping = {} if _KEY.match(rest) else None
            if mapping is None:
                items.append(_value(rest) if rest else Plain())
            else:
                _add_pair(mapping, rest, indent=0)
                items.append(mapping)
        elif mapping is not None:
            _add_pair(mapping, line, indent=indent + 2)
        else:
            raise _Uncertain
    return items


def _add_pair(found: dict[str, Node], line: str, *, indent: int) -> None:
    if line[:indent].strip(" ") or line[indent : indent + 1] == " ":
        raise _Uncertain
    key, text = _pair(line[indent:])
    if key in found:
        raise _Uncertain
    found[key] = _value(text) if text else Plain()
