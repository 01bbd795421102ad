"""Changing one memory in place."""

from __future__ import annotations

import pytest
from hypothesis import given

from plainbrain.errors import InputError, InvalidField
from plainbrain.lifecycle.edits import (
    FIELDS,
    Append,
    ClearField,
    ReplaceBody,
    ReplaceSection,
    ReplaceText,
    SetField,
    append_text,
    apply_edit,
    replace_section,
)
from plainbrain.model.confidence import Confidence
from plainbrain.model.memory import Memory
from plainbrain.testing.builders import full_memory
from plainbrain.testing.strategies import texts

NOTE = Memory("a", "# Top\n\nintro\n\n## Ports\n\n8443\n\n### Old\n\n443\n\n## Last\n\nend", title="A")


def test_a_section_ends_at_the_next_heading_of_its_level() -> None:
    after = apply_edit(NOTE, ReplaceSection("Ports", "9443\n"))
    assert after.content == "# Top\n\nintro\n\n## Ports\n\n9443\n\n## Last\n\nend"
    assert apply_edit(NOTE, ReplaceSection("## Last", "z")).content.endswith("## Last\n\nz")


def test_a_section_that_is_missing_is_added() -> None:
    assert apply_edit(NOTE, ReplaceSection("New", "text")).content == NOTE.content + "\n\n## New\n\ntext"


def test_headings_in_code_are_no_headings() -> None:
    text = "```\n## Ports\n```\n\n## Ports\n\nx"
    assert replace_section(text, heading="Ports", text="y") == "```\n## Ports\n```\n\n## Ports\n\ny"


def test_line_endings_of_the_note_are_kept() -> None:
    assert append_text("a\r\nb", "c\nd") == "a\r\nb\r\n\r\nc\r\nd"


def test_a_replaced_text_stands_there_exactly_once() -> None:
    assert apply_edit(NOTE, ReplaceText("8443", "9443")).content.count("9443") == 1
    with pytest.raises(InputError, match="does not stand"):
        apply_edit(NOTE, ReplaceText("nothing", "x"))
    with pytest.raises(InputError, match="2 times"):
        apply_edit(NOTE, ReplaceText("443", "x"))


def test_fields_are_set_and_cleared() -> None:
    after = apply_edit(NOTE, SetField("confidence", "0.5"))
    assert after.confidence == Confidence(number=0.5)
    assert apply_edit(after, ClearField("confidence")).confidence == Confidence()
    assert apply_edit(NOTE, SetField("type", "fact")).kind == "fact"
    assert apply_edit(NOTE, SetField("tags", "a, b")).tags == ("a", "b")
    created = apply_edit(NOTE, SetField("created", "2026-03-04")).created
    assert created is not None
    assert created.day


@pytest.mark.parametrize("field", FIELDS)
def test_every_field_but_the_title_can_be_cleared(field: str) -> None:
    if field == "title":
        with pytest.raises(InvalidField, match="title"):
            apply_edit(full_memory(), ClearField(field))
    else:
        assert apply_edit(full_memory(), ClearField(field)) != full_memory()


@pytest.mark.parametrize(
    ("field", "value"), [("nope", "x"), ("created", "yesterday"), ("confidence", "9"), ("title", " ")]
)
def test_what_a_field_cannot_hold_is_refused(field: str, value: str) -> None:
    with pytest.raises(InvalidField):
        apply_edit(NOTE, SetField(field, value))


@given(texts, texts)
def test_appending_keeps_what_was_there(content: str, text: str) -> None:
    assert apply_edit(Memory("a", content), Append(text)).content.startswith(
        content.rstrip("\r\n") if content.strip() else ""
    )
    assert apply_edit(Memory("a"), ReplaceBody("x")).content == "x"
