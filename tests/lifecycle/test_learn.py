"""Success, restating, correction and the hint at an anti-pattern."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plainbrain.errors import InputError, InvalidField
from plainbrain.lifecycle.learn import correct, find_habits, make_sure, record_success, restate
from plainbrain.model.change import ABSENT, Put, Use
from plainbrain.model.confidence import Confidence
from plainbrain.model.memory import SUPERSEDED, Correction, Memory, Rejected, Usage
from plainbrain.ports import Stored
from plainbrain.testing.builders import NOON


def stored(memory: Memory) -> Stored:
    return Stored(memory, "rev-1")


LIKELY = Memory(id="m", content="We use Prisma", kind="fact", tags=("code.db",), confidence=Confidence(word="likely"))


def test_the_first_successes_are_only_counted() -> None:
    success = record_success(stored(LIKELY), at=NOON)
    assert success.total == 1
    assert success.plan.changes == ()
    assert success.plan.uses == (Use("m", NOON, accesses=1, successes=1),)
    assert [(a.action, a.detail) for a in success.plan.activities] == [("success", "total=1")]


def test_the_third_success_makes_it_sure() -> None:
    success = record_success(stored(replace(LIKELY, usage=Usage(successes=2))), at=NOON)
    (put,) = success.plan.changes
    assert isinstance(put, Put)
    assert put.memory.confidence == Confidence(word="sure")
    assert put.expecting == "rev-1"
    assert success.upgraded_from == "likely"
    assert success.plan.notes == ("Auto-upgraded: likely -> sure (3 successes)",)


def test_what_is_sure_is_not_written_again() -> None:
    sure = replace(LIKELY, confidence=Confidence(word="sure"), usage=Usage(successes=9))
    success = record_success(stored(sure), at=NOON)
    assert (success.total, success.upgraded_from, success.plan.changes) == (10, "", ())


def test_a_number_stays_a_number_and_never_sinks() -> None:
    assert make_sure(Confidence(number=0.6)) == Confidence(number=0.95)
    assert make_sure(Confidence(number=0.99)) == Confidence(number=0.99)
    assert make_sure(Confidence()) == Confidence(word="sure")


def test_stated_again_is_sure() -> None:
    plan = restate(stored(LIKELY), at=NOON)
    (put,) = plan.changes
    assert isinstance(put, Put)
    assert put.memory.confidence.label == "sure"
    assert plan.uses == (Use("m", NOON, accesses=1),)
    again = restate(stored(put.memory), at=NOON)
    assert again.changes == ()


def test_a_correction_replaces_the_claim_in_one_plan() -> None:
    plan = correct(stored(LIKELY), "We use Drizzle", id="new", at=NOON, reason="switched")
    new, old = plan.changes
    assert isinstance(new, Put)
    assert isinstance(old, Put)
    assert (new.expecting, old.expecting) == (ABSENT, "rev-1")
    assert new.memory.kind == "correction"
    assert new.memory.class_ == "episodic"
    assert new.memory.tags == ("code.db",)
    assert new.memory.confidence.label == "sure"
    assert new.memory.source == "user"
    assert new.memory.correction == Correction("m", "We use Prisma", "We use Drizzle", "switched")
    assert new.memory.supersedes == ("m",)
    assert (old.memory.status, old.memory.superseded_by) == (SUPERSEDED, "new")
    assert old.memory.content == "We use Prisma"
    assert [(a.action, a.id, a.detail) for a in plan.activities] == [
        ("correct", "new", "wrong=We use Prisma right=We use Drizzle")
    ]


def test_given_tags_win_over_inherited_ones() -> None:
    put = correct(stored(LIKELY), "We use Drizzle", id="new", at=NOON, tags=("orm",)).changes[0]
    assert isinstance(put, Put)
    assert put.memory.tags == ("orm",)
    assert put.memory.correction is not None
    assert put.memory.correction.reason is None


def test_an_empty_claim_or_the_same_id_is_refused() -> None:
    with pytest.raises(InvalidField):
        correct(stored(LIKELY), "  ", id="new", at=NOON)
    with pytest.raises(InputError):
        correct(stored(LIKELY), "We use Drizzle", id="m", at=NOON)


def correction(id: str, *tags: str, status: str = "active") -> Memory:
    return Memory(id=id, kind="correction", tags=tags, status=status)


def test_three_corrections_on_a_tag_hint_at_an_anti_pattern() -> None:
    known = [correction("1", "db"), correction("2", "DB", "x"), correction("3", "db")]
    (hint,) = find_habits(("db", "x"), known)
    assert (hint.tag, hint.corrections) == ("db", 3)
    assert hint.suggestion == "Avoid inferring db - ask explicitly"
    assert hint.tags == ("db", "caution")


def test_the_hint_is_not_repeated_for_other_tags_nor_once_heeded() -> None:
    known = [correction("1", "db"), correction("2", "db"), correction("3", "db"), correction("4", "style")]
    assert find_habits(("style",), known) == ()
    warned = [*known, Memory(id="w", kind="anti-pattern", tags=("db", "caution"))]
    assert find_habits(("db",), warned) == ()
    gone = [*known, Memory(id="w", kind="anti-pattern", tags=("db",), status=SUPERSEDED)]
    assert len(find_habits(("db",), gone)) == 1


def test_superseded_corrections_do_not_count() -> None:
    known = [correction("1", "db"), correction("2", "db"), correction("3", "db", status=SUPERSEDED)]
    assert find_habits(("db",), known) == ()


def test_stated_again_with_more_is_filled_in_and_nothing_is_taken_away() -> None:
    there = replace(LIKELY, rationale="typed", rejected=(Rejected("Drizzle", "young"),), files=("a.ts",))
    said = replace(there, rationale="fast", scope="team", rejected=(Rejected("drizzle", "slow"), Rejected("SQL")), files=("b.ts",))  # fmt: skip
    plan = restate(stored(there), at=NOON, said=said)
    (put,) = plan.changes
    assert isinstance(put, Put)
    kept = put.memory
    assert (kept.rationale, kept.scope, kept.files) == ("typed", "team", ("a.ts", "b.ts"))
    assert kept.rejected == (Rejected("Drizzle", "young"), Rejected("SQL"))
    assert plan.notes == (
        "it was there already, word for word",
        "stated again: likely -> sure",
        "added to it: scope, rejected, files",
        "it says otherwise, which stays: rationale, the reason against drizzle",
    )
    again = restate(stored(kept), at=NOON, said=kept)
    assert (again.changes, again.notes) == ((), ("it was there already, word for word",))
