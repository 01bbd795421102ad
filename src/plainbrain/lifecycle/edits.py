"""Changing one memory in place: its text, a section, a field. Pure; each returns the memory as it would be."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, assert_never

from plainbrain.errors import InputError, InvalidField
from plainbrain.lifecycle.admit import (
    MAX_DESCRIPTION,
    MAX_TITLE,
    check_confidence,
    check_kind,
    check_line,
    check_size,
    check_tags,
    clean,
    first_sentence,
    split_list,
)
from plainbrain.model.confidence import Confidence
from plainbrain.model.instants import Instant, parse_instant
from plainbrain.model.kinds import CLASSES
from plainbrain.model.memory import ACTIVE, STATUSES, Memory
from plainbrain.records import record

#: Fields that ``set_field`` takes, by the name a person types.
FIELDS = (
    "title", "type", "description", "tags", "confidence", "status", "created", "last_validated", "valid_from",
    "valid_until", "rationale", "files", "scope", "context", "source", "source_url", "memory_class", "reason",
)  # fmt: skip
_INSTANTS = frozenset({"created", "last_validated", "valid_from", "valid_until"})
_LINES = {"title": MAX_TITLE, "description": MAX_DESCRIPTION, "scope": 60, "source": 60, "source_url": 2_000}
#: Fields that hold one of some words. What a person writes into a note by hand is read whatever it is.
_WORDS = {"status": STATUSES, "memory_class": CLASSES}
_NEVER_EMPTY = _INSTANTS | _WORDS.keys() | {"title", "type", "confidence"}
#: What is kept in another way than as a field, and how that is changed.
_ELSEWHERE = {
    "id": "brain move ID NEW-ID", "cortex": "brain move ID --cortex THEME", "links": "brain link ID OTHER [REL]",
    "supersedes": "brain supersede OLD NEW", "superseded_by": "brain supersede OLD NEW", "body": "brain edit ID --body TEXT",
    "content": "brain edit ID --body TEXT", "rejected": "brain add TYPE 'the same words' --rejected 'OPTION: REASON'",
}  # fmt: skip


@record(frozen=True, slots=True)
class Append:
    """Add a paragraph at the end of the text."""

    text: str


@record(frozen=True, slots=True)
class ReplaceText:
    """Replace ``old``, which must stand in the text exactly once, by ``new``."""

    old: str
    new: str


@record(frozen=True, slots=True)
class ReplaceSection:
    """Replace what stands under a Markdown heading, or add the section at the end."""

    heading: str
    text: str


@record(frozen=True, slots=True)
class ReplaceBody:
    """Replace the whole text."""

    text: str


@record(frozen=True, slots=True)
class SetField:
    """Set a field to what a person typed."""

    field: str
    value: str


@record(frozen=True, slots=True)
class ClearField:
    """Take a field away."""

    field: str


Edit = Append | ReplaceText | ReplaceSection | ReplaceBody | SetField | ClearField


def apply_edit(memory: Memory, edit: Edit) -> Memory:
    """Return the memory with one edit made. Raise InputError when the edit cannot be meant."""
    match edit:
        case Append(text):
            content = append_text(memory.content, clean(text))
        case ReplaceText(old, new):
            content = replace_text(memory.content, old=old, new=clean(new))
        case ReplaceSection(heading, text):
            content = replace_section(memory.content, heading=heading, text=clean(text))
        case ReplaceBody(text):
            content = clean(text)
        case SetField(field, value):
            return set_field(memory, field, value)
        case ClearField(field):
            return clear_field(memory, field)
        case _:
            assert_never(edit)
    # What stood there already is the person's, control characters included: only new text is cleaned.
    after = replace(memory, content=check_size(content))
    if memory.title and memory.title == first_sentence(memory.content) and (title := first_sentence(content)):
        return replace(after, title=title)  # it was made of the text, and would say what is no longer there
    return after


def _newline(content: str) -> str:
    return "\r\n" if "\r\n" in content else "\n"


def append_text(content: str, text: str) -> str:
    """Return the content with ``text`` as its last paragraph, in the line endings of the content."""
    newline = _newline(content)
    text = text.strip("\r\n").replace("\r\n", "\n").replace("\n", newline)
    if not text.strip():
        raise InvalidField("there is nothing to append", hint="give the text of the paragraph")
    if not content.strip():
        return text
    ends = (content[len(content.rstrip("\r\n")) :]).count("\n")
    return f"{content}{newline * max(0, 2 - ends)}{text}"  # blank lines that stand there are the person's


def replace_text(content: str, *, old: str, new: str) -> str:
    """Return the content with the one occurrence of ``old`` replaced. Raise InputError when it is not exactly one."""
    count = content.count(old) if old else 0
    if count == 0:
        raise InputError(
            "the text to replace does not stand in the note", value=old, hint="copy it from `brain read` to the letter"
        )
    if count > 1:
        raise InputError(
            f"the text to replace stands in the note {count} times",
            value=old,
            hint="give more of the line, so that it is one place",
        )
    return content.replace(old, new)


def replace_section(content: str, *, heading: str, text: str) -> str:
    """Return the content with the body of a heading replaced, up to the next heading of its level or above."""
    newline = _newline(content)
    wanted = heading.strip().lstrip("#").strip().casefold()
    lines = content.split("\n")  # a line keeps its carriage return, whatever the others do
    start, end, level, fenced = -1, len(lines), 0, False
    for number, line in enumerate(lines):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        depth = 0 if fenced else _heading_level(line.rstrip("\r"))
        if not depth:
            continue
        if start >= 0 and depth <= level:
            end = number
            break
        if start < 0 and line.strip().lstrip("#").strip().rstrip("#").strip().casefold() == wanted:
            start, level = number, depth
    body = text.strip("\r\n").replace("\r\n", "\n").replace("\n", newline)
    if start < 0:
        title = heading.strip() if heading.strip().startswith("#") else f"## {heading.strip()}"
        return append_text(content, f"{title}\n\n{body}")
    head = "\n".join(lines[: start + 1]).removesuffix("\r")
    tail = f"{newline * 2}{chr(10).join(lines[end:])}" if end < len(lines) else ""
    return f"{head}{newline * 2}{body}{tail}"


def _heading_level(line: str) -> int:
    marks = len(line) - len(line.lstrip("#"))
    return marks if 1 <= marks <= 6 and line[marks : marks + 1] in (" ", "") else 0


def set_field(memory: Memory, field: str, value: str) -> Memory:
    """Return the memory with a field set from text. Raise InvalidField for an unknown field or a value it cannot hold."""
    name = _check_field(field)
    if not value.strip() and name in _NEVER_EMPTY:
        hint = "a memory needs a title" if name == "title" else f"give a value, or take it away: --clear {name}"
        raise InvalidField(f"{name} would be empty", value=value, hint=hint)
    return _with(memory, name, _read_value(name, value))


def _read_value(name: str, value: str) -> object:
    if name in _INSTANTS:
        return _check_instant(name, value)
    match name:
        case "tags":
            return check_tags(value)
        case "files":
            return tuple(clean(f) for f in split_list(value))
        case "confidence":
            return check_confidence(value)
        case "type":
            return check_kind(value)
    if name in _WORDS:
        return _check_word(name, value)
    return check_line(name, value, _LINES[name]) if name in _LINES else clean(value)


def clear_field(memory: Memory, field: str) -> Memory:
    """Return the memory without a field."""
    name = _check_field(field)
    if name == "title":
        raise InvalidField("a memory needs a title", value=field, hint="set another with --set title=…")
    if name in _INSTANTS:
        return _with(memory, name, None)
    empty = {"tags": (), "files": (), "confidence": Confidence(), "status": ACTIVE}
    return _with(memory, name, empty.get(name, ""))


def _with(memory: Memory, name: str, value: Any) -> Memory:
    changes = {"kind" if name == "type" else name: value}
    return replace(memory, **changes)


def _check_field(field: str) -> str:
    name = field.strip().lower().replace("-", "_")
    if name in _ELSEWHERE:
        raise InvalidField(f"{name} is not set as a field", value=field, hint=_ELSEWHERE[name])
    if name not in FIELDS:
        raise InvalidField(f"there is no field {field!r} to set", value=field, hint="fields: " + ", ".join(FIELDS))
    return name


def _check_word(name: str, value: str) -> str:
    word = value.strip().lower()
    if word not in _WORDS[name]:
        raise InvalidField(f"{value!r} is no {name}", value=value, hint=f"write one of: {', '.join(_WORDS[name])}")
    return word


def _check_instant(field: str, value: str) -> Instant:
    at = parse_instant(value)
    if at.ms is None:
        raise InvalidField(
            f"{field} {value!r} is no date", value=value, hint="write 2026-10-27 or 2026-10-27T12:00:00Z"
        )
    return at
