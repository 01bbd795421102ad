"""A log that is torn, spoilt or fought over: what is whole stays, what is new is never lost, and nothing raises."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from plainbrain.errors import NoRoom, StoreError
from plainbrain.model.change import Put, Remove
from plainbrain.model.memory import Memory
from plainbrain.stores.jsonl.store import JsonlStore

SOURCE = Path(__file__).resolve().parents[2] / "src"
#: Kills of each kind; set FAULT_ROUNDS for a long run.
ROUNDS = int(os.environ.get("FAULT_ROUNDS", "12"))
#: Bytes between two cuts: every one in a long run.
STEP = 1 if "FAULT_ROUNDS" in os.environ else 5


def fifty_events(path: Path) -> list[tuple[int, dict[str, str]]]:
    """Write a log; return after how many bytes it held what."""
    store = JsonlStore(path, durable=False)
    held: dict[str, str] = {}
    told: list[tuple[int, dict[str, str]]] = [(0, {})]
    for number in range(40):
        id = f"m{number % 11}"
        if number % 7 == 6 and id in held:
            store.apply([Remove(id)])
            del held[id]
        elif number % 5 == 4:
            pair = {id: f"tëxt {number}", f"p{number}": "pair"}
            store.apply([Put(Memory(i, c)) for i, c in pair.items()])
            held |= pair
        else:
            store.apply([Put(Memory(id, f"tëxt {number}"))])
            held[id] = f"tëxt {number}"
        told.append((path.stat().st_size, dict(held)))
    store.close()
    return told


def contents(store: JsonlStore) -> dict[str, str]:
    return {id: store.get(id).memory.content for id, _ in store.listing()}


def test_a_log_torn_at_any_byte_keeps_what_was_whole_and_takes_what_is_new(tmp_path: Path) -> None:
    told = fifty_events(tmp_path / "whole.jsonl")
    data = (tmp_path / "whole.jsonl").read_bytes()
    assert data.count(b"\n") >= 48
    path = tmp_path / "m.jsonl"
    for cut in range(0, len(data), STEP):
        path.write_bytes(data[:cut])
        known = max(i for i, (size, _) in enumerate(told) if size <= cut + 1)
        store = JsonlStore(path, durable=False)
        assert contents(store) == told[known][1], cut
        if cut % (STEP * 4) == 0:
            store.apply([Put(Memory("new", "new"))])
            expected = told[known][1] | {"new": "new"}
            assert contents(store) == expected
            again = JsonlStore(path)
            assert contents(again) == expected
            assert again.problems() == []
            again.close()
        store.close()


def test_a_spoilt_byte_costs_its_line_only(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    store = JsonlStore(path, durable=False)
    for number in range(50):
        store.apply([Put(Memory(f"m{number}", f"text {number}"))])
    told = contents(store)
    data = path.read_bytes()
    chance = random.Random(7)
    for _ in range(500):
        at = chance.randrange(data.index(b"\n") + 1, len(data))
        spoilt = bytearray(data)
        spoilt[at] ^= 1 << chance.randrange(8)
        path.write_bytes(bytes(spoilt))
        spoilt_store = JsonlStore(path)
        found = contents(spoilt_store)
        assert found.items() <= told.items()
        assert len(found) >= len(told) - (2 if data[at] == 10 else 1)
        assert len(found) == len(told) or spoilt_store.problems()
        spoilt_store.close()


def test_a_spoilt_byte_in_lines_that_count_together_costs_its_line_only(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    store = JsonlStore(path, durable=False)
    store.apply([Put(Memory(id, f"text {id}")) for id in "abc"])
    store.apply([Put(Memory(id, f"text {id}")) for id in "de"])
    store.apply([Put(Memory("f", "alone"))])
    data = path.read_bytes()
    first = data.index(b"\n") + 1
    ends = [data.index(b',"batch":[%d,%d],' % (of, of)) for of in (3, 2)]
    for at in range(first, len(data)):
        if data[at] == 10 or any(0 <= at - end < 16 for end in ends):
            continue  # a glued line is a case of its own; the last line of a batch must say that it is the last
        path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        spoilt_store = JsonlStore(path)
        found = contents(spoilt_store)
        assert len(found) == 5 or (len(found) == 6 and data[at - 5 : at + 8].count(b'"crc"')), (
            at,
            data[at - 20 : at + 20],
        )
        assert len(found) == 6 or len(spoilt_store.problems()) == 1
        spoilt_store.close()


@pytest.mark.parametrize("edited", "abc")
def test_a_line_that_was_edited_by_hand_counts_with_those_it_was_written_with(tmp_path: Path, edited: str) -> None:
    path = tmp_path / "m.jsonl"
    JsonlStore(path).apply([Put(Memory(id, f"text {id}")) for id in "abc"])
    lines = path.read_text().splitlines()
    at = next(i for i, line in enumerate(lines) if f"text {edited}" in line)
    line = json.loads(lines[at].replace("text", "word"))
    del line["crc"]
    lines[at] = json.dumps(line, separators=(",", ":"))
    path.write_text("\n".join(lines) + "\n")
    store = JsonlStore(path)
    assert contents(store) == {id: f"word {id}" if id == edited else f"text {id}" for id in "abc"}
    assert store.problems() == []


@pytest.mark.parametrize("kept", range(1, 3))
def test_lines_of_a_write_that_was_cut_short_do_not_count(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "m.jsonl"
    store = JsonlStore(path, durable=False)
    store.apply([Put(Memory("first", "x"))])
    before = path.stat().st_size
    store.apply([Put(Memory(id, f"text {id}")) for id in "abc"])
    lines = path.read_bytes()[before:].splitlines(keepends=True)
    for torn in (b"", lines[kept][:40] + b"\n", b"\n"):  # an append-only file: the torn line was ended, never cut off
        for after in (b"", b'{"id":"late","content":"y"}\n'):
            path.write_bytes(path.read_bytes()[:before] + b"".join(lines[:kept]) + torn + after)
            assert contents(JsonlStore(path)).keys() == {"first"} | ({"late"} if after else set())


@pytest.mark.parametrize(
    "junk",
    [b"\0" * 4096, b"\xff\xfe" * 50, b"{" * 1000, b"null\n", b"[1,2]\n", b'{"a":' * 5000, b"\r\n", b"\xef\xbb\xbf\n"],
)
def test_junk_behind_the_log_harms_nothing(tmp_path: Path, junk: bytes) -> None:
    path = tmp_path / "m.jsonl"
    store = JsonlStore(path)
    store.apply([Put(Memory("a", "x"))])
    with path.open("ab") as file:
        file.write(junk)
    assert contents(store) == {"a": "x"}
    store.apply([Put(Memory("b", "y"))])
    assert contents(JsonlStore(path)) == {"a": "x", "b": "y"}


_ADDER = """
import sys
from plainbrain.model.change import Put, Use
from plainbrain.model.instants import from_ms
from plainbrain.model.memory import Memory
from plainbrain.stores.jsonl.store import JsonlStore
path, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
store = JsonlStore(path, durable=False, roll_over_lines=300)
for number in range(count):
    store.apply([Put(Memory(f"{name}-{number}", "text"))])
    store.record([Use("shared", from_ms(number), accesses=1)])
    if number % 50 == 49:
        store.compact()
"""


def test_eight_processes_lose_and_double_nothing(tmp_path: Path) -> None:
    path, count = tmp_path / "m.jsonl", 200
    JsonlStore(path).apply([Put(Memory("shared", "x"))])
    running = [
        subprocess.Popen(
            [sys.executable, "-c", _ADDER, str(path), f"w{n}", str(count)], env={"PYTHONPATH": str(SOURCE)}
        )
        for n in range(8)
    ]
    assert [process.wait(timeout=100) for process in running] == [0] * 8
    store = JsonlStore(path)
    assert len(list(store.listing())) == 8 * count + 1
    assert store.get("shared").memory.usage.accesses == 8 * count
    assert store.problems() == []


_KILLED = """
import os, sys
from plainbrain.model.change import Put
from plainbrain.model.memory import Memory
from plainbrain.stores.jsonl.store import JsonlStore
path, start, every = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
store = JsonlStore(path, roll_over_lines=7)
number = start
while True:
    store.apply([Put(Memory(f"m{number}", "text")), Put(Memory(f"n{number}", "twin"))])
    os.write(1, b"%d\\n" % number)
    number += 1
    if number % every == 0:
        (store.compact if number % 2 else store.compact_keeping_history)()
"""


def test_what_was_acknowledged_outlives_a_kill_at_any_moment(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    chance = random.Random(3)
    told = -1
    for _ in range(ROUNDS):
        process = subprocess.Popen(
            [sys.executable, "-c", _KILLED, str(path), str(told + 1), "3"],
            stdout=subprocess.PIPE,
            env={"PYTHONPATH": str(SOURCE)},
        )
        assert process.stdout is not None
        stop = chance.randrange(1, 25)
        for line in process.stdout:
            told = int(line)
            stop -= 1
            if stop <= 0:
                break
        process.send_signal(signal.SIGKILL)
        for line in process.stdout:
            told = int(line)
        process.stdout.close()
        assert process.wait(timeout=20) == -signal.SIGKILL
        store = JsonlStore(path)
        ids = {id for id, _ in store.listing()}
        assert ids >= {f"{letter}{n}" for n in range(told + 1) for letter in "mn"}
        assert {id[1:] for id in ids if id[0] == "m"} == {id[1:] for id in ids if id[0] == "n"}
        told = max(int(id[1:]) for id in ids)
        store.close()


def test_a_full_disk_says_so_and_stores_nothing(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource", reason="limits of file size are POSIX")
    path = tmp_path / "m.jsonl"
    store = JsonlStore(path)
    store.apply([Put(Memory("a", "x"))])
    size = path.stat().st_size
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    old = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100, hard))
    try:
        with pytest.raises(NoRoom):
            store.apply([Put(Memory("b", "y" * 500))])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, old)
    assert path.stat().st_size == size
    assert contents(store) == {"a": "x"}
    store.apply([Put(Memory("b", "y"))])
    assert contents(JsonlStore(path)) == {"a": "x", "b": "y"}


def test_a_folder_in_place_of_the_log_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "m.jsonl").mkdir()
    with pytest.raises(StoreError):
        JsonlStore(tmp_path / "m.jsonl").apply([Put(Memory("a", "x"))])
