"""Measure a folder of notes: the cold index, one changed note, the command, an open brain, durable writes.

python -m bench vault              10 000 notes
python -m bench.vault_speed 100000
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bench.recall_speed import make_notes, make_queries
from plainbrain import Brain, make_brain, open_brain
from plainbrain.notation.note import write_note

RUNS = 5


def write_notes(root: Path, count: int) -> None:
    """Write ``count`` generated notes as files under ``root``."""
    for memory in make_notes(count):
        path = root / memory.cortex / f"{memory.id}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(write_note(memory), encoding="utf-8")


def wall(run: Callable[[], object]) -> float:
    """Return the milliseconds that one call takes."""
    start = time.perf_counter()
    run()
    return (time.perf_counter() - start) * 1_000


def process(arguments: list[str], environment: dict[str, str]) -> float:
    """Return the median milliseconds of a whole process."""
    return statistics.median(
        wall(lambda: subprocess.run(arguments, env=environment, check=True, capture_output=True)) for _ in range(RUNS)
    )


def median_of_searches(brain: Brain, texts: list[str]) -> tuple[float, float]:
    """Return the median and the 95th percentile of searches, in milliseconds."""
    brain.search(texts[0])
    times = sorted(wall(lambda text=text: brain.search(text)) for text in texts)  # type: ignore[misc]
    return statistics.median(times), times[int(len(times) * 0.95)]


def main(count: int) -> None:
    """Print one table."""
    with tempfile.TemporaryDirectory(prefix="bench-vault-") as name:
        folder = Path(name)
        write_notes(folder / "brain", count)
        environment = {**os.environ, "BRAIN_DIR": str(folder / "brain"), "BRAIN_CACHE": str(folder / "cache")}
        command = str(Path(sys.executable).parent / "brain")
        rows: list[tuple[str, str]] = []
        floor = process([sys.executable, "-c", "pass"], environment)
        rows.append(("F: python -c pass", f"{floor:.0f} ms"))

        brain = open_brain(folder / "brain", environment=environment)
        cold = wall(lambda: brain.search("nothing at all"))
        rows.append((f"cold index of {count} notes", f"{count / cold * 1000:.0f} notes/s"))
        typed = process([command, "search", *make_queries(1)[0].split()], environment)
        rows.append(("brain search, whole process", f"F + {typed - floor:.0f} ms"))

        median, worst = median_of_searches(brain, make_queries(100))
        rows.append(("search through an open brain, scanning", f"median {median:.1f} ms, p95 {worst:.1f} ms"))
        next((folder / "brain").rglob("note-0.md")).write_text("A single zyxwvut stands here.\n", encoding="utf-8")
        changed = wall(lambda: brain.search("zyxwvut"))
        found = [hit.id for hit in brain.search("zyxwvut").hits]
        rows.append(
            ("one changed note, found by the next call", f"{changed:.1f} ms ({'found' if found else 'NOT FOUND'})")
        )
        brain.watch()
        median, worst = median_of_searches(brain, make_queries(200))
        rows.append(("search through an open brain, watching", f"median {median:.1f} ms, p95 {worst:.1f} ms"))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        rows.append(("memory, all of the above", f"{peak:.0f} MB"))
        brain.close()

        with make_brain(folder / "fresh", environment=environment) as fresh:
            spent = wall(lambda: [fresh.encode(f"Durable note {number}", "text " * 30) for number in range(500)])
        rows.append(("single durable writes (encode)", f"{500 / spent * 1000:.0f}/s"))
    print("| what | figure |\n|---|---|")
    for what, figure in rows:
        print(f"| {what} | {figure} |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
