"""How the command line ends: at once, but with everything written, said and closed."""

from __future__ import annotations

import subprocess
import sys

import pytest

_LEAVE = "from plainbrain.faces.cli.main import leave\n"


def run(script: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", _LEAVE + script], input=stdin, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("status", [0, 3, 130])
def test_what_waits_in_a_buffer_is_printed_and_the_status_is_kept(status: int) -> None:
    done = run(f"import sys; sys.stdout.write('x' * 100_000); sys.stderr.write('told'); leave({status})")
    assert (done.returncode, len(done.stdout), done.stderr) == (status, 100_000, "told")


def test_what_was_to_be_done_at_the_end_is_done() -> None:
    done = run("import atexit, weakref\nclass A: pass\na = A(); weakref.finalize(a, print, 'closed'); leave(0)")
    assert (done.returncode, done.stdout) == (0, "closed\n")


def test_a_thread_that_is_at_work_is_waited_for() -> None:
    script = "import sys, threading\nthreading.Thread(target=lambda: print(sys.stdin.read())).start(); leave(4)"
    done = run(script, "its last words")
    assert (done.returncode, done.stdout) == (4, "its last words\n")


def test_who_profiles_the_process_gets_to_see_its_end() -> None:
    script = "import sys\nsys.setprofile(lambda *_: None)\ntry:\n    leave(5)\nfinally:\n    print('still here')"
    assert (run(script).returncode, run(script).stdout) == (5, "still here\n")
