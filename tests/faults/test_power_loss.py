"""The power goes at every point of real commands: what was acknowledged is there, and nothing torn is taken for whole."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from plainbrain.files.batch import Write, commit
from plainbrain.files.beneath import Beneath
from plainbrain.model.change import Activity, Put
from plainbrain.model.instants import from_ms
from plainbrain.model.memory import Memory
from plainbrain.stores.jsonl.store import JsonlStore
from plainbrain.stores.sqlite import SqliteStore
from plainbrain.stores.vault import VaultStore
from tests.faults.power import Recording, read_disk, read_record

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
#: 1 looks at every state there is (minutes); the default draws some of each case. SQLite makes by far the most of them.
STEPS = {"vault": "140", "json": "110", "jsonl": "80", "sqlite": "400"}


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip("needs Linux and a C compiler")
    library = tmp_path_factory.mktemp("shim") / "faultshim.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-O2", "-o", library, HERE / "faultshim.c", "-ldl"], check=True)
    return library


def run_below(shim: Path, place: Path, *arguments: object) -> str:
    """Run Python with the shim loaded and its home in a place of its own; return what it printed."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("BRAIN_")},
        "LD_PRELOAD": str(shim),
        "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}",
        **{name: str(place / "home") for name in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")},
    }
    done = subprocess.run([sys.executable, *map(str, arguments)], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("kind", ["vault", "sqlite", "json", "jsonl"])
def test_nothing_acknowledged_is_lost_when_the_power_goes(kind: str, shim: Path, quick_place: Path) -> None:
    step = os.environ.get("BRAIN_SWEEP_STEP", STEPS[kind])
    found = json.loads(run_below(shim, quick_place, HERE / "sweep_power.py", shim, quick_place, step, kind))
    print(kind, found["states"], sum(found["states"].values()))
    assert found["violations"] == []
    assert all(found["states"].values()), "each case must have left something to look at"
    assert sum(found["states"].values()) > 60


# the sweep itself

#: A file replaced under the same name, with nothing synced, and with everything synced.
CARELESS = """
import ctypes, os, sys
shim, place = ctypes.CDLL(sys.argv[1]), sys.argv[2]
careful = sys.argv[3] == "careful"
shim.fault_record(os.fsencode(place + "/disk"), os.fsencode(place + "/record"))
with open(place + "/disk/new", "wb") as file:
    file.write(b"new" * 3000)
    file.flush()
    if careful:
        os.fsync(file.fileno())
os.rename(place + "/disk/new", place + "/disk/note")
if careful:
    folder = os.open(place + "/disk", os.O_RDONLY)
    os.fsync(folder)
os.write(1, b"done")
"""


@pytest.mark.parametrize("care", ["careless", "careful"])
def test_the_sweep_sees_what_a_careless_writer_loses(care: str, shim: Path, quick_place: Path) -> None:
    import random

    disk = quick_place / "disk"
    disk.mkdir()
    (disk / "note").write_bytes(b"old" * 3000)
    base = read_disk(disk)
    assert run_below(shim, quick_place, "-c", CARELESS, shim, quick_place, care) == "done"
    recording = Recording(disk, base, read_record(quick_place / "record"))
    [(told_at, _)] = recording.said
    seen = {False: set[bytes | None](), True: set[bytes | None]()}
    for until in range(recording.length + 1):
        for state in recording.states(until, most=1000, chance=random.Random(1)):
            seen[until > told_at].add(state.files[state.at(["note"])])
    if care == "careful":
        assert seen == {False: {b"old" * 3000, b"new" * 3000}, True: {b"new" * 3000}}
    else:
        assert {b"old" * 3000, b"", b"new" * 3000} < seen[True]
        assert any(b"\0" in (data or b"") and b"new" in (data or b"") for data in seen[True]), "a page is torn"


# what it found


def test_a_half_change_that_another_program_left_is_taken_back_before_reading(tmp_path: Path) -> None:
    path, killed = tmp_path / "memory.db", tmp_path / "killed"
    store = SqliteStore(path)
    store.apply([Put(Memory(f"m{n}", "whole " * 500)) for n in range(60)])
    store.close()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("PRAGMA journal_mode = DELETE")
    other.execute("PRAGMA cache_size = 2")
    other.execute("BEGIN IMMEDIATE")
    other.execute("UPDATE entries SET content = 'half ' || content")
    killed.mkdir()
    for name in ("memory.db", "memory.db-journal"):
        shutil.copy(tmp_path / name, killed / name)
    other.close()
    assert b"half whole" in (killed / "memory.db").read_bytes()
    found = SqliteStore(killed / "memory.db")
    assert {one.memory.content for one in found.get_many([f"m{n}" for n in range(60)]).values()} == {"whole " * 500}
    assert found.problems() == []
    found.close()


def test_a_log_without_its_live_file_shows_what_was_rolled_over(tmp_path: Path) -> None:
    store = JsonlStore(tmp_path / "m.jsonl")
    store.apply([Put(Memory("a", "text"))])
    store.close()
    (tmp_path / "m.jsonl").rename(tmp_path / "m.jsonl.5.0")
    again = JsonlStore(tmp_path / "m.jsonl")
    assert [id for id, _ in again.listing()] == ["a"]
    again.apply([Put(Memory("b", "text"))])
    assert [id for id, _ in again.listing()] == ["a", "b"]
    again.close()


@pytest.mark.parametrize("lost", [0, 1])
def test_of_a_batch_that_reached_the_disk_in_part_nothing_counts(lost: int, tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    store = JsonlStore(path)
    store.apply([Put(Memory("a", "old"))])
    begun = path.stat().st_size
    store.apply([Put(Memory(id, "new")) for id in "abc"])
    store.close()
    data = path.read_bytes()
    lines = data[begun:].splitlines(keepends=True)
    lines[lost] = b"\0" * (len(lines[lost]) - 1) + b"\n"
    path.write_bytes(data[:begun] + b"".join(lines))
    again = JsonlStore(path)
    assert {id: again.get(id).memory.content for id, _ in again.listing()} == {"a": "old"}
    assert {problem.code for problem in again.problems()} == {"unreadable", "unfinished"}
    again.close()


def test_a_torn_end_of_the_journal_is_told(tmp_path: Path) -> None:
    store = VaultStore(tmp_path)
    store.journal.append([Activity(from_ms(0), "add", "a", "whole")])
    [file] = (tmp_path / ".brain" / "journal").iterdir()
    with file.open("ab") as end:
        end.write(b'{"type":"activity","at":"2026')
    assert [(problem.code, problem.line) for problem in store.problems()] == [("torn", 2)]
    store.close()


def test_two_notes_that_failed_are_taken_back_with_both_of_their_names(tmp_path: Path) -> None:
    (tmp_path / "there").write_bytes(b"somebody's")
    steps = [Write(("new",), b"one"), Write(("there",), b"two")]
    with pytest.raises(Exception, match="there"):
        commit(Beneath(tmp_path), steps, home=(".brain",))
    assert sorted(path.name for path in tmp_path.iterdir()) == [".brain", "there"]
    assert (tmp_path / "there").read_bytes() == b"somebody's"
