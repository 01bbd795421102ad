"""The smallest edit of a JSON text that a person wrote: members and items put in and taken out, all else byte for byte.

Owns where the parts of a text lie and how a new part is indented. Pure. The text must be JSON; whoever calls has read it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from plainbrain.records import record

_BLANK = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


@record(frozen=True, slots=True)
class Part:
    """One member of an object (``key``) or item of a list: where it begins, where its value does, and where it ends."""

    key: str
    start: int
    value: int
    end: int


def parts_of(text: str, at: int = 0) -> tuple[list[Part], int]:
    """Return the parts of the object or list that begins at ``at``, and where its closing bracket stands."""
    at = _skip(text, at)
    is_object = text[at] == "{"
    found: list[Part] = []
    at = _skip(text, at + 1)
    while text[at] not in "}]":
        start, key = at, ""
        if is_object:
            key, at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        _, end = _DECODER.raw_decode(text, at)
        found.append(Part(key, start, at, end))
        at = _skip(text, end)
        at = _skip(text, at + 1) if text[at] == "," else at
    return found, at


def find(text: str, path: Sequence[str | int]) -> int | None:
    """Return where the value at ``path`` (keys and numbers of items) begins; None when there is none."""
    at = _skip(text, 0)
    for step in path:
        parts, _ = parts_of(text, at)
        # Of a key that is there twice, the last counts, as for every reader of JSON.
        places = [part.value for number, part in enumerate(parts) if step in (number, part.key)]
        if not places:
            return None
        at = places[-1]
    return at


def put_in(text: str, path: Sequence[str | int], value: Any, *, key: str = "") -> str:
    """Return the text with ``value`` as the last part of the object (under ``key``) or list at ``path``, which is there."""
    at = find(text, path)
    if at is None:
        raise KeyError(path)
    parts, close = parts_of(text, at)
    unit = indent_of(text)
    inner = unit * (len(path) + 1)
    line = "\r\n" if "\r\n" in text else "\n"
    said = json.dumps(value, ensure_ascii=False, indent=unit).replace("\n", line + inner)
    new = f"{json.dumps(key, ensure_ascii=False)}: {said}" if key else said
    if parts:
        end = parts[-1].end
        return f"{text[:end]},{line}{inner}{new}{text[end:]}"
    return f"{text[: at + 1]}{line}{inner}{new}{line}{unit * len(path)}{text[close:]}"


def take_out(text: str, path: Sequence[str | int]) -> str:
    """Return the text without the member or item at ``path``, which is there, and without its comma."""
    at = find(text, path[:-1])
    if at is None:
        raise KeyError(path)
    parts, close = parts_of(text, at)
    step = path[-1]
    number = step if isinstance(step, int) else max(n for n, part in enumerate(parts) if part.key == step)
    if len(parts) == 1:
        return text[: at + 1] + text[close:]
    if number == 0:
        return text[: parts[0].start] + text[parts[1].start :]
    return text[: parts[number - 1].end] + text[parts[number].end :]


def indent_of(text: str) -> str:
    """Return what one level of the text is indented by; two blanks where it is not."""
    found = re.search(r"\{[ \t]*\r?\n([ \t]+)\"", text)
    return found[1] if found else "  "


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at
