"""Many processes, killed processes, people who edit meanwhile: nothing acknowledged is lost."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from plainbrain.errors import Changed
from plainbrain.model.change import ABSENT, Put
from plainbrain.model.memory import Memory
from plainbrain.ports import Mark
from plainbrain.stores.vault import VaultStore, create_vault

KILLS = int(os.environ.get("BRAIN_KILLS", "60"))
PROCESSES, NOTES = 8, int(os.environ.get("BRAIN_CROWD_NOTES", "100"))
SOURCE = str(Path(__file__).parents[2] / "src")
PREFIX = f"""
import os, sys
sys.path.insert(0, {SOURCE!r})
from dataclasses import replace
from pathlib import Path
from plainbrain.errors import Changed
from plainbrain.model.change import ABSENT, Put
from plainbrain.model.memory import Memory
from plainbrain.stores.vault import VaultStore
store = VaultStore(Path(sys.argv[1]))
"""


@pytest.fixture
def root(quick_place: Path) -> Path:
    create_vault(quick_place / "brain")
    return quick_place / "brain"


def start(root: Path, code: str, *arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", PREFIX + code, str(root), *arguments])


def finish(running: list[subprocess.Popen[bytes]]) -> list[int]:
    return [process.wait() for process in running]


def strays(root: Path) -> list[str]:
    return [path.name for path in root.rglob("*") if path.name.endswith(".brain-tmp") or path.name == "intent"]


ENCODE = """
who, count = sys.argv[2], int(sys.argv[3])
for n in range(count):
    store.apply([Put(Memory(f"{who}-{n}", f"text {n} of {who}", cortex=f"c{n % 3}"), ABSENT)])
"""


def test_eight_processes_write_a_hundred_notes_each(root: Path) -> None:
    running = [start(root, ENCODE, f"p{n}", str(NOTES)) for n in range(PROCESSES)]
    reader, mark = VaultStore(root), Mark()
    seen: set[str] = set()
    while any(process.poll() is None for process in running):
        changes = reader.changes_since(mark)
        mark = Mark(changes.token)
        seen |= {one.memory.id for one in changes.stored}
        assert changes.gone == ()
    assert finish(running) == [0] * PROCESSES
    seen |= {one.memory.id for one in reader.changes_since(mark).stored}
    assert len(seen) == PROCESSES * NOTES
    found = {one.memory.id: one.memory.content for one in VaultStore(root).changes_since(Mark()).stored}
    assert found == {f"p{p}-{n}": f"text {n} of p{p}" for p in range(PROCESSES) for n in range(NOTES)}
    assert reader.problems() == []
    assert strays(root) == []


ADD_LINE = """
who, count = sys.argv[2], int(sys.argv[3])
for n in range(count):
    while True:
        found = store.get("shared")
        try:
            store.apply([Put(replace(found.memory, content=found.memory.content + f"\\n{who}-{n}"), found.revision)])
            break
        except Changed:
            pass
"""


def test_processes_that_change_one_note_lose_no_change(root: Path) -> None:
    VaultStore(root).apply([Put(Memory("shared", "start"))])
    running = [start(root, ADD_LINE, f"p{n}", "25") for n in range(4)]
    assert finish(running) == [0] * 4
    lines = VaultStore(root).get("shared").memory.content.split()
    assert sorted(lines) == sorted(["start", *(f"p{p}-{n}" for p in range(4) for n in range(25))])


def test_eight_processes_open_an_empty_vault_at_once(root: Path) -> None:
    running = [start(root, ENCODE, f"p{n}", "1") for n in range(8)]
    assert finish(running) == [0] * 8
    assert len(list(VaultStore(root).listing())) == 8


def write_on(root: Path, n: int, acknowledge: int) -> None:
    """Write for ever: by turns two notes at once and a new one; say the number of each that is acknowledged."""
    store = VaultStore(root)
    while True:
        n += 1
        both = [Put(Memory("a", f"v{n} " + "x" * 50_000 + f" v{n}")), Put(Memory("b", f"v{n}"))]
        store.apply(both if n % 2 else [Put(Memory(f"n{n}", f"v{n}"), ABSENT)])
        os.write(acknowledge, f"{n}\n".encode())


def kill_after(root: Path, last: int, count: int) -> list[int]:
    """Kill a writer some time after its ``count``-th word; return what it acknowledged."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            write_on(root, last, writer)
        finally:
            os._exit(1)
    os.close(writer)
    with open(reader, "rb") as pipe:
        said = [int(pipe.readline()) for _ in range(count)]
        os.kill(child, signal.SIGKILL)
        said += [int(line) for line in pipe.read().split(b"\n")[:-1]]
    os.waitpid(child, 0)
    return said


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_killed_writer_leaves_everything_whole(root: Path) -> None:
    dice, last, total = random.Random(1), 0, 0
    VaultStore(root).apply([Put(Memory("a", "v0  v0")), Put(Memory("b", "v0"))])
    for _ in range(KILLS):
        acknowledged = kill_after(root, last, dice.randrange(1, 8))
        total += len(acknowledged)
        store = VaultStore(root)
        found = store.get_many([id for id, _ in store.listing()])
        assert strays(root) == []
        first, second = (found[id].memory.content for id in "ab")
        version = first.split()[0]
        assert (first.split()[-1], second) == (version, version), "both or neither, and whole"
        assert int(version[1:]) >= max((n for n in acknowledged if n % 2), default=0)
        for n in acknowledged:
            assert n % 2 or found[f"n{n}"].memory.content == f"v{n}"
        assert store.problems() == []
        last = max([*acknowledged, int(version[1:]), *(int(id[1:]) for id in found if id.startswith("n"))])
    print(f"{KILLS} kills, {total} acknowledged writes")


def test_a_line_added_by_hand_while_we_write_is_never_lost(root: Path) -> None:
    """The hand saves as editors do, by renaming; a tool that read the note before must not win over it."""
    store = VaultStore(root)
    store.apply([Put(Memory("a", "start\n")), *(Put(Memory(f"o{n}", "x")) for n in range(5))])
    code = (
        "import os, sys\n"
        "for n in range(int(sys.argv[2])):\n"
        "    text = open(sys.argv[1], 'rb').read() + b'hand %d\\n' % n\n"
        "    open(sys.argv[1] + '.swp', 'wb').write(text)\n"
        "    os.replace(sys.argv[1] + '.swp', sys.argv[1])\n"
        "    print(n, flush=True); sys.stdin.readline()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-I", "-c", code, str(root / "a.md"), "60"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as hand:
        assert hand.stdin is not None
        assert hand.stdout is not None
        for n in range(60):
            assert hand.stdout.readline() == f"{n}\n".encode()
            found = store.get("a")  # what was read before the next edit by hand …
            hand.stdin.write(b"\n")
            hand.stdin.flush()
            with suppress(Changed):  # … is written back while that edit happens
                store.apply([Put(Memory("a", found.memory.content + f"\ntool {n}\n"), found.revision)])
            store.apply([Put(Memory(f"o{n % 5}", f"x {n}"))])
    text = store.get("a").memory.content
    assert [line for line in text.split("\n") if line.startswith("hand")] == [f"hand {n}" for n in range(60)]
