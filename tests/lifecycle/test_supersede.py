"""Replacing, linking and mending links, as plans."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plainbrain.errors import Cycle, InputError, NotFound, Untrusted
from plainbrain.lifecycle.paths import Moved, retarget
from plainbrain.lifecycle.relate import check_relation, relate, replace_wikilinks, unrelate
from plainbrain.lifecycle.supersede import invalidate, settle_status, supersede
from plainbrain.model.change import Plan, Put
from plainbrain.model.instants import parse_instant
from plainbrain.model.links import Link, answers
from plainbrain.model.memory import Memory
from plainbrain.model.provenance import Provenance
from plainbrain.ports import Stored
from plainbrain.testing.builders import NOON


def stored(id: str, content: str = "", **fields: object) -> Stored:
    return Stored(Memory(id, content, **fields), f"r-{id}")  # type: ignore[arg-type]


def written(plan: Plan) -> dict[str, Memory]:
    return {change.memory.id: change.memory for change in plan.changes if isinstance(change, Put)}


def test_superseding_retires_links_and_keeps_the_reason() -> None:
    plan = supersede(stored("old"), stored("new"), at=NOON, reason="moved")
    found = written(plan)
    assert (found["old"].status, found["old"].superseded_by, found["old"].reason) == ("superseded", "new", "moved")
    assert found["new"].supersedes == ("old",)
    assert found["old"].invalidated == NOON
    assert [change.expecting for change in plan.changes] == ["r-new", "r-old"]
    assert plan.activities[0].detail == "old -> new"


def test_superseding_again_by_the_same_does_nothing() -> None:
    first = written(supersede(stored("old"), stored("new"), at=NOON))
    plan = supersede(Stored(first["old"], "a"), Stored(first["new"], "b"), at=NOON)
    assert plan.changes == ()
    assert "already" in plan.notes[0]


def test_the_newest_successor_counts() -> None:
    first = written(supersede(stored("old"), stored("new"), at=NOON))
    second = written(supersede(Stored(first["old"], "a"), stored("newer"), at=NOON))
    assert second["old"].superseded_by == "newer"
    assert Link("new", "superseded_by") in second["old"].links


def test_a_second_successor_is_told_of_the_first_and_the_end_stays_when_it_was() -> None:
    first = written(supersede(stored("old"), stored("new"), at=NOON))
    plan = supersede(Stored(first["old"], "a"), stored("newer"), at=parse_instant("2030-01-01"))
    assert plan.notes == ("old was replaced before, by new: supersede that one too if it is no longer true",)
    assert written(plan)["old"].invalidated == NOON


def test_itself_and_cycles_are_refused() -> None:
    with pytest.raises(InputError, match="itself"):
        supersede(stored("a"), stored("a"), at=NOON)
    with pytest.raises(Cycle, match="'c' was itself replaced, in the end by 'a'"):
        supersede(stored("a"), stored("c"), at=NOON, successors=["b", "a"])


def test_what_came_from_the_web_may_not_replace_what_was_reviewed() -> None:
    old = stored("old", provenance=Provenance(trust="reviewed"))
    new = stored("new", provenance=Provenance(trust="unreviewed"))
    with pytest.raises(Untrusted) as caught:
        supersede(old, new, at=NOON)
    assert "approve" in caught.value.hint


def test_invalidating_and_taking_it_back() -> None:
    gone = written(invalidate(stored("a"), at=NOON, reason="sold"))["a"]
    assert (gone.status, gone.reason, gone.invalidated) == ("invalidated", "sold", NOON)
    assert invalidate(Stored(gone, "x"), at=NOON).changes == ()
    back = settle_status(gone, replace(gone, status="active"), at=NOON, replacing=())
    assert back == (Memory("a"), ())


def test_a_status_that_is_set_brings_its_fields_along() -> None:
    here = Memory("a")
    assert settle_status(here, replace(here, status="deprecated"), at=NOON, replacing=()) == (
        Memory("a", status="deprecated"),
        (),
    )
    gone, _ = settle_status(here, replace(here, status="Invalidated"), at=NOON, replacing=())
    assert gone.invalidated == NOON
    with pytest.raises(InputError, match="nothing superseded"):
        settle_status(here, replace(here, status="superseded"), at=NOON, replacing=())


def test_what_was_replaced_is_in_effect_again_only_after_its_successors() -> None:
    pair = written(supersede(stored("old"), stored("new"), at=NOON))
    old, new = pair["old"], pair["new"]
    wanted = replace(old, status="active")
    with pytest.raises(InputError, match="'new', which is in effect"):
        settle_status(old, wanted, at=NOON, replacing=[Stored(new, "n")])
    gone = replace(new, status="invalidated", invalidated=NOON)
    back, others = settle_status(old, wanted, at=NOON, replacing=[Stored(gone, "n")])
    assert back == Memory("old")
    assert [put.memory for put in others] == [replace(gone, links=())]


def test_a_link_stands_on_both_sides_each_with_its_own_relation() -> None:
    found = written(relate(stored("a"), stored("b"), rel="Depends on", at=NOON))
    assert found["a"].links == (Link("b", "depends_on"),)
    assert found["b"].links == (Link("a", "required_by"),)
    again = relate(Stored(found["a"], ""), Stored(found["b"], ""), rel="depends_on", at=NOON)
    assert again.changes == ()
    gone = written(unrelate(Stored(found["a"], ""), Stored(found["b"], ""), rel="depends_on", at=NOON))
    assert gone["a"].links == gone["b"].links == ()


def test_an_unknown_relation_is_not_said_backwards() -> None:
    found = written(relate(stored("anna"), stored("roadmap"), rel="works on", at=NOON))
    assert found["anna"].links == (Link("roadmap", "works_on"),)
    assert found["roadmap"].links == (Link("anna", "linked_from"),)
    assert answers("linked_from", "works_on")
    assert answers("works_on", "linked_from")
    assert not answers("causes", "works_on")
    assert written(relate(stored("a"), stored("b"), rel="contradicts", at=NOON))["b"].links == (
        Link("a", "contradicts"),
    )
    assert check_relation("बनाया है") == "बनाया_है"


def test_supersession_cannot_be_linked_or_unlinked() -> None:
    with pytest.raises(InputError, match="retires"):
        check_relation("supersedes")
    pair = written(supersede(stored("old"), stored("new"), at=NOON))
    with pytest.raises(NotFound):
        unrelate(Stored(pair["old"], ""), Stored(pair["new"], ""), at=NOON)


@pytest.mark.parametrize("rel", ["", "  ", "a]b", "x: y", "weird!", "a" * 61])
def test_what_is_no_relation_is_refused(rel: str) -> None:
    with pytest.raises(InputError):
        check_relation(rel)


def test_wikilinks_follow_a_rename_and_nothing_else_moves() -> None:
    text = "See [[old]], [[old|the old]], [[ old#part ]], [[older]] and [[old"
    assert (
        replace_wikilinks(text, old="old", new="new")
        == "See [[new]], [[new|the old]], [[new#part ]], [[older]] and [[old"
    )
    changes = retarget(
        [stored("x", "[[old]]", links=(Link("old"),)), stored("y", "none")], Moved("old", "new", "old", "new")
    )
    assert [c.memory.links for c in changes if isinstance(c, Put)] == [(Link("new"),)]
