"""Writing: encode, link, supersede, validate, edit, invalidate, forget. Each decides through ``lifecycle`` and carries out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import uuid4

from plainbrain.app.beside import look_beside
from plainbrain.app.context import Context
from plainbrain.app.entries import first_id
from plainbrain.app.recall import id_of
from plainbrain.errors import AlreadyExists, InvalidField, InvalidId
from plainbrain.lifecycle.admit import Draft, admit, check_confidence, clean, first_sentence, on_a_day
from plainbrain.lifecycle.edits import Edit, apply_edit
from plainbrain.lifecycle.relate import drop_dangling, relate, unrelate
from plainbrain.lifecycle.screen import HELD, check_may_replace, screened
from plainbrain.lifecycle.supersede import check_pair, invalidate, replaced_before, retire, settle_status, supersede
from plainbrain.model.change import ABSENT, Activity, Change, Plan, Put
from plainbrain.model.identity import is_slug
from plainbrain.model.links import SUPERSEDES, Link, inverse_relation
from plainbrain.model.memory import Memory
from plainbrain.model.provenance import QUARANTINED
from plainbrain.ports import Stored
from plainbrain.records import record
from plainbrain.text.slug import slugify, with_suffix

_MAX_SUFFIX = 10_000


@record(frozen=True, slots=True)
class Encoded:
    """The outcome of keeping something: ``created`` is False when the very same was there already.

    ``close`` are cards of memories that say nearly the same, which this one may replace.
    """

    memory: Memory
    created: bool
    notes: tuple[str, ...] = ()
    close: tuple[Memory, ...] = ()

    @property
    def id(self) -> str:
        """The id under which it can be read."""
        return self.memory.id


def encode_looking(context: Context, draft: Draft) -> Encoded:
    """Keep a new memory, and tell what stands beside it. Raise as ``encode``."""
    beside = look_beside(context, draft)
    kept = encode(context, replace(draft, cortex=beside.cortex))
    return replace(kept, notes=(*kept.notes, *beside.notes), close=beside.close) if kept.created else kept


def encode(context: Context, draft: Draft) -> Encoded:
    """Keep a new memory; never overwrite one. What it supersedes and links to is written in the same step.

    Raise InvalidField, NotFound for a link or a supersession to nothing, Cycle, Refused, SecretRefused or a StoreError.
    """
    at = context.clock.now()
    memory = screened(admit(draft, at=at, provenance=context.channel.provenance()))
    if draft.supersedes:
        check_may_replace(memory)
    folder = context.store.traits.folder
    memory = on_a_day(memory) if folder else memory
    if draft.links or draft.supersedes:
        context.catch_up()
    elif folder:
        context.get_acquainted()
    old = [context.require(id) for id in dict.fromkeys(draft.supersedes)]
    others = [context.require(link.to) for link in draft.links]
    memory = replace(memory, links=(*(Link(o.memory.id, SUPERSEDES) for o in old), *memory.links))
    for suffix in range(1, _MAX_SUFFIX):
        candidate = replace(memory, id=_choose_id(context, draft, memory, suffix=suffix))
        there = context.store.get_many([candidate.id]).get(candidate.id) if draft.id else None
        if there is None:
            # The store knows under its lock whether an id is taken; asking before would look through the whole folder.
            try:
                return _with_notes(_write_new(context, candidate, old=old, others=others), draft)
            except AlreadyExists:
                there = context.store.get_many([candidate.id]).get(candidate.id)
        if there is not None and _says_the_same(there.memory, candidate):
            return _as_it_was(context, there, draft)
        if draft.id:
            raise AlreadyExists(
                f"there is a memory {draft.id!r} already, and it says something else",
                value=draft.id,
                hint="leave the id out, or edit or supersede the other",
            )
    raise InvalidId(f"every id for {memory.title!r} is taken", value=memory.title, hint="choose another title")


def _as_it_was(context: Context, there: Stored, draft: Draft) -> Encoded:
    """Return what says the same already; what the draft supersedes is retired in its favour."""
    notes = ["it was there already, word for word"]
    for old in dict.fromkeys(draft.supersedes):
        plan = supersede_memory(context, old, there.memory.id)
        notes += plan.notes or [f"{old} is superseded by it now"]
    return Encoded(context.require(there.memory.id).memory, created=False, notes=(*notes, *_not_applied(draft)))


def _not_applied(draft: Draft) -> tuple[str, ...]:
    """Say which wishes of a draft were left when its text was there already."""
    asked = ("links", "rejected", "tags", "confidence", "rationale", "files", "description")
    left = [name for name in asked if getattr(draft, name)]
    if not left:
        return ()
    return (f"not applied to what is there: {', '.join(left)}; supersede, link or edit it for that",)


def _with_notes(kept: Encoded, draft: Draft) -> Encoded:
    """Say where what was kept is held back, or not to the letter the text that was given."""
    if kept.memory.provenance.trust == QUARANTINED:
        kept = replace(kept, notes=(*kept.notes, HELD))
    names = [name for name in ("title", "body", "description", "rationale") if (t := getattr(draft, name)) != clean(t)]
    if not names:
        return kept
    note = f"characters that no note can hold were taken out or replaced in: {', '.join(names)}"
    return replace(kept, notes=(*kept.notes, note))


def _choose_id(context: Context, draft: Draft, memory: Memory, *, suffix: int) -> str:
    if draft.id:
        if context.store.traits.slug_ids and not is_slug(draft.id):
            raise InvalidId(
                f"{draft.id!r} cannot be the id of a note", value=draft.id, hint="use a-z, 0-9 and hyphens, at most 120"
            )
        return draft.id
    if not context.store.traits.slug_ids:
        return first_id(context, memory) if suffix == 1 else str(uuid4())
    slug = slugify(memory.title)
    return slug if suffix == 1 else with_suffix(slug, suffix)


def _says_the_same(there: Memory, candidate: Memory) -> bool:
    """Tell whether a live memory says the very same: a text that only repeats its title is no more than the title."""
    same_title = (there.title or first_sentence(there.content)) == candidate.title
    return there.is_live and same_title and _beyond_title(there) == _beyond_title(candidate)


def _beyond_title(memory: Memory) -> str:
    text = memory.content.strip()
    return "" if text == (memory.title or text) else text


def _write_new(context: Context, memory: Memory, *, old: Sequence[Stored], others: Sequence[Stored]) -> Encoded:
    at = context.clock.now()
    for stored in old:
        check_pair(stored.memory, memory)
    changes: dict[str, Change] = {memory.id: Put(memory, ABSENT)}
    for stored in old:
        changes[stored.memory.id] = Put(retire(stored.memory, memory.id, at=at), stored.revision)
    for stored, link in zip(others, memory.links[len(old) :], strict=True):
        known = changes.get(stored.memory.id)
        base = known.memory if isinstance(known, Put) else stored.memory
        back = Link(memory.id, inverse_relation(link.rel))
        if back not in base.links:
            changes[stored.memory.id] = Put(replace(base, links=(*base.links, back)), stored.revision)
    activities = [Activity(at, "encode", memory.id, memory.title)]
    activities += [Activity(at, "supersede", s.memory.id, f"{s.memory.id} -> {memory.id}") for s in old]
    context.carry_out(Plan(tuple(changes.values()), tuple(activities)))
    notes = [note for s in old for note in replaced_before(s.memory, memory.id)]
    wanted = slugify(memory.title)
    if context.store.traits.slug_ids and memory.id != wanted and memory.id.startswith(wanted[:60]):
        notes.append(_on_taken(context, wanted, memory.id))
    return Encoded(memory, created=True, notes=tuple(notes))


def _on_taken(context: Context, wanted: str, id: str) -> str:
    there = context.store.get_many([wanted]).get(wanted)
    if there is not None and not there.memory.is_live:
        return f"{wanted} is taken by a note that is no longer in effect, so its id is {id}"
    return f"{wanted} was taken, so its id is {id}; if this replaces it, supersede {wanted} by {id}"


def link(context: Context, a: str, b: str, *, rel: str) -> Plan:
    """Link two memories both ways, each side with its own relation."""
    at = context.clock.now()
    a, b = id_of(context, a), id_of(context, b)
    return context.carry_out_fresh([a, b], lambda found: relate(found[0], found[1], rel=rel, at=at))


def unlink(context: Context, a: str, b: str, *, rel: str = "") -> Plan:
    """Take the links between two memories away; supersession stays, unless ``b`` is gone."""
    at = context.clock.now()
    a = id_of(context, a)
    b = b if any(link.to == b for link in context.require(a).memory.links) else id_of(context, b)
    if b not in context.store.get_many([b]):
        return context.carry_out_fresh([a], lambda found: drop_dangling(found[0], b, at=at))
    return context.carry_out_fresh([a, b], lambda found: unrelate(found[0], found[1], rel=rel, at=at))


def supersede_memory(context: Context, old: str, new: str, *, reason: str = "") -> Plan:
    """Retire ``old`` in favour of ``new``, keeping its history."""
    at = context.clock.now()

    def decide(found: list[Stored]) -> Plan:
        return supersede(found[0], found[1], at=at, reason=reason, successors=successors(context, found[1].memory))

    return context.carry_out_fresh([old, new], decide)


def successors(context: Context, memory: Memory) -> list[str]:
    """Return the ids that replaced a memory, and what replaced those, nearest first."""
    trail: list[str] = []
    frontier = [link.to for link in memory.links if link.rel == "superseded_by"]
    while frontier:
        fresh = [id for id in dict.fromkeys(frontier) if id not in trail]
        trail += fresh
        frontier = [
            k.to for s in context.store.get_many(fresh).values() for k in s.memory.links if k.rel == "superseded_by"
        ]
    return trail


def validate(context: Context, id: str, *, confidence: float | str | None = None) -> Memory:
    """Record that a memory was checked today, and how sure it is now."""
    at = context.clock.now()
    sure = check_confidence(confidence)
    result: list[Memory] = []

    def decide(found: list[Stored]) -> Plan:
        stored = found[0]
        after = replace(stored.memory, last_validated=at)
        if context.store.traits.folder:
            after = replace(on_a_day(after), created=stored.memory.created)
        if sure.said:
            after = replace(after, confidence=sure)
        result[:] = [after]
        activity = Activity(at, "validate", id, sure.label if sure.said else "")
        return Plan((Put(after, stored.revision),) if after != stored.memory else (), (activity,))

    context.carry_out_fresh([id], decide)
    return result[0]


def edit(context: Context, id: str, edits: Sequence[Edit]) -> tuple[Memory, Memory]:
    """Make several edits of one memory as one; return it before and after."""
    if not edits:
        raise InvalidField(
            "there is nothing to edit", hint="say what: --append, --replace, --section, --set or --clear"
        )
    at = context.clock.now()
    pair: list[Memory] = []

    def decide(found: list[Stored]) -> Plan:
        after, others = edited(context, found[0].memory, edits)
        pair[:] = [found[0].memory, after]
        if after == found[0].memory:
            return Plan(notes=("nothing changed",))
        names = ", ".join(type(e).__name__ for e in edits)
        return Plan((Put(after, found[0].revision), *others), (Activity(at, "edit", id, names),))

    context.carry_out_fresh([id], decide)
    return pair[0], pair[1]


def edited(context: Context, memory: Memory, edits: Sequence[Edit]) -> tuple[Memory, tuple[Put, ...]]:
    """Return a memory as it is after edits, and what else changes with its status. Raise InputError."""
    after = memory
    for one in edits:
        after = apply_edit(after, one)
    if after.status == memory.status:
        return after, ()
    replacing = list(context.store.get_many(successors(context, memory)).values())
    return settle_status(memory, after, at=context.clock.now(), replacing=replacing)


def invalidate_memory(context: Context, id: str, *, reason: str = "") -> Plan:
    """Say that a memory is no longer true, with nothing in its place."""
    at = context.clock.now()
    return context.carry_out_fresh([id], lambda found: invalidate(found[0], at=at, reason=reason))
