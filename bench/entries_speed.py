"""Measure agent-brain's commands as whole processes, beside ``python -c pass`` in the same minutes.

Run ``python -m bench.entries_speed [COUNT ...]`` (100, 1000 and 10000 entries; 100000 on sqlite only). The stores are
written the way agent-brain writes them, the first call builds the index and is not counted. Printed are the least
and the middle of several wall times, the least also over that of the floor F, and the least time of the processor over
that of F. On a machine that does other things besides, the least is nearest to the truth, and the processor nearer still.
"""

from __future__ import annotations

import os
import random
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from tests.stores.agent_brain import entry, make_db, make_json

RUNS = 7
COUNTS = (100, 1_000, 10_000, 100_000)
#: The bounds over F in milliseconds by count; ``add`` on sqlite is bound by the first at any size.
BOUNDS = {100: 100, 1_000: 130, 10_000: 130, 100_000: 250}
_SUBJECTS = [
    "staging",
    "billing",
    "checkout",
    "search",
    "login",
    "export",
    "import",
    "report",
    "queue",
    "cache",
    "mail",
    "upload",
    "archive",
    "mobile",
]
_VERBS = ["uses", "needs", "runs", "keeps", "sends", "reads", "owns", "checks"]
_OBJECTS = [
    "kafka",
    "redis",
    "postgres",
    "terraform",
    "pnpm",
    "vitest",
    "docker",
    "nginx",
    "sentry",
    "grafana",
    "webpack",
    "graphql",
    "sqlite",
    "rabbitmq",
]
_CALLS = {
    "get fast": ("get", "staging kafka port", "--policy", "fast"),
    "get": ("get", "staging kafka port"),
    "get deep": ("get", "staging kafka port", "--policy", "deep"),
    "loop": ("loop", "Which queue does staging read from?"),
    "conflicts": ("conflicts", "Staging 7 uses redis on port 4100"),
    "similar": ("similar", "staging uses kafka"),
    "add": ("add", "fact"),
    "list 5": ("list", "policy"),
    "stats": ("stats",),
    "help": ("help",),
}


def contents(count: int) -> list[str]:
    """Return that many sentences, the same for every run."""
    chance = random.Random(7)
    return [
        f"{chance.choice(_SUBJECTS).title()} {n} {chance.choice(_VERBS)} {chance.choice(_OBJECTS)}"
        f" on port {chance.randrange(1_000, 9_999)} since {chance.randrange(2015, 2027)}"
        for n in range(count)
    ]


def fill(folder: Path, kind: str, count: int) -> None:
    """Write a store as agent-brain does; it faded a moment ago, so that no run has to."""
    entries = [entry(f"{n:08x}-0000-4000-8000-000000000000", text) for n, text in enumerate(contents(count))]
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    if kind == "json":
        make_json(folder / "memory.json", entries, last_decay=now)
        return
    make_db(folder / "memory.db", entries)
    with closing(sqlite3.connect(folder / "memory.db")) as db, db:
        db.execute("UPDATE meta SET value = ? WHERE key = 'last_decay'", (now,))


def measure(command: Sequence[str], environment: dict[str, str]) -> tuple[float, float]:
    """Run a command once; return its wall and its processor time in milliseconds."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    wall, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{command}: {done.stderr.decode()}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall * 1000, cpu * 1000


def table(kind: str, count: int, folder: Path) -> bool:
    """Print the rows of one store; tell whether all are within their bounds."""
    environment = os.environ | {
        "MEMORY_DIR": str(folder),
        "AGENT_BRAIN_BACKEND": kind,
        "BRAIN_CACHE": str(folder / "cache"),
    }
    for name in ("BRAIN_STORE", "BRAIN_DIR", "PYTHONDONTWRITEBYTECODE", "SUPERMEMORY_API_KEY"):
        environment.pop(name, None)
    fill(folder, kind, count)
    brain = [sys.executable, "-c", "from plainbrain.faces.cli.main import main; main()"]
    first, _ = measure([*brain, "get", "the first call builds the index"], environment)
    print(f"\n{kind}, {count:,} entries (first call {first:,.0f} ms)\n")
    print(f"{'':10} {'least':>7} {'middle':>7} {'over F':>7} {'cpu':>7} {'over F':>7} {'bound':>7}")
    empty = [measure([sys.executable, "-c", "pass"], environment) for _ in range(RUNS)]
    floor = _row("F", empty, empty, 0)
    fine = True
    for name, words in _CALLS.items():
        runs = []
        for n in range(RUNS):
            more = (f"A new fact, number {n} of {count}",) if name == "add" else ()
            runs.append(measure([*brain, *words, *more], environment))
        bound = BOUNDS.get(count, 250) if name != "add" or kind == "json" else BOUNDS[100]
        fine = _row(name, runs, empty, bound) <= floor + bound and fine
    return fine


def _row(name: str, runs: list[tuple[float, float]], empty: list[tuple[float, float]], bound: int) -> float:
    """Print one row, over the runs of an ``empty`` process; return the least wall time."""
    walls, cpu = [wall for wall, _ in runs], min(cpu for _, cpu in runs)
    over_wall, over_cpu = min(walls) - min(wall for wall, _ in empty), cpu - min(cpu for _, cpu in empty)
    print(
        f"{name:10} {min(walls):7.0f} {statistics.median(walls):7.0f} {over_wall:7.0f} {cpu:7.0f} {over_cpu:7.0f} {bound or '':>7}",
        flush=True,
    )
    return min(walls)


def main(arguments: Sequence[str]) -> int:
    """Measure every store at every count; leave with 1 when something was slower than its bound."""
    fine = True
    for count in [int(word) for word in arguments] or COUNTS:
        for kind in ("sqlite", "json") if count <= 10_000 else ("sqlite",):
            with tempfile.TemporaryDirectory() as place:
                fine = table(kind, count, Path(place)) and fine
    print("\nall within their bounds" if fine else "\nsome are slower than their bound")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
