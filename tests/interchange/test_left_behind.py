"""What an import or a copy does not look into is said."""

from __future__ import annotations

from pathlib import Path

from plainbrain.app.copies import copy_brain
from plainbrain.app.intake import Outcome, What, collect
from plainbrain.model.change import Put
from plainbrain.model.memory import Memory
from tests.interchange.brains import brain_at, bring_in, memories_of
from tests.interchange.test_tools import write

FILES = {
    "AGENTS.md": "Be brief.\n",
    ".cursor/rules/style.mdc": "---\ndescription: how we write\nglobs: '*.py'\nalwaysApply: true\n---\nUse tabs.\n",
    ".cursor/rules/more/names.mdc": "Use nouns.\n",
    ".cursorrules": "Use tabs.\n",
    ".env": "x\n",
    ".git/x.md": "no\n",
    "board.canvas": "{}\n",
    "sub/pic.png": "x\n",
}


def told(items: list[Outcome], what: What) -> list[tuple[str, str]]:
    return [(item.where, item.why) for item in items if item.what is what]


def test_hidden_notes_and_other_files_are_named(tmp_path: Path) -> None:
    folder = write(tmp_path / "project", FILES)
    with brain_at("vault", tmp_path / "brain") as brain:
        report = bring_in(brain, folder)
        assert report.counts == {What.ADDED: 1, What.NOTED: 2, What.PASSED: 1}
        assert told(report.items, What.NOTED) == [
            (".cursor/", "it is hidden: 2 in it did not come over"),
            (".cursorrules", "it is hidden: 1 in it did not come over"),
        ]
        assert told(report.items, What.PASSED) == [("project", "files that are no notes: 2, such as board.canvas")]
        assert not report.failed
        assert bring_in(brain, folder / ".cursor" / "rules").counts == {What.ADDED: 2}
        style = memories_of(brain)["style"]
        assert (style.content, style.description, style.extra["globs"]) == ("Use tabs.", "how we write", "*.py")
        assert bring_in(brain, folder / ".cursor" / "rules" / "style.mdc").counts == {What.THERE: 1}


def test_a_copy_says_how_many_files_stay_behind(tmp_path: Path) -> None:
    with brain_at("vault", tmp_path / "a") as source, brain_at("vault", tmp_path / "b") as target:
        source.store.apply([Put(Memory("x", "one"))])
        write(tmp_path / "a" / "brain", {"pic.png": "x", ".obsidian/app.json": "{}", ".git/HEAD": "x"})
        report = collect("copy", copy_brain(source.store, target.context), lambda _: None)
        assert report.counts == {What.ADDED: 1, What.NOTED: 1}
        assert report.items[0].why.startswith("files that are no notes: 2, such as .obsidian/app.json")
