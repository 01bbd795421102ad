"""Rules as data: compiled late, run in linear time, on any text."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainbrain.text.patterns import Rule, RuleSet, Sweep, find_all, find_first, searchable

WORD = Rule("word", r"k=([a-z]+)", ("k=",), 1)
LONG = Rule("long", r"tok_[a-z0-9]{8,}", ("tok_",), least_word=12)


def test_a_find_tells_the_span_of_its_group() -> None:
    (found,) = find_all(WORD, "ä k=abc")
    assert (found.value, found.value_start, found.start, found.end) == ("abc", 4, 2, 7)


def test_rules_without_their_keyword_are_not_tried() -> None:
    rules = RuleSet((WORD, LONG))
    assert [rule.name for _, rule in rules.worth_trying("nothing here")] == []
    assert [rule.name for _, rule in rules.worth_trying("say k=abc")] == ["word"]
    assert [rule.name for _, rule in rules.worth_trying("tok_ is a short word")] == []
    assert [rule.name for _, rule in rules.worth_trying("tok_abcdefgh99")] == ["long"]


@given(st.text(st.characters(), max_size=60))
def test_any_text_can_be_searched_and_keeps_its_offsets(text: str) -> None:
    clean = searchable(text)
    assert len(clean) == len(text)
    assert find_first("(?s).", clean) == bool(text)


SWEPT = (
    Rule("value", r"(?i)(?:^|\W)k=([a-z]+)(?:\W|$)", ("k=",), 1),
    Rule("from a to z", r"a[^z]*z", ("a", "z")),
    Rule("xy", r"\bxy\b"),
)
SWEEP = Sweep(SWEPT)


@pytest.mark.parametrize(
    ("texts", "places"),
    [
        ([], []),
        (["", "nothing", "k="], []),
        (["k=abc", "no", "ä k=abc"], [0, 2]),
        (["xyz", "xy", "yx xy", "xy_"], [1, 2]),
        (["\ud800 xy"], [0]),
        (["k=", "abc"], []),
        (["one a", "two k=b three", "z"], [0, 1, 2]),  # one match over all three hides the second's
    ],
)
def test_a_sweep_names_the_texts_that_may_hold_a_match(texts: list[str], places: list[int]) -> None:
    assert SWEEP.suspects(texts) == places


def test_a_sweep_goes_through_more_than_one_piece() -> None:
    texts = ["." * 1000] * 1000
    texts[3] = texts[700] = texts[999] = "k=abc"
    assert SWEEP.suspects(texts) == [3, 700, 999]


def test_a_sweep_tells_thousands_of_keywords_apart() -> None:
    crowded = Sweep([Rule(f"rule-{number}", f"word{number}x", (f"word{number}",)) for number in range(3000)])
    texts = [" ".join(f"word{(step * number) % 3000}" for number in range(2000)) for step in range(1, 30)]
    texts[17] += " word2999x"
    assert crowded.suspects(texts) == [17]


@given(st.lists(st.text("kaz=xy \n\0", max_size=12), max_size=12))
def test_a_sweep_misses_no_text(texts: list[str]) -> None:
    alone = [place for place, text in enumerate(texts) if SWEEP.suspects([text])]
    assert set(alone) <= set(SWEEP.suspects(texts))
    found = [at for at, text in enumerate(texts) for rule in SWEPT if find_first(rule.pattern, text)]
    assert set(found) <= set(alone)


def test_declaring_rules_does_not_load_the_engine() -> None:
    code = "import sys; import plainbrain.lifecycle.secrets as s; s.find_secrets('We ship on Fridays.'); print('re2' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONPATH": "src"}
    )
    assert done.stdout.strip() == "False"
