"""The answer deep inside a long note is shown with the hit, with and without its description, on every way out."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainbrain.app.budget import fit
from plainbrain.app.recall import PROFILES
from plainbrain.model.memory import Memory
from tests.app.test_neighbours import brain_of

FILLER = "The team met again and talked about the plan. Everybody agreed that more tests are needed. "
ANSWER = "The staging password rotates every ninety days."
LONG = Memory("meeting", FILLER * 120 + ANSWER + " " + FILLER * 8, title="Meetings", description="What was said")
SHORT = Memory("short", "The staging server stands in the hall.")


@pytest.mark.parametrize("profile", PROFILES)
def test_a_hit_shows_the_passage_that_answers(tmp_path: Path, profile: str) -> None:
    with brain_of(tmp_path, LONG, SHORT) as brain:
        passages = {hit.id: hit.passage for hit in brain.search("staging password", profile=profile).hits}
    assert passages["meeting"].startswith(ANSWER)
    assert passages.get("short", "") == ""


@pytest.mark.parametrize("room", [200, 500, 5000])
def test_a_text_cut_to_a_budget_keeps_the_passage(tmp_path: Path, room: int) -> None:
    with brain_of(tmp_path, LONG) as brain:
        packed = fit(brain.search("staging password"), max_chars=room)
    (hit,) = packed.hits
    assert packed.used <= room
    assert ANSWER in hit.memory.content
    assert hit.memory.content.startswith("…")


def test_a_text_cut_behind_the_passage_keeps_its_beginning(tmp_path: Path) -> None:
    note = Memory("meeting", f"{ANSWER} {FILLER * 120}")
    with brain_of(tmp_path, note) as brain:
        packed = fit(brain.search("staging password"), max_chars=1000)
    assert packed.hits[0].memory.content.startswith(ANSWER)
    assert packed.hits[0].memory.content.endswith("…")
