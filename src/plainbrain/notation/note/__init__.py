"""The Markdown note: YAML between fences, then the body. brain-blueprint's format, and any hand-made relative of it.

Every field of Memory has a key of its own (``notation/note/fields.py``); ``content`` is the body, ``usage``
stands in no note, ``extra`` holds further keys. What a note leaves unsaid is read from where it lies: the id
from the file's stem, the cortex from the folder, the title from the first heading. Claude Code's forms
(``name, description, type`` and ``name, description, metadata: {type}``) are understood.
Promises: no text raises; ``read_note(write_note(m))`` is ``m``. Never touches a file.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from plainbrain.errors import InvalidField
from plainbrain.model.links import Link
from plainbrain.model.memory import Memory
from plainbrain.model.problem import Problem
from plainbrain.notation.note.body import Body, render_body, split_body
from plainbrain.notation.note.fields import NAME, SCHEMA, from_keys, to_keys
from plainbrain.notation.note.frontmatter import (
    MAX_BLOCK_BYTES,
    MAX_DEPTH,
    Block,
    Fault,
    Parts,
    conflict_line,
    read_block,
    split_note,
)
from plainbrain.notation.note.scalars import Node, key_lines, quote_in_flow
from plainbrain.notation.wikilinks import prose_lines
from plainbrain.records import record
from plainbrain.text.quoted import quoted

#: What a YAML parser takes as a key on one line, escapes included, is 1024.
_MAX_KEY = 1000
#: What the name of a note's file may end in.
ENDINGS = (".md", ".markdown")
_NOTHING = Block({})


@record(frozen=True, slots=True)
class Note:
    """A memory as it was read, with what is wrong in its note."""

    memory: Memory
    problems: tuple[Problem, ...] = ()


@record(frozen=True, slots=True)
class Reading:
    """A note taken apart: its parts, what its block says, the fields read from that, and its body."""

    parts: Parts
    block: Block
    fields: dict[str, Any]
    body: Body
    faults: tuple[Fault, ...]


def read_note(text: str, *, locator: str) -> Note:
    """Return the memory that ``text`` holds; ``locator`` is its path in the vault, with ``/``. Never raises."""
    reading = take_apart(text)
    folder, _, name = locator.rpartition("/")
    stem = next((name[: -len(ending)] for ending in ENDINGS if name.lower().endswith(ending)), name)
    fields = dict(reading.fields)
    faults = list(reading.faults)
    if not fields.get("id"):
        fields["id"] = stem
    if "title" not in fields:
        fields["title"] = _first_heading(reading.body.content) or stem
    if folder and fields.setdefault("cortex", folder) != folder:
        message = (
            f"the note says cortex {quoted(fields['cortex'], longest=80)} and lies in {folder!r}; the folder counts"
        )
        faults.append(Fault("cortex-mismatch", message, _key_line(reading.parts, "cortex"), "correct `cortex`"))
        fields["cortex"] = folder
    memory = Memory(content=reading.body.content, **fields)
    if not faults:
        return Note(memory)
    return Note(memory, tuple(Problem(f.code, f.message, locator, f.line, f.hint) for f in faults))


def write_note(memory: Memory) -> str:
    """Return the text of a new note. Raise InvalidField for what no note can hold (a lone surrogate, 64 KiB of keys, half a merge)."""
    keys = to_keys(memory)
    block = "".join(f"{line}\n" for key, node in keys.items() for line in lines_of(key, node))
    text = f"---\n{block}---\n{render_body(memory.content, memory.links)}"
    check_writable(text, block=block)
    return text


def lines_of(key: str, node: Node) -> list[str]:
    """Return the lines of one key. Raise InvalidField where it is nested too deep or has too long a name."""
    _check_node(key, {key: node}, depth=0)
    return key_lines(key, node)


def check_writable(text: str, *, block: str) -> None:
    """Raise InvalidField when ``text`` is no Unicode text, a half-done merge, or its ``block`` is too large to be read back."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        hint = "replace the broken character"
        raise InvalidField("the text holds half a character (a lone surrogate)", value=error.start, hint=hint) from None
    if "\0" in text:
        raise InvalidField("the text holds a NUL character", value=text.index("\0"), hint="take it out")
    if "<<<<<<<" in text and any(fault.code == "merge-conflict" for fault in take_apart(text).faults):
        hint = "indent the lines with the marks, or leave them out"
        raise InvalidField("the text holds the marks of a half-done merge, and could not be read again", hint=hint)
    size = len(block.encode("utf-8"))
    if size > MAX_BLOCK_BYTES:
        hint = "move long text into the content"
        raise InvalidField(f"the fields beside the content take {size} bytes, over 64 KiB", value=size, hint=hint)


def take_apart(text: str) -> Reading:
    """Return the parts of a note and the fields that it says itself. Never raises."""
    parts = split_note(text)
    block, faults = _NOTHING, list(_text_faults(text, parts))
    if parts.opening:
        block = read_block(parts.block)
        is_text = _is_text(parts, block)
        if not is_text or (block.broken and not _opens_with_blank(parts)):
            faults += [replace(fault, line=fault.line + 1) for fault in block.faults]
        if is_text:
            whole = parts.opening + parts.block + parts.closing + parts.body
            parts, block = Parts(parts.bom, "", "", "", whole, parts.eol), _NOTHING
    fields, odd = from_keys(block.values)
    faults += [replace(fault, line=_key_line(parts, key)) for key, fault in odd]
    links: tuple[Link, ...] = fields.get("links", ())
    body = split_body(parts.body, links=links, eol=parts.eol, after_block=bool(parts.opening))
    return Reading(parts, block, fields, body, tuple(faults))


def _is_text(parts: Parts, block: Block) -> bool:
    """Tell whether what looks like a block is text between two horizontal rules."""
    if not block.mapping or (not block.values and parts.block.strip()):
        return True
    known = any(key in SCHEMA or key == NAME for key in block.values)
    return not known and (block.broken or _opens_with_blank(parts))


def _opens_with_blank(parts: Parts) -> bool:
    return bool(parts.block) and not parts.block.partition("\n")[0].strip()


def _text_faults(text: str, parts: Parts) -> list[Fault]:
    faults = []
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        faults.append(Fault("nul-character", "the note holds a NUL character", line, "take the character out"))
    if parts.unclosed and ":" in parts.body[parts.body.find("\n") :].lstrip().partition("\n")[0]:
        message = "a block opens with `---` and never closes; all of it is read as text"
        faults.append(Fault("frontmatter-unclosed", message, 1, "put a line `---` after the last key"))
    if "<<<<<<<" in parts.body and ">>>>>>>" in parts.body and (line := conflict_line(parts.body) or 0):
        line += (parts.opening + parts.block + parts.closing).count("\n")
        hint = "choose one side, and take the marker lines out"
        faults.append(Fault("merge-conflict", "a merge was left half-done in the text", line, hint))
    return faults


def _key_line(parts: Parts, key: str) -> int:
    """Return the line of a key in the note, for a person to look at."""
    for number, line in enumerate(parts.block.split("\n"), 2):
        if line.lstrip(" \"'").startswith(key):
            return number
    return 1


def _first_heading(content: str) -> str:
    if "# " not in content:
        return ""
    for line in prose_lines(content):
        if line.startswith("# ") and (title := line[2:].strip().rstrip("#").rstrip()):
            return title
    return ""


def _check_node(key: str, node: Node, *, depth: int) -> None:
    if depth > MAX_DEPTH - 2:
        hint = "put deep values into the content, as text"
        raise InvalidField(f"`{key[:80]}` is nested deeper than a note can hold", value=key[:80], hint=hint)
    if isinstance(node, dict):
        for name, item in node.items():
            if len(quote_in_flow(str(name))) > _MAX_KEY:
                raise InvalidField(f"a key of {len(str(name))} characters is too long", value=str(name)[:80])
            _check_node(key, item, depth=depth + 1)
    elif isinstance(node, (list, tuple)):
        for item in node:
            _check_node(key, item, depth=depth + 1)
