"""LongMemEval files in the layout of each published variant: read as trials, one question at a time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from plainbrain.errors import Unreadable
from plainbrain.evaluation import longmemeval
from plainbrain.evaluation.longmemeval import LongMemEval
from plainbrain.evaluation.report import figures_of, lines_of
from plainbrain.evaluation.runner import Way, run

TEA = [{"role": "user", "content": "I like tea."}, {"role": "assistant", "content": "Green or black?"}]
LYON = [
    {"role": "user", "content": "I live in Lyon now.", "has_answer": True},
    {"role": "assistant", "content": "Nice!", "has_answer": False},
]
MOVE = [{"role": "user", "content": "We moved to Lyon by train.", "has_answer": True}]
#: A file in the layout of ``_s`` and ``_m``: sessions by time, most of them beside the matter.
WHOLE: dict[str, Any] = {
    "question_id": "q1",
    "question_type": "multi-session",
    "question": "How did I come to live in Lyon?",
    "answer": 3,
    "question_date": "2023/05/30 (Tue) 23:40",
    "haystack_session_ids": ["ultrachat_7", "answer_1", "sharegpt_x_0", "answer_2"],
    "haystack_dates": [f"2023/05/2{n} (Sat) 02:21" for n in range(4)],
    "haystack_sessions": [TEA, LYON, [], MOVE],
    "answer_session_ids": ["answer_1", "answer_2"],
}
#: In the layout of ``_oracle``: the answering sessions alone, in no order of time.
ORACLE = WHOLE | {
    "question_id": "q2",
    "haystack_session_ids": ["answer_2", "answer_1"],
    "haystack_dates": ["2023/05/23 (Tue) 02:21", "2023/05/21 (Sun) 02:21"],
    "haystack_sessions": [MOVE, LYON],
}


def written(path: Path, *questions: object, indent: int | None = None) -> LongMemEval:
    path.write_text(json.dumps(questions, indent=indent), encoding="utf-8")
    return LongMemEval(path)


def test_the_whole_haystack(tmp_path: Path) -> None:
    (trial,) = written(tmp_path / "longmemeval_s.json", WHOLE)
    assert [memory.id for memory in trial.memories] == ["q1/1/1", "q1/1/2", "q1/2/1", "q1/2/2", "q1/4/1"]
    (question,) = trial.questions
    assert (question.category, question.evidence) == ("multi-session", ("q1/2/1", "q1/4/1"))
    assert question.sessions == ("q1/2", "q1/4")
    assert str(trial.now) == "2023-05-30T23:40:00Z"
    last = trial.memories[-1]
    assert (str(last.created), last.metadata["speaker"]) == ("2023-05-23T02:21:00Z", "user")


def test_the_answering_sessions_alone_out_of_order(tmp_path: Path) -> None:
    (trial,) = written(tmp_path / "longmemeval_oracle.json", ORACLE)
    assert trial.questions[0].evidence == ("q2/1/1", "q2/2/1")
    assert [str(m.created)[:10] for m in trial.memories] == ["2023-05-23", "2023-05-21", "2023-05-21"]


def test_turns_that_are_not_marked_all_count(tmp_path: Path) -> None:
    unmarked = [[{k: v for k, v in turn.items() if k != "has_answer"} for turn in s] for s in (TEA, LYON, [], MOVE)]
    (trial,) = written(tmp_path / "x.json", WHOLE | {"haystack_sessions": unmarked})
    assert trial.questions[0].evidence == ("q1/2/1", "q1/2/2", "q1/4/1")


def test_a_question_that_has_no_answer(tmp_path: Path) -> None:
    (trial,) = written(tmp_path / "x.json", WHOLE | {"question_id": "q1_abs"})
    (question,) = trial.questions
    assert (question.category, question.evidence, question.sessions) == ("abstention", (), ())


def test_figures_by_turn_and_by_session(tmp_path: Path) -> None:
    trials = written(tmp_path / "x.json", WHOLE, ORACLE, WHOLE | {"question_id": "q3_abs"})
    figures = figures_of(run(trials, Way(model="off")))
    assert (figures["questions"], figures["recall@5"], figures["abstention"]["questions"]) == (2, 1.0, 1)
    assert figures["sessions"] == {"questions": 2, "recall@5": 1.0, "any@5": 1.0, "recall@10": 1.0, "any@10": 1.0}
    assert "whole sessions: recall@5 100.0, any@5 100.0" in "\n".join(lines_of(figures, title="x"))


@pytest.mark.parametrize("chunk", [1, 7, 64, 1 << 20])
@pytest.mark.parametrize("indent", [None, 2])
def test_a_file_is_read_piece_by_piece(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int, indent: int | None
) -> None:
    monkeypatch.setattr(longmemeval, "_CHUNK", chunk)
    trials = written(tmp_path / "x.json", WHOLE, ORACLE, indent=indent)
    assert [trial.name for trial in trials] == ["q1", "q2"]
    assert [trial.name for trial in trials] == ["q1", "q2"], "once more"
    assert list(written(tmp_path / "empty.json", indent=indent)) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[1]",
        "[{}",
        '[{"question_id": "q"}]',
        "[" * 100_000,
        json.dumps([WHOLE])[:-1],
        json.dumps([WHOLE])[:-1] + " {}]",
        json.dumps([WHOLE | {"haystack_dates": ["2023/05/20 (Sat) 02:21"]}]),
    ],
)
def test_a_file_of_another_kind_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Unreadable, match=r"x\.json"):
        list(LongMemEval(path))
