"""Numbers, versions, quantities, dates and times as they stand in a statement, in one normal form.

``30 s``, ``30 seconds`` and ``0.5 min`` are one quantity; ``3 March``, ``March 3rd`` and ``2026-03-03`` one day.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from plainbrain.lifecycle.conflicts.cutting import WordPiece
from plainbrain.lifecycle.conflicts.lexicon import Lexicon, fold_word
from plainbrain.records import record

_GROUPED = re.compile(r"\d{1,3}(?:[,.]\d{3})+\Z")
_DATE = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\Z")
_CLOCK = re.compile(r"(\d{1,2}):(\d\d)(?::\d\d)?\Z")
_MULTIPLES = {
    "k": 1_000,
    "m": 1_000_000,
    "mio": 1_000_000,
    "million": 1_000_000,
    "millions": 1_000_000,
    "billion": 10**9,
}
_MULTIPLES |= {"万": 10_000, "萬": 10_000, "만": 10_000, "千": 1_000, "thousand": 1_000, "億": 10**8, "亿": 10**8}
_ORDINALS = frozenset({"st", "nd", "rd", "th", "er", "e", "º", "ª", "o"})
_HOURS = frozenset({"点", "點", "時", "时", "시", "uhr", "o'clock", "h", "बजे"})
_MONTH_SIGNS, _DAY_SIGNS, _YEAR_SIGNS = frozenset("月월"), frozenset("日号號일"), frozenset("年년")
#: Months that are also everyday words: a month only beside a number or after a preposition.
_DOUBTFUL = frozenset(
    {"may", "march", "mar", "mai", "maj", "set", "marca", "mei", "mart", "ocak", "dec", "ekim", "jan", "marco"}
)
#: Dimensions that tell when, not how much.
WHEN = frozenset({"day", "year", "weekday", "clock"})


@record(frozen=True, slots=True)
class Figure:
    """A number, quantity or time: ``key`` compares it within ``dim``; ``length`` pieces were read."""

    key: str
    dim: str
    length: int
    numbered: bool = False


def read_figure(pieces: Sequence[WordPiece], at: int, words: Lexicon) -> Figure | None:
    """Read what begins at piece ``at``, or return None when it is no figure."""
    piece = pieces[at]
    if piece.sort == "sign" and piece.text == "#" and at + 1 < len(pieces) and pieces[at + 1].sort == "figure":
        return Figure("#" + pieces[at + 1].text, "number", 2, numbered=True)
    if piece.sort == "sign" and piece.text in "$€£¥₹" and at + 1 < len(pieces) and pieces[at + 1].sort == "figure":
        value, length = _multiply(_number(pieces[at + 1].text), pieces, at + 2)
        return Figure(_plain(value), "money", 1 + length)
    if piece.sense and piece.sense.weekday:
        return Figure(str(piece.sense.weekday), "weekday", 1)
    if piece.sense and piece.sense.month:
        return _read_month(pieces, at)
    if piece.sort == "figure":
        return _read_number(pieces, at, words)
    if piece.sense and piece.sense.number is not None and not piece.sense.role and _counts(pieces, at):
        return _read_counted(pieces, at, words, piece.sense.number)
    return None


def _counts(pieces: Sequence[WordPiece], at: int) -> bool:
    """Whether a number word counts what follows: ``one approval``, not ``the one of them``."""
    if pieces[at].word not in ("one", "once"):
        return True
    after = pieces[at + 1] if at + 1 < len(pieces) else None
    return (
        after is not None and after.sort == "word" and not (after.sense and after.sense.role in ("stop", "prep", "not"))
    )


def _read_month(pieces: Sequence[WordPiece], at: int) -> Figure | None:
    piece = pieces[at]
    month = piece.sense.month if piece.sense else 0
    after = pieces[at + 1] if at + 1 < len(pieces) else None
    if after and after.sort == "figure" and (day := _day(after.text)):
        length = 2
        if at + 2 < len(pieces) and pieces[at + 2].glued and pieces[at + 2].word in _ORDINALS:
            length = 3
        return Figure(f"{month}-{day}", "day", length)
    if piece.word in _DOUBTFUL:
        before = pieces[at - 1].sense if at else None
        if before is None or before.role != "prep":
            return None
    return Figure(str(month), "day", 1)


def _day(text: str) -> int:
    return int(text) if text.isdigit() and 1 <= int(text[:4]) <= 31 else 0


def _read_number(pieces: Sequence[WordPiece], at: int, words: Lexicon) -> Figure:
    text = pieces[at].text
    if date := _DATE.match(text):
        return Figure(f"{int(date[2])}-{int(date[3])}-{date[1]}", "day", 1)
    if clock := _CLOCK.match(text):
        return _afternoon(pieces, at + 1, int(clock[1]) * 60 + int(clock[2]), 1)
    if dated := _read_day_month(pieces, at):
        return dated
    if text[0] in "vV" or text.count(".") > 1:
        return Figure(text.lstrip("vV").rstrip("."), "version", 1)
    if not _is_plain(text):
        return Figure(text, "range", 1)
    return _read_counted(pieces, at, words, _number(text))


def _read_day_month(pieces: Sequence[WordPiece], at: int) -> Figure | None:
    """Read ``3 March``, ``3rd of March``, ``3. März``, and days written with the signs for month and day."""
    day, ahead = _day(pieces[at].text), pieces[at + 1 : at + 4]
    if not day or not ahead:
        return None
    if ahead[0].word[:1] in _MONTH_SIGNS and len(ahead[0].word) == 1:
        if len(ahead) > 1 and ahead[1].sort == "figure" and (second := _day(ahead[1].text)):
            signed = len(ahead) > 2 and ahead[2].word[:1] in _DAY_SIGNS
            return Figure(f"{day}-{second}", "day", 4 if signed else 3)
        return Figure(str(day), "day", 2)
    skipped = 0
    for skipped, piece in enumerate(ahead):
        if piece.sense and piece.sense.month:
            return Figure(f"{piece.sense.month}-{day}", "day", skipped + 2)
        if not (piece.word in _ORDINALS or piece.word in ("of", "de", "di")):
            return None
    return None


def _is_plain(text: str) -> bool:
    return all(c.isdigit() or c in ".," for c in text)


def _number(text: str) -> float:
    if _GROUPED.match(text) and not (text.count(".") == 1 and "," not in text):
        return float(text.replace(",", "").replace(".", ""))
    cleaned = text.replace(",", ".")
    try:
        return float(cleaned)
    except ValueError:
        return float("".join(c for c in text if c.isdigit()) or 0)


def _plain(value: float) -> str:
    return f"{value:.6g}" if value < 1e6 else f"{value:.0f}"


def _multiply(value: float, pieces: Sequence[WordPiece], at: int) -> tuple[float, int]:
    if at < len(pieces) and pieces[at].word in _MULTIPLES and (pieces[at].glued or len(pieces[at].word) > 1):
        return value * _MULTIPLES[pieces[at].word], 2
    return value, 1


def _read_counted(pieces: Sequence[WordPiece], at: int, words: Lexicon, value: float) -> Figure:
    raw = pieces[at].text if pieces[at].sort == "figure" else ""
    value, length = _multiply(value, pieces, at + 1)
    following = pieces[at + length] if at + length < len(pieces) else None
    word = following.word if following else ""
    if following and following.glued and word in _ORDINALS:
        return Figure(_plain(value), "ordinal", length + 1)
    if word in ("am", "pm", "a.m", "p.m"):
        return _afternoon(pieces, at + length, int(value) * 60, length)
    if word in _HOURS and (not word.isascii() or word != "h") and value <= 24:
        return _afternoon(pieces, at + length + 1, int(value) * 60, length + 1)
    if word in _YEAR_SIGNS and 1900 <= value < 2100:
        return Figure(_plain(value), "year", length + 1)
    if following and (unit := words.unit(word)):
        return Figure(_plain(value * unit[1]), unit[0], length + 1)
    if raw.isdigit() and len(raw) == 4 and 1900 <= value < 2100 and _is_year(pieces, at):
        return Figure(raw, "year", 1)
    return Figure(raw.replace(",", ".") if "." in raw and value < 1000 else _plain(value), "number", length)


def _is_year(pieces: Sequence[WordPiece], at: int) -> bool:
    before = pieces[at - 1] if at else None
    return bool(
        before and ((before.sense and (before.sense.role == "prep" or before.sense.month)) or before.sort == "comma")
    )


def _afternoon(pieces: Sequence[WordPiece], at: int, minutes: int, length: int) -> Figure:
    word = fold_word(pieces[at].text).rstrip(".") if at < len(pieces) else ""
    if word in ("pm", "p.m") and minutes < 720:
        return Figure(str(minutes + 720), "clock", length + 1)
    if word in ("am", "a.m", "pm", "p.m", "uhr", "o'clock"):
        return Figure(str(minutes % 1440 if word[:1] != "a" or minutes < 720 else minutes - 720), "clock", length + 1)
    return Figure(str(minutes), "clock", length)


def figures_agree(one: str, other: str) -> bool:
    """Tell whether two figures of one dimension may be the same: equal, or one says more of the same version or day."""
    if one == other or one.startswith(other + "-") or other.startswith(one + "-"):
        return True
    short, long = sorted((one, other), key=len)
    return "." in long and long.startswith(short + ".") and not ("." in short and long.count(".") < 2)
