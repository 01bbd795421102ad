"""What can be made out of a block that is no valid YAML: its simple lines.

Promises to read any text in one pass and never to raise. What it returns serves to find a note again, never
to write it.
"""

from __future__ import annotations

import re

from plainbrain.notation.note.scalars import Node, Plain

_KEY = re.compile(r"([A-Za-z_][A-Za-z0-9_-]{0,99}):(?:[ \t]+(.*))?\Z")


def read_lenient(block: str) -> dict[str, Node]:
    """Return the ``key: value`` lines of ``block``, and the ``- item`` lines under a key that has no value."""
    found: dict[str, Node] = {}
    key = ""
    open_list: list[Node] | None = None
    for raw in block.split("\n"):
        line = raw.rstrip()
        if match := _KEY.match(line):
            open_list = None
            if match[1] in found:
                continue
            key, text = match[1], (match[2] or "").strip()
            found[key] = _value(text)
            if not text:
                open_list = []
        elif open_list is not None and (item := line.strip()).startswith("- "):
            if not open_list:
                found[key] = open_list
            open_list.append(_scalar(item[2:].strip()))
    return found


def _value(text: str) -> Node:
    if len(text) > 1 and text[0] == "[" and text[-1] == "]":
        return [_scalar(item.strip()) for item in text[1:-1].split(",") if item.strip()]
    return _scalar(text)


def _scalar(text: str) -> Node:
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    return Plain(text)
