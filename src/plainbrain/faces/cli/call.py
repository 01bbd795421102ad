"""One call of the command line: the options that every command has, how the brain is opened, how an answer is printed.

Data goes to standard output, talk to standard error, always in UTF-8. Control characters of memories are
shown as escapes, so that a note can never steer the terminal.
"""

from __future__ import annotations

import functools
import os
import stat
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from plainbrain.app.brain import Brain, assemble
from plainbrain.app.clocks import read_clock
from plainbrain.app.context import Channel
from plainbrain.app.given import as_utf8, decode
from plainbrain.app.past import open_past
from plainbrain.app.settings import Settings, audit_url, load_settings
from plainbrain.app.wiring import carry_over, imagine_store, make_store, open_store, open_to_read
from plainbrain.errors import Busy, InputError, StoreError
from plainbrain.faces.cli.words import TakesText
from plainbrain.later import later
from plainbrain.model.jsontext import json_text

if TYPE_CHECKING:
    import fcntl
    import termios
else:
    fcntl, termios = later("fcntl"), later("termios")
from plainbrain.records import open_record

#: Stores that are one file, and empty while there is none.
_FILES = ("sqlite:", "json:", "jsonl:")
#: What agent-brain makes at the first call without a word.
_MADE_UNSAID = ("memory.db", "memory.json")


@open_record(slots=True)
class Call:
    """Hold the common options of one command, and the brain once it is open; ``new`` is the place of one that was not there."""

    store: str = ""
    config: str = ""
    json: bool = False
    dry_run: bool = False
    allow_secrets: bool = False
    only_data: bool = False
    audit: str = ""
    brain: Brain | None = None
    new: str = ""

    def settings(self) -> Settings:
        """Return the settings for this call."""
        settings = load_settings(os.environ, store=self.store, config=self.config)
        return replace(
            settings,
            pii_strict=settings.pii_strict and not self.allow_secrets,
            audit=audit_url(self.audit) or settings.audit,
        )

    def open(self) -> Brain:
        """Open the brain that is there; nothing is created."""
        return self._open(open_store)

    def open_to_read(self) -> Brain:
        """Open the brain that is there for a reader that counts uses: it waits for nobody."""
        return self._open(open_to_read)

    def make(self) -> Brain:
        """Open the brain to keep something new, making its folder if need be; with ``--dry-run`` nothing is written."""
        place = self.settings().store.partition(":")[2]
        if os.path.basename(place) not in _MADE_UNSAID and not os.path.exists(place):
            self.new = place
        return self._open(imagine_store).rehearsal() if self.dry_run else self._open(make_store)

    def change(self) -> Brain:
        """Open the brain that is there to change what it holds; with ``--dry-run`` nothing is written."""
        brain = self._open(open_store)
        return brain.rehearsal() if self.dry_run else brain

    def open_as_of(self, moment: str | None) -> Brain:
        """Open the brain that is there as it was at a moment (a time, or a number of lines of its log); now without one."""
        if moment is None:  # an empty text is a variable that was not set, and no moment
            return self.open()
        settings = self.settings()
        past = open_past(settings, moment)
        self.brain = assemble(replace(settings, audit=""), past, channel=_channel(settings), progress=show_progress)
        return self.brain

    def _open(self, open_: Callable[..., Any]) -> Brain:
        settings = self.settings()
        place = settings.store.partition(":")[2]
        if (
            self.store
            and not self.dry_run
            and open_ is not make_store
            and settings.store.startswith(_FILES)
            and not os.path.exists(place)
        ):
            tell(f"There is nothing at {place} yet.")
        store = open_(settings.store, clock=read_clock(settings.environment))
        if not self.dry_run:
            self._carry_over(store, hurried=open_ is not make_store)
        self.brain = assemble(settings, store, channel=_channel(settings), progress=show_progress)
        return self.brain

    def _carry_over(self, store: Any, *, hurried: bool) -> None:
        """Bring up to date what an older agent-brain wrote, and say so before anything else, as it does itself."""
        try:
            lines, problems = carry_over(store, hurried=hurried)
        except Busy:
            raise  # whoever comes next would wait as long once more
        except StoreError:
            return  # a read goes on with what is there, and a write says itself what stands in its way
        for line in lines:
            # Where the answer is data, talk may not stand in front of it.
            (tell if self.json or self.only_data else say)(line)
        for found in problems:
            tell(f"{found.where}: {found.message}")

    def tell_lacking(self, whole: bool) -> None:
        """Tell what an answer from the whole brain may lack."""
        for note in self.brain.lacking() if whole and self.brain is not None else ():
            tell(note)

    def close(self) -> None:
        """Close what was opened."""
        if self.brain is not None:
            self.brain.close()
        if self.new and (self.dry_run or os.path.exists(self.new)):  # it may be a slip in its name that made it
            tell(f"{'Would make' if self.dry_run else 'Made'} a new brain at {self.new}")

    def answer(self, data: object, *lines: str) -> None:
        """Print ``data`` as JSON when that was asked for, else the lines."""
        if self.json:
            write_json(data)
        else:
            for line in lines:
                say(line)


def _channel(settings: Settings) -> Channel:
    return Channel(origin=settings.environment.get("BRAIN_ORIGIN", "user"), actor=settings.actor or "cli")


def say(line: str = "") -> None:
    """Print a line of data."""
    click.echo(printable(line))


def tell(line: str) -> None:
    """Print a line of talk on standard error."""
    click.echo(printable(line), err=True)


def write_json(data: object) -> None:
    """Print data as JSON in UTF-8, indented when a person looks."""
    indent = 2 if sys.stdout is not None and sys.stdout.isatty() else None
    text = json_text(data, indent=indent)
    click.echo(text.encode("utf-8", "backslashreplace").decode("utf-8"))


_INVISIBLE = {*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF, *range(0xE0000, 0xE0080)}


def printable(text: str) -> str:
    """Return the text with control, bidirectional and invisible characters as escapes; tabs and line feeds stay."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c in "\n\t" or not _hidden(c) else c.encode("unicode_escape").decode("ascii") for c in text)


def _hidden(char: str) -> bool:
    point = ord(char)
    return (
        point < 0x20
        or 0x7F <= point < 0xA0
        or 0xD800 <= point < 0xE000
        or (point in _INVISIBLE and point not in (0x200C, 0x200D))
    )


def show_progress(done: int, total: int, what: str) -> None:
    """Show how far long work has come, on a terminal only."""
    if sys.stderr is not None and sys.stderr.isatty():
        share = f"{done * 100 // total:3d} %" if total else f"{done}"
        sys.stderr.write(f"\r\x1b[K{what} {share}" if done < total or not total else "\r\x1b[K")
        sys.stderr.flush()


def read_input(path: str) -> str:
    """Return the text of a file, or of standard input for ``-``, as UTF-8. Raise InputError saying what is wrong."""
    return decode(read_bytes(path), name_of(path))


def text_of(words: Sequence[str]) -> str:
    """Return the text that words make; a ``-`` alone stands for standard input."""
    return read_input("-").rstrip("\r\n") if tuple(words) == ("-",) else " ".join(words)


def name_of(path: str) -> str:
    """Return what to call a file in a message: ``-`` is standard input."""
    return "standard input" if path == "-" else path


def read_bytes(path: str) -> bytes:
    """Return what a file, or standard input for ``-``, holds, UTF-16 as UTF-8. Raise InputError where it cannot be read."""
    if path == "-" and sys.stdin is None:
        raise InputError("standard input is closed", hint="pipe the text in, or give it as an argument")
    try:
        if path == "-":
            return as_utf8(_read(sys.stdin.buffer))
        with open(path, "rb") as file:
            return as_utf8(_read(file))
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"{name_of(path)} cannot be read: {why}", value=path) from error


def is_input_waiting() -> bool:
    """Tell whether text that nobody asked for is on standard input: in a pipe or a file, never a terminal. Waits for nothing."""
    try:
        number = sys.stdin.fileno()
        found = os.fstat(number)
        if stat.S_ISREG(found.st_mode):
            return os.lseek(number, 0, os.SEEK_CUR) < found.st_size
        return stat.S_ISFIFO(found.st_mode) and any(fcntl.ioctl(number, termios.FIONREAD, bytes(4)))
    except (AttributeError, ImportError, OSError, ValueError):
        return False  # it is closed, no file of the system, or of a system that cannot tell


def _read(file: BinaryIO) -> bytes:
    return file.read()


def ask(question: str) -> bool:
    """Ask a person yes or no on standard error; no without a terminal."""
    if sys.stdin is None or not sys.stdin.isatty():
        return False
    return click.confirm(question, err=True)


def command(
    name: str, *, writes: bool = False, whole: bool = False, **settings: Any
) -> Callable[[Callable[..., None]], click.Command]:
    """Make a command with the common options; its function gets a ``Call`` first.

    What answers from the ``whole`` brain tells at its end what the answer may lack.
    """

    def wrap(function: Callable[..., None]) -> click.Command:
        @functools.wraps(function)
        def run(
            store: str,
            config: str,
            as_json: bool,
            dry_run: bool = False,
            allow_secrets: bool = False,
            audit: str = "",
            **options: Any,
        ) -> None:
            call = Call(store, config, as_json, dry_run, allow_secrets, audit=audit)
            context = click.get_current_context()
            context.call_on_close(call.close)
            context.find_root().meta["plainbrain.json"] = as_json
            try:
                function(call, **options)
            except click.exceptions.Exit:
                call.tell_lacking(whole)
                raise
            call.tell_lacking(whole)

        made: Callable[..., None] = run
        if writes:
            made = click.option("--allow-secrets", is_flag=True, help="Store even what looks like a credential.")(made)
            made = click.option("--audit", default="", metavar="jsonl:FILE", help="Keep every change in this log too.")(
                made
            )
            made = click.option("--dry-run", is_flag=True, help="Show what would be done and write nothing.")(made)
        made = click.option("--json", "as_json", is_flag=True, help="Print JSON.")(made)
        made = click.option("--config", default="", metavar="FILE", help="The configuration file.")(made)
        made = click.option(
            "--store",
            default="",
            metavar="URL",
            help="The store: vault:DIR, sqlite:FILE, json:FILE, jsonl:FILE, a path, or a configured name.",
        )(made)
        if settings.get("context_settings", {}).get("ignore_unknown_options"):
            settings.setdefault("cls", TakesText)
        found: click.Command = click.command(name, **settings)(made)  # type: ignore[no-untyped-call]
        return found

    return wrap
