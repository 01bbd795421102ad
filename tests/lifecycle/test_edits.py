"""Changing one memory in place."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from plainbrain.errors import InputError, InvalidField
from plainbrain.lifecycle.admit import clean
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
    ("field", "value", "hint"),
    [
        ("nope", "x", "fields: title"),
        ("created", "yesterday", "write 2026-10-27"),
        ("valid_until", "next week", "write 2026-10-27"),
        ("valid_from", "", "--clear valid_from"),
        ("confidence", "9", "sure, likely, uncertain"),
        ("confidence", " ", "--clear confidence"),
        ("title", " ", "needs a title"),
        ("type", " ", "--clear type"),
        ("status", "foo", "active, archived, deprecated, invalidated, rejected, retired, superseded"),
        ("status", "", "--clear status"),
        ("memory_class", "foo", "core, episodic, policy, preference, procedural, semantic"),
        ("links", "a", "brain link"),
        ("cortex", "infra", "brain move ID --cortex"),
        ("id", "b", "brain move"),
    ],
)
def test_what_a_field_cannot_hold_is_refused(field: str, value: str, hint: str) -> None:
    with pytest.raises(InvalidField) as caught:
        apply_edit(NOTE, SetField(field, value))
    assert hint in caught.value.hint


def test_a_known_word_is_written_as_it_is_known() -> None:
    assert apply_edit(NOTE, SetField("status", " Retired ")).status == "retired"
    assert apply_edit(NOTE, SetField("memory-class", "CORE")).memory_class == "core"


def test_a_word_of_a_persons_own_stays_where_something_else_is_set() -> None:
    own = replace(NOTE, status="on trial", memory_class="mine")
    after = apply_edit(own, SetField("tags", "a"))
    assert (after.status, after.memory_class) == ("on trial", "mine")
    assert apply_edit(own, ClearField("status")).status == "active"


@given(texts, texts.filter(lambda text: clean(text).strip() != ""))
def test_appending_keeps_what_was_there(content: str, text: str) -> None:
    after = apply_edit(Memory("a", content), Append(text)).content
    assert after.startswith(content if content.strip() else "")


def test_appending_nothing_is_refused() -> None:
    for nothing in ("", " \n", "\x07"):
        with pytest.raises(InvalidField):
            apply_edit(NOTE, Append(nothing))


@pytest.mark.parametrize(
    ("content", "after"),
    [
        ("one", "one\n\ntwo"),
        ("one\n", "one\n\ntwo"),
        ("one\n\n\n", "one\n\n\ntwo"),
        ("one\r\n", "one\r\n\r\ntwo"),
        ("    code", "    code\n\ntwo"),
    ],
)
def test_a_paragraph_is_set_off_and_no_blank_line_is_lost(content: str, after: str) -> None:
    assert append_text(content, "two\n") == after


@pytest.mark.parametrize(
    ("content", "after"),
    [
        ("# A\r\nx\r\n# B\r\ny", "# A\r\n\r\nnew\r\n\r\n# B\r\ny"),
        ("# A\nx\r\n# B\ny\r\nz\n", "# A\r\n\r\nnew\r\n\r\n# B\ny\r\nz\n"),
        ("intro\n# A", "intro\n# A\n\nnew"),
    ],
)
def test_a_section_is_found_whatever_ends_its_lines(content: str, after: str) -> None:
    assert replace_section(content, heading="A", text="new") == after


def test_the_whole_text_is_replaced() -> None:
    assert apply_edit(Memory("a"), ReplaceBody("x")).content == "x"


def test_a_title_that_was_made_of_the_text_moves_along_and_another_stays() -> None:
    made = Memory("a", "The port is 5. It is open.", title="The port is 5")
    assert apply_edit(made, ReplaceBody("The port is 6. Still open.")).title == "The port is 6"
    assert apply_edit(made, ReplaceText("port is 5", "port is 7")).title == "The port is 7"
    assert apply_edit(made, Append("More.")).title == "The port is 5"
    assert apply_edit(made, ReplaceBody("")).title == "The port is 5"
    named = replace(made, title="Ports")
    assert apply_edit(named, ReplaceBody("The port is 6.")).title == "Ports"
