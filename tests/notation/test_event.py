"""Log events: every memory comes back from its line, every form of line is read, nothing raises but Unreadable."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainbrain.errors import Unreadable
from plainbrain.model.change import Use
from plainbrain.model.instants import from_ms
from plainbrain.model.memory import Memory
from plainbrain.notation.event import parse_line, render_line
from plainbrain.notation.event.memory import read_memory, write_memory
from plainbrain.notation.event.touch import apply_touch, still_part, write_touch
from plainbrain.notation.event.values import (
    Cleared,
    Erased,
    Event,
    Linked,
    Meta,
    Moved,
    Strengthened,
    Touched,
    Unknown,
    Unlinked,
    Used,
    Wrote,
    link_ends,
)
from plainbrain.testing.builders import NOON, full_memory
from plainbrain.testing.strategies import memories


def there_and_back(memory: Memory, *, bare: bool) -> Memory:
    raw = write_memory(memory, class_key="memoryType" if bare else "category")
    [line] = parse_line(render_line(Wrote(memory.id, raw, bare=bare), at=5))
    assert isinstance(line.event, Wrote)
    assert (line.event.id, line.event.bare) == (memory.id, bare)
    read, notes = read_memory(line.event.raw)
    assert notes == ()
    return read


@given(memories(), st.booleans())
@settings(max_examples=300, deadline=None)
def test_every_memory_comes_back_from_its_line(memory: Memory, bare: bool) -> None:
    assert there_and_back(memory, bare=bare) == memory


def test_every_field_comes_back() -> None:
    assert there_and_back(full_memory(), bare=False) == full_memory()


@given(memories(), memories())
@settings(max_examples=200, deadline=None)
def test_a_touch_states_the_moving_part(old: Memory, new: Memory) -> None:
    raw = write_touch(new)
    if raw is not None:
        touched = apply_touch(old, json.loads(json.dumps(raw)))
        assert still_part(touched) == still_part(old)
        assert touched.usage == new.usage
        assert touched.dynamics.associations == new.dynamics.associations
        assert touched.provenance.sessions == new.provenance.sessions


@pytest.mark.parametrize(
    "event",
    [
        Meta(1700000000000, 3),
        Erased("a"),
        Erased("a", bare=True),
        Linked("a", "b", 0.5, from_ms(1), from_ms(2)),
        Unlinked("a", "b"),
        Used((Use("a", NOON, accesses=1), Use("b", NOON, successes=2, injected=3, used=4, relevance=-0.25))),
        Touched("a", {"id": "a", "stability": 0.5}),
    ],
)
def test_every_event_comes_back(event: Event) -> None:
    [line] = parse_line(render_line(event, at=7, batch=(1, 2)))
    if isinstance(event, Meta):
        assert isinstance(line.event, Meta)
        assert (line.event.created, line.event.segment) == (event.created, event.segment)
    else:
        assert line.event == event
    assert line.at == 7
    is_bare = isinstance(event, Erased) and event.bare
    assert (line.checked, line.batch) == ((False, None) if is_bare else (True, (1, 2)))


@pytest.mark.parametrize(
    ("line", "event"),
    [
        ('{"type":"delete","id":"a"}', Erased("a")),
        ('{"type":"clear"}', Cleared()),
        ('{"type":"unlink","a":"x","b":"y"}', Unlinked("x", "y")),
        (
            '{"type":"link","a":"x","b":"y","weight":0.5,"created_at":null,"updated_at":null}',
            Strengthened("x", "y", 0.5),
        ),
        ('{"type":"link","a":"x","b":"y","strength":1}', Linked("x", "y", 1.0)),
        (
            '{"type":"migrate_to_hot","id":"a"}',
            Moved("a", {"isCold": False, "coldSince": None, "daysAtFloor": 0}, ("cold",)),
        ),
        ('{"id":"a","deleted":true,"deletedAt":5}', Erased("a", bare=True)),
        ('{"type":"future_event","x":1}', Unknown("future_event")),
        ("{}", Unknown()),
        ("[1]", Unknown()),
        ("null", Unknown()),
    ],
)
def test_reads_every_form(line: str, event: Event) -> None:
    assert [found.event for found in parse_line(line.encode())] == [event]


def test_reads_the_python_packages_memory() -> None:
    line = (
        b'{"type": "create", "memory": {"id": "p", "user_id": "u", "content": "c", "category": "episodic", "importance": 0.5,'
        b' "stability": 0.1, "access_count": 2, "last_accessed_at": "2026-01-02T03:04:05.678901", "created_at": "2026-01-01T00:00:00",'
        b' "embedding": [1.0], "session_ids": ["s"], "is_cold": true, "memory_type": "plan", "ttl_seconds": 60, "odd": 1}}'
    )
    [found] = parse_line(line)
    assert isinstance(found.event, Wrote)
    memory, _ = read_memory(found.event.raw)
    assert (memory.id, memory.user_id, memory.kind, memory.memory_class) == ("p", "u", "plan", "episodic")
    assert (memory.usage.accesses, str(memory.usage.last_accessed)) == (2, "2026-01-02T03:04:05.678Z")
    assert (memory.dynamics.cold, memory.ttl_seconds, memory.extra) == (True, 60, {"odd": 1})


def test_numbers_that_json_cannot_say_are_written_as_words() -> None:
    raw = write_memory(Memory("a", "x", embedding=(1.0, math.nan), metadata={"n": math.inf}))
    line = render_line(Wrote("a", raw))
    assert b'[1.0,"NaN"]' in line
    assert b'"Infinity"' in line
    [found] = parse_line(line)
    assert isinstance(found.event, Wrote)
    memory, notes = read_memory(found.event.raw)
    assert (memory.embedding, memory.extra) == (None, {"embedding": [1.0, "NaN"]})
    assert memory.metadata == {"n": "Infinity"}
    assert notes == ("embedding is of the wrong sort and was set aside",)
    assert read_memory({"id": "a", "embedding": [1, math.nan]})[0].embedding is None


def test_texts_survive_in_one_line() -> None:
    for content in ("\ud83d", "a\u2028b\u0085c\x0b", "\r\n", "🚀\x00"):
        line = render_line(Wrote("a", write_memory(Memory("a", content))))
        assert line.count(b"\n") == 1
        [found] = parse_line(line)
        assert isinstance(found.event, Wrote)
        assert read_memory(found.event.raw)[0].content == content


def test_a_plain_key_that_somebody_changed_counts_more_than_the_truth_behind_it() -> None:
    raw = write_memory(Memory("a", "x", memory_class="policy", status="invalidated"))
    assert (raw["category"], raw["isSuperseded"]) == ("semantic", True)
    assert read_memory(raw)[0].memory_class == "policy"
    assert read_memory({**raw, "category": "core"})[0].memory_class == "core"
    assert read_memory({**raw, "isSuperseded": False})[0].status == "active"


def test_a_value_of_the_wrong_sort_is_kept() -> None:
    memory, notes = read_memory({"id": "a", "content": "x", "importance": "high", "metadata": [1], "sessionIds": 5})
    assert memory.extra == {"importance": "high", "metadata": [1], "sessionIds": 5}
    assert len(notes) == 3
    assert read_memory(write_memory(memory))[0] == memory


def test_glued_lines_give_what_is_whole_in_them() -> None:
    one, two = (render_line(Wrote(id, write_memory(Memory(id, "text")))).strip() for id in "ab")
    for raw, ids in ((one + two, "ab"), (one[:40] + two, "b"), (one + b"\x00" + two, "ab"), (one + two[:30], "a")):
        found = parse_line(raw)
        assert [line.event.id for line in found if isinstance(line.event, Wrote)] == list(ids)
        assert found[-1].notes
    nested = b'{"type":"memory","memory":{"id":"a","content":"x","metadata":{"k":{"type":"delete","id":"b"}}}'
    with pytest.raises(Unreadable):
        parse_line(nested)


@given(st.binary(max_size=80) | st.text(max_size=80).map(lambda t: t.encode("utf-8", "surrogatepass")))
@settings(max_examples=300, deadline=None)
def test_any_bytes_are_read_or_unreadable(raw: bytes) -> None:
    try:
        found = parse_line(raw)
    except Unreadable:
        found = []
    assert all(line.at is None or isinstance(line.at, int) for line in found)


json_objects = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)
_KEYS = st.sampled_from([*write_memory(full_memory()), "supersededBy", "memoryType"])
_OWN = st.sampled_from(list(write_memory(full_memory())["metadata"]["plainbrain"]))


@given(st.dictionaries(_KEYS, json_objects, max_size=6), st.dictionaries(_OWN, json_objects, max_size=4))
@settings(max_examples=300, deadline=None)
def test_any_json_object_is_a_memory_of_some_sort(raw: dict[str, object], own: dict[str, object]) -> None:
    memory, _ = read_memory({**raw, "metadata": {"plainbrain": own}})
    again, _ = read_memory(json.loads(json.dumps(write_memory(memory))))
    assert again.content == memory.content
    assert again.extra.keys() >= {key for key in memory.extra if key != "embedding"}


def test_a_hundred_thousand_brackets_are_unreadable() -> None:
    with pytest.raises(Unreadable):
        parse_line(b'{"a":' * 100_000)


def test_a_flipped_bit_is_never_a_wrong_value() -> None:
    line = render_line(Wrote("a", write_memory(full_memory("a"))), at=1)
    [told] = parse_line(line)
    for at in range(len(line) - 1):
        flipped = bytearray(line)
        flipped[at] ^= 1 << (at % 8)
        try:
            for found in parse_line(bytes(flipped)):
                assert not isinstance(found.event, Wrote) or found.event == told.event
        except Unreadable:
            continue


def test_link_ends_go_by_code_units() -> None:
    assert link_ends("\uffff", "\U0001f600") == ("\U0001f600", "\uffff")
    assert link_ends("b", "a") == ("a", "b")
