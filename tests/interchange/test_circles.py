"""Chains that go round: an import leaves the closing link out and says so; the doctor sees those that are there."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainbrain.app.edits import edits_of
from plainbrain.app.intake import What
from plainbrain.model.change import Put
from plainbrain.model.links import SUPERSEDES, Link
from plainbrain.model.memory import SUPERSEDED, Memory
from tests.interchange.brains import KINDS, brain_at, bring_in, decision_line, memories_of, write_lines

ENDED = "2026-06-01T00:00:00.000Z"


@pytest.mark.parametrize("ended", [None, ENDED], ids=["in effect", "over"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("ids", ["xy", "xyz"])
def test_the_closing_link_is_left_out_and_the_memory_kept(
    ids: str, kind: str, ended: str | None, tmp_path: Path
) -> None:
    lines = [
        decision_line(id, supersedes_id=old, invalidated_at=ended)
        for id, old in zip(ids, ids[1:] + ids[0], strict=True)
    ]
    path = write_lines(tmp_path / "in.jsonl", lines)
    with brain_at(kind, tmp_path / "brain") as brain:
        report = bring_in(brain, path)
        found = memories_of(brain)
        assert report.counts[What.ADDED] == len(found) == len(ids)
        [told] = [item for item in report.items if "no chain goes round" in item.why]
        assert (told.id, found[ids[-1]].supersedes) == (ids[-1], ())
        assert found[ids[0]].supersedes == (ids[1],)
        assert not found[ids[0]].superseded_by
        brain.repair()
        assert not [p for p in brain.examine().problems if "circle" in p.code]
        assert {what for what in What if bring_in(brain, path).counts[what]} <= {What.THERE, What.RENEWED}


def test_what_supersedes_itself_comes_in_without_that(tmp_path: Path) -> None:
    with brain_at("vault", tmp_path / "brain") as brain:
        report = bring_in(brain, write_lines(tmp_path / "in.jsonl", [decision_line("a", supersedes_id="a")]))
        assert "supersedes a, which is itself" in report.items[0].why
        assert memories_of(brain)["a"].links == ()
        assert brain.examine().problems == ()


@pytest.mark.parametrize("ended", [None, ENDED], ids=["in effect", "over"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_circle_that_comes_in_two_files(kind: str, ended: str | None, tmp_path: Path) -> None:
    first = [
        decision_line("x", supersedes_id="y", invalidated_at=ended),
        decision_line("y", supersedes_id="z", invalidated_at=ENDED),
    ]
    second = [decision_line("z", supersedes_id="x", invalidated_at=ENDED)]
    with brain_at(kind, tmp_path / "brain") as brain:
        bring_in(brain, write_lines(tmp_path / "1.jsonl", first))
        report = bring_in(brain, write_lines(tmp_path / "2.jsonl", second))
        assert any("no chain goes round" in item.why for item in report.items)
        found = memories_of(brain)
        assert (found["z"].supersedes, found["x"].superseded_by, found["x"].is_live) == ((), "", ended is None)


@pytest.mark.parametrize("kind", KINDS)
def test_the_doctor_sees_a_circle_that_hides_all_its_members(kind: str, tmp_path: Path) -> None:
    pairs = [("a", "b"), ("b", "c"), ("c", "a"), ("other", "a")]
    with brain_at(kind, tmp_path / "brain") as brain:
        for id, old in pairs:
            brain.store.apply([Put(Memory(id, f"text {id}", status=SUPERSEDED, links=(Link(old, SUPERSEDES),)))])
        [circle] = [p for p in brain.repair().problems if p.code == "superseded-in-circle"]
        assert circle.message == "a was replaced by c was replaced by b was replaced by a: all of them are hidden"
        assert circle.hint == "say which one holds: brain edit b --set status=active"
        brain.edit("b", edits_of(sets=["status=active"]))
        assert not [p for p in brain.repair().problems if p.code == "superseded-in-circle"]
        assert [memory.id for memory in memories_of(brain).values() if memory.is_live] == ["b"]
