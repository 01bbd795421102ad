"""Reciprocal rank fusion: places alone count, in two rankings or in one."""

from __future__ import annotations

import pytest

from plainbrain.model.hit import Explanation
from plainbrain.model.memory import Memory
from plainbrain.model.query import Query
from plainbrain.retrieval.fusion import DEPTH, K, Scored, depth_for, fuse
from plainbrain.retrieval.rank import Place, in_order
from plainbrain.retrieval.scan import search_plainly
from plainbrain.testing.builders import NOON


def by_score(**scores: float) -> list[Scored]:
    return [(Place(0, 0, id), Explanation({"score": score})) for id, score in scores.items()]


def scores_of(fused: list[Scored]) -> dict[str, float]:
    return {place.id: why.factors["score"] for place, why in in_order(fused)}


def test_first_in_both_is_all_that_can_be_reached() -> None:
    fused = scores_of(fuse(by_score(a=0.9, b=0.1), by_score(a=0.2, c=0.1)))
    assert list(fused) == ["a", "b", "c"]
    assert fused["a"] == pytest.approx(1.0)
    assert fused["b"] == pytest.approx((1 / (K + 2)) / (2 / (K + 1)))


def test_two_good_places_beat_one_first() -> None:
    fused = scores_of(fuse(by_score(a=0.9, b=0.8), by_score(c=0.9, b=0.8)))
    assert next(iter(fused)) == "b"


def test_how_far_apart_scores_are_counts_nothing() -> None:
    near, far = by_score(a=0.51, b=0.5), by_score(a=0.9, b=0.0001)
    assert scores_of(fuse(near, None)) == scores_of(fuse(far, None))


def test_both_places_are_told_and_zero_is_no_place() -> None:
    found = {place.id: why.factors for place, why in fuse(by_score(b=0.1, a=0.9), by_score(c=0.5))}
    assert [(found[id]["words_place"], found[id]["likeness_place"]) for id in "abc"] == [(1, 0), (2, 0), (0, 1)]
    alone = fuse(by_score(a=0.9), None)[0][1].factors
    assert "likeness_place" not in alone
    assert alone["score"] == pytest.approx(1.0)


def test_by_words_alone_the_order_is_that_of_blueprint() -> None:
    stored = [Memory(f"m{n}", "gateway " * (n % 5 + 1) + f"timeout number {n} " * (n % 3)) for n in range(200)]
    orders = []
    for profile in ("blueprint", "rrf"):
        for offset in (0, 40, 150):
            found, total = search_plainly(stored, Query("gateway timeout", 40, offset, profile=profile), now=NOON)
            orders.append(([id for id, _, _ in found], total))
    assert orders[:3] == orders[3:]


def test_a_deep_page_looks_deep_enough() -> None:
    assert depth_for(Query("a")) == DEPTH
    assert depth_for(Query("a", 10, 500)) == 510
    assert depth_for(Query("a", -3, -4)) == DEPTH
