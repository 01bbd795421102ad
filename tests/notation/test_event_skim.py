"""A line that is skimmed says what it says when it is read whole, but for the vector."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainbrain.errors import Unreadable
from plainbrain.model.memory import Memory
from plainbrain.notation.event import parse_line, render_line
from plainbrain.notation.event.memory import write_memory
from plainbrain.notation.event.skim import skim_line, stand_alone
from plainbrain.notation.event.values import LogLine, Wrote
from plainbrain.testing.strategies import memories


def without_vector(lines: list[LogLine]) -> list[LogLine]:
    return [
        replace(line, event=replace(line.event, raw={k: v for k, v in line.event.raw.items() if k != "embedding"}))
        if isinstance(line.event, Wrote)
        else line
        for line in lines
    ]


def line_of(memory: Memory, *, bare: bool = False, of: int = 0) -> bytes:
    batch = (1, of) if of else None
    return render_line(
        Wrote(memory.id, write_memory(memory), bare=bare), at=5, revision="0" * 32, batch=None if bare else batch
    ).rstrip(b"\n")


@given(memories(), st.booleans(), st.integers(0, 3))
@settings(max_examples=200, deadline=None)
def test_skimming_leaves_out_the_vector_and_nothing_else(memory: Memory, bare: bool, of: int) -> None:
    raw = line_of(memory, bare=bare, of=of)
    assert without_vector(skim_line(raw)) == without_vector(parse_line(raw))


@pytest.mark.parametrize(
    "memory",
    [
        Memory("a", 'says ,"embedding":[1]}," and "]},"', embedding=(1.0, 2.0)),
        Memory("a", "x", embedding=(1.0,), metadata={"m": {"x": 1, "embedding": [3, "]},"]}}),
        Memory("a", "x", embedding=(1.0,), extra={"embedding": "no vector", "y": {"z": 1, "embedding": [[1], [2]]}}),
        Memory("a", "x", metadata={"x": 1, "embedding": [3]}),
    ],
)
def test_what_looks_like_a_vector_is_left_where_it_is(memory: Memory) -> None:
    raw = line_of(memory)
    assert without_vector(skim_line(raw)) == without_vector(parse_line(raw))


def test_a_damaged_line_is_found_out_as_well() -> None:
    raw = line_of(Memory("a", "x", embedding=tuple(n / 7 for n in range(40))))
    chance = random.Random(5)
    for _ in range(300):
        spoilt = bytearray(raw)
        spoilt[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)
        with pytest.raises(Unreadable):
            skim_line(bytes(spoilt))


def test_lines_that_were_glued_together_are_both_read() -> None:
    one, other = (line_of(Memory(id, "x", embedding=(1.0,))) for id in "ab")
    assert [line.event.id for line in skim_line(one + other) if isinstance(line.event, Wrote)] == ["a", "b"]


@given(memories(), st.integers(0, 5), st.booleans())
@settings(max_examples=200, deadline=None)
def test_a_line_of_a_batch_is_made_to_stand_alone(memory: Memory, of: int, bare: bool) -> None:
    raw = line_of(memory, bare=bare, of=of)
    alone = stand_alone(raw)
    if bare:
        assert alone is None
        return
    assert alone is not None
    [line], [told] = parse_line(alone), parse_line(raw)
    assert line == replace(told, batch=None)
    assert of or alone == raw


def test_a_short_line_of_a_batch_is_made_to_stand_alone() -> None:
    raw = render_line(Wrote("a", {"id": "a", "content": ""}), batch=(1, 2)).rstrip(b"\n")
    assert stand_alone(raw) == render_line(Wrote("a", {"id": "a", "content": ""})).rstrip(b"\n")


def test_a_damaged_line_is_not_copied() -> None:
    raw = line_of(Memory("a", "x", embedding=(1.0, 2.0)), of=3)
    for at in range(len(raw)):
        assert stand_alone(raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :]) is None
