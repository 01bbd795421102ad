"""What a run came to, as figures: overall and by category, with intervals, and against an earlier run.

Owns the names of the figures, which are stable: ``recall@5``, ``recall@10``, ``recall@20``, ``mrr``, ``ndcg@10``,
``abstention_auc``, ``latency_ms``, and under ``sessions`` ``recall@5``, ``any@5`` and the like: of whole sessions, met in the
order of their first hit among those looked at. Questions without an answer count only for abstention.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from plainbrain.errors import Unreadable
from plainbrain.evaluation.measures import area_under, interval, mean, ndcg_at, percentile, recall_at, reciprocal_rank
from plainbrain.evaluation.runner import Answer

SEED = 7
FIGURES = ("recall@5", "recall@10", "recall@20", "mrr", "ndcg@10")
Figures = dict[str, Any]


def figures_of(answers: Sequence[Answer], *, elsewhere: Sequence[Answer] = (), seed: int = SEED) -> Figures:
    """Return every figure of a run; ``elsewhere`` are answers to questions that were asked of the wrong brain."""
    answered = [answer for answer in answers if answer.sought]
    unanswerable = [answer for answer in answers if not answer.sought]
    found: Figures = {"questions": len(answered), **_means(answered)}
    found["interval95"] = {
        name: [round(edge, 4) for edge in interval(values, seed=seed)] for name, values in _values(answered).items()
    }
    categories = sorted({answer.category for answer in answered})
    found["by_category"] = {
        name: {"questions": len(some), **_means(some)}
        for name in categories
        if (some := [answer for answer in answered if answer.category == name])
    }
    if by_session := [answer for answer in answered if answer.sessions_sought]:
        found["sessions"] = _by_session(by_session)
    if answered and unanswerable:
        found["abstention_auc"] = _auc(answered, unanswerable)
        found["abstention"] = _abstention(answered, unanswerable)
    if answered and elsewhere:
        found["elsewhere_auc"] = _auc(answered, elsewhere)
        found["elsewhere"] = _abstention(answered, elsewhere)
    spent = [answer.seconds * 1000 for answer in answers]
    found["latency_ms"] = {"p50": round(percentile(spent, 0.5), 2), "p95": round(percentile(spent, 0.95), 2)}
    return found


def _values(answers: Sequence[Answer]) -> dict[str, list[float]]:
    return {
        **{f"recall@{k}": [recall_at(k, a.places, a.sought) for a in answers] for k in (5, 10, 20)},
        "mrr": [reciprocal_rank(a.places) for a in answers],
        "ndcg@10": [ndcg_at(10, a.places, a.sought) for a in answers],
    }


def _means(answers: Sequence[Answer]) -> Figures:
    return {name: round(mean(values), 4) for name, values in _values(answers).items()}


def _by_session(answers: Sequence[Answer]) -> Figures:
    """Return how well the answering sessions are found: the share of them, and how often any, among the first k met."""
    found: Figures = {"questions": len(answers)}
    for k in (5, 10):
        shares = [recall_at(k, a.session_places, a.sessions_sought) for a in answers]
        found[f"recall@{k}"] = round(mean(shares), 4)
        found[f"any@{k}"] = round(mean([share > 0 for share in shares]), 4)
    return found


def _auc(answered: Sequence[Answer], others: Sequence[Answer]) -> float:
    return round(area_under([a.score for a in answered], [a.score for a in others]), 4)


def _abstention(answered: Sequence[Answer], others: Sequence[Answer]) -> Figures:
    """Return how many questions without an answer are said to have none, and how many with one are."""
    return {
        "questions": len(others),
        "silent": round(mean([not a.relevant for a in others]), 4),
        "silent_where_answered": round(mean([not a.relevant for a in answered]), 4),
    }


def read_baseline(path: Path) -> Figures:
    """Return the figures of an earlier run. Raise Unreadable."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Unreadable(
            f"{path} holds no figures: {error}", value=str(path), hint="save some: --json > FILE"
        ) from error
    if not isinstance(found, dict):
        raise Unreadable(f"{path} holds no figures", value=str(path), hint="save some: --json > FILE")
    return found


def lines_of(figures: Mapping[str, Any], *, title: str, baseline: Mapping[str, Any] | None = None) -> list[str]:
    """Return the figures as lines of Markdown, with the change against a baseline."""
    lines = [
        f"## {title}",
        "",
        "| | questions | " + " | ".join(FIGURES) + " |",
        "|---|---" + "|---" * len(FIGURES) + "|",
    ]
    lines.append(_line("all", figures))
    edges = figures.get("interval95", {})
    lines.append(
        "| 95 % | | " + " | ".join("{:.1f}–{:.1f}".format(*(100 * e for e in edges[n])) for n in FIGURES) + " |"
    )
    lines += [_line(name, some) for name, some in figures.get("by_category", {}).items()]
    if baseline is not None:
        changes = " | ".join(f"{100 * (figures[n] - float(baseline.get(n, 0))):+.1f}" for n in FIGURES)
        lines.append(f"| against the baseline | | {changes} |")
    lines.append("")
    for name, what in (("abstention", "no answer"), ("elsewhere", "asked of another brain")):
        if f"{name}_auc" in figures:
            told = figures[name]
            lines.append(
                f"{what}: AUC {figures[f'{name}_auc']:.3f} over {told['questions']}, silent {100 * told['silent']:.0f} % "
                f"(where there is an answer: {100 * told['silent_where_answered']:.0f} %)"
            )
    if told := figures.get("sessions"):
        shares = ", ".join(f"{name} {100 * told[name]:.1f}" for name in told if name != "questions")
        lines.append(f"whole sessions: {shares}")
    spent = figures["latency_ms"]
    lines.append(f"latency: p50 {spent['p50']:.1f} ms, p95 {spent['p95']:.1f} ms")
    return lines


def _line(name: str, figures: Mapping[str, Any]) -> str:
    return f"| {name} | {figures['questions']} | " + " | ".join(f"{100 * figures[n]:.1f}" for n in FIGURES) + " |"
