"""LongMemEval questions (Wu et al., 2024) as trials: one brain for each question, one memory for each turn.

Owns the reading of the public layout (``longmemeval_s.json``, ``_m``, ``_oracle``, and the cleaned ones): ``question``,
``question_type``, ``question_date``, ``haystack_sessions`` with their ids and dates in any order, ``has_answer`` at the turns
that answer, ``answer_session_ids``. A question whose id ends in ``_abs`` has no answer. Where no turn is marked, every turn of
the answering sessions counts. Promises to hold one question at a time: the largest of these files has gigabytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

from plainbrain.errors import Unreadable
from plainbrain.evaluation.trial import Question, Trial
from plainbrain.model.instants import Instant, from_ms
from plainbrain.model.memory import Memory
from plainbrain.model.provenance import Provenance

UNANSWERABLE = "abstention"
_HINT = "give a file like longmemeval_s.json"
_DATE = re.compile(r"(\d{4})/(\d\d)/(\d\d)(?: \([A-Za-z]+\))?(?: (\d\d):(\d\d))?")
#: Characters read at a time, at first; twice as many each time that an object does not end within them.
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class LongMemEval:
    """The trials of a file, one for each question, read anew each time that somebody goes through them."""

    path: Path

    def __iter__(self) -> Iterator[Trial]:
        """Yield the trials. Raise Unreadable with what is wrong, and at which question."""
        for number, one in enumerate(_objects(self.path), 1):
            try:
                yield _trial(one)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                message = f"{self.path} is not in the layout of LongMemEval: question {number}: {error!r}"
                raise Unreadable(message, value=str(self.path), hint=_HINT) from error


def read_longmemeval(path: Path) -> list[Trial]:
    """Return all trials of a file at once. Raise Unreadable with what is wrong."""
    return list(LongMemEval(path))


def _objects(path: Path) -> Iterator[Any]:
    """Yield the values of the list that a file holds, one after the other. Raise Unreadable."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            yield from _values_of(file)
    except (OSError, ValueError, RecursionError) as error:
        raise Unreadable(f"{path} cannot be read: {error}", value=str(path), hint=_HINT) from error


def _values_of(file: TextIO) -> Iterator[Any]:
    decoder = json.JSONDecoder()
    text = _go_on("", file)
    if text[:1] != "[":
        raise ValueError("it is no list")
    text = _go_on(text[1:], file)
    while text[:1] != "]":
        value, end, text = _next_value(decoder, text, file)
        yield value
        text = _go_on(text[end:], file)
        if text[:1] not in (",", "]"):
            raise ValueError(f"a comma or the end of the list should stand before {text[:30]!r}")
        text = text if text[:1] == "]" else _go_on(text[1:], file)


def _go_on(text: str, file: TextIO) -> str:
    """Return the text from its first character that is no space; read on where there is none."""
    while not (text := text.lstrip()):
        text = file.read(_CHUNK)
        if not text:
            break
    return text


def _next_value(decoder: json.JSONDecoder, text: str, file: TextIO) -> tuple[Any, int, str]:
    """Return the value that ``text`` begins with, where it ends, and the text with as much more as was read."""
    size = _CHUNK
    while True:
        try:
            value, end = decoder.raw_decode(text)
        except ValueError:
            more = file.read(size)
            if not more:
                raise
            text, size = text + more, size * 2
            continue
        return value, end, text


def _trial(one: Mapping[str, Any]) -> Trial:
    name = str(one["question_id"])
    turns = list(_turns(one, name))
    marked = [memory for memory, answers, _ in turns if answers]
    answering = {str(id) for id in one.get("answer_session_ids") or ()}
    of_sessions = [memory for memory, _, session in turns if session in answering]
    evidence = marked or of_sessions
    sessions = tuple(dict.fromkeys(memory.provenance.sessions[0] for memory in of_sessions or marked))
    now = _time(one.get("question_date")) or Instant(0)
    if name.endswith("_abs"):
        question = Question(str(one["question"]), UNANSWERABLE)
    else:
        category = str(one.get("question_type", ""))
        question = Question(str(one["question"]), category, tuple(m.id for m in evidence), sessions=sessions)
    return Trial(name, tuple(memory for memory, _, _ in turns), (question,), now)


def _turns(one: Mapping[str, Any], name: str) -> Iterator[tuple[Memory, bool, str]]:
    sessions = one["haystack_sessions"]
    ids = [str(id) for id in one.get("haystack_session_ids") or range(1, len(sessions) + 1)]
    dates = list(one.get("haystack_dates") or [None] * len(sessions))
    for number, (session, id, date) in enumerate(zip(sessions, ids, dates, strict=True), 1):
        for place, turn in enumerate(session, 1):
            memory = Memory(
                id=f"{name}/{number}/{place}",
                content=str(turn["content"]),
                created=_time(date),
                provenance=Provenance(sessions=(f"{name}/{number}",), turn=place),
                metadata={"speaker": str(turn["role"])},
            )
            yield memory, bool(turn.get("has_answer")), id


def _time(text: object) -> Instant | None:
    found = _DATE.match(text.strip()) if isinstance(text, str) else None
    if found is None:
        return None
    year, month, day, hour, minute = (int(part or 0) for part in found.groups())
    return from_ms(datetime(year, month, day, hour, minute, tzinfo=UTC).timestamp() * 1000)
