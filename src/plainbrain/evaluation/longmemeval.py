"""LongMemEval questions (Wu et al., 2024) as trials: one brain for each question, one memory for each turn.

Owns the reading of the public layout (``longmemeval_s.json``, ``_m``, ``_oracle``): ``question``, ``question_type``,
``question_date``, ``haystack_sessions`` with their ids and dates, ``has_answer`` at the turns that answer. A question whose
id ends in ``_abs`` has no answer. Where no turn is marked, every turn of the answering sessions counts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from plainbrain.errors import Unreadable
from plainbrain.evaluation.trial import Question, Trial
from plainbrain.model.instants import Instant, from_ms
from plainbrain.model.memory import Memory
from plainbrain.model.provenance import Provenance

UNANSWERABLE = "abstention"
_DATE = re.compile(r"(\d{4})/(\d\d)/(\d\d)(?: \([A-Za-z]+\))?(?: (\d\d):(\d\d))?")


def read_longmemeval(path: Path) -> list[Trial]:
    """Return a trial for each question in a file. Raise Unreadable with what is wrong."""
    hint = "give a file like longmemeval_s.json"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Unreadable(f"{path} cannot be read: {error}", value=str(path), hint=hint) from error
    try:
        return [_trial(one) for one in data]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Unreadable(
            f"{path} is not in the layout of LongMemEval: {error!r}", value=str(path), hint=hint
        ) from error


def _trial(one: Mapping[str, Any]) -> Trial:
    name = str(one["question_id"])
    turns = list(_turns(one, name))
    marked = [memory.id for memory, answers, _ in turns if answers]
    answering = {str(id) for id in one.get("answer_session_ids", ())}
    evidence = marked or [memory.id for memory, _, session in turns if session in answering]
    nothing = name.endswith("_abs")
    category = UNANSWERABLE if nothing else str(one.get("question_type", ""))
    now = _time(one.get("question_date")) or Instant(0)
    question = Question(str(one["question"]), category, () if nothing else tuple(evidence))
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
