"""The seeds are the same whether everything that matches was scored or the best by words alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from plainbrain.index import seeds
from plainbrain.model.confidence import Confidence
from plainbrain.model.instants import DAY_MS, Instant, parse_instant
from plainbrain.model.memory import Memory
from plainbrain.model.provenance import Provenance
from plainbrain.model.query import Query
from plainbrain.testing.builders import NOON
from tests.index.brains import Brain, assert_same

_WORDS = [f"word{n}" for n in range(34)] + ["fail", "failure", "database", "db", "decision", "decide"]


def crowd(count: int) -> list[Memory]:
    """Return notes in which some words are common, of every length, certainty and age, some of them hidden."""
    chance = Random(5)
    assert NOON.ms is not None
    return [
        Memory(
            f"m{number}",
            " ".join(chance.choices(_WORDS, weights=range(40, 0, -1), k=chance.randrange(3, 40))),
            confidence=Confidence(number=round(chance.uniform(0.05, 1.0), 2)),
            created=Instant(NOON.ms - chance.randrange(2000) * DAY_MS),
            status=chance.choice(["active"] * 4 + ["superseded"]),
            provenance=Provenance(trust=chance.choice(["", "", "unreviewed", "quarantined"])),
            valid_until=chance.choice([None, None, parse_instant("2001-01-01")]),
        )
        for number in range(count)
    ]


@pytest.fixture
def brain(tmp_path: Path) -> Brain:
    return Brain(tmp_path, *crowd(900))


@pytest.mark.parametrize(
    "text", ["word1 word33", "word5", "word30 word31 word32 word2", "word1 nothing", "failure db", "fail word5"]
)
@pytest.mark.parametrize("ample", [1, 3, 30])
def test_from_the_best_by_words_as_from_all(
    brain: Brain, monkeypatch: pytest.MonkeyPatch, text: str, ample: int
) -> None:
    found = []
    tried = seeds._best_of_the_best

    def watched(*given: object, **named: object) -> list[seeds.Row] | None:
        found.append(tried(*given, **named))  # type: ignore[arg-type]
        return found[-1]

    monkeypatch.setattr(seeds, "_best_of_the_best", watched)
    queries = [Query(text, k=k, profile="auto") for k in (1, 5, 10)]
    monkeypatch.setattr("plainbrain.retrieval.auto.SEEDS", 10)
    plain = [brain.search(query) for query in queries]
    assert not found, "too few for a second way"
    monkeypatch.setattr(seeds, "_MANY", 1)
    monkeypatch.setattr(seeds, "_AMPLE", ample)
    for query, answer in zip(queries, plain, strict=True):
        assert_same(brain.search(query), answer)
        assert_same(brain.search(query), brain.scan(query))
    assert len(found) == 6
    assert ample > 1 or None in found, "where the best are too few, all are looked at"
    if ample == 30 and text == "word30 word31 word32 word2":
        assert None not in found, "where they are ample, they are enough"


@pytest.mark.parametrize(
    "narrow", [{"cortex": "none"}, {"after": parse_instant("2025-01-01")}, {"include_superseded": True}]
)
def test_totals_count_what_is_shown(brain: Brain, narrow: dict[str, object]) -> None:
    query = replace(Query("word1", profile="auto"), **narrow)  # type: ignore[arg-type]
    assert brain.search(query)[1] == brain.scan(query)[1]
    blueprint = replace(query, profile="blueprint")
    assert brain.search(blueprint)[1] == brain.scan(blueprint)[1]
