"""The commands that look after a brain: init, status, doctor, completion."""

from __future__ import annotations

import os
from collections.abc import Mapping

import click
from click.shell_completion import get_completion_class

from plainbrain.errors import InputError
from plainbrain.faces.cli import show
from plainbrain.faces.cli.call import Call, command, say, tell


@command("init")
@click.argument("place", required=False, default="", metavar="[STORE]")
def init_command(call: Call, place: str) -> None:
    """Make a brain: a folder for notes, or the file of another store. What is there already stays."""
    if place:
        call.store = place
    brain = call.make()
    call.new = ""  # that is what was asked for
    brain.initialise()
    call.answer({"store": brain.store.url}, f"Initialized memory at {brain.store.url.partition(':')[2]}")


@command("status", whole=True)
def status_command(call: Call) -> None:
    """Tell where the brain is, who named it, and what it holds."""
    brain = call.open()
    settings = call.settings()
    found = brain.status()
    if call.json:
        data = {
            "store": found.url, "named_by": settings.store_source, "config": str(settings.config), "cache": str(settings.cache),
            "total": found.total, "by_status": dict(found.by_status), "by_type": dict(found.by_kind),
            "by_cortex": dict(found.by_cortex), "links": found.links, "problems": found.problems,
        }  # fmt: skip
        call.answer(data)
        return
    say(f"Store:    {found.url}  (named by {settings.store_source})")
    say(f"Index:    {settings.cache}")
    say(f"Memories: {found.total}  ({_counts(found.by_status)})")
    say(f"Types:    {_counts(found.by_kind)}")
    say(f"Themes:   {_counts(found.by_cortex)}")
    say(f"Links:    {found.links}")
    if found.problems:
        say(f"Problems: {found.problems}  (see brain doctor)")


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name or '(none)'} {count}" for name, count in counts.items()) or "none"


@command("doctor")
@click.option("--fix", is_flag=True, help="Mend what can be mended safely.")
@click.option("--dry-run", is_flag=True, help="With --fix: show what would be mended and write nothing.")
def doctor_command(call: Call, fix: bool) -> None:
    """Find what is wrong: in the files, and between the memories. Leaves with 1 when something is.

    Which memories contradict each other is another question: brain conflicts.
    """
    brain = call.change() if fix else call.open()
    report = brain.repair() if fix else brain.examine()
    if call.json:
        call.answer(
            {
                "memories": report.looked_at,
                "mended": list(report.mended),
                "problems": [show.problem(p) for p in report.problems],
            }
            | ({"dry_run": True} if call.dry_run else {})
        )
    else:
        for what in report.mended:
            say(what if what.startswith("left ") else f"{'would mend' if call.dry_run else 'mended'}: {what}")
        if fix and report.problems and not report.mended:
            say("There is nothing here that --fix can mend.")
        for line in show.problem_lines(report.problems):
            say(line)
        if report.problems:
            fixable = sum(p.fixable for p in report.problems)
            tell(
                f"{show.counted(len(report.problems), 'problem')} in {show.counted(report.looked_at, 'memory', 'memories')}"
                + (f"; --fix mends {fixable}" if fixable else "")
            )
        else:
            say(f"All is well: {show.counted(report.looked_at, 'memory', 'memories')}.")
    if report.problems:
        raise click.exceptions.Exit(1)


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]), required=False)
@click.pass_context
def completion_command(ctx: click.Context, shell: str | None) -> None:
    """Print the completion script of a shell: eval "$(brain completion bash)"."""
    shell = shell or os.path.basename(os.environ.get("SHELL", "bash"))
    maker = get_completion_class(shell)
    if maker is None:
        raise InputError(f"no completion for {shell!r}", value=shell, hint="bash, zsh or fish")
    click.echo(maker(ctx.find_root().command, {}, "brain", "_BRAIN_COMPLETE").source())
