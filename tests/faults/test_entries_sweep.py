"""Every file-changing call of a write to memory.db and memory.json goes wrong once: old or new, never mixed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
#: 1 tries every call in every way; the default thins out the ways that do not kill, and SQLite's many calls.
STEPS = {"json": "9", "sqlite": "41"}


@pytest.mark.parametrize("kind", ["sqlite", "json"])
def test_a_write_is_whole_or_not_at_all_wherever_it_breaks(kind: str, tmp_path: Path, quick_place: Path) -> None:
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip("needs Linux and a C compiler")
    shim = tmp_path / "faultshim.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-O2", "-o", shim, HERE / "faultshim.c", "-ldl"], check=True)
    step = os.environ.get("BRAIN_SWEEP_STEP", STEPS[kind])
    environment = {**os.environ, "LD_PRELOAD": str(shim), "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
    done = subprocess.run(
        [sys.executable, HERE / "sweep_entries.py", shim, quick_place, step, kind],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    print(found["runs"])
    assert found["violations"] == []
    assert found["fired"] == found["runs"], "every fault must have happened"
    assert found["runs"]["kill"] > 40
