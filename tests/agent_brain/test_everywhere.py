"""The learning loop is one: the same commands and the same use cases on every store, a folder of notes among them."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from plainbrain.app.brain import Brain, make_brain
from plainbrain.app.entries import Said
from plainbrain.app.loop import query_for
from plainbrain.model.query import Query
from tests.agent_brain.story import Story
from tests.cli.transcript import Step, perform

STORY = Path(__file__).parent / "shared" / "everywhere.txt"
STORES = {"sqlite": "memory.db", "json": "memory.json", "jsonl": "log.jsonl", "vault": "brain"}


def say(folder: Path, *words: str) -> list[str]:
    return perform(Step(shlex.join(("brain", *words)), 1), folder=folder)


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("BRAIN_NOW", "2026-10-27T12:00:00Z")
    # agent-brain's own files are made without a word; of the others it is told.
    (tmp_path / "brain").mkdir()
    (tmp_path / "log.jsonl").touch()
    monkeypatch.setenv("BRAIN_STORE", f"{request.param}:{tmp_path / STORES[request.param]}")
    return str(request.param)


def test_the_same_story_on_every_store(store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known: dict[str, str] = {}
    Story(tmp_path, monkeypatch, store=store, known=known).run(STORY.read_text(encoding="utf-8"), STORY.name)
    assert (known["A"] == "the-api-speaks-rest") is (store == "vault")
    counts = say(tmp_path, "stats")
    assert counts[:3] == ["Version: 4", "Sessions: 1", "Total: 4 active, 1 superseded"]
    assert {"api (1)", "ui (1)", "  .stack (1)"} <= set(say(tmp_path, "tags"))
    assert "  Wrong: The API speaks REST" in say(tmp_path, "reflect")


WRITES = (
    ("add", "fact", "The second thing", "user", "x"),
    ("loop", "We use Kafka and I prefer tabs"),
    ("update", "{id}", "content", "Another thing"),
    ("touch", "{id}"),
    ("correct", "{id}", "The right thing"),
    ("success", "{id}"),
    ("supersede", "{id}", "{other}"),
    ("decay",),
    ("session", "Work"),
    ("consolidate", "--apply"),
)
READS = (
    ("get", "thing"), ("list",), ("conflicts", "The first thing is not"), ("similar", "thing"), ("reflect",), ("tags",), ("stats",),
    ("log",), ("consolidate",), ("list", "--cortices"),
)  # fmt: skip


def two_entries(folder: Path) -> dict[str, str]:
    ids = [json.loads(say(folder, "add", "fact", f"The {n} thing", "--json")[0])["id"] for n in ("first", "other")]
    return {"id": ids[0], "other": ids[1]}


@pytest.mark.parametrize("words", [*WRITES, *READS], ids=" ".join)
def test_every_command_answers_in_json(words: tuple[str, ...], store: str, tmp_path: Path) -> None:
    ids = two_entries(tmp_path)
    said = say(tmp_path, *(word.format(**ids) for word in words), "--json")
    data = [line for line in said if not line.startswith("! ")]
    assert len(data) == 1, said
    assert isinstance(json.loads(data[0]), dict | list)


@pytest.mark.parametrize("words", WRITES, ids=" ".join)
def test_a_rehearsal_says_it_and_writes_nothing(words: tuple[str, ...], store: str, tmp_path: Path) -> None:
    ids = two_entries(tmp_path)
    before = say(tmp_path, "export"), say(tmp_path, "log")
    said = say(tmp_path, *(word.format(**ids) for word in words), "--dry-run")
    assert said
    assert not said[-1].startswith("? ")
    assert (say(tmp_path, "export"), say(tmp_path, "log")) == before


@pytest.fixture(params=[*STORES, "ram"])
def brain(request: pytest.FixtureRequest, tmp_path: Path) -> Brain:
    place = tmp_path / STORES[request.param] if request.param in STORES else "test"
    environment = {"BRAIN_CACHE": str(tmp_path / "cache"), "BRAIN_NOW": "2026-10-27T12:00:00Z"}
    return make_brain(f"{request.param}:{place}", environment=environment)


def test_what_is_said_again_is_sure(brain: Brain) -> None:
    with brain:
        first = brain.add(Said("fact", "The door is green", "inferred"))
        again = brain.add(Said("fact", "The  door is\tgreen", "inferred"))
        other = brain.add(Said("fact", "The door is green", "inferred", context="in the new house"))
        assert (first.created, again.created, other.created) == (True, False, True)
        assert again.memory.id == first.memory.id != other.memory.id
        assert brain.get(first.memory.id).confidence.label == "sure"


def test_recall_correct_and_succeed(brain: Brain) -> None:
    with brain:
        wrong = brain.add(Said("fact", "The API speaks REST", tags="api")).memory
        got = brain.get_entries(Query("api", 12, profile="balanced"))
        assert [hit.id for hit in got.recall.hits] == [wrong.id]
        assert brain.get(wrong.id).usage.accesses == 2
        done = brain.correct(wrong.id, "The API speaks gRPC", "moved")
        assert not brain.get(wrong.id).is_live
        assert brain.get(wrong.id).superseded_by == done.right.id
        assert (done.right.kind, done.right.tags) == ("correction", ("api",))
        assert [brain.succeed(done.right.id)[0] for _ in range(3)] == [1, 2, 3]
        assert [hit.id for hit in brain.get_entries(Query("api", 12, profile="balanced")).recall.hits] == [
            done.right.id
        ]


def test_a_turn_says_what_it_left_out_and_against_what(brain: Brain) -> None:
    with brain:
        kept = brain.take_turn("We use Kafka", query_for("We use Kafka", policy="balanced", k=12, classes=())).added
        assert [memory.content for memory in kept] == ["Team uses Kafka"]
        again = brain.take_turn("We use Kafka", query_for("We use Kafka", policy="balanced", k=12, classes=()))
        assert again.added == []
        assert [skipped.against for skipped in again.duplicates] == [kept[0].id]


def test_a_secret_in_a_query_is_not_logged(brain: Brain) -> None:
    with brain:
        brain.add(Said("fact", "The deploy token lies in the vault"))
        brain.get_entries(Query("deploy token ghp_16C7e42F292c6912E7710c838347Ae178B4a", 12, profile="balanced"))
        [line] = [activity.detail for activity in brain.log() if activity.action == "get"]
        assert "16C7e42F" not in line
        assert "deploy token" in line
