"""The command line on a terminal: what it asks a person, and what it tells about the answers."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

BRAIN = [sys.executable, "-c", "from plainbrain.faces.cli.main import main; main()"]


def talk(words: list[str], typed: bytes, *, vault: Path) -> str:
    """Run a command with a terminal for its standard input, and return what it printed."""
    ours, theirs = pty.openpty()
    try:
        os.write(ours, typed)
        environment = {**os.environ, "BRAIN_DIR": str(vault)}
        done = subprocess.run(
            [*BRAIN, *words], env=environment, stdin=theirs, capture_output=True, text=True, check=True, timeout=60
        )
    finally:
        os.close(theirs)
        os.close(ours)
    return done.stdout + done.stderr


def test_a_question_mark_in_review_tells_what_each_letter_does(tmp_path: Path) -> None:
    (tmp_path / "ada.md").write_text("---\ntitle: Ada\ntrust: unreviewed\n---\n\nShe likes tea.\n")
    said = talk(["review"], b"?\na\n", vault=tmp_path)
    assert "a  approve: it is right as it is" in said
    assert "She likes tea." in said
    assert (
        "trust: reviewed" in (tmp_path / "ada.md").read_text() or "unreviewed" not in (tmp_path / "ada.md").read_text()
    )
