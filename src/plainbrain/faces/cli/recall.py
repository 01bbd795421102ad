"""The commands that read: search and read; and the options that narrow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from plainbrain.app.brain import Brain
from plainbrain.errors import InvalidField
from plainbrain.faces.cli import show
from plainbrain.faces.cli.call import Call, command, say, tell, text_of
from plainbrain.later import later
from plainbrain.model.hit import Recall
from plainbrain.model.instants import Instant, parse_instant
from plainbrain.model.memory import STATUSES
from plainbrain.model.provenance import QUARANTINED
from plainbrain.model.query import DEFAULT_K, Query

if TYPE_CHECKING:
    from plainbrain.app import budget
    from plainbrain.faces.cli import packed
else:
    budget = later("plainbrain.app.budget")
    packed = later("plainbrain.faces.cli.packed")

_TEXT = {"ignore_unknown_options": True}


def narrowing(function: Any) -> Any:
    """Add the options that narrow a search or a list."""
    for option in (
        click.option("--before", default="", metavar="DATE", help="Created on or before this day."),
        click.option("--after", default="", metavar="DATE", help="Created on or after this day."),
        click.option("--all", "include_superseded", is_flag=True, help="Also what was superseded or invalidated."),
        click.option("--status", "statuses", multiple=True, metavar="S", help="Only this status; may be repeated."),
        click.option(
            "--tag",
            "--tags",
            "tags",
            multiple=True,
            metavar="T",
            help="Must carry this tag (code finds code.python); may be repeated.",
        ),
        click.option("--type", "kinds", multiple=True, metavar="T", help="Only this type; may be repeated."),
        click.option("--cortex", default="", metavar="C", help="Only this theme and the themes below it."),
    ):
        function = option(function)
    return function


as_of = click.option(
    "--as-of",
    "moment",
    default=None,
    metavar="WHEN",
    help="As an event log had it then: a day, a time, or so many lines.",
)


def query_of(text: str, *, after: str, before: str, **narrow: Any) -> Query:
    """Build the query from what was typed. Raise InvalidField for a date that is none."""
    kinds = tuple(kind for given in narrow.pop("kinds", ()) for kind in _split(given))
    tags = tuple(tag for given in narrow.pop("tags", ()) for tag in _split(given))
    return Query(text, kinds=kinds, tags=tags, after=_day("--after", after), before=_day("--before", before), **narrow)


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _day(option: str, text: str) -> Instant | None:
    if not text:
        return None
    at = parse_instant(text)
    if at.ms is None:
        raise InvalidField(f"{option} {text!r} is no date", value=text, hint="write 2026-10-27")
    if option == "--before" and at.day:
        # A whole day is meant: up to its last millisecond.
        return Instant(at.ms + 86_399_999)
    return at


def tell_statuses(brain: Brain, statuses: Sequence[str]) -> None:
    """Tell of each status that is none of ours and that nothing has."""
    for status in statuses:
        if status.strip().lower() in (*STATUSES, QUARANTINED) or any(brain.entries(Query("", statuses=(status,)))):
            continue
        tell(f"Nothing has the status {status}; statuses: {', '.join((*STATUSES, QUARANTINED))}")


@command("search", context_settings=_TEXT)
@click.argument("words", nargs=-1, required=True)
@click.option("-k", "k", type=click.IntRange(1, 1000), default=DEFAULT_K, show_default=True, help="How many at most.")
@click.option("--offset", type=click.IntRange(0), default=0, help="Leave out the first N.")
@click.option(
    "--profile", default="", metavar="P", help="Ranking: auto (the usual), blueprint, rrf, fast, balanced or deep."
)
@click.option(
    "--without", multiple=True, metavar="S", help="A signal that auto leaves out (author, date …); may be repeated."
)
@click.option("--explain", is_flag=True, help="Show every factor of each score.")
@click.option("--expand", is_flag=True, help="Also the neighbours of the best hits.")
@click.option(
    "--max-chars",
    type=click.IntRange(1),
    metavar="N",
    help="Whole texts, in N characters of ids, titles and texts at most; the same said twice is told once.",
)
@narrowing
@as_of
def search_command(
    call: Call,
    words: tuple[str, ...],
    explain: bool,
    max_chars: int | None,
    statuses: tuple[str, ...],
    moment: str | None,
    **narrow: Any,
) -> None:
    """Find memories by any words, in any language, best first. - reads standard input."""
    brain = call.open_as_of(moment)
    profile = narrow.pop("profile") or call.settings().profile
    query = query_of(text_of(words), statuses=statuses, profile=profile, **narrow)
    found = brain.ask(query)
    fitted = budget.fit(found, max_chars=max_chars) if max_chars else None
    if call.json:
        hits = {"hits": [show.hit(h, explain=explain) for h in found.hits]}
        shown = hits if fitted is None else packed.data(fitted, explain=explain)
        call.answer(shown | {"total": found.total, "relevant": found.relevant, "notes": list(found.notes)})
        return
    if fitted is not None:
        packed.print_lines(fitted, first=query.offset + 1, explain=explain)
    else:
        for number, hit in enumerate(found.hits, query.offset + 1):
            say("\n".join(show.hit_lines(number, hit, explain=explain)))
    _tell_of(found, offset=query.offset)
    tell_statuses(brain, statuses)


def _tell_of(found: Recall, *, offset: int) -> None:
    """Tell what to think of an answer, and how to get more."""
    for note in found.notes:
        tell(note)
    if found.hits and not found.relevant:
        tell("Nothing here is likely to answer that; these are only the nearest.")
    if not found.hits:
        tell("Nothing found. Try other words, fewer words, or --all for what was superseded.")
    elif found.total > offset + len(found.hits):
        tell(f"{len(found.hits)} of {found.total}; more with -k or --offset {offset + len(found.hits)}")


@command("read")
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@as_of
def read_command(call: Call, ids: tuple[str, ...], moment: str | None) -> None:
    """Show memories whole, as they are written, and what points at them."""
    brain = call.open_as_of(moment)
    readings = [brain.read(id) for id in ids]
    if call.json:
        data = [
            show.whole(r.memory)
            | {
                "path": r.stored.locator,
                "text": r.text,
                "backlinks": [{"id": b.id, "rel": b.rel, "title": b.title} for b in r.backlinks],
            }
            for r in readings
        ]
        call.answer(data[0] if len(data) == 1 else data)
        return
    for reading in readings:
        say(reading.text.rstrip("\n"))
        for back in reading.backlinks:
            say(f"<- {back.rel}: {back.id}  {back.title}")
