"""One at a time, and nobody waits for a dead process."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from plainbrain.errors import Busy
from plainbrain.files.beneath import Beneath
from plainbrain.files.locks import FileLock

HOLDER = """
import sys
sys.path.insert(0, sys.argv[1])
from plainbrain.files.beneath import Beneath
from plainbrain.files.locks import FileLock
with FileLock(Beneath(sys.argv[2]), (".brain", "lock")).hold():
    print("held", flush=True)
    sys.stdin.read()
"""
SOURCE = str(Path(__file__).parents[2] / "src")


def test_names_who_holds_it_and_comes_free_when_that_process_is_killed(tmp_path: Path) -> None:
    lock = FileLock(Beneath(tmp_path), (".brain", "lock"), wait_seconds=0.05)
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, SOURCE, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(Busy, match=str(holder.pid)), lock.hold():
            pytest.fail("two held it")
        holder.kill()
    with lock.hold():
        pass


def test_tells_whether_another_held_it_since(tmp_path: Path) -> None:
    one, other = (FileLock(Beneath(tmp_path), (".brain", "lock")) for _ in range(2))
    with one.hold() as first, one.hold() as inner:
        assert inner == first
    with one.hold() as second:
        assert second == (first[0], first[1] + 1)
    with other.hold():
        pass
    with one.hold() as third:
        assert third != (second[0], second[1] + 1)


def test_a_lock_file_that_was_removed_is_made_anew(tmp_path: Path) -> None:
    one, other = (FileLock(Beneath(tmp_path), (".brain", "lock"), wait_seconds=0.05) for _ in range(2))
    with one.hold():
        pass
    (tmp_path / ".brain" / "lock").unlink()
    with other.hold(), pytest.raises(Busy), one.hold():
        pytest.fail("two held it")
    one.close()
    one.close()
    with one.hold():
        pass


def test_threads_take_turns(tmp_path: Path) -> None:
    lock = FileLock(Beneath(tmp_path), (".brain", "lock"))
    count = [0]

    def add() -> None:
        for _ in range(200):
            with lock.hold():
                seen = count[0]
                count[0] = seen + 1

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert count == [800]
