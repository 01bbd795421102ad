"""What a message reveals about its author and her work: facts, preferences, workflows, corrections.

Owns ``extract`` and what it returns. Promises: only what the user says of herself, for good, in her own words;
what she says outright comes as source user and sure, what is only implied as inferred and uncertain. Must not know stores: what is
stored already is found by the caller, but for what was just recalled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from plainbrain.later import later
from plainbrain.lifecycle.extract.changing import tells_change, was_before
from plainbrain.lifecycle.extract.checks import read_slot
from plainbrain.lifecycle.extract.clauses import Clause, clauses
from plainbrain.lifecycle.extract.corrections import correct, is_correcting
from plainbrain.lifecycle.extract.decisions import (
    Decided,
    decide,
    is_choice,
    may_decide,
    own_part,
    refusal,
    refuse,
    told_choice,
    without_doubles,
)
from plainbrain.lifecycle.extract.introductions import introduce
from plainbrain.lifecycle.extract.languages import OTHER_LANGUAGES, in_other_languages
from plainbrain.lifecycle.extract.passing import in_passing, in_question
from plainbrain.lifecycle.extract.query import derive_query
from plainbrain.lifecycle.extract.rule import ExtractRule, may_begin
from plainbrain.lifecycle.extract.rules import ENGLISH
from plainbrain.lifecycle.extract.statement import state
from plainbrain.model.confidence import SURE, UNCERTAIN
from plainbrain.model.kinds import CORRECTION, DECISION
from plainbrain.model.memory import Rejected
from plainbrain.records import record
from plainbrain.text.patterns import compiled

if TYPE_CHECKING:
    from plainbrain.lifecycle import secrets
else:
    secrets = later("plainbrain.lifecycle.secrets")  # for messages that tell something

__all__ = ["OTHER_LANGUAGES", "Extracted", "derive_query", "extract"]

USER, INFERRED = "user", "inferred"
SHORTEST, LONGEST = 4, 220


@record(frozen=True, slots=True)
class Extracted:
    """Hold one thing that a message reveals: how to store it, and the span of the message it came from.

    ``changes``: the message says that something is otherwise now; ``corrects`` is what was so before, or is wrong, where it says
    that too ("from Kafka to …", "…, not Jest"), else ``""``. A decision has its reason as ``rationale``, and what it turned down.
    """

    kind: str
    content: str
    tags: tuple[str, ...]
    source: str
    confidence: str
    start: int
    end: int
    corrects: str = ""
    changes: bool = False
    rationale: str = ""
    rejected: tuple[Rejected, ...] = ()


def extract(message: str, *, recalled: Sequence[str] = (), known: Sequence[str] = ()) -> tuple[Extracted, ...]:
    """Return what a message reveals, in its order.

    ``recalled`` is text that was shown to the user or the agent: repeated in the message, it reveals nothing.
    ``known`` is what is stored already, word for word; it is left out, as are secrets.
    """
    stored = {_plain(text) for text in (*recalled, *known)}
    found: list[Extracted] = []
    told = clauses(message, recalled=recalled)
    for each in _together(told) if may_decide(message) else (one for clause in told for one in _of_clause(clause)):
        plain = _plain(each.content)
        if plain not in stored and SHORTEST <= len(each.content) <= LONGEST:
            stored.add(plain)
            found.append(each)
    if not found:
        return ()
    spans = [(secret.start, secret.end) for secret in secrets.find_secrets(message)]
    return tuple(each for each in found if all(each.end <= start or each.start >= end for start, end in spans))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".!")


def _together(told: Iterable[Clause]) -> list[Extracted]:
    """Read clauses in their order; a decision takes in what follows of its sentence, and what the next says was turned down."""
    found: list[Extracted] = []
    until, opened = 0, ""
    for clause in told:
        if clause.start < until:
            continue
        text = "" if clause.asks else own_part(clause.onward)
        refused = refuse(text) if opened else ()
        if refused:
            until = _end(clause, text)
            found[-1] = _refusing(found[-1], opened, refused, end=until)
            continue
        decided = (decide(text) or refusal(text)) if text else None
        if decided:
            until = _end(clause, text)
            found.append(_decision(decided, clause.start, until))
        made = () if decided else tuple(_of_clause(clause))
        found += made
        opened = text if decided or (made and is_choice(text)) else ""
    return found


def _end(clause: Clause, text: str) -> int:
    """Return where in the message ``text`` ends, which is the beginning of what follows from a clause on."""
    return clause.start + len(text) - (len(clause.subject) + 1 if clause.subject else 0)


def _decision(told: Decided, start: int, end: int) -> Extracted:
    return Extracted(
        DECISION,
        told.content,
        ("project.decision",),
        USER,
        SURE,
        start,
        end,
        rationale=told.rationale,
        rejected=told.rejected,
    )


def _refusing(last: Extracted, text: str, refused: tuple[Rejected, ...], *, end: int) -> Extracted:
    """Return what was told last as a decision against something as well; ``text`` is how it was told."""
    if last.kind != DECISION:
        last = _decision(Decided(told_choice(text)), last.start, last.end)
    return replace(last, rejected=without_doubles((*last.rejected, *refused)), end=end)


def _of_clause(clause: Clause) -> Iterator[Extracted]:
    found = list(in_question(clause.text)) if clause.asks else _read(clause)
    made = [
        Extracted(
            rule.kind,
            content,
            rule.tags,
            USER if rule.explicit else INFERRED,
            SURE if rule.explicit else UNCERTAIN,
            clause.start,
            clause.end,
        )
        for rule, content in found
    ]
    corrects = not clause.asks and is_correcting(clause)
    if made and not clause.asks and (corrects or tells_change(clause.text)):
        before = was_before(clause.text)
        made = [
            replace(each, kind=CORRECTION if corrects else each.kind, changes=True, corrects=before) for each in made
        ]
    elif not made and not clause.asks:
        made = [
            Extracted(CORRECTION, text, tags, USER, SURE, clause.start, clause.end, wrong, changes=True)
            for text, tags, wrong in correct(clause)
        ]
    yield from made


def _read(clause: Clause) -> list[tuple[ExtractRule, str]]:
    return list(introduce(clause)) or list(_by_rules(clause)) or list(in_other_languages(clause))


#: What stands before the statement itself: "for state management we …", "on my laptop I …".
_FRONT = r"(?i)^(?:for|on|in|at|by|under|behind|over|across|inside|within|as|with|per|locally|usually|normally|typically|mostly|often|generally|these days|nowadays|lately|most (?:days|of the time)|outside)\b[^,.;:!?()]{0,45}?,? (?:we|we're|we've|i|i'm|i've|it's|it is|our|my)\b"


def _by_rules(clause: Clause) -> Iterator[tuple[ExtractRule, str]]:
    text = f"{clause.subject} {clause.text}" if clause.subject else clause.text
    found, rest = list(_by_rows(text, clause)), text
    front = compiled(_FRONT).search(text) if not found else None
    if front:
        rest = text[front.end() - len(front.group().rsplit(" ", 1)[-1]) :]
        found = list(_by_rows(rest, replace(clause, text=rest)))
    found = found or list(in_passing(text))
    yield from found or state(rest)


def _by_rows(text: str, clause: Clause) -> Iterator[tuple[ExtractRule, str]]:
    for rule in ENGLISH:
        if not may_begin(rule.pattern, text):
            continue
        match = compiled(rule.pattern).search(text)
        if match:
            contents = read_slot(rule, tuple(group or "" for group in match.groups()), clause=clause)
            if contents:
                yield from ((rule, content) for content in contents)
                return
