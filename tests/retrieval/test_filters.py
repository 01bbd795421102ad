"""Filters: what each of them lets through."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plainbrain.model.instants import parse_instant
from plainbrain.model.memory import Memory
from plainbrain.model.provenance import Provenance
from plainbrain.model.query import Query
from plainbrain.retrieval.filters import passes, tag_key
from plainbrain.testing.builders import NOON

A = Memory(
    "a", "text", kind="Decision", cortex="infra/node", tags=("Code.Python", "100%_done"), scope="app",
    created=parse_instant("2026-05-01"), user_id="u",
)  # fmt: skip


@pytest.mark.parametrize(
    ("query", "found"),
    [
        (Query("", tags=("code",)), True),
        (Query("", tags=("code/python",)), True),
        (Query("", tags=("codex",)), False),
        (Query("", tags=("cod",)), False),
        (Query("", tags=("code", "other")), False),
        (Query("", tags=("100%_done",)), True),
        (Query("", tags=("100%",)), False),
        (Query("", tags=("100__done",)), False),
        (Query("", cortex="infra"), True),
        (Query("", cortex="infra/"), True),
        (Query("", cortex="infra/no"), False),
        (Query("", cortex="inf"), False),
        (Query("", cortex="Infra"), False),
        (Query("", kinds=("decision", "fact")), True),
        (Query("", kinds=("fact",)), False),
        (Query("", classes=("semantic",)), True),
        (Query("", classes=("episodic",)), False),
        (Query("", scope="app"), True),
        (Query("", scope="app-admin"), False),
        (Query("", scope="ap"), False),
        (Query("", user_id="u"), True),
        (Query("", user_id="U"), False),
        (Query("", after=parse_instant("2026-05-01")), True),
        (Query("", after=parse_instant("2026-05-02")), False),
        (Query("", before=parse_instant("2026-05-01")), True),
        (Query("", before=parse_instant("2026-04-30")), False),
        (Query("", statuses=("Active",)), True),
        (Query("", statuses=("superseded",)), False),
    ],
)
def test_a_filter_lets_through(query: Query, found: bool) -> None:
    assert passes(A, query, now=NOON) is found


def test_a_day_as_upper_bound_reaches_to_its_end() -> None:
    late = replace(A, created=parse_instant("2026-05-01T23:59:59Z"))
    assert passes(late, Query("", before=parse_instant("2026-05-01")), now=NOON)


def test_what_is_undated_is_in_no_span() -> None:
    assert not passes(replace(A, created=None), Query("", after=parse_instant("1990-01-01")), now=NOON)


@pytest.mark.parametrize("status", ["superseded", "Invalidated", "archived"])
def test_what_is_no_longer_in_effect_hides_unless_asked_for(status: str) -> None:
    old = replace(A, status=status)
    assert not passes(old, Query(""), now=NOON)
    assert passes(old, Query("", include_superseded=True), now=NOON)
    assert passes(old, Query("", statuses=(status,)), now=NOON)


def test_what_expired_hides_from_the_next_instant_on() -> None:
    until = replace(A, valid_until=NOON)
    assert not passes(until, Query(""), now=NOON)
    assert passes(until, Query("", include_superseded=True), now=NOON)
    assert passes(replace(A, valid_until=parse_instant("2026-10-27")), Query(""), now=NOON)
    assert not passes(replace(A, valid_until=parse_instant("2026-10-26")), Query(""), now=NOON)
    assert not passes(replace(A, ttl_seconds=60.0), Query(""), now=NOON)
    assert passes(replace(A, ttl_seconds=float("inf")), Query(""), now=NOON)
    assert passes(replace(A, ttl_seconds=float("nan")), Query(""), now=NOON)


def test_what_is_quarantined_shows_only_by_that_name() -> None:
    strange = replace(A, provenance=Provenance(trust="quarantined"))
    assert not passes(strange, Query("", include_superseded=True), now=NOON)
    assert not passes(strange, Query("", statuses=("active",)), now=NOON)
    assert passes(strange, Query("", statuses=("quarantined",)), now=NOON)


def test_tags_are_compared_without_case_and_slash() -> None:
    assert tag_key("#Code/Python") == tag_key("code.python") == "code.python"
