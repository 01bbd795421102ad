"""The labelled lists: whole, balanced, split fairly, and true to their own labels."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import Any

import pytest

from plainbrain.errors import Unreadable
from plainbrain.evaluation import cases
from plainbrain.evaluation.cases import (
    Fact,
    Half,
    holds_word,
    load_conflicts,
    load_feedback,
    load_harmless,
    load_messages,
    load_secrets,
    load_vetoes,
)

Load = Callable[[Half | None], Sequence[Any]]
LISTS: dict[str, Load] = {
    "secrets": load_secrets,
    "harmless": load_harmless,
    "conflicts": load_conflicts,
    "messages": load_messages,
    "feedback": load_feedback,
    "veto tasks": lambda half: load_vetoes(half).tasks,
    "veto matches": lambda half: load_vetoes(half).matches,
}
SIZES = {
    "secrets": 130,
    "harmless": 130,
    "conflicts": 260,
    "messages": 180,
    "feedback": 60,
    "veto tasks": 20,
    "veto matches": 40,
}


@pytest.mark.parametrize("name", LISTS)
def test_a_list_is_as_long_as_promised(name: str) -> None:
    assert len(LISTS[name](None)) >= SIZES[name]


@pytest.mark.parametrize("name", LISTS)
def test_the_halves_are_equal_shares_and_share_nothing(name: str) -> None:
    dev, held = LISTS[name]("dev"), LISTS[name]("held")
    assert len(dev) + len(held) == len(LISTS[name](None))
    assert abs(len(dev) - len(held)) <= 0.1 * len(dev)
    assert {c.half for c in dev} == {"dev"}
    assert {c.half for c in held} == {"held"}


@pytest.mark.parametrize("name", ["secrets", "harmless", "messages", "feedback"])
def test_no_text_stands_twice(name: str) -> None:
    assert not [t for t, n in Counter(c.text for c in LISTS[name](None)).items() if n > 1]


def test_no_pair_stands_twice_in_the_same_context() -> None:
    pairs = Counter((frozenset((c.a, c.b)), c.context_a, c.context_b) for c in load_conflicts())
    assert not [p for p, n in pairs.items() if n > 1]
    assert not [c for c in load_conflicts() if c.a == c.b]


def test_each_secret_stands_in_its_text() -> None:
    for case in load_secrets():
        assert case.secrets, case.text
        assert all(s and s in case.text for s in case.secrets), case.kind


def test_secrets_come_in_many_kinds_and_fields() -> None:
    loaded = load_secrets()
    assert len({c.kind.split("-")[0] for c in loaded}) >= 60
    assert {"content", "title", "tags", "url", "reason", "source_excerpt"} <= {c.field for c in loaded}


def test_no_harmless_text_holds_a_listed_secret() -> None:
    listed = [s for c in load_secrets() for s in c.secrets if len(s) >= 8]
    assert not [c.text for c in load_harmless() if any(s in c.text for s in listed)]


def test_the_raw_file_shows_no_scanner_a_vendor_token() -> None:
    raw = (files("plainbrain.evaluation") / "data" / "secrets.jsonl").read_text(encoding="utf-8")
    forms = (
        r"AKIA[A-Z0-9]{16}|gh[pousr]_\w{36}|xox[bp]-[\w-]{20}|sk_live_\w{20}|glpat-[\w-]{20}|AIza[\w-]{35}|npm_\w{36}"
    )
    assert not re.findall(forms, raw)
    assert len(re.findall(forms, "\n".join(c.text for c in load_secrets()))) >= 10


def test_conflicts_are_balanced_and_speak_many_languages() -> None:
    loaded = load_conflicts()
    labels = Counter(c.label for c in loaded)
    assert set(labels) == {"conflict", "none", "same"}
    assert 0.4 <= labels["conflict"] / len(loaded) <= 0.55
    assert len({c.lang for c in loaded}) >= 12


def test_contexts_come_in_twos_and_differ_only_where_nothing_conflicts() -> None:
    for case in load_conflicts():
        assert (case.context_a is None) == (case.context_b is None)
        if case.context_a != case.context_b:
            assert case.label == "none"


def test_a_message_has_facts_or_a_reason_for_none() -> None:
    loaded = load_messages()
    assert all(bool(c.facts) != bool(c.none_why) for c in loaded)
    assert sum(not c.facts for c in loaded) / len(loaded) >= 0.4
    assert sum(len(c.facts) > 1 for c in loaded) >= 30
    assert all(c.known for c in loaded if c.none_why == "recalled")


def test_facts_are_of_known_kinds_and_stand_in_their_message() -> None:
    kinds = {"identity", "stack", "preference", "workflow", "project", "correction"}
    for case in load_messages():
        for fact in case.facts:
            assert fact.kind in kinds
            assert fact.found_in(case.text), (fact.must, case.text)


def test_some_facts_are_only_implied() -> None:
    explicit = Counter(f.explicit for c in load_messages() for f in c.facts)
    assert explicit[True] > explicit[False] >= 5


def test_each_task_names_a_decision_and_an_option_it_turned_down() -> None:
    vetoes = load_vetoes()
    rejected = {d.id: {r.option for r in d.rejected} for d in vetoes.decisions}
    assert len(rejected) == len(vetoes.decisions) >= 24
    assert sum(bool(options) for options in rejected.values()) >= 10
    for task in vetoes.tasks:
        assert (task.decision is None) == (task.option is None)
        if task.decision is not None:
            assert task.option in rejected[task.decision], task.text


def test_a_direct_task_names_its_option_and_an_implicit_one_does_not() -> None:
    for task in load_vetoes().tasks:
        if task.option is not None:
            assert task.direct == holds_word(task.text, task.option), task.text
    assert {t.direct for t in load_vetoes().tasks} == {True, False}


def test_decisions_belong_to_both_halves() -> None:
    assert load_vetoes("dev").decisions == load_vetoes("held").decisions == load_vetoes().decisions


def test_each_feedback_label_is_well_filled() -> None:
    labels = Counter(c.label for c in load_feedback())
    assert set(labels) == {"positive", "negative", "neutral"}
    assert min(labels.values()) >= 15


@pytest.mark.parametrize(
    ("text", "word", "holds"),
    [
        ("User works with Go", "go", True),
        ("User works with Django", "go", False),
        ("Team uses C++20", "C++20", True),
        ("The user’s name is Jo", "user's name", True),
        ("用户在百度工作", "百度", True),
        ("JONAS lives in Köln", "Ko\u0308ln", True),
        ("Algorithms in Go", "Go", True),
        ("anything", "", False),
        ("", "word", False),
    ],
)
def test_words_are_found_whole(text: str, word: str, holds: bool) -> None:
    assert holds_word(text, word) is holds


def test_a_fact_needs_all_its_words_in_one_entry() -> None:
    fact = Fact("identity", ("data engineer", "Globex"), True)
    assert fact.found_in("User is a data engineer at Globex.")
    assert not fact.found_in("User is a data engineer.")


def test_what_is_avoided_is_not_found_in_its_opposite() -> None:
    fact = Fact("preference", ("emojis",), True, negative=True)
    assert fact.found_in("Avoids emojis in commit messages")
    assert fact.found_in("Don’t use emojis")
    assert not fact.found_in("Prefers emojis in commit messages")


def test_a_line_of_a_wrong_form_is_named() -> None:
    with pytest.raises(Unreadable) as raised:
        cases._load("feedback", lambda record: record["no such key"], half=None)
    assert (raised.value.path, raised.value.line) == ("evaluation/data/feedback.jsonl", 1)


@pytest.mark.parametrize("name", ["secrets", "harmless", "conflicts", "messages", "vetoes", "feedback"])
def test_every_line_is_one_json_object(name: str) -> None:
    raw = (files("plainbrain.evaluation") / "data" / f"{name}.jsonl").read_bytes()
    assert raw.endswith(b"}\n")
    assert all(isinstance(json.loads(line), dict) for line in raw.decode("utf-8").split("\n")[:-1])
