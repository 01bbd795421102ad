"""The smallest edit of an existing note: only the lines of the keys that changed, and the content if it did.

Promises that the result reads back as the memory that was wanted, and that comments, the order of keys, quotes,
unknown keys, line ends, a byte order mark and the rest of the body stay as they are. Every edit is read back
before it is given out; one that would not read back raises ``Unreadable``, and nothing is lost.
"""

from __future__ import annotations

from dataclasses import replace

from plainbrain.errors import Unreadable
from plainbrain.model.memory import Memory, Usage
from plainbrain.notation.note import Reading, check_writable, lines_of, read_note, take_apart
from plainbrain.notation.note.block_edit import BlockText
from plainbrain.notation.note.body import Body
from plainbrain.notation.note.fields import CANONICAL, NAME, to_keys
from plainbrain.notation.note.frontmatter import Parts, outline, split_note
from plainbrain.notation.note.scalars import Node
from plainbrain.notation.wikilinks import link_lines

_ROUNDS = 4
_NO_USE = Usage()
#: Stands for a file's stem that is not known: no title is ever this.
_NO_STEM = "\0"


def edit_note(text: str, *, before: Memory, after: Memory, locator: str = "") -> str:
    """Return ``text`` changed so that it reads as ``after`` (usage aside), by the smallest edit.

    ``before`` is the memory as it was read from ``text``; ``locator`` is the path that the result will be read
    at (without one, the folder is taken to be the cortex and the stem to be what the note leaves unsaid).
    Raise Unreadable where the note's block is not sound enough to be edited, InvalidField as ``write_note``.
    """
    before, after = replace(before, usage=_NO_USE), replace(after, usage=_NO_USE)
    if before == after:
        return text
    place = locator or _likely_place(text, before=before, after=after)
    now, edited, force = before, text, False
    for _ in range(_ROUNDS):
        edited = _apply(edited, now=now, wanted=after, path=place, force=force)
        now = read_note(edited, locator=place).memory
        if now == after:
            check_writable(edited, block=split_note(edited).block)
            return edited
        force = True
    raise _refusal("the note cannot be edited so that it reads back as wanted", path=place)


def _likely_place(text: str, *, before: Memory, after: Memory) -> str:
    """Return a locator that the result will read alike at, from what the note leaves to its file's name."""
    fields = take_apart(text).fields
    stem = before.id.rpartition("/")[2]
    if fields.get("id"):
        # The stem shows only where it is the title; else nothing may rest on it.
        shown = "title" not in fields and read_note(text, locator=f"{_NO_STEM}.md").memory.title == _NO_STEM
        stem = before.title if shown else _NO_STEM
    return f"{after.cortex}/{stem}.md"


def _apply(text: str, *, now: Memory, wanted: Memory, path: str, force: bool) -> str:
    """Make one edit from ``now`` to ``wanted``; ``force`` writes anew what a first, smaller edit did not bring about."""
    reading = take_apart(text)
    changed = _changed_keys(reading, now, wanted)
    if force and not reading.parts.opening and not changed:
        changed = {"id": wanted.id}
    body = _edit_body(reading, now, wanted, force=force)
    parts = reading.parts
    if not changed:
        return parts.bom + parts.opening + parts.block + _closed(parts, body) + body.joined()
    if not parts.opening:
        lines = [line for key in sorted(changed, key=_rank) for line in _lines(key, changed[key])]
        block = "".join(f"{line}{parts.eol}" for line in ("---", *lines, "---"))
        return parts.bom + block + parts.eol + body.joined() if lines else text
    block = _edit_block(reading, changed, path=path, force=force)
    if not take_apart(parts.opening + block + parts.closing).parts.opening:
        # Nothing is left that shows it to be a block (comments alone, say): the id does.
        block = _edit_block(reading, changed | {"id": wanted.id}, path=path, force=force)
    return parts.bom + parts.opening + block + _closed(parts, body) + body.joined()


def _closed(parts: Parts, body: Body) -> str:
    """Return the closing fence, with a line end where it has none and a body follows; nothing where there is no block."""
    if not parts.closing or parts.closing.endswith("\n") or not body.joined():
        return parts.closing
    return parts.closing + parts.eol


def _rank(key: str) -> int:
    return CANONICAL.index(key) if key in CANONICAL else len(CANONICAL)


def _lines(key: str, node: Node) -> list[str]:
    return [] if node is None else lines_of(key, node)


def _changed_keys(reading: Reading, now: Memory, wanted: Memory) -> dict[str, Node]:
    """Return the keys to set, and with None those to take out."""
    old, new = to_keys(now), to_keys(wanted)
    changed = {key: node for key, node in new.items() if key not in old or not _same(old[key], node)}
    changed |= {key: None for key in old if key not in new}
    there = reading.block.values
    for key, value in now.extra.items():
        # A key of ours that was of an odd form stands in its own place, not under `extra`.
        if key in there and _rank(key) < len(CANONICAL) and wanted.extra.get(key) != value:
            changed.setdefault(key, None)
    if "title" in changed and NAME in there and NAME not in now.extra and "title" not in there:
        changed[NAME] = changed.pop("title")
    return changed


def _same(one: Node, other: Node) -> bool:
    return type(one) is type(other) and bool(one == other)


def _edit_block(reading: Reading, changed: dict[str, Node], *, path: str, force: bool) -> str:
    parts, block = reading.parts, reading.block
    if block.broken:
        fault = block.faults[0]
        raise _refusal(fault.message, path=path, line=fault.line + 1 if fault.line else 1, hint=fault.hint)
    for fault in block.faults:
        if fault.key in changed:
            raise _refusal(fault.message, path=path, line=fault.line + 1, hint=fault.hint)
    entries = outline(parts.block)
    if entries is None:
        hint = "write one key on each line between the fences"
        raise _refusal("the block is not written as lines of keys", path=path, line=2, hint=hint)
    for key, node in changed.items():
        _lines(key, node)  # refuses what cannot be written
    lines = [f"{line}\n" for line in parts.block.split("\n")[:-1]]
    return BlockText(lines, entries, parts.eol).changed(changed, whole_lists=force)


def _edit_body(reading: Reading, now: Memory, wanted: Memory, *, force: bool) -> Body:
    body, eol = reading.body, reading.parts.eol
    if wanted.content != body.content:
        body = _with_content(body, wanted.content, eol=eol, after_block=bool(reading.parts.opening))
    if now.links == wanted.links and not force:
        return body
    lines = link_lines(wanted.links)
    if body.links:
        kept = [line for line in body.links.split("\n") if line.removesuffix("\r") in lines]
        standing = {line.removesuffix("\r") for line in kept}
        added = [line for line in lines if line not in standing]
        written = eol.join([*(line.removesuffix("\r") for line in kept), *added]) if added else "\n".join(kept)
        if written:
            return replace(body, links=written)
        return replace(body, separator="", links="", tail=eol if body.content or body.gap else "")
    if lines and (force or not now.links):
        gap = body.gap or (eol if reading.parts.opening and not body.content else "")
        return Body(gap, body.content, eol + eol if body.content else "", eol.join(lines), eol)
    return body


def _with_content(body: Body, content: str, *, eol: str, after_block: bool) -> Body:
    """Put another content into the frame, mending the frame where the new content needs it."""
    gap = body.gap
    if after_block and not gap and (not body.content or content.startswith(("\n", "\r\n"))):
        gap = eol
    if body.links:
        separator = body.separator
        if not content:
            separator = ""
        elif not separator or content.endswith("\r"):
            separator = eol + eol
        return replace(body, gap=gap, content=content, separator=separator)
    ends = body.tail or not body.content or content.endswith("\n")
    return Body(gap, content, tail=eol if ends and content else "")


def _refusal(message: str, *, path: str, line: int = 0, hint: str = "") -> Unreadable:
    hint = f"{hint}; then try again" if hint else "mend the note by hand, then try again"
    where = f"{path}:{line}: " if path and line else f"{path}: " if path else ""
    return Unreadable(f"{where}{message}; nothing was changed", value=path, hint=hint, path=path, line=line)
