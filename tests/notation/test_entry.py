"""agent-brain's entry: what it holds comes back, and what agent-brain changed since wins."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from plainbrain.errors import Unreadable
from plainbrain.model.confidence import Confidence
from plainbrain.model.instants import Instant, from_ms, parse_instant
from plainbrain.model.links import Link
from plainbrain.model.memory import Correction, Memory, Usage
from plainbrain.model.provenance import Provenance
from plainbrain.notation.entry import FIELDS, entry_of, memory_of
from plainbrain.testing.builders import NOON, full_memory
from plainbrain.testing.strategies import memories


def v4(**changes: Any) -> dict[str, Any]:
    """Return an entry as agent-brain writes it."""
    entry: dict[str, Any] = {
        "id": "3f2b8d7e-0000-4000-8000-000000000001",
        "type": "fact",
        "memory_class": "semantic",
        "content": "The team uses pnpm",
        "source": "user",
        "source_url": None,
        "tags": ["code.node", "tooling"],
        "context": None,
        "session_id": 3,
        "created": "2026-10-27T12:00:00Z",
        "last_accessed": "2026-10-27T12:00:00Z",
        "access_count": 1,
        "confidence": "sure",
        "superseded_by": None,
        "success_count": 0,
        "correction_meta": None,
    }
    return entry | changes


def test_reads_every_field_of_v4() -> None:
    meta = {"wrong_entry_id": "w", "wrong_claim": "a", "right_claim": "b", "reason": None}
    memory, complaints = memory_of(
        v4(type="correction", memory_class="episodic", source_url="https://x.example", context="at work",
           superseded_by="next", success_count=2, correction_meta=meta)
    )  # fmt: skip
    assert complaints == ()
    assert memory == Memory(
        id="3f2b8d7e-0000-4000-8000-000000000001",
        content="The team uses pnpm",
        kind="correction",
        tags=("code.node", "tooling"),
        confidence=Confidence(word="sure"),
        status="superseded",
        links=(Link("next", "superseded_by"),),
        created=NOON,
        context="at work",
        source="user",
        source_url="https://x.example",
        provenance=Provenance(sessions=("3",)),
        correction=Correction("w", "a", "b", None),
        usage=Usage(accesses=1, last_accessed=NOON, successes=2),
    )


def test_writes_what_v4_can_say_without_extra() -> None:
    entry = v4()
    assert entry_of(memory_of(entry)[0]) == entry
    assert list(entry_of(memory_of(entry)[0])) == list(FIELDS)


def test_keeps_every_field() -> None:
    memory = full_memory()
    entry = json.loads(json.dumps(entry_of(memory)))
    assert memory_of(entry) == (memory, ())
    assert tuple(entry)[:16] == FIELDS


@settings(max_examples=300)
@given(memories())
def test_keeps_any_memory(memory: Memory) -> None:
    entry = json.loads(json.dumps(entry_of(memory)))
    assert memory_of(entry) == (memory, ())
    assert entry_of(memory, base=entry) == entry


@settings(max_examples=200)
@given(memories(), memories())
def test_any_memory_may_replace_any_other(old: Memory, new: Memory) -> None:
    entry = json.loads(json.dumps(entry_of(new, base=entry_of(old))))
    assert memory_of(entry) == (new, ())


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("created", "2026-10-27 12:00:00"),
        ("created", "2026-10-27T14:00:00.250+02:00"),
        ("created", "2026-10-27"),
        ("created", "last tuesday"),
        ("last_accessed", "garbage"),
        ("confidence", "Rather Sure"),
        ("confidence", ""),
        ("memory_class", ""),
        ("source_url", ""),
        ("context", ""),
        ("superseded_by", ""),
        ("session_id", "seven"),
        ("content", 5),
        ("content", None),
        ("source", None),
        ("tags", None),
        ("tags", "a,b"),
        ("access_count", "5"),
        ("access_count", None),
        ("success_count", 2.0),
        ("correction_meta", "{broken"),
        ("correction_meta", {"wrong_claim": "x", "other": 1}),
    ],
)
def test_an_odd_value_is_read_and_stays_as_it_is_when_something_else_changes(field: str, value: object) -> None:
    entry = v4(**{field: value})
    memory, _ = memory_of(entry)
    after = entry_of(replace(memory, rationale="because"), base=entry)
    assert after[field] == value
    assert after["extra"]["rationale"] == "because"
    assert memory_of(after)[0] == replace(memory, rationale="because")


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"content": None}, "content is no text"),
        ({"tags": 5}, "tags are no list"),
        ({"tags": ["a", 7]}, "a tag is no text"),
        ({"access_count": "many"}, "access_count is no whole number"),
        ({"correction_meta": [1, 2]}, "correction_meta is no object"),
        ({"extra": "text"}, "extra is no object"),
        ({"extra": {"title": 5}}, "extra.title is no text"),
        ({"extra": {"status": "active", "links": ["x"]}}, "extra.links is no list of objects"),
    ],
)
def test_says_what_is_wrong_and_reads_the_rest(changes: dict[str, Any], complaint: str) -> None:
    memory, complaints = memory_of(v4(**changes))
    assert complaint in complaints
    assert memory.source == "user"


@pytest.mark.parametrize("id", [None, "", 5])
def test_an_entry_without_an_id_is_unreadable(id: object) -> None:
    with pytest.raises(Unreadable):
        memory_of(v4(id=id))


def test_reads_v2_and_v3_as_they_are() -> None:
    entry = v4()
    for field in ("memory_class", "context", "session_id", "success_count", "correction_meta", "source_url"):
        del entry[field]
    memory, complaints = memory_of(entry)
    assert complaints == ()
    assert (memory.class_, memory.usage.successes, memory.provenance.sessions) == ("semantic", 0, ())


def test_unknown_keys_stay_where_they_are() -> None:
    entry = v4(mood="good", extra={"colour": "red", "title": "T"})
    memory, complaints = memory_of(entry)
    assert complaints == ()
    assert memory.extra == {"mood": "good", "colour": "red"}
    after = entry_of(replace(memory, title="U"), base=entry)
    assert after["mood"] == "good"
    assert memory_of(after)[0].extra == memory.extra


class TestWhatAgentBrainChangedWins:
    """The exact value in ``extra`` holds only as long as it renders to the field."""

    def entry(self, memory: Memory, **changes: Any) -> Memory:
        return memory_of(entry_of(memory) | changes)[0]

    def test_confidence(self) -> None:
        memory = Memory("a", confidence=Confidence(0.9))
        assert self.entry(memory).confidence == Confidence(0.9)
        assert self.entry(memory, confidence="likely").confidence == Confidence(word="likely")

    def test_times(self) -> None:
        memory = Memory("a", created=from_ms(1709856000123), usage=Usage(2, from_ms(1709856000456)))
        later = self.entry(memory, last_accessed="2026-10-27T12:00:00Z")
        assert later.created == from_ms(1709856000123)
        assert later.usage.last_accessed == NOON

    def test_a_day_stays_a_day(self) -> None:
        assert self.entry(Memory("a", created=parse_instant("2026-05-01"))).created == parse_instant("2026-05-01")

    def test_a_content_takes_the_title_of_the_old_one_with_it(self) -> None:
        memory = Memory("a", "We use npm", title="npm", description="npm", embedding=(0.5,), rationale="why")
        after = self.entry(memory, content="We use pnpm")
        assert (after.title, after.description, after.embedding) == ("", "", None)
        assert after.rationale == "why"

    def test_supersession(self) -> None:
        memory = Memory("a", status="draft", links=(Link("b", "caused_by"), Link("c", "superseded_by", 0.5)))
        assert self.entry(memory).links == memory.links
        after = self.entry(memory, superseded_by="d")
        assert (after.status, after.superseded_by) == ("superseded", "d")
        assert Link("b", "caused_by") in after.links
        assert self.entry(memory, superseded_by=None).superseded_by == ""

    def test_what_is_over_without_a_successor_is_hidden_from_agent_brain(self) -> None:
        memory = Memory("a", status="invalidated")
        assert entry_of(memory)["superseded_by"] == ""
        assert self.entry(memory).status == "invalidated"
        assert self.entry(memory, superseded_by="b").status == "superseded"

    def test_sessions(self) -> None:
        memory = Memory("a", provenance=Provenance(sessions=("12", "x")))
        assert self.entry(memory).provenance.sessions == ("12", "x")
        assert self.entry(memory, session_id=13).provenance.sessions == ("13",)

    def test_class(self) -> None:
        memory = Memory("a", kind="fact", memory_class="semantic")
        assert self.entry(memory).memory_class == "semantic"
        assert self.entry(memory, type="policy", memory_class="policy").memory_class == ""


def test_one_that_was_never_accessed_repeats_its_creation() -> None:
    memory = Memory("a", created=NOON)
    entry = entry_of(memory)
    assert entry["last_accessed"] == entry["created"]
    assert memory_of(entry)[0].usage.last_accessed is None


def test_a_text_that_is_no_time_stays() -> None:
    memory = Memory("a", created=Instant(None, text="soon"))
    assert entry_of(memory)["created"] == "soon"
    assert memory_of(entry_of(memory))[0] == memory
