"""The demonstration: short, whole, and an error when a step goes wrong."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from plainbrain.faces.mcp.demo import DemoFailed, check

RUN = "from plainbrain.faces.cli.main import main; main()"


def test_it_shows_every_step_in_few_lines_and_leaves_nothing(environment: dict[str, str], root: Path) -> None:
    (root / "tmp").mkdir()
    command = [sys.executable, "-c", RUN, "demo"]
    done = subprocess.run(
        command,
        env=environment | {"TMPDIR": str(root / "tmp")},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) < 40
    assert lines[-1] == "Every step gave what it should."
    for step in ("1. Recall", "2. Encode", "3. It contradicts", "4. Supersede", "5. A person edits", "6. Recall again"):
        assert any(line.startswith(step) for line in lines), step
    assert list((root / "tmp").iterdir()) == []
    assert not (root / "cache").exists()


def test_a_step_that_goes_wrong_is_an_error() -> None:
    with pytest.raises(DemoFailed, match="the old note hidden"):
        check(False, "the old note hidden")
    check(True, "fine")
