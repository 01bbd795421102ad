"""Likeness: equal texts are 1, rare words weigh more, the brain's statistics count."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainbrain.lifecycle.similar import rank_similar
from plainbrain.model.memory import Memory


def memories(*texts: str) -> list[Memory]:
    return [Memory(id=str(at), content=text) for at, text in enumerate(texts)]


def test_the_same_sentence_is_one_even_in_a_brain_of_one() -> None:
    (found,) = rank_similar("We deploy on Fridays", memories("We deploy on Fridays"))
    assert found.similarity == pytest.approx(1.0)


def test_the_most_alike_comes_first_and_the_rest_is_cut_by_the_threshold() -> None:
    known = memories("cooking with rice", "deploy the api on Friday", "deploy the api on Friday evening", "api")
    found = rank_similar("Deploy the API on Friday", known, threshold=0.5)
    assert [f.memory.id for f in found] == ["1", "2"]
    assert found[0].similarity == pytest.approx(1.0)


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    known = memories("the project uses kafka", "the project ships weekly")
    common = {"project": 900}
    found = rank_similar("project kafka", known, threshold=0, frequency=lambda token: common.get(token, 1), total=1000)
    assert [f.memory.id for f in found] == ["0", "1"]
    assert found[0].similarity > found[1].similarity + 0.3


def test_any_script_and_numbers_are_words() -> None:
    known = memories("服务器端口是8080", "server port 9090")
    assert [f.memory.id for f in rank_similar("端口8080", known)] == ["0"]
    assert [f.memory.id for f in rank_similar("9090", known)] == ["1"]


def test_an_empty_text_is_like_nothing() -> None:
    assert rank_similar("", memories("a text")) == ()
    assert rank_similar("text", memories("", "!!")) == ()


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=40), st.lists(st.text(max_size=40), max_size=5))
def test_figures_stay_between_none_and_one(text: str, others: list[str]) -> None:
    assert all(0 <= f.similarity <= 1 for f in rank_similar(text, memories(*others), threshold=0))
    if found := rank_similar(text, memories(text, *others), threshold=0):
        assert found[0].similarity == pytest.approx(1.0)
