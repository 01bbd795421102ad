"""A picture of recall against latency, as SVG: small, with text that can be read, searched and copied.

Owns the drawing. Promises the same bytes for the same points, and that no two labels lie on each other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from xml.sax.saxutils import escape

from plainbrain.evaluation.rankings import Point

_WIDTH, _HEIGHT = 760, 420
#: Where the axes end: left, top, right, bottom. The labels stand to the right of them.
_LEFT, _TOP, _RIGHT, _BOTTOM = 64, 56, 560, 364
#: Between two labels, from line to line.
_LINE = 15.0
#: Marks on the axis of times within each power of ten.
_STEPS = (1, 2, 5)
_INK, _FAINT, _DOT = "#1f2933", "#d5dbe1", "#0b63a5"


def draw(points: Sequence[Point], *, title: str) -> str:
    """Return the SVG: time for a question from left to right (each step a doubling or so), recall@10 upwards."""
    across, up = _marks_of_time(points), _marks_of_recall(points)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'font-family="sans-serif" font-size="12" fill="{_INK}">',
        f"<title>{escape(title)}</title>",
        f"<desc>{escape(_told(points))}</desc>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
        _text(_LEFT, 26, title, extra=' font-size="15" font-weight="bold"'),
    ]
    for mark in across:
        x = _across(mark, across)
        lines += [_line(x, _TOP, x, _BOTTOM), _text(x, _BOTTOM + 18, f"{mark:g}", extra=' text-anchor="middle"')]
    for share in up:
        y = _up(share / 100, up)
        lines += [_line(_LEFT, y, _RIGHT, y), _text(_LEFT - 8, y + 4, f"{share}", extra=' text-anchor="end"')]
    middle = (_LEFT + _RIGHT) / 2
    lines.append(_text(middle, _BOTTOM + 40, "milliseconds for a question, median", extra=' text-anchor="middle"'))
    lines.append(_text(_LEFT - 40, _TOP - 8, "recall@10, %"))
    lines += [line for point, y in _labels(points, up) for line in _drawn(point, y, across, up)]
    return "\n".join([*lines, "</svg>", ""])


def _drawn(point: Point, label: float, across: Sequence[float], up: Sequence[int]) -> list[str]:
    """Return the dot of a point, its label at the height ``label``, and a line between the two."""
    x, y = _across(point.median_ms, across), _up(point.recall, up)
    return [
        _line(x, y, _RIGHT + 12, label - 4, colour=_DOT),
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{_DOT}"/>',
        _text(_RIGHT + 16, label, f"{point.name}: {100 * point.recall:.1f}"),
    ]


def _labels(points: Sequence[Point], up: Sequence[int]) -> list[tuple[Point, float]]:
    """Return the points from the top down, each with the height of its label: beside its dot, or a line below the one before."""
    placed: list[tuple[Point, float]] = []
    for point in sorted(points, key=lambda one: (-one.recall, one.median_ms, one.name)):
        wanted = _up(point.recall, up) + 4
        placed.append((point, max(wanted, placed[-1][1] + _LINE) if placed else wanted))
    return placed


def _marks_of_time(points: Sequence[Point]) -> list[float]:
    """Return the marks 1, 2, 5, 10 … around all times."""
    times = [max(0.01, point.median_ms) for point in points] or [1.0]
    powers = range(math.floor(math.log10(min(times))) - 1, math.ceil(math.log10(max(times))) + 2)
    marks = [float(f"{step}e{power}") for power in powers for step in _STEPS]
    first = max(at for at, mark in enumerate(marks) if mark <= min(times))
    last = min(at for at, mark in enumerate(marks) if mark >= max(times))
    return marks[first : max(last, first + 1) + 1]


def _marks_of_recall(points: Sequence[Point]) -> list[int]:
    """Return the tens around all shares, in hundredths."""
    shares = [100 * point.recall for point in points] or [0.0]
    low, high = max(0, int((min(shares) - 5) // 10 * 10)), int(-(-max(shares) // 10) * 10)
    return list(range(min(low, 90), max(high, low + 10) + 1, 10))


def _across(milliseconds: float, marks: Sequence[float]) -> float:
    share = math.log(max(0.01, milliseconds) / marks[0]) / math.log(marks[-1] / marks[0])
    return _LEFT + share * (_RIGHT - _LEFT)


def _up(recall: float, marks: Sequence[int]) -> float:
    return _BOTTOM - (100 * recall - marks[0]) / (marks[-1] - marks[0]) * (_BOTTOM - _TOP)


def _line(x: float, y: float, to_x: float, to_y: float, *, colour: str = _FAINT) -> str:
    width = 1 if colour == _FAINT else 0.5
    return f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" stroke="{colour}" stroke-width="{width}"/>'


def _text(x: float, y: float, text: str, *, extra: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}"{extra}>{escape(text)}</text>'


def _told(points: Sequence[Point]) -> str:
    return "; ".join(f"{p.name}: recall@10 {100 * p.recall:.1f} %, {p.median_ms:.1f} ms" for p in points)
