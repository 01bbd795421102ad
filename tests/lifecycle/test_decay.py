"""Decay: who loses a step, when, and what a lying clock may not do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plainbrain.lifecycle.decay import decay, decay_automatically, is_due, is_jump, last_served, threshold_days
from plainbrain.model.change import Put
from plainbrain.model.confidence import Confidence
from plainbrain.model.instants import Instant, from_ms, parse_instant
from plainbrain.model.memory import SUPERSEDED, Memory, Usage
from plainbrain.ports import Stored
from plainbrain.testing.builders import NOON

DAY = 86_400_000


def later(days: float) -> Instant:
    assert NOON.ms is not None
    return from_ms(NOON.ms + days * DAY)


def memory(word: str = "sure", accesses: int = 1, at: Instant | None = NOON) -> Memory:
    return Memory(id="m", content="x", confidence=Confidence(word=word), usage=Usage(accesses, at), created=NOON)


def weakened(m: Memory, now: Instant) -> Memory | None:
    plan = decay([Stored(m, "r")], now=now).plan
    if not plan.changes:
        return None
    (put,) = plan.changes
    assert isinstance(put, Put)
    assert put.expecting == "r"
    return put.memory


def test_use_prolongs_what_a_memory_holds() -> None:
    assert threshold_days(memory(accesses=0)) == 30
    assert threshold_days(memory(accesses=1)) == 60
    assert threshold_days(memory(accesses=5)) == 180


def test_one_step_is_lost_after_the_threshold_and_not_on_its_day() -> None:
    assert weakened(memory(), later(60.9)) is None
    after = weakened(memory(), later(61))
    assert after is not None
    assert after.confidence == Confidence(word="likely")


def test_the_second_step_comes_a_whole_threshold_later() -> None:
    first = weakened(memory(), later(61))
    assert first is not None
    assert weakened(first, later(61)) is None
    assert weakened(first, later(62)) is None
    assert weakened(first, later(121)) is None
    second = weakened(first, later(122))
    assert second is not None
    assert second.confidence == Confidence(word="uncertain")
    assert weakened(second, later(5000)) is None


def test_serving_again_starts_the_time_anew() -> None:
    first = weakened(memory(), later(61))
    assert first is not None
    assert weakened(replace(first, usage=Usage(1, later(100))), later(155)) is None


def test_numbers_step_down_as_numbers_and_unsaid_or_foreign_words_stay() -> None:
    after = weakened(replace(memory(), confidence=Confidence(number=0.9)), later(61))
    assert after is not None
    assert after.confidence == Confidence(number=0.7)
    assert weakened(replace(memory(), confidence=Confidence()), later(500)) is None
    assert weakened(memory("confirmed by two"), later(500)) is None


def test_what_is_not_live_or_has_no_readable_date_never_decays() -> None:
    assert weakened(replace(memory(), status=SUPERSEDED), later(500)) is None
    assert weakened(Memory(id="m", confidence=Confidence(word="sure")), later(500)) is None
    bad = Memory(id="m", confidence=Confidence(word="sure"), usage=Usage(1, parse_instant("last tuesday")))
    assert weakened(bad, later(500)) is None


def test_a_date_in_the_future_ages_nothing() -> None:
    assert weakened(memory(at=later(9999)), later(500)) is None
    assert last_served(memory(at=later(9999))) == later(9999)


@pytest.mark.parametrize(
    ("last", "due"), [(None, True), (parse_instant("soon"), True), (later(0), False), (later(-0.9), False),
                      (later(-1.1), True), (later(9999), True)],
)  # fmt: skip
def test_the_automatic_run_cools_down_a_day_and_a_time_ahead_never_stops_it(last: Instant | None, due: bool) -> None:
    assert is_due(last, NOON) is due


def test_a_jump_of_the_clock_holds_and_the_next_look_goes_on() -> None:
    stored = [Stored(memory(), "r")]
    held = decay_automatically(stored, last_decay=NOON, now=later(4000))
    assert held.held
    assert held.plan.changes == ()
    assert held.plan.notes
    went_on = decay_automatically(stored, last_decay=later(4000), now=later(4001.5))
    assert (went_on.held, went_on.count) == (False, 1)
    assert not is_jump(None, NOON)
    assert decay_automatically(stored, last_decay=None, now=later(4000)).count == 1


def test_the_activity_tells_how_many_and_is_silent_for_none() -> None:
    run = decay([Stored(memory(), "r")], now=later(61))
    assert [(a.action, a.detail) for a in run.plan.activities] == [("decay", "1 entries decayed")]
    assert decay([Stored(memory(), "r")], now=NOON).plan.activities == ()
