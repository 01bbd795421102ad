"""The life of the index: it keeps up, it is thrown away when in doubt, and the answers are the same."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from plainbrain.index.connection import Verdict, judge
from plainbrain.index.schema import VERSION
from plainbrain.index.sqlite import SqliteIndex
from plainbrain.model.change import Put, Remove, Use
from plainbrain.model.memory import Memory
from plainbrain.model.query import Query
from plainbrain.testing.builders import NOON
from tests.index.brains import Brain, assert_same

NOTES = [
    Memory(f"note-{n}", f"the gateway number {n} has port {8000 + n}", tags=("code.python",), links=())
    for n in range(60)
]
ASKED = Query("gateway port 8011")


def make(folder: Path) -> Brain:
    brain = Brain(folder, *NOTES)
    brain.index.catch_up(brain.store)
    return brain


def test_an_edit_a_removal_and_a_new_note_are_found_by_the_next_call(tmp_path: Path) -> None:
    brain = make(tmp_path)
    brain.put(replace(NOTES[0], content="it moved to 9443"))
    brain.store.apply([Remove("note-1"), Put(Memory("new", "something unmistakable"))])
    assert brain.ids("9443") == ["note-0"]
    assert brain.ids("8000") == brain.ids("8001") == []
    assert brain.ids("unmistakable") == ["new"]
    brain.store.apply([Put(NOTES[1])])
    assert brain.ids("8001") == ["note-1"]


def test_use_is_counted_without_a_new_text(tmp_path: Path) -> None:
    brain = make(tmp_path)
    brain.store.record([Use("note-3", NOON, accesses=2)])
    hits, _ = brain.search(Query("8003", profile="balanced"))
    assert hits[0][2].factors["freq"] == pytest.approx(2 / 12)
    assert brain.index.cards(["note-3"])["note-3"].usage.accesses == 2


def test_it_outlives_its_process(tmp_path: Path) -> None:
    brain = make(tmp_path)
    before = brain.search(ASKED)
    for _ in range(3):
        brain.index.close()
        brain = brain.again()
        assert brain.index.search(ASKED, now=NOON) == before, "answered from the file, without the store"
    assert [f.name for f in brain.files()] == [f"v{VERSION}-1.db"]
    assert brain.files()[0].stat().st_mode & 0o77 == 0


def test_a_closed_index_opens_again(tmp_path: Path) -> None:
    brain = make(tmp_path)
    brain.index.close()
    brain.index.close()
    assert brain.ids("8011")[0] == "note-11"


def _garbage(path: Path) -> None:
    path.write_bytes(b"this is no database" * 1000)


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _half(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def _zero_pages(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[8192 : 8192 + 4096 * 3] = bytes(4096 * 3)
    path.write_bytes(data)


def _other_version(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA user_version = 999")
    connection.close()


def _no_table(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DROP TABLE doc")
    connection.close()


def _wrong_columns(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("ALTER TABLE doc RENAME COLUMN live TO alive")
    connection.close()


def _edited_row(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE doc SET confidence = 0.1 WHERE id = 'note-11'")
    connection.close()


def _foreign_database(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE mine (a)")
    connection.close()


HARMS = [
    _garbage,
    _empty,
    _half,
    _zero_pages,
    _other_version,
    _no_table,
    _wrong_columns,
    _edited_row,
    _foreign_database,
]


@pytest.mark.parametrize("harm", HARMS)
def test_a_harmed_file_is_built_anew_with_the_same_answers(tmp_path: Path, harm: object) -> None:
    brain = make(tmp_path)
    before = brain.search(ASKED)
    brain.index.close()
    assert callable(harm)
    harm(brain.files()[0])
    brain = brain.again()
    assert brain.index.catch_up(brain.store) == ()
    assert_same(brain.index.search(ASKED, now=NOON), before)
    assert not brain.index.in_memory
    brain.index.close()
    assert len(brain.files()) == 1, "what was harmed is swept away"


@pytest.mark.parametrize("at", range(0, 100, 5))
def test_a_flipped_bit_never_changes_an_answer(tmp_path: Path, at: int) -> None:
    brain = make(tmp_path)
    before = brain.search(ASKED), brain.search(replace(ASKED, profile="balanced")), list(brain.index.find(Query("")))
    brain.index.close()
    path = brain.files()[0]
    data = bytearray(path.read_bytes())
    data[len(data) * at // 100 + 17] ^= 1 << (at % 8)
    path.write_bytes(data)
    brain = brain.again()
    assert_same(brain.search(ASKED), before[0])
    assert_same(brain.search(replace(ASKED, profile="balanced")), before[1])
    assert list(brain.index.find(Query(""))) == before[2]
    brain.index.close()


def test_deleted_under_a_live_process_the_next_call_works(tmp_path: Path) -> None:
    brain = make(tmp_path)
    before = brain.search(ASKED)
    for path in brain.folder.rglob("*"):
        if path.is_file():
            path.unlink()
    assert_same(brain.search(ASKED), before)
    shutil.rmtree(tmp_path)
    assert_same(brain.index.search(ASKED, now=NOON), before)
    assert brain.index.cards(["note-5"])["note-5"].tags == ("code.python",)
    assert_same(brain.search(ASKED), before)
    assert len(brain.files()) == 1


def test_harmed_under_a_live_process_the_next_call_works(tmp_path: Path) -> None:
    brain = make(tmp_path)
    before = brain.search(ASKED)
    with closing(sqlite3.connect(brain.files()[0])) as connection, connection:
        connection.execute("UPDATE text SET card = '{' WHERE doc < 30")
    connection.close()
    assert len(brain.index.cards([f"note-{n}" for n in range(60)])) == 60
    assert_same(brain.search(ASKED), before)
    brain.index.close()


def test_another_brain_in_the_same_folder_is_another_index(tmp_path: Path) -> None:
    one = make(tmp_path)
    other = SqliteIndex(tmp_path, "ram:another")
    assert other.search(ASKED, now=NOON) == ([], 0)
    assert one.ids("8011")[0] == "note-11"
    other.close()


def test_a_cache_that_cannot_be_made_is_answered_from_memory_and_said_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    brain = Brain(tmp_path / "file" / "cache", *NOTES)
    [problem] = brain.index.catch_up(brain.store)
    assert problem.code == "index-in-memory"
    assert brain.index.catch_up(brain.store) == ()
    assert_same(brain.search(ASKED), brain.scan(ASKED))
    assert brain.index.in_memory


def test_without_a_folder_it_lives_in_memory_and_nobody_is_told(tmp_path: Path) -> None:
    brain = Brain(tmp_path, *NOTES)
    brain.index = SqliteIndex(None, brain.store.url)
    assert brain.index.catch_up(brain.store) == ()
    assert brain.index.in_memory
    assert_same(brain.search(ASKED), brain.scan(ASKED))
    assert brain.files() == []


def test_a_full_disk_is_answered_from_memory(tmp_path: Path) -> None:
    if not Path("/dev/full").exists() or sys.platform != "linux":
        pytest.skip("needs a way to limit the size of files")
    code = (
        "import resource, signal, sys; from pathlib import Path\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))\n"
        "from tests.index.test_life import *\n"
        "brain = Brain(Path(sys.argv[1]), *NOTES)\n"
        "print([p.code for p in brain.index.catch_up(brain.store)], brain.ids('8011')[0])\n"
    )
    assert _python(code, str(tmp_path)) == "['index-in-memory'] note-11"


def _python(code: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, env=_environment(), check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def _environment() -> dict[str, str]:
    root = Path(__file__).parents[2]
    return {**os.environ, "PYTHONPATH": f"{root / 'src'}{os.pathsep}{root}"}


def test_a_lock_held_elsewhere_is_no_damage() -> None:
    def error(code: int) -> sqlite3.OperationalError:
        made = sqlite3.OperationalError("made up")
        made.sqlite_errorcode = code
        return made

    assert judge(error(sqlite3.SQLITE_BUSY)) is judge(error(sqlite3.SQLITE_BUSY_SNAPSHOT)) is Verdict.BUSY
    for code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR):
        assert judge(error(code)) is Verdict.UNUSABLE
    assert judge(error(sqlite3.SQLITE_CORRUPT)) is judge(error(sqlite3.SQLITE_NOTADB)) is Verdict.DAMAGED


def test_while_another_process_writes_the_last_state_is_answered_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plainbrain.index.connection.PATIENCE", 0.05)
    brain = make(tmp_path)
    holder = sqlite3.connect(brain.files()[0], isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    other = brain.again()
    brain.put(Memory("new", "something unmistakable"))
    assert [p.code for p in other.index.catch_up(brain.store)] == ["index-busy"]
    assert other.index.search(ASKED, now=NOON)[0][0][0] == "note-11"
    holder.execute("ROLLBACK")
    holder.close()
    assert other.index.catch_up(brain.store) == ()
    assert other.ids("unmistakable") == ["new"]
    assert [f.name for f in brain.files()] == [f"v{VERSION}-1.db"]


def test_many_openings_of_an_empty_brain_build_one_index(tmp_path: Path) -> None:
    brain = Brain(tmp_path, *NOTES)
    brains = [brain.again() for _ in range(8)]
    found: list[list[str]] = []
    threads = [threading.Thread(target=lambda b=b: found.append(b.ids("8011"))) for b in brains]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert all(ids == found[0] and ids[0] == "note-11" for ids in found)
    assert [f.name for f in brain.files()] == [f"v{VERSION}-1.db"]
    for b in brains:
        b.index.close()


def test_what_is_written_while_others_catch_up_is_indexed(tmp_path: Path) -> None:
    brain = Brain(tmp_path, *NOTES)
    brains = [brain.again() for _ in range(3)]
    written = threading.Event()

    def write() -> None:
        for n in range(200):
            brain.put(Memory(f"late-{n}", f"late word{n}x"))
            if n % 3 == 0:
                brain.store.apply([Remove(f"late-{n}")])
        written.set()

    def follow(one: Brain) -> None:
        while not written.is_set():
            one.index.catch_up(one.store)

    threads = [threading.Thread(target=write), *(threading.Thread(target=follow, args=(b,)) for b in brains)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wanted = {id for id, _ in brain.store.listing()}
    for one in brains:
        assert one.index.catch_up(brain.store) == ()
        assert {m.id for m in one.index.find(Query(""))} == wanted
        assert_same(one.search(Query("late word7x", k=50)), brain.scan(Query("late word7x", k=50)))
        one.index.close()
    assert [f.name for f in brain.files()] == [f"v{VERSION}-1.db"]


def test_a_killed_process_leaves_a_whole_index(tmp_path: Path) -> None:
    code = (
        "import os, signal, sys; from pathlib import Path\n"
        "from tests.index.test_life import *\n"
        "brain = make(Path(sys.argv[1])); print('made', flush=True); os.kill(os.getpid(), getattr(signal, 'SIGKILL', signal.SIGTERM))\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], env=_environment(), check=False)
    assert done.returncode != 0
    brain = Brain(tmp_path, *NOTES)
    assert brain.index.search(ASKED, now=NOON)[0][0][0] == "note-11", "answered from what the killed one left"
    assert_same(brain.search(ASKED), brain.scan(ASKED))
    brain.index.close()


def test_half_a_character_is_a_problem_and_stops_nothing(tmp_path: Path) -> None:
    brain = Brain(tmp_path, Memory("good", "the gateway"))
    brain.store.apply([Put(Memory("bad\ud800", "the gateway too")), Put(Memory("better", "x", title="\udfff gateway"))])
    problems = brain.index.catch_up(brain.store)
    assert [p.code for p in problems] == ["unindexable", "unindexable"]
    assert brain.ids("gateway") == ["good"]


def test_listing_goes_by_age_then_as_the_store_has_it(tmp_path: Path) -> None:
    brain = Brain(tmp_path, *(Memory(id, "x", created=NOON) for id in ("c", "a", "b")), Memory("z", "undated"))
    brain.index.catch_up(brain.store)
    assert [m.id for m in brain.index.find(Query(""))] == ["z", "c", "a", "b"]
    brain.put(Memory("a", "changed", created=NOON))
    brain.index.catch_up(brain.store)
    assert [m.id for m in brain.index.find(Query(""))] == ["z", "c", "a", "b"]
