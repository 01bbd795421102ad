"""Commands whose arguments are text: a dash at the beginning of a word is no flag of ours, and ``--`` is kept."""

from __future__ import annotations

from typing import Any

import click

#: Everything after the command is text, but for the options that every command has.
WORDS: dict[str, Any] = {"ignore_unknown_options": True, "allow_interspersed_args": True}


class KeepsDashes(click.Command):
    """Hand ``--`` on to the command, which reads its own flags before it and none after it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; click takes one ``--`` away, so it is given two."""
        if "--" in args:
            at = args.index("--")
            args = [*args[:at], "--", *args[at:]]
        return super().parse_args(ctx, args)
