"""The figures of the veto: they may rise and not fall."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs
import pytest

from plainbrain.evaluation.vetoes import score_vetoes

MODEL = "all-MiniLM-L6-v2"
_MODELS = Path(os.environ.get("BRAIN_MODELS") or platformdirs.user_data_path("plainbrain") / "models")


def test_recall_of_the_vetoing_decision() -> None:
    known, unknown = score_vetoes()
    assert known.recall == 1.0
    assert unknown.recall >= 0.75
    assert known.named == known.direct == 10
    assert known.false_alarms <= 1


def test_with_vectors_more_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    if not (_MODELS / MODEL).is_dir():
        pytest.skip(f"the model {MODEL} is not installed")
    monkeypatch.setenv("BRAIN_MODELS", str(_MODELS))
    known, unknown = score_vetoes(model=MODEL)
    assert known.recall == 1.0
    assert unknown.recall >= 0.9
