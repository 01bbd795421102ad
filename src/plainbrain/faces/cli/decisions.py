"""The commands about decisions: veto, explain, outcome, review."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import click

from plainbrain.app import decisions
from plainbrain.app.brain import Brain
from plainbrain.app.decisions import Edit
from plainbrain.app.edits import edits_of
from plainbrain.errors import BrainError, InputError
from plainbrain.faces.cli import show
from plainbrain.faces.cli.call import Call, command, say, tell, text_of
from plainbrain.model.memory import Memory, Rejected

_TEXT = {"ignore_unknown_options": True}
_ACTIONS = ("list", "approve", "edit", "reject")


@command("veto", whole=True, context_settings=_TEXT)
@click.argument("words", nargs=-1, required=True, metavar="TEXT")
@click.option("--files", default="", metavar="A,B", help="The files that are to be touched.")
@click.option(
    "-k", "k", type=click.IntRange(0, 100), default=decisions.DEFAULT_K, help="How many decisions that bear on it."
)
def veto_command(call: Call, words: tuple[str, ...], files: str, k: int) -> None:
    """Name the rejected alternatives that TEXT is about to repeat; leaves with 1 when there is one. - reads standard input.

    What TEXT itself turns down ("we will not use Redis") is no veto, and told as a reminder. What it names in part ("SQLAlchemy" of
    "SQLAlchemy ORM") is no veto either, and told apart.
    """
    text = text_of(words)
    brain = call.open()
    found = brain.check(text, files=files, k=k)
    if call.json:
        call.answer(show_check(found))
    else:
        _say_vetoes("VETO ", found.vetoes)
        _say_vetoes("Turned down before as well: ", found.denied)
        _say_vetoes("Partly named: ", found.partly)
        every = (*found.vetoes, *found.denied, *found.partly)
        told = {id for veto in every for id in (veto.decision.id, veto.holder.id)}
        others = [one.memory for one in found.bearing if one.memory.id not in told]
        if others:
            say("Decisions that bear on it:")
            for memory in others:
                say(f"  {_line(memory)}")
                _say_rejected(memory, "    ")
        if not found.vetoes:
            tell("No veto: no turned-down option is named in these words." if others or found.partly else "No veto.")
    if found.vetoes:
        raise click.exceptions.Exit(1)


def _say_vetoes(head: str, vetoes: Sequence[decisions.Veto]) -> None:
    """Say each veto once, with every decision that turned it down."""
    for same in decisions.distinct(vetoes):
        say(f"{head}{_against(same[0].rejected)}")
        for veto in {veto.decision.id: veto for veto in same}.values():
            say(f"  {_line(veto.decision)}")
            if veto.holder.id != veto.decision.id:
                say(f"  replaced, and the veto still holds: {_line(veto.holder)}")


def _against(rejected: Rejected) -> str:
    return rejected.option + (f": {rejected.reason}" if rejected.reason else "")


def _say_rejected(memory: Memory, indent: str) -> None:
    for rejected in memory.rejected:
        say(f"{indent}not {_against(rejected)}")


def show_check(found: decisions.Check) -> dict[str, Any]:
    """Return what stands against a text, as data."""
    bearing = [
        show.card(one.memory)
        | {"score": round(one.score, 4)}
        | {"rejected": [{"option": r.option, "reason": r.reason} for r in one.memory.rejected]}
        for one in found.bearing
    ]
    return {
        "vetoes": _vetoes(found.vetoes),
        "denied": _vetoes(found.denied),
        "partly": _vetoes(found.partly),
        "decisions": bearing,
    }


def _vetoes(vetoes: Sequence[decisions.Veto]) -> list[dict[str, Any]]:
    return [
        {
            "option": veto.rejected.option,
            "reason": veto.rejected.reason,
            "decision": show.card(veto.decision),
            "holder": veto.holder.id,
            "at": veto.at,
        }
        | ({"word": veto.word} if veto.word else {})
        for veto in vetoes
    ]


def _line(memory: Memory) -> str:
    said = memory.title or memory.description or " ".join(memory.content.split())[:80]
    trust = f" · {memory.provenance.trust}" if memory.provenance.trust in ("unreviewed", "quarantined") else ""
    return f"{memory.id}  {said}{trust}"


@command("explain", whole=True)
@click.argument("file")
@click.option("-k", "k", type=click.IntRange(1, 1000), default=20, show_default=True, help="How many at most.")
def explain_command(call: Call, file: str, k: int) -> None:
    """List what holds for FILE: memories that name it, a folder over it, or speak of it."""
    brain = call.open()
    found = brain.explain(file, k=k)
    if call.json:
        call.answer({"named": [show.whole(m) for m in found.named], "by_words": [show.card(m) for m in found.by_words]})
        return
    for memory in found.named:
        say(_line(memory))
        if memory.rationale:
            say(f"  why: {' '.join(memory.rationale.split())}")
        _say_rejected(memory, "  ")
    if found.by_words:
        say("Also speaking of it:")
        for memory in found.by_words:
            say(f"  {_line(memory)}")
    if not found.named and not found.by_words:
        tell(f"Nothing is known of {file}.")


@command("outcome", writes=True)
@click.argument("id")
@click.argument("became", metavar="confirmed|revert|incident")
@click.option("--evidence", default="", metavar="E", help="A commit, a ticket: the same one counts once.")
def outcome_command(call: Call, id: str, became: str, evidence: str) -> None:
    """Record what became of a decision: its relevance rises or falls by it."""
    brain = call.change()
    plan = brain.outcome(id, became, evidence)
    memory = brain.get(id)
    done = bool(plan.uses)
    lines = [f"{'Would record' if call.dry_run else 'Recorded'}: {id} {became.lower()}"] if done else list(plan.notes)
    relevance = memory.usage.relevance
    data = {"id": id, "recorded": done and not call.dry_run, "relevance": relevance, "notes": list(plan.notes)}
    call.answer(data, *lines)
    if done and not call.json:
        for note in plan.notes:
            tell(note)


@command("review", whole=True, writes=True)
@click.argument("action", required=False, default="", metavar="[list|approve|edit|reject]")
@click.argument("ids", nargs=-1, metavar="ID...")
@click.option("--all", "every", is_flag=True, help="Approve all that is unreviewed; what is quarantined stays.")
@click.option("--reason", default="", metavar="TEXT", help="Why it is rejected.")
@click.option(
    "--body", default=None, metavar="TEXT", help="With edit: the text as it should be; - reads standard input."
)
@click.option("--set", "sets", multiple=True, metavar="FIELD=VALUE", help="With edit: set a field.")
def review_command(call: Call, action: str, ids: tuple[str, ...], every: bool, reason: str, **edits: Any) -> None:
    """Go through what nobody has confirmed. Alone on a terminal it asks about each; elsewhere it lists."""
    if action and action not in _ACTIONS:
        raise InputError(f"{action!r} is no way to review", value=action, hint="say one of: " + ", ".join(_ACTIONS))
    if every and action in ("edit", "reject"):
        raise InputError(f"--all approves, and cannot {action}", value=action, hint=f"brain review {action} ID...")
    if every and not action:
        action = "approve"
    if action in ("", "list"):
        brain = call.open() if action == "list" or not sys.stdin.isatty() else call.change()
        waiting = brain.unreviewed()
        if action == "" and sys.stdin.isatty() and not call.json:
            _ask_each(brain, waiting)
        else:
            _list(call, waiting)
        return
    brain = call.change()
    if every:
        ids = tuple(m.id for m in brain.unreviewed() if m.provenance.trust != "quarantined")
        if not ids and not call.json:
            tell("Nothing waits to be approved.")
    if not ids and not every:
        raise InputError(
            f"nothing is named to {action}", hint=f"brain review {action} ID, or list what waits: brain review list"
        )
    body = edits["body"] if edits["body"] is None else text_of([edits["body"]])
    given = edits_of(body=body, sets=edits["sets"]) if action == "edit" else []
    if action == "edit" and not given:
        raise InputError("there is nothing to edit", hint="say what: --body TEXT or --set FIELD=VALUE")
    _review(call, brain, action, ids, reason=reason, edits=given)


def _list(call: Call, waiting: Sequence[Memory]) -> None:
    call.answer([show.card(memory) for memory in waiting], *(_line(memory) for memory in waiting))
    if not call.json:
        tell(f"{show.counted(len(waiting), 'memory', 'memories')} to review")


def _review(call: Call, brain: Brain, action: str, ids: Sequence[str], *, reason: str, edits: Sequence[Edit]) -> None:
    """Do the same to each; one that cannot be done stops no other, and the status tells."""
    done: list[str] = []
    failed: dict[str, str] = {}
    for id in dict.fromkeys(ids):
        try:
            brain.reject(id, reason) if action == "reject" else brain.approve(id, edits)
        except BrainError as error:
            failed[id] = error.message
            tell(f"{id}: {error.message}" + (f"\n    {error.hint}" if error.hint else ""))
        else:
            done.append(id)
            if not call.json:
                say(f"{_VERBS[action][call.dry_run]}: {id}")
    if call.json:
        call.answer({"done": [] if call.dry_run else done, "failed": failed})
    if failed:
        raise click.exceptions.Exit(1)


_VERBS = {
    "approve": ("Approved", "Would approve"),
    "edit": ("Edited and approved", "Would edit and approve"),
    "reject": ("Rejected", "Would reject"),
}


def _ask_each(brain: Brain, waiting: Sequence[Memory]) -> None:
    """Show each and ask a person what to do with it."""
    for number, card in enumerate(waiting, 1):
        memory = brain.get(card.id)
        say(f"\n[{number}/{len(waiting)}] {_line(memory)}")
        say(memory.content)
        _say_rejected(memory, "  ")
        say(f"  from {memory.provenance.origin or 'nobody says'}")
        choice = _choose()
        if choice == "q":
            return
        if choice == "a":
            brain.approve(memory.id)
        elif choice == "r":
            brain.reject(memory.id, click.prompt("why", default="", show_default=False, err=True))
        elif choice == "e" and (text := click.edit(memory.content)) is not None:
            brain.approve(memory.id, edits_of(body=text.rstrip("\n")))
    tell("Nothing more to review.")


_CHOICES = {
    "a": "approve: it is right as it is",
    "e": "edit: change the text in your editor, and approve it",
    "r": "reject: it is wrong; it is kept out of recall, with the reason",
    "s": "skip: leave it for another time",
    "q": "quit: leave the rest for another time",
}


def _choose() -> str:
    """Ask until one of the letters is given; what each does is told for a question mark."""
    while True:
        asked = click.prompt(
            "approve, edit, reject, skip or quit (? tells more)", type=click.Choice([*_CHOICES, "?"]), err=True
        )
        if asked != "?":
            return str(asked)
        for letter, told in _CHOICES.items():
            tell(f"  {letter}  {told}")
