"""A file that changes while it is imported: nothing of it passes for what it was, and the import says so and fails."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from plainbrain.app.imports import form_of_source, import_from, open_source
from plainbrain.app.intake import Report, What, collect
from plainbrain.interchange import robrain
from plainbrain.interchange.item import Found, Item
from plainbrain.interchange.registry import FORMS
from plainbrain.interchange.source import Source
from tests.interchange.brains import brain_at, decision_line, memories_of, write_lines

LINES = [decision_line(id) for id in "abc"]


def put_in_front(path: Path) -> None:
    write_lines(path, [decision_line("new"), *LINES])


def replace_it(path: Path) -> None:
    other = write_lines(path.with_suffix(".other"), [decision_line(id) for id in "xyz"])
    other.replace(path)


def append_to_it(path: Path) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(decision_line("d")) + "\n")


def empty_it(path: Path) -> None:
    path.write_bytes(b"")


def take(path: Path, reader: Callable[[Source], Iterator[Item]], place: Path) -> tuple[Report, set[str]]:
    """Import a file by a reader that stands in for that of the form."""
    source = open_source(str(path))
    with brain_at("ram", place) as brain, pytest.MonkeyPatch.context() as patch:
        form = form_of_source(source)
        patch.setattr(robrain, "read", reader)
        report = collect(form.name, import_from(brain.context, source, form), lambda _: None)
        return report, set(memories_of(brain))


@pytest.mark.parametrize("change", [put_in_front, replace_it, append_to_it, empty_it])
def test_between_the_two_readings(change: Callable[[Path], None], tmp_path: Path) -> None:
    path = write_lines(tmp_path / "in.jsonl", LINES)
    looked = robrain._look

    def look_and_change(source: Source) -> object:
        found = looked(source)
        change(path)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(robrain, "_look", look_and_change)
        report, there = take(path, robrain.read, tmp_path / "brain")
    assert (report.counts[What.PASSED], report.failed, there) == (0, True, set())
    [told] = report.items
    assert told.why.endswith("in.jsonl changed while it was read")
    assert told.hint == "import it again"


def test_while_the_lines_are_taken_in(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "in.jsonl", LINES)
    read = robrain.read

    def read_and_change(source: Source) -> Iterator[Item]:
        for item in read(source):
            yield item
            if isinstance(item, Found) and item.memory.id == "a":
                append_to_it(path)

    report, there = take(path, read_and_change, tmp_path / "brain")
    assert there >= {"a", "b", "c"}
    assert report.failed
    assert [o.why for o in report.items] == [f"{path} changed while it was read"]


def test_an_archive_that_is_gone_before_its_journal_is_read(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    lines = [{"format": "plainbrain-archive/v1"}, {"memory": {"id": "a", "content": "x"}}, {"end": {"memories": 1}}]
    write_lines(path, lines)
    source = open_source(str(path))
    with brain_at("ram", tmp_path / "brain") as brain:
        outcomes = import_from(brain.context, source, FORMS["archive"])
        assert next(outcomes).what is What.ADDED
        empty_it(path)
        assert [(o.what, o.hint) for o in outcomes] == [(What.REFUSED, "import it again")]
