"""What a trial of recall is: a brain's memories, and questions of which it is known where the answers stand.

Owns the values that every data set is read into. Knows no file and no figure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from plainbrain.model.instants import Instant
from plainbrain.model.memory import Memory


@dataclass(frozen=True, slots=True)
class Question:
    """Ask ``text`` at ``now`` (None: the trial's time); ``evidence`` are the ids that answer it, none where nothing does.

    ``sessions`` are the sessions in which the answer stands, by the names that the memories give them.
    """

    text: str
    category: str
    evidence: tuple[str, ...] = ()
    now: Instant | None = None
    sessions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Trial:
    """Hold one brain: ``memories``, ``questions``, and the time at which they are asked."""

    name: str
    memories: tuple[Memory, ...]
    questions: tuple[Question, ...]
    now: Instant


def put_together(trials: Sequence[Trial]) -> list[Trial]:
    """Return one trial with the memories and questions of all. Ids must differ between the trials."""
    latest = max(trials, key=lambda trial: trial.now.ms or 0).now
    questions = [replace(q, now=q.now or trial.now) for trial in trials for q in trial.questions]
    memories = [memory for trial in trials for memory in trial.memories]
    return [Trial("together", tuple(memories), tuple(questions), latest)]


def ask_next_door(trials: Sequence[Trial]) -> list[Trial]:
    """Return each trial with the questions of the next one, to which it has no answer."""
    return [
        replace(trial, questions=tuple(Question(q.text, "elsewhere", now=trial.now) for q in other.questions))
        for trial, other in zip(trials, [*trials[1:], *trials[:1]], strict=True)
    ]
