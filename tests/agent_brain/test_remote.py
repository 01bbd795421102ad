"""Likeness measured by a service: when it is asked, what is sent, and what happens when it fails."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from plainbrain.app.brain import Brain, make_brain
from plainbrain.app.entries import Said
from plainbrain.embed.cache import VectorCache
from plainbrain.embed.remote import read_vector
from plainbrain.model.query import Query
from tests.agent_brain.service import Service

ENTRIES = ("The car is in the garage", "Tea is at four", "The vehicle tax is due in May")


def vector_of(text: str) -> list[float]:
    """Return a vector by what a text is about: cars, tea, or neither."""
    about_cars = any(word in text.lower() for word in ("car", "vehicle", "automobile"))
    return [1.0, 0.1, 0.0] if about_cars else [0.0, 1.0, 0.2] if "tea" in text.lower() else [0.0, 0.0, 1.0]


def answer(body: dict[str, Any]) -> tuple[int, Any]:
    return 200, {"embedding": vector_of(body["input"])}


def brain_at(folder: Path, **environment: str) -> Brain:
    settings = {"BRAIN_CACHE": str(folder / "cache"), "BRAIN_NOW": "2026-10-27T12:00:00Z"}
    brain = make_brain(f"sqlite:{folder / 'memory.db'}", environment=settings | environment)
    for text in ENTRIES:
        brain.add(Said("fact", text))
    return brain


def on(service: Service) -> dict[str, str]:
    return {"AGENT_BRAIN_REMOTE_EMBEDDINGS": "on", "AGENT_BRAIN_EMBEDDING_URL": service.url}


def look(brain: Brain, text: str, **narrow: Any) -> tuple[list[str], set[tuple[str, str]]]:
    """Return what was found, and how and why it was measured."""
    hits = brain.get_entries(Query(text, 12, profile="balanced", **narrow)).recall.hits
    notes = {(h.explanation.notes["semantic_mode"], h.explanation.notes["semantic_reason"]) for h in hits}
    return [hit.memory.content for hit in hits], notes


@pytest.mark.parametrize(
    "form", [lambda v: {"embedding": v}, lambda v: {"data": [{"embedding": v}]}], ids=["plain", "data"]
)
def test_a_service_finds_what_shares_no_word(tmp_path: Path, form: Callable[[list[float]], Any]) -> None:
    with (
        Service(answer=lambda body: (200, form(vector_of(body["input"])))) as service,
        brain_at(tmp_path, AGENT_BRAIN_EMBEDDING_API_KEY="e-1", **on(service)) as brain,
    ):
        found, notes = look(brain, "automobile")
    assert found == [ENTRIES[0], ENTRIES[2]]
    assert notes == {("remote", "remote_enabled")}
    assert service.requests[0][1]["input"] == "automobile"
    assert {headers["authorization"] for headers, _ in service.requests} == {"Bearer e-1"}


def test_nothing_is_sent_twice(tmp_path: Path) -> None:
    with Service(answer=answer) as service:
        with brain_at(tmp_path, **on(service)) as brain:
            look(brain, "automobile")
            assert len(service.requests) == 1 + len(ENTRIES)
            look(brain, "automobile")
            look(brain, "tea time")
        with brain_at(tmp_path, **on(service)) as brain:
            look(brain, "tea time")
            assert [body["input"] for _, body in service.requests][1 + len(ENTRIES) :] == ["tea time"]


def test_the_cache_is_its_owners_alone_and_may_be_damaged(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path / "cache" / "embeddings.db")
    cache.keep("one", {"text": [0.6, 0.8]})
    assert cache.find("one", ["text", "other"]) == {"text": [0.6, 0.8]}
    assert cache.find("another", ["text"]) == {}
    assert (tmp_path / "cache" / "embeddings.db").stat().st_mode & 0o077 == 0
    (tmp_path / "cache" / "embeddings.db").write_bytes(b"no database at all, and long enough to be looked at" * 40)
    assert cache.find("one", ["text"]) == {}
    cache.keep("one", {"text": [0.6, 0.8]})
    assert cache.find("one", ["text"]) == {"text": [0.6, 0.8]}


def test_no_text_stands_in_the_cache(tmp_path: Path) -> None:
    VectorCache(tmp_path / "v.db").keep("https://service.example", {"a private thing": [1.0]})
    with closing(sqlite3.connect(tmp_path / "v.db")) as db, db:
        dump = "\n".join(db.iterdump())
    db.close()
    assert "private" not in dump
    assert "service.example" not in dump


def test_off_and_without_an_address_the_figures_are_local(tmp_path: Path) -> None:
    with Service(answer=answer) as service:
        with brain_at(tmp_path, AGENT_BRAIN_EMBEDDING_URL=service.url) as brain:
            hits = brain.get_entries(Query("tea", 12, profile="balanced")).recall.hits
            assert [hit.explanation.notes["semantic_mode"] for hit in hits] == ["local"]
        assert service.requests == []
    with brain_at(tmp_path, AGENT_BRAIN_REMOTE_EMBEDDINGS="yes") as brain:
        assert look(brain, "tea") == ([ENTRIES[1]], {("local", "missing_url")})


def test_above_the_limit_the_service_is_not_asked(tmp_path: Path) -> None:
    with Service(answer=answer) as service:
        with brain_at(tmp_path, AGENT_BRAIN_REMOTE_EMBEDDING_MAX_ENTRIES="2", **on(service)) as brain:
            assert look(brain, "tea") == ([ENTRIES[1]], {("local", "entry_limit")})
            brain.add(Said("preference", "Likes tea"))
            assert look(brain, "tea", classes=("preference",)) == (["Likes tea"], {("remote", "remote_enabled")})
        with brain_at(tmp_path, AGENT_BRAIN_REMOTE_EMBEDDING_MAX_ENTRIES="many", **on(service)) as brain:
            assert look(brain, "tea")[1] == {("remote", "remote_enabled")}


@pytest.mark.parametrize(
    "broken",
    [(500, {}), (200, {}), (200, {"embedding": "no"}), (200, b"no JSON"), (200, {"embedding": [0, 0]}), (302, {})],
)
def test_a_service_that_fails_leaves_the_local_figures(tmp_path: Path, broken: tuple[int, Any]) -> None:
    with Service(answer=lambda _: broken) as service, brain_at(tmp_path, **on(service)) as brain:
        assert look(brain, "tea") == ([ENTRIES[1]], {("local", "remote_query_error")})


def test_a_service_that_fails_for_an_entry_says_so(tmp_path: Path) -> None:
    def fail(body: dict[str, Any]) -> tuple[int, Any]:
        return answer(body) if body["input"] == "tea" else (503, {})

    with Service(answer=fail) as service, brain_at(tmp_path, **on(service)) as brain:
        assert look(brain, "tea") == ([ENTRIES[1]], {("local", "remote_entry_error")})


def test_texts_are_not_sent_in_clear_over_a_network(tmp_path: Path) -> None:
    settings = {"AGENT_BRAIN_REMOTE_EMBEDDINGS": "1", "AGENT_BRAIN_EMBEDDING_URL": "http://embed.example.org/"}
    with brain_at(tmp_path, AGENT_BRAIN_EMBEDDING_TIMEOUT="abc", **settings) as brain:
        assert look(brain, "tea") == ([ENTRIES[1]], {("local", "remote_query_error")})


@pytest.mark.parametrize("bad", [None, [], {"data": []}, {"data": [{}]}, {"embedding": [True]}, {"embedding": [1e400]}])
def test_an_answer_without_a_vector_is_no_answer(bad: object) -> None:
    with pytest.raises(ValueError, match="embedding"):
        read_vector(bad)
