"""The commands that carry a brain out and in: export, import, copy."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from plainbrain.app import copies, exports, imports
from plainbrain.app.brain import Brain
from plainbrain.app.imports import Source
from plainbrain.app.intake import Outcome, Report, What, collect
from plainbrain.errors import InputError
from plainbrain.faces.cli import show
from plainbrain.faces.cli.call import Call, command, tell


@command("export")
@click.option(
    "--format",
    "form",
    type=click.Choice(exports.FORMATS),
    default="json",
    show_default=True,
    help="json is agent-brain's dump, interchange robrain-memory/v1, jsonl an event log, archive everything.",
)
@click.option("--out", default="", metavar="F", help="Write to this file, whole or not at all; a folder for notes.")
@click.option("--type", "kinds", multiple=True, metavar="T", help="Only this type; may be repeated.")
@click.option("--live-only", is_flag=True, help="Leave out what is no longer in effect.")
@click.option("--extended", is_flag=True, help="Also what the fields of json or interchange cannot say.")
def export_command(call: Call, form: str, out: str, kinds: tuple[str, ...], live_only: bool, extended: bool) -> None:
    """Print every memory, what was superseded among them, in the form of another tool."""
    call.only_data = True
    choice, left = exports.Choice(kinds, live_only), exports.LeftOut()
    brain = call.open()
    if form in exports.FOLDERS:
        if not out:
            raise InputError(f"{form} is a folder of notes", value=form, hint="name it: --out DIR")
        count = exports.write_folder(brain.context, form, Path(out).expanduser(), choice=choice, left=left)
        tell(f"Wrote {show.counted(count, 'note')} to {out}")
        _tell_left_out(brain, form, left)
        return
    pieces = exports.pieces(brain.context, f"{form}+" if extended else form, choice, left=left)
    if out and out != "-":
        size = exports.write_file(Path(out).expanduser(), pieces, spared=(brain.store.url, call.settings().audit))
        tell(f"Wrote {size:,} bytes to {out}")
    else:
        for piece in pieces:
            click.echo(piece, nl=False)
    _tell_left_out(brain, form, left)


def _tell_left_out(brain: Brain, form: str, left: exports.LeftOut) -> None:
    """Say what an export lacks: what its form cannot mark, and what cannot be read now; leave with 1 then."""
    for count, what in ((left.over, "no longer in effect"), (left.held, "held back until somebody looks")):
        if count:
            tell(f"left out: {show.counted(count, 'memory', 'memories')} {what}, which {form} cannot mark")
    left_out = brain.left_out()
    for problem in left_out:
        tell(f"left out: {problem.where}: {problem.message}")
    if left_out:
        tell("    see what to do: brain doctor")
        raise click.exceptions.Exit(1)


@command("import", writes=True)
@click.argument("path")
@click.option("--from", "form", default="", metavar="FORM", help="The form; without it, told by what is there.")
@click.option(
    "--take-over", "over", is_flag=True, help="Let states hold that came in before; what was changed here stays."
)
def import_command(call: Call, path: str, form: str, over: bool) -> None:
    """Take in what another tool kept: a file, a folder, a ZIP file, or standard input (-).

    What comes in is unreviewed and says where it came from. The same again changes nothing; a newer interchange file of the same brain
    brings what came over before up to date, but for what was changed here.
    """
    with _source(path) as source:
        found = imports.form_of_source(source, form)
        brain = call.make()
        renewing = imports.take_over if over else imports.renew
        outcomes = imports.import_from(brain.context, source, found, renewing=renewing)
        report = collect(found.name, outcomes, lambda o: _tell(call, o))
    _answer(call, report, f"from {found.title}")


@contextmanager
def _source(path: str) -> Iterator[Source]:
    source = imports.spooled(sys.stdin.buffer) if path == "-" else imports.open_source(path)
    try:
        yield source
    finally:
        source.close()


@command("copy", writes=True)
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
def copy_command(call: Call, source: str, target: str) -> None:
    """Copy a brain into another store, with counters and journal; what is there already is passed over."""
    old = copies.open_to_copy(source, call.settings())
    try:
        call.store = target
        brain = call.make()
        report = collect("copy", copies.copy_brain(old, brain.context), lambda o: _tell(call, o))
    finally:
        old.close()
    _answer(call, report, f"to {brain.store.url}")


def _tell(call: Call, outcome: Outcome) -> None:
    """Say what there is to say about one item."""
    if call.json:
        return
    tell(": ".join(part for part in (outcome.where, str(outcome.what), outcome.why) if part))
    if outcome.hint:
        tell(f"    {outcome.hint}")


def _answer(call: Call, report: Report, tail: str) -> None:
    counts = {str(what): report.counts[what] for what in What}
    data: dict[str, Any] = {"form": report.form, "dry_run": call.dry_run, **counts}
    data["items"] = [
        {"what": str(o.what), "where": o.where, "id": o.id, "why": o.why, "hint": o.hint} for o in report.items
    ]
    said = {
        What.RENEWED: "would be brought up to date" if call.dry_run else "brought up to date",
        What.THERE: "there already",
        What.DIFFERS: "differing and left",
        What.PASSED: "passed over",
        What.REFUSED: "refused",
        What.NOTED: "to look at",
    }
    more = "".join(f", {report.counts[what]:,} {word}" for what, word in said.items() if report.counts[what])
    verb = "would be added" if call.dry_run else "added"
    call.answer(data, f"{report.counts[What.ADDED]:,} {verb} {tail}{more}")
    if report.failed:
        raise click.exceptions.Exit(1)
