"""How well the brain judges: secrets, extraction, feedback and conflicts against the labelled lists.

Owns the counting and the table that is printed. Promises: the same lists and rules give the same figures. Must not
know how anything is judged. ``python -m plainbrain.evaluation.judgement`` prints the table.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from plainbrain.evaluation.cases import (
    ConflictCase,
    Half,
    load_conflicts,
    load_feedback,
    load_harmless,
    load_messages,
    load_secrets,
)
from plainbrain.lifecycle.conflicts import judge
from plainbrain.lifecycle.extract import extract
from plainbrain.lifecycle.feedback import judge_feedback
from plainbrain.lifecycle.overlap import measure_overlap
from plainbrain.lifecycle.secrets import find_secrets, redact
from plainbrain.model.memory import Memory

HALVES: tuple[Half, ...] = ("dev", "held")
VERDICTS = ("positive", "negative", "neutral")


@dataclass(frozen=True, slots=True)
class Score:
    """Count how one thing was judged on one half of its list.

    ``sought`` is what was to be found, ``found`` how much of it was, ``told`` what was reported and ``right`` how much of that was so.
    For secrets, ``told`` and ``right`` count the harmless texts and those let through.
    """

    name: str
    half: str
    found: int
    sought: int
    right: int
    told: int

    @property
    def recall(self) -> float:
        """The share of what was to be found that was found; 1 where nothing was to be found."""
        return self.found / self.sought if self.sought else 1.0

    @property
    def precision(self) -> float:
        """The share of what was told that is so (of harmless texts: that were let through); 1 where nothing was told."""
        return self.right / self.told if self.told else 1.0


def score_secrets() -> tuple[Score, ...]:
    """Score the secrets that are refused and the harmless texts that are let through; then what redaction leaves behind."""
    rows = []
    for half in HALVES:
        secrets, harmless = load_secrets(half), load_harmless(half)
        refused = sum(bool(find_secrets(case.text)) for case in secrets)
        passed = sum(not find_secrets(case.text) for case in harmless)
        parts = [(part, redact(case.text)) for case in secrets for part in case.secrets]
        hidden = sum(part not in shown for part, shown in parts)
        rows.append(Score("secrets", half, refused, len(secrets), passed, len(harmless)))
        rows.append(Score("redaction", half, hidden, len(parts), passed, len(harmless)))
    return tuple(rows)


def score_extraction() -> tuple[Score, ...]:
    """Score the facts that some entry holds, and the entries that hold a fact; then the messages that reveal nothing."""
    rows = []
    for half in HALVES:
        found = sought = right = told = quiet = silent = 0
        for case in load_messages(half):
            entries = [each.content for each in extract(case.text, recalled=case.known)]
            sought += len(case.facts)
            found += sum(any(fact.found_in(entry) for entry in entries) for fact in case.facts)
            told += len(entries)
            right += sum(any(fact.found_in(entry) for fact in case.facts) for entry in entries)
            if not case.facts:
                silent += 1
                quiet += not entries
        rows.append(Score("extraction", half, found, sought, right, told))
        rows.append(Score("extraction: nothing to keep", half, quiet, silent, quiet, silent))
    return tuple(rows)


def score_feedback() -> tuple[Score, ...]:
    """Score praise, blame and neither, one row each: found of those labelled so, right of those told so."""
    rows: list[Score] = []
    for half in HALVES:
        judged = [(case.label, judge_feedback(case.text)) for case in load_feedback(half)]
        rows.extend(_of_label(f"feedback: {label}", half, judged, label=label) for label in VERDICTS)
    return tuple(rows)


def score_conflicts(rule: Callable[[ConflictCase], bool], *, name: str = "conflicts") -> tuple[Score, ...]:
    """Score a rule that tells whether the two statements of a case conflict."""

    def judged(half: Half) -> list[tuple[bool, bool]]:
        return [(case.label == "conflict", bool(rule(case))) for case in load_conflicts(half)]

    return tuple(_of_label(name, half, judged(half), label=True) for half in HALVES)


def conflicts_by_meaning(case: ConflictCase) -> bool:
    """Tell by our own rule whether the statements of a case conflict."""
    first = Memory("a", case.a, context=case.context_a or "")
    return judge(Memory("b", case.b, context=case.context_b or ""), first).kind == "conflict"


def conflicts_by_overlap(case: ConflictCase) -> bool:
    """Tell by agent-brain's rule: two words or more in common, and three tenths of the shorter statement's."""
    overlap = measure_overlap(case.a, case.b)
    return overlap.shared >= 2 and overlap.ratio >= 0.30


def _of_label(name: str, half: str, judged: Iterable[tuple[object, object]], *, label: object) -> Score:
    pairs = list(judged)
    hits = sum(want == got == label for want, got in pairs)
    return Score(name, half, hits, sum(want == label for want, _ in pairs), hits, sum(got == label for _, got in pairs))


def table(scores: Iterable[Score]) -> str:
    """Return the scores as a Markdown table."""
    head = "| what | half | found | recall | right | precision |\n|---|---|---|---|---|---|"
    return "\n".join((head, *map(_line, scores)))


def _line(score: Score) -> str:
    found, right = f"{score.found}/{score.sought}", f"{score.right}/{score.told}"
    return f"| {score.name} | {score.half} | {found} | {score.recall:.3f} | {right} | {score.precision:.3f} |"


def score_all() -> tuple[Score, ...]:
    """Score secrets, extraction, feedback, and both rules of conflict."""
    by_meaning = score_conflicts(conflicts_by_meaning, name="conflicts")
    by_overlap = score_conflicts(conflicts_by_overlap, name="conflicts: overlap rule")
    return (*score_secrets(), *score_extraction(), *score_feedback(), *by_meaning, *by_overlap)


def main() -> int:
    """Print every score."""
    sys.stdout.write(table(score_all()) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
