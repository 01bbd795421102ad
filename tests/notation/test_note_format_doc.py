"""docs/format.md is the standard: its examples are read, and its tables are whole."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from plainbrain.model.memory import Memory
from plainbrain.notation.note import read_note, write_note
from plainbrain.notation.note.fields import SCHEMA

DOC = (Path(__file__).parents[2] / "docs" / "format.md").read_text(encoding="utf-8")


def examples() -> list[tuple[str, str, dict[str, Any]]]:
    """Return the path, the text and the fields of each example."""
    found = []
    for piece in DOC.split("\n```markdown\n")[1:]:
        before = DOC[: DOC.index("\n```markdown\n" + piece)]
        text, _, rest = piece.partition("\n```\n")
        fields = rest.partition("```json\n")[2].partition("\n```")[0]
        found.append((before.rstrip().rpartition("\n")[2].strip("`"), text + "\n", json.loads(fields)))
    return found


def shown(memory: Memory, field: str) -> object:
    value = getattr(memory, field)
    match field:
        case "confidence":
            return value.number
        case "created":
            return str(value)
        case "links":
            return [[link.to, link.rel] for link in value]
        case _:
            return list(value) if isinstance(value, tuple) else value


@pytest.mark.parametrize(("path", "text", "fields"), examples(), ids=[path for path, _, _ in examples()])
def test_examples_are_read_as_they_say(path: str, text: str, fields: dict[str, Any]) -> None:
    note = read_note(text, locator=path)
    expected = fields.pop("problems", [])
    assert [[problem.code, problem.line] for problem in note.problems] == expected
    assert {field: shown(note.memory, field) for field in fields} == fields


def test_there_are_examples_and_the_first_is_written_as_it_stands() -> None:
    assert len(examples()) == 6
    path, text, _ = examples()[0]
    assert write_note(read_note(text, locator=path).memory) == text


def test_the_table_of_keys_is_whole_and_in_order() -> None:
    rows = [line.split("|") for line in DOC.split("\n") if line.startswith("| `") and line.count("|") > 5]
    assert [(row[1].strip(" `"), row[2].strip(" `")) for row in rows] == [(k, f) for k, (f, _) in SCHEMA.items()]


def test_every_code_is_explained() -> None:
    source = Path(__file__).parents[2] / "src" / "plainbrain" / "notation" / "note"
    names = ("__init__.py", "fields.py", "frontmatter.py")
    code = "".join("".join((source / name).read_text(encoding="utf-8").split()) for name in names)
    codes = {piece.partition('"')[0] for opening in ('Fault("', '_Refused("') for piece in code.split(opening)[1:]}
    vault = source.parents[1] / "stores" / "vault"
    files = "".join((vault / name).read_text(encoding="utf-8") for name in ("reading.py", "scan.py", "shelf.py"))
    codes |= {piece.partition('"')[0] for piece in "".join(files.split()).split('Problem("')[1:]}
    assert codes >= {"duplicate-key", "merge-conflict", "field-form"}
    assert codes == {line.split("`")[1] for line in DOC.split("\n") if line.startswith("| `") and line.count("|") == 3}
