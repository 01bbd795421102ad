"""mem0's exports in their whole layout: nothing vanishes without a word."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plainbrain.app.intake import What
from plainbrain.model.instants import parse_instant
from plainbrain.model.links import Link
from tests.interchange.brains import KINDS, brain_at, bring_in, memories_of

RELATIONS = [
    {"source": "ada", "relationship": "works_at", "target": "acme", "source_type": "person"},
    {"source": "ada", "relationship": "likes", "destination": "tea"},
    {"source": "acme", "relation": "sells", "target": "tea"},
    {"source": "ada", "relationship": "likes", "target": "tea"},
    {"source": "ada"},
    "no object",
]


def export(folder: Path, *memories: object, **more: object) -> Path:
    path = folder / "mem0.json"
    path.write_text(json.dumps({"results": memories, **more}), encoding="utf-8")
    return path


@pytest.mark.parametrize("kind", KINDS)
def test_relations_become_a_list_for_each_entity(kind: str, tmp_path: Path) -> None:
    path = export(tmp_path, {"id": "m1", "memory": "Ada likes tea"}, relations=RELATIONS, next="page 2", count=0)
    with brain_at(kind, tmp_path / "brain") as brain:
        report = bring_in(brain, path)
        assert report.counts == {What.ADDED: 3, What.REFUSED: 2, What.NOTED: 1}
        assert next(o.why for o in report.items if o.what is What.NOTED).endswith(": next")
        found = memories_of(brain)
        assert (found["ada"].title, found["ada"].content) == ("ada", "- ada works at acme\n- ada likes tea")
        assert (found["ada"].links, found["acme"].links) == ((Link("acme", "works_at"),), ())
        assert bring_in(brain, path).counts == {What.THERE: 3, What.REFUSED: 2, What.NOTED: 1}


def test_an_expiration_date_ends_the_validity(tmp_path: Path) -> None:
    path = export(
        tmp_path,
        {"id": "past", "memory": "Tea is out", "expiration_date": "2020-05-01"},
        {"id": "later", "memory": "Tea is in", "expirationDate": "2030-05-01T10:00:00Z", "run_id": "r1"},
        {"id": "odd", "memory": "Tea is hot", "expiration_date": "soon"},
    )
    with brain_at("vault", tmp_path / "brain") as brain:
        report = bring_in(brain, path)
        found = memories_of(brain)
        assert [found[id].valid_until for id in ("past", "later", "odd")] == [
            parse_instant("2020-05-01"),
            parse_instant("2030-05-01T10:00:00Z"),
            None,
        ]
        assert found["later"].provenance.sessions == ("r1",)
        assert found["odd"].extra["mem0"] == {"expiration_date": "soon"}
        assert "is no time" in next(o.why for o in report.items if o.id == "odd")
        assert {hit.memory.id for hit in brain.search("tea").hits} == {"later", "odd"}


def test_what_no_field_can_hold_is_kept_among_the_other_keys(tmp_path: Path) -> None:
    odd = {
        "id": 7, "memory": "Text", "data": "Other text", "type": ["x"], "categories": {"a": 1}, "files": 3,
        "confidence": "high", "metadata": "plain", "immutable": True, "agent_id": "bot",
    }  # fmt: skip
    with brain_at("ram", tmp_path / "brain") as brain:
        bring_in(brain, export(tmp_path, odd))
        assert memories_of(brain)["text"].extra["mem0"] == {key: odd[key] for key in odd if key != "memory"}


def test_one_memory_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    path.write_text(json.dumps({"id": "m1", "memory": "Ada likes tea"}), encoding="utf-8")
    with brain_at("ram", tmp_path / "brain") as brain:
        assert bring_in(brain, path).counts == {What.ADDED: 1}
