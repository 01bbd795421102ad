"""What each signal is worth: the same trials with one signal left out at a time.

Owns the rows of the ablation table. Asks the questions once for each row, of brains that are made once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from plainbrain.evaluation.rankings import model_of
from plainbrain.evaluation.report import FIGURES, figures_of
from plainbrain.evaluation.runner import Progress, Way, run_each
from plainbrain.evaluation.trial import Trial

#: Signals that are left out, alone or together.
_WORDS = (("body",), ("context",), ("author",), ("date",), ("author", "date"), ("certainty",))
_VECTORS = (("likeness", "likeness_context"), ("likeness",), ("likeness_context",), ("body", "context"))


def ablate(trials: Iterable[Trial], way: Way, *, progress: Progress | None = None) -> list[dict[str, Any]]:
    """Return the figures with every signal, then without each; with a model, without its signals too."""
    left_out = ((), *_WORDS, *(() if model_of(way) is None else _VECTORS))
    ways = [replace(way, without=(*way.without, *names)) for names in left_out]
    rows = []
    for names, answers in zip(left_out, run_each(trials, ways, progress=progress), strict=True):
        figures = figures_of(answers)
        rows.append({"without": list(names), **{name: figures[name] for name in FIGURES}})
    return rows


def table_of(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return the rows as a Markdown table, each with the change against the first."""
    lines = ["| left out | recall@10 | | ndcg@10 | |", "|---|---|---|---|---|"]
    for row in rows:
        cells = " | ".join(f"{100 * row[n]:.1f} | {100 * (row[n] - rows[0][n]):+.1f}" for n in ("recall@10", "ndcg@10"))
        lines.append(f"| {', '.join(row['without']) or 'nothing'} | {cells} |")
    return lines
