"""Run with the shim loaded: record what commands do to the disk, take the power away at every point, and check.

Called as ``python sweep_power.py SHIM PLACE STEP KIND``; STEP thins out the states (1: all). Prints one JSON object: how many
distinct ``states`` of each case were looked at, and the ``violations``.
"""

from __future__ import annotations

import ctypes
import hashlib
import itertools
import json
import os
import random
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from plainbrain.app.wiring import open_history
from plainbrain.errors import BrainError, NoBrain
from plainbrain.model.change import Activity, Put
from plainbrain.model.instants import from_ms
from plainbrain.model.memory import Memory
from plainbrain.ports import Store
from plainbrain.stores.jsonl.store import JsonlStore
from tests.faults.power import Disk, Recording, read_disk, read_record
from tests.faults.power_cases import Case, State, cases, open_store, state_at, state_of

#: How many states of one moment are looked at when nothing is thinned out: where there are more, the telling ones and a
#: draw. SQLite makes many small writes, so it has by far the most moments.
MOST = {"vault": 256, "json": 256, "jsonl": 256, "sqlite": 32}
#: With a step above this, the power goes only at some moments: so many of ``step``.
THIN = 8
LONG_AGO = time.time() - 3600


class Stage:
    """The folders of one case: the disk that is recorded, and the record."""

    def __init__(self, shim: ctypes.CDLL, place: Path, case: Case) -> None:
        self.shim, self.case = shim, case
        self.disk, self.record = place / "disk", place / "record"
        clear(self.disk)
        if case.base is not None:
            self.in_child(lambda: case.base(self.where) if case.base else None)
        self.base = read_disk(self.disk)

    @property
    def where(self) -> Path:
        return self.case.place(self.disk)

    def in_child(self, work: Callable[[], object]) -> int:
        """Do something in a process of its own; return how it ended."""
        child = os.fork()
        if child == 0:
            talk, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 1)
            os.dup2(nowhere, 2)
            try:
                work()
            except BaseException as error:  # told to the person who runs this
                os.write(talk, f"{self.case.name}: {error!r}\n".encode())
                os._exit(1)
            os._exit(0)
        return os.waitpid(child, 0)[1]

    def do(self, number: int, *, kill_at: int = 0) -> bool:
        """Record a deed, killed at one of its calls if that is wanted; tell whether it came to its end."""

        def work() -> None:
            self.shim.fault_record(os.fsencode(self.disk), os.fsencode(self.record))
            if kill_at:
                self.shim.fault_arm(os.fsencode(self.disk), b"kill", kill_at)
            self.case.deeds[number](self.where)
            os.write(1, b"done")

        ended = self.in_child(work)
        assert ended == 0 or (kill_at and os.WIFSIGNALED(ended)), (self.case.name, number, ended)
        return ended == 0

    def recordings(self, step: int) -> Iterator[tuple[Recording, list[int]]]:
        """Yield recordings, and at which operation each deed of theirs began and the last one ended."""
        if not self.case.kill:
            starts = [0]
            for number in range(len(self.case.deeds)):
                assert self.do(number)
                starts.append(len(read_record(self.record)))
            yield self.recorded(), starts
            return
        stride = (5 if step == 1 else 97) if self.case.kind == "sqlite" else 1 if step == 1 else 17
        for kill_at in itertools.count(1, stride):
            self.reset()
            if self.do(0, kill_at=kill_at):
                return
            begun = len(read_record(self.record)) if self.record.exists() else 0
            self.do(1)
            recording = self.recorded()
            yield recording, [begun, recording.length]

    def recorded(self) -> Recording:
        return Recording(self.disk, self.base, read_record(self.record))

    def reset(self) -> None:
        lay_out(self.base, self.disk)
        self.base = read_disk(self.disk)
        self.record.unlink(missing_ok=True)


def clear(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)


def lay_out(disk: Disk, root: Path) -> None:
    """Put a state of the disk into a folder."""
    clear(root)
    numbers: dict[int, int] = {}
    linked: dict[int, Path] = {}
    for path, file in sorted(disk.paths().items()):
        data, target = disk.files[file], root / path
        if data is None:
            target.mkdir()
        elif file in linked:
            os.link(linked[file], target)
        elif not path.endswith("-shm"):  # SQLite's shared memory: made anew
            target.write_bytes(data)
            linked[file] = target
            numbers[file] = target.stat().st_ino
            if ".brain-tmp" in target.name:
                os.utime(target, (LONG_AGO, LONG_AGO))
    for intent in root.glob("*/.brain/intent"):
        translate(intent, {old: numbers.get(file, 0) for old, file in disk.numbers.items()})


def translate(intent: Path, numbers: dict[int, int]) -> None:
    """Give the files in an intent the numbers that they have here: on a real disk they keep theirs."""
    body = intent.read_bytes().partition(b"\n")[2]
    try:
        steps = json.loads(body)
    except ValueError:
        return
    for step in steps:
        if "file" in step:
            step["file"] = numbers.get(step["file"], 0)
    body = json.dumps(steps, separators=(",", ":")).encode("ascii")
    intent.write_bytes(hashlib.blake2b(body, digest_size=16).hexdigest().encode() + b"\n" + body)


class Judge:
    """Say what is wrong with a state that a power loss left."""

    def __init__(self, case: Case, root: Path) -> None:
        self.case, self.root = case, root
        self.where = case.place(root)
        self._known: dict[bytes, State] = {}

    def state(self, disk: Disk) -> State:
        """Return what a store holds on a disk; each disk is looked at once."""
        key = disk.key()
        if key not in self._known:
            lay_out(disk, self.root)
            self._known[key] = state_at(self.case.kind, self.where)
        return self._known[key]

    def wrong_with(self, disk: Disk, phase: Phase, *, is_over: bool) -> str:
        """Return what is wrong, or ``""``. ``is_over``: what the phase does was acknowledged."""
        lay_out(disk, self.root)
        for text in self.case.kept:
            if not any(text.encode() in path.read_bytes() for path in self.files()):
                return f"{text!r} is kept nowhere"
        try:
            store = open_store(self.case.kind, self.where)
        except NoBrain:
            return "" if phase.is_right(({}, {}), is_over=is_over) else "the whole brain is gone"
        try:
            return self.wrong_in(store, phase, is_over=is_over)
        except BrainError as error:
            return f"refused: {error!r}"

    def wrong_in(self, store: Store, phase: Phase, *, is_over: bool) -> str:
        """Return what is wrong with what a store shows and with how it goes on; it is closed then."""
        found = state_of(store)
        if self.is_spoilt() and not store.problems():
            return "a damaged line is not told"
        if wrong := self.goes_on(store, found):
            return wrong
        if is_over and phase.is_last and self.case.gone and (left := self.naming(self.case.gone)):
            return f"not forgotten: {left}"
        if not phase.is_right(found, is_over=is_over):
            right = [told(one) for one in phase.right(is_over=is_over, all_steps=False)]
            return f"not as it was or will be: {told(found)} not in {right}"
        return ""

    def goes_on(self, store: Store, found: State) -> str:
        """Return what is wrong with the next writes, which close the store."""
        kind = self.case.kind
        store.apply([Put(Memory("after", "Written after."))])
        store.journal.append([Activity(from_ms(0), "add", "after", "")])
        if (history := open_history(store)) is not None:
            history.begin("key", at="now", told="after", before={})
        store.journal.update(lambda values: {**values, "after": "7"})
        if isinstance(store, JsonlStore):
            store.compact()  # which is when a log is swept
        store.close()
        memories, values = state_at(kind, self.where)
        new = memories.pop("after", None)
        if (
            new is None
            or new.content != "Written after."
            or values.pop("after", "") != "7"
            or (memories, values) != found
        ):
            return f"the next write failed: {told((memories, values))}"
        strays = [path.name for path in self.files() if ".brain-tmp" in path.name or path.name == "intent"]
        return f"strays {strays}" if strays else ""

    def files(self) -> list[Path]:
        return [path for path in self.root.rglob("*") if path.is_file()]

    def naming(self, text: str) -> list[str]:
        return [str(path.relative_to(self.root)) for path in self.files() if text.encode() in path.read_bytes()]

    def is_spoilt(self) -> bool:
        """Whether a line of a journal or log is not whole, seen without our readers."""
        kept = [
            path
            for path in self.files()
            if ".jsonl" in path.name and path.parent.name in ("journal", self.where.parent.name)
        ]
        return any(not is_json(line) for path in kept for line in path.read_bytes().split(b"\n") if line.strip())


def is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def told(state: State) -> str:
    memories, values = state
    return str({m.id: (m.content[:20], len(m.content), m.status, m.usage.accesses) for m in memories.values()} | values)


class Phase:
    """One deed in a recording: its operations, and which states are right before and after it is acknowledged."""

    def __init__(self, judge: Judge, recording: Recording, *, number: int, begin: int, end: int, is_last: bool) -> None:
        self.judge, self.recording, self.number = judge, recording, number
        self.begin, self.end, self.is_last = begin, end, is_last
        self.told_at = next((at for at, _ in recording.said if begin <= at < end), end)
        self._right: dict[tuple[bool, bool], list[State]] = {}

    def disks(self, step: int, *, most: int, chance: random.Random) -> Iterator[tuple[int, Disk]]:
        """Yield what may be on the disk, with the moment at which the power went."""
        moments = list(range(self.begin, self.end + 1))
        if step > THIN:  # those around the acknowledgement, and a draw of the others
            drawn = chance.sample(moments, min(len(moments), 1 + len(moments) * THIN // step))
            moments = sorted({self.told_at, self.end, *drawn})
        for until in moments:
            for disk in self.recording.states(until, most=most, chance=chance):
                yield until, disk

    def is_right(self, state: State, *, is_over: bool) -> bool:
        """Whether a state is one that may be. The states in the middle are looked at only when they are asked for."""
        return state in self.right(is_over=is_over, all_steps=False) or (
            self.judge.case.in_steps and state in self.right(is_over=is_over, all_steps=True)
        )

    def right(self, *, is_over: bool, all_steps: bool) -> list[State]:
        """Return the right states: the first and the last, or all that the deed goes through."""
        if (is_over, all_steps) not in self._right:
            find = self._after_a_kill if self.judge.case.kill else self._of_deed
            self._right[is_over, all_steps] = find(is_over=is_over, all_steps=all_steps)
        return self._right[is_over, all_steps]

    def _of_deed(self, *, is_over: bool, all_steps: bool) -> list[State]:
        if is_over:
            return [self._at(self.end)]
        return self._between(self.begin, self.end) if all_steps else [self._at(self.begin), self._at(self.end)]

    def _after_a_kill(self, *, is_over: bool, all_steps: bool) -> list[State]:
        """What was killed was not acknowledged: it may be there or not, whole, and beside it the second deed."""
        before = self._between(0, self.begin) if all_steps else [self._at(0), self._at(self.begin)]
        killed, ended = self._at(self.begin), self._at(self.end)
        changed = {id: memory for id, memory in ended[0].items() if killed[0].get(id) != memory}
        after = [ended, *(({**memories, **changed}, {**values, **ended[1]}) for memories, values in before)]
        return after if is_over else [*before, *after]

    def _at(self, until: int) -> State:
        return self.judge.state(self.recording.whole(until))

    def _between(self, begin: int, end: int) -> list[State]:
        return [self._at(until) for until in range(begin, end + 1)]


def sweep(stage: Stage, root: Path, step: int) -> tuple[int, list[object]]:
    """Return how many distinct states of one case were looked at, and what is wrong with them."""
    judge, chance = Judge(stage.case, root), random.Random(7)
    met: set[tuple[bytes, int, bool]] = set()
    looked_at, violations = 0, list[object]()
    most = max(4, MOST[stage.case.kind] // step // (8 if stage.case.kill else 1))
    for recording, starts in stage.recordings(step):
        for number, (begin, end) in enumerate(itertools.pairwise(starts)):
            is_last = number == len(starts) - 2
            phase = Phase(judge, recording, number=number, begin=begin, end=end, is_last=is_last)
            for until, disk in phase.disks(step, most=most, chance=chance):
                key = (disk.key(), number, until > phase.told_at)
                if key in met:
                    continue
                met.add(key)
                looked_at += 1
                if wrong := judge.wrong_with(disk, phase, is_over=until > phase.told_at):
                    violations.append([stage.case.name, number, until, wrong])
    return looked_at, violations


def main() -> None:
    shim, place, step, kind = ctypes.CDLL(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    only = sys.argv[5:]
    states: dict[str, int] = {}
    violations: list[object] = []
    for case in cases(kind):
        if only and case.name not in only:
            continue
        begun = time.perf_counter()
        shutil.rmtree(place / case.name, ignore_errors=True)
        stage = Stage(shim, place / case.name, case)
        states[case.name], wrong = sweep(stage, place / case.name / "found", 1 if case.is_short else step)
        violations += wrong
        print(f"{case.name}: {states[case.name]} {time.perf_counter() - begun:.2f}s {len(wrong)}", file=sys.stderr)
    print(json.dumps({"states": states, "violations": violations}))


if __name__ == "__main__":
    main()
