"""The tables of docs/interchange.md, held against the code."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from plainbrain.app.exports import FORMATS
from plainbrain.app.intake import What
from plainbrain.files.history import LARGEST
from plainbrain.interchange import archive
from plainbrain.interchange.registry import FORMS
from plainbrain.interchange.source import MAX_DOCUMENT, MAX_ITEM
from plainbrain.model.change import Activity, Put
from plainbrain.model.instants import Instant
from plainbrain.model.memory import Memory
from plainbrain.notation.decision import write_decision
from plainbrain.notation.whole import write_whole
from plainbrain.stores.vault.reading import MAX_NOTE_BYTES
from plainbrain.testing.builders import NOON, full_memory
from tests.interchange.brains import brain_at

PAGE = Path(__file__).resolve().parents[2] / "docs" / "interchange.md"


@pytest.fixture(scope="module")
def page() -> str:
    return PAGE.read_text(encoding="utf-8")


def first_column(page: str, head: str) -> list[str]:
    """Return the code words of a table's first column."""
    table = page.split(f"\n| {head} |")[1].split("\n\n")[0]
    return re.findall(r"^\| `([^`]+)`", table, re.MULTILINE)


def test_every_form_and_format_has_its_row(page: str) -> None:
    assert first_column(page, "form") == list(FORMS)
    assert first_column(page, "format") == list(FORMATS)
    assert first_column(page, "outcome") == [str(what) for what in What]
    for form in FORMS.values():
        assert f"| `{form.name}` | {form.title} |" in page


def test_every_field_of_a_line_has_its_row(page: str) -> None:
    line = write_decision(Memory("a"))
    names = [
        f"{key}.{inner}" if isinstance(value, dict) else key
        for key, value in line.items()
        for inner in (value if isinstance(value, dict) else [""])
    ]
    assert first_column(page, "field") == names


def test_every_key_of_the_archive_is_named(page: str) -> None:
    text = page.split("what is unsaid is left out:\n")[1].split("\n\nTimes")[0]
    assert set(re.findall(r"`(\w+)`", text)) == set(write_whole(full_memory()))


def test_the_archive_is_as_it_is_described(page: str) -> None:
    lines = list(archive.write([Memory("a", "x")], activities=[], values={"k": "v"}, url_kind="ram", at=NOON))
    assert [list(json.loads(line)) for line in lines] == [
        ["format", "from", "written"],
        ["memory"],
        ["values"],
        ["end"],
    ]
    assert archive.FORMAT in page


def test_the_limits_are_named_as_they_are(page: str) -> None:
    text = " ".join(page.split())
    assert f"A line or an item may have {MAX_ITEM >> 20} MB" in text
    assert f"a JSON document that is not a list {MAX_DOCUMENT >> 20} MB" in text
    assert f"in a vault a note has at most {MAX_NOTE_BYTES >> 20} MB" in text
    assert f"When it grows beyond {LARGEST >> 20} MB" in text


def test_activities_have_whole_seconds_where_the_page_says_so(tmp_path: Path) -> None:
    at = Instant((NOON.ms or 0) + 123)
    for kind in ("vault", "jsonl", "sqlite", "json"):
        with brain_at(kind, tmp_path / kind) as brain:
            brain.store.apply([Put(Memory("a", "x"))], activities=[Activity(at, "add", "a", "")])
            [told] = brain.log(1)
            assert told.at == (at if kind in ("vault", "jsonl") else NOON)
