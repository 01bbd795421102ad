"""Putting the hooks into a host's settings, told to a person."""

from __future__ import annotations

import os
from pathlib import Path

from plainbrain.app import hosts
from plainbrain.app.settings import load_settings
from plainbrain.errors import InputError, SettingsError
from plainbrain.records import record

_VARIABLES = ("BRAIN_STORE", "BRAIN_DIR", "MEMORY_DIR")


@record(frozen=True, slots=True)
class Wanted:
    """What a person asked for."""

    host: str
    scope: str
    store: str = ""
    config: str = ""
    learn: bool = False
    remove: bool = False
    dry_run: bool = False


def settle(wanted: Wanted) -> tuple[str, str]:
    """Write the settings; return what to print and what to tell about it. Raise InputError or a StoreError."""
    path = hosts.settings_path(wanted.host, wanted.scope, home=Path.home(), project=Path.cwd())
    if wanted.remove:
        done = hosts.remove(path, writes=not wanted.dry_run)
    else:
        command = hosts.command_line(scope=wanted.scope, options=_options(wanted))
        done = hosts.install(path, wanted.host, command, writes=not wanted.dry_run)
    return (done.text.rstrip("\n") if wanted.dry_run else ""), _told(wanted, done)


def _options(wanted: Wanted) -> list[str]:
    """Return the options of each call: names that mean the same wherever the host calls from, and whatever it hands on.

    A host has another environment than a shell: the brain that a variable names is written down in a person's own settings.
    """
    options: list[str] = []
    try:
        settings = load_settings(os.environ, store=wanted.store, config=wanted.config)
    except SettingsError as error:  # its status, 2, is not for this command
        raise InputError(error.message, value=error.value, hint=error.hint) from error
    if wanted.store or (wanted.scope == "user" and settings.store_source in _VARIABLES):
        options += ["--store", settings.store]
    if wanted.config:
        options += ["--config", os.path.abspath(wanted.config)]
    return [*options, *(["--learn"] if wanted.learn else [])]


def _told(wanted: Wanted, done: hosts.Settled) -> str:
    if not done.is_changed:
        return f"Nothing to {'take out' if wanted.remove else 'change'}: {done.path}"
    if wanted.remove:
        return f"{'Would take' if wanted.dry_run else 'Took'} the hooks out of {done.path}"
    return f"{'Would write' if wanted.dry_run else 'Wrote'} the hooks into {done.path}"
