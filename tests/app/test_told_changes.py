"""What a turn does with a change that its user tells: the old memory gives way, with its history; in doubt it stays, and that is said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from plainbrain.app.brain import Brain
from plainbrain.app.context import Channel
from plainbrain.app.entries import Said
from plainbrain.app.loop import Turn, query_for, take_turn
from plainbrain.model.memory import Rejected
from plainbrain.model.provenance import IMPORT
from tests.interchange.brains import KINDS, brain_at


@pytest.fixture(params=KINDS)
def brain(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Brain]:
    with brain_at(request.param, tmp_path) as brain:
        yield brain


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Brain]:
    with brain_at("vault", tmp_path) as brain:
        yield brain


def turn(brain: Brain, message: str) -> Turn:
    return brain.take_turn(message, query_for(message, policy="balanced", k=12, classes=()))


def claims(brain: Brain) -> list[str]:
    return sorted(memory.content for memory in brain.entries())


def test_a_told_change_supersedes_what_was_so_before_and_can_be_taken_back(brain: Brain) -> None:
    old = brain.add(Said("fact", "Team uses Kafka")).memory.id
    done = turn(brain, "We moved from Kafka to NATS")
    assert [memory.content for memory in done.added] == ["Team uses NATS"]
    assert [(pair.old, pair.new) for pair in done.replaced] == [(old, done.added[0].id)]
    assert claims(brain) == ["Team uses NATS"]
    assert brain.get(old).superseded_by == done.added[0].id
    assert not brain.examine().problems
    if brain.store.traits.kind != "ram":
        brain.undo()
        assert claims(brain) == ["Team uses Kafka"]


@pytest.mark.parametrize(
    ("known", "message", "left"),
    [
        ("Team uses Postgres", "Actually we moved from Postgres to CockroachDB", "Team uses CockroachDB"),
        ("We use Zeplin for design", "we moved from Zeplin to Penpot", "Project: we moved from Zeplin to Penpot"),
        ("Project: database is postgres", "We moved from Postgres to CockroachDB", "Team uses CockroachDB"),
        ("Team tests with Jest", "no, we use Vitest, not Jest", "Team uses Vitest"),
        ("User is based in Berlin", "I moved to Lisbon", "User is based in Lisbon"),
        ("Team uses Kafka", "We don't use Kafka any more", "Team does not use Kafka"),
        ("Team uses Jest", "We replaced Jest with Vitest", "Team uses Vitest"),
    ],
)
def test_every_way_of_telling_a_change(vault: Brain, known: str, message: str, left: str) -> None:
    vault.add(Said("fact", known))
    turn(vault, message)
    assert claims(vault) == [left]


def test_the_same_fact_in_two_memories_gives_way_in_both(vault: Brain) -> None:
    for content in ("Team uses Kafka", "We use Kafka for events", "Kafka is slow"):
        vault.add(Said("fact", content))
    assert len(turn(vault, "We moved from Kafka to NATS").replaced) == 2
    assert claims(vault) == ["Kafka is slow", "Team uses NATS"]


def test_what_is_there_already_takes_the_place_of_the_old(vault: Brain) -> None:
    for content in ("Team uses NATS", "We use Zeplin", "Team uses Penpot"):
        vault.add(Said("fact", content))
    done = turn(vault, "We switched from Zeplin to Penpot")
    assert [skipped.against for skipped in done.duplicates] or done.added
    assert "We use Zeplin" not in claims(vault)


@pytest.mark.parametrize(
    ("known", "message"),
    [
        ("We use Jest and Mocha", "We switched from Jest to Vitest"),
        ("Team uses Kafka", "We use NATS"),
        ("Team uses Kafka", "We now use NATS as well"),
    ],
)
def test_what_says_more_or_was_not_told_to_have_changed_stays(vault: Brain, known: str, message: str) -> None:
    old = vault.add(Said("fact", known)).memory.id
    done = turn(vault, message)
    assert done.replaced == []
    assert known in claims(vault)
    for skipped in done.conflicts:
        assert skipped.against == old
        assert skipped.hint == f"where it is so now: brain correct {old} '{skipped.content}'"


def test_a_decision_with_what_it_turned_down_stays_for_a_person_to_replace(vault: Brain) -> None:
    said = Said("decision", "We use Kafka", rationale="replay", rejected=(Rejected("RabbitMQ"),))
    old = vault.add(said).memory.id
    turn(vault, "We moved from Kafka to NATS")
    assert vault.get(old).is_live


def test_who_is_trusted_less_replaces_nothing(vault: Brain) -> None:
    vault.add(Said("fact", "Team uses Kafka"))
    outside = replace(vault.context, channel=Channel(IMPORT))
    message = "We moved from Kafka to NATS"
    done = take_turn(outside, message, query_for(message, policy="balanced", k=12, classes=()))
    assert (done.added, done.replaced) == ([], [])
    assert claims(vault) == ["Team uses Kafka"]


def test_a_decision_in_a_turn_is_kept_with_why_and_what_was_turned_down(brain: Brain) -> None:
    turn(brain, "Let's go with option B: server side rendering, because SEO matters; we rejected a SPA")
    (kept,) = brain.entries()
    assert (kept.kind, kept.rationale, kept.rejected) == ("decision", "SEO matters", (Rejected("SPA"),))
    assert [veto.rejected.option for veto in brain.check("build it as a SPA").vetoes] == ["SPA"]
