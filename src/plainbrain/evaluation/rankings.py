"""Every ranking put to the same questions: how much each finds, and how long it takes.

Owns which rankings are held beside each other, and the table of them. Times are of this machine and this minute.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from plainbrain.app.settings import load_settings
from plainbrain.app.wiring import open_embedder
from plainbrain.evaluation.report import figures_of
from plainbrain.evaluation.runner import Progress, Way, environment_of, run_each
from plainbrain.evaluation.trial import Trial

#: The rankings that look at words alone, and those that take a model too.
_BY_WORDS = ("fast", "balanced", "deep", "blueprint", "rrf", "auto")
_BY_MODEL = ("rrf", "auto")


@dataclass(frozen=True, slots=True)
class Point:
    """Say what a ranking came to: shares in 0..1, milliseconds for a question (median and 95th percentile)."""

    name: str
    recall: float
    ndcg: float
    median_ms: float
    p95_ms: float

    def row(self) -> dict[str, Any]:
        """Return it as it is printed by ``--json``."""
        return {
            "ranking": self.name,
            "recall@10": self.recall,
            "ndcg@10": self.ndcg,
            "latency_ms": {"p50": self.median_ms, "p95": self.p95_ms},
        }


def compare_rankings(trials: Iterable[Trial], way: Way, *, progress: Progress | None = None) -> list[Point]:
    """Return a point for each ranking; with the model of ``way`` as well, where there is one."""
    points = _points([replace(way, profile=name, model="off") for name in _BY_WORDS], trials, "words", progress)
    if (model := model_of(way)) is not None:
        points += _points([replace(way, profile=name) for name in _BY_MODEL], trials, model, progress)
    return points


def _points(ways: Sequence[Way], trials: Iterable[Trial], by: str, progress: Progress | None) -> list[Point]:
    runs = run_each(trials, ways, progress=progress)
    return [_point(f"{way.profile}, {by}", figures_of(answers)) for way, answers in zip(ways, runs, strict=True)]


def model_of(way: Way) -> str | None:
    """Return the name of the model that a way asks with, short; None where it asks by words."""
    settings = load_settings(environment_of(way, ""), store="ram:none")
    model = open_embedder(settings)
    return None if model is None else model.name.partition("@")[0]


def _point(name: str, figures: dict[str, Any]) -> Point:
    spent = figures["latency_ms"]
    return Point(name, figures["recall@10"], figures["ndcg@10"], spent["p50"], spent["p95"])


def table_of_rankings(points: Sequence[Point]) -> list[str]:
    """Return the points as a Markdown table."""
    lines = ["| ranking | recall@10 | ndcg@10 | median, ms | p95, ms |", "|---|---|---|---|---|"]
    for one in points:
        figures = (f"{100 * one.recall:.1f}", f"{100 * one.ndcg:.1f}", f"{one.median_ms:.1f}", f"{one.p95_ms:.1f}")
        lines.append(f"| {one.name} | {' | '.join(figures)} |")
    return lines
