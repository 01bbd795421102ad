"""What an agent is told unasked: what belongs to a place, what is open, what of a prompt is a question, how many vetoes."""

from __future__ import annotations

import pytest

from plainbrain.lifecycle.briefing import (
    MOST_OPTIONS,
    MOST_VETOES,
    Place,
    belongs,
    choose_decisions,
    choose_vetoes,
    open_conflicts,
    questions_of,
    veto_key,
)
from plainbrain.lifecycle.veto import Veto
from plainbrain.model.instants import parse_instant
from plainbrain.model.links import SUPERSEDED_BY, Link
from plainbrain.model.memory import Memory, Rejected
from plainbrain.model.provenance import QUARANTINED, REVIEWED, Provenance

HERE = Place(frozenset({"shop"}), frozenset({"src/pay.py"}))


def decision(id: str, **fields: object) -> Memory:
    return Memory(id, f"about {id}", kind="decision", **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, False),
        ({"files": ("src/pay.py",)}, True),
        ({"files": ("src/other.py",)}, False),
        ({"scope": "Global"}, True),
        ({"scope": "shop"}, True),
        ({"scope": "local"}, False),
        ({"cortex": "work/Shop"}, True),
        ({"cortex": "shops"}, False),
        ({"tags": ("shop",)}, True),
    ],
)
def test_what_belongs_to_a_place(fields: dict[str, object], expected: bool) -> None:
    assert belongs(decision("d", **fields), HERE) is expected
    assert belongs(decision("d", **fields), Place(frozenset(), whole=True))


def test_decisions_come_by_how_close_and_how_sure_they_are() -> None:
    cards = [
        decision("old", scope="shop", created=parse_instant("2026-01-01")),
        decision("new", scope="shop", created=parse_instant("2026-02-01")),
        decision("confirmed", scope="shop", provenance=Provenance(trust=REVIEWED)),
        decision("of-a-file", files=("src/pay.py",)),
        decision("gone", scope="shop", status="superseded", links=(Link("new", SUPERSEDED_BY),)),
        decision("held", scope="shop", provenance=Provenance(trust=QUARANTINED)),
        Memory("fact", "x", kind="fact", scope="shop"),
        Memory("turned", "x", kind="fact", scope="shop", rejected=(Rejected("y"),)),
    ]
    assert [card.id for card in choose_decisions(cards, HERE)] == ["of-a-file", "confirmed", "turned", "new", "old"]


def test_a_conflict_is_open_while_both_sides_are_in_effect() -> None:
    told = Memory("a", links=(Link("b", "contradicts"),))
    marked = Memory("c", contradicted_by="b")
    assert open_conflicts([told, marked, Memory("b")]) == [told, marked]
    assert open_conflicts([told, marked, Memory("b", status="superseded")]) == []
    assert open_conflicts([told, marked]) == []


@pytest.mark.parametrize("prompt", ["", "go on", "yes, please do it again", "Thanks!", "run", "…", "ja bitte"])
def test_some_prompts_ask_nothing(prompt: str) -> None:
    assert questions_of(prompt) == ()


@pytest.mark.parametrize(
    "prompt", ["run tests", "どのデータベースを選びましたか", "какую базу мы выбрали", " Redis or Postgres? "]
)
def test_a_short_prompt_is_the_question(prompt: str) -> None:
    assert questions_of(prompt) == (prompt.strip(),)


def test_of_a_long_prompt_both_ends_are_asked_for() -> None:
    middle = " ".join(f"Line{n} mentions thing{n} and place{n}." for n in range(50))
    asked = questions_of(
        f"Pay invoices in batches. Use the queue module. {middle} Keep the table small. How do deploys roll back?"
    )
    assert asked == (
        "Pay invoices in batches.",
        "Use the queue module.",
        "Keep the table small.",
        "How do deploys roll back?",
    )
    assert questions_of("word " * 3 + " ".join(f"w{n}" for n in range(5_000)))[0].startswith("word word")


def veto(id: str, option: str, reason: str = "", *, denied: bool = False) -> Veto:
    memory = decision(id)
    return Veto(memory, memory, Rejected(option, reason), 0, denied)


def test_few_vetoes_are_told_and_each_once() -> None:
    many = [veto(f"d{n}", f"option {n}.{k}") for n in range(5) for k in range(4)]
    told = choose_vetoes(many)
    assert [len(of_one) for of_one in told] == [MOST_OPTIONS] * MOST_VETOES
    known = {veto_key(one) for of_one in told for one in of_one}
    assert not known & {veto_key(one) for of_one in choose_vetoes(many, known=known) for one in of_one}
    assert choose_vetoes([veto("d", "Redis", denied=True)]) == ()
    assert (
        choose_vetoes([veto("a", "Redis", "slow"), veto("b", "Redis", "slow")], known={veto_key(veto("b", "Redis"))})
        == ()
    )
