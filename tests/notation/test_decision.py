"""robrain-memory/v1: the seed's line, the order of keys, what is never null, what an extended line keeps."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings

from plainbrain.errors import Unreadable
from plainbrain.model.instants import parse_instant
from plainbrain.model.links import SUPERSEDES, Link
from plainbrain.model.memory import Memory, Rejected
from plainbrain.model.provenance import Provenance
from plainbrain.notation.decision import cut_excerpt, read_decision, render_line, write_decision, write_extended
from plainbrain.notation.whole import read_whole, write_whole
from plainbrain.testing.builders import full_memory
from plainbrain.testing.strategies import memories

SEED = (
    '{"format":"robrain-memory/v1","id":"5f3c…","decision":"Use pnpm for all workspace commands","rationale":"Repo is standardized on pnpm",'
    '"rejected":[{"option":"npm","reason":"lockfile drift"}],"files_affected":["package.json"],"scope":"team","lifecycle":{"created_at":"2026-05-01T10:00:00.000Z",'
    '"invalidated_at":null,"reviewed_at":"2026-05-02T09:00:00.000Z","supersedes_id":null},"provenance":{"session_id":"2026-05-01T09:58:11.873Z-8e39",'
    '"source_turn_sequence":4,"source_excerpt":"please only ever use pnpm here"},"quality":{"historical_relevance":0.62,"injected_count":14,"used_count":11}}\n'
)


def test_the_line_of_the_format_comes_back_to_the_letter() -> None:
    found = read_decision(json.loads(SEED))
    assert found.complaints == ()
    assert render_line(write_decision(found.memory)) == SEED


def test_every_field_has_its_home() -> None:
    memory = read_decision(json.loads(SEED)).memory
    assert (memory.content, memory.kind, memory.scope) == ("Use pnpm for all workspace commands", "decision", "team")
    assert memory.rejected == (Rejected("npm", "lockfile drift"),)
    assert (memory.usage.relevance, memory.usage.injected, memory.usage.used) == (0.62, 14, 11)
    assert (memory.provenance.turn, memory.provenance.sessions) == (4, ("2026-05-01T09:58:11.873Z-8e39",))
    assert memory.reviewed == parse_instant("2026-05-02T09:00:00.000Z")


def test_what_is_unsaid_is_null_and_what_may_not_be_null_is_not() -> None:
    line = write_decision(Memory("a", "x"))
    assert line["lifecycle"] == {
        "created_at": "1970-01-01T00:00:00.000Z",
        "invalidated_at": None,
        "reviewed_at": None,
        "supersedes_id": None,
    }
    assert line["provenance"] == {"session_id": "", "source_turn_sequence": None, "source_excerpt": None}
    assert line["quality"] == {"historical_relevance": None, "injected_count": 0, "used_count": 0}
    assert (line["scope"], line["rationale"], line["rejected"], line["files_affected"]) == ("local", None, [], [])


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a" * 301, "a" * 300),
        ("a" * 299 + "🚀", "a" * 299),
        ("🚀" * 151, "🚀" * 150),
        ("a" * 300, "a" * 300),
        ("", ""),
    ],
)
def test_an_excerpt_ends_with_a_whole_character(text: str, kept: str) -> None:
    assert cut_excerpt(text) == kept


def test_an_open_decision_that_is_over_is_never_exported_as_live() -> None:
    memory = Memory("a", "x", status="superseded", created=parse_instant("2026-01-01"))
    assert write_decision(memory)["lifecycle"]["invalidated_at"] == "2026-01-01T00:00:00.000Z"


@pytest.mark.parametrize(
    "line", [{}, {"format": "robrain-memory/v2", "id": "x"}, {"format": "robrain-memory/v1"}, {"id": "x"}]
)
def test_a_line_of_another_format_is_refused(line: dict[str, object]) -> None:
    with pytest.raises(Unreadable):
        read_decision(line)


@pytest.mark.parametrize(
    ("id", "said"),
    [
        (9, "is no text: '9'"),
        (True, "is no text: 'true'"),
        ([], "is no text: "),
        (None, "has no id"),
        (" ", "has no id"),
    ],
)
def test_a_line_whose_id_is_no_text_is_told_from_one_without(id: object, said: str) -> None:
    with pytest.raises(Unreadable, match=said):
        read_decision({"format": "robrain-memory/v1", "id": id, "decision": "d"})


def test_missing_keys_are_told_and_the_line_is_read() -> None:
    found = read_decision({"format": "robrain-memory/v1", "id": "a", "decision": "d", "quality": {"used_count": 2}})
    assert found.memory.content == "d"
    assert found.memory.usage.used == 2
    assert "lifecycle is missing" in found.complaints
    assert "quality.injected_count is missing" in found.complaints


def test_values_of_another_shape_are_told_and_stop_nothing() -> None:
    line = json.loads(SEED) | {"rejected": "npm", "files_affected": "a.py", "scope": 3}
    line["quality"] = {"historical_relevance": "high", "injected_count": -1, "used_count": True}
    found = read_decision(line)
    assert found.memory.files == ("a.py",)
    assert len(found.complaints) == 6
    assert found.memory.usage.relevance is None


def test_a_rejected_alternative_may_lack_its_reason() -> None:
    line = json.loads(SEED) | {
        "rejected": [{"option": "npm"}, {"option": "yarn", "reason": None}, {"option": "bun", "reason": ""}]
    }
    memory = read_decision(line).memory
    assert [r.reason for r in memory.rejected] == [None, None, ""]
    assert write_decision(memory)["rejected"][0] == {"option": "npm", "reason": None}


def test_unknown_keys_are_kept_for_an_extended_line_only() -> None:
    line = json.loads(SEED) | {"new_key": {"a": 1}}
    line["quality"]["extra"] = 1
    memory = read_decision(line).memory
    assert render_line(write_decision(memory)) == SEED
    assert write_extended(memory)["new_key"] == {"a": 1}
    assert write_extended(memory)["quality"]["extra"] == 1
    assert list(write_extended(memory))[:10] == list(json.loads(SEED))


def test_the_first_predecessor_is_told_and_a_backward_look_fills_in() -> None:
    memory = Memory("a", "x", links=(Link("b", SUPERSEDES), Link("c", SUPERSEDES)))
    assert write_decision(memory, supersedes="z")["lifecycle"]["supersedes_id"] == "b"
    assert write_decision(Memory("a", "x"), supersedes="z")["lifecycle"]["supersedes_id"] == "z"


def test_a_full_memory_survives_an_extended_line() -> None:
    memory = replace(full_memory(), provenance=Provenance(sessions=("s", "t"), excerpt="x" * 400))
    line = json.loads(render_line(write_extended(memory)))
    assert read_decision(line).memory == memory


@settings(max_examples=150)
@given(memories())
def test_any_memory_survives_an_extended_line_and_the_whole_form(memory: Memory) -> None:
    assert read_decision(json.loads(render_line(write_extended(memory)))).memory == memory
    assert read_whole(json.loads(json.dumps(write_whole(memory)))) == (memory, ())


@settings(max_examples=150)
@given(memories())
def test_a_plain_line_read_and_written_is_the_same_line(memory: Memory) -> None:
    line = write_decision(memory)
    assert write_decision(read_decision(json.loads(render_line(line))).memory) == line


def test_a_text_in_place_of_a_list_is_a_list_of_one() -> None:
    found = read_decision(json.loads(SEED) | {"rejected": "Redis", "files_affected": "a.py"})
    assert [r.option for r in found.memory.rejected] == ["Redis"]
    assert found.memory.files == ("a.py",)
    assert set(found.complaints) == {
        f"{name} is no list: taken as a list of one" for name in ("rejected", "files_affected")
    }


@pytest.mark.parametrize("value", ["soon", True, [1], {"at": 1}, float("nan"), 1e300, 10**400])
def test_what_is_no_time_neither_ends_nor_confirms_and_is_kept(value: object) -> None:
    line = json.loads(SEED)
    line["lifecycle"] |= {"invalidated_at": value, "reviewed_at": value}
    found = read_decision(line)
    assert (found.memory.is_live, found.memory.invalidated, found.memory.reviewed) == (True, None, None)
    assert len(found.complaints) == 2
    assert "it stays in effect" in found.complaints[0]
    assert "it counts as unreviewed" in found.complaints[1]
    kept = found.memory.extra["robrain"]["lifecycle"]
    assert kept["invalidated_at"] == (value if isinstance(value, str) else json.dumps(value))
    render_line(write_extended(found.memory))
    assert write_decision(found.memory)["lifecycle"]["invalidated_at"] is None


@pytest.mark.parametrize("value", [1_780_000_000, 1_780_000_000_000, 1_780_000_000.0])
def test_a_number_is_a_time_in_seconds_or_milliseconds(value: float) -> None:
    line = json.loads(SEED)
    line["lifecycle"]["created_at"] = value
    found = read_decision(line)
    assert write_decision(found.memory)["lifecycle"]["created_at"] == "2026-05-28T20:26:40.000Z"
    assert found.complaints == ("created_at is a number: taken as 2026-05-28T20:26:40.000Z",)
