"""Measure the event log at a size: filling, appending, opening, searching vectors, memory, compaction.

python -m bench event_log          100 000 memories with 384 dimensions
python -m bench.event_log_speed 20000 384
"""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainbrain.model.change import Put
from plainbrain.model.memory import Memory
from plainbrain.stores.jsonl.store import JsonlStore
from plainbrain.testing.builders import NOON, FixedClock

SEED = 20261027
BATCH = 500
Rows = NDArray[np.float32]
#: Opens the log in a process of its own, so that time and memory are those of opening alone.
OPEN = """
import json, resource, sys, time
from plainbrain.stores.jsonl.store import JsonlStore
begin = time.perf_counter()
store = JsonlStore(sys.argv[1])
count = sum(1 for _ in store.listing())
opened = time.perf_counter() - begin
def peak():
    try:  # what the kernel tells of a process begins with what its parent held; this does not
        with open("/proc/self/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) / 1024
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
alone = peak()
store.nearest(tuple(json.loads(sys.argv[2])), 10)
print(json.dumps({"count": count, "opened": opened, "searched": time.perf_counter() - begin, "alone": alone, "peak": peak()}))
"""


def vectors(count: int, dimensions: int) -> Rows:
    """Return unit vectors that lie in loose groups, as those of texts do."""
    chance = np.random.default_rng(SEED)
    centres = chance.standard_normal((max(1, count // 50), dimensions), dtype=np.float32)
    found: Rows = centres[chance.integers(0, len(centres), count)]
    found += chance.standard_normal((count, dimensions), dtype=np.float32)
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    return found


def memory(number: int, vector: Rows) -> Memory:
    """Return one of the memories to store."""
    return Memory(
        f"m{number:06d}",
        f"Memory {number}: the user said something worth keeping",
        memory_class="semantic",
        user_id="user-1",
        created=NOON,
        updated=NOON,
        embedding=tuple(np.round(vector.astype(float), 6).tolist()),
    )


def seconds(run: Callable[[], object]) -> float:
    """Return the seconds that one call takes."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def opened(path: Path, query: Rows) -> dict[str, Any]:
    """Open the log in a fresh process and return its figures."""
    arguments = [sys.executable, "-c", OPEN, str(path), json.dumps(query.tolist())]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def tell(what: str, figure: str) -> None:
    """Print one row of the table, as soon as it is known."""
    print(f"| {what} | {figure} |", flush=True)


def main(count: int, dimensions: int) -> None:
    """Measure everything at one size and print a table."""
    place = Path(tempfile.mkdtemp(prefix="bench-event-log-"))
    try:
        path, rows = place / "memories.jsonl", vectors(count, dimensions)
        print(f"{count} memories, {dimensions} dimensions\n\n| what | figure |\n|---|---|")
        measure_writing(path, rows)
        measure_opening(path, rows)
        measure_search(path, rows)
        measure_updates(path, rows)
    finally:
        shutil.rmtree(place)


def measure_writing(path: Path, rows: Rows) -> None:
    """Fill a log at ``path``, the last of it memory by memory."""
    store = JsonlStore(path, clock=FixedClock(), durable=False)
    few = len(rows) // 10
    most = len(rows) - few

    def fill() -> None:
        for at in range(0, most, BATCH):
            store.apply([Put(memory(n, rows[n])) for n in range(at, min(at + BATCH, most))])

    tell(f"fill, {BATCH} at a time", f"{most / seconds(fill):.0f}/s")
    single = [Put(memory(n, rows[n])) for n in range(most, len(rows))]
    tell("append without fsync", f"{few / seconds(lambda: [store.apply([put]) for put in single]):.0f}/s")
    store.nearest(tuple(rows[0].tolist()), 10)
    tell("write the snapshot and the vectors", f"{seconds(store.close):.2f} s")
    durable = JsonlStore(path, clock=FixedClock())
    again = [Put(memory(n, rows[n])) for n in range(200)]
    tell("append with fsync", f"{200 / seconds(lambda: [durable.apply([put]) for put in again]):.0f}/s")
    durable.close()


def measure_opening(path: Path, rows: Rows) -> None:
    """Open the log from its snapshot, and without one."""
    found = opened(path, rows[1])
    tell("open from the snapshot", f"{found['opened']:.2f} s, {found['alone']:.0f} MB")
    tell("open and search vectors once", f"{found['searched']:.2f} s, {found['peak']:.0f} MB")
    aside = path.with_name("memories.jsonl.brain") / "snapshot.json"
    aside.rename(aside.with_name("aside"))
    found = opened(path, rows[1])
    tell("open by replaying every line", f"{found['opened']:.2f} s, {found['alone']:.0f} MB")
    aside.with_name("aside").rename(aside)


def measure_search(path: Path, rows: Rows) -> None:
    """Compare a hundred searches with the exact answer."""
    store = JsonlStore(path)
    chance = np.random.default_rng(SEED + 1)
    store.nearest(tuple(rows[0].tolist()), 10)
    times, processor, asked = [], [], []
    for number in chance.integers(0, len(rows), 100):
        query: Rows = rows[number] + np.float32(0.03) * chance.standard_normal(rows.shape[1], dtype=np.float32)
        query /= np.linalg.norm(query)
        vector = tuple(query.tolist())
        begin, busy = time.perf_counter(), time.process_time()
        found = store.nearest(vector, 10)
        times.append((time.perf_counter() - begin) * 1e3)
        processor.append((time.process_time() - busy) * 1e3)
        asked.append((query, {id for id, _ in found}))
    hits = sum(len(ids & {f"m{i:06d}" for i in np.argsort(-(rows @ query))[:10]}) for query, ids in asked)
    busy = statistics.median(processor)
    tell(
        "search vectors",
        f"median {statistics.median(times):.1f} ms (processor {busy:.1f}), p95 {sorted(times)[94]:.1f} ms",
    )
    tell("recall@10 against exact", f"{hits / 1000:.3f}")


def measure_updates(path: Path, rows: Rows) -> None:
    """Update one memory a thousand times and compact."""
    store = JsonlStore(path, clock=FixedClock(), durable=False)
    tell("compact", f"{seconds(store.compact):.1f} s")
    before = path.stat().st_size
    for number in range(1000):
        store.apply([Put(memory(0, rows[number % len(rows)]))])
    grown = path.stat().st_size
    store.compact()
    after = path.stat().st_size
    tell("1000 updates of one memory", f"{before / 1e6:.1f} MB, then {grown / 1e6:.1f} MB")
    tell("the same, compacted", f"{after / 1e6:.1f} MB ({(after / before - 1) * 100:+.2f} %)")
    store.close()


if __name__ == "__main__":
    main(*(int(word) for word in [*sys.argv[1:], *["100000", "384"][len(sys.argv) - 1 :]]))
