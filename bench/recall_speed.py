"""Measure recall over generated notes of about 150 words: the index (build, catch up, search), and questions to an open brain.

python -m bench recall                                     10 000 notes: the bare index, then an open brain by words and with the model
python -m bench.recall_speed 100000                        the same with more
python -m bench.recall_speed 1000000 --open-only --words 60 --no-model     an open brain alone
python -m bench.recall_speed 1000000 ... --folder DIR      keeps what was built, and uses it the next time

The notes are seeded: the same for every run. Words follow Zipf's law over twenty thousand made-up words and the usual small
ones. Queries have two to six words, drawn half from what notes say and half from the whole vocabulary.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path

from bench.open_brain import measure_model, measure_words
from plainbrain.index.sqlite import SqliteIndex
from plainbrain.model.change import Put
from plainbrain.model.confidence import Confidence
from plainbrain.model.instants import DAY_MS, Instant, parse_instant
from plainbrain.model.memory import Memory
from plainbrain.model.query import Query
from plainbrain.stores.ram import RamStore

NOW = parse_instant("2026-10-27T12:00:00Z")
_SMALL = [
    "the",
    "of",
    "and",
    "to",
    "a",
    "in",
    "is",
    "it",
    "for",
    "on",
    "with",
    "as",
    "by",
    "at",
    "be",
    "this",
    "that",
    "from",
    "or",
    "an",
    "are",
    "not",
    "we",
    "have",
    "has",
    "was",
]
_KINDS = ("decision", "fact", "procedure", "preference", "incident")
_CORTICES = ("infra", "infra/node", "product", "people", "data", "data/eu")


def make_vocabulary(size: int = 20_000) -> list[str]:
    """Return made-up words, the most used first."""
    chance = random.Random(7)
    starts = [
        a + b
        for a in [
            "b",
            "c",
            "d",
            "f",
            "g",
            "h",
            "k",
            "l",
            "m",
            "n",
            "p",
            "r",
            "s",
            "t",
            "v",
            "w",
            "st",
            "tr",
            "br",
            "pl",
        ]
        for b in ["a", "e", "i", "o", "u", "ai", "on", "er"]
    ]
    words = {"".join(chance.choices(starts, k=chance.choice([1, 2, 2, 3]))) for _ in range(size * 2)}
    return chance.sample(sorted(words), min(size, len(words)))


def make_notes(count: int, *, seed: int = 11, length: int = 150) -> Iterator[Memory]:
    """Yield notes of about ``length`` words (and 17 in title and description), always the same for a seed."""
    small = length * 55 // 150
    chance = random.Random(seed)
    words = make_vocabulary()
    steps = list(itertools.accumulate(1 / (rank + 10) for rank in range(len(words))))
    assert NOW.ms is not None
    for number in range(count):
        text = chance.choices(words, cum_weights=steps, k=length - small) + chance.choices(_SMALL, k=small)
        chance.shuffle(text)
        yield Memory(
            id=f"note-{number}",
            content=" ".join(text) + ".",
            title=" ".join(chance.choices(words, cum_weights=steps, k=5)).capitalize(),
            description=" ".join(chance.choices(words, cum_weights=steps, k=12)),
            kind=chance.choice(_KINDS),
            cortex=chance.choice(_CORTICES),
            tags=tuple(chance.choices(words[:300], k=2)),
            confidence=Confidence(number=round(chance.uniform(0.4, 1.0), 2)),
            created=Instant(NOW.ms - chance.randrange(900) * DAY_MS, day=True),
            status="superseded" if chance.random() < 0.05 else "active",
        )


def make_queries(count: int, *, seed: int = 13) -> list[str]:
    """Return queries of two to six words."""
    chance = random.Random(seed)
    words = make_vocabulary()
    steps = list(itertools.accumulate(1 / (rank + 10) for rank in range(len(words))))
    queries = []
    for _ in range(count):
        size = chance.randrange(2, 7)
        said = chance.choices(words, cum_weights=steps, k=(size + 1) // 2)
        queries.append(" ".join(said + chance.choices(words, k=size // 2) + ["the"]))
    return queries


def time_each(work: Callable[[str], object], queries: list[str]) -> str:
    """Return median and 95th percentile in milliseconds, by the clock and of processor time."""
    spent, busy = [], []
    for query in queries:
        began, at_work = time.perf_counter(), time.process_time()
        work(query)
        spent.append((time.perf_counter() - began) * 1000)
        busy.append((time.process_time() - at_work) * 1000)
    return f"clock {_middle_and_end(spent)}   processor {_middle_and_end(busy)}"


def _middle_and_end(spent: list[float]) -> str:
    return f"median {statistics.median(spent):7.2f} ms, p95 {sorted(spent)[int(len(spent) * 0.95)]:7.2f} ms"


_PROCESS = """
import sys
from pathlib import Path
from plainbrain.index.sqlite import SqliteIndex
from plainbrain.model.instants import parse_instant
from plainbrain.model.query import Query
index = SqliteIndex(Path(sys.argv[1]), sys.argv[2])
hits, total = index.search(Query(sys.argv[3], profile=sys.argv[4]), now=parse_instant(sys.argv[5]))
index.cards([id for id, _, _ in hits])
index.close()
"""


def _search(index: SqliteIndex, profile: str, query: str) -> object:
    return index.search(Query(query, profile=profile), now=NOW)


def time_process(*arguments: str) -> float:
    """Return the least time of a whole process in seven, in milliseconds."""
    spent = []
    for _ in range(7):
        began = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True)
        spent.append((time.perf_counter() - began) * 1000)
    return min(spent)


def measure_index(count: int) -> None:
    """Print the figures of the bare index for ``count`` notes."""
    store = RamStore("bench")
    store.apply([Put(note) for note in make_notes(count)])
    queries = make_queries(200)
    with tempfile.TemporaryDirectory() as folder:
        index = SqliteIndex(Path(folder), store.url)
        began = time.perf_counter()
        index.catch_up(store)
        spent = time.perf_counter() - began
        print(f"{count} notes: built in {spent:.2f} s, {count / spent:.0f} notes/s")
        one = store.get("note-1").memory
        began = time.perf_counter()
        store.apply([Put(replace(one, content=one.content + " unmistakable"))])
        index.catch_up(store)
        hits, _ = index.search(Query("unmistakable"), now=NOW)
        print(f"one change found: {(time.perf_counter() - began) * 1000:.2f} ms ({hits[0][0]})")
        print("nothing new:     ", time_each(lambda _: index.catch_up(store), queries))
        for profile in ("auto", "blueprint", "fast", "balanced", "deep"):
            print(f"{profile:<16} ", time_each(partial(_search, index, profile), queries))
        print("in one cortex    ", time_each(lambda q: index.search(Query(q, cortex="data"), now=NOW), queries))
        index.close()
        bare = time_process("-c", "pass")
        for profile in ("blueprint", "balanced"):
            whole = time_process("-c", _PROCESS, folder, store.url, queries[0], profile, NOW.iso())
            print(f"process {profile:<9} F + {whole - bare:.0f} ms (F = {bare:.0f} ms)")
        size = sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"notes": count, "index_mb": round(size / 1e6, 1), "peak_mb_with_all_notes_in_ram": round(peak)}))


def main() -> None:
    """Print the figures that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int, nargs="?", default=10_000)
    parser.add_argument("--words", type=int, default=150, help="of a note, in the open brain")
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument("--open-only", action="store_true", help="leave out the bare index")
    parser.add_argument("--no-model", action="store_true", help="leave out the model")
    parser.add_argument("--folder", type=Path, help="where the open brain lies, to be used again")
    given = parser.parse_args()
    if not given.open_only:
        measure_index(given.count)
    queries = make_queries(given.queries)
    with tempfile.TemporaryDirectory(prefix="bench-recall-") as name:
        folder = given.folder or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        print(f"an open brain of {given.count} notes of {given.words} words in an SQLite store", flush=True)
        lines = measure_words(folder, make_notes(given.count, length=given.words), queries)
        for what, figure in chain(lines, () if given.no_model else measure_model(folder, queries)):
            print(f"  {what:<42} {figure}", flush=True)


if __name__ == "__main__":
    main()
