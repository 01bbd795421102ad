"""The command ``eval``: measure recall and judgement, and print the figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import click

from plainbrain.errors import InputError
from plainbrain.evaluation import judgement
from plainbrain.evaluation.ablation import ablate, table_of
from plainbrain.evaluation.lifecycle import figures_of_cases, lines_of_cases
from plainbrain.evaluation.locomo import read_locomo
from plainbrain.evaluation.longmemeval import LongMemEval
from plainbrain.evaluation.picture import draw
from plainbrain.evaluation.rankings import compare_rankings, table_of_rankings
from plainbrain.evaluation.report import SEED, figures_of, lines_of, read_baseline
from plainbrain.evaluation.runner import Way, run
from plainbrain.evaluation.trial import Trial, ask_next_door, put_together
from plainbrain.faces.cli.call import Call, command, say, show_progress

_READERS: dict[str, Callable[[Path], Iterable[Trial]]] = {"locomo": read_locomo, "longmemeval": LongMemEval}


@command("eval")
@click.argument("what", type=click.Choice(["locomo", "longmemeval", "cases", "judgement"]))
@click.argument("file", default="", metavar="[FILE]")
@click.option("--profile", default="auto", show_default=True, metavar="P", help="The ranking to measure.")
@click.option(
    "--without", multiple=True, metavar="S", help="Leave out a signal (author, date, context …); may be repeated."
)
@click.option("--words", is_flag=True, help="Leave the model out, whatever the settings name.")
@click.option("--model", default="", metavar="M", help="Use this model instead of the one in the settings.")
@click.option("--together", is_flag=True, help="All conversations in one brain.")
@click.option(
    "--elsewhere", is_flag=True, help="Also ask each brain the questions of the next, to which it has no answer."
)
@click.option("--ablation", is_flag=True, help="Leave out each signal in turn.")
@click.option(
    "--picture", default="", metavar="SVG", help="Put the questions to every ranking; draw recall against latency."
)
@click.option("--baseline", default="", metavar="F", help="Compare with figures saved earlier by --json.")
@click.option("--seed", type=int, default=SEED, show_default=True, help="Of the chance in the intervals.")
def eval_command(
    call: Call, what: str, file: str, profile: str, without: tuple[str, ...], words: bool, model: str, **more: object
) -> None:
    """Measure how well memories are found.

    locomo and longmemeval read a FILE in the public layout of that data set; cases and judgement come with the program.
    """
    if what == "judgement":
        say(judgement.table(judgement.score_all()))
        return
    way = Way(profile, without, model="off" if words else model)
    if what == "cases":
        found = figures_of_cases(way)
        call.answer(found, *lines_of_cases(found))
        return
    if not file:
        raise InputError(f"{what} needs a file", value=what, hint=f"brain eval {what} FILE")
    trials = _READERS[what](Path(file).expanduser())
    if more["together"]:
        trials = put_together(list(trials))
    if more["picture"]:
        _compare(call, trials, way, Path(str(more["picture"])).expanduser(), title=f"{what}: recall against latency")
        return
    _measure(call, trials, way, title=f"{what}, {profile}", **more)


def _compare(call: Call, trials: Iterable[Trial], way: Way, path: Path, *, title: str) -> None:
    points = compare_rankings(trials, way, progress=show_progress)
    try:
        path.write_text(draw(points, title=title), encoding="utf-8")
    except OSError as error:
        raise InputError(
            f"the picture cannot be written: {error}", value=str(path), hint="name another file"
        ) from error
    call.answer([point.row() for point in points], *table_of_rankings(points))


def _measure(call: Call, trials: Iterable[Trial], way: Way, *, title: str, **more: object) -> None:
    if more["ablation"]:
        rows = ablate(trials, way, progress=show_progress)
        call.answer(rows, *table_of(rows))
        return
    baseline = read_baseline(Path(str(more["baseline"])).expanduser()) if more["baseline"] else None
    seed = more["seed"]
    assert isinstance(seed, int)
    answers = run(trials, way, progress=show_progress)
    doors = ask_next_door(list(trials)) if more["elsewhere"] else []
    others = run(doors, way, progress=show_progress) if len(doors) > 1 else []
    figures = figures_of(answers, elsewhere=others, seed=seed)
    call.answer(figures, *lines_of(figures, title=title, baseline=baseline))
