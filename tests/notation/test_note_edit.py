"""Editing a note: the smallest change, everything else byte for byte."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainbrain.errors import InvalidField
from plainbrain.model.instants import parse_instant
from plainbrain.model.links import Link
from plainbrain.model.memory import Memory, Usage
from plainbrain.notation.note import read_note, take_apart, write_note
from plainbrain.notation.note.edit import edit_note
from plainbrain.notation.note.frontmatter import outline, split_note
from plainbrain.testing.strategies import memories, slugs, texts
from tests.sizes import TIMES

_FIELDS = [field.name for field in fields(Memory) if field.name not in ("id", "usage")]


def without_use(memory: Memory) -> Memory:
    return replace(memory, usage=Usage())


def place(memory: Memory) -> str:
    return f"{memory.cortex}/{memory.id}.md"


@st.composite
def edits(draw: st.DrawFn) -> tuple[Memory, Memory]:
    """Return a memory and the same with some fields changed."""
    before = draw(memories())
    other = draw(memories(st.just(before.id)))
    names = draw(st.lists(st.sampled_from(_FIELDS), min_size=1, max_size=3, unique=True))
    return before, replace(before, **{name: getattr(other, name) for name in names})


@settings(max_examples=60 * TIMES, deadline=None)
@given(edits(), st.sampled_from(["\n", "\r\n"]))
def test_an_edit_reads_back_and_touches_no_other_line(pair: tuple[Memory, Memory], eol: str) -> None:
    written, after = pair
    text = write_note(written).replace("\n", eol)
    before = read_note(text, locator=place(written)).memory
    after = replace(after, content=before.content if after.content == written.content else after.content)
    edited = edit_note(text, before=before, after=after)
    assert read_note(edited, locator=place(after)).memory == without_use(after)
    assert edit_note(edited, before=after, after=after) == edited
    old, new = key_texts(text), key_texts(edited)
    for key, lines in old.items():
        if key in new and key in _FIELDS and getattr(before, key) == getattr(after, key):
            assert new[key] == lines


def key_texts(text: str) -> dict[str, str]:
    block = split_note(text).block
    lines = [f"{line}\n" for line in block.split("\n")[:-1]]
    entries = outline(block)
    assert entries is not None
    starts = [entry.name.line for entry in entries]
    return {
        entry.key: "".join(lines[start:end])
        for entry, start, end in zip(entries, starts, [*starts[1:], len(lines)], strict=True)
    }


@settings(max_examples=40 * TIMES, deadline=None)
@given(texts, slugs, edits())
def test_a_note_without_a_block_can_be_edited(content: str, stem: str, pair: tuple[Memory, Memory]) -> None:
    locator = f"a/{stem}.md"
    before = read_note(content, locator=locator).memory
    after = replace(pair[1], id=before.id, cortex="a")
    for wanted in (after, replace(before, content=after.content), replace(before, links=after.links)):
        edited = edit_note(content, before=before, after=wanted, locator=locator)
        assert read_note(edited, locator=locator).memory == without_use(wanted)
        if wanted.content == before.content:
            assert edited.removeprefix("\ufeff").endswith(before.content) or wanted.links


_PIECES = st.sampled_from(
    [
        "# note\n", "\n", "id: a # mine\n", "title:  'T' \n", 'title: "T: x" # y\n', "title: |\n  one\n\n  two\n\n", "title: |+\n  one\n\n",
        "title: >-\n  one\n  two\n", "# after\n", "title: one\n  two\n", 'title: "one\nmore: two"\n', "tags: [a, 'b',\"c\"] # t\n", "tags: a, b\n",
        "tags:\n- a\n# in\n- b # x\n- c\n", "tags:\n  - a\n\n  - b\n", "tags: [a,\n  b]\n", "tags:\n", "status: active#1\n", "status:\n",
        "links:\n- {to: b, rel: x}\n- to: c\n\n  rel: y # z\n", "links: ['[[b]]', c]\n", "links:\n  - b\n  -\n    to: c\n", '"type": fact\n',
        "type   : fact\n", "description: >\n  x\n\n   y\n", "zeta: {a: [1, 2]}\n", "zeta:\n  b:\n    - 1\n  # c\n", "created: 2026-01-01\n",
    ]
)  # fmt: skip
_WANTED: list[dict[str, object]] = [
    {"title": "New: x"}, {"title": ""}, {"tags": ("b", "d")}, {"tags": ()}, {"tags": ("c", "a", "b")}, {"status": "superseded"},
    {"links": (Link("b"), Link("e", "x"))}, {"links": ()}, {"kind": "decision", "description": "one\ntwo"}, {"kind": ""},
    {"last_validated": parse_instant("2026-11-01"), "extra": {"zeta": "z", "new": [1]}},
]  # fmt: skip
_KEYS = {"kind": "type"}


@settings(max_examples=150 * TIMES, deadline=None)
@given(
    st.lists(_PIECES, max_size=6, unique_by=lambda piece: piece.split(":")[0].strip(' "')),
    st.sampled_from(_WANTED),
    st.sampled_from(["\n", "\r\n"]),
)
def test_an_edit_of_a_hand_made_block_leaves_the_other_lines(
    pieces: list[str], wanted: dict[str, object], eol: str
) -> None:
    text = f"\ufeff---\n{''.join(pieces)}---\nbody \n".replace("\n", eol)
    before = read_note(text, locator="x/y.md").memory
    after = replace(before, **wanted)  # type: ignore[arg-type]
    edited = edit_note(text, before=before, after=after, locator="x/y.md")
    assert read_note(edited, locator="x/y.md").memory == after
    touched = {_KEYS.get(name, name) for name in wanted} | {"zeta"}
    for piece in pieces:
        # A blank line that comes to stand behind `|+` would become a part of its text: it is written anew.
        if "|+" not in piece and piece.split(":")[0].strip(' "') not in touched:
            assert piece.rstrip("\n").replace("\n", eol) in edited


@settings(max_examples=60 * TIMES, deadline=None)
@given(memories(), st.text())
def test_no_change_changes_no_byte(memory: Memory, text: str) -> None:
    for whole in (text, write_note(memory), f"---\n{text}\n---\n{text}"):
        read = read_note(whole, locator="a/b.md").memory
        assert edit_note(whole, before=read, after=read) == whole


@settings(max_examples=200 * TIMES, deadline=None)
@given(st.text(st.sampled_from("ab #-\n")), st.text(st.sampled_from("ab #-\n")))
def test_a_bare_text_stays_bare_when_only_its_text_changes(text: str, content: str) -> None:
    before = read_note(text, locator="x.md").memory
    after = replace(before, content=content)
    edited = edit_note(text, before=before, after=after, locator="x.md")
    assert read_note(edited, locator="x.md").memory == after
    if not take_apart(text).parts.opening and read_note(content, locator="x.md").memory == after:
        assert not take_apart(edited).parts.opening


def test_a_text_close_below_its_block_stays_there() -> None:
    text = "---\ntitle: x\n---\n# Roadmap\n"
    before = read_note(text, locator="a.md").memory
    linked = edit_note(text, before=before, after=replace(before, links=(Link("b", "works_on"),)), locator="a.md")
    assert linked == "---\ntitle: x\nlinks:\n  - to: b\n    rel: works_on\n---\n# Roadmap\n\n- works_on [[b]]\n"
    told = edit_note(text, before=before, after=replace(before, status="invalidated"), locator="a.md")
    assert told == "---\ntitle: x\nstatus: invalidated\n---\n# Roadmap\n"


@pytest.mark.parametrize("key", ["content", "rationale"])
def test_the_marks_of_a_merge_are_not_written(key: str) -> None:
    """Where they stand at the beginning of lines, the note would not be read again."""
    marks = "a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\nd"
    plain = Memory("a", "text", title="A")
    marked = replace(plain, content=marks) if key == "content" else replace(plain, rationale=marks)
    indented = replace(plain, content=marks.replace("\n", "\n    "))
    assert read_note(write_note(indented), locator="a.md").memory == indented
    if key == "content":
        with pytest.raises(InvalidField, match="merge"):
            write_note(marked)
        with pytest.raises(InvalidField, match="merge"):
            edit_note(write_note(plain), before=plain, after=marked)
    else:
        note = read_note(write_note(marked), locator="a.md")
        assert note.memory == marked
        assert not note.problems
