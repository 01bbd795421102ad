"""Commands whose arguments are text: what begins with a dash and is no option is a word like any other.

Owns the reading of such arguments. An option that was mistyped is an error that names the right one, never a word:
somebody who writes ``--dryrun`` must not find that it was done. Everything after ``--`` is text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from plainbrain.later import later

if TYPE_CHECKING:
    import difflib
else:
    difflib = later("difflib")

#: Everything after the command is text, but for the options that the command has.
WORDS: dict[str, Any] = {"ignore_unknown_options": True, "allow_interspersed_args": True}
_ALIKE = 0.75


class TakesText(click.Command):
    """Part options from text before click reads them."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments: options first, then all that is text in its order."""
        options, texts = _part(self, ctx, args)
        return super().parse_args(ctx, [*options, "--", *texts])

    def unknown(self, ctx: click.Context, word: str, known: dict[str, int]) -> None:
        """Raise NoSuchOption when a word is an option with a slip in it; say so when it could be one."""
        name = word.partition("=")[0]
        if not name.startswith("--") or not name[2:].replace("-", "").isalnum():
            return
        longs = [option for option in known if option.startswith("--")]
        near = difflib.get_close_matches(name, longs, n=3, cutoff=_ALIKE)
        near += [option for option in longs if len(name) > 4 and option.startswith(name) and option not in near]
        if near:
            raise click.NoSuchOption(name, possibilities=near, ctx=ctx)
        click.echo(f"{name} is no option of brain {ctx.info_name}, and is taken as a word", err=True)


class KeepsDashes(TakesText):
    """Hand ``--`` and unknown flags on to a command that reads flags of its own, as agent-brain does."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; click takes one ``--`` away, the command's own stays among the words."""
        options, texts = _part(self, ctx, args, keep=True)
        return click.Command.parse_args(self, ctx, [*options, "--", *texts])

    def unknown(self, ctx: click.Context, word: str, known: dict[str, int]) -> None:
        """Leave it to the command."""


def _part(
    command: TakesText, ctx: click.Context, args: list[str], *, keep: bool = False
) -> tuple[list[str], list[str]]:
    """Return the options with their values, and the texts; ``keep`` leaves a ``--`` among the texts."""
    known = _options(command, ctx)
    options: list[str] = []
    texts: list[str] = []
    rest = list(args)
    while rest:
        word = rest.pop(0)
        if word == "--":
            texts += ["--", *rest] if keep else rest
            break
        name, equals, _ = word.partition("=")
        if name in known:
            options.append(word)
            wanted = 0 if equals else known[name]
            options += rest[:wanted]
            del rest[:wanted]
        elif _is_short(word, known):
            options.append(word)
        else:
            if word.startswith("-"):
                command.unknown(ctx, word, known)
            texts.append(word)
    return options, texts


def _options(command: click.Command, ctx: click.Context) -> dict[str, int]:
    """Return every option of a command with the number of values that it takes."""
    return {
        name: 0 if param.is_flag or param.count else param.nargs
        for param in command.get_params(ctx)
        if isinstance(param, click.Option)
        for name in (*param.opts, *param.secondary_opts)
    }


def _is_short(word: str, known: dict[str, int]) -> bool:
    """Tell whether a word is a short option with its value behind it (``-k5``), or several short flags (``-yq``)."""
    if len(word) < 3 or word[0] != "-" or word[1] == "-" or any(c.isspace() for c in word):
        return False
    if known.get(word[:2], 0):
        return True
    return all(known.get(f"-{letter}") == 0 for letter in word[1:])
