"""How much agent-brain's policies find on a real conversation, before and after much use."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from plainbrain.model.change import Use
from plainbrain.model.confidence import Confidence
from plainbrain.model.memory import Memory
from plainbrain.model.query import Query
from plainbrain.testing.builders import FixedClock
from tests.index.brains import Brain

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "locomo-dev.json"
#: What a policy must find of the evidence within ten answers.
WANTED = 0.540


@pytest.fixture(scope="module")
def conversation() -> Any:
    if not DATA.exists():
        pytest.skip(f"needs {DATA.name} beside the project")
    return next(c for c in json.loads(DATA.read_text(encoding="utf-8")) if c["sample_id"] == "conv-26")


def turns_of(conversation: Any) -> list[Memory]:
    sessions = (turns for name, turns in conversation["conversation"].items() if isinstance(turns, list) and name)
    return [
        Memory(t["dia_id"], f"{t['speaker']}: {t['text']}", kind="fact", tags=("chat",), confidence=Confidence(word="likely"))
        for turns in sessions
        for t in turns
    ]  # fmt: skip


def questions_of(conversation: Any) -> list[tuple[str, list[str]]]:
    return [(q["question"], q["evidence"]) for q in conversation["qa"] if q["category"] < 5 and q.get("evidence")]


@pytest.mark.parametrize("profile", ["balanced", "deep"])
def test_finds_the_evidence_and_no_less_after_use(tmp_path: Path, conversation: Any, profile: str) -> None:
    brain = Brain(tmp_path, *turns_of(conversation))
    questions = questions_of(conversation)
    clock = FixedClock()

    def recall() -> float:
        brain.index.catch_up(brain.store)
        parts = []
        for text, evidence in questions:
            hits, _ = brain.index.search(Query(text, k=10, profile=profile), now=clock.now())
            found = {id for id, _, _ in hits}
            parts.append(sum(id in found for id in evidence) / len(evidence))
        return sum(parts) / len(parts)

    before = recall()
    assert before >= WANTED
    for text, _ in (questions * 2)[:200]:
        at = clock.advance(days=0.5)
        hits, _ = brain.search(Query(text, k=12, profile=profile), now=at)
        brain.store.record([Use(id, at, accesses=1) for id, _, _ in hits])
    assert recall() >= before
    brain.index.close()
