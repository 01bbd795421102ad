"""Questions put to an open brain over an SQLite store: what ``bench recall`` measures beside the bare index.

Every question goes the whole way that a caller's goes: the index looks whether the store moved, searches, and what was found
is read from the store. With the model, every question is embedded by the real one; the vectors of the memories are unit
vectors of pure chance, of its length and under its name, put through the index's own steps, because embedding 100 000 texts
measures the model, which ``bench vector`` does. Nothing lies near such a vector, so what is *found* by it means nothing here,
only how long it takes.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np

from plainbrain import Brain, open_brain
from plainbrain.app import wiring
from plainbrain.app.settings import load_settings
from plainbrain.index.sqlite import SqliteIndex
from plainbrain.model.change import Put
from plainbrain.model.memory import Memory
from plainbrain.ports import Model
from plainbrain.stores.sqlite import SqliteStore

_BATCH = 1000
Line = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Ground:
    """Where a measurement lies: a folder with ``memory.db`` and the cache, kept when it is named by the caller."""

    folder: Path

    @property
    def url(self) -> str:
        """The store's URL."""
        return f"sqlite:{self.folder / 'memory.db'}"

    def environment(self, *, model: str) -> dict[str, str]:
        """Return the environment in which the brain is opened."""
        return {**os.environ, "BRAIN_CACHE": str(self.folder / "cache"), "BRAIN_MODEL": model}

    def open(self, *, model: str) -> Brain:
        """Open the brain as any caller does."""
        return open_brain(self.url, environment=self.environment(model=model))


class Chance:
    """Give the memories unit vectors of pure chance under the name of a real model."""

    def __init__(self, real: Model, dimensions: int) -> None:
        self.name, self.dimensions = real.name, dimensions
        self._make = np.random.default_rng(17)

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector for each text."""
        rows = self._make.standard_normal((len(texts), self.dimensions))
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return [[float(number) for number in row] for row in rows]

    def embed_query(self, text: str) -> list[float]:
        """Return a vector for a question; none is asked here."""
        return self.embed([text])[0]


def fill(ground: Ground, memories: Iterable[Memory]) -> Iterator[Line]:
    """Put memories into the store and index them; tell how fast."""
    store, taken, count = SqliteStore(ground.folder / "memory.db"), iter(memories), 0
    began = time.perf_counter()
    while batch := list(islice(taken, _BATCH)):
        store.apply([Put(memory) for memory in batch])
        count += len(batch)
    yield "stored", f"{count / (time.perf_counter() - began):.0f}/s, in batches of {_BATCH}, made up meanwhile"
    store.close()
    with ground.open(model="off") as brain:
        began = time.perf_counter()
        brain.search("ready")
        yield "indexed", f"{count / (time.perf_counter() - began):.0f}/s"


def give_vectors(ground: Ground, real: Model) -> Iterator[Line]:
    """Give every memory of the index a vector of chance that counts as one of the model's."""
    settings = load_settings(ground.environment(model=""), store=ground.url)
    store = SqliteStore(ground.folder / "memory.db")
    index = SqliteIndex(settings.cache, store.url, model=Chance(real, len(real.embed_query("how long"))))
    began = time.perf_counter()
    index.catch_up(store)
    while (step := index.embed_some(store, _BATCH)).left:
        assert step.done
    yield "vectors of chance written", f"{time.perf_counter() - began:.0f} s"
    index.close()
    store.close()


def ask(ground: Ground, queries: Sequence[str], *, model: str) -> Iterator[Line]:
    """Put questions to the open brain, the first few uncounted: the files are then in the system's memory."""
    name = "words" if model == "off" else "words and model"
    with ground.open(model=model) as brain:
        began = time.perf_counter()
        brain.search(queries[0])
        yield f"open brain, {name}: first answer", f"{time.perf_counter() - began:.2f} s"
        mixed = Random(3).sample(list(queries), len(queries))
        for query in mixed[: len(mixed) // 10]:
            brain.search(query)
        yield f"open brain, {name}", times(brain, queries)


def times(brain: Brain, queries: Sequence[str]) -> str:
    """Return median and 95th percentile of questions in milliseconds, by the clock and of processor time."""
    clock, busy = [], []
    for query in queries:
        began, at_work = time.perf_counter(), time.process_time()
        brain.search(query)
        clock.append((time.perf_counter() - began) * 1000)
        busy.append((time.process_time() - at_work) * 1000)
    return f"clock {middle_and_end(clock)}   processor {middle_and_end(busy)}"


def middle_and_end(spent: Sequence[float]) -> str:
    """Return median and 95th percentile, written out."""
    ordered = sorted(spent)
    return f"median {ordered[len(ordered) // 2]:7.2f} ms, p95 {ordered[int(len(ordered) * 0.95)]:7.2f} ms"


def measure_words(folder: Path, memories: Iterable[Memory], queries: Sequence[str]) -> Iterator[Line]:
    """Measure an open brain by words; a folder that was filled before is taken as it is."""
    ground = Ground(folder)
    if not (folder / "memory.db").exists():
        yield from fill(ground, memories)
    yield from ask(ground, queries, model="off")


def measure_model(folder: Path, queries: Sequence[str]) -> Iterator[Line]:
    """Measure the same brain with the installed model; say so when there is none."""
    ground = Ground(folder)
    real = wiring.open_embedder(load_settings(ground.environment(model=""), store=ground.url))
    if real is None:
        yield "open brain, words and model", "no model is installed: make model"
        return
    yield from give_vectors(ground, real)
    yield from ask(ground, queries, model="")
