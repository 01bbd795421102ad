"""The times that a question names, and how close a memory is to them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainbrain.model.instants import DAY_MS, Instant, parse_instant
from plainbrain.retrieval.dates import closeness, spans_of

NOW = parse_instant("2026-11-02T09:00:00Z")  # a Monday


def days(text: str) -> list[tuple[str, str]]:
    return [(Instant(s.start).day_text(), Instant(s.end - 1).day_text()) for s in spans_of(text, now=NOW)]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("what happened on 2023-07-05?", "2023-07-05", "2023-07-05"),
        ("on 5 July 2023", "2023-07-05", "2023-07-05"),
        ("July 5, 2023", "2023-07-05", "2023-07-05"),
        ("the 5th of July 2023", "2023-07-05", "2023-07-05"),
        ("in July 2023", "2023-07-01", "2023-07-31"),
        ("February 2024", "2024-02-01", "2024-02-29"),
        ("incidents of 2025", "2025-01-01", "2025-12-31"),
        ("yesterday", "2026-11-01", "2026-11-01"),
        ("what did we decide last week", "2026-10-26", "2026-11-01"),
        ("this month", "2026-11-01", "2026-11-30"),
        ("last month", "2026-10-01", "2026-10-31"),
        ("last year", "2025-01-01", "2025-12-31"),
        ("last Friday", "2026-10-30", "2026-10-30"),
        ("last Monday", "2026-10-26", "2026-10-26"),
        ("three days ago", "2026-10-30", "2026-10-30"),
        ("2 weeks ago", "2026-10-16", "2026-10-22"),
    ],
)
def test_a_time_that_is_named(text: str, first: str, last: str) -> None:
    assert days(text) == [(first, last)]


@pytest.mark.parametrize(
    "text", ["may I march on?", "port 8443", "mar the sun", "", "31 February 2023", "99999999999999 days ago"]
)
def test_no_time_is_named(text: str) -> None:
    assert days(text) == []


def test_a_month_without_a_year_is_that_of_any_year() -> None:
    assert ("2026-07-01", "2026-07-31") in days("in July")
    assert ("2023-07-01", "2023-07-31") in days("in July")


def test_what_is_told_soon_after_counts_less_and_what_lies_before_nothing() -> None:
    spans = spans_of("5 July 2023", now=NOW)
    at = parse_instant("2023-07-05").ms
    assert at is not None
    assert closeness(spans, at) == 1.0
    assert closeness(spans, at - 1) == 0.0
    assert 0.4 < closeness(spans, at + 10 * DAY_MS) < 0.6
    assert closeness(spans, at + 60 * DAY_MS) == closeness(spans, None) == 0.0


@given(
    st.text()
    | st.lists(st.sampled_from(["5", "July", "2023", "last", "week", "ago", "two", "may", "0000-13-99"])).map(" ".join)
)
@settings(max_examples=300, deadline=None)
def test_no_text_raises(text: str) -> None:
    assert all(span.start < span.end for span in spans_of(text, now=NOW))
