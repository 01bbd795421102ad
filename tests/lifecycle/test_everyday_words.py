"""Everyday words that are names of tools as well: what makes one a tool, and what does not."""

from __future__ import annotations

import pytest

from plainbrain.lifecycle.extract import extract

NO_TOOL = [
    "Let's go with option B",
    "Let's use the rest of the week for tests",
    "let's swift through the next items",
    "we use spring water",
    "we use salt and pepper",
    "We use express shipping",
    "we have a chef",
    "we're on the next page",
    "we ride on rails",
    "We rest on Sundays",
    "My swift reply is appreciated",
    "Our chef uses a bottle opener",
    "the helm of the project is with Anna",
    "our backbone team is great",
    "My express order is late",
    "I like crystal glasses",
    "In spring we launch",
    "that's Docker",
    "it is swift",
    "everything is express",
    "we have mocha in the kitchen",
    "we use nest boxes",
    "We also deploy on Fridays",
    "The plan is to use Terraform",
]


@pytest.mark.parametrize("message", NO_TOOL)
def test_an_everyday_word_alone_is_no_tool(message: str) -> None:
    assert not [each for each in extract(message) if "code.stack" in each.tags]


@pytest.mark.parametrize(
    ("message", "content"),
    [
        ("we use Go", "Team uses Go"),
        ("we use go and rust", "Team uses rust"),
        ("we use go 1.22", "Team uses go 1.22"),
        ("we use mocha", "Team uses mocha"),
        ("we use spring boot", "Team uses spring boot"),
        ("I use helm charts", "User uses helm charts"),
        ("We use Next for the site", "Team uses Next"),
        ("the api is written in express", "Project uses express"),
        ("our backend is in go", "Project: backend is go"),
        ("everything is in swift", "Project uses swift"),
        ("it's all dart and flutter", "Project uses dart"),
        ("we run consul and nomad", "Team uses nomad"),
        ("we write go services", "Team uses go services"),
        ("in our rails 7 app", "Project uses rails 7"),
        ("our rust crate fails to build", "Project uses rust"),
    ],
)
def test_a_capital_a_version_its_place_or_what_follows_makes_it_one(message: str, content: str) -> None:
    assert content in [each.content for each in extract(message)]


@pytest.mark.parametrize(
    ("message", "content", "tags"),
    [
        ("I'm moving to Lisbon in March", "User is moving to Lisbon in March", ("identity.location", "personal")),
        ("I'm moving from Porto to Lisbon", "User is moving from Porto to Lisbon", ("identity.location", "personal")),
        ("we're moving to Berlin", "Project: we're moving to Berlin", ("project",)),
        ("we moved to Berlin last year", "Project: we moved to Berlin", ("project",)),
        ("we're moving to microservices", "Project: we're moving to microservices", ("project",)),
        ("I'm moving to Postgres", "Project: I'm moving to Postgres", ("project.migration", "code.stack")),
        ("we moved to Linear", "Team uses Linear", ("project", "code.stack")),
        ("we moved everything to Zeabur", "Team uses Zeabur", ("project", "code.stack")),
        ("we're porting it to Foobar", "Project: we're porting it to Foobar", ("project.migration", "code.stack")),
    ],
)
def test_who_moves_house_tells_no_tool(message: str, content: str, tags: tuple[str, ...]) -> None:
    assert [(each.content, each.tags) for each in extract(message)] == [(content, tags)]


@pytest.mark.parametrize(
    "message", ["I'm switching to a new desk", "we switched to a new office", "we moved the call to Friday"]
)
def test_a_move_that_changes_no_work_is_not_kept(message: str) -> None:
    assert extract(message) == ()


@pytest.mark.parametrize(
    "message",
    [
        "We didn't choose Kafka",
        "We haven't decided on Kafka",
        "The client decided to use Oracle",
        "he's in Django all day",
    ],
)
def test_what_was_not_taken_or_is_anothers_is_not_used(message: str) -> None:
    assert not [each for each in extract(message) if " uses " in each.content]


@pytest.mark.parametrize(
    ("message", "name"),
    [("My name is Ada", "Ada"), ("I'm Julia", "Julia"), ("Hi, Ruby here", "Ruby"), ("call me Phoenix", "Phoenix")],
)
def test_a_person_may_be_called_like_a_tool(message: str, name: str) -> None:
    assert [each.content for each in extract(message)] == [f"The user's name is {name}"]
