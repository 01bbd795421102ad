"""The documents are true: examples run, pages made from the code are up to date, links lead somewhere."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest
from docs.make import PAGES

from plainbrain.app.clocks import SystemClock
from plainbrain.faces.cli.main import COMMANDS

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])


@pytest.mark.parametrize("name", ["api.md"])
def test_examples_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"^```python\n(.*?)^```", text, re.M | re.S))
    exec(compile(code, name, "exec"), {"__name__": name})  # noqa: S102
    assert SystemClock().now().ms


@pytest.mark.parametrize("name", PAGES)
def test_pages_made_from_the_code_are_up_to_date(name: str) -> None:
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == PAGES[name](), "run: make docs"


def test_every_command_is_documented() -> None:
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"### brain {name}\n" not in page] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    targets = re.findall(r"\]\((?!https?://|#|mailto:)([^)#\s]+)", document.read_text(encoding="utf-8"))
    assert [target for target in targets if not (document.parent / target).exists()] == []


def test_every_command_that_changes_memories_can_be_rehearsed() -> None:
    reads = "search read list cortices status veto explain get conflicts similar reflect tags stats log export mcp eval demo help completion"
    apart = {"init", "compact", "model"}  # they make a place, rewrite a log as it stands, and fetch a model
    without = set()
    for name, (module, _) in COMMANDS.items():
        found = getattr(import_module(f"plainbrain.faces.cli.{module}"), f"{name}_command")
        if not any(parameter.name == "dry_run" for parameter in found.params):
            without.add(name)
    assert without - set(reads.split()) == apart
