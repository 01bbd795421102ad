"""Asking the questions of trials through an open brain, and keeping where the answers stood.

Owns the run: each trial in a brain of its own (in memory, or in a store that is named), asked one question after the other by the same
calls that any caller makes. Promises the same answers for the same trials and options, but for the time they took.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from plainbrain.app.brain import Brain, make_brain
from plainbrain.evaluation.trial import Question, Trial
from plainbrain.model.change import Put
from plainbrain.model.hit import Recall
from plainbrain.model.instants import Instant
from plainbrain.model.query import Query

#: Places that are looked at for each question.
DEPTH = 20
_BATCH = 500
#: Told as the run goes on: questions done, questions in all, what.
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class Way:
    """Say how questions are asked: the ranking, the signals that it leaves out, and the model.

    Without a ``model`` the settings say which; ``off`` means words only.
    """

    profile: str = "auto"
    without: tuple[str, ...] = ()
    model: str = ""
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))


@dataclass(frozen=True, slots=True)
class Answer:
    """Keep what came of one question: the places (from 1) of its evidence, how many there are, time and best evidence.

    ``session_places`` are those of the answering sessions among the sessions met, each counted once, at its first hit.
    """

    category: str
    places: tuple[int, ...]
    sought: int
    seconds: float
    score: float
    relevant: bool
    session_places: tuple[int, ...] = ()
    sessions_sought: int = 0


class Stopped:
    """A clock that stands at the time of the question that is being asked."""

    def __init__(self, at: Instant) -> None:
        self.at = at

    def now(self) -> Instant:
        """Return the time it stands at."""
        return self.at


def environment_of(way: Way, cache: str) -> dict[str, str]:
    """Return the environment in which a brain is opened: its index under ``cache``, and the model of the way."""
    model = {"BRAIN_MODEL": way.model} if way.model else {}
    return {**way.environment, "BRAIN_CACHE": cache, **model}


def prepare(brain: Brain) -> None:
    """Make the index and the vectors, so that no question waits for them."""
    brain.search("ready")
    while brain.context.index.embed_some(brain.store, _BATCH).done:
        pass  # each step does a part


def run(trials: Iterable[Trial], way: Way, *, progress: Progress | None = None) -> list[Answer]:
    """Ask every question of every trial, in order. What is no sequence is gone through once, one trial at a time."""
    return run_each(trials, [way], progress=progress)[0]


def run_each(trials: Iterable[Trial], ways: Sequence[Way], *, progress: Progress | None = None) -> list[list[Answer]]:
    """Ask every question in each of some ways, which share one model, so that each brain is made once; return answers by way."""
    total = len(ways) * sum(len(trial.questions) for trial in trials) if isinstance(trials, Sequence) else 0
    found: list[list[Answer]] = [[] for _ in ways]
    done = 0
    with tempfile.TemporaryDirectory() as cache:
        for number, trial in enumerate(trials):
            for at, answer in _ask_all(trial, ways, name=f"{number}", cache=Path(cache)):
                found[at].append(answer)
                done += 1
                if progress is not None:
                    progress(done, total, trial.name)
    return found


def _ask_all(trial: Trial, ways: Sequence[Way], *, name: str, cache: Path) -> Iterator[tuple[int, Answer]]:
    clock = Stopped(trial.now)
    with make_brain(f"ram:{name}", clock=clock, environment=environment_of(ways[0], str(cache))) as brain:
        _fill(brain, trial)
        prepare(brain)
        for at, way in enumerate(ways):
            for question in trial.questions:
                clock.at = question.now or trial.now
                yield at, ask(brain, question, way)


def _fill(brain: Brain, trial: Trial) -> None:
    for at in range(0, len(trial.memories), _BATCH):
        brain.store.apply([Put(memory) for memory in trial.memories[at : at + _BATCH]])


def evidence_of(found: Recall) -> float:
    """Return how sure an answer is: the best evidence among its hits, or the best score where the ranking tells none."""
    return max((hit.explanation.factors.get("evidence", hit.score) for hit in found.hits), default=0.0)


def ask(brain: Brain, question: Question, way: Way) -> Answer:
    """Ask one question of an open brain."""
    began = time.perf_counter()
    found = brain.ask(Query(question.text, DEPTH, profile=way.profile, without=way.without))
    seconds = time.perf_counter() - began
    wanted = set(question.evidence)
    places = tuple(place for place, hit in enumerate(found.hits, 1) if hit.id in wanted)
    met = dict.fromkeys(name for hit in found.hits for name in hit.memory.provenance.sessions[:1])
    answering = set(question.sessions)
    return Answer(
        question.category,
        places,
        len(wanted),
        seconds,
        evidence_of(found),
        found.relevant,
        session_places=tuple(place for place, name in enumerate(met, 1) if name in answering),
        sessions_sought=len(answering),
    )
