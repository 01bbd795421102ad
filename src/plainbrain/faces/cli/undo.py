"""The command that takes the last operation back."""

from __future__ import annotations

from plainbrain.faces.cli import show
from plainbrain.faces.cli.call import Call, command, tell


@command("undo")
def undo_command(call: Call) -> None:
    """Take the last operation back: memories become what they were before it.

    What was changed since is left alone and said; what was forgotten for good stays gone. Counters stay.
    """
    done = call.change().undo()
    what = done.told or "the last operation"
    call.answer(
        {"undone": done.told, "at": done.at, "ids": list(done.ids)},
        f"Took back: {what} ({show.counted(len(done.ids), 'memory', 'memories')}, {done.at})",
    )
    if not call.json:
        for id in done.ids[:20]:
            tell(id)
