"""Decisions in what a person says: what was chosen, why, and what was turned down, in her own words."""

from __future__ import annotations

import pytest

from plainbrain.lifecycle.extract import extract
from plainbrain.model.kinds import DECISION
from plainbrain.model.memory import Rejected

TOLD = [
    (
        "Let's go with option B: server side rendering, because SEO matters; we rejected a SPA",
        "Go with option B: server side rendering",
        "SEO matters",
        [("SPA", None)],
    ),
    (
        "We decided to use pgbouncer instead of pgpool because it is lighter",
        "We decided to use pgbouncer instead of pgpool",
        "it is lighter",
        [("pgpool", None)],
    ),
    (
        "deploy with Fly.io rather than Heroku because it is cheaper",
        "Deploy with Fly.io rather than Heroku",
        "it is cheaper",
        [("Heroku", None)],
    ),
    ("We chose Postgres over MySQL because of JSONB.", "We chose Postgres over MySQL", "JSONB", [("MySQL", None)]),
    (
        "We went with Svelte, not React, because the bundle is smaller",
        "We went with Svelte, not React",
        "the bundle is smaller",
        [("React", None)],
    ),
    (
        "We chose Svelte because the bundle is smaller, and rejected React because it is heavy",
        "We chose Svelte",
        "the bundle is smaller",
        [("React", "it is heavy")],
    ),
    (
        "We settled on REST. GraphQL was rejected because of caching.",
        "We settled on REST",
        "",
        [("GraphQL", "caching")],
    ),
    (
        "We're going with Vite rather than webpack or Parcel, because the dev server starts faster.",
        "We're going with Vite rather than webpack or Parcel",
        "the dev server starts faster",
        [("webpack", None), ("Parcel", None)],
    ),
    (
        "we considered React and Vue but went with Svelte because it compiles away",
        "We went with Svelte",
        "it compiles away",
        [("React", None), ("Vue", None)],
    ),
    (
        "For the queue we chose NATS over Kafka since ops is one binary",
        "For the queue we chose NATS over Kafka",
        "ops is one binary",
        [("Kafka", None)],
    ),
    (
        "We decided against Kafka because it is too heavy",
        "We decided against Kafka",
        "",
        [("Kafka", "it is too heavy")],
    ),
    ("Let's not use Kafka because it is heavy", "Let's not use Kafka", "", [("Kafka", "it is heavy")]),
    ("Decision: use SQLite instead of Postgres", "Use SQLite instead of Postgres", "", [("Postgres", None)]),
    ("we will go with Terraform, not Pulumi", "We will go with Terraform, not Pulumi", "", [("Pulumi", None)]),
    (
        "We'll go with Terraform rather than Pulumi since ops knows HCL. Pulumi was ruled out because of its licence.",
        "We'll go with Terraform rather than Pulumi",
        "ops knows HCL",
        [("Pulumi", "its licence")],
    ),
    (
        "We ruled out Kafka: too heavy for two people.",
        "We ruled out Kafka",
        "",
        [("Kafka", "too heavy for two people")],
    ),
    ("We decided to ship weekly because customers asked", "We decided to ship weekly", "customers asked", []),
]


@pytest.mark.parametrize(("message", "content", "rationale", "rejected"), TOLD)
def test_a_decision_is_told_with_its_reason_and_what_it_turned_down(
    message: str, content: str, rationale: str, rejected: list[tuple[str, str | None]]
) -> None:
    (told,) = extract(message)
    assert (told.kind, told.content, told.rationale) == (DECISION, content, rationale)
    assert told.rejected == tuple(Rejected(option, reason) for option, reason in rejected)
    assert (told.source, told.confidence) == ("user", "sure")
    assert message[told.start : told.end].strip(" .;")


@pytest.mark.parametrize(
    "message",
    [
        "Let's go with it",
        "Let's go with option A",
        "The decision to use Kafka was wrong",
        "The plan is to use Terraform instead of Pulumi because ops knows HCL",
        "we decided to fix the bug first because it blocks the release",
        "I've decided to learn Rust",
        "let's use React here instead of Vue because it is quicker to write",
        "If we decided to use Kafka over NATS, would it be slow?",
        "Should we go with Kafka instead of NATS because it scales?",
        "Maybe we should go with Kafka instead of NATS because it scales",
        "They decided to use Kafka instead of NATS",
        "My professor decided to use Java over Kotlin because the exam says so",
        "I read that we decided to use Kafka",
        "We decided to have lunch at noon because we're hungry",
        "I decided to move to Berlin",
        "The server rejected the request because the token is missing",
        "My PR was rejected because it had no tests",
        "We rejected the offer because it was too low",
        "I picked the wrong file instead of the right one",
        "We picked up the kids because school was out",
        "please use a set instead of a list",
        "Let's write the test first rather than the code",
        "We chose Go, not because it is fast, but because it is simple",
        "we chose gRPC over HTTP/2",
        "We didn't choose Kafka because it is heavy",
        '"We decided to use Kafka instead of NATS"',
    ],
)
def test_what_was_not_decided_is_no_decision(message: str) -> None:
    assert DECISION not in [each.kind for each in extract(message)]


def test_what_is_said_beside_a_decision_is_its_own_fact() -> None:
    told = extract(
        "We use Go and we decided to use Kafka over NATS because of the ecosystem, and our team owns billing"
    )
    assert [each.content for each in told] == [
        "Team uses Go",
        "We decided to use Kafka over NATS",
        "The user's team owns billing",
    ]
    assert told[1].rationale == "the ecosystem"


def test_a_refusal_that_follows_something_else_stands_by_itself() -> None:
    told = extract("We chose Go. Our team owns billing. We rejected Kafka because it is heavy.")
    assert [(each.kind, each.content) for each in told] == [
        ("fact", "Team uses Go"),
        ("fact", "The user's team owns billing"),
        (DECISION, "We rejected Kafka"),
    ]


def test_a_secret_in_a_reason_keeps_the_decision_out() -> None:
    token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
    assert extract(f"We chose NATS over Kafka because the key {token} works there") == ()
