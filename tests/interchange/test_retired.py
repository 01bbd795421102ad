"""What is over, or waits for a person, never goes out as if it were true: marked where the form can, else left out and counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plainbrain.app.brain import Brain
from plainbrain.app.exports import ALL, LeftOut, export_graph, export_interchange, export_log, write_folder
from plainbrain.app.transfer import dump
from plainbrain.model.change import Put
from plainbrain.model.instants import parse_instant
from plainbrain.model.links import SUPERSEDED_BY, SUPERSEDES, Link
from plainbrain.model.memory import INVALIDATED, SUPERSEDED, Memory
from plainbrain.model.provenance import QUARANTINED, Provenance
from tests.interchange.brains import KINDS, brain_at, bring_in, memories_of

LONG_AGO = parse_instant("2020-01-01")
GIVEN = (
    Memory("new", "Staging listens on 9443", title="New", links=(Link("old", SUPERSEDES), Link("gone", "see"))),
    Memory("old", "Staging listens on 8443", title="Old", status=SUPERSEDED, links=(Link("new", SUPERSEDED_BY),)),
    Memory("gone", "Staging sits behind a VPN", title="Gone", status=INVALIDATED, invalidated=LONG_AGO),
    Memory("sale", "Staging sells cheaply", title="Sale", valid_until=LONG_AGO),
    Memory("brief", "Staging is down now", title="Brief", created=LONG_AGO, ttl_seconds=60.0),
    Memory("later", "Staging moves", title="Later", valid_until=parse_instant("2030-01-01")),
)
LIVE = {"new", "later"}


def filled(kind: str, place: Path, *more: Memory) -> Brain:
    brain = brain_at(kind, place)
    brain.store.apply([Put(memory) for memory in (*GIVEN, *more)])
    return brain


def recalled(brain: Brain) -> set[str]:
    return {hit.memory.id for hit in brain.search("staging", 50).hits}


@pytest.mark.parametrize("kind", KINDS)
def test_a_graph_holds_what_is_in_effect(kind: str, tmp_path: Path) -> None:
    poison = Memory("poison", "Staging", title="Poison", provenance=Provenance(trust=QUARANTINED))
    left = LeftOut()
    with filled(kind, tmp_path / "a", poison) as brain:
        lines = [json.loads(line) for line in export_graph(brain.context, left=left)]
    assert {line["name"] for line in lines} == {"New", "Later"}
    assert (left.over, left.held) == (4, 1)


def test_notes_of_basic_memory_hold_what_is_in_effect_and_until_when(tmp_path: Path) -> None:
    left = LeftOut()
    with filled("vault", tmp_path / "a") as brain, brain_at("ram", tmp_path / "b") as again:
        assert write_folder(brain.context, "basic-memory", tmp_path / "out", choice=ALL, left=left) == 2
        assert left == LeftOut(over=4)
        bring_in(again, tmp_path / "out", "basic-memory")
        assert again.get("later").valid_until == parse_instant("2030-01-01")


def texts(brain: Brain, form: str) -> str:
    writers = {"interchange": export_interchange, "jsonl": export_log, "json": dump}
    return "".join(writers[form](brain.context))


@pytest.mark.parametrize("form", ["interchange", "jsonl", "json", "markdown"])
def test_what_is_over_comes_back_over(form: str, tmp_path: Path) -> None:
    with filled("sqlite", tmp_path / "a") as brain, brain_at("vault", tmp_path / "b") as again:
        path = tmp_path / "out"
        if form == "markdown":
            write_folder(brain.context, form, path, choice=ALL)
        else:
            path.write_text(texts(brain, form), encoding="utf-8")
        bring_in(again, path)
        assert set(memories_of(again)) == {memory.id for memory in GIVEN}
        assert recalled(again) == LIVE
