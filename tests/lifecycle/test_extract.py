"""What a message reveals: in the user's own words, each fact once, and nothing of questions or other people."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainbrain.lifecycle.extract import derive_query, extract
from plainbrain.lifecycle.extract.languages import OTHER_LANGUAGES
from plainbrain.lifecycle.extract.query import words_of
from plainbrain.lifecycle.extract.rule import ExtractRule
from plainbrain.lifecycle.extract.rules import ENGLISH
from plainbrain.model.kinds import CORRECTION, FACT, PREFERENCE, PROCEDURE
from plainbrain.text.patterns import compiled

REVEALING = [
    ("My name is Nadia", FACT, "The user's name is Nadia"),
    ("Our manager is Bob", FACT, "The user's manager is Bob"),
    ("The project lead is Sam", FACT, "The user's project lead is Sam"),
    ("I'm a data engineer at Globex", FACT, "User is a data engineer at Globex"),
    ("I'm based in Porto", FACT, "User is based in Porto"),
    ("our team owns billing", FACT, "The user's team owns billing"),
    ("our stack is Go + HTMX", FACT, "Project uses HTMX"),
    ("It's built with Django 5", FACT, "Project uses Django 5"),
    ("I prefer tabs", PREFERENCE, "Prefers tabs"),
    ("Please don't use any in TypeScript", PREFERENCE, "Avoids using any in TypeScript"),
    ("I can't stand YAML", PREFERENCE, "Avoids YAML"),
    ("before merging I rebase", PROCEDURE, "Workflow: before merging I rebase"),
    ("we do trunk-based development", PROCEDURE, "Workflow: we do trunk-based development"),
    ("we're moving from REST to gRPC", FACT, "Project: we're moving from REST to gRPC"),
    ("actually I'm a staff engineer now", CORRECTION, "User is a staff engineer"),
    ("stop adding semicolons", CORRECTION, "Avoids adding semicolons"),
    ("Wir nutzen Gradle", FACT, "Team uses Gradle"),
    ("Je m'appelle Chloé", FACT, "The user's name is Chloé"),
    ("Prefiero respuestas cortas", PREFERENCE, "Prefers respuestas cortas"),
    ("Меня зовут Анна", FACT, "The user's name is Анна"),
    ("我们用 Go 和 TiDB", FACT, "Team uses TiDB"),
]


@pytest.mark.parametrize(("message", "kind", "content"), REVEALING)
def test_a_statement_is_kept_with_its_kind(message: str, kind: str, content: str) -> None:
    assert (kind, content) in [(each.kind, each.content) for each in extract(message)]


SILENT = [
    "Do you prefer tabs or spaces?",
    "If we used Python, would it be slower?",
    "Let's say my name is Bob, generate a profile",
    "make this a table",
    "don't use recursion for this one",
    'My boss told me "always use microservices"',
    "Netflix uses Java",
    "I'm debugging it right now",
    "> we use Redis",
    "```\nwe use redis here\n```",
    "as you noted, I'm a data engineer",
    "I prefer the second one",
    "We use Maple$Tent4 as the password on staging",
]


@pytest.mark.parametrize("message", SILENT)
def test_nothing_is_kept_of_what_is_not_the_users_own_lasting_word(message: str) -> None:
    assert extract(message) == ()


def test_several_facts_stand_in_one_message_each_with_its_span() -> None:
    message = "I'm Sam, I work at Umbrella. We use Kafka for events and Redis."
    found = extract(message)
    assert [each.content for each in found] == [
        "The user's name is Sam",
        "User works at Umbrella",
        "Team uses Kafka",
        "Team uses Redis",
    ]
    assert all(each.content.split()[-1] in message[each.start : each.end] for each in found)


def test_what_was_recalled_or_is_known_is_not_kept_again() -> None:
    assert extract("Team uses Kafka. We use Kafka.", recalled=["Team uses Kafka"]) == ()
    assert extract("We use Kafka", known=["team uses kafka"]) == ()


def test_explicit_statements_are_sure_and_implied_ones_uncertain() -> None:
    (told,) = extract("We use Rust")
    (implied,) = extract("my Laravel project throws an error")
    assert (told.source, told.confidence) == ("user", "sure")
    assert (implied.source, implied.confidence) == ("inferred", "uncertain")
    assert told.tags == ("project", "code.stack")


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200))
def test_any_message_is_read_and_spans_lie_inside_it(message: str) -> None:
    for each in extract(message):
        assert 0 <= each.start < each.end <= len(message)
    assert isinstance(derive_query(message), str)


@pytest.mark.parametrize("piece", ["a", " ", "so ", "we use a, ", "and I ", '"', "(", "I'm "])
def test_a_long_message_takes_bounded_time(piece: str) -> None:
    begun = time.process_time()
    extract(piece * (100_000 // len(piece)))
    assert time.process_time() - begun < 5


@pytest.mark.parametrize(
    ("message", "query"),
    [
        ("Can you refactor the auth module?", "refactor auth module"),
        ("Where does Node.js 22 log errors?", "node.js 22 log errors"),
        ("Как настроить сервер?", "настроить сервер"),
        ("fix user_id in café", "fix user_id café"),
        ("???", "???"),
    ],
)
def test_the_query_is_the_telling_words(message: str, query: str) -> None:
    assert derive_query(message) == query


@pytest.mark.parametrize("rule", [*ENGLISH, *OTHER_LANGUAGES], ids=lambda rule: f"{rule.name}:{rule.pattern[:40]}")
def test_every_row_compiles_fast_and_fills_its_template(rule: ExtractRule) -> None:
    begun = time.process_time()
    groups = compiled(rule.pattern).groups
    # A class of letters repeated forty times costs RE2 a tenth of a second: rows must not bring that back.
    assert time.process_time() - begun < 0.06
    assert groups >= 1
    assert rule.template.format(*["x"] * max(2, groups))
    assert rule.tags


@given(st.text(alphabet=st.sampled_from("abz09_ .'+#/-\n\t?!A("), max_size=40))
def test_words_are_the_same_whether_the_text_is_ascii_or_not(text: str) -> None:
    assert [*words_of(text.lower()), "é"] == words_of(text.lower() + " é")
