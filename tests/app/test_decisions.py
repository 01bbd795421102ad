"""Decisions at work: vetoes, what holds for a file, outcomes, review."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from plainbrain.app.brain import Brain
from plainbrain.app.context import Channel
from plainbrain.app.edits import edits_of
from plainbrain.errors import InvalidField, NotFound
from plainbrain.lifecycle.bearing import is_about, same_path
from plainbrain.model.change import Put
from plainbrain.model.memory import Memory, Rejected
from plainbrain.model.provenance import Provenance
from tests.interchange.brains import KINDS, brain_at


@pytest.fixture(params=KINDS)
def brain(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Brain]:
    with brain_at(request.param, tmp_path) as brain:
        yield brain


def decide(brain: Brain, id: str, **fields: object) -> str:
    return brain.encode(f"Decision {id}", f"We do {id}.", id=id, kind="decision", **fields).id


def test_a_text_that_repeats_what_was_turned_down(brain: Brain) -> None:
    decide(brain, "store", rejected=[Rejected("C++", "memory faults"), Rejected("in-process cache", "differs by node")])
    decide(brain, "other", rejected=[Rejected("Redis")])
    found = brain.check("Port it to C++ with an in-process  cache")
    assert [(v.rejected.option, v.decision.id) for v in found.vetoes] == [
        ("C++", "store"),
        ("in-process cache", "store"),
    ]
    assert found.bearing[0].memory.id == "store"
    assert brain.check("redisson client").vetoes == ()


def test_a_live_successor_keeps_the_vetoes_and_a_rejection_drops_them(brain: Brain) -> None:
    old = decide(brain, "old", rejected=[Rejected("Redis", "a daemon more")])
    new = decide(brain, "new", supersedes=[old])
    [veto] = brain.check("add redis").vetoes
    assert (veto.decision.id, veto.holder.id) == (old, new)
    brain.reject(new)
    assert brain.check("add redis").vetoes == ()


def test_files_that_are_touched_bring_their_decisions(brain: Brain) -> None:
    decide(brain, "money", files=["billing/amount.py"])
    decide(brain, "dates", files=["app/calendar.py"])
    found = brain.check("something without a word in common", files=["src/billing/amount.py"])
    assert [one.memory.id for one in found.bearing] == ["money"]
    assert found.bearing[0].files == 1.0


def test_what_holds_for_a_file(brain: Brain) -> None:
    decide(brain, "money", files=["billing/amount.py"])
    decide(brain, "folder", files=["billing/"])
    brain.encode("About amount.py", "The file amount.py is old.", id="about")
    found = brain.explain("billing/amount.py")
    assert {m.id for m in found.named} == {"money", "folder"}
    assert "about" in {m.id for m in found.by_words}
    assert found.named[0].content
    assert {m.id for m in brain.explain("amount.py").named} == {"money"}
    with pytest.raises(InvalidField):
        brain.explain(" ")


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("a/b.ts", "./a/b.ts", True),
        ("src/a/b.ts", "a/b.ts", True),
        ("src/index.ts", "index.ts", False),
        ("a", "b", False),
        ("src/", "src/a/b.ts", True),
        ("src/**", "src/a.ts", True),
        ("src/ab.ts", "b.ts", False),
        ("", "b.ts", False),
        (r"src\a\b.ts", "a/b.ts", True),
    ],
)
def test_paths_that_mean_one_file(a: str, b: str, same: bool) -> None:
    assert same_path(a, b) is same


def test_a_person_may_ask_by_name_or_folder() -> None:
    assert is_about("src/index.ts", "index.ts")
    assert is_about("src/a/index.ts", "src/a")
    assert not is_about("src/index.ts", "dex.ts")


def test_outcomes_move_the_relevance_and_the_same_evidence_counts_once(brain: Brain) -> None:
    id = decide(brain, "store")
    assert brain.outcome(id, "confirmed").uses
    assert brain.get(id).usage.relevance == pytest.approx(0.6)
    brain.outcome(id, "revert", "commit 1")
    assert brain.outcome(id, "revert", "commit 1").uses == ()
    assert brain.get(id).usage.relevance == pytest.approx(0.45)
    brain.outcome(id, "incident")
    assert brain.get(id).usage.relevance == pytest.approx(0.35)
    with pytest.raises(InvalidField):
        brain.outcome(id, "fine")
    with pytest.raises(NotFound):
        brain.outcome("nobody", "revert")


def test_review_of_what_nobody_confirmed(brain: Brain) -> None:
    web = brain.through(Channel(origin="web"))
    for id in ("one", "two", "three"):
        web.encode(f"Claim {id}", f"The claim {id}.", id=id)
    brain.encode("Mine", id="mine")
    brain.store.apply([Put(Memory("bad", "poison", provenance=Provenance(trust="quarantined")))])
    assert [m.id for m in brain.unreviewed()] == ["one", "two", "three", "bad"] or {
        m.id for m in brain.unreviewed()
    } == {"one", "two", "three", "bad"}
    approved = brain.approve("one")
    assert approved.provenance.trust == "reviewed"
    assert approved.reviewed is not None
    edited = brain.approve("two", edits_of(body="The right claim."))
    assert (edited.content, edited.provenance.trust) == ("The right claim.", "reviewed")
    brain.reject("three", "nonsense")
    assert not brain.get("three").is_live
    assert [m.id for m in brain.unreviewed()] == ["bad"]


def test_the_unreviewed_ranks_lower(brain: Brain) -> None:
    brain.through(Channel(origin="web")).encode("Ports of the service", "The service listens on 8080.", id="web")
    brain.encode("Ports of the service", "The service listens on 8081.", id="own")
    assert [hit.id for hit in brain.search("ports service listens").hits] == ["own", "web"]
    brain.approve("web")
    scores = {hit.id: hit.score for hit in brain.search("ports service listens").hits}
    assert scores["web"] == pytest.approx(scores["own"], rel=0.05)
