"""The command that keeps a new memory: one from the command line, or many from standard input."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import click

from plainbrain.app.brain import Brain
from plainbrain.app.drafts import Draft, draft_from_json
from plainbrain.app.given import decode
from plainbrain.app.remember import Encoded
from plainbrain.errors import BrainError, InputError
from plainbrain.faces.cli import show
from plainbrain.faces.cli.call import Call, command, is_input_waiting, read_bytes, read_input, say, tell

_TEXT = {"ignore_unknown_options": True}


@command("encode", writes=True, context_settings=_TEXT)
@click.argument("title", required=False, default="")
@click.argument("stdin", required=False, default="", metavar="[-]")
@click.option("--cortex", default="", metavar="C", help="The theme: a folder, such as infra or infra/node.")
@click.option("--type", "kind", default=None, metavar="T", help="decision, fact, preference, procedure … any word.")
@click.option("--description", default="", metavar="D", help="One line by which to decide whether to open it.")
@click.option("--tags", default="", metavar="A,B", help="Tags, with dots for levels: code.python.")
@click.option("--confidence", default="", metavar="X", help="0 to 1, or sure, likely, uncertain.")
@click.option("--supersedes", multiple=True, metavar="ID", help="The memory that it replaces; may be repeated.")
@click.option(
    "--link", "links", multiple=True, metavar="[REL:]ID", help="A memory that it is linked to; may be repeated."
)
@click.option("--body", default=None, metavar="TEXT", help="The text; - reads standard input.")
@click.option("--file", "file", default=None, metavar="F", help="Take the text from a file.")
@click.option("--rationale", default="", metavar="TEXT", help="Why.")
@click.option(
    "--rejected", multiple=True, metavar="OPTION[: REASON]", help="What was turned down, and why; may be repeated."
)
@click.option("--files", default="", metavar="A,B", help="The files that it applies to.")
@click.option("--scope", default="", metavar="S", help="user, local, team or global.")
@click.option("--jsonl", default=None, metavar="F", help="Keep many: one JSON object a line, from a file or - .")
def encode_command(call: Call, title: str, stdin: str, jsonl: str | None, **given: Any) -> None:
    """Keep a new memory. A clashing id gets a suffix; nothing is ever overwritten.

    The text comes from --body, --file, or standard input (-).
    """
    if jsonl is not None:
        _encode_many(call, read_bytes(jsonl))
        return
    draft = _draft(title, stdin, given)
    brain = call.make()
    kept = brain.keep(draft)
    _show(call, kept)
    if draft.rejected and kept.memory.rejected and not call.json:
        tell(show.turned_down(kept.memory))
    if not draft.body and is_input_waiting():
        tell("There is text on standard input, and it was not read: a - at the end keeps it as the text")


def _draft(title: str, stdin: str, given: dict[str, Any]) -> Draft:
    body, file = given.pop("body"), given.pop("file")
    if stdin not in ("", "-"):
        raise InputError(
            f"{stdin!r} is one word too many",
            value=stdin,
            hint='put the title in quotes: brain encode "Use pnpm everywhere"',
        )
    if title == "-" and not stdin:
        title, stdin = "", "-"
    sources = [text for text in (body, file, stdin or None) if text is not None]
    if len(sources) > 1:
        raise InputError("the text is given more than once", hint="use one of --body, --file and -")
    if stdin == "-" or body == "-":
        body = read_input("-")
    elif file is not None:
        body = read_input(file)
    return draft_from_json({"title": title, "body": body or "", **given})


def _show(call: Call, kept: Encoded) -> None:
    data = {
        "id": kept.id,
        "created": kept.created and not call.dry_run,
        "notes": list(kept.notes),
        "close": [show.card(memory) for memory in kept.close],
        "memory": show.whole(kept.memory),
    }
    call.answer(data, f"{_verb(call, kept)}: {kept.id} ({kept.memory.kind})")
    if not call.json:
        for note in kept.notes:
            tell(note)
        if kept.close:
            tell("Close to what is there; supersede what it replaces: " + ", ".join(m.id for m in kept.close))


def _verb(call: Call, kept: Encoded) -> str:
    if not kept.created:
        return "Already there"
    return "Would keep" if call.dry_run else "Kept"


def _encode_many(call: Call, data: bytes) -> None:
    """Keep one memory for each line; say what became of each, and leave with 1 when one was not kept."""
    brain = call.make().as_one("encode --jsonl")
    kept = failed = 0
    for number, outcome in _outcomes(brain, data):
        if isinstance(outcome, BrainError):
            failed += 1
            tell(f"line {number}: {outcome.message}" + (f"\n    {outcome.hint}" if outcome.hint else ""))
            if call.json:
                say(
                    json.dumps(
                        {
                            "line": number,
                            "error": {"code": outcome.code, "message": outcome.message, "hint": outcome.hint},
                        }
                    )
                )
        else:
            kept += outcome.created
            if call.json:
                say(
                    json.dumps(
                        {"line": number, "id": outcome.id, "created": outcome.created and not call.dry_run},
                        ensure_ascii=False,
                    )
                )
            else:
                say(f"{_verb(call, outcome)}: {outcome.id}")
    tell(
        f"{show.counted(kept, 'memory', 'memories')} {'would be kept' if call.dry_run else 'kept'}, {show.counted(failed, 'line')} refused"
    )
    if failed:
        raise click.exceptions.Exit(1)


def _outcomes(brain: Brain, data: bytes) -> Iterator[tuple[int, Encoded | BrainError]]:
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            parsed = json.loads(decode(line, "it"))
            yield number, brain.keep(draft_from_json(parsed))
        except (ValueError, RecursionError) as error:
            yield number, InputError(f"this is no JSON: {error}", hint='write {"title": "…", "body": "…"} on one line')
        except BrainError as error:
            yield number, error
