"""Whatever answers from the whole brain tells which notes it could not read."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from plainbrain.faces.cli.main import COMMANDS
from tests.cli.transcript import Step, perform

#: Commands that answer from the whole brain, as they are called here.
WHOLE = [
    "search limit", "search limit --json", "get limit", "list", "list --json", "list --cortices", "loop 'what is the limit?'",
    "conflicts 'the limit is 5'", "similar 'the limit is 5'", "veto 'limit it with Redis'", "veto 'limit it' --json",
    "explain src/limit.py", "review list", "review list --json", "reflect", "reflect --json", "consolidate", "consolidate --apply",
    "tags", "tags --json", "decay", "stats", "stats --json", "status", "export", "export --format interchange",
]  # fmt: skip
#: Commands that are about memories that are named, about what happened, or about no memory.
OTHERS = {
    "read", "init", "encode", "link", "supersede", "validate", "edit", "move", "invalidate", "forget", "outcome", "mcp", "add",
    "update", "touch", "correct", "success", "ingest", "log", "session", "undo", "compact", "model", "demo", "help", "completion",
}  # fmt: skip
#: Commands that tell so in ways of their own: what is passed over item by item, what is wrong, what a case lacks.
OWN_WAYS = {"import", "copy", "doctor", "eval", "hook"}


def test_every_command_is_told_here() -> None:
    called = {shlex.split(words)[0] for words in WHOLE}
    assert called | OTHERS | OWN_WAYS == set(COMMANDS)


@pytest.mark.parametrize("words", WHOLE)
def test_what_could_not_be_read_is_told_once(words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "brain"
    folder.mkdir()
    (folder / "fine.md").write_text("the limit of all\n")
    (folder / "latin.md").write_bytes(b"\xff limit\n")
    monkeypatch.setenv("BRAIN_DIR", str(folder))
    said = perform(Step(f"brain {words}", 1), folder=tmp_path)
    assert sum("latin.md:1: byte 0xff is no UTF-8" in line for line in said) == 1
    (folder / "latin.md").unlink()
    assert not any("latin.md" in line for line in perform(Step(f"brain {words}", 1), folder=tmp_path))
