"""Tags as a tree, consolidation, reflection, sessions and the plain overlap rule."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plainbrain.lifecycle.consolidate import find_clusters, summarise
from plainbrain.lifecycle.overlap import measure_overlap, plain_words
from plainbrain.lifecycle.reflect import reflect
from plainbrain.lifecycle.sessions import current_session, sessions_counted, start_session
from plainbrain.lifecycle.tags import covers, has_tag, tag_tree
from plainbrain.model.confidence import Confidence
from plainbrain.model.instants import parse_instant
from plainbrain.model.memory import SUPERSEDED, Memory, Usage
from plainbrain.testing.builders import NOON


@pytest.mark.parametrize(
    ("wanted", "tag", "found"),
    [
        ("code", "code", True),
        ("code", "code.python", True),
        ("code", "Code/Python", True),
        ("code/python", "code.python.async", True),
        ("code", "codex", False),
        ("code.python", "code", False),
        ("", "code", False),
        (".", "code", False),
        ("straße", "STRASSE", True),
    ],
)
def test_a_tag_covers_what_lies_below_it(wanted: str, tag: str, found: bool) -> None:
    assert covers(wanted, tag) is found
    assert has_tag(Memory(id="m", tags=("other", tag)), wanted) is found


def test_the_tag_tree_counts_roots_and_rests() -> None:
    known = [
        Memory(id="1", tags=("code.python", "style")),
        Memory(id="2", tags=("code/python", "Code.rust", "..")),
        Memory(id="3", tags=("code.go",), status=SUPERSEDED),
    ]
    code, style = tag_tree(known)
    assert (code.root, code.count, code.rests) == ("code", 3, (("python", 2), ("rust", 1)))
    assert (style.root, style.count, style.rests) == ("style", 1, ())


def tagged(id: str, *tags: str, status: str = "active") -> Memory:
    return Memory(id=id, content=f"fact {id}", kind="fact", tags=tags, status=status)


def test_three_live_memories_of_one_tag_are_a_cluster_and_the_same_group_is_shown_once() -> None:
    known = [
        tagged("1", "a", "x"),
        tagged("2", "a", "x"),
        tagged("3", "A", "x", "b"),
        tagged("4", "b"),
        tagged("5", "b"),
    ]
    known += [tagged("6", "b"), tagged("7", "c"), tagged("8", "c"), tagged("9", "c", status=SUPERSEDED)]
    clusters = find_clusters(known)
    assert [(c.tag, [m.id for m in c.members]) for c in clusters] == [
        ("b", ["3", "4", "5", "6"]),
        ("a", ["1", "2", "3"]),
    ]


def test_a_summary_keeps_every_line_and_tag_and_points_at_its_members() -> None:
    (cluster,) = find_clusters([tagged("1", "a"), tagged("2", "a", "z"), replace(tagged("3", "a"), content="fact 1")])
    summary = summarise(cluster, id="s", now=NOON)
    assert summary.content == "- fact 1\n- fact 2"
    assert summary.tags == ("a", "z")
    assert summary.kind == "fact"
    assert [link.to for link in summary.links] == ["1", "2", "3"]


def test_reflection_sorts_what_is_stale_promising_and_doubtful() -> None:
    used = Usage(5, parse_instant("2026-10-26T12:00:00Z"), 2)
    known = [
        Memory(id="fresh", confidence=Confidence(word="likely"), usage=used, tags=("t",)),
        Memory(id="old", created=parse_instant("2026-01-01"), confidence=Confidence(word="uncertain"), tags=("t", "u")),
        Memory(id="older", created=parse_instant("2025-01-01"), confidence=Confidence(word="sure")),
        Memory(id="c", kind="correction", created=NOON),
        Memory(id="w", kind="anti-pattern", created=NOON),
        Memory(id="gone", status=SUPERSEDED, tags=("t",)),
    ]
    seen = reflect(known, now=NOON, sessions=4)
    assert (seen.active, seen.superseded, seen.sessions) == (5, 1, 4)
    assert [(days, m.id) for days, m in seen.stale] == [(664, "older"), (299, "old")]
    assert [m.id for m in seen.upgrades] == ["fresh"]
    assert [m.id for m in seen.successes] == ["fresh"]
    assert [m.id for m in seen.corrections] == ["c"]
    assert [m.id for m in seen.anti_patterns] == ["w"]
    assert [m.id for m in seen.uncertain] == ["old"]
    assert seen.tags == (("t", 2), ("u", 1))


def test_sessions_are_numbered_and_other_values_kept() -> None:
    first = start_session({"last_decay": "x"}, context="Frontend work", now=NOON)
    second = start_session(first, context="", now=NOON)
    assert first["last_decay"] == second["last_decay"] == "x"
    assert sessions_counted(second) == 2
    session = current_session(first)
    assert session is not None
    assert (session.id, session.context, session.started) == (1, "Frontend work", "2026-10-27T12:00:00Z")


@pytest.mark.parametrize("damaged", ["x", "[1,2]", "{", '{"id": "7"}', '{"id": true}', "[" * 5000])
def test_damaged_session_values_stop_nothing(damaged: str) -> None:
    values = {"session_counter": damaged, "current_session": damaged}
    assert current_session(values) is None
    assert sessions_counted(values) == 0
    assert sessions_counted(start_session(values, context="c", now=NOON)) == 1


def test_a_lost_counter_never_gives_a_number_twice() -> None:
    values = {**start_session({"session_counter": "41"}, context="", now=NOON), "session_counter": ""}
    assert sessions_counted(start_session(values, context="", now=NOON)) == 43


def test_plain_words_are_those_of_the_original() -> None:
    assert plain_words("The user's k8s snake_case café DEPLOYMENTS were moved quickly") == [
        "user",
        "s",
        "deploy",
        "mov",
        "quick",
    ]
    assert plain_words("likes uses like use") == ["like", "use"]


def test_plain_overlap_needs_two_words_and_a_third_of_the_smaller_text() -> None:
    assert measure_overlap("port of staging server", "port of production server").is_conflict
    assert not measure_overlap("port", "port").is_conflict
    assert measure_overlap("port", "port").ratio == 1
    assert measure_overlap("", "port").ratio == 0
