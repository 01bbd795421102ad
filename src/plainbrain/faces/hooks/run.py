"""One hook, from what the host says to what it is answered. Whatever happens, it ends with status 0, and soon.

Owns the order of things and the limits of time. Promises that standard output gets a whole answer or nothing, that every
fault is one line on standard error, and that the brain is read without a model, a network or a wait for who writes.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from typing import TYPE_CHECKING

from plainbrain.app.hosts import PLACES as HOSTS
from plainbrain.app.settings import Settings, load_settings
from plainbrain.faces.hooks.deadline import Deadline
from plainbrain.faces.hooks.hosts import (
    EVENTS,
    MOST_BYTES,
    USER_PROMPT,
    Event,
    read_event,
    takes_context,
    write_answer,
)
from plainbrain.later import later
from plainbrain.records import open_record, record

if TYPE_CHECKING:
    import subprocess
    import traceback

    from plainbrain.app import hooks, injected
    from plainbrain.app.context import Context
    from plainbrain.app.injected import Injected
    from plainbrain.faces.hooks import words
else:
    # Many an event needs nothing of the brain.
    hooks, injected = later("plainbrain.app.hooks"), later("plainbrain.app.injected")
    words, subprocess, traceback = later("plainbrain.faces.hooks.words"), later("subprocess"), later("traceback")

#: Seconds after which a hook ends whatever happens, and the share of them after which what takes long is left out.
SECONDS, _SOON = 2.0, 0.35
#: Of the limit, what Python itself takes before and after.
_OWN, _LEAST, _MOST = 0.25, 0.05, 3600.0
_BRAIN = "from plainbrain.faces.cli.main import main; main()"


@record(frozen=True, slots=True)
class Asked:
    """How a hook is to work: the host (empty: by what it says), the store, and whether facts of prompts are kept."""

    host: str = ""
    store: str = ""
    config: str = ""
    learn: bool = False
    seconds: float = SECONDS


@open_record(slots=True)
class _Work:
    """One hook under way: what is ready to be said, and whether the brain is there and its index is being brought up to date."""

    name: str
    asked: Asked
    answer: str = ""
    is_catching_up: bool = False
    deadline: Deadline | None = None

    def is_late(self) -> bool:
        """Tell whether what takes long is to be left out."""
        return self.deadline is not None and self.deadline.is_past(_SOON * self.asked.seconds)


def run_hook(name: str, asked: Asked) -> None:
    """Answer one event of a host. Nothing is raised."""
    work = _Work(name, asked)
    try:
        deadline = Deadline(min(max(_LEAST, asked.seconds - _OWN), _MOST), lambda: _end_late(work))
        work.deadline = deadline
        with deadline:
            try:
                _answer(work)
            except Exception as error:  # whatever it is, it must not cost the person a session
                _tell_fault(work, error)
    except Exception as error:
        _tell_fault(work, error)
    _say(work.answer)


def _answer(work: _Work) -> None:
    if work.name not in EVENTS:
        return tell(work.name, f"there is no such event; events: {', '.join(EVENTS)}")
    if work.asked.host and work.asked.host not in HOSTS:
        return tell(work.name, f"there is no host {work.asked.host!r}; hosts: {', '.join(HOSTS)}")
    event = read_event(_read_input(), host=work.asked.host)
    if event.problem:
        return tell(work.name, event.problem)
    settings = load_settings(os.environ, store=work.asked.store, config=work.asked.config)
    told = injected.Injected(settings.cache, settings.store, event.session)
    match work.name:
        case "session-start":
            _start(work, event, settings, told)
        case "user-prompt":
            _prompt(work, event, settings, told)
        case "pre-compact":
            _keep(work, told.drop)
        case _:
            _stop(work, event, settings, told)
    return None


def _start(work: _Work, event: Event, settings: Settings, told: Injected) -> None:
    """Brief a session, unless it is one that goes on with its briefing in the context."""
    if event.source in ("clear", "compact"):
        _keep(work, told.drop)
    elif told.read().is_briefed:
        return
    with _open(work, event, settings) as context:
        work.is_catching_up = True
        found = hooks.brief(context, event.folder or os.getcwd(), is_late=work.is_late)
        work.is_catching_up = False
        _keep(work, told.brief)
        _ready(work, event, words.tell_briefing(found, now=context.clock.now()))


def _prompt(work: _Work, event: Event, settings: Settings, told: Injected) -> None:
    """Say what bears on a prompt; then keep its facts where that was asked for."""
    if not event.prompt.strip() or not (work.asked.learn or takes_context(event.host, USER_PROMPT)):
        return
    with _open(work, event, settings) as context:
        found = hooks.Bearing()
        if takes_context(event.host, USER_PROMPT):
            found = hooks.bearing_on(context, event.prompt, told.read())
            _keep(work, lambda: hooks.keep_told(told, found))
            _ready(work, event, words.tell_bearing(found, now=context.clock.now()))
        if work.asked.learn:
            for line in hooks.learn_from(context, event.prompt, found):
                tell(work.name, line)


def _stop(work: _Work, event: Event, settings: Settings, told: Injected) -> None:
    """Count what was put into the prompts since the last time. The host that goes on because of a hook is left alone."""
    pending = [] if event.in_stop_hook else told.read().pending
    if not pending:
        return
    with _open(work, event, settings) as context:
        hooks.judge(context, pending, event.reply)
        _keep(work, lambda: told.judge(len(pending)))


def _open(work: _Work, event: Event, settings: Settings) -> AbstractContextManager[Context]:
    """Open the brain, waiting for nobody unless facts are to be kept."""
    waits = work.asked.learn and work.name == USER_PROMPT
    return hooks.opened(settings, actor=event.host, session=event.session, waits=waits)


def _ready(work: _Work, event: Event, text: str) -> None:
    work.answer = write_answer(text, host=event.host, event=work.name)


def _keep(work: _Work, write: Callable[[], None]) -> None:
    """Write to the memory of the session; where that cannot be, something may be told twice, which is no harm."""
    try:
        write()
    except OSError as error:
        tell(work.name, f"what this session was told cannot be kept: {error.strerror}")


def _end_late(work: _Work) -> None:
    """Say what is ready when the time is over. A big brain that is new here has its index made, which takes longer than a hook may."""
    if work.answer:
        _say(work.answer)
        return
    tell(work.name, f"no answer within {work.asked.seconds:g} s; the session goes on without it")
    if work.is_catching_up:
        _build_index(work.asked)


def _build_index(asked: Asked) -> None:
    """Start a process of its own that brings the index up to date, so that the next hooks find it so."""
    options = [
        *(["--store", asked.store] if asked.store else []),
        *(["--config", asked.config] if asked.config else []),
    ]
    nowhere = subprocess.DEVNULL
    subprocess.Popen(
        [sys.executable, "-c", _BRAIN, "status", *options],
        stdin=nowhere,
        stdout=nowhere,
        stderr=nowhere,
        start_new_session=True,
    )


def _read_input() -> bytes:
    """Return what the host wrote, a byte more than is allowed at most; nothing from a terminal."""
    if sys.stdin is None or sys.stdin.isatty():
        return b""
    data: bytes = sys.stdin.buffer.read(MOST_BYTES + 1)
    while len(data) > MOST_BYTES and sys.stdin.buffer.read(1 << 20):
        pass  # a host that cannot write to its end may take it for a fault
    return data


def _say(answer: str) -> None:
    if not answer:
        return
    try:
        sys.stdout.write(answer + "\n")
        sys.stdout.flush()
    except (OSError, ValueError):
        # Nobody listens. What is left in the buffer must not come up again when the process ends.
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def _tell_fault(work: _Work, error: Exception) -> None:
    if os.environ.get("BRAIN_DEBUG"):
        traceback.print_exc()
    code = getattr(error, "code", "")
    tell(work.name, str(error) if code else f"a fault of brain itself: {type(error).__name__}: {error}")


def tell(name: str, text: str) -> None:
    """Say one line on standard error."""
    line = " ".join(text.split())[:500]
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in line)
    with suppress(OSError, ValueError):
        sys.stderr.write(f"brain hook {name}: {shown}\n")
        sys.stderr.flush()
