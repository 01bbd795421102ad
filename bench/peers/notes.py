"""The same notes and questions for everybody: 300 notes, 50 questions with one answer, 50 without any.

Every title ends with a mark (``k017``) by which an answer is recognised, whatever its form. No question holds a mark.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

MARK = re.compile(r"k\d{3}\b")
_THINGS = (
    "billing gateway", "ledger export", "search cluster", "login page", "mail relay", "photo archive", "rate limiter",
    "backup job", "feature flags", "payment webhook", "session cache", "audit trail", "image resizer", "report builder",
    "queue worker", "staging database", "mobile client", "support inbox", "release pipeline", "invoice printer",
    "tenant router", "metrics collector", "password reset", "price calculator", "stock importer", "translation memory",
    "video encoder", "wiki mirror", "vault agent", "holiday calendar",
)  # fmt: skip
_FACTS = (
    ("request timeout", "gives up after {n} seconds, because slower calls never came back"),
    ("retry limit", "tries {n} times, then it asks a person"),
    ("owning team", "belongs to crew number {n}, who answer within a day"),
    ("deploy window", "is rolled out on weekday {n} only, before noon"),
    ("memory ceiling", "is stopped above {n} gigabytes, after the outage in spring"),
    ("log retention", "keeps its log lines for {n} weeks and no longer"),
    ("cost centre", "is paid from budget line {n} since the reorganisation"),
    ("encryption key rotation", "changes its keys every {n} months by hand"),
    ("load test result", "held {n} thousand users before latency doubled"),
    ("known defect", "drops the last record when batch {n} is empty"),
)
_NOWHERE = (
    "penguin colony census", "violin varnish recipe", "glacier melt forecast", "sourdough hydration ratio",
    "medieval castle moat depth", "kayak paddle length", "orchid watering rhythm", "chess opening repertoire",
    "volcano eruption history", "bicycle saddle height",
)  # fmt: skip
_TURNS = ("", "for the billing gateway", "and the backup owner", "during a deploy", "in the search archive")


@dataclass(frozen=True, slots=True)
class Note:
    """One note: ``mark`` stands in its title, ``question`` has it as its one answer."""

    mark: str
    title: str
    body: str
    question: str


def make_notes() -> list[Note]:
    """Return the notes, the same each time."""
    notes = []
    for number in range(len(_THINGS) * len(_FACTS)):
        thing, (fact, told) = _THINGS[number % len(_THINGS)], _FACTS[number // len(_THINGS)]
        mark = f"k{number:03}"
        body = f"The {thing} {told.format(n=number % 9 + 1)}. This was settled when we last looked at the {fact}."
        notes.append(Note(mark, f"{fact.capitalize()} of the {thing} {mark}", body, f"{thing} {fact}"))
    return notes


def choose_known(notes: Sequence[Note], count: int = 50) -> list[Note]:
    """Return notes, evenly spread, whose questions are asked."""
    return [notes[at * len(notes) // count] for at in range(min(count, len(notes)))]


def unanswerable() -> list[str]:
    """Return questions of several words that no note answers; four in five hold words that notes hold too."""
    return [f"{subject} {turn}".strip() for turn in _TURNS for subject in _NOWHERE]
