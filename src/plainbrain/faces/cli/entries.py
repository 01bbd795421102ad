"""agent-brain's commands that keep and find entries: add, get, loop, update, touch, conflicts, similar, correct, success."""

from __future__ import annotations

from typing import Any, NoReturn

import click

from plainbrain.app import learn
from plainbrain.app.learn import Said
from plainbrain.app.loop import query_for
from plainbrain.errors import SecretRefused
from plainbrain.faces.cli.call import Call, command, read_input, say, tell
from plainbrain.faces.cli.entry import InvalidArguments, Refusal, cut, entry_data, factors, need, not_found, say_hit
from plainbrain.faces.cli.flags import read_flags
from plainbrain.model.hit import Hit
from plainbrain.model.query import Query

#: Everything after the command is text, but for the options that every command has.
WORDS: dict[str, Any] = {"ignore_unknown_options": True, "allow_interspersed_args": True}


@command("add", writes=True, context_settings=WORDS)
@click.argument("words", nargs=-1, metavar="TYPE CONTENT [SOURCE] [TAGS] [URL] [CONTEXT]", type=click.UNPROCESSED)
@click.option("--confidence", default="", metavar="WORD", help="sure, likely or uncertain.")
def add_command(call: Call, words: tuple[str, ...], confidence: str) -> None:
    """Keep an entry: what kind, what it says, who said it (user, inferred, ingested), tags with commas."""
    need(words, 2, "brain add <type> <content> [source=user] [tags] [url] [context]")
    kind, content, source, tags, url, context = (*words, "", "", "", "")[:6] if len(words) < 6 else words[:6]
    content = read_input("-") if content == "-" else content
    said = Said(kind, content, source or "user", tags, url, context, confidence)
    brain = call.make()
    try:
        added = learn.add(brain.context, said)
    except SecretRefused as error:
        _refuse(call, "entry", error)
    brain.mirror(added.memory)
    if added.decayed and not call.json:
        say(f"Auto-decayed {added.decayed} entries")
    call.answer(
        {"id": added.memory.id, "type": kind, "created": added.created, "notes": list(added.notes)},
        f"{'Would add' if call.dry_run else 'Added'}: {added.memory.id} ({kind})",
    )
    for note in added.notes:
        tell(note)


def _refuse(call: Call, what: str, error: SecretRefused) -> NoReturn:
    """Say in agent-brain's words that a secret was refused; which rule, on standard error."""
    tell(f"rule: {error.rule}; --allow-secrets stores it all the same")
    if call.json:
        raise error
    raise Refusal(f"Refused to store {what}: Sensitive content detected; refusing to store.") from error


@command("get", context_settings=WORDS)
@click.argument("words", nargs=-1, metavar="WORDS... [--policy P] [--stores A,B] [--explain]", type=click.UNPROCESSED)
def get_command(call: Call, words: tuple[str, ...]) -> None:
    """Find entries by agent-brain's policies, and count that they were used."""
    flags = read_flags(words, loop=False)
    need(flags.words, 1, "brain get <query> [--policy fast|balanced|deep] [--stores a,b] [--explain]")
    brain = call.open()
    query = Query(flags.text, flags.limit, profile=flags.policy, classes=flags.classes)
    found = brain.get_entries(query, explain=flags.explain)
    if call.json:
        call.answer(
            {
                "hits": [_hit(h, explain=flags.explain) for h in found.recall.hits],
                "total": found.recall.total,
                "decayed": found.decayed,
            }
        )
        return
    if found.decayed:
        say(f"Auto-decayed {found.decayed} entries")
    for hit in found.recall.hits:
        say_hit(hit, explain=flags.explain)
    for note in found.recall.notes:
        tell(note)
    if not found.recall.hits:
        say("No matching entries found.")


def _hit(hit: Hit, *, explain: bool) -> dict[str, Any]:
    data = entry_data(hit.memory) | {"score": round(hit.score, 6)}
    if explain:
        data["factors"] = dict(hit.explanation.factors)
        data["explain"] = factors(hit)
    return data


@command("loop", writes=True, context_settings=WORDS)
@click.argument(
    "words",
    nargs=-1,
    metavar="MESSAGE... [--policy P] [--stores A,B] [--explain] [--user-feedback F] [--response R]",
    type=click.UNPROCESSED,
)
def loop_command(call: Call, words: tuple[str, ...]) -> None:
    """Take one turn: recall for a message, keep the facts in it, learn from feedback."""
    flags = read_flags(words, loop=True)
    need(
        flags.words,
        1,
        "brain loop <message> [--policy fast|balanced|deep] [--stores a,b] [--explain] [--user-feedback F] [--response R]",
    )
    message = read_input("-") if flags.text == "-" else flags.text
    brain = call.make()
    query = query_for(message, policy=flags.policy, k=flags.limit, classes=flags.classes)
    turn = brain.take_turn(message, query, feedback=flags.feedback, response=flags.response)
    skipped = {"duplicate": turn.duplicates, "conflict": turn.conflicts, "sensitive": turn.sensitive}
    if call.json:
        call.answer({
            "query": turn.query,
            "hits": [_hit(h, explain=flags.explain) for h in turn.recall.hits],
            "candidates": turn.candidates,
            "added": [entry_data(memory) for memory in turn.added],
            "skipped": {why: [{"content": s.content, "why": s.why, "against": s.against} for s in items] for why, items in skipped.items()},
        })  # fmt: skip
        return
    if turn.decayed:
        say(f"Auto-decayed {turn.decayed} entries")
    say("LOOP_RETRIEVE")
    say(f"  query: {turn.query}")
    say(f"  hits: {len(turn.recall.hits)}")
    if flags.explain:
        for hit in turn.recall.hits[:5]:
            say_hit(hit, explain=True)
    say("LOOP_EXTRACT")
    say(f"  candidates: {turn.candidates}")
    say(f"  added: {len(turn.added)}")
    for why, items in skipped.items():
        say(f"  skipped_{why}: {len(items)}")
        for item in items:
            tell(
                f"skipped ({why}): {item.content}"
                + (f" — {item.why}" if item.why else "")
                + (f", against {item.against}" if item.against else "")
            )


@command("update", writes=True, context_settings=WORDS)
@click.argument("words", nargs=-1, metavar="ID FIELD VALUE", type=click.UNPROCESSED)
def update_command(call: Call, words: tuple[str, ...]) -> None:
    """Set one field of an entry: confidence, tags, content, type, context or memory_class."""
    need(words, 3, "brain update <id> <field> <value>")
    id, field, value = words[:3]
    brain = call.make()
    fault = learn.fault_of_update(field, value)
    if fault:
        raise Refusal(f"ERROR: {fault}")
    if learn.require_entry(brain.context, id) is None:
        not_found(id)
    memory = learn.update(brain.context, id, field=field, value=value)
    call.answer(entry_data(memory), f"Updated {id}: {field} = {value}")


@command("touch", writes=True)
@click.argument("ids", nargs=-1, metavar="ID")
def touch_command(call: Call, ids: tuple[str, ...]) -> None:
    """Count one use of an entry."""
    need(ids, 1, "brain touch <id>")
    brain = call.make()
    if learn.require_entry(brain.context, ids[0]) is None:
        not_found(ids[0])
    brain.touch_or_raise(ids[0])
    call.answer({"id": ids[0]}, f"Touched: {ids[0]}")


@command("conflicts", context_settings=WORDS)
@click.argument("words", nargs=-1, metavar="CONTENT", type=click.UNPROCESSED)
@click.option(
    "--rule", type=click.Choice(["meaning", "overlap"]), default="meaning", help="overlap is agent-brain's own rule."
)
@click.option("--context", "scope", default="", metavar="C", help="The context in which the new fact holds.")
def conflicts_command(call: Call, words: tuple[str, ...], rule: str, scope: str) -> None:
    """Name the live entries that a new fact contradicts."""
    need(words, 1, "brain conflicts <content>")
    content = read_input("-") if words == ("-",) else " ".join(words)
    brain = call.open()
    if rule == "overlap":
        found = [(memory, ratio, "") for memory, ratio in learn.overlaps(brain.context, content)]
    else:
        found = [
            (f.memory, f.verdict.overlap, f.verdict.why) for f in learn.conflicts(brain.context, content, scope=scope)
        ]
    if call.json:
        call.answer([entry_data(memory) | {"overlap": round(ratio, 4), "why": why} for memory, ratio, why in found])
        return
    say("POTENTIAL_CONFLICTS" if found else "NO_CONFLICTS")
    for memory, ratio, _ in found[:5]:
        say(f"  [{memory.confidence.label}] {cut(memory, 100_000)}")
        say(f"    id: {memory.id}  overlap: {ratio:.0%}")


@command("similar", context_settings=WORDS)
@click.argument("words", nargs=-1, metavar="CONTENT [THRESHOLD]", type=click.UNPROCESSED)
def similar_command(call: Call, words: tuple[str, ...]) -> None:
    """Name the live entries that are like a text."""
    need(words, 1, "brain similar <content> [threshold=0.10]")
    threshold = 0.10
    if len(words) > 1:
        try:
            threshold = float(words[-1])
            words = words[:-1]
        except ValueError:
            if len(words) == 2:
                raise InvalidArguments(f"threshold {words[1]!r} is no number") from None
    brain = call.open()
    found = learn.similar(brain.context, " ".join(words), threshold=threshold)
    if call.json:
        call.answer([entry_data(s.memory) | {"similarity": round(s.similarity, 4)} for s in found])
        return
    say(f"SIMILAR_ENTRIES ({len(found)} found)" if found else "NO_SIMILAR")
    for one in found[:10]:
        say(f"  [{one.memory.confidence.label}] ({one.memory.kind}) {cut(one.memory, 100_000)}")
        say(f"    id: {one.memory.id}  similarity: {one.similarity:.2f}  tags: {','.join(one.memory.tags)}")
        say()


@command("correct", writes=True, context_settings=WORDS)
@click.argument("words", nargs=-1, metavar="WRONG-ID RIGHT [REASON] [TAGS]", type=click.UNPROCESSED)
def correct_command(call: Call, words: tuple[str, ...]) -> None:
    """Replace a wrong entry by the right claim, and learn from it."""
    need(words, 2, "brain correct <wrong_id> <right_content> [reason] [tags]")
    wrong_id, right, reason, tags = (*words, "", "")[:4]
    brain = call.make()
    if learn.require_entry(brain.context, wrong_id) is None:
        not_found(wrong_id)
    try:
        done = learn.correct_memory(brain.context, wrong_id, right, reason=reason, tags=tags)
    except SecretRefused as error:
        _refuse(call, "correction", error)
    brain.mirror(done.right)
    if call.json:
        call.answer(
            {
                "wrong": entry_data(done.wrong),
                "right": entry_data(done.right),
                "habits": [{"tag": h.tag, "corrections": h.corrections} for h in done.habits],
            }
        )
        return
    say(f"Corrected: {done.wrong.id} -> {done.right.id}")
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
    brain = call.make()
    if learn.require_entry(brain.context, words[0]) is None:
        not_found(words[0])
    total, notes = learn.succeed(brain.context, words[0])
    call.answer(
        {"id": words[0], "total": total, "notes": list(notes)}, *notes, f"Success recorded: {words[0]} (total: {total})"
    )
