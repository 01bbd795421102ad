"""The commands that keep memories true: link, supersede, validate, edit, move, invalidate, forget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from plainbrain.app.edits import edits_of
from plainbrain.errors import InputError
from plainbrain.faces.cli import show
from plainbrain.faces.cli.call import Call, ask, command, read_input, tell, text_of
from plainbrain.faces.cli.entry import need
from plainbrain.later import later
from plainbrain.model.change import Plan, Put, ids_of
from plainbrain.model.links import RELATES_TO
from plainbrain.model.memory import Memory

if TYPE_CHECKING:
    from plainbrain.app import forgetting
else:
    forgetting = later("plainbrain.app.forgetting")

_TEXT = {"ignore_unknown_options": True}


def _answer(call: Call, plan: Plan, done: str, **data: Any) -> None:
    """Say what a plan did, or would do."""
    changed = ids_of(plan.changes)
    body = {"done": bool(changed) and not call.dry_run, "changed": changed, "notes": list(plan.notes), **data}
    if call.dry_run and changed:
        call.answer(body, f"Would change: {', '.join(changed)}")
    else:
        call.answer(body, *([done] if changed else ["Nothing to do."]))
    if not call.json:
        for note in plan.notes:
            tell(note)


@command("link", writes=True)
@click.argument("a")
@click.argument("b")
@click.argument("rel", required=False, default="")
@click.option("--rel", "rel_option", default="", metavar="REL", help="The relation of A to B; B gets its inverse.")
@click.option("--remove", is_flag=True, help="Take the link away instead.")
def link_command(call: Call, a: str, b: str, rel: str, rel_option: str, remove: bool) -> None:
    """Link A to B by REL (relates_to), and B back to A by the inverse relation."""
    brain = call.change()
    rel = rel_option or rel
    if remove:
        _answer(call, brain.unlink(a, b, rel), f"Unlinked {a} and {b}")
    else:
        _answer(call, brain.link(a, b, rel or RELATES_TO), f"Linked {a} {rel or RELATES_TO} {b}")


@command("supersede", writes=True)
@click.argument("words", nargs=-1, metavar="OLD NEW")
@click.option("--reason", default="", metavar="TEXT", help="Why the old one is no longer true.")
def supersede_command(call: Call, words: tuple[str, ...], reason: str) -> None:
    """Retire OLD in favour of NEW: it is hidden from recall, linked, and keeps its history."""
    need(words, 2, "brain supersede <old_id> <new_id>")
    old, new = words[:2]
    _answer(call, call.change().supersede(old, new, reason), f"Superseded {old} -> {new}", old=old, new=new)


@command("validate", writes=True)
@click.argument("id")
@click.option("--confidence", default=None, metavar="X", help="How sure it is now: 0 to 1, or a word.")
def validate_command(call: Call, id: str, confidence: str | None) -> None:
    """Record that a memory was checked today."""
    memory = call.change().validate(id, confidence)
    verb = "Would validate" if call.dry_run else "Validated"
    notes = [] if memory.is_live else [_over(memory)]
    data = show.card(memory) | ({"notes": notes} if notes else {})
    call.answer(data, f"{verb}: {id} (confidence {memory.confidence.value:.2g})")
    if not call.json:
        for note in notes:
            tell(note)


def _over(memory: Memory) -> str:
    """Return what to say of a memory that is not in effect, and how to bring it back."""
    if memory.superseded_by:
        return f"Mind that {memory.id} is {memory.status}: {memory.superseded_by} took its place"
    return f"Mind that {memory.id} is {memory.status}, and hidden: brain edit {memory.id} --set status=active brings it back"


@command("edit", writes=True, context_settings=_TEXT)
@click.argument("id")
@click.option("--append", multiple=True, metavar="TEXT", help="Add a paragraph at the end; - reads standard input.")
@click.option(
    "--replace",
    nargs=2,
    multiple=True,
    metavar="OLD NEW",
    help="Replace a text that stands there exactly once; - as NEW reads standard input.",
)
@click.option(
    "--section",
    nargs=2,
    multiple=True,
    metavar="HEADING TEXT",
    help="Replace what stands under a heading; - reads standard input.",
)
@click.option("--body", default=None, metavar="TEXT", help="Replace the whole text; - reads standard input.")
@click.option(
    "--set", "sets", multiple=True, metavar="FIELD=VALUE", help="Set a field: title, type, tags, confidence …"
)
@click.option("--clear", multiple=True, metavar="FIELD", help="Take a field away.")
def edit_command(call: Call, id: str, **given: Any) -> None:
    """Change a memory in place; all that is not named stays byte for byte."""
    if given["body"] == "-":
        given["body"] = read_input("-")
    given["append"] = tuple(read_input("-") if text == "-" else text for text in given["append"])
    for name in ("replace", "section"):
        given[name] = tuple((what, text_of([text])) for what, text in given[name])
    before, after = call.change().edit(id, edits_of(**given))
    changed = before != after
    verb = "Nothing changed" if not changed else "Would edit" if call.dry_run else "Edited"
    call.answer(show.whole(after) | {"changed": changed and not call.dry_run}, f"{verb}: {id}")


@command("move", writes=True)
@click.argument("id")
@click.argument("new_id", required=False, default="", metavar="[[THEME/]NEW-ID]")
@click.option("--cortex", default="", metavar="C", help="The theme to put it under.")
def move_command(call: Call, id: str, new_id: str, cortex: str) -> None:
    """Rename a memory or change its theme; the links to it are mended, those that name its path among them.

    The new place may be written as a path: infra/new-id, infra/ (the theme alone), or a name that becomes an id.
    """
    plan = call.change().move(id, new_id=new_id, cortex=cortex)
    after = next((change.memory for change in plan.changes if isinstance(change, Put)), None)
    goal = id if after is None else after.id
    theme = after.cortex if after is not None and (cortex or new_id != goal) else ""
    _answer(call, plan, f"Moved {id} to {'/'.join(part for part in (theme, goal) if part)}", id=goal)


@command("invalidate", writes=True)
@click.argument("id")
@click.option("--reason", default="", metavar="TEXT", help="Why it is no longer true.")
def invalidate_command(call: Call, id: str, reason: str) -> None:
    """Say that a memory is no longer true and that nothing replaces it.

    To take that back later: brain edit ID --set status=active
    """
    _answer(call, call.change().invalidate(id, reason), f"Invalidated {id}")


@command("forget", writes=True)
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
def forget_command(call: Call, ids: tuple[str, ...], yes: bool) -> None:
    """Remove memories for good: the text, the counters, the lines in the journal.

    Names that a memory bore before are followed. One that is gone already can be named too: what is kept of it goes then. Copies in
    git, backups and synced folders are not ours to remove.
    """
    brain = call.change()
    for id in ids:
        forgetting.require(brain.context, id)
    if not yes and not call.dry_run and not ask(f"Remove {', '.join(ids)} for good?"):
        raise InputError(
            "nothing was removed", hint="say --yes to remove without being asked; `brain invalidate` keeps the history"
        )
    left: dict[str, list[str]] = {}
    for id in ids:
        done = brain.forget(id)
        left[id] = list(done.pointing)
        if not call.json:
            call.answer(None, f"{'Would forget' if call.dry_run else 'Forgot'}: {id}")
            _tell_forgotten(done, is_log=brain.store.traits.kind == "jsonl")
    if call.json:
        call.answer({"forgotten": [] if call.dry_run else list(ids), "still_pointing": left})


def _tell_forgotten(one: forgetting.Forgotten, *, is_log: bool) -> None:
    """Say what went with a memory, and what stays."""
    if one.former:
        tell(f"gone as well, by the names that it bore before: {', '.join(one.former)}")
    if one.taken:
        tell(f"another memory is called {', '.join(one.taken)} now: what is kept under that name stays")
    if one.cleared:
        more = "; the log drops its earlier lines with `brain compact`" if is_log else ""
        tell(f"its words were taken out of what corrected it: {', '.join(one.cleared)}{more}")
    if one.pointing:
        tell(f"still pointing at it: {', '.join(one.pointing)}")
