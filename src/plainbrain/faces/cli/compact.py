"""The command that makes an event log short again."""

from __future__ import annotations

import click

from plainbrain.app import wiring
from plainbrain.faces.cli import show
from plainbrain.faces.cli.call import Call, command, tell


@command("compact")
@click.option("--keep-history", is_flag=True, help="Keep the old files in FILE.brain/archive.")
def compact_command(call: Call, keep_history: bool) -> None:
    """Rewrite an event log as its present state; other stores do not grow by their past.

    Nothing that was acknowledged is lost, at whatever moment it is stopped.
    """
    store = call.open().store
    done = wiring.compact(store, keeps_history=keep_history)
    if done is None or not done.before:
        why = "there is no log yet" if done else "it does not grow by its past, only an event log does"
        call.answer({"store": store.url, "compacted": False}, f"Nothing to compact at {store.url}: {why}.")
        return
    call.answer(
        {
            "store": store.url,
            "compacted": True,
            "before": done.before,
            "after": done.after,
            "put_aside": done.put_aside,
        },
        f"Compacted: {done.before} -> {done.after} bytes",
    )
    if done.put_aside and not call.json:
        lines = show.counted(done.put_aside, "line")
        tell(f"{lines} that could not be read: put aside in {store.url.partition(':')[2]}.brain/damaged.jsonl")
