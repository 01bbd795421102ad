"""What an import says of an item is never the secret in it: not as a key, an id, a value that is amiss, or half of one."""

from __future__ import annotations

from pathlib import Path

from plainbrain.app.intake import What
from tests.interchange.brains import brain_at, bring_in, decision_line, write_lines

SECRET = "ghp_" + "A1b2" * 9


def test_no_message_of_an_import_or_of_the_doctor_holds_a_secret(tmp_path: Path) -> None:
    name = SECRET
    lines: list[object] = [
        decision_line("a") | {SECRET: {"x": 1}},
        decision_line("b") | {"more": [{SECRET: "x"}]},
        decision_line("c") | {"more": {SECRET: {"deep": 1}}},
        decision_line("d", created_at=SECRET, supersedes_id=SECRET),
        decision_line("e", created_at=f"x {SECRET} {SECRET}"),
        decision_line(name),
        decision_line(name, decision=5),
        {"format": SECRET, "id": "f"},
    ]
    path = write_lines(tmp_path / "in.jsonl", lines)
    with brain_at("ram", tmp_path / "brain") as brain:
        report = bring_in(brain, path)
        assert report.counts[What.REFUSED] == len(lines)
        told = [text for o in report.items for text in (o.id, o.why, o.hint, o.where)]
        assert not [text for text in told if SECRET[:12] in text]
        assert "in extra.robrain.[secret:github-pat])" in next(o for o in report.items if o.id == "a").why
    with brain_at("ram", tmp_path / "other", secrets="allowed") as brain:
        assert SECRET[:12] not in "".join(o.why for o in bring_in(brain, path).items)
        assert SECRET[:12] not in "".join(p.message for p in brain.examine().problems)


def test_a_graph_tells_no_secret_either(tmp_path: Path) -> None:
    entity = {"type": "entity", "name": SECRET, "entityType": "x", "observations": ["a"]}
    lines = [
        entity,
        entity,
        entity | {"name": "good"},
        {"type": "relation", "from": "good", "to": f"z-{SECRET}", "relationType": "x"},
        {"type": SECRET},
    ]
    with brain_at("ram", tmp_path / "brain") as brain:
        report = bring_in(brain, write_lines(tmp_path / "in.jsonl", lines))
        assert report.counts[What.ADDED] == 1
        assert not [o for o in report.items if SECRET[:12] in o.id + o.why + o.hint]


def test_a_relation_with_a_secret_is_refused_alone_with_its_line(tmp_path: Path) -> None:
    lines = [
        *({"type": "entity", "name": name, "entityType": "x", "observations": ["a"]} for name in ("one", "two")),
        {"type": "relation", "from": "one", "to": "two", "relationType": "knows"},
        {"type": "relation", "from": "one", "to": "two", "relationType": SECRET},
    ]
    path = write_lines(tmp_path / "in.jsonl", lines)
    with brain_at("ram", tmp_path / "brain") as brain:
        report = bring_in(brain, path)
        assert (report.counts[What.ADDED], report.counts[What.REFUSED]) == (2, 1)
        [told] = report.items
        assert (told.where, told.why) == ("line 4", "a relation with what looks like a credential (rule github-pat)")
        assert [link.rel for link in brain.get("one").links] == ["knows"]
    with brain_at("ram", tmp_path / "other", secrets="allowed") as brain:
        assert not bring_in(brain, path).failed
        assert [link.rel for link in brain.get("one").links] == ["knows", SECRET]
