"""Entries: keeping what was said, and setting one field of what is kept, in agent-brain's terms.

Each takes what a person or an agent said, lets ``lifecycle`` decide, and carries the decision out. Works on
every store. How entries are found and what is learned from them stands in the modules beside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from uuid import NAMESPACE_URL, uuid4, uuid5

from plainbrain.app.context import Context
from plainbrain.app.fading import Faded, decay_if_due
from plainbrain.errors import AlreadyExists, Busy, Changed, InvalidField, NoRoom, NotFound, PartlyDone, ReadOnly
from plainbrain.lifecycle.admit import (
    INBOX,
    check_confidence,
    check_content,
    check_kind,
    check_line,
    check_rejected,
    check_said,
    check_tags,
    clean,
    first_sentence,
)
from plainbrain.lifecycle.learn import restate
from plainbrain.lifecycle.screen import HELD, screened
from plainbrain.lifecycle.sessions import current_session
from plainbrain.model.change import ABSENT, Activity, Plan, Put
from plainbrain.model.confidence import LIKELY, SURE
from plainbrain.model.instants import Instant, parse_instant
from plainbrain.model.kinds import ENTRY_CLASSES, NOTE, class_of_kind
from plainbrain.model.memory import Memory, Rejected, Usage
from plainbrain.model.provenance import QUARANTINED
from plainbrain.ports import Stored
from plainbrain.records import record
from plainbrain.text.slug import slugify, with_suffix

_TRIES = 100
_NAMESPACE = uuid5(NAMESPACE_URL, "plainbrain:entry")


@record(frozen=True, slots=True)
class Added:
    """What became of something said: the memory, whether it is new, and what faded meanwhile."""

    memory: Memory
    created: bool
    faded: Faded = Faded()
    notes: tuple[str, ...] = ()


@record(frozen=True, slots=True)
class Said:
    """What somebody wants kept as an entry, in agent-brain's terms. ``tags`` are a list or a text with commas.

    A decision may say why (``rationale``), what it turned down (``rejected``), and where it holds (``files``, ``scope``).
    """

    kind: str
    content: str
    source: str = "user"
    tags: Sequence[str] | str = ()
    url: str = ""
    context: str = ""
    confidence: str = ""
    title: str = ""
    rationale: str = ""
    rejected: Sequence[Rejected] = ()
    files: Sequence[str] = ()
    scope: str = ""


def add(context: Context, said: Said, *, action: str = "add") -> Added:
    """Keep what was said. The same words of the same type again make the one that is there sure, and add nothing.

    Raise InvalidField, SecretRefused or a StoreError.
    """
    at = context.clock.now()
    memory = screened(entry_of(context, said, at=at))
    for _ in range(_TRIES):
        there = _there_already(context, memory)
        if there is not None:
            plan = context.carry_out_fresh([there], partial(_stated_again, at=at, said=memory))
            return Added(context.require(there).memory, created=False, faded=_fade(context), notes=plan.notes)
        memory = replace(memory, id=free_id(context, memory))
        told = (
            f"{memory.kind}/{memory.class_}: {memory.content[:60]} [{','.join(memory.tags)}]"
            if action == "add"
            else f"{memory.kind}/{memory.class_}: {memory.content[:80]}"
        )
        try:
            context.carry_out(Plan((Put(memory, ABSENT),), (Activity(at, action, memory.id, told),)))
        except AlreadyExists:
            continue  # another process was faster: look again whether it said the same
        context.echo(memory)
        held = (HELD,) if memory.provenance.trust == QUARANTINED else ()
        return Added(memory, created=True, faded=_fade(context), notes=held)
    raise AlreadyExists(f"no id is free for {memory.content[:40]!r}", value=memory.content[:40], hint="try again")


def _stated_again(found: list[Stored], *, at: Instant, said: Memory) -> Plan:
    return restate(found[0], at=at, said=said)


def _fade(context: Context) -> Faded:
    """Let confidence fade when it is due. What was asked is done and on the disk: fading may wait for the next call."""
    try:
        return decay_if_due(context)
    except (Busy, Changed, NoRoom, PartlyDone, ReadOnly):
        return Faded()


def entry_of(context: Context, said: Said, *, at: Instant) -> Memory:
    """Return the memory, still without an id, that an entry becomes here. Raise InvalidField."""
    content = check_content(said.content)
    if not content.strip():
        raise InvalidField(
            "there is nothing to keep: the content is empty", value=said.content, hint='brain add fact "what is true"'
        )
    tags = check_tags(said.tags) if not isinstance(said.tags, str) else check_tags(said.tags.split(","))
    kind = check_kind(said.kind)
    session = current_session(context.store.journal.values())
    sure = check_confidence(said.confidence or (SURE if said.source == "user" else LIKELY))
    provenance = context.channel.provenance()
    if session is not None and not provenance.sessions:
        provenance = replace(provenance, sessions=(str(session.id),))
    memory = Memory(
        id="",
        content=content,
        kind=kind,
        memory_class=class_of_kind(kind),
        tags=tags,
        confidence=sure,
        created=at,
        source=check_line("source", said.source, 60),
        source_url=check_line("source_url", said.url, 2_000),
        context=clean(said.context),
        provenance=provenance,
        usage=Usage(accesses=1, last_accessed=at),
        title=said.title,
        rationale=clean(said.rationale),
        rejected=check_rejected(said.rejected),
        files=tuple(clean(file) for file in said.files),
        scope=check_line("scope", said.scope, 60),
    )
    if not context.store.traits.folder:
        return memory
    root = tags[0].split(".")[0] if tags else ""
    day = parse_instant(at.day_text())
    return replace(
        memory, title=said.title or first_sentence(content), cortex=root or INBOX, created=day, last_validated=day
    )


def _there_already(context: Context, memory: Memory) -> str | None:
    """Return the id of the live memory that says the very same, by the id that these words get."""
    first = first_id(context, memory)
    found = context.store.get_many([first])
    if first in found and _same_words(found[first].memory, memory):
        return first
    return None


def _same_words(there: Memory, new: Memory) -> bool:
    """Tell whether a live memory says the very same; one of which no type was said stands for any."""
    same_kind = there.kind == new.kind or there.kind in ("", NOTE)
    return there.is_live and same_kind and there.context == new.context and words_of(there) == words_of(new)


def words_of(memory: Memory) -> list[str]:
    """Return the words that a memory is compared by: those of its text, of its title where it has no more than that."""
    return (memory.content if memory.content.strip() else memory.title).split()


def first_id(context: Context, memory: Memory) -> str:
    """Return the id that follows from the words, so that two processes that say the same meet."""
    if context.store.traits.slug_ids:
        return slugify(memory.title or first_sentence(memory.content))
    return str(uuid5(_NAMESPACE, "\0".join((memory.kind, " ".join(words_of(memory)), memory.context))))


def free_id(context: Context, memory: Memory) -> str:
    """Return an id that nothing has yet: the one that follows from the words, where it is free."""
    first = first_id(context, memory)
    if first not in context.store.get_many([first]):
        return first
    if not context.store.traits.slug_ids:
        return str(uuid4())
    number = 2
    while context.store.get_many([with_suffix(first, number)]):
        number += 1
    return with_suffix(first, number)


def require_entry(context: Context, id: str) -> Memory | None:
    """Return a memory, or None when there is none of that id (agent-brain's commands say so on their own).

    Raise Damaged when its file cannot be read.
    """
    try:
        return context.require(id).memory
    except NotFound:
        return None


#: The fields that ``update`` sets, by agent-brain's names.
UPDATABLE = ("confidence", "content", "context", "memory_class", "tags", "type")


def fault_of_update(field: str, value: str) -> str:
    """Return what agent-brain says of a field it cannot set, or of a class that is none; else an empty text."""
    if field not in UPDATABLE:
        return f"Cannot update '{field}'. Allowed: {', '.join(UPDATABLE)}"
    if field == "memory_class" and value not in ENTRY_CLASSES:
        return f"memory_class must be one of {', '.join(ENTRY_CLASSES)}"
    return ""


def update(context: Context, id: str, *, field: str, value: str) -> Memory:
    """Set one field of an entry; a new type brings its class along. Return the entry."""
    at = context.clock.now()
    made: list[Memory] = []

    def decide(found: list[Stored]) -> Plan:
        after = _updated(found[0].memory, field, value)
        made[:] = [after]
        changes = (Put(after, found[0].revision),) if after != found[0].memory else ()
        return Plan(changes, (Activity(at, "update", id, f"{field}={value}"),))

    context.carry_out_fresh([id], decide)
    return made[0]


def _updated(memory: Memory, field: str, value: str) -> Memory:
    match field:
        case "type":
            return replace(memory, kind=check_kind(value), memory_class=class_of_kind(check_kind(value)))
        case "memory_class":
            return replace(memory, memory_class=value)
        case "tags":
            return replace(memory, tags=check_tags(value.split(",")))
        case "confidence":
            return replace(memory, confidence=check_said(value))
        case "context":
            return replace(memory, context=clean(value))
    if not value.strip():
        raise InvalidField("the content would be empty", value=value, hint="`brain forget` removes an entry")
    content = check_content(value)
    if memory.title and memory.title == first_sentence(memory.content):
        return replace(memory, content=content, title=first_sentence(content))
    return replace(memory, content=content)
