"""The command that a host's hooks call. It never fails: for a host, status 2 means that the person is to be stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from plainbrain.later import later

if TYPE_CHECKING:
    from plainbrain.faces.cli import call
else:
    call = later("plainbrain.faces.cli.call")  # most of it is for other commands

_INSTALL = "install"


class NeverFails(click.Command):
    """Say what is wrong with a call, and end with 0 all the same; 1 where a person installs."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Read the arguments."""
        status = 1 if _INSTALL in args else 0
        try:
            return super().make_context(info_name, args, parent, **extra)
        except click.UsageError as error:
            click.echo(f"brain hook: {error.format_message()}", err=True)
            raise click.exceptions.Exit(status) from error


@click.command("hook", cls=NeverFails)
@click.argument("event", metavar="EVENT")
@click.option("--host", default="", metavar="HOST", help="claude-code, codex or cursor; by default told by the input.")
@click.option("--learn", is_flag=True, help="user-prompt: keep the facts that the person tells, as brain loop does.")
@click.option("--seconds", type=float, default=2.0, show_default=True, help="End after so many seconds, come what may.")
@click.option(
    "--scope", default="user", show_default=True, metavar="SCOPE", help="install: user or project, whose settings."
)
@click.option("--remove", is_flag=True, help="install: take out what was installed, and nothing else.")
@click.option("--dry-run", is_flag=True, help="install: show the settings and write nothing.")
@click.option(
    "--store", default="", metavar="URL", help="The store: vault:DIR, sqlite:FILE, json:FILE, jsonl:FILE, or a path."
)
@click.option("--config", default="", metavar="FILE", help="The configuration file.")
def hook_command(
    event: str,
    host: str,
    learn: bool,
    seconds: float,
    scope: str,
    remove: bool,
    dry_run: bool,
    store: str,
    config: str,
) -> None:
    """Answer a hook of an agent's host: what it says comes on standard input, what the agent is to know goes to standard output.

    EVENT is session-start, user-prompt, pre-compact or stop; docs/hosts.md tells what each does. Always ends with status 0,
    within two seconds, with a whole answer or nothing. With install for EVENT, it writes the hooks into the host's settings.
    """
    # Loaded here: whatever is wrong with it ends as every fault of a hook does.
    if event == _INSTALL:
        from plainbrain.faces.hooks.install import Wanted, settle

        printed, told = settle(Wanted(host, scope, store, config, learn, remove, dry_run))
        if printed:
            call.say(printed)
        return call.tell(told) if printed else call.say(told)
    from plainbrain.faces.hooks.run import Asked, run_hook

    return run_hook(event, Asked(host, store, config, learn, seconds))
