"""The harness of recall: files read, figures right, cases passed, and the same answers with and without an index."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from plainbrain.errors import Unreadable
from plainbrain.evaluation.ablation import ablate, table_of
from plainbrain.evaluation.lifecycle import ABSTENTION, NOW, judge_all, load_cases, load_notes, query_of
from plainbrain.evaluation.locomo import read_locomo
from plainbrain.evaluation.measures import area_under, interval, ndcg_at, recall_at, reciprocal_rank
from plainbrain.evaluation.report import FIGURES, figures_of, lines_of
from plainbrain.evaluation.runner import Way, run
from plainbrain.evaluation.trial import Trial, ask_next_door, put_together
from plainbrain.index.sqlite import SqliteIndex
from plainbrain.model.change import Put
from plainbrain.retrieval.scan import search_plainly
from plainbrain.stores.ram import RamStore

WORDS = Way(model="off")
TALK = {
    "sample_id": "c1",
    "conversation": {
        "speaker_a": "Ann",
        "speaker_b": "Ben",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ann", "dia_id": "D1:1", "text": "I adopted a grey cat.", "blip_caption": "a cat on a sofa"},
            {"speaker": "Ben", "dia_id": "D1:2", "text": "What is it called?"},
            {"speaker": "Ann", "dia_id": "D1:3", "text": "Pebble!"},
        ],
        "session_2_date_time": "9:00 am on 1 June, 2023",
        "session_2": [{"speaker": "Ben", "dia_id": "D2:1", "text": "I broke my bicycle."}],
    },
    "qa": [
        {"question": "What did Ann adopt?", "answer": "a cat", "evidence": ["D1:1; D9:9"], "category": 4},
        {"question": "What is Ann's cat called?", "answer": "Pebble", "evidence": ["D1:3"], "category": 1},
        {"question": "Who broke a bicycle in May?", "evidence": [], "category": 5},
        {"question": "Nothing names a turn", "answer": "", "evidence": ["D7:1"], "category": 4},
    ],
}


@pytest.fixture
def talk(tmp_path: Path) -> list[Trial]:
    path = tmp_path / "talk.json"
    path.write_text(json.dumps([TALK, TALK | {"sample_id": "c2"}]), encoding="utf-8")
    return read_locomo(path)


def test_a_turn_becomes_a_memory(talk: list[Trial]) -> None:
    first = talk[0].memories[0]
    assert (first.id, first.content) == ("c1/D1:1", "I adopted a grey cat.\n[picture: a cat on a sofa]")
    assert (first.metadata["speaker"], first.provenance.sessions, first.provenance.turn) == ("Ann", ("c1/1",), 1)
    assert str(first.created) == "2023-05-08T13:56:00Z"
    assert [(q.category, q.evidence) for q in talk[0].questions] == [
        ("single-hop", ("c1/D1:1",)), ("multi-hop", ("c1/D1:3",)), ("adversarial", ()),
    ]  # fmt: skip


def test_a_run_finds_what_is_there_and_says_so(talk: list[Trial]) -> None:
    figures = figures_of(run(talk, WORDS), elsewhere=run(ask_next_door(talk), WORDS))
    assert (figures["questions"], figures["recall@5"], figures["by_category"]["single-hop"]["mrr"]) == (4, 1.0, 1.0)
    assert figures["abstention"]["questions"] == 2
    assert set(FIGURES) <= set(figures)
    text = "\n".join(lines_of(figures, title="talk", baseline=figures | {"mrr": 0.0}))
    assert "| against the baseline | | +0.0 |" in text


def test_each_signal_is_left_out_in_turn(talk: list[Trial], tmp_path: Path) -> None:
    nowhere = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    words = ablate(talk, WORDS)
    assert [row["without"] for row in words[:3]] == [[], ["body"], ["context"]]
    assert {name: words[0][name] for name in FIGURES} == {
        name: value for name, value in figures_of(run(talk, WORDS)).items() if name in FIGURES
    }
    told = ablate(talk, Way(model="hash", environment=nowhere))
    assert [row["without"] for row in told][len(words) :] == [
        ["likeness", "likeness_context"], ["likeness"], ["likeness_context"], ["body", "context"],
    ]  # fmt: skip
    assert told[len(words)] | {"without": []} == words[0], "without either likeness, words are left"
    assert len(table_of(told)) == 2 + len(told)


def test_all_in_one_brain_has_every_memory_once(talk: list[Trial]) -> None:
    [together] = put_together(talk)
    assert len({memory.id for memory in together.memories}) == len(together.memories) == 8
    assert len(run([together], WORDS)) == 6


@pytest.mark.parametrize("text", ["", "{}", "[1]", '[{"conversation": {"session_1": [{}]}}]', "[" * 50])
def test_a_file_of_another_kind_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Unreadable, match=r"x\.json"):
        read_locomo(path)


def test_figures_by_hand() -> None:
    assert recall_at(5, [1, 7], 4) == 0.25
    assert (reciprocal_rank([4, 2]), reciprocal_rank([])) == (0.5, 0.0)
    assert ndcg_at(10, [1, 2], 2) == 1.0
    assert ndcg_at(10, [2], 1) == pytest.approx(0.6309, abs=1e-4)
    assert (area_under([2, 3], [1]), area_under([1], [1]), area_under([0], [1, 2])) == (1.0, 0.5, 0.0)
    low, high = interval([0.0, 1.0] * 50, seed=1)
    assert 0.3 < low < 0.5 < high < 0.7
    assert interval([0.0, 1.0] * 50, seed=1) == (low, high)


def test_there_are_enough_cases_of_every_kind() -> None:
    cases = load_cases()
    assert len(cases) >= 100
    assert {"update", "supersession", "conflict", "as-of", ABSTENTION} <= {case.kind for case in cases}
    assert all(case.want or case.never or case.kind == ABSTENTION for case in cases)


def test_the_cases_are_passed() -> None:
    verdicts = judge_all(WORDS)
    assert not [v.case.ask for v in verdicts if v.stale], "nothing that was replaced is shown"
    assert sum(v.passed for v in verdicts) >= 0.95 * len(verdicts)
    plain = judge_all(replace(WORDS, profile="blueprint"))
    assert sum(v.first for v in verdicts) > sum(v.first for v in plain)


def test_an_index_and_a_plain_scan_answer_the_cases_alike() -> None:
    notes = load_notes()
    store = RamStore("cases")
    store.apply([Put(note) for note in notes])
    index = SqliteIndex(None, store.url)
    index.catch_up(store)
    for profile in ("auto", "blueprint"):
        for case in load_cases():
            query = query_of(case, Way(profile))
            hits, total = index.search(query, now=NOW)
            expected, total_ = search_plainly(notes, query, now=NOW)
            assert ([id for id, _, _ in hits], total) == ([id for id, _, _ in expected], total_)
            assert [s for _, s, _ in hits] == pytest.approx([s for _, s, _ in expected], abs=1e-9)


def test_recall_of_conversations_by_words(outside_data: Path) -> None:
    trials = read_locomo(outside_data / "locomo-dev.json")[:2]
    figures = figures_of(run(trials, WORDS))
    assert figures["recall@10"] > 0.74
    assert figures["ndcg@10"] > 0.60
    assert figures["recall@10"] > 0.10 + figures_of(run(trials, replace(WORDS, profile="blueprint")))["recall@10"]
