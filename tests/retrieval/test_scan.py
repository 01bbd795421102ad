"""The plain scan and the scores it gives: words × confidence × freshness × trust, and the three policies."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plainbrain.model.confidence import Confidence
from plainbrain.model.instants import DAY_MS, Instant, parse_instant
from plainbrain.model.memory import Memory, Usage
from plainbrain.model.provenance import Provenance
from plainbrain.model.query import Query
from plainbrain.retrieval.freshness import HALF_LIFE_DAYS, freshness, half_life_days
from plainbrain.retrieval.policies import POLICIES
from plainbrain.retrieval.scan import search_plainly
from plainbrain.testing.builders import NOON

OTHERS = [Memory(f"other-{n}", f"something about subject {n} and matter") for n in range(6)]
NOTE = Memory("note", "The api gateway times out", kind="fact", confidence=Confidence(number=0.8))


def ago(days: int) -> Instant:
    assert NOON.ms is not None
    return Instant(NOON.ms - days * DAY_MS)


def order(*memories: Memory, text: str = "gateway", profile: str = "") -> list[str]:
    hits, _ = search_plainly([*memories, *OTHERS], Query(text, profile=profile), now=NOON)
    return [id for id, _, _ in hits]


def test_every_factor_is_a_number_and_the_score_is_their_product() -> None:
    note = replace(NOTE, created=ago(365), provenance=Provenance(trust="unreviewed"))
    [(id, score, why)], total = search_plainly([note, *OTHERS], Query("gateway"), now=NOON)
    f = why.factors
    assert (id, total) == ("note", 1)
    assert list(f) == [
        "bm25", "relevance", "confidence", "freshness", "trust", "age_days", "half_life_days", "score",
    ]  # fmt: skip
    assert (f["confidence"], f["freshness"], f["trust"], f["age_days"], f["half_life_days"]) == (
        0.8,
        0.5,
        0.5,
        365,
        365,
    )
    assert 0 < f["relevance"] <= 1
    assert score == f["score"] == pytest.approx(f["relevance"] * 0.8 * 0.5 * 0.5)


def test_freshness_counts_from_the_last_check() -> None:
    checked = replace(NOTE, created=ago(1000), last_validated=ago(0))
    [(_, _, why)], _ = search_plainly([checked, *OTHERS], Query("gateway"), now=NOON)
    assert why.factors["freshness"] == 1.0


@pytest.mark.parametrize("created", [None, parse_instant("one day"), parse_instant("2099-01-01")])
def test_without_a_date_in_the_past_it_is_fresh(created: Instant | None) -> None:
    [(_, _, why)], _ = search_plainly([replace(NOTE, created=created), *OTHERS], Query("gateway"), now=NOON)
    assert why.factors["freshness"] == 1.0


def test_kinds_age_at_their_own_pace() -> None:
    assert half_life_days("Policy") > half_life_days("fact") > half_life_days("incident")
    assert half_life_days("something else") == 365
    assert all(freshness(days, days) == 0.5 for days in HALF_LIFE_DAYS.values())


def test_the_surer_the_fresher_and_the_reviewed_come_first() -> None:
    assert order(replace(NOTE, id="b", confidence=Confidence(number=0.3)), NOTE) == ["note", "b"]
    assert order(replace(NOTE, id="b", created=ago(400)), replace(NOTE, created=ago(3))) == ["note", "b"]
    assert order(replace(NOTE, id="b", provenance=Provenance(trust="unreviewed")), NOTE) == ["note", "b"]


def test_a_title_says_more_than_a_body() -> None:
    assert order(NOTE, Memory("b", "The api times out", title="gateway", confidence=NOTE.confidence)) == ["b", "note"]


def test_fifty_superseded_never_crowd_out_the_live_one() -> None:
    old = [replace(NOTE, id=f"old-{n}", status="superseded", confidence=Confidence(number=1.0)) for n in range(50)]
    hits, total = search_plainly([*old, NOTE, *OTHERS], Query("gateway", k=5), now=NOON)
    assert ([id for id, _, _ in hits], total) == (["note"], 1)
    _, total = search_plainly([*old, NOTE, *OTHERS], Query("gateway", k=5, include_superseded=True), now=NOON)
    assert total == 51


def test_paging_goes_on_where_it_stopped() -> None:
    notes = [replace(NOTE, id=f"n{n}") for n in range(7)]
    whole = order(*notes)
    pages = [search_plainly([*notes, *OTHERS], Query("gateway", k=3, offset=at), now=NOON)[0] for at in (0, 3, 6)]
    assert [id for page in pages for id, _, _ in page] == whole == [f"n{n}" for n in range(7)]


@pytest.mark.parametrize("profile", list(POLICIES))
def test_a_policy_explains_itself(profile: str) -> None:
    [(_, score, why)], _ = search_plainly([NOTE, *OTHERS], Query("gateway", profile=profile), now=NOON)
    assert list(why.factors) == ["lexical", "semantic", "keyword", "tag", "conf", "recency", "freq", "score"]
    assert why.factors["keyword"] == pytest.approx(1.0)
    policy = POLICIES[profile]
    assert score == pytest.approx(
        why.factors["lexical"] * policy.lexical + why.factors["semantic"] * policy.semantic, abs=2e-4
    )


@pytest.mark.parametrize("profile", list(POLICIES))
def test_tags_are_found_by_their_stems(profile: str) -> None:
    tagged = Memory("b", "say it plainly", tags=("code.testing",))
    assert order(tagged, text="testing", profile=profile) == ["b"]
    assert order(tagged, text="tests", profile=profile) == ["b"]


@pytest.mark.parametrize("profile", list(POLICIES))
def test_use_lifts_nothing_over_a_better_answer(profile: str) -> None:
    better = Memory("better", "the gateway timeout is thirty seconds", usage=Usage(0, ago(300)))
    worn = Memory("worn", "the gateway is old and somebody painted it", usage=Usage(10_000, NOON))
    assert order(worn, better, text="gateway timeout", profile=profile) == ["better", "worn"]
    twin = replace(better, id="twin", usage=Usage(5, NOON))
    assert order(better, twin, text="gateway timeout", profile=profile) == ["twin", "better"]
