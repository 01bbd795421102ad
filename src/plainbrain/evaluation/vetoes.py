"""How well a brain recalls the decision that speaks against a task: the share found among the first few.

Owns the counting. Promises the same lists and brain give the same figures. ``python -m plainbrain.evaluation.vetoes`` prints them.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from plainbrain.app.brain import Brain, make_brain
from plainbrain.app.decisions import check
from plainbrain.evaluation.cases import Half, VetoCases, load_vetoes
from plainbrain.evaluation.runner import prepare
from plainbrain.lifecycle.admit import Draft
from plainbrain.model.kinds import DECISION
from plainbrain.model.memory import Rejected

AT = 5


@dataclass(frozen=True, slots=True)
class VetoScore:
    """Recall of the vetoing decision: ``found`` of ``tasks`` among the first five; ``named`` counts direct vetoes told.

    ``false_alarms`` are tasks against which nothing stands and for which a veto was told.
    """

    with_files: str
    half: str
    found: int
    tasks: int
    named: int
    direct: int
    false_alarms: int

    @property
    def recall(self) -> float:
        """The share that was found."""
        return self.found / self.tasks if self.tasks else 1.0


def score_vetoes(half: Half | None = None, *, model: str = "off") -> tuple[VetoScore, VetoScore]:
    """Score one half of the tasks, or all: with the files known, and without. ``model`` is that of the vectors."""
    cases = load_vetoes(half)
    with tempfile.TemporaryDirectory() as folder, _brain_of(cases, folder, model) as brain:
        return tuple(_score(brain, cases, half or "all", known=known) for known in ("files", "no files"))  # type: ignore[return-value]


def _brain_of(cases: VetoCases, folder: str, model: str) -> Brain:
    config = Path(folder, "config.toml")
    config.touch()
    environment = {"BRAIN_CONFIG": str(config), "BRAIN_CACHE": folder, "BRAIN_MODEL": model}
    if models := os.environ.get("BRAIN_MODELS", ""):
        environment["BRAIN_MODELS"] = models
    brain = make_brain("ram:vetoes", environment=environment)
    for case in cases.decisions:
        rejected = tuple(Rejected(one.option, one.reason) for one in case.rejected)
        brain.keep(
            Draft(case.decision, case.decision, kind=DECISION, id=case.id, rationale=case.rationale, rejected=rejected, files=case.files)
        )  # fmt: skip
    prepare(brain)
    return brain


def _score(brain: Brain, cases: VetoCases, half: str, *, known: str) -> VetoScore:
    found = named = alarms = 0
    for task in cases.tasks:
        answer = check(brain.context, task.text, files=task.files if known == "files" else (), k=AT)
        vetoed = {veto.decision.id for veto in answer.vetoes}
        if task.decision is None:
            alarms += bool(vetoed)
            continue
        found += task.decision in {one.memory.id for one in answer.bearing}
        named += task.direct and task.decision in vetoed
    real = [task for task in cases.tasks if task.decision is not None]
    return VetoScore(known, half, found, len(real), named, sum(task.direct for task in real), alarms)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; ``--model NAME`` asks with vectors."""
    parser = argparse.ArgumentParser(prog="python -m plainbrain.evaluation.vetoes", description=main.__doc__)
    parser.add_argument("--model", default="off", help="the model of the vectors; without it, words only")
    model = parser.parse_args(arguments).model
    out = ["| known | half | found | recall@5 | named | false alarms |\n|---|---|---|---|---|---|"]
    halves: tuple[Half | None, ...] = ("dev", "held", None)
    for half in halves:
        out += [
            f"| {s.with_files} | {s.half} | {s.found}/{s.tasks} | {s.recall:.2f} | {s.named}/{s.direct} | {s.false_alarms} |"
            for s in score_vetoes(half, model=model)
        ]
    sys.stdout.write("\n".join(out) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
