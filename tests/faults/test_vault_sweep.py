"""Every file-changing call of every kind of write goes wrong once, in seven ways: old or new, never mixed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
#: 1 tries every call in every way; the default thins out the ways that do not kill.
STEP = os.environ.get("BRAIN_SWEEP_STEP", "2")


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip("needs Linux and a C compiler")
    library = tmp_path_factory.mktemp("shim") / "faultshim.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-O2", "-o", library, HERE / "faultshim.c", "-ldl"], check=True)
    return library


def test_a_write_is_whole_or_not_at_all_wherever_it_breaks(shim: Path, quick_place: Path) -> None:
    environment = {**os.environ, "LD_PRELOAD": str(shim), "PYTHONPATH": str(HERE.parents[1] / "src")}
    done = subprocess.run(
        [sys.executable, HERE / "sweep_vault.py", shim, quick_place, STEP],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    print(found["runs"])
    assert found["violations"] == []
    assert found["fired"] == found["runs"], "every fault must have happened"
    assert found["runs"]["kill"] > 60
