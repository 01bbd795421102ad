"""Looking back: the brain as it was at a moment, from the event log that kept it.

Owns how a moment is typed. Decides which log is asked: the store itself when it is one, else the audit log beside it.
"""

from __future__ import annotations

from plainbrain.app import wiring
from plainbrain.app.settings import Settings
from plainbrain.errors import InvalidField, Unavailable
from plainbrain.model.instants import DAY_MS, Instant, from_ms, parse_instant
from plainbrain.ports import Store

#: A number this long is a time in milliseconds, as the lines of a log have it; a shorter one counts lines.
_DIGITS_OF_MS = 11


def open_past(settings: Settings, moment: str) -> Store:
    """Open the brain as it was at ``moment``, in memory. Raise Unavailable where no log tells, InvalidField, or a StoreError."""
    url = settings.store if settings.store.startswith("jsonl:") else settings.audit
    if not url:
        raise Unavailable(
            f"{settings.store} does not keep what it was: only an event log does",
            value=settings.store,
            hint="keep one beside it from now on (--audit jsonl:FILE, or BRAIN_AUDIT), or name a log: --store jsonl:FILE",
        )
    return wiring.open_past(url, read_moment(moment))


def read_moment(text: str) -> Instant | int:
    """Return the moment that was typed: a time, a day (its end is meant), or a number of lines. Raise InvalidField."""
    if text.isascii() and text.isdigit() and len(text) < 20:
        return int(text) if len(text) < _DIGITS_OF_MS else from_ms(int(text))
    at = parse_instant(text)
    if at.ms is None:
        raise InvalidField(
            f"--as-of {text!r} is neither a time nor a number of lines",
            value=text,
            hint="write 2026-10-27, 2026-10-27T12:00:00Z, or 120 for what the first 120 lines say",
        )
    return Instant(at.ms + DAY_MS - 1) if at.day else at
