"""Quality: what was drawn on rises, what is ignored sinks, outcomes count once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plainbrain.lifecycle.quality import Outcome, demotion, drew_on, inject, judge_reply, record_outcome, share_of_terms
from plainbrain.model.change import Use, add_use
from plainbrain.model.memory import Memory, Usage
from plainbrain.testing.builders import NOON

DECISION = Memory(id="d", content="Use SQLite to store local data", kind="decision")


def test_always_ignored_sinks_slowly_and_then_fast() -> None:
    memory, seen = replace(DECISION, usage=Usage(relevance=0.5)), []
    for _ in range(12):
        memory = replace(memory, usage=add_use(memory.usage, judge_reply(memory, "nothing of it", at=NOON)))
        seen.append(round(memory.usage.relevance or 0, 2))
    assert seen == [0.48, 0.46, 0.44, 0.42, 0.35, 0.28, 0.21, 0.14, 0.07, 0, 0, 0]
    assert (memory.usage.injected, memory.usage.used) == (12, 0)


def test_drawn_on_rises() -> None:
    use = judge_reply(DECISION, "I will store the data in SQLite", at=NOON)
    assert use == Use("d", NOON, injected=1, used=1, relevance=0.05)


def test_without_a_reply_it_is_injected_only() -> None:
    assert inject(DECISION, at=NOON) == Use("d", NOON, injected=1, relevance=0.03)


@pytest.mark.parametrize(
    ("injected", "used", "step"), [(4, 0, 0), (5, 0, -0.05), (5, 1, 0), (6, 1, -0.05), (10, 1, -0.05), (10, 2, 0)]
)
def test_what_is_nearly_always_ignored_is_demoted(injected: int, used: int, step: float) -> None:
    assert demotion(injected, used) == step


@pytest.mark.parametrize(
    ("share", "cosine", "used"), [(0, 0.55, True), (0.29, 0.549, False), (0.3, None, True), (0.299, None, False)]
)
def test_terms_or_vectors_show_what_was_drawn_on(share: float, cosine: float | None, used: bool) -> None:
    assert drew_on(share, cosine=cosine) is used


def test_the_share_counts_telling_words_of_any_script() -> None:
    assert share_of_terms(DECISION, "sqlite store") == 0.5
    assert share_of_terms(Memory(id="d", content="Использовать Редис"), "редис") == 0.5
    assert share_of_terms(Memory(id="d"), "anything") == 0


def test_outcomes_move_relevance_and_the_same_evidence_counts_once() -> None:
    first = record_outcome(DECISION, Outcome.REVERT, at=NOON, evidence="abc123", known=())
    assert first.uses == (Use("d", NOON, relevance=-0.15),)
    again = record_outcome(DECISION, Outcome.REVERT, at=NOON, evidence="abc123", known=first.activities)
    assert (again.uses, again.activities) == ((), ())
    assert again.notes
    assert record_outcome(DECISION, Outcome.CONFIRMED, at=NOON, known=first.activities).uses[0].relevance == 0.10
    assert record_outcome(DECISION, Outcome.INCIDENT, at=NOON, evidence="abc123", known=first.activities).uses


def test_evidence_that_spoke_the_other_way_counts_and_is_told() -> None:
    first = record_outcome(DECISION, Outcome.CONFIRMED, at=NOON, evidence="run 7", known=())
    other = record_outcome(DECISION, Outcome.INCIDENT, at=NOON, evidence=" run\n7", known=first.activities)
    assert other.uses == (Use("d", NOON, relevance=-0.10),)
    assert other.notes == ("mind that run 7 was recorded as confirmed before; both count",)
    assert record_outcome(DECISION, Outcome.REVERT, at=NOON, evidence="run 7", known=other.activities).notes == ()
    assert record_outcome(DECISION, Outcome.CONFIRMED, at=NOON, evidence="run  7", known=first.activities).uses == ()
