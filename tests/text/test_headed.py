"""A text with its title: joined where the text does not say it, never twice, and a first sentence adds nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainbrain.lifecycle.admit import first_sentence
from plainbrain.text.headed import headed


@pytest.mark.parametrize(
    ("title", "text", "wanted"),
    [
        ("Staging on 9443", "moved", "Staging on 9443: moved"),
        ("Staging moved.", "It is on 9443.", "Staging moved. It is on 9443."),
        ("Staging", "It is on 9443.\n\nAda moved it.", "Staging\n\nIt is on 9443.\n\nAda moved it."),
        ("Art", "start", "Art: start"),
        ("用 pnpm", "已迁移", "用 pnpm: 已迁移"),
        ("🚀", "done", "🚀: done"),
        ("Only a title", "  \n", "Only a title"),
        ("", "text", "text"),
        ("Use *pnpm*!", "use Pnpm\neverywhere", "use Pnpm\neverywhere"),
        ("ports-used", "Ports used: 80", "Ports used: 80"),
        ("A long title cut…", "A long title cutting in", "A long title cutting in"),
    ],
)
def test_a_title_is_joined_where_the_text_does_not_say_it(title: str, text: str, wanted: str) -> None:
    assert headed(title, text) == wanted


@given(st.text(max_size=40), st.text(max_size=200))
def test_what_was_joined_is_not_joined_again(title: str, text: str) -> None:
    joined = headed(title, text)
    assert headed(title, joined) == joined


@given(st.text(max_size=400) | st.text("ab_ .…'\n\t#*-é用。ß", max_size=300))
def test_a_title_made_from_the_text_adds_nothing(text: str) -> None:
    assert headed(first_sentence(text), text) == text
