"""The figures of the veto: they may rise and not fall."""

from __future__ import annotations

from plainbrain.evaluation.vetoes import score_vetoes


def test_recall_of_the_vetoing_decision() -> None:
    known, unknown = score_vetoes()
    assert known.recall == 1.0
    assert unknown.recall >= 0.75
    assert known.named == known.direct == 10
    assert known.false_alarms <= 1
