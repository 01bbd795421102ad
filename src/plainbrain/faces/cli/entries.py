"""agent-brain's commands that write single entries: add, update, touch, correct, success, ingest."""

from __future__ import annotations

from typing import Any, NoReturn

import click

from plainbrain.app import entries, learn
from plainbrain.app.drafts import said_from
from plainbrain.errors import SecretRefused
from plainbrain.faces.cli import show
from plainbrain.faces.cli.call import Call, command, say, tell, text_of
from plainbrain.faces.cli.entry import Refusal, cut, entry_data, need, not_found
from plainbrain.faces.cli.words import WORDS


@command("add", writes=True, context_settings=WORDS)
@click.argument("words", nargs=-1, metavar="TYPE CONTENT [SOURCE] [TAGS] [URL] [CONTEXT]", type=click.UNPROCESSED)
@click.option("--confidence", default="", metavar="WORD", help="sure, likely or uncertain.")
@click.option("--rationale", default="", metavar="TEXT", help="Why.")
@click.option(
    "--rejected", multiple=True, metavar="OPTION[: REASON]", help="What was turned down, and why; may be repeated."
)
@click.option("--files", default="", metavar="A,B", help="The files that it applies to.")
@click.option("--scope", default="", metavar="S", help="user, local, team or global.")
def add_command(call: Call, words: tuple[str, ...], confidence: str, **decided: Any) -> None:
    """Keep an entry: what kind, what it says, who said it (user, inferred, ingested), tags with commas.

    A decision may say why, what it turned down, and where it holds; stated again with more, it is filled in.
    """
    need(words, 2, "brain add <type> <content> [source=user] [tags] [url] [context]")
    kind, content, source, tags, url, context = (*words, "", "", "", "")[:6] if len(words) < 6 else words[:6]
    content = text_of([content])
    said = said_from(decided, kind=kind, content=content, source=source or "user", tags=tags, url=url, context=context, confidence=confidence)  # fmt: skip
    brain = call.make()
    try:
        added = brain.add(said)
    except SecretRefused as error:
        _refuse(call, "entry", error)
    if added.faded.count and not call.json:
        say(f"Auto-decayed {added.faded.count} entries")
    call.answer(
        {"id": added.memory.id, "type": added.memory.kind, "created": added.created and not call.dry_run, "notes": list(added.notes)},
        f"{_verb(call, added)}: {added.memory.id} ({added.memory.kind})",
    )  # fmt: skip
    for note in (*added.notes, *added.faded.notes):
        tell(note)
    if said.rejected and added.memory.rejected and not call.json:
        tell(show.turned_down(added.memory))


def _verb(call: Call, added: entries.Added) -> str:
    """Return what became of an entry. agent-brain says Added of words that are there, too: a note tells then."""
    if not call.dry_run:
        return "Added"
    return "Would add" if added.created else "Already there"


def _refuse(call: Call, what: str, error: SecretRefused) -> NoReturn:
    """Say in agent-brain's words that a secret was refused; which rule, on standard error."""
    tell(f"rule: {error.rule}; --allow-secrets stores it all the same")
    if call.json:
        raise error
    raise Refusal(f"Refused to store {what}: Sensitive content detected; refusing to store.") from error


@command("update", writes=True, context_settings=WORDS)
@click.argument("words", nargs=-1, metavar="ID FIELD VALUE", type=click.UNPROCESSED)
def update_command(call: Call, words: tuple[str, ...]) -> None:
    """Set one field of an entry: confidence, tags, content, type, context or memory_class; - reads standard input."""
    need(words, 3, "brain update <id> <field> <value>")
    id, field, value = *words[:2], text_of(words[2:3])
    brain = call.change()
    fault = entries.fault_of_update(field, value)
    if fault:
        raise Refusal(f"ERROR: {fault}")
    if entries.require_entry(brain.context, id) is None:
        not_found(id)
    memory = entries.update(brain.context, id, field=field, value=value)
    call.answer(
        entry_data(memory),
        f"{'Would update' if call.dry_run else 'Updated'} {id}: {field} = {' ⏎ '.join(value.splitlines())}",
    )


@command("touch", writes=True)
@click.argument("ids", nargs=-1, metavar="ID")
def touch_command(call: Call, ids: tuple[str, ...]) -> None:
    """Count one use of an entry."""
    need(ids, 1, "brain touch <id>")
    brain = call.change()
    if entries.require_entry(brain.context, ids[0]) is None:
        not_found(ids[0])
    brain.touch_or_raise(ids[0])
    call.answer({"id": ids[0]}, f"{'Would touch' if call.dry_run else 'Touched'}: {ids[0]}")


@command("correct", writes=True, context_settings=WORDS)
@click.argument("words", nargs=-1, metavar="WRONG-ID RIGHT [REASON] [TAGS]", type=click.UNPROCESSED)
def correct_command(call: Call, words: tuple[str, ...]) -> None:
    """Replace a wrong entry by the right claim, and learn from it. - as the claim reads standard input."""
    need(words, 2, "brain correct <wrong_id> <right_content> [reason] [tags]")
    wrong_id, right, reason, tags = (*words, "", "")[:4]
    right = text_of([right])
    brain = call.change()
    if entries.require_entry(brain.context, wrong_id) is None:
        not_found(wrong_id)
    try:
        done = learn.correct_memory(brain.context, wrong_id, right, reason=reason, tags=tags)
    except SecretRefused as error:
        _refuse(call, "correction", error)
    if call.json:
        call.answer(
            {
                "wrong": entry_data(done.wrong),
                "right": entry_data(done.right),
                "was_there": done.was_there,
                "habits": [{"tag": h.tag, "corrections": h.corrections} for h in done.habits],
            }
        )
        return
    if done.was_there:
        tell(f"{done.right.id} says so already, and takes its place")
    say(f"{'Would correct' if call.dry_run else 'Corrected'}: {done.wrong.id} -> {done.right.id}")
    say(f"  Wrong: {cut(done.wrong, 100_000)}")
    say(f"  Right: {cut(done.right, 100_000)}")
    if reason:
        say(f"  Reason: {reason}")
    for habit in done.habits:
        say()
        say(f"ANTI_PATTERN_DETECTED: tag '{habit.tag}' has {habit.corrections} corrections")
        say(f"  Consider: add anti-pattern '{habit.suggestion}' inferred '{','.join(habit.tags)}'")


@command("success", writes=True, context_settings=WORDS)
@click.argument("words", nargs=-1, metavar="ID [CONTEXT]", type=click.UNPROCESSED)
def success_command(call: Call, words: tuple[str, ...]) -> None:
    """Record that an entry was applied with success; the third makes it sure."""
    need(words, 1, "brain success <id> [context]")
    brain = call.change()
    if entries.require_entry(brain.context, words[0]) is None:
        not_found(words[0])
    total, notes = learn.succeed(brain.context, words[0])
    call.answer(
        {"id": words[0], "total": total, "notes": list(notes)},
        *notes,
        f"{'Would record success' if call.dry_run else 'Success recorded'}: {words[0]} (total: {total})",
    )


@command("ingest", writes=True)
@click.argument("words", nargs=-1, metavar="URL [TAGS]")
@click.option("--title", default="", metavar="T", help="What to call it; else the page's own title.")
def ingest_command(call: Call, words: tuple[str, ...], title: str) -> None:
    """Fetch a public https page and keep its text, unreviewed. Off unless AGENT_BRAIN_INGEST=on."""
    need(words, 1, "brain ingest <url> [tags]")
    url, tags = (*words, "")[:2]
    added = call.make().ingest(url, tags=tags, title=title)
    memory = added.memory
    call.answer(
        {"id": memory.id, "title": memory.title, "characters": len(memory.content), "created": added.created, "notes": list(added.notes)},
        f"{'Already there' if not added.created else 'Would ingest' if call.dry_run else 'Ingested'}: {memory.id} ({len(memory.content)} characters, unreviewed) {memory.title}",
    )  # fmt: skip
    for note in added.notes:
        tell(note)
