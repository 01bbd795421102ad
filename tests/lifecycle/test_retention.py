"""The formulas of forgetting against values worked out by hand."""

from __future__ import annotations

import pytest

from plainbrain.lifecycle import retention as r
from plainbrain.model.instants import from_ms
from plainbrain.model.memory import Dynamics, Memory, Usage
from plainbrain.testing.builders import NOON


@pytest.mark.parametrize(
    ("category", "stability", "importance", "days", "left"),
    [
        ("semantic", 0.3, 0.5, 60, 0.43459821),  # rho = 0.3 * 2 * 120 = 72; exp(-60/72)
        ("episodic", 0.1, 0.2, 7, 0.32919299),  # rho = 0.1 * 1.4 * 45 = 6.3; exp(-7/6.3)
        ("core", 0.5, 1.0, 1000, 0.60),  # rho = 0.5 * 3 * 120 = 180; at the floor
        ("procedural", 0.0, 0.0, 10_000, 1.0),
        ("semantic", 0.0, 0.0, 30, 0.02),  # rho = 0.01 * 1 * 120 = 1.2; at the floor
    ],
)
def test_retention(category: str, stability: float, importance: float, days: float, left: float) -> None:
    assert r.retention(category, stability=stability, importance=importance, days=days) == pytest.approx(left)
    assert r.retention(category, stability=stability, importance=importance, days=days, stub=True) == 0


@pytest.mark.parametrize(
    ("category", "stability", "importance", "span"),
    [("semantic", 0.3, 0.5, 72), ("episodic", 0.1, 0.2, 6.3), ("core", 0.5, 1.0, 180), ("semantic", 0.0, 0.0, 1.2)],
)
def test_the_time_constant(category: str, stability: float, importance: float, span: float) -> None:
    assert r.half_way_days(category, stability=stability, importance=importance) == pytest.approx(span)


@pytest.mark.parametrize(("days", "left"), [(0, 1.0), (72, 0.36787), (216, 0.135333)])
def test_power_retention(days: float, left: float) -> None:
    # rho = 72: 2**-1.4427 = 1/e and 4**-1.4427 = 1/e**2, as gamma is 1/ln 2
    assert r.power_retention("semantic", stability=0.3, importance=0.5, days=days) == pytest.approx(left, abs=1e-4)


@pytest.mark.parametrize(("days", "at_floor"), [(281, 0), (281.6656566, 0), (290, 8.3343434)])
def test_days_at_floor_are_days(days: float, at_floor: float) -> None:
    # rho = 72: the floor 0.02 is reached after 72 * ln 50 = 281.6656566 days
    assert r.days_at_floor("semantic", stability=0.3, importance=0.5, days=days) == pytest.approx(at_floor, abs=1e-5)


@pytest.mark.parametrize(("days", "direct", "associative"), [(0, 0.3, 0.3), (3.5, 0.35, 0.315), (100, 0.5, 0.36)])
def test_stability_grows_with_spacing(days: float, direct: float, associative: float) -> None:
    assert r.stability_after_recall(0.3, days) == pytest.approx(direct)
    assert r.stability_after_association(0.3, days) == pytest.approx(associative)
    assert r.stability_after_recall(0.95, 100) == 1


def test_core_promotion_needs_all_three() -> None:
    assert r.is_core(accesses=10, stability=0.85, sessions=3)
    assert not r.is_core(accesses=9, stability=0.85, sessions=3)
    assert not r.is_core(accesses=10, stability=0.84, sessions=3)
    assert not r.is_core(accesses=10, stability=0.85, sessions=2)


@pytest.mark.parametrize(("weight", "days", "left"), [(0.9, 0, 0.9), (0.9, 30, 0.64487818), (0.5, 90, 0.18393972)])
def test_associations_decay_from_their_date(weight: float, days: float, left: float) -> None:
    assert r.association_weight(weight, days) == pytest.approx(left)


@pytest.mark.parametrize(("cosine", "weight"), [(0.39, None), (0.4, 0.2), (0.8, 0.4), (1.0, 0.5)])
def test_the_first_weight_follows_likeness(cosine: float, weight: float | None) -> None:
    found = r.first_weight(cosine)
    assert found == (None if weight is None else pytest.approx(weight))


@pytest.mark.parametrize(("before", "after"), [(0.0, 0.1), (0.4, 0.5), (0.95, 1.0), (1.0, 1.0)])
def test_found_together_ties_closer(before: float, after: float) -> None:
    assert r.strengthened(before) == pytest.approx(after)


@pytest.mark.parametrize(
    ("cosine", "held", "score"), [(1.0, 1.0, 1.0), (0.8, 0.5, 0.64980192), (0.5, 0.02, 0.15462475)]
)
def test_search_score(cosine: float, held: float, score: float) -> None:
    assert r.search_score(cosine, held) == pytest.approx(score)


def test_retention_of_a_memory_goes_by_its_last_recall() -> None:
    assert NOON.ms is not None
    made, used = from_ms(NOON.ms - 100 * 86_400_000), from_ms(NOON.ms - 60 * 86_400_000)
    memory = Memory("a", "x", memory_class="semantic", created=made, dynamics=Dynamics(importance=0.5, stability=0.3))
    assert r.retention_of(memory, NOON) == pytest.approx(0.24935221)
    recalled = Memory("a", "x", memory_class="semantic", created=made, usage=Usage(1, used))
    assert r.retention_of(recalled, NOON) == pytest.approx(0.43459821)
    just_now = Memory("a", "x", memory_class="semantic", created=NOON)
    assert r.retention_of(just_now, NOON) == 1
    assert r.retention_of(Memory("a", created=made, dynamics=Dynamics(stub=True)), NOON) == 0
    assert r.idle_days(Memory("a"), NOON) == 0
    assert r.idle_days(Memory("a", created=made), NOON) == 100
    assert r.idle_days(Memory("a", created=made, usage=Usage(1, used)), NOON) == 60


def test_plans_and_passing_states_end() -> None:
    assert NOON.ms is not None
    before, after = from_ms(NOON.ms - 1000), from_ms(NOON.ms + 1000)
    assert r.is_expired(Memory("a", kind="plan", valid_until=before), NOON)
    assert not r.is_expired(Memory("a", kind="plan", valid_until=after), NOON)
    assert not r.is_expired(Memory("a", kind="fact", valid_until=before), NOON)
    assert r.is_expired(Memory("a", kind="transient_state", created=before, ttl_seconds=0.5), NOON)
    assert not r.is_expired(Memory("a", kind="transient_state", created=before, ttl_seconds=1.5), NOON)
    assert r.is_expired(Memory("a", kind="plan", valid_from=after), NOON)


def test_texts_of_stubs_and_summaries() -> None:
    assert r.stub_text("") == "[archived] "
    assert r.stub_text("short") == "[archived] short"
    assert r.stub_text("x" * 300) == "[archived] " + "x" * 200
    assert r.summary_text(["a ", "b"]) == "Summary: a | b"
