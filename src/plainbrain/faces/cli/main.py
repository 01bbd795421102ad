"""The command ``brain``: which commands there are, where each lives, and how errors end.

A command's module is loaded when the command is called, so that each starts fast.
"""

from __future__ import annotations

import atexit
import errno
import gc
import json
import os
import sys
import threading
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

import click

from plainbrain.errors import BrainError, NotFound
from plainbrain.faces.outcomes import outcome_of
from plainbrain.faces.outcomes import tell as tell_error
from plainbrain.faces.utf8 import insist_on_utf8
from plainbrain.later import later
from plainbrain.version import VERSION

if TYPE_CHECKING:
    import difflib
    import traceback

    from click import shell_completion
else:
    difflib, shell_completion, traceback = later("difflib"), later("click.shell_completion"), later("traceback")

#: Set by the script of `brain completion` when a shell asks what could follow.
_COMPLETE = "_BRAIN_COMPLETE"

#: Section -> command -> (module under faces.cli, one line of help). Names are those a person types.
SECTIONS: dict[str, dict[str, tuple[str, str]]] = {
    "Recall": {
        "search": ("recall", "Find memories by any words, best first."),
        "read": ("recall", "Show one memory whole, and what points at it."),
        "list": ("insight", "List memories, or themes with counts."),
    },
    "Remember": {
        "init": ("upkeep", "Make a brain."),
        "encode": ("encode", "Keep a new memory."),
        "link": ("notes", "Link two memories, both ways."),
        "supersede": ("notes", "Retire a memory in favour of a newer one."),
        "validate": ("notes", "Record that a memory was checked today."),
        "edit": ("notes", "Change a memory in place."),
        "move": ("notes", "Rename a memory or change its theme."),
        "invalidate": ("notes", "Say that a memory is no longer true."),
        "forget": ("notes", "Remove a memory for good."),
    },
    "Decide": {
        "veto": ("decisions", "Name rejected alternatives that a text is about to repeat."),
        "explain": ("decisions", "List what holds for a file."),
        "outcome": ("decisions", "Record what became of a decision."),
        "review": ("decisions", "Go through what nobody has confirmed."),
    },
    "Serve": {
        "mcp": ("serve", "Serve the brain to agents over MCP."),
        "hook": ("hook", "Answer the hooks of an agent's host."),
    },
    "Learn": {
        "add": ("entries", "Keep an entry: type, content, source, tags."),
        "get": ("find", "Find entries by a policy, and count their use."),
        "loop": ("turn", "Take a turn: recall, keep facts, learn from feedback."),
        "update": ("entries", "Set one field of an entry."),
        "touch": ("entries", "Count one use of an entry."),
        "conflicts": ("find", "Name what a new fact contradicts."),
        "similar": ("find", "Name what is like a text."),
        "correct": ("entries", "Replace a wrong entry by the right claim."),
        "success": ("entries", "Record that an entry helped."),
        "ingest": ("entries", "Fetch a page and keep its text, unreviewed."),
        "reflect": ("insight", "Tell how the memory is."),
        "consolidate": ("insight", "Name clusters that could become one."),
        "tags": ("insight", "Show the tags as a tree."),
        "decay": ("insight", "Let unused confidence fade, now."),
        "stats": ("insight", "Count entries."),
        "log": ("insight", "Show what happened, newest first."),
        "session": ("insight", "Open the next session."),
    },
    "Exchange": {
        "export": ("exchange", "Print everything, in the form of another tool."),
        "import": ("exchange", "Take in what another tool kept."),
        "copy": ("exchange", "Copy a brain into another store."),
    },
    "Upkeep": {
        "status": ("upkeep", "Tell where the brain is and what it holds."),
        "undo": ("undo", "Take the last operation back."),
        "doctor": ("upkeep", "Find what is wrong; --fix mends what is safe."),
        "compact": ("compact", "Make an event log short again."),
        "eval": ("evaluate", "Measure how well memories are found."),
        "model": ("model", "Install or choose the model for vectors."),
        "demo": ("demo", "Show the main job on a temporary brain."),
        "help": ("insight", "Show help."),
        "completion": ("upkeep", "Print the completion script of a shell."),
    },
}
COMMANDS = {name: place for section in SECTIONS.values() for name, place in section.items()}
#: What people type who come from elsewhere.
_MEANT = {
    "ls": "list", "rm": "forget", "delete": "forget", "remove": "forget", "show": "read", "cat": "read", "find": "search",
    "grep": "search", "query": "search", "new": "encode", "note": "encode", "remember": "encode", "store": "encode",
    "check": "doctor", "health": "doctor", "retire": "supersede", "rename": "move", "mv": "move", "cp": "copy",
}  # fmt: skip
#: Options that every command has, and how many words follow each: they may stand before the command too.
_EVERYWHERE = {"--store": 1, "--config": 1, "--json": 0, "--dry-run": 0}


class Lazy(click.Group):
    """A group that loads a command's module when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load one command."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"plainbrain.faces.cli.{COMMANDS[cmd_name][0]}")
        found: click.Command = getattr(module, cmd_name.replace("-", "_") + "_command")
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is meant; name what looks alike when there is none."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            near = [_MEANT[name]] if name in _MEANT else difflib.get_close_matches(name, COMMANDS, n=3, cutoff=0.6)
            hint = f" Did you mean {' or '.join(near)}?" if near else ""
            raise click.UsageError(f"No such command {name!r}.{hint}", ctx=ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by section, without loading them."""
        for section, commands in SECTIONS.items():
            with formatter.section(section):
                formatter.write_dl([(name, text) for name, (_, text) in commands.items()])


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]}, invoke_without_command=True)
@click.version_option(VERSION, "--version", prog_name="brain")
@click.pass_context
def brain(ctx: click.Context) -> None:
    """Long-term memory for agents, in plain files that people can read."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main() -> None:
    """Run the command line and leave with its exit status."""
    insist_on_utf8()
    # One call makes little garbage: looking for it as often as usual is a part of the time that one can feel.
    gc.set_threshold(50_000, 20, 50)
    leave(run(sys.argv[1:]))


def leave(status: int) -> NoReturn:
    """End the process with everything written and closed, and without taking the interpreter apart piece by piece."""
    if threading.active_count() > 1 or sys.getprofile() is not None or sys.gettrace() is not None:
        gc.freeze()
        sys.exit(status)
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # run() has told what could not be printed
            stream.flush()
    os._exit(status)


def run(arguments: list[str]) -> int:
    """Run one call; return its exit status. No error ends in a traceback."""
    _have_streams()
    try:
        asked = os.environ.get(_COMPLETE, "")
        status = shell_completion.shell_complete(brain, {}, "brain", _COMPLETE, asked) if asked else _obey(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        return _leave_quietly()
    except OSError as error:
        return _cannot_print(error) if error.errno in _OUTPUT_FAILED else _fault(error)
    return status


#: What fails when an answer cannot be printed; a store tells its own errors as ours.
_OUTPUT_FAILED = frozenset({errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EDQUOT, errno.EBADF, errno.EPIPE})


def _obey(arguments: list[str]) -> int:
    context: dict[str, object] = {}
    try:
        with brain.make_context("brain", _command_first(arguments)) as ctx:
            context = ctx.meta
            brain.invoke(ctx)
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.Abort:
        click.echo("Stopped.", err=True)
        return 130
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except BrainError as error:
        return _fail(error, as_json=bool(context.get("plainbrain.json")))
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _OUTPUT_FAILED:
            raise
        return _fault(error)
    return 0


def _command_first(arguments: list[str]) -> list[str]:
    """Return the arguments with the options that every command has put behind the command's name."""
    early: list[str] = []
    rest = list(arguments)
    while rest and rest[0].partition("=")[0] in _EVERYWHERE:
        name, equals, _ = rest[0].partition("=")
        count = 1 + (0 if equals else _EVERYWHERE[name])
        early += rest[:count]
        rest = rest[count:]
    return [*rest[:1], *early, *rest[1:]] if rest else early


def _have_streams() -> None:
    """Speak UTF-8 on both streams; where one is closed, have it lead nowhere."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 (for the life of the process)
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _cannot_print(error: OSError) -> int:
    """Standard output has no room, say: what was to be done in the brain is done."""
    _leave_quietly()
    with suppress(OSError):
        click.echo(f"Error: the answer cannot be printed: {error.strerror}", err=True)
    return 74


def _fail(error: BrainError, *, as_json: bool) -> int:
    outcome = outcome_of(error)
    if as_json:
        found = {"code": error.code, "message": error.message, "hint": error.hint, "retry": outcome.retry}
        if isinstance(error, NotFound) and error.candidates:
            found["candidates"] = list(error.candidates)
        click.echo(json.dumps({"error": found}, ensure_ascii=True))
    click.echo(f"Error: {tell_error(error)}", err=True)
    return outcome.exit_status


def _leave_quietly() -> int:
    """The reader went away (``| head``): nothing is wrong, and nothing more can be printed."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _fault(error: Exception) -> int:
    """Something that nobody foresaw: say it in one line, and how to see more."""
    if os.environ.get("BRAIN_DEBUG"):
        traceback.print_exc()
    click.echo(
        f"Error: {type(error).__name__}: {error}\n  This is a fault of brain itself. BRAIN_DEBUG=1 shows where.",
        err=True,
    )
    return 70
