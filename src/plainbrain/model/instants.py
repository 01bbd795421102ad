"""A point in time as people and tools write it: a day, a second, a millisecond, or a text that is none.

One value serves all four notations. It compares by time, keeps whether only a day was said (a day
never becomes a time and never shifts with a zone), and keeps a text that it cannot read as it is.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone
from functools import lru_cache

from plainbrain.records import record

DAY_MS = 86_400_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY = re.compile(r"\d{4}-\d\d-\d\d\Z", re.ASCII)
_TIME = re.compile(
    r"(\d{4}-\d\d-\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|z|[+-]\d\d:?\d\d)?\Z", re.ASCII
)


@record(frozen=True, slots=True)
class Instant:
    """Hold one instant: ``ms`` since 1970 in UTC, or the unreadable ``text``.

    ``day`` is true when only a calendar day is known; ``ms`` is then its midnight in UTC.
    ``ms`` is None only for a text that is no time; ``text`` is empty otherwise.
    """

    ms: int | None
    day: bool = False
    text: str = ""

    def __str__(self) -> str:
        return self.iso()

    def iso(self) -> str:
        """Write it in the shortest ISO 8601 form that loses nothing."""
        if self.ms is None:
            return self.text
        if self.day:
            return self.day_text()
        return self.iso_seconds() if self.ms % 1000 == 0 else self.iso_ms()

    def iso_seconds(self) -> str:
        """Write ``YYYY-MM-DDTHH:MM:SSZ``; an unreadable text as it is."""
        return self.text if self.ms is None else f"{_datetime(self.ms).isoformat(timespec='seconds')[:19]}Z"

    def iso_ms(self) -> str:
        """Write ``YYYY-MM-DDTHH:MM:SS.mmmZ``; an unreadable text as it is."""
        if self.ms is None:
            return self.text
        return f"{self.iso_seconds()[:-1]}.{self.ms % 1000:03d}Z"

    def day_text(self) -> str:
        """Write the calendar day in UTC."""
        return self.text if self.ms is None else self.iso_seconds()[:10]

    def days_before(self, later: Instant) -> float | None:
        """Return the days from this instant to ``later``, never negative; None when either is unreadable."""
        if self.ms is None or later.ms is None:
            return None
        return max(0.0, (later.ms - self.ms) / DAY_MS)


def _datetime(ms: int) -> datetime:
    return _EPOCH + timedelta(milliseconds=ms)


def from_ms(ms: float) -> Instant:
    """Return the instant ``ms`` milliseconds after 1970; out of the years 1 to 9999 it stays a text."""
    whole = int(ms)
    try:
        _datetime(whole)
    except (OverflowError, ValueError):
        return Instant(None, text=str(whole))
    return Instant(whole)


def from_day(day: date) -> Instant:
    """Return the calendar day ``day``."""
    return Instant((day.toordinal() - 719_163) * DAY_MS, day=True)


@lru_cache(maxsize=4096)
def parse_instant(text: str) -> Instant:
    """Read a day or an ISO 8601 time; a time without a zone is UTC; anything else is kept as text. Never raises."""
    stripped = text.strip()
    try:
        if _DAY.match(stripped):
            return from_day(date.fromisoformat(stripped))
        if found := _TIME.match(stripped):
            day, hour, minute, second, fraction, zone = found.groups()
            at = datetime.fromisoformat(f"{day}T{hour}:{minute}:{second or '00'}").replace(tzinfo=_zone(zone))
            return from_ms((at - _EPOCH) // timedelta(milliseconds=1) + int((fraction or "0")[:3].ljust(3, "0")))
    except (ValueError, OverflowError):
        pass  # looks like a time and is none (a 13th month): kept as text below
    return Instant(None, text=text)


def _zone(text: str | None) -> timezone:
    if text is None or text in "Zz":
        return UTC
    sign = -1 if text[0] == "-" else 1
    return timezone(sign * timedelta(hours=int(text[1:3]), minutes=int(text[-2:])))
