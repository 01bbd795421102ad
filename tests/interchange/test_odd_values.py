"""Values of a line that are not as the format has them: taken where they can be meant, else left out and told."""

from __future__ import annotations

import json
from pathlib import Path, PurePosixPath

import pytest

from plainbrain.app.exports import export_log
from plainbrain.app.intake import Outcome, What
from plainbrain.lifecycle.edits import Append
from plainbrain.model.memory import Memory, Rejected
from tests.interchange.brains import KINDS, brain_at, bring_in, decision_line, memories_of


def import_line(kind: str, line: str, place: Path) -> tuple[Memory | None, list[Outcome]]:
    """Import one line; return the memory, and what was told."""
    path = place / "in.jsonl"
    path.write_text(line + "\n", encoding="utf-8")
    with brain_at(kind, place / "brain") as brain:
        report = bring_in(brain, path)
        return memories_of(brain).get("a"), report.items


def raw_line(part: str, text: str) -> str:
    """Return a line with one part as it is written in ``text``."""
    return json.dumps(decision_line("a") | {part: "HERE"}).replace('"HERE"', text)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("written", "turn"), [("4.0", 4), ("99999999999999999999999999", 99999999999999999999999999), ("-1", -1)]
)
def test_a_turn_is_a_whole_number_exactly(written: str, turn: int, kind: str, tmp_path: Path) -> None:
    memory, told = import_line(kind, raw_line("provenance", f'{{"source_turn_sequence":{written}}}'), tmp_path)
    assert memory is not None
    assert memory.provenance.turn == turn
    assert not [o for o in told if "turn_sequence is no" in o.why]


@pytest.mark.parametrize(
    ("text", "usage", "notes"),
    [
        ("[0.5,14.0,2]", (0.5, 14, 2), []),
        ("[1e999,0,0]", (1.0, 0, 0), ["historical_relevance is not from 0 to 1: taken as 1"]),
        ("[-2,0,0]", (0.0, 0, 0), ["historical_relevance is not from 0 to 1: taken as 0"]),
        ("[1" + "0" * 400 + ",0,0]", (1.0, 0, 0), ["historical_relevance is not from 0 to 1: taken as 1"]),
        ("[NaN,NaN,0]", (None, 0, 0), ["injected_count is no whole number: left out", "historical_relevance is no number: left out"]),
        ("[true,-1,1.5]", (None, 0, 0), [
            "injected_count is less than nothing: left out", "used_count is no whole number: left out", "historical_relevance is no number: left out",
        ]),
    ],
)  # fmt: skip
def test_counts_and_shares(text: str, usage: tuple[float | None, int, int], notes: list[str], tmp_path: Path) -> None:
    names = ("historical_relevance", "injected_count", "used_count")
    written = ",".join(f'"{name}":{value}' for name, value in zip(names, text[1:-1].split(","), strict=True))
    memory, told = import_line("sqlite", raw_line("quality", f"{{{written}}}"), tmp_path)
    assert memory is not None
    assert (memory.usage.relevance, memory.usage.injected, memory.usage.used) == usage
    assert [o.why for o in told] == (["; ".join(notes)] if notes else [])


def test_items_of_a_list_that_are_none(tmp_path: Path) -> None:
    memory, [told] = import_line("ram", raw_line("files_affected", '[1,null,"ok",["x"]]'), tmp_path)
    assert memory is not None
    assert (memory.files, told.why) == (("ok",), "files_affected holds 3 that are no text: left out")


def test_an_alternative_that_says_more_or_less(tmp_path: Path) -> None:
    text = '[{"option":"C","reason":5,"by":"me","at":1},{"reason":"x"},"plain"]'
    memory, [told] = import_line("ram", raw_line("rejected", text), tmp_path)
    assert memory is not None
    assert memory.rejected == (Rejected("C", "5"), Rejected("plain"))
    assert told.why == (
        "a reason is no text: taken as one; a rejected alternative says more, which is left out: at, by; "
        "a rejected alternative has no option: left out"
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("9" * 5000, "the line has a number of more digits than can be read"),
        ("[" * 100_000 + "]" * 100_000, "the line is nested deeper than can be read"),
        ("nothing", "the line is no JSON"),
    ],
    ids=["digits", "depth", "no JSON"],
)
def test_a_line_that_cannot_be_read_says_truly_why(text: str, why: str, tmp_path: Path) -> None:
    memory, [told] = import_line("ram", raw_line("new", text), tmp_path)
    assert (memory, told.what, told.why) == (None, What.REFUSED, why)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (',"decision":"second"}', "'decision' stands twice, the last counts"),
        (', "new": {"x" : 1, "x" : 2}}', "'x' stands twice, the last counts"),
        (',"note":"a \\":b","deep":[{"k":1},{"k":2}]}', ""),
    ],
)
def test_a_key_that_stands_twice_is_told(more: str, why: str, tmp_path: Path) -> None:
    line = json.dumps(decision_line("a"), separators=(",", ":"))
    memory, told = import_line("ram", line[:-1] + more, tmp_path)
    assert memory is not None
    assert [o.why for o in told] == ([why] if why else [])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("depth", "there"), [(30, True), (600, False)])
def test_a_value_that_is_too_deep_stops_no_other(depth: int, there: bool, kind: str, tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    deep = raw_line("new", "[" * depth + "]" * depth)
    path.write_text("\n".join([json.dumps(decision_line("b")), deep, json.dumps(decision_line("c"))]), encoding="utf-8")
    with brain_at(kind, tmp_path / "brain") as brain:
        report = bring_in(brain, path)
        assert set(memories_of(brain)) == {"b", "c"} | ({"a"} if there else set())
        assert [o.why for o in report.items] == ([] if there else ["it is nested deeper than 200 levels"])


@pytest.mark.parametrize("kind", KINDS)
def test_the_doctor_names_the_memory_whose_value_is_in_doubt(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text(json.dumps(decision_line("a", created_at="soon")), encoding="utf-8")
    with brain_at(kind, tmp_path / "brain") as brain:
        bring_in(brain, path)
        [problem] = [p for p in brain.examine().problems if p.code == "field-form"]
        assert problem.message == "created 'soon' is no date"
        assert PurePosixPath(problem.path).stem == "a"


@pytest.mark.parametrize("kind", KINDS)
def test_a_tag_with_line_ends_forges_no_line(kind: str, tmp_path: Path) -> None:
    entry = {"id": "a", "memory": "x", "categories": ["one\r\nINFO fake", "two"]}
    path = tmp_path / "in.json"
    path.write_text(json.dumps([entry]), encoding="utf-8")
    with brain_at(kind, tmp_path / "brain") as brain:
        bring_in(brain, path)
        brain.edit("a", [Append("more")])
        written = [*export_log(brain.context), *(f"{a.action} {a.id} {a.detail}" for a in brain.log(None))]
        assert len(brain.get("a").tags) == 2
    files = [one.read_text(encoding="utf-8") for one in (tmp_path / "brain").rglob("*.jsonl")]
    assert not [line for text in (*written, *files) for line in text.splitlines() if line.startswith("INFO")]
