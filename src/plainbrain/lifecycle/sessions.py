"""Numbered sessions: agent-brain's counter and its current session, as values of the brain's journal.

Pure: a function from values to values, which the journal runs under its lock, so that no two processes
are given the same number. Damaged values never stop anything: they count as never set.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from plainbrain.model.instants import Instant
from plainbrain.records import record

COUNTER, CURRENT = "session_counter", "current_session"


@record(frozen=True, slots=True)
class Session:
    """One session: its number (from 1), what it is about, and when it was started as written."""

    id: int
    context: str = ""
    started: str = ""


def sessions_counted(values: Mapping[str, str]) -> int:
    """Return how many sessions were started; never less than the number of the current one."""
    text = values.get(COUNTER, "").strip()
    counter = int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0
    current = current_session(values)
    return max(counter, current.id if current else 0)


def current_session(values: Mapping[str, str]) -> Session | None:
    """Read the session that is open, or None when there is none or the value is no session."""
    try:
        written = json.loads(values.get(CURRENT) or "null")
    except (ValueError, RecursionError):
        return None
    if not isinstance(written, dict):
        return None
    number = written.get("id")
    if not isinstance(number, int) or isinstance(number, bool) or not 0 < number < 10**15:
        return None
    return Session(number, _text(written.get("context")), _text(written.get("started")))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def start_session(values: Mapping[str, str], *, context: str, now: Instant) -> dict[str, str]:
    """Return the values with the next session opened; every other value is kept."""
    number = sessions_counted(values) + 1
    opened = {"id": number, "context": context or None, "started": now.iso_seconds()}
    return {**values, COUNTER: str(number), CURRENT: json.dumps(opened, ensure_ascii=False)}
