"""Measure the model and the vectors: texts a second, a question's time, likeness to full precision, search, shortlist.

Run ``python bench/vector_speed.py [--weights FOLDER]``. Needs an installed model (``make model``). With ``--weights``, a
folder that holds model.safetensors, config.json and tokenizer.json, the model is also held against full precision.
Vectors for the search are made up: clusters around random centres, the same for every run.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from plainbrain.app import wiring
from plainbrain.app.settings import load_settings
from plainbrain.embed.convert import convert_whole
from plainbrain.index.sqlite import SqliteIndex
from plainbrain.model.change import Put
from plainbrain.model.memory import Memory
from plainbrain.stores.ram import RamStore
from plainbrain.vectors.table import Floats, VectorTable

_NOUNS = [
    "server",
    "cat",
    "budget",
    "river",
    "teacher",
    "invoice",
    "garden",
    "train",
    "contract",
    "kitchen",
    "release",
    "holiday",
    "engine",
    "market",
    "letter",
]
_VERBS = ["broke", "moved", "opened", "grew", "failed", "arrived", "changed", "ended", "stayed", "began"]
_TAILS = [
    "on Monday",
    "after the meeting",
    "near Lisbon",
    "because of rain",
    "for the second time",
    "without notice",
    "in the old house",
]


def short_texts(count: int) -> list[str]:
    """Return sentences of some twenty words, each another."""
    choose = random.Random(5)

    def clause() -> str:
        return (
            f"the {choose.choice(_NOUNS)} of {choose.choice(_NOUNS)}s {choose.choice(_VERBS)} {choose.choice(_TAILS)}"
        )

    return [f"{clause()}, and then {clause()} ({number})" for number in range(count)]


def clustered(count: int, dimensions: int = 384) -> Floats:
    """Return unit vectors that lie in clusters, as those of texts do."""
    make = np.random.default_rng(11)
    centres = make.normal(size=(max(10, count // 200), dimensions)).astype(np.float32)
    rows = centres[make.integers(0, len(centres), count)] + 1.5 * make.normal(size=(count, dimensions)).astype(
        np.float32
    )
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


def times(work: Callable[[int], object], rounds: int) -> dict[str, float]:
    """Return median and p95 of some calls, and what one takes of a processor, in milliseconds."""
    taken = []
    used = time.process_time()
    for number in range(rounds):
        start = time.perf_counter()
        work(number)
        taken.append((time.perf_counter() - start) * 1000)
    taken.sort()
    used = (time.process_time() - used) * 1000 / rounds
    return {
        "processor_ms": round(used, 2),
        "p50_ms": round(statistics.median(taken), 2),
        "p95_ms": round(taken[int(len(taken) * 0.95)], 2),
    }


def measure_model() -> Iterator[dict[str, object]]:
    """Yield what the installed model does: one process, as many threads as it takes by itself."""
    model = wiring.open_embedder(load_settings(os.environ))
    if model is None:
        raise SystemExit("no model is installed: make model")
    start = time.perf_counter()
    model.embed_query("load")
    yield {"what": "load", "model": model.name, "s": round(time.perf_counter() - start, 3)}
    texts = short_texts(600)
    start, used = time.perf_counter(), time.process_time()
    model.embed(texts)
    wall, processor = time.perf_counter() - start, time.process_time() - used
    yield {"what": "embed", "texts_per_s": round(600 / wall), "texts_per_processor_s": round(600 / processor)}
    yield {"what": "question", **times(lambda n: model.embed_query(f"what happened to the {_NOUNS[n % 15]}?"), 60)}
    store = RamStore("bench")
    store.apply([Put(Memory(f"m{n}", text)) for n, text in enumerate(texts)])
    with tempfile.TemporaryDirectory() as folder:
        index = SqliteIndex(Path(folder), store.url, model=model)
        start, used = time.perf_counter(), time.process_time()
        index.catch_up(store)
        while index.embed_some(store, 128).left:
            pass
        wall, processor = time.perf_counter() - start, time.process_time() - used
        yield {"what": "ingest", "texts_per_s": round(600 / wall), "texts_per_processor_s": round(600 / processor)}
        index.close()


def measure_precision(folder: Path) -> dict[str, object]:
    """Return the cosines of the installed model's vectors with those of full precision."""
    model = wiring.open_embedder(load_settings(os.environ))
    assert model is not None
    texts = short_texts(300)
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    with tempfile.TemporaryDirectory() as place:
        whole = Path(place) / "whole.onnx"
        convert_whole(folder / "model.safetensors", folder / "config.json", whole)
        session = onnxruntime.InferenceSession(str(whole), providers=["CPUExecutionProvider"])
    cosines = []
    for text, vector in zip(texts, model.embed(texts), strict=True):
        ids = np.array([tokenizer.encode(text).ids])
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        cosines.append(float(np.asarray(session.run(None, feed)[0])[0] @ np.array(vector, np.float32)))
    return {
        "what": "cosine with full precision",
        "mean": round(statistics.mean(cosines), 4),
        "least": round(min(cosines), 4),
    }


def measure_search(count: int) -> dict[str, object]:
    """Return the time of a search among ``count`` vectors, and the part of the true ten nearest that it finds."""
    rows = clustered(count)
    table = VectorTable(rows.shape[1])
    table.fill([str(n) for n in range(count)], rows, np.zeros(count, np.int32))
    make = np.random.default_rng(3)
    asked = rows[make.integers(0, count, 60)] + 0.05 * make.normal(size=(60, rows.shape[1])).astype(np.float32)
    asked /= np.linalg.norm(asked, axis=1, keepdims=True)
    table.search(asked[0], 10)
    found = times(lambda n: table.search(asked[n], 100), 60)
    hits = 0
    for query in asked:
        truth = {str(n) for n in np.argsort(-(rows @ query))[:10]}
        hits += len(truth & {near.id for near in table.search(query, 10)})
    return {"what": "search", "vectors": count, **found, "recall_at_10": round(hits / 600, 4)}


def main() -> None:
    """Print one line of JSON for each measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path)
    arguments = parser.parse_args()
    for line in measure_model():
        print(json.dumps(line), flush=True)
    if arguments.weights:
        print(json.dumps(measure_precision(arguments.weights)), flush=True)
    for count in (10_000, 100_000):
        print(json.dumps(measure_search(count)), flush=True)


if __name__ == "__main__":
    main()
