"""Vectors of a log: found exactly, kept beside it, and never mixed when they do not fit."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from plainbrain.errors import InvalidField
from plainbrain.model.change import Put, Remove
from plainbrain.model.memory import Dynamics, Memory
from plainbrain.stores.jsonl import near
from plainbrain.stores.jsonl.store import JsonlStore


def log(tmp_path: Path) -> JsonlStore:
    return JsonlStore(tmp_path / "m.jsonl", durable=False)


def test_finds_by_cosine_whoever_wrote(tmp_path: Path) -> None:
    store, other = log(tmp_path), log(tmp_path)
    store.apply([Put(Memory("a", "x", embedding=(3.0, 0.0))), Put(Memory("b", "y", embedding=(1.0, 1.0)))])
    found = dict(store.nearest((5.0, 0.0), 5))
    assert list(found) == ["a", "b"]
    assert list(found.values()) == pytest.approx([1.0, math.sqrt(0.5)])
    other.apply([Put(Memory("a", "x", embedding=(0.0, 1.0))), Remove("b")])
    [(id, cosine)] = store.nearest((5.0, 0.0), 5)
    assert id == "a"
    assert cosine == pytest.approx(0.0)


def test_keeps_users_tiers_and_the_superseded_apart(tmp_path: Path) -> None:
    store = log(tmp_path)
    store.apply(
        [
            Put(Memory("a", "x", user_id="ann", embedding=(1.0, 0.0))),
            Put(Memory("b", "x", user_id="bob", embedding=(1.0, 0.0))),
            Put(Memory("c", "x", user_id="ann", embedding=(1.0, 0.0), dynamics=Dynamics(cold=True))),
            Put(Memory("s", "x", user_id="ann", embedding=(1.0, 0.0), status="superseded")),
        ]
    )
    ids = [id for id, _ in store.nearest((1.0, 0.0), 9)]
    assert ids == ["a", "b"]
    assert [id for id, _ in store.nearest((1.0, 0.0), 9, user_id="ann")] == ["a"]
    assert [id for id, _ in store.nearest((1.0, 0.0), 9, user_id="ann", all_tiers=True, superseded=True)] == [
        "a",
        "c",
        "s",
    ]
    assert store.nearest((1.0, 0.0), 9, user_id="eve") == []


def test_what_does_not_fit_is_told_and_never_mixed_in(tmp_path: Path) -> None:
    store = log(tmp_path)
    store.apply([Put(Memory(f"m{n}", "x", embedding=(1.0, float(n)))) for n in range(3)])
    odd = {"short": (1.0,), "zero": (0.0, 0.0), "none": None, "nan": (math.nan, 1.0)}
    store.apply([Put(Memory(id, "x", embedding=vector)) for id, vector in odd.items()])
    assert {id for id, _ in store.nearest((1.0, 0.0), 9)} == {"m0", "m1", "m2"}
    told = " ".join(problem.message for problem in store.vector_problems())
    assert all(id in told for id in odd)
    assert len(store.vector_problems()) == 4
    for wrong in ((1.0, 0.0, 0.0), (0.0, 0.0), (math.nan, 1.0)):
        with pytest.raises(InvalidField):
            store.nearest(wrong, 3)


def test_the_length_that_most_have_is_that_of_the_log(tmp_path: Path) -> None:
    store = log(tmp_path)
    store.apply([Put(Memory("old", "x", embedding=(1.0, 0.0)))])
    assert len(store.nearest((1.0, 0.0), 9)) == 1
    store.apply([Put(Memory(f"n{n}", "x", embedding=(1.0, 0.0, float(n)))) for n in range(3)])
    assert [id for id, _ in store.nearest((1.0, 0.0, 0.0), 9)] == ["n0", "n1", "n2"]
    assert "old" in store.vector_problems()[0].message


def test_vectors_are_read_from_their_file_when_it_fits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near, "_WRITE_AFTER", 1)
    store = log(tmp_path)
    chance = np.random.default_rng(5)
    store.apply([Put(Memory(f"m{n}", "x", embedding=tuple(chance.standard_normal(8).tolist()))) for n in range(50)])
    query = tuple(chance.standard_normal(8).tolist())
    told = store.nearest(query, 10)
    store.close()
    file = tmp_path / "m.jsonl.brain" / "vectors.bin"
    assert file.exists()
    again = log(tmp_path)
    assert again.nearest(query, 10) == told
    again.apply([Put(Memory("m1", "x", embedding=tuple(float(-x) for x in query))), Remove("m2")])
    again.close()
    changed = [(id, cosine) for id, cosine in told if id not in ("m1", "m2")]
    assert [pair for pair in log(tmp_path).nearest(query, 10) if pair in changed] == changed
    file.write_bytes(file.read_bytes()[:-4] + b"\0\0\0\0")
    assert log(tmp_path).nearest(query, 1) == changed[:1]
    file.write_bytes(b"nonsense")
    assert log(tmp_path).nearest(query, 1) == changed[:1]


def test_vectors_are_not_read_again_after_a_compaction(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = log(tmp_path)
    store.apply([Put(Memory(f"m{n}", "x", embedding=(1.0, float(n)))) for n in range(20)])
    told = store.nearest((1.0, 0.0), 5)
    store.compact()
    monkeypatch.setattr(near.LogVectors, "_take", lambda *given: pytest.fail("a vector was read again"))
    assert store.nearest((1.0, 0.0), 5) == told
