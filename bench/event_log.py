"""Measure the event log at a size: filling, opening, appending, searching vectors, memory, compaction.

    python bench/event_log.py [MEMORIES] [DIMENSIONS]

Prints one line of JSON for each figure. The log lies in a temporary folder, which is removed.
"""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from plainbrain.model.change import Put
from plainbrain.model.memory import Memory
from plainbrain.stores.jsonl.store import JsonlStore
from plainbrain.testing.builders import NOON, FixedClock

SEED = 20261027
#: Opens the log in a process of its own, so that time and memory are those of opening alone.
OPEN = """
import json, resource, sys, time
from plainbrain.stores.jsonl.store import JsonlStore
begin = time.perf_counter()
store = JsonlStore(sys.argv[1])
count = sum(1 for _ in store.listing())
opened = time.perf_counter() - begin
first = store.nearest(tuple(json.loads(sys.argv[2])), 10)
searched = time.perf_counter() - begin
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"memories": count, "open_s": opened, "open_and_first_search_s": searched, "peak_mb": peak}))
"""


def tell(name: str, **figures: object) -> None:
    """Print one measurement."""
    print(json.dumps({"measure": name, **{k: round(v, 3) if isinstance(v, float) else v for k, v in figures.items()}}))


def vectors(count: int, dimensions: int) -> np.ndarray:
    """Return unit vectors that lie in loose groups, as those of texts do."""
    chance = np.random.default_rng(SEED)
    centres = chance.standard_normal((max(1, count // 50), dimensions), dtype=np.float32)
    found = centres[chance.integers(0, len(centres), count)] + chance.standard_normal(
        (count, dimensions), dtype=np.float32
    )
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    return found


def memory(number: int, vector: np.ndarray) -> Memory:
    """Return one of the memories to store."""
    return Memory(
        f"m{number:06d}",
        f"Memory {number}: the user said something worth keeping",
        memory_class="semantic",
        user_id="user-1",
        created=NOON,
        updated=NOON,
        embedding=tuple(np.round(vector.astype(float), 6)),
    )


def main(count: int, dimensions: int) -> None:
    """Measure everything at one size."""
    place = Path(tempfile.mkdtemp(prefix="event-log-"))
    try:
        measure(place / "memories.jsonl", vectors(count, dimensions))
    finally:
        shutil.rmtree(place)


def measure(path: Path, rows: np.ndarray) -> None:
    """Fill a log at ``path`` and print its figures."""
    store = JsonlStore(path, clock=FixedClock(), durable=False)
    begin = time.perf_counter()
    for number, vector in enumerate(rows):
        store.apply([Put(memory(number, vector))])
    spent = time.perf_counter() - begin
    tell("append without fsync", memories=len(rows), per_s=len(rows) / spent)
    store.nearest(tuple(rows[0].tolist()), 10)
    begin = time.perf_counter()
    store.close()
    tell("write the snapshot and the vectors", s=time.perf_counter() - begin)
    durable = JsonlStore(path, clock=FixedClock())
    begin = time.perf_counter()
    for number in range(200):
        durable.apply([Put(memory(number, rows[number]))])
    tell("append with fsync", per_s=200 / (time.perf_counter() - begin))
    durable.close()
    query = json.dumps(rows[1].tolist())
    done = subprocess.run([sys.executable, "-c", OPEN, str(path), query], capture_output=True, text=True, check=True)
    tell("open in a fresh process", **json.loads(done.stdout))
    measure_search(path, rows)
    measure_updates(path, rows)


def measure_search(path: Path, rows: np.ndarray) -> None:
    """Compare a hundred searches with the exact answer."""
    store = JsonlStore(path)
    chance = np.random.default_rng(SEED + 1)
    store.nearest(tuple(rows[0].tolist()), 10)
    times, hits = [], 0
    for number in chance.integers(0, len(rows), 100):
        query = rows[number] + chance.standard_normal(rows.shape[1]) * 0.03
        query /= np.linalg.norm(query)
        vector = tuple(query.tolist())
        begin = time.perf_counter()
        found = store.nearest(vector, 10)
        times.append(time.perf_counter() - begin)
        exact = rows @ query
        best = {f"m{i:06d}" for i in np.argsort(-exact)[:10]}
        hits += len(best & {id for id, _ in found})
    tell(
        "search vectors",
        median_ms=statistics.median(times) * 1e3,
        p95_ms=sorted(times)[94] * 1e3,
        recall_at_10=hits / 1000,
    )


def measure_updates(path: Path, rows: np.ndarray) -> None:
    """Update one memory a thousand times and compact."""
    store = JsonlStore(path, clock=FixedClock(), durable=False)
    store.compact()
    before = path.stat().st_size
    for number in range(1000):
        store.apply([Put(memory(number % 1, rows[number % len(rows)]))])
    grown = path.stat().st_size
    begin = time.perf_counter()
    store.compact()
    tell(
        "1000 updates", before=before, grown=grown, compacted=path.stat().st_size, compact_s=time.perf_counter() - begin
    )
    store.close()


if __name__ == "__main__":
    main(*(int(word) for word in [*sys.argv[1:], *["100000", "384"][len(sys.argv) - 1 :]]))
