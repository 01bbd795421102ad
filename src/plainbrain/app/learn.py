"""The learning loop: add, correct, success, conflicts, similar, the loop, decay, sessions.

Each takes what a person or an agent said, gathers the memories that matter through the index, lets
``lifecycle`` decide, and carries the decision out. Works on every store.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import NAMESPACE_URL, uuid4, uuid5

from plainbrain.app.context import Context
from plainbrain.errors import AlreadyExists, InvalidField, NotFound
from plainbrain.lifecycle.admit import (
    INBOX,
    check_confidence,
    check_content,
    check_line,
    check_tags,
    clean,
    first_sentence,
)
from plainbrain.lifecycle.conflicts import Finding, find_conflicts
from plainbrain.lifecycle.decay import decay, decay_automatically, is_due, is_over
from plainbrain.lifecycle.learn import Hint, correct, find_habits, record_success, restate
from plainbrain.lifecycle.overlap import measure_overlap
from plainbrain.lifecycle.sessions import Session, current_session, start_session
from plainbrain.lifecycle.similar import Similar, rank_similar
from plainbrain.model.change import ABSENT, Activity, Plan, Put
from plainbrain.model.confidence import LIKELY, SURE, Confidence
from plainbrain.model.instants import Instant, parse_instant
from plainbrain.model.kinds import ANTI_PATTERN, CORRECTION, ENTRY_CLASSES, class_of_kind
from plainbrain.model.memory import Memory, Usage
from plainbrain.model.query import Query
from plainbrain.ports import Stored
from plainbrain.text.slug import slugify, with_suffix

#: How many memories are looked at closely for a conflict or a likeness.
CANDIDATES = 200
LAST_DECAY = "last_decay"
_OVERLAP_WORDS, _OVERLAP_RATIO = 2, 0.30
_NAMESPACE = uuid5(NAMESPACE_URL, "plainbrain:entry")


@dataclass(frozen=True, slots=True)
class Added:
    """What became of something said: the memory, whether it is new, and how many entries decayed meanwhile."""

    memory: Memory
    created: bool
    decayed: int = 0
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Corrected:
    """A correction: what was wrong, what is right now, and the habits that it shows."""

    wrong: Memory
    right: Memory
    habits: tuple[Hint, ...] = ()


@dataclass(frozen=True, slots=True)
class Said:
    """What somebody wants kept as an entry, in agent-brain's terms. ``tags`` are a list or a text with commas."""

    kind: str
    content: str
    source: str = "user"
    tags: Sequence[str] | str = ()
    url: str = ""
    context: str = ""
    confidence: str = ""


def add(context: Context, said: Said, *, action: str = "add") -> Added:
    """Keep what was said. The same words of the same type again make the one that is there sure, and add nothing.

    Raise InvalidField, SecretRefused or a StoreError.
    """
    at = context.clock.now()
    memory = _entry(context, said, at=at)
    for _ in range(_TRIES):
        there = _there_already(context, memory)
        if there is not None:
            plan = context.carry_out_fresh([there], lambda found: restate(found[0], at=at))
            return Added(context.require(there).memory, created=False, decayed=decay_if_due(context), notes=plan.notes)
        memory = replace(memory, id=_free_id(context, memory))
        told = (
            f"{memory.kind}/{memory.class_}: {memory.content[:60]} [{','.join(memory.tags)}]"
            if action == "add"
            else f"{memory.kind}/{memory.class_}: {memory.content[:80]}"
        )
        try:
            context.carry_out(Plan((Put(memory, ABSENT),), (Activity(at, action, memory.id, told),)))
        except AlreadyExists:
            continue  # another process was faster: look again whether it said the same
        return Added(memory, created=True, decayed=decay_if_due(context))
    raise AlreadyExists(f"no id is free for {memory.content[:40]!r}", value=memory.content[:40], hint="try again")


_TRIES = 100


def _entry(context: Context, said: Said, *, at: Instant) -> Memory:
    content = check_content(said.content)
    if not content.strip():
        raise InvalidField(
            "there is nothing to keep: the content is empty", value=said.content, hint='brain add fact "what is true"'
        )
    tags = check_tags(said.tags) if not isinstance(said.tags, str) else check_tags(said.tags.split(","))
    kind = check_line("type", said.kind, 60)
    session = current_session(context.store.journal.values())
    word = said.confidence or (SURE if said.source == "user" else LIKELY)
    provenance = context.channel.provenance()
    if session is not None and not provenance.sessions:
        provenance = replace(provenance, sessions=(str(session.id),))
    memory = Memory(
        id="",
        content=content,
        kind=kind,
        memory_class=class_of_kind(kind),
        tags=tags,
        confidence=Confidence(word=word),
        created=at,
        source=check_line("source", said.source, 60),
        source_url=check_line("source_url", said.url, 2_000),
        context=clean(said.context),
        provenance=provenance,
        usage=Usage(accesses=1, last_accessed=at),
    )
    if not context.store.traits.folder:
        return memory
    root = tags[0].split(".")[0] if tags else ""
    day = parse_instant(at.day_text())
    return replace(memory, title=first_sentence(content), cortex=root or INBOX, created=day, last_validated=day)


def _there_already(context: Context, memory: Memory) -> str | None:
    """Return the id of the live memory that says the very same, by the id that these words get."""
    first = _first_id(context, memory)
    found = context.store.get_many([first])
    if first in found and _same_words(found[first].memory, memory):
        return first
    return None


def _same_words(one: Memory, other: Memory) -> bool:
    return (
        one.is_live
        and one.kind == other.kind
        and one.context == other.context
        and one.content.split() == other.content.split()
    )


def _first_id(context: Context, memory: Memory) -> str:
    """Return the id that follows from the words, so that two processes that say the same meet."""
    if context.store.traits.slug_ids:
        return slugify(memory.title or first_sentence(memory.content))
    return str(uuid5(_NAMESPACE, "\0".join((memory.kind, " ".join(memory.content.split()), memory.context))))


def _free_id(context: Context, memory: Memory) -> str:
    first = _first_id(context, memory)
    if first not in context.store.get_many([first]):
        return first
    if not context.store.traits.slug_ids:
        return str(uuid4())
    number = 2
    while context.store.get_many([with_suffix(first, number)]):
        number += 1
    return with_suffix(first, number)


def correct_memory(context: Context, wrong_id: str, right: str, *, reason: str = "", tags: str = "") -> Corrected:
    """Replace a wrong claim by the right one in one step, and tell which habits of being wrong it shows."""
    at = context.clock.now()
    right = check_content(right)
    draft = _entry(context, Said(CORRECTION, right, tags=tags), at=at)
    id = _free_id(context, replace(draft, context=wrong_id))
    before: list[Memory] = []

    def decide(found: list[Stored]) -> Plan:
        before[:] = [found[0].memory]
        plan = correct(
            found[0], right, id=id, at=at, reason=clean(reason), tags=draft.tags, provenance=draft.provenance
        )
        changes = tuple(
            _as_entry(change, draft) if isinstance(change, Put) and change.memory.id == id else change
            for change in plan.changes
        )
        return replace(plan, changes=changes)

    context.carry_out_fresh([wrong_id], decide)
    made = context.require(id).memory
    context.catch_up()
    known = context.index.find(Query("", kinds=(CORRECTION, ANTI_PATTERN)))
    return Corrected(before[0], made, find_habits(made.tags, known))


def _as_entry(change: Put, draft: Memory) -> Put:
    """Give a correction what every new entry of this store has: counters, a title, days for dates."""
    return replace(
        change,
        memory=replace(
            change.memory,
            title=draft.title,
            created=draft.created,
            last_validated=draft.last_validated,
            usage=draft.usage,
        ),
    )


def succeed(context: Context, id: str) -> tuple[int, tuple[str, ...]]:
    """Record that a memory was applied with success; return the total and what was upgraded for it."""
    at = context.clock.now()
    total = 0

    def decide(found: list[Stored]) -> Plan:
        nonlocal total
        success = record_success(found[0], at=at)
        total = success.total
        return success.plan

    plan = context.carry_out_fresh([id], decide)
    return total, plan.notes


def candidates(context: Context, text: str, *, k: int = CANDIDATES) -> list[Memory]:
    """Return the live memories that share words with a text, by words first, at most ``k``."""
    context.catch_up()
    found, _ = context.index.search(Query(text, k), now=context.clock.now())
    stored = context.store.get_many([id for id, _, _ in found])
    return [stored[id].memory for id, _, _ in found if id in stored]


def conflicts(context: Context, content: str, *, scope: str = "") -> list[Finding]:
    """Return the live memories that a new fact contradicts, strongest first. ``scope`` is the context in which it holds."""
    return list(find_conflicts(Memory("", content, context=scope), candidates(context, content)))


def overlaps(context: Context, content: str) -> list[tuple[Memory, float]]:
    """Return what agent-brain's own rule calls conflicts: memories that share two words and 30 % of the shorter text."""
    found = []
    for memory in candidates(context, content, k=5 * CANDIDATES):
        overlap = measure_overlap(content, memory.content)
        if overlap.shared >= _OVERLAP_WORDS and overlap.ratio >= _OVERLAP_RATIO:
            found.append((memory, overlap.ratio))
    return sorted(found, key=lambda pair: -pair[1])


def similar(context: Context, text: str, *, threshold: float) -> list[Similar]:
    """Return the live memories that are like a text, most alike first."""
    return list(rank_similar(text, candidates(context, text, k=2 * CANDIDATES), threshold=threshold))


def decay_if_due(context: Context) -> int:
    """Let confidence fade once a day where the store keeps counters itself; return how many memories it weakened.

    In a folder of notes fading is worked out when ranking, and nothing is written by a read.
    """
    now = context.clock.now()
    values = context.store.journal.values()
    last = parse_instant(values[LAST_DECAY]) if values.get(LAST_DECAY) else None
    if context.store.traits.folder or not is_due(last, now):
        return 0
    found = decay_automatically(_fading(context), last_decay=last, now=now)
    context.carry_out(found.plan)
    _note_decay(context, now)
    return found.count


def decay_now(context: Context) -> int:
    """Let confidence fade now, however short ago it did; return how many memories it weakened."""
    now = context.clock.now()
    found = decay(_fading(context), now=now)
    context.carry_out(found.plan)
    _note_decay(context, now)
    return found.count


def _fading(context: Context) -> list[Stored]:
    now = context.clock.now()
    context.catch_up()
    ids = [memory.id for memory in context.index.find(Query("")) if is_over(memory, now)]
    return list(context.store.get_many(ids).values())


def _note_decay(context: Context, now: Instant) -> None:
    context.store.journal.update(lambda values: {**values, LAST_DECAY: now.iso_seconds()})


def begin_session(context: Context, about: str) -> Session:
    """Open the next session and return it."""
    at = context.clock.now()
    values = context.store.journal.update(lambda old: start_session(old, context=clean(about), now=at))
    session = current_session(values)
    assert session is not None
    told = f"Session {session.id}" + (f": {session.context}" if session.context else "")
    context.store.journal.append([Activity(at, "session", "", told)])
    return session


def require_entry(context: Context, id: str) -> Memory | None:
    """Return a memory, or None when there is none of that id (agent-brain's commands say so on their own)."""
    try:
        return context.store.get(id).memory
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

    def decide(found: list[Stored]) -> Plan:
        after = _updated(found[0].memory, field, value)
        changes = (Put(after, found[0].revision),) if after != found[0].memory else ()
        return Plan(changes, (Activity(at, "update", id, f"{field}={value}"),))

    context.carry_out_fresh([id], decide)
    return context.require(id).memory


def _updated(memory: Memory, field: str, value: str) -> Memory:
    match field:
        case "type":
            return replace(memory, kind=check_line("type", value, 60), memory_class=class_of_kind(value))
        case "memory_class":
            return replace(memory, memory_class=value)
        case "tags":
            return replace(memory, tags=check_tags(value.split(",")))
        case "confidence":
            return replace(memory, confidence=check_confidence(value))
        case "context":
            return replace(memory, context=clean(value))
    if not value.strip():
        raise InvalidField("the content would be empty", value=value, hint="`brain forget` removes an entry")
    return replace(memory, content=check_content(value))
