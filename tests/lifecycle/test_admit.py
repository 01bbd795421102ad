"""Letting new memories in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainbrain.errors import InputError, InvalidField
from plainbrain.lifecycle.admit import Draft, admit, check_confidence, check_cortex, check_tags, clean, first_sentence
from plainbrain.model.confidence import Confidence
from plainbrain.model.links import Link
from plainbrain.model.provenance import Provenance
from plainbrain.testing.builders import NOON


@pytest.mark.parametrize(
    ("given_tags", "expected"),
    [
        ('["infra", "eu"]', ("infra", "eu")),
        ("infra, eu", ("infra", "eu")),
        ("infra", ("infra",)),
        (["infra", "eu"], ("infra", "eu")),
        ("#infra, Infra, code/python", ("infra", "code.python")),
        ("[infra, eu]", ("infra", "eu")),
        ("", ()),
        (["a\nINFO fake"], ("a INFO fake",)),
    ],
)
def test_tags_are_read_from_lists_texts_and_json(given_tags: str | list[str], expected: tuple[str, ...]) -> None:
    assert check_tags(given_tags) == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (None, Confidence()),
        ("", Confidence()),
        (0.9, Confidence(number=0.9)),
        ("0.9", Confidence(number=0.9)),
        ("90%", Confidence(number=0.9)),
        (1, Confidence(number=1.0)),
        ("Sure", Confidence(word="sure")),
    ],
)
def test_confidence_is_a_number_or_a_word(said: float | str | None, expected: Confidence) -> None:
    assert check_confidence(said) == expected


@pytest.mark.parametrize("said", ["very", 1.5, -0.1, "nan", "2", float("nan")])
def test_other_confidence_is_refused(said: float | str) -> None:
    with pytest.raises(InvalidField, match="confidence"):
        check_confidence(said)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("infra", "infra"),
        ("infra/node", "infra/node"),
        ("a\\b", "a/b"),
        ("lpt1", "lpt1-"),
        ("a: b?", "a- b-"),
        (" x. ", "x"),
        ("a//b/", "a/b"),
        ("Über", "Über"),
    ],
)
def test_a_cortex_is_a_safe_folder(said: str, expected: str) -> None:
    assert check_cortex(said) == expected


@pytest.mark.parametrize("said", ["../x", "/etc", "a/../../b", "C:\\x", "~/x", "\\\\server\\x"])
def test_a_cortex_never_leaves_the_brain(said: str) -> None:
    with pytest.raises(InvalidField, match="leave the brain"):
        check_cortex(said)


def test_half_surrogates_and_control_bytes_are_repaired() -> None:
    assert clean("a\x00b\x07c\td\r\n") == "abc\td\r\n"
    assert clean("x\ud83d") == "x\ufffd"
    assert clean("\ud83d\ude00") == "😀"


@given(st.text())
def test_what_was_cleaned_can_be_written(text: str) -> None:
    cleaned = clean(text)
    assert cleaned.encode("utf-8").decode("utf-8") == cleaned
    assert clean(cleaned) == cleaned
    assert "\x00" not in cleaned


def test_the_first_sentence_stands_in_for_a_title() -> None:
    memory = admit(Draft(body="# Ports\n\nStaging is on 8443. The rest follows."), at=NOON, provenance=Provenance())
    assert memory.title == "Ports"
    assert first_sentence("Staging is on 8443. More.") == "Staging is on 8443"
    assert first_sentence("部署在东京。其余的") == "部署在东京。"
    assert len(first_sentence("word " * 100)) <= 121


def test_nothing_at_all_is_refused() -> None:
    with pytest.raises(InvalidField, match="nothing to keep"):
        admit(Draft(" ", "\n"), at=NOON, provenance=Provenance())


def test_a_text_that_is_too_long_says_how_long_it_is() -> None:
    with pytest.raises(InvalidField, match="1,048,577 bytes"):
        admit(Draft("x", "a" * (2**20 + 1)), at=NOON, provenance=Provenance())


def test_relations_have_one_spelling_and_supersession_is_no_link() -> None:
    memory = admit(Draft("x", links=(Link("a", "Depends on"),)), at=NOON, provenance=Provenance())
    assert memory.links == (Link("a", "depends_on"),)
    with pytest.raises(InputError, match="retires"):
        admit(Draft("x", links=(Link("a", "supersedes"),)), at=NOON, provenance=Provenance())
