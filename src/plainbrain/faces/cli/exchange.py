"""The commands that carry a brain out and in."""

from __future__ import annotations

import click

from plainbrain.app import transfer
from plainbrain.faces.cli.call import Call, command


@command("export")
@click.option("--format", "form", type=click.Choice(["json"]), default="json", help="json: agent-brain's dump.")
@click.option("--extended", is_flag=True, help="Also what agent-brain's sixteen fields cannot say.")
def export_command(call: Call, form: str, extended: bool) -> None:
    """Print every memory, what was superseded among them."""
    call.only_data = True
    brain = call.open()
    for piece in transfer.dump_extended(brain.context) if extended else transfer.dump(brain.context):
        click.echo(piece, nl=False)
