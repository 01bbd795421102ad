"""How much of natural messages is understood: our own list, batch by batch, never below what it was."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from plainbrain.evaluation.cases import Fact
from plainbrain.lifecycle.extract import extract
from plainbrain.lifecycle.extract.rule import may_begin
from plainbrain.lifecycle.extract.rules import ENGLISH
from plainbrain.text.patterns import compiled

LIST = Path(__file__).parent / "extract_messages.txt"


@dataclass
class Tally:
    """Count of facts found and sought, entries right and told, silent messages kept silent."""

    found: int = 0
    sought: int = 0
    right: int = 0
    told: int = 0
    quiet: int = 0
    silent: int = 0


def _fact(text: str) -> Fact:
    words = tuple(word.strip() for word in text.strip().removeprefix("-").split(" + "))
    return Fact("any", words, explicit=True, negative=text.strip().startswith("-"))


def _batches() -> dict[str, list[tuple[str, tuple[Fact, ...]]]]:
    batches: dict[str, list[tuple[str, tuple[Fact, ...]]]] = {}
    name = ""
    for line in LIST.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            name = line[3:]
        elif line and not line.startswith("# "):
            message, _, facts = line.partition(" => ")
            batches.setdefault(name, []).append((message, tuple(map(_fact, facts.split(" | "))) if facts else ()))
    return batches


def _tally(cases: list[tuple[str, tuple[Fact, ...]]]) -> Tally:
    tally = Tally()
    for message, facts in cases:
        entries = [each.content for each in extract(message)]
        tally.sought += len(facts)
        tally.found += sum(any(fact.found_in(entry) for entry in entries) for fact in facts)
        tally.told += len(entries)
        tally.right += sum(any(fact.found_in(entry) for fact in facts) for entry in entries)
        tally.silent += not facts
        tally.quiet += not facts and not entries
    return tally


@pytest.mark.parametrize(
    ("batch", "recall", "precision", "quiet"),
    [
        ("batch 1", 0.93, 0.94, 0.97),
        ("batch 2", 0.88, 0.93, 0.97),
        ("batch 3", 0.85, 0.90, 0.96),
        ("batch 4", 0.84, 0.90, 0.95),
        ("batch 5", 0.80, 0.90, 0.93),
    ],
)
def test_natural_messages_are_understood_and_small_talk_is_left_alone(
    batch: str, recall: float, precision: float, quiet: float
) -> None:
    tally = _tally(_batches()[batch])
    assert tally.sought > 40
    assert tally.silent >= 30
    assert tally.found / tally.sought >= recall
    assert tally.right / tally.told >= precision
    assert tally.quiet / tally.silent >= quiet


@pytest.mark.parametrize(
    ("message", "content"),
    [
        ("How can I speed up our Gradle build?", "Project uses Gradle"),
        ("We use Poetry so what's the equivalent command?", "Team uses Poetry"),
        ("Which client would you pick, given that we use Pulsar?", "Team uses Pulsar"),
        ("Could you please stop using em dashes?", "Avoids using em dashes"),
        ("Been at Contoso since 2019", "User works at Contoso"),
        ("dont ever use var", "Avoids using var"),
        ("Our grant runs out in August", "Project: Our grant runs out in August"),
        ("Just switched us from Jenkins to GitHub Actions", "Team uses GitHub Actions"),
    ],
)
def test_what_is_told_beside_a_question_or_without_a_subject_is_read(message: str, content: str) -> None:
    assert content in [each.content for each in extract(message)]


@pytest.mark.parametrize(
    "message",
    [
        "If we used Postgres would our Rails app be faster?",
        "The customer wrote: I'm a teacher and I always print",
        "Input: I work at Google",
        "I'm not German",
        "our data is in Frankfurt",
        "the problem is Docker",
    ],
)
def test_a_form_alike_does_not_make_a_tool_or_a_self_of_it(message: str) -> None:
    assert not [each for each in extract(message) if each.content.startswith(("Project uses", "Team uses", "User"))]


def test_the_look_at_the_first_letter_hides_no_match() -> None:
    messages = [message for cases in _batches().values() for message, _ in cases]
    hidden = [
        (rule.name, message)
        for rule in ENGLISH
        for message in messages
        if not may_begin(rule.pattern, message) and compiled(rule.pattern).search(message)
    ]
    assert hidden == []
