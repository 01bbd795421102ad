"""Rules as data: compiled late, run in linear time, on any text."""

from __future__ import annotations

import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from plainbrain.text.patterns import Rule, RuleSet, find_all, find_first, searchable

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


def test_declaring_rules_does_not_load_the_engine() -> None:
    code = "import sys; import plainbrain.lifecycle.secrets as s; s.find_secrets('We ship on Fridays.'); print('re2' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONPATH": "src"}
    )
    assert done.stdout.strip() == "False"
