"""Vetoes: options as whole words, and which decisions still hold them up."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from plainbrain.lifecycle.naming import find_option
from plainbrain.lifecycle.veto import distinct, find_partly, find_vetoes
from plainbrain.model.instants import parse_instant
from plainbrain.model.links import SUPERSEDED_BY, SUPERSEDES, Link
from plainbrain.model.memory import INVALIDATED, SUPERSEDED, Memory, Rejected
from plainbrain.model.provenance import Provenance

OPTIONS = ("Redis", "C++", "Go", "in-process cache")


@pytest.fixture(scope="module")
def vectors() -> list[dict[str, str | None]]:
    path = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "interchange" / "behaviour-vectors.json"
    if not path.exists():
        pytest.skip("the vectors of the other implementation are not here")
    found: list[dict[str, str | None]] = json.loads(path.read_text(encoding="utf-8"))["vetoMatch"]
    return found


def test_options_are_found_as_the_other_implementation_finds_them(vectors: list[dict[str, str | None]]) -> None:
    assert vectors
    for vector in vectors:
        text = str(vector["text"])
        if "  " in text:
            continue  # blanks of any length are alike here, and are not there
        hits = [option for option in OPTIONS if find_option(text, option) >= 0]
        assert hits == ([vector["hit"]] if vector["hit"] else []), text


@pytest.mark.parametrize(
    ("text", "option", "found"),
    [
        ("an in-process  cache", "in-process cache", True),
        ("an in-process\ncache", "In-Process Cache", True),
        ("redisson client", "Redis", False),
        ("use Redis.", "redis", True),
        ("我们用Redis缓存", "Redis", True),
        ("改用微服务架构", "微服务", True),
        ("STRASSE umbenennen", "Straße", True),
        ("the C++17 build", "C++", True),
        ("Objective-C++", "C++", True),
        ("abc++", "C++", False),
        ("my_redis_client", "redis", False),
        ("anything", "", False),
        ("go with Go", "Go", False),
    ],
)
def test_options_are_whole_words_without_case(text: str, option: str, found: bool) -> None:
    assert (find_option(text, option) >= 0) is found


VETO = Memory(id="d1", content="Use SQLite", kind="decision", rejected=(Rejected("Redis", "one more service"),))


def test_a_live_decision_vetoes() -> None:
    (veto,) = find_vetoes("let us add Redis", [VETO])
    assert (veto.decision.id, veto.holder.id, veto.rejected.reason) == ("d1", "d1", "one more service")


def test_a_live_successor_keeps_the_vetoes_of_what_it_replaced() -> None:
    old = replace(VETO, status=SUPERSEDED, links=(Link("d2", SUPERSEDED_BY),))
    (veto,) = find_vetoes("add Redis", [old], successors=[Memory(id="d2", content="Use Postgres")])
    assert veto.holder.id == "d2"


def test_the_link_may_stand_on_the_successor_only_and_chains_are_followed() -> None:
    old = replace(VETO, status=SUPERSEDED, invalidated=parse_instant("2026-01-01"))
    middle = Memory(id="d2", status=SUPERSEDED, links=(Link("d1", SUPERSEDES),))
    last = Memory(id="d3", links=(Link("d2", SUPERSEDES),))
    (veto,) = find_vetoes("add Redis", [old], successors=[middle, last])
    assert veto.holder.id == "d3"


def test_a_decision_that_was_thrown_out_vetoes_no_more() -> None:
    assert find_vetoes("add Redis", [replace(VETO, status=INVALIDATED)]) == ()
    dead_end = replace(VETO, status=SUPERSEDED, links=(Link("d2", SUPERSEDED_BY),))
    assert find_vetoes("add Redis", [dead_end]) == ()
    assert find_vetoes("add Redis", [dead_end, Memory(id="d2", status=INVALIDATED)]) == ()


def test_a_cycle_holds_nothing_up_and_ends() -> None:
    one = replace(VETO, status=SUPERSEDED, links=(Link("d2", SUPERSEDED_BY),))
    two = Memory(id="d2", status=SUPERSEDED, links=(Link("d1", SUPERSEDED_BY),))
    assert find_vetoes("add Redis", [one, two]) == ()


def test_what_is_quarantined_cannot_veto() -> None:
    assert find_vetoes("add Redis", [replace(VETO, provenance=Provenance(trust="quarantined"))]) == ()


def test_vetoes_come_in_the_order_of_the_text() -> None:
    both = replace(VETO, rejected=(Rejected("Redis"), Rejected("Kafka")))
    assert [v.rejected.option for v in find_vetoes("Kafka, then Redis", [both])] == ["Kafka", "Redis"]


def test_what_the_successor_took_up_is_no_veto_any_more() -> None:
    old = Memory(
        "postgres-queue",
        "The queue is a table",
        rejected=(Rejected("Redis Streams"), Rejected("Kafka")),
        status="superseded",
    )
    new = Memory("redis-queue", "The queue moves to Redis Streams", links=(Link("postgres-queue", "supersedes"),))
    assert find_vetoes("write the Redis Streams consumer", [old, new]) == ()
    assert [v.rejected.option for v in find_vetoes("use Kafka then", [old, new])] == ["Kafka"]


def test_a_word_of_an_option_is_told_apart_and_is_no_veto() -> None:
    memory = Memory(
        "d",
        "Queries are written in SQL for Postgres",
        rejected=(Rejected("SQLAlchemy ORM"), Rejected("Postgres NOTIFY")),
    )
    assert find_vetoes("map the tables with sqlalchemy on Postgres", [memory]) == ()
    [part] = find_partly("map the tables with sqlalchemy on Postgres", [memory])
    assert (part.rejected.option, part.word, part.at) == ("SQLAlchemy ORM", "SQLAlchemy", 20)
    assert find_partly("do not use SQLAlchemy", [memory]) == ()
    assert find_partly("use the SQLAlchemy ORM", [memory]) == ()


def test_vetoes_that_say_the_same_are_told_once_by_the_decision_in_effect() -> None:
    old = replace(VETO, status=SUPERSEDED, links=(Link("d2", SUPERSEDED_BY),))
    new = replace(VETO, id="d2", content="Use Postgres")
    other = replace(VETO, id="d3", rejected=(Rejected("redis", "it costs"),))
    groups = distinct(find_vetoes("add Redis", [old, new, other]))
    assert [[veto.decision.id for veto in same] for same in groups] == [["d2", "d1"], ["d3"]]


def test_without_a_reason_only_the_same_decision_is_the_same() -> None:
    one = Memory("a", "Use SQLite", rejected=(Rejected("Redis"),))
    found = find_vetoes("add Redis", [one, replace(one, id="b"), replace(one, id="c", content="Use files")])
    assert [[veto.decision.id for veto in same] for same in distinct(found)] == [["a", "b"], ["c"]]
