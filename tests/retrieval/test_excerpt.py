"""What is shown of a long text is the part that answers, wherever it stands."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainbrain.retrieval.excerpt import LONG, SHOWN, Excerpts

FILLER = "The team met again and talked about the plan. Everybody agreed that more tests are needed. "
ANSWER = "Then Ann told us that the staging password rotates every ninety days."


def excerpt(content: str, query: str, *, within: tuple[int, int] | None = None) -> str:
    return Excerpts(query).of(content, within=within)


DEEP = FILLER * 120 + ANSWER + " " + FILLER * 8


@pytest.mark.parametrize(
    "query",
    [
        "how often does the staging password rotate",
        "ninety",
        "rotation of passwords in staging",
        "what did Ann tell the team",
    ],
)
def test_the_answer_is_shown_from_its_sentence_on(query: str) -> None:
    shown = excerpt(DEEP, query)
    assert shown.startswith(ANSWER)
    assert len(shown) <= SHOWN


def test_a_kin_shows_where_the_word_itself_is_not() -> None:
    text = FILLER * 30 + "Login failures come from old cookies. " + FILLER * 5
    assert excerpt(text, "why does it fail").startswith("Login failures")


def test_a_rare_word_decides_over_one_that_stands_everywhere() -> None:
    assert excerpt(DEEP, "team plan tests password").startswith(ANSWER)


def test_words_that_stand_together_say_more_than_one_of_them_twice() -> None:
    text = "The password. A password! " + FILLER * 20 + "The staging server has a password. " + FILLER * 5
    assert excerpt(text, "staging password").startswith("The staging server")


def test_within_the_passage_that_vectors_name() -> None:
    text = "Staging password one. " + FILLER * 20 + "Staging password two. " + FILLER
    assert excerpt(text, "staging password", within=(500, len(text))).startswith("Staging password two")


def test_a_short_text_and_one_without_a_word_of_the_question_show_nothing() -> None:
    assert excerpt(ANSWER, "password") == ""
    assert excerpt(DEEP, "kubernetes") == ""
    assert excerpt(DEEP, "") == ""


def test_scripts_without_spaces() -> None:
    text = "会议讨论了发布计划。" * 200 + "密码每九十天更换一次。" + "会议讨论了发布计划。" * 20
    assert "密码每九十天更换" in excerpt(text, "密码")


def test_a_word_that_stands_everywhere_takes_no_time() -> None:
    text = "team " * 60_000 + "password " + "team " * 100
    assert "password" in excerpt(text, "team password")
    assert excerpt("team " * 60_000, "team").startswith("team team")


@given(st.text(min_size=1, max_size=30), st.text(max_size=40), st.integers(0, 2000))
@settings(deadline=None)
def test_any_text_and_question(piece: str, query: str, at: int) -> None:
    text = piece * (LONG // len(piece) + 2)
    shown = excerpt(text, query, within=(at, max(at, len(text))))
    assert len(shown) <= SHOWN
    assert shown in text
