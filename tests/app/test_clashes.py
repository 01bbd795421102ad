"""Memories in effect that contradict each other: which pairs are found, and how far is looked."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainbrain.app.brain import Brain, make_brain
from plainbrain.app.entries import Said
from plainbrain.app.judge import clashes


@pytest.fixture
def brain(tmp_path: Path) -> Brain:
    there = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "BRAIN_NOW": "2026-10-27T12:00:00Z"}
    return make_brain(f"sqlite:{tmp_path / 'memory.db'}", environment=there)


def test_a_pair_is_told_once_and_what_was_settled_no_more(brain: Brain) -> None:
    old = brain.add(Said("fact", "Staging listens on port 8443")).memory.id
    new = brain.add(Said("fact", "Staging listens on port 9443")).memory.id
    brain.add(Said("fact", "Production listens on port 443", context="production"))
    found = clashes(brain.context)
    assert [{c.first.id, c.second.id} for c in found.pairs] == [{old, new}]
    assert (found.looked_at, found.live) == (3, 3)
    brain.supersede(old, new)
    assert not clashes(brain.context).pairs


def test_the_titles_of_notes_count_as_what_they_say(brain: Brain) -> None:
    brain.encode("We use tabs for indentation", "Since the first day.")
    brain.encode("We use spaces for indentation", "They look the same everywhere.")
    assert len(clashes(brain.context).pairs) == 1


def test_no_more_than_the_newest_are_looked_at(brain: Brain) -> None:
    for port in range(4):
        brain.add(Said("fact", f"Service number {port} runs"))
    found = clashes(brain.context, most=2)
    assert (found.looked_at, found.live) == (2, 4)
