"""The figures of our rules on the labelled lists do not fall."""

from __future__ import annotations

from plainbrain.evaluation.cases import ConflictCase
from plainbrain.evaluation.judgement import (
    Score,
    score_conflicts,
    score_extraction,
    score_feedback,
    score_secrets,
    table,
)


def test_secrets_reach_the_bar() -> None:
    for score in score_secrets():
        assert score.precision >= 0.98, score
        assert score.name == "redaction" or score.recall >= 0.95, score


def test_extraction_reaches_the_bar() -> None:
    dev, _, held, quiet = score_extraction()
    assert (dev.recall, dev.precision) >= (0.9, 0.9)
    assert held.recall >= 0.6
    assert quiet.recall >= 0.9


def test_feedback_reaches_the_bar() -> None:
    assert all(score.recall >= 0.8 for score in score_feedback())


def test_a_rule_of_conflicts_is_counted_both_ways() -> None:
    def always(case: ConflictCase) -> bool:
        return bool(case.a)

    for score in score_conflicts(always):
        assert score.recall == 1.0
        assert 0 < score.precision < 1
        assert score.told > score.found


def test_the_table_shows_counts_and_shares() -> None:
    assert "| x | dev | 1/2 | 0.500 | 1/4 | 0.250 |" in table([Score("x", "dev", 1, 2, 1, 4)])
