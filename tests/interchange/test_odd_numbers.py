"""Numbers that JSON has not: they come in as text and are told, and no export, store or answer is spoilt by one."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from plainbrain.app import exports
from plainbrain.app.brain import Brain
from plainbrain.app.intake import What
from plainbrain.lifecycle.edits import Append
from plainbrain.model.change import Put
from plainbrain.model.memory import Memory
from tests.interchange.brains import KINDS, brain_at, bring_in, decision_line, memories_of, write_lines

FORMS = ("json", "json+", "interchange", "interchange+", "jsonl", "mcp-memory", "archive")
ODD = {"big": math.inf, "deep": [{"none": math.nan}], "low": -math.inf}


def strictly(text: str) -> list[object]:
    """Read JSON or JSON lines as a reader does that knows no NaN and no Infinity."""

    def refuse(word: str) -> object:
        raise AssertionError(f"{word} is no JSON")

    try:
        return [json.loads(text, parse_constant=refuse)]
    except ValueError:
        return [json.loads(line, parse_constant=refuse) for line in text.splitlines()]


def all_exports(brain: Brain) -> dict[str, list[object]]:
    return {form: strictly("".join(exports.pieces(brain.context, form, exports.ALL))) for form in FORMS}


@pytest.mark.parametrize("kind", KINDS)
def test_an_odd_number_is_kept_as_text_and_told(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text(
        json.dumps(decision_line("a") | {"new": 1})[:-1]
        + ',"far":1e999,"none":[NaN]}\n'
        + json.dumps(decision_line("b"))
    )
    with brain_at(kind, tmp_path / "brain") as brain:
        report = bring_in(brain, path)
        assert report.counts[What.ADDED] == 2
        assert ["kept as text (NaN, Infinity) in: extra" in item.why for item in report.items] == [True]
        lines = {line["id"]: line for line in all_exports(brain)["interchange+"] if isinstance(line, dict)}
        assert (lines["a"]["new"], lines["a"]["far"], lines["a"]["none"]) == (1, "Infinity", ["NaN"])
        assert bring_in(brain, path).counts[What.THERE] == 2


@pytest.mark.parametrize("kind", KINDS)
def test_one_that_is_here_already_stops_no_export_and_spoils_no_file(kind: str, tmp_path: Path) -> None:
    odd = Memory("a", "text", metadata={"m": ODD}, extra={"robrain": ODD, "other": ODD})
    with brain_at(kind, tmp_path / "brain") as brain:
        brain.store.apply([Put(odd), Put(Memory("b", "sound"))])
        brain.edit("a", [Append("more text")])
        found = all_exports(brain)
        assert len(found["interchange"]) == 2
        [line, _] = found["interchange+"]
        assert isinstance(line, dict)
        assert line["big"] == "Infinity"
    for path in tmp_path.rglob("*.json*"):
        strictly(path.read_text(encoding="utf-8"))


def test_an_archive_goes_round_and_tells_what_is_no_number(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "in.jsonl", [])
    huge = "1" + "0" * 400
    counts = f'"usage":{{"accesses":1e999,"used":{huge},"injected":3}},"ttl_seconds":{huge},"metadata":{{"x":NaN}}'
    path.write_text(
        '{"format":"plainbrain-archive/v1","from":"ram","written":"2026-01-01"}\n'
        f'{{"memory":{{"id":"a","content":"x",{counts}}}}}\n{{"end":{{"memories":1,"activities":0}}}}\n'
    )
    with brain_at("sqlite", tmp_path / "brain") as brain:
        report = bring_in(brain, path)
        assert report.counts[What.ADDED] == 1
        assert "usage.accesses is no number: left out" in report.items[0].why
        memory = memories_of(brain)["a"]
        assert (memory.usage.injected, memory.usage.used, memory.metadata) == (3, 0, {"x": "NaN"})


@pytest.mark.parametrize(
    "lines",
    [
        '{"type":"meta","version":1,"createdAt":0}\n'
        '{"type":"memory","memory":{"id":"a","content":"x","importance":1e999,"metadata":{"big":1e999}}}\n',
        '{"type":"entity","name":"a","entityType":"t","observations":["x", 1e999]}\n',
        '[{"id":"a","memory":"x","metadata":{"big":1e999},"score":NaN}]',
    ],
    ids=["event-log", "mcp-memory", "mem0"],
)
def test_no_other_form_brings_one_in(lines: str, tmp_path: Path) -> None:
    path = tmp_path / "in.json"
    path.write_text(lines)
    with brain_at("json", tmp_path / "brain") as brain:
        assert bring_in(brain, path).counts[What.ADDED] == 1
        all_exports(brain)
    strictly((tmp_path / "brain" / "brain").read_text())
