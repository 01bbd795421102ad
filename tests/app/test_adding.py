"""Decisions said in one line: the same fields on every kind of store."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainbrain.app.drafts import said_from
from plainbrain.app.entries import Said
from plainbrain.errors import InvalidField
from plainbrain.model.memory import Rejected
from tests.interchange.brains import KINDS, brain_at

DECIDED = {
    "rationale": "One file.",
    "rejected": ("Redis: a daemon, more", "C++"),
    "files": "a.py, b.py",
    "scope": "team",
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_decision_said_in_one_line(kind: str, tmp_path: Path) -> None:
    with brain_at(kind, tmp_path) as brain:
        id = brain.add(said_from(DECIDED, kind="decision", content="Sessions live in SQLite.")).memory.id
        kept = brain.get(id)
        assert (kept.rationale, kept.files, kept.scope) == ("One file.", ("a.py", "b.py"), "team")
        assert kept.rejected == (Rejected("Redis", "a daemon, more"), Rejected("C++"))
        assert [hit.id for hit in brain.search("daemon").hits] == [id]
        more = said_from({"rejected": ("Kafka",)}, kind="decision", content="Sessions live in SQLite.")
        again = brain.add(more)
        assert (again.created, again.memory.id) == (False, id)
        assert [v.rejected.option for v in brain.check("use Kafka").vetoes] == ["Kafka"]


@pytest.mark.parametrize("rejected", [(" ",), (": why",)])
def test_an_alternative_without_a_name_is_refused(rejected: tuple[str, ...], tmp_path: Path) -> None:
    with brain_at("json", tmp_path) as brain, pytest.raises(InvalidField):
        brain.add(said_from({"rejected": rejected}, kind="decision", content="x"))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("type_", ["", " ", "\t\n", "\x00"])
def test_an_entry_without_a_type_is_refused_and_a_note_without_one_is_a_note(
    kind: str, type_: str, tmp_path: Path
) -> None:
    with brain_at(kind, tmp_path) as brain:
        with pytest.raises(InvalidField, match="the type is empty"):
            brain.add(Said(type_, "what is true"))
        assert brain.encode("What is true", kind=type_).memory.kind == "note"
        assert [memory.kind for memory in brain.memories()] == ["note"]
