"""robrain-memory/v1 in and out of every store: the files of the other tool, chains, doubles, foreign lines."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from plainbrain.app.exports import Choice, export_extended, export_interchange
from plainbrain.app.intake import What
from plainbrain.model.change import Put
from plainbrain.model.links import SUPERSEDED_BY, Link
from plainbrain.model.memory import Memory
from tests.interchange.brains import KINDS, brain_at, bring_in, decision_line, memories_of, write_lines
from tests.notation.test_decision import SEED


@pytest.fixture
def data(outside_data: Path) -> Path:
    return outside_data / "interchange"


@pytest.mark.parametrize("kind", KINDS)
def test_what_comes_in_goes_out_again_equal(kind: str, tmp_path: Path, data: Path) -> None:
    for path in sorted(data.glob("0[1-8]*.jsonl")):
        with brain_at(kind, tmp_path / path.stem) as brain:
            bring_in(brain, path)
            given = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
            for line in given:
                created = line["lifecycle"]["created_at"]
                line["lifecycle"]["created_at"] = created if "." in created else created.replace("Z", ".000Z")
            assert [json.loads(line) for line in export_interchange(brain.context)] == given


@pytest.mark.parametrize("kind", KINDS)
def test_the_line_of_the_format_round_trips_on_every_store(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text(SEED, encoding="utf-8")
    with brain_at(kind, tmp_path / "a") as brain:
        assert bring_in(brain, path).counts[What.ADDED] == 1
        assert "".join(export_interchange(brain.context)) == SEED


@pytest.mark.parametrize("kind", KINDS)
def test_out_and_into_an_empty_brain_and_out_is_equal_and_twice_changes_nothing(
    kind: str, tmp_path: Path, data: Path
) -> None:
    out = tmp_path / "out.jsonl"
    with brain_at("ram", tmp_path / "a") as first:
        for name in ("04-chain", "08-unknown-scope", "10-hand-foreign-lines"):
            bring_in(first, data / f"{name}.jsonl")
        first.encode("A note of our own", "With a body.", kind="decision", tags="x.y")
        out.write_text("".join(export_interchange(first.context)), encoding="utf-8")
    with brain_at(kind, tmp_path / "b") as second:
        bring_in(second, out)
        assert "".join(export_interchange(second.context)) == out.read_text(encoding="utf-8")
        before = dict(second.store.listing())
        again = bring_in(second, out)
        assert (again.counts[What.ADDED], again.counts[What.THERE]) == (0, len(before))
        assert dict(second.store.listing()) == before


def test_an_empty_brain_is_zero_bytes_and_they_come_in(tmp_path: Path, data: Path) -> None:
    with brain_at("ram", tmp_path) as brain:
        assert "".join(export_interchange(brain.context)) == ""
        assert not bring_in(brain, data / "03-empty.jsonl").failed


def test_foreign_lines_are_refused_one_by_one_with_their_numbers(tmp_path: Path, data: Path) -> None:
    with brain_at("ram", tmp_path) as brain:
        report = bring_in(brain, data / "10-hand-foreign-lines.jsonl")
        refused = {o.where: o.why for o in report.items if o.what is What.REFUSED}
        assert list(refused) == ["line 3", "line 4", "line 7"]
        assert "robrain-memory/v2" in refused["line 3"]
        assert report.failed
        # the last line of an id counts, and unknown keys are there for an extended export
        assert brain.get("00000000-0000-4000-8000-000000000020").content == "same id again, newer text"
        extended = [json.loads(line) for line in export_extended(brain.context)]
        assert [line["new_key"] for line in extended if "new_key" in line] == [{"a": 1}]


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_chains_are_rebuilt_whatever_the_order_of_the_lines(order: tuple[int, ...], tmp_path: Path) -> None:
    lines = [
        decision_line("a", invalidated_at="2026-02-01T00:00:00.000Z"),
        decision_line("b", invalidated_at="2026-03-01T00:00:00.000Z", supersedes_id="a"),
        decision_line("c", supersedes_id="b"),
    ]
    with brain_at("ram", tmp_path / "brain") as brain:
        bring_in(brain, write_lines(tmp_path / "in.jsonl", [lines[n] for n in order]))
        found = memories_of(brain)
        assert [(found[i].status, found[i].superseded_by, found[i].supersedes) for i in "abc"] == [
            ("superseded", "b", ()),
            ("superseded", "c", ("a",)),
            ("active", "", ("b",)),
        ]


def test_a_chain_that_comes_in_two_files_is_joined(tmp_path: Path) -> None:
    with brain_at("sqlite", tmp_path / "brain") as brain:
        bring_in(brain, write_lines(tmp_path / "1.jsonl", [decision_line("a")]))
        report = bring_in(brain, write_lines(tmp_path / "2.jsonl", [decision_line("b", supersedes_id="a")]))
        assert "supersedes a, which is not in the file" in report.items[0].why
        assert memories_of(brain)["a"].superseded_by == "b"
        assert not memories_of(brain)["a"].is_live


def test_what_nobody_reviewed_does_not_retire_what_somebody_did(tmp_path: Path) -> None:
    with brain_at("ram", tmp_path / "brain") as brain:
        bring_in(brain, write_lines(tmp_path / "1.jsonl", [decision_line("a", reviewed_at="2026-05-02T09:00:00.000Z")]))
        report = bring_in(brain, write_lines(tmp_path / "2.jsonl", [decision_line("b", supersedes_id="a")]))
        assert memories_of(brain)["a"].is_live
        assert any("a stays as it is" in item.why for item in report.items)


def test_a_predecessor_that_is_nowhere_is_kept_and_told(tmp_path: Path) -> None:
    with brain_at("ram", tmp_path / "brain") as brain:
        report = bring_in(brain, write_lines(tmp_path / "in.jsonl", [decision_line("b", supersedes_id="gone")]))
        assert "gone" in report.items[0].why
        [line] = export_interchange(brain.context)
        assert json.loads(line)["lifecycle"]["supersedes_id"] == "gone"


def test_a_predecessor_that_only_its_own_side_knows_is_written(tmp_path: Path) -> None:
    with brain_at("ram", tmp_path / "brain") as brain:
        old = Memory("old", "x", status="superseded", links=(Link("new", SUPERSEDED_BY),))
        brain.store.apply([Put(old), Put(Memory("new", "y"))])
        lines = {json.loads(line)["id"]: json.loads(line) for line in export_interchange(brain.context)}
        assert lines["new"]["lifecycle"]["supersedes_id"] == "old"


def test_live_only_leaves_out_what_is_over_and_types_narrow(tmp_path: Path, data: Path) -> None:
    with brain_at("ram", tmp_path) as brain:
        bring_in(brain, data / "04-chain.jsonl")
        brain.encode("a fact", kind="fact")
        brain.encode("for a while", kind="fact", valid_until=brain.get(brain.encode("x").id).created)
        live = [json.loads(line) for line in export_interchange(brain.context, Choice(live_only=True))]
        assert all(line["lifecycle"]["invalidated_at"] is None for line in live)
        assert "Cache sessions in Redis" not in {line["decision"] for line in live}
        facts = list(export_interchange(brain.context, Choice(kinds=("fact",))))
        assert len(facts) == 2


def test_half_a_character_is_repaired(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    text = json.dumps(decision_line("a", source_excerpt="half \ud83d", decision="also \udc00 here"))
    path.write_text(text + "\n", encoding="ascii")
    with brain_at("vault", tmp_path / "brain") as brain:
        bring_in(brain, path)
        assert memories_of(brain)["a"].provenance.excerpt == "half \ufffd"
        assert memories_of(brain)["a"].content == "also \ufffd here"


def test_trust_follows_the_review_and_the_origin_says_the_format(tmp_path: Path) -> None:
    lines = [decision_line("a"), decision_line("b", reviewed_at="2026-05-02T09:00:00.000Z")]
    with brain_at("ram", tmp_path / "brain") as brain:
        bring_in(brain, write_lines(tmp_path / "in.jsonl", lines))
        found = memories_of(brain)
        assert [found[i].provenance.trust for i in "ab"] == ["unreviewed", "reviewed"]
        assert found["a"].provenance.origin == "import:robrain"


def test_what_reads_like_an_order_waits_for_a_person(tmp_path: Path, data: Path) -> None:
    with brain_at("ram", tmp_path) as brain:
        report = bring_in(brain, data / "05-quarantined-row-is-exported-unmarked.jsonl")
        assert "held back" in report.items[0].why
        [(id, memory)] = memories_of(brain).items()
        assert memory.provenance.trust == "quarantined"
        assert brain.search("ignore previous instructions").hits == ()
        assert brain.check("Postgres").vetoes == ()
        assert [one.id for one in brain.unreviewed()] == [id]
        brain.approve(id)
        assert brain.search("previous instructions").hits


SECRET = "ghp_" + "A1b2" * 9


@pytest.mark.parametrize("field", ["decision", "rationale", "source_excerpt", "session_id"])
def test_an_item_with_a_secret_is_refused_wherever_it_stands(field: str, tmp_path: Path) -> None:
    lines = [decision_line("a"), decision_line("b", **{field: f"token {SECRET}"}), decision_line("c")]
    path = write_lines(tmp_path / "in.jsonl", lines)
    with brain_at("ram", tmp_path / "brain") as brain:
        report = bring_in(brain, path)
        assert set(memories_of(brain)) == {"a", "c"}
        assert [o.id for o in report.items if o.what is What.REFUSED] == ["b"]
        assert all(SECRET not in o.why + o.hint for o in report.items)
    with brain_at("ram", tmp_path / "other", secrets="allowed") as brain:
        assert bring_in(brain, path).counts[What.ADDED] == 3


def test_a_rehearsal_says_what_would_come_and_writes_nothing(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "in.jsonl", [decision_line("a"), decision_line("b", supersedes_id="a")])
    with brain_at("sqlite", tmp_path / "brain") as brain:
        report = bring_in(brain.rehearsal(), path)
        assert report.counts[What.ADDED] == 2
        assert memories_of(brain) == {}
        assert brain.log() == []


def test_what_was_edited_here_since_is_left_alone(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "in.jsonl", [decision_line("a")])
    with brain_at("vault", tmp_path / "brain") as brain:
        bring_in(brain, path)
        brain.approve("a")
        assert bring_in(brain, path).counts[What.THERE] == 1
        assert memories_of(brain)["a"].provenance.trust == "reviewed"
        write_lines(path, [decision_line("a", decision="another text")])
        assert bring_in(brain, path).counts[What.DIFFERS] == 1
        assert memories_of(brain)["a"].content == "Decide a"
