"""Times that a question names, as spans: days, months, years, and times told from today.

Owns the forms that are understood: ``2023-07-05``, ``5 July 2023``, ``July 5``, ``July 2023``, ``in July``, ``2023``,
``yesterday``, ``this`` or ``last`` week, month and year, ``last Tuesday``, ``three weeks ago``. Words that are months
and something else (``may``, ``march``, short forms) count only beside a figure or after a word like ``in``. Takes the present as an
argument; never raises.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from plainbrain.model.instants import DAY_MS, Instant, from_day
from plainbrain.model.memory import Memory
from plainbrain.records import record

#: How much later than it happened a thing is told: after so many days a match counts half.
HALF_DAYS = 9.0
#: From here on it counts nothing.
LAST_DAYS = 45
#: A month without a year may be that of any of so many years.
_YEARS_BACK = 12
_MOST_SPANS = 16

_NAMES = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_MONTHS = {name: number for number, name in enumerate(_NAMES, 1)}
_SHORT = {name[:3]: number for name, number in _MONTHS.items()} | {"sept": 9}
_AMBIGUOUS = frozenset({"may", "march"})
_LEADING = frozenset(
    [
        "in",
        "of",
        "on",
        "since",
        "by",
        "during",
        "early",
        "late",
        "mid",
        "until",
        "before",
        "after",
        "from",
        "last",
        "this",
        "next",
    ]
)
_WEEKDAYS = {
    name: number
    for number, name in enumerate(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"])
}
_COUNTS = {
    word: number
    for number, word in enumerate(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"], 1
    )
} | {"a": 1, "an": 1, "couple": 2}
_UNITS = {"day": 1, "week": 7, "month": 30, "year": 365}
_WORDS = re.compile(r"\d{4}-\d\d-\d\d|[^\W\d_]+|\d+")


@record(frozen=True, slots=True)
class Span:
    """A stretch of time from ``start`` up to and without ``end``, both in milliseconds."""

    start: int
    end: int

    def closeness(self, ms: int) -> float:
        """Return 1 within the span, less the later after it, 0 before it and long after."""
        if ms < self.start:
            return 0.0
        late = (ms - self.end) / DAY_MS
        if late < 0:
            return 1.0
        return 0.0 if late > LAST_DAYS else float(0.5 ** (late / HALF_DAYS))


def told_at(memory: Memory) -> int | None:
    """Return the time that a memory is of: since when it is valid, else when it was made; None if unsaid."""
    for at in (memory.valid_from, memory.created):
        if at is not None and at.ms is not None:
            return at.ms
    return None


def closeness(spans: Sequence[Span], ms: int | None) -> float:
    """Return how close a time is to the nearest of the spans, 0..1."""
    return max((span.closeness(ms) for span in spans), default=0.0) if ms is not None else 0.0


def spans_of(text: str, *, now: Instant) -> tuple[Span, ...]:
    """Return the times that a question names, none twice; ``()`` for most questions."""
    if now.ms is None:
        return ()
    today = date(1970, 1, 1) + timedelta(days=now.ms // DAY_MS)
    words = _WORDS.findall(text.lower())
    found: dict[Span, None] = {}
    try:
        for first, last in _days(words, today):
            found[Span(_ms(first), _ms(last) + DAY_MS)] = None
    except (ValueError, OverflowError):
        pass  # a day that no calendar has names no time; those before it stand
    return tuple(found)[:_MOST_SPANS]


def _ms(day: date) -> int:
    return from_day(day).ms or 0


def _days(words: Sequence[str], today: date) -> Iterator[tuple[date, date]]:
    """Yield (first day, last day) of each time that is named."""
    years = [int(word) for word in words if len(word) == 4 and word.isdecimal() and 1900 <= int(word) < 2100]
    months = False
    for at, word in enumerate(words):
        if len(word) == 10 and word[4] == "-":
            day = date.fromisoformat(word)
            yield day, day
        elif month := _month(words, at):
            months = True
            around = [today.year - back for back in range(-1, _YEARS_BACK)]
            yield from _of_month(month, _day_beside(words, at), years or around)
        else:
            yield from _told_from_today(words, at, today)
    if not months:
        for year in years:
            yield date(year, 1, 1), date(year, 12, 31)


def _month(words: Sequence[str], at: int) -> int:
    """Return the month that the word at ``at`` names, 0 if none."""
    word = words[at]
    beside = any(words[i].isdecimal() for i in (at - 1, at + 1) if 0 <= i < len(words))
    if word in _MONTHS:
        sure = word not in _AMBIGUOUS or beside or _day_beside(words, at) or (at and words[at - 1] in _LEADING)
        return _MONTHS[word] if sure else 0
    return _SHORT.get(word, 0) if beside else 0


def _day_beside(words: Sequence[str], at: int) -> int:
    """Return the day of the month written before or after the word at ``at`` (``5 July``, ``5th of July``, ``July 5``)."""
    if at + 1 < len(words) and (day := _day(words[at + 1])):
        return day
    before = [word for word in words[max(0, at - 3) : at] if word not in ("th", "st", "nd", "rd", "of")]
    return _day(before[-1]) if before else 0


def _day(word: str) -> int:
    return int(word) if word.isdecimal() and len(word) < 3 and 1 <= int(word) <= 31 else 0


def _of_month(month: int, day: int, years: Sequence[int]) -> Iterator[tuple[date, date]]:
    for year in years:
        last = _length(year, month)
        if day <= last:
            yield date(year, month, day or 1), date(year, month, day or last)


def _length(year: int, month: int) -> int:
    """Return how many days a month has."""
    return (date(year + month // 12, month % 12 + 1, 1) - date(year, month, 1)).days


def _told_from_today(words: Sequence[str], at: int, today: date) -> Iterator[tuple[date, date]]:
    word, after = words[at], words[at + 1] if at + 1 < len(words) else ""
    if word == "today":
        yield today, today
    elif word == "yesterday":
        yield today - timedelta(days=1), today - timedelta(days=1)
    elif word in ("this", "last") and after in _UNITS:
        yield _period(after, today, back=word == "last")
    elif word == "last" and after in _WEEKDAYS:
        day = today - timedelta(days=(today.weekday() - _WEEKDAYS[after] - 1) % 7 + 1)
        yield day, day
    elif word == "ago" and at >= 2 and (unit := _UNITS.get(words[at - 1].removesuffix("s"))):
        count = _COUNTS.get(words[at - 2]) or (int(words[at - 2]) if words[at - 2][:4].isdecimal() else 0)
        if count:
            middle, slack = today - timedelta(days=count * unit), timedelta(days=unit // 2)
            yield middle - slack, middle + slack


def _period(unit: str, today: date, *, back: bool) -> tuple[date, date]:
    """Return the day, week, month or year that today is in, or the one before."""
    if unit == "week":
        first = today - timedelta(days=today.weekday() + 7 * back)
        return first, first + timedelta(days=6)
    if unit == "month":
        year, month = (today.year, today.month - 1) if back else (today.year, today.month)
        year, month = (year - 1, 12) if month == 0 else (year, month)
        return date(year, month, 1), date(year, month, _length(year, month))
    if unit == "year":
        return date(today.year - back, 1, 1), date(today.year - back, 12, 31)
    day = today - timedelta(days=int(back))
    return day, day
