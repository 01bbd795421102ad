"""The command that takes the last operation back."""

from __future__ import annotations

import click

from plainbrain.app import history
from plainbrain.faces.cli import show
from plainbrain.faces.cli.call import Call, command, tell


@command("undo")
@click.option("--dry-run", is_flag=True, help="Name what would be taken back, and change nothing.")
def undo_command(call: Call) -> None:
    """Take the last operation back: memories become what they were before it.

    What was changed since is left alone and said; what was forgotten for good stays gone. Counters stay.
    """
    done = history.look_back(call.open().context) if call.dry_run else call.change().undo()
    what = done.told or "the last operation"
    verb = "Took back" if not call.dry_run else "Would take back" if done.ids else "Would pass over"
    call.answer(
        {"undone": done.told, "at": done.at, "ids": list(done.ids)} | ({"dry_run": True} if call.dry_run else {}),
        f"{verb}: {what} ({show.counted(len(done.ids), 'memory', 'memories')}, {done.at})",
    )
    if not call.json:
        for id in done.ids[:20]:
            tell(id)
