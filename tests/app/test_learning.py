"""Corrections on every kind of store: however often a claim is corrected, one claim is left."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from plainbrain.app.brain import Brain
from plainbrain.app.entries import Said, update
from plainbrain.errors import InvalidField
from tests.interchange.brains import KINDS, brain_at


@pytest.fixture(params=KINDS)
def brain(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Brain]:
    with brain_at(request.param, tmp_path) as brain:
        yield brain


def claims(brain: Brain) -> list[str]:
    return [memory.content for memory in brain.entries()]


def test_a_second_correction_of_one_entry_leaves_one_claim(brain: Brain) -> None:
    first = brain.add(Said("fact", "The limit is 5")).memory.id
    second = brain.correct(first, "The limit is 6").right.id
    third = brain.correct(first, "The limit is 7").right.id
    assert claims(brain) == ["The limit is 7"]
    assert brain.get(first).superseded_by == third
    assert third in {link.to for link in brain.get(second).links if link.rel == "superseded_by"}
    fourth = brain.correct(second, "The limit is 8").right.id
    assert claims(brain) == ["The limit is 8"]
    assert brain.get(third).superseded_by == fourth
    assert not brain.examine().problems


def test_what_was_invalidated_meanwhile_stays_so(brain: Brain) -> None:
    first = brain.add(Said("fact", "The limit is 5")).memory.id
    second = brain.correct(first, "The limit is 6").right.id
    brain.invalidate(second, "nobody knows")
    brain.correct(first, "The limit is 7")
    assert claims(brain) == ["The limit is 7"]
    assert brain.get(second).status == "invalidated"


@pytest.mark.parametrize("confidence", ["bogus", "7", "-1", "nan"])
def test_a_confidence_that_is_none_is_refused(brain: Brain, confidence: str) -> None:
    with pytest.raises(InvalidField, match="confidence"):
        brain.add(Said("fact", "The limit is 5", confidence=confidence))
    assert claims(brain) == []
    assert brain.add(Said("fact", "The limit is 5", confidence="0.9")).memory.confidence.number == 0.9


def test_a_title_that_was_the_first_sentence_moves_along(tmp_path: Path) -> None:
    with brain_at("vault", tmp_path) as brain:
        added = brain.add(Said("fact", "The limit is 5. Nobody knows why.")).memory
        assert added.title == "The limit is 5"
        after = update(brain.context, added.id, field="content", value="The limit is 6. Ann knows why.")
        assert (after.title, after.content) == ("The limit is 6", "The limit is 6. Ann knows why.")
        own = brain.encode("Limits", "The limit is 5.").id
        assert update(brain.context, own, field="content", value="The limit is 6.").title == "Limits"


def test_a_correction_says_what_the_wrong_note_claimed(brain: Brain) -> None:
    bare = brain.encode("The limit is five").id
    both = brain.encode("Limit of the API", "It is five.").id
    said = brain.add(Said("fact", "The limit is 5. Nobody knows why.")).memory.id
    wrong = {id: brain.correct(id, f"The limit is 6: {id}").right.correction for id in (bare, both, said)}
    assert [one.wrong_claim for one in wrong.values() if one] == [
        "The limit is five",
        "Limit of the API — It is five.",
        "The limit is 5. Nobody knows why.",
    ]
