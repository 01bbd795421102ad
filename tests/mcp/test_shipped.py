"""What the program brings along is there when it is installed: the example brain and the protocol."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from plainbrain.app.shipped import shipped_path
from plainbrain.errors import Unavailable

ROOT = Path(__file__).parents[2]


def test_a_wheel_brings_the_example_brain_and_the_protocol(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=120)
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        wheel.extractall(tmp_path / "installed")
    installed = tmp_path / "installed"
    for name in ("examples/brain", "templates/AGENTS.md"):
        assert (installed / "plainbrain" / "shipped" / name).exists()
    code = "from plainbrain.app.shipped import shipped_path; print(shipped_path('examples/brain'), shipped_path('templates/AGENTS.md'))"
    done = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": str(installed)}, capture_output=True, text=True, check=True
    )
    assert done.stdout.count(str(installed)) == 2
    notes = sorted(path.name for path in (installed / "plainbrain" / "shipped" / "examples").rglob("*.md"))
    assert notes == sorted(path.name for path in (ROOT / "examples" / "brain").rglob("*.md"))


def test_what_is_not_there_is_told() -> None:
    assert shipped_path("templates/AGENTS.md").is_file()
    with pytest.raises(Unavailable, match="no-such-thing"):
        shipped_path("no-such-thing")
