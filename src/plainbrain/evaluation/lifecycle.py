"""Our own cases: one brain of notes as agents keep them, and questions about what changed, ended or was never said.

Owns ``data/lifecycle_notes.jsonl`` (the notes) and ``data/lifecycle.jsonl`` (the cases), all made up by us. Kinds of case:
``direct`` and ``paraphrase`` (is the note found at all), ``update`` and ``supersession`` (the new one, never the old),
``conflict`` (both sides), ``as-of`` (what held at a time), ``ended`` (valid no more), ``date``, ``names`` (two like things told apart) and ``abstention`` (nothing there
answers it). A case is passed when all that is ``want``ed stands among the first five and nothing of ``never`` does.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from typing import Any

from plainbrain.app.brain import Brain, make_brain
from plainbrain.errors import Unreadable
from plainbrain.evaluation.measures import area_under, mean
from plainbrain.evaluation.runner import Stopped, Way, environment_of, evidence_of, prepare
from plainbrain.model.change import Put
from plainbrain.model.confidence import Confidence
from plainbrain.model.hit import Recall
from plainbrain.model.instants import parse_instant
from plainbrain.model.links import SUPERSEDED_BY, SUPERSEDES, Link
from plainbrain.model.memory import Memory
from plainbrain.model.query import Query

FIRST = 5
ABSTENTION = "abstention"
NOW = parse_instant("2026-11-02T09:00:00Z")


@dataclass(frozen=True, slots=True)
class Case:
    """Ask ``ask`` with the filters ``given``; ``want`` must be found and ``never`` must not."""

    kind: str
    ask: str
    want: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    given: dict[str, Any] = field(default_factory=dict)


def load_notes() -> list[Memory]:
    """Return the notes of the brain."""
    found = [_note(record) for record in _records("lifecycle_notes.jsonl")]
    successor = {old: memory.id for memory in found for old in memory.supersedes}
    return [_retired(memory, successor.get(memory.id, "")) for memory in found]


def load_cases() -> list[Case]:
    """Return the cases. Raise Unreadable where one names a note that is not there."""
    known = {memory.id for memory in load_notes()}
    cases = []
    for record in _records("lifecycle.jsonl"):
        case = Case(
            record["kind"],
            record["ask"],
            tuple(record.get("want", ())),
            tuple(record.get("never", ())),
            dict(record.get("given", {})),
        )
        if missing := {*case.want, *case.never} - known:
            raise Unreadable(f"the case {case.ask!r} names {sorted(missing)}", value=case.ask, hint="no such note")
        cases.append(case)
    return cases


def _records(name: str) -> Iterator[dict[str, Any]]:
    text = files("plainbrain.evaluation").joinpath("data", name).read_text(encoding="utf-8")
    for line in filter(None, text.split("\n")):
        yield json.loads(line)


def _note(record: dict[str, Any]) -> Memory:
    day = record.get("created")
    until = record.get("until")
    return Memory(
        id=record["id"],
        title=record["title"],
        description=record.get("description", ""),
        content=record["body"],
        kind=record.get("type", "fact"),
        cortex=record.get("cortex", ""),
        tags=tuple(record.get("tags", ())),
        confidence=Confidence(number=record.get("confidence")),
        created=parse_instant(day) if day else None,
        valid_until=parse_instant(until) if until else None,
        status=record.get("status", "active"),
        links=tuple(Link(old, SUPERSEDES) for old in record.get("supersedes", ())),
        metadata={"author": record["author"]} if "author" in record else {},
    )


def _retired(memory: Memory, by: str) -> Memory:
    links = (*memory.links, Link(by, SUPERSEDED_BY)) if by else memory.links
    return replace(memory, status="superseded" if by else memory.status, links=links)


def query_of(case: Case, way: Way) -> Query:
    """Return the query of a case."""
    given: dict[str, Any] = {
        name: parse_instant(v) if name in ("after", "before") else v for name, v in case.given.items()
    }
    return Query(case.ask, FIRST, profile=way.profile, without=way.without, **given)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Say how a case went: whether it passed, whether something stale was shown, and the best evidence."""

    case: Case
    passed: bool
    stale: bool
    first: bool
    score: float


def judge(case: Case, found: Recall) -> Verdict:
    """Hold the answer to a case against what it wants; an unanswerable one passes when nothing relevant is claimed."""
    shown = [hit.id for hit in found.hits]
    stale = any(id in shown for id in case.never)
    passed = not found.relevant if case.kind == ABSTENTION else set(case.want) <= set(shown) and not stale
    return Verdict(case, passed, stale, bool(shown) and shown[0] in case.want, evidence_of(found))


def judge_all(way: Way) -> list[Verdict]:
    """Ask every case of the brain of notes."""
    with (
        tempfile.TemporaryDirectory() as cache,
        make_brain("ram:cases", clock=Stopped(NOW), environment=environment_of(way, cache)) as brain,
    ):
        brain.store.apply([Put(memory) for memory in load_notes()])
        prepare(brain)
        return [judge(case, _ask(brain, case, way)) for case in load_cases()]


def _ask(brain: Brain, case: Case, way: Way) -> Recall:
    return brain.ask(query_of(case, way))


def figures_of_cases(way: Way) -> dict[str, Any]:
    """Return how many cases passed, overall and by kind, how often something stale was shown, and the abstention AUC."""
    verdicts = judge_all(way)
    kinds = dict.fromkeys(verdict.case.kind for verdict in verdicts)
    return {
        "profile": way.profile,
        **_figures(verdicts),
        "by_kind": {kind: _figures([v for v in verdicts if v.case.kind == kind]) for kind in kinds},
        "abstention_auc": round(
            area_under(
                [v.score for v in verdicts if v.case.want], [v.score for v in verdicts if v.case.kind == ABSTENTION]
            ),
            4,
        ),
        "failed": [v.case.ask for v in verdicts if not v.passed],
    }


def _figures(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    wanted = [v for v in verdicts if v.case.want]
    guarded = [v for v in verdicts if v.case.never]
    return {
        "cases": len(verdicts),
        "passed": sum(v.passed for v in verdicts),
        "first": round(mean([float(v.first) for v in wanted]), 4),
        "stale": round(mean([float(v.stale) for v in guarded]), 4),
    }


def lines_of_cases(figures: dict[str, Any]) -> list[str]:
    """Return the figures as lines of Markdown."""
    lines = [f"## cases, {figures['profile']}", "", "| | cases | passed | first | stale |", "|---|---|---|---|---|"]
    for name, some in (("all", figures), *figures["by_kind"].items()):
        lines.append(
            f"| {name} | {some['cases']} | {some['passed']} | {100 * some['first']:.0f} % | {100 * some['stale']:.0f} % |"
        )
    lines += ["", f"no answer: AUC {figures['abstention_auc']:.3f}"]
    return [*lines, *(f"failed: {ask}" for ask in figures["failed"])]
