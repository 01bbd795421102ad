"""Markdown notes: what is written is what is read, to the letter."""

from __future__ import annotations

from dataclasses import replace

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from plainbrain.model.memory import Memory, Usage
from plainbrain.notation.note import read_note, write_note
from plainbrain.notation.note.frontmatter import read_block, read_yaml, split_note
from plainbrain.notation.note.scalars import key_lines, quote, quote_in_flow, typed
from plainbrain.notation.note.simple import read_simple
from plainbrain.testing.builders import full_memory
from plainbrain.testing.strategies import json_values, memories, texts
from tests.sizes import TIMES


def without_use(memory: Memory) -> Memory:
    return replace(memory, usage=Usage())


def place(memory: Memory) -> str:
    return f"{memory.cortex}/{memory.id}.md"


def test_a_full_memory_comes_back() -> None:
    memory = without_use(full_memory())
    note = read_note(write_note(memory), locator=place(memory))
    assert note.memory == memory
    assert note.problems == ()


@settings(max_examples=120 * TIMES, deadline=None)
@given(memories())
def test_every_memory_comes_back(memory: Memory) -> None:
    text = write_note(memory)
    note = read_note(text, locator=place(memory))
    assert note.memory == without_use(memory)
    assert note.problems == ()
    block = split_note(text).block
    assert typed(read_block(block).values) == typed(read_yaml(block).values)


@settings(max_examples=300 * TIMES, deadline=None)
@given(st.text(alphabet="a-'\"[]{},:#|>&*!%@` \n\t0.5e~é\u2028\x85\ufeff\x07", max_size=30) | texts)
def test_text_is_text_for_every_reader(text: str) -> None:
    for lines in (key_lines("key", text), [f"key: {quote(text)}"], [f"key: [{quote_in_flow(text)}]"]):
        block = "\n".join(lines) + "\n"
        found = yaml.safe_load(block)["key"]
        assert found in (text, [text]), block
        assert type(found) in (str, list)
        assert read_block(block).values["key"] in (text, [text])
        assert read_yaml(block).values["key"] in (text, [text])


@settings(max_examples=300 * TIMES, deadline=None)
@given(json_values)
def test_json_values_come_back(value: object) -> None:
    block = "\n".join(key_lines("key", value)) + "\n"
    assert typed(read_block(block).values["key"]) == value


_LINES = st.sampled_from(
    [
        "a: b", "b: [x, y]", "c:", "  - x", "- y", "  d: e", "", "# note", "  # note", "e: 'q'", 'f: "q" ', "g: a: b",
        "h: x # y", "  - to: x", "    rel: y", "  - ", "  -", "i:", " j: k", "k: -", "l: é", "m: 07", "n: []", "o: [a b, c]",
        "  cont", "p: |", "q: a#b", "r: a:b", "s: 'it''s'", "t: x:", "u: [a, ]", "v: [, a]", "w: {a: b}", "x:  ", "y: ~",
        "?", "- - z", "  - [p, q]", "    - w", "  k2: [a]", "  - k3: v", "...", "a b: c", "z: [a: b]", "z: (x)", "a: /x",
    ]
)  # fmt: skip


@settings(max_examples=500 * TIMES, deadline=None)
@given(st.lists(_LINES, max_size=6) | st.lists(st.text("ab:-#[], '\"\n", max_size=12), max_size=4))
def test_the_short_way_agrees_with_yaml(lines: list[str]) -> None:
    block = "".join(f"{line}\n" for line in lines)
    simple = read_simple(block)
    if simple is not None:
        found = read_yaml(block)
        assert (found.values, found.faults, found.broken) == (simple, (), False)
        assert typed(found.values) == typed(simple)


@settings(max_examples=300 * TIMES, deadline=None)
@given(st.text("-a:\n\r #\0<>=[]\ud800", max_size=30) | st.text())
def test_any_text_is_read(text: str) -> None:
    for whole in (text, f"---\n{text}\n---\n{text}"):
        note = read_note(whole, locator="a/b.md")
        assert note.memory.id
