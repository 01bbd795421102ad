"""Processes that write to one store at once, die in the middle, or find the disk full; and what must hold then."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from plainbrain.model.change import Put
from plainbrain.model.memory import Memory
from plainbrain.ports import Mark, Store

ROOT = Path(__file__).resolve().parents[2]
#: Kills of each store; set FAULT_ROUNDS for a long run.
ROUNDS = int(os.environ.get("FAULT_ROUNDS", "6"))
_WORKER = """
import sys
from plainbrain.errors import Busy
from plainbrain.model.change import ABSENT, Activity, Put, Use
from plainbrain.model.memory import Memory
from plainbrain.stores.json import JsonStore
from plainbrain.stores.sqlite import SqliteStore
from plainbrain.testing.builders import NOON
kind, path, job, me, count = *sys.argv[1:5], int(sys.argv[5])
store = {"sqlite": SqliteStore, "json": JsonStore}[kind](path)
print("ready", flush=True)
sys.stdin.readline()
def bump(values):
    return {**values, "session_counter": str(int(values.get("session_counter", "0")) + 1)}
def add(number):
    store.apply([Put(Memory(f"{me}-{number}", f"text {number} " * 20, title="a title", tags=("x",)), ABSENT)])
def count_up(number):
    patiently(lambda _: store.journal.update(bump), number)
    patiently(lambda _: store.record([Use("shared", NOON, accesses=1)]), number)
def fill(number):
    store.apply([Put(Memory(f"{me}-{number}", "x" * 5000))])
if job == "fill":
    import resource
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))
def patiently(work, number):
    # On a machine with other work the queue may be longer than one wait; the error says to try again.
    for _ in range(5):
        try:
            return work(number)
        except Busy:
            pass
    return work(number)
for number in range(count):
    try:
        {"add": lambda n: patiently(add, n), "count": count_up, "fill": lambda n: patiently(fill, n)}[job](number)
    except Exception as error:
        print(type(error).__name__, flush=True)
        break
    print(f"{me}-{number}", flush=True)
store.close()
"""


class Worker:
    """One process that does a job on the store as soon as it is let go."""

    def __init__(self, kind: str, path: Path, job: str, *, me: str, count: int) -> None:
        environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
        self._process = subprocess.Popen(
            [sys.executable, "-c", _WORKER, kind, str(path), job, me, str(count)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        assert self._process.stdout is not None
        self._out = self._process.stdout
        assert self._out.readline() == "ready\n"

    def go(self) -> None:
        """Let it begin."""
        assert self._process.stdin is not None
        self._process.stdin.write("go\n")
        self._process.stdin.flush()

    def acknowledged(self, count: int) -> list[str]:
        """Return what it said next, at most ``count`` lines."""
        return [line.strip() for _ in range(count) if (line := self._out.readline())]

    def end(self) -> list[str]:
        """Wait for it; return the rest of what it said."""
        rest = [line.strip() for line in self._out]
        assert self._process.wait(60) == 0
        self._shut()
        return rest

    def kill(self) -> list[str]:
        """Kill it as ``kill -9`` does; return the rest of what it had said."""
        self._process.kill()
        rest = [line.strip() for line in self._out]
        self._process.wait(60)
        self._shut()
        return rest

    def _shut(self) -> None:
        assert self._process.stdin is not None
        self._out.close()
        self._process.stdin.close()


@contextmanager
def unprivileged() -> Iterator[Path]:
    """Give a folder, and be a user whom its modes bind (root is bound by none) while inside ``bound``."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        yield Path(name)


@contextmanager
def bound(folder: Path) -> Iterator[None]:
    """Be a user who may read the folder and its files and write neither."""
    for found in folder.iterdir():
        found.chmod(0o444)
    folder.chmod(0o555)
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        folder.chmod(0o755)
        for found in folder.iterdir():
            found.chmod(0o644)


class CrowdContract:
    """Hold a store to its promises with many processes."""

    kind = ""

    def open_store(self, path: Path) -> Store:
        """Open the store in the file ``path``."""
        raise NotImplementedError

    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        """Give the place of a store that is not there yet."""
        return tmp_path / f"memory.{'db' if self.kind == 'sqlite' else 'json'}"

    def workers(self, path: Path, job: str, *, count: int, processes: int = 8) -> list[Worker]:
        """Start processes that are ready to begin at once."""
        return [Worker(self.kind, path, job, me=f"p{n}", count=count) for n in range(processes)]

    def test_eight_processes_open_a_fresh_store_and_add_a_hundred_each(self, path: Path) -> None:
        crowd = self.workers(path, "add", count=100)
        for worker in crowd:
            worker.go()
        said = [line for worker in crowd for line in worker.end()]
        assert len(said) == 800
        store = self.open_store(path)
        assert {id for id, _ in store.listing()} == set(said)
        assert store.problems() == []
        assert len([*store.changes_since(Mark()).stored]) == 800
        store.close()

    def test_eight_processes_count_without_losing_one(self, path: Path) -> None:
        store = self.open_store(path)
        store.apply([Put(Memory("shared", "x"))])
        crowd = self.workers(path, "count", count=10)
        for worker in crowd:
            worker.go()
        for worker in crowd:
            assert len(worker.end()) == 10
        assert store.journal.values()["session_counter"] == "80"
        assert store.get("shared").memory.usage.accesses == 80
        store.close()

    def test_what_was_acknowledged_before_a_kill_is_there(self, path: Path) -> None:
        acknowledged: set[str] = set()
        for number in range(ROUNDS):
            crowd = [Worker(self.kind, path, "add", me=f"r{number}p{n}", count=1000) for n in range(2)]
            for worker in crowd:
                worker.go()
            acknowledged |= {id for worker in crowd for id in worker.acknowledged(1 + number % 5)}
            acknowledged |= {id for worker in crowd for id in worker.kill()}
            store = self.open_store(path)
            there = {id for id, _ in store.listing()}
            assert acknowledged <= there
            assert store.problems() == []
            store.apply([Put(Memory(f"after-{number}", "x"))])
            store.close()
            assert len(there) <= len(acknowledged) + number + 2 * (number + 1)

    def test_a_full_disk_loses_nothing(self, path: Path) -> None:
        [worker] = self.workers(path, "fill", count=1000, processes=1)
        worker.go()
        *acknowledged, error = worker.end()
        assert len(acknowledged) > 5
        assert error in {"NoRoom", "StoreError"}
        store = self.open_store(path)
        assert {id for id, _ in store.listing()} == set(acknowledged)
        store.apply([Put(Memory("after", "x"))])
        assert store.problems() == []
        store.close()

    def test_a_read_only_folder_is_read(self) -> None:
        with unprivileged() as folder:
            path = folder / f"memory.{'db' if self.kind == 'sqlite' else 'json'}"
            store = self.open_store(path)
            store.apply([Put(Memory("a", "one"))])
            store.close()
            store = self.open_store(path)
            with bound(folder):
                assert store.get("a").memory.content == "one"
                assert len([*store.listing()]) == 1
                assert len([*store.changes_since(Mark()).stored]) == 1
                assert store.journal.read() == []
                self.check_refuses(store)
            store.apply([Put(Memory("b", "two"))])
            assert len([*store.listing()]) == 2
            store.close()

    def check_refuses(self, store: Store) -> None:
        """See that no write says that it was done."""
        raise NotImplementedError
