"""Forms without titles: what the title says goes out in the text, comes in as that, and goes out equal again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from plainbrain.app.brain import Brain
from plainbrain.app.exports import export_extended, export_graph, export_interchange, export_log
from plainbrain.app.intake import What
from plainbrain.app.transfer import dump
from plainbrain.model.change import Put
from plainbrain.model.memory import Memory
from tests.interchange.brains import KINDS, brain_at, bring_in, memories_of

GIVEN = (
    Memory("moved", "moved", title="Staging on 9443"),
    Memory("long", "One line.\n\n- and\n- another", title="The build is slow"),
    Memory("only", title="Nothing but a title"),
    Memory("said", "We use pnpm everywhere.\n", title="Use pnpm"),
    Memory("its-own", "Use pnpm. It is quick.", title="Use pnpm"),
)
WANTED = {
    "moved": "Staging on 9443: moved",
    "long": "The build is slow\n\nOne line.\n\n- and\n- another",
    "only": "Nothing but a title",
    "said": "We use pnpm everywhere.\n",
    "its-own": "Use pnpm. It is quick.",
}
WRITERS = {"interchange": export_interchange, "extended": export_extended, "json": dump, "jsonl": export_log}


def filled(place: Path) -> Brain:
    brain = brain_at("ram", place)
    brain.store.apply([Put(memory) for memory in GIVEN])
    return brain


def told(form: str, text: str) -> Iterator[tuple[str, str]]:
    """Yield id and text of every memory, as a tool reads it that knows no titles."""
    if form == "json":
        yield from ((entry["id"], entry["content"]) for entry in json.loads(text)["entries"])
        return
    for line in map(json.loads, text.splitlines()):
        if form == "jsonl" and line["type"] == "memory":
            yield line["memory"]["id"], line["memory"]["content"]
        elif form != "jsonl":
            yield line["id"], line["decision"]


def apart(brain: Brain) -> dict[str, tuple[str, str]]:
    return {id: (memory.title, memory.content) for id, memory in memories_of(brain).items()}


@pytest.mark.parametrize("form", WRITERS)
@pytest.mark.parametrize("kind", KINDS)
def test_the_title_goes_out_and_everything_stays_equal_from_there(kind: str, form: str, tmp_path: Path) -> None:
    path = tmp_path / "out"
    with filled(tmp_path / "a") as first, brain_at(kind, tmp_path / "b") as second:
        path.write_text("".join(WRITERS[form](first.context)), encoding="utf-8")
        given = path.read_text(encoding="utf-8")
        assert dict(told(form, given)) == WANTED
        assert bring_in(first, path).counts == {What.THERE: 5}
        assert bring_in(second, path).counts == {What.ADDED: 5}
        assert bring_in(second, path).counts == {What.THERE: 5}
        assert dict(told(form, "".join(WRITERS[form](second.context)))) == WANTED
        if form == "interchange":
            assert "".join(export_interchange(second.context)) == given
        if form in ("extended", "jsonl"):
            assert apart(second) == {m.id: (m.title, m.content) for m in GIVEN}
        assert bring_in(first, path).counts == {What.THERE: 5}


def test_a_plain_file_does_not_undo_what_an_extended_one_brought(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    with filled(tmp_path / "a") as first, brain_at("vault", tmp_path / "b") as second:
        path.write_text("".join(export_extended(first.context)), encoding="utf-8")
        bring_in(second, path)
        path.write_text("".join(export_interchange(first.context)), encoding="utf-8")
        bring_in(second, path)
        assert apart(second) == {m.id: (m.title, m.content) for m in GIVEN}


def test_an_entity_whose_title_is_taken_says_it(tmp_path: Path) -> None:
    with filled(tmp_path / "a") as brain:
        lines = {line["name"]: line["observations"] for line in map(json.loads, export_graph(brain.context))}
    assert lines["Staging on 9443"] == ["moved"]
    assert [lines[name] for name in ("Use pnpm", "its-own")] == [[WANTED["said"]], [WANTED["its-own"]]]
