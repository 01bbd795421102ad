"""The ranking ``auto``: what context, authors and dates do, and that notes without them lose nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plainbrain.model.hit import Explanation
from plainbrain.model.instants import parse_instant
from plainbrain.model.memory import Memory
from plainbrain.model.provenance import Provenance
from plainbrain.model.query import Query
from plainbrain.retrieval.abstain import is_relevant
from plainbrain.retrieval.auto import Like, ask, look_at, plain_question, rank
from plainbrain.retrieval.fields import fields_of
from plainbrain.retrieval.lexical import Corpus
from plainbrain.retrieval.scan import CorpusWords, search_plainly
from plainbrain.retrieval.signals import NAMES, SHIPPED
from plainbrain.testing.builders import NOON


def turn(number: int, text: str, speaker: str = "Ann", session: str = "one", day: str = "2026-10-01") -> Memory:
    said = Provenance(sessions=(session,), turn=number)
    return Memory(
        f"{session}-{number}", text, created=parse_instant(day), provenance=said, metadata={"speaker": speaker}
    )


TALK = [
    turn(1, "Did you ever go to the pottery workshop?", "Ben"),
    turn(2, "Yes, and I made two bowls!"),
    turn(3, "How nice.", "Ben"),
    turn(9, "The train was late."),
    turn(1, "Ann, the garden needs water.", "Ben", "two"),
    turn(2, "Tomorrow.", "Ann", "two"),
]


def found(text: str, memories: list[Memory], *without: str) -> list[tuple[str, float, Explanation]]:
    return search_plainly(memories, Query(text, profile="auto", without=without), now=NOON)[0]


def order(text: str, memories: list[Memory], *without: str) -> list[str]:
    return [id for id, _, _ in found(text, memories, *without)]


def test_the_answer_after_a_question_is_found_though_it_shares_no_word() -> None:
    assert order("pottery workshop", TALK)[:2] == ["one-1", "one-2"]
    assert "one-9" not in order("pottery workshop", TALK)
    alone = [replace(memory, provenance=Provenance()) for memory in TALK]
    assert order("pottery workshop", alone) == ["one-1"]


def test_whoever_is_named_said_it_and_the_name_is_no_word() -> None:
    assert order("What did Ann say about pottery bowls?", TALK)[0] == "one-2"
    why = found("What did Ann say about the garden?", TALK)
    assert {id: e.factors["author"] for id, _, e in why}["two-1"] == 0.0, "spoken to, not the speaker"


def test_a_note_by_nobody_that_names_the_author_is_not_left_behind() -> None:
    note = Memory("note", "Ann wants alerts in the chat")
    assert order("What does Ann want of alerts?", [*TALK, note])[0] == "note"


def test_a_time_that_is_named_puts_what_is_of_it_first() -> None:
    twins = [turn(1, "the invoices were wrong", session=f"s{n}", day=f"2026-0{n}-10") for n in range(1, 8)]
    assert order("wrong invoices in May 2026", twins)[0] == "s5-1"
    assert order("wrong invoices in May 2026", twins, "date")[0] != "s5-1"


def test_notes_without_context_stand_as_by_their_words_alone() -> None:
    notes = [
        Memory(f"n{n}", text) for n, text in enumerate(["gateway timeout of the api", "the gateway", "timeout", "else"])
    ]
    plain = [id for id, _, _ in search_plainly(notes, Query("gateway timeout"), now=NOON)[0]]
    assert order("gateway timeout", notes) == plain


@pytest.mark.parametrize("name", NAMES)
def test_each_signal_can_be_left_out(name: str) -> None:
    assert getattr(SHIPPED.without([name]), name) == 0.0
    assert SHIPPED.without(["nothing of the kind"]) == SHIPPED


def test_every_factor_is_a_number_and_makes_the_score() -> None:
    for _, score, why in found("What did Ann do at the workshop in October 2026?", TALK):
        f = why.factors
        assert 0 < score <= 1
        assert score == f["score"] == pytest.approx(f["relevance"] * f["certainty"])


def test_vectors_find_what_shares_no_word() -> None:
    memories = [Memory("a", "the cat sleeps"), Memory("b", "a feline naps")]
    looked = [look_at(memory, fields_of(memory), sequence=n) for n, memory in enumerate(memories)]
    words = CorpusWords(Corpus([fields_of(memory) for memory in memories]))
    asked = ask("tired kitten", words=words, known=lambda _: (), signals=SHIPPED, now=NOON)
    ranked = rank(
        looked, [0, 1], asked, average_length=3.0, signals=SHIPPED, now=NOON, likeness={1: Like(0.8, 0.8, 0, 7)}
    )
    assert [place.id for place, _ in ranked] == ["b"]
    assert ranked[0][1].notes == {"passage": "0-7"}


def test_names_are_taken_out_of_what_is_embedded() -> None:
    asked = ask(
        "What did Ann's cat do?",
        words=CorpusWords(Corpus([])),
        known=lambda token: ["ann"] if token == "ann" else (),
        signals=SHIPPED,
        now=NOON,
    )
    assert plain_question("What did Ann's cat do?", asked) == "What did cat do?"
    assert plain_question("Ann", replace(asked)) == "Ann"


def test_noise_is_told_from_an_answer() -> None:
    assert is_relevant("pottery workshop", [why for _, _, why in found("pottery workshop", TALK)])
    unknown = "late kubernetes federation schema"
    assert not is_relevant(unknown, [why for _, _, why in found(unknown, TALK)])
    assert not is_relevant("pottery", [])
    assert is_relevant("pottery", [Explanation({"score": 0.1})]), "other rankings do not say how sure they are"


@pytest.mark.parametrize("others", [(), ("Staging runs in Frankfurt",), ("Staging runs in Frankfurt", "Tea at four")])
def test_a_brain_of_a_few_notes_answers_as_surely_as_a_large_one(others: tuple[str, ...]) -> None:
    told = Memory("told", "The staging password is rotated through Vault")
    memories = [told, *(Memory(text, text) for text in others)]
    for text in ("how often is the staging password rotated", "where do we keep the password of staging"):
        hits, _ = search_plainly(memories, Query(text, profile="auto"), now=NOON)
        assert hits[0][0] == "told"
        assert is_relevant(text, [why for _, _, why in hits])
    unknown = "late kubernetes federation schema password"
    hits, _ = search_plainly(memories, Query(unknown, profile="auto"), now=NOON)
    assert not is_relevant(unknown, [why for _, _, why in hits])
