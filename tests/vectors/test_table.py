"""The table of vectors: exact where it is small, nearly as good and much faster where it is large."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainbrain.vectors import table as table_module
from plainbrain.vectors.table import VectorTable, unit


def filled(rows: np.ndarray, labels: np.ndarray | None = None) -> VectorTable:
    table = VectorTable(rows.shape[1])
    numbers = np.zeros(len(rows), np.int32) if labels is None else labels.astype(np.int32)
    table.fill([str(i) for i in range(len(rows))], rows.astype(np.float32), numbers)
    return table


def normal(count: int, dimensions: int, seed: int = 1) -> np.ndarray:
    rows = np.random.default_rng(seed).standard_normal((count, dimensions))
    found: np.ndarray = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return found


@pytest.mark.parametrize("vector", [[], [0.0, 0.0], [math.nan, 1.0], [math.inf, 1.0], ["x"], [[1.0]]])
def test_what_has_no_direction_is_no_vector(vector: list[float]) -> None:
    assert unit(vector) is None


def test_a_vector_of_any_length_is_made_one_long() -> None:
    for scale in (1e-300, 1.0, 1e300):
        found = unit([3 * scale, 4 * scale])
        assert found is not None
        assert found.tolist() == pytest.approx([0.6, 0.8])


def test_finds_the_nearest_first() -> None:
    rows = normal(300, 16)
    table, query = filled(rows), rows[7].astype(np.float32)
    found = table.search(query, 5)
    assert [near.id for near in found] == [str(i) for i in np.argsort(-(rows @ query))[:5]]
    assert found[0].cosine == pytest.approx(1.0)
    assert table.search(query, 1000)[-1].cosine == pytest.approx(float((rows @ query).min()), abs=1e-6)
    assert table.search(query, 0) == []


def test_looks_among_the_wanted_only() -> None:
    rows = normal(500, 8)
    table = filled(rows, np.arange(500) % 5)
    found = table.search(rows[0].astype(np.float32), 10, wanted=lambda labels: labels == 3)
    assert all(int(near.id) % 5 == 3 for near in found)
    best = sorted((i for i in range(500) if i % 5 == 3), key=lambda i: -float(rows[i] @ rows[0]))[:10]
    assert [near.id for near in found] == [str(i) for i in best]


@pytest.mark.parametrize("kind", ["scattered", "grouped", "off centre"])
def test_the_shortlist_finds_what_an_exact_search_finds(kind: str) -> None:
    count, dimensions = 24_000, 384
    rows = normal(count, dimensions)
    if kind != "scattered":
        rows = (
            rows
            + 1.2 * normal(400, dimensions, 2)[np.arange(count) % 400]
            + (1.0 if kind == "off centre" else 0) * rows[0]
        )
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    table, hits = filled(rows), 0
    for number in range(40):
        query = unit(rows[number * 7] + normal(40, dimensions, 3)[number] * (0.6 if kind != "scattered" else 50))
        assert query is not None
        exact = {str(i) for i in np.argsort(-(rows @ query))[:10]}
        found = table.search(query, 10)
        assert [near.cosine for near in found] == sorted((near.cosine for near in found), reverse=True)
        hits += len(exact & {near.id for near in found})
    assert hits >= 0.97 * 400


def test_the_shortlist_keeps_up_with_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_module, "EXACT_UP_TO", 1000)
    rows = normal(3000, 64)
    table = filled(rows)
    assert table.search(rows[5].astype(np.float32), 1)[0].id == "5"
    for number in range(200):
        table.set(f"new {number}", normal(1, 64, 100 + number)[0].astype(np.float32))
        table.remove(str(number))
    for number in range(200):
        assert table.search(normal(1, 64, 100 + number)[0].astype(np.float32), 1)[0].id == f"new {number}"
    assert table.search(rows[2999].astype(np.float32), 1)[0].id == "2999"
    assert "5" not in table


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.booleans(), st.integers(0, 5)), max_size=30))
@settings(max_examples=100, deadline=None)
def test_is_a_dictionary_of_vectors(steps: list[tuple[str, bool, int]]) -> None:
    table, told = VectorTable(6), dict[str, int]()
    for id, adds, axis in steps:
        if adds:
            table.set(id, np.eye(6, dtype=np.float32)[axis])
            told[id] = axis
        else:
            table.remove(id)
            told.pop(id, None)
    assert len(table) == len(told)
    for axis in range(6):
        found = table.search(np.eye(6, dtype=np.float32)[axis], 10)
        assert {near.id for near in found if near.cosine > 0.5} == {id for id, a in told.items() if a == axis}
