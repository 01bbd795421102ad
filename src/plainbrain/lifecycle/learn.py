"""Learning from what happens to a memory: it served, it was wrong, it was said again.

Owns the steps of confidence that follow, the form of a correction, and the hint at a habit of being
wrong about the same thing. Every function returns what is to be done; nothing is written here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from plainbrain.errors import InvalidField
from plainbrain.lifecycle.supersede import supersede
from plainbrain.lifecycle.tags import fold_tag
from plainbrain.model.change import ABSENT, Activity, Plan, Put, Use
from plainbrain.model.confidence import NUMBER_OF_WORD, SURE, Confidence
from plainbrain.model.instants import Instant
from plainbrain.model.kinds import ANTI_PATTERN, CORRECTION, class_of_kind
from plainbrain.model.memory import Correction, Memory
from plainbrain.model.provenance import OWN, USER, Provenance
from plainbrain.ports import Stored
from plainbrain.records import record

UPGRADE_AT_SUCCESSES = 3
ANTI_PATTERN_AT_CORRECTIONS = 3
_LOG_CHARACTERS = 40
_BY_USER = Provenance(origin=USER, trust=OWN)


def make_sure(confidence: Confidence) -> Confidence:
    """Return the confidence raised to sure: a number stays a number, and never sinks."""
    if confidence.number is None:
        return Confidence(word=SURE)
    return Confidence(number=max(confidence.value, NUMBER_OF_WORD[SURE]))


@record(frozen=True, slots=True)
class Success:
    """A success to record: how many there are then, and the word it was upgraded from (``""``: it was not)."""

    plan: Plan
    total: int
    upgraded_from: str = ""


def record_success(stored: Stored, *, at: Instant) -> Success:
    """Count that a memory was applied with success; at the third it becomes sure."""
    memory = stored.memory
    total = memory.usage.successes + 1
    uses = (Use(memory.id, at, accesses=1, successes=1),)
    activities = (Activity(at, "success", memory.id, f"total={total}"),)
    if total < UPGRADE_AT_SUCCESSES or memory.confidence.label.strip().lower() == SURE:
        return Success(Plan(uses=uses, activities=activities), total)
    before = memory.confidence.label
    surer = replace(memory, confidence=make_sure(memory.confidence))
    plan = Plan(
        (Put(surer, stored.revision),), activities, uses, (f"Auto-upgraded: {before} -> {SURE} ({total} successes)",)
    )
    return Success(plan, total, before)


def restate(stored: Stored, *, at: Instant, said: Memory | None = None) -> Plan:
    """Take note that somebody stated a memory again: it is served once more, and sure from now on.

    ``said`` is the memory as it was stated this time: what it says about the decision behind it and the memory does
    not say yet is added to it; where the two differ the memory's own stays, and a note tells.
    """
    memory = stored.memory
    use = (Use(memory.id, at, accesses=1),)
    fuller, notes = (memory, ()) if said is None else _elaborated(memory, said)
    notes = ("it was there already, word for word", *notes)
    before = memory.confidence.label
    if before.strip().lower() != SURE:
        fuller = replace(fuller, confidence=make_sure(memory.confidence))
        notes = (notes[0], f"stated again: {before} -> {SURE}", *notes[1:])
    if fuller == memory:
        return Plan(uses=use, notes=notes)
    activity = Activity(at, "restate", memory.id, f"{before} -> {fuller.confidence.label}")
    return Plan((Put(fuller, stored.revision),), (activity,), use, notes)


def _elaborated(memory: Memory, said: Memory) -> tuple[Memory, tuple[str, ...]]:
    """Return the memory with what was said of it beyond what it says, and notes on what was not taken over."""
    options = {one.option.casefold(): one for one in memory.rejected}
    rejected = [one for one in said.rejected if one.option.casefold() not in options]
    files = [file for file in said.files if file not in memory.files]
    fuller = replace(
        memory,
        rationale=memory.rationale or said.rationale,
        scope=memory.scope or said.scope,
        rejected=(*memory.rejected, *rejected),
        files=(*memory.files, *files),
    )
    kept = [name for name in ("rationale", "scope") if getattr(said, name) not in ("", getattr(fuller, name))]
    kept += [
        f"the reason against {one.option}"
        for one in said.rejected
        if one not in rejected and one.reason not in (None, options[one.option.casefold()].reason)
    ]
    added = [
        name for name in ("rationale", "scope", "rejected", "files") if getattr(fuller, name) != getattr(memory, name)
    ]
    notes = [f"added to it: {', '.join(added)}"] if added else []
    notes += [f"it says otherwise, which stays: {', '.join(kept)}"] if kept else []
    return fuller, tuple(notes)


@record(frozen=True, slots=True)
class Hint:
    """A habit of being wrong about ``tag``, seen in ``corrections`` live corrections."""

    tag: str
    corrections: int

    @property
    def suggestion(self) -> str:
        """What an anti-pattern entry might say."""
        return f"Avoid inferring {self.tag} - ask explicitly"

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags that entry should carry."""
        return (self.tag, "caution")


def correct(
    wrong: Stored,
    right: str,
    *,
    id: str,
    at: Instant,
    reason: str = "",
    tags: tuple[str, ...] = (),
    replaced: Sequence[Stored] = (),
    provenance: Provenance = _BY_USER,
) -> Plan:
    """Put the claim ``right`` in the place of ``wrong``: a correction ``id`` is written and the old one superseded, at once.

    Tags and theme are inherited where none are given. ``replaced`` are those that took the place of ``wrong`` before:
    the live ones among them are superseded too, so that one claim is left. Raise InvalidField for an empty claim,
    InputError as superseding does.
    """
    if not right.strip():
        raise InvalidField("the right claim is empty", value=right, hint="say what is true, in one sentence")
    old = wrong.memory
    correction = Memory(
        id=id,
        content=right,
        kind=CORRECTION,
        memory_class=class_of_kind(CORRECTION),
        cortex=old.cortex,
        tags=tags or old.tags,
        confidence=Confidence(word=SURE),
        created=at,
        last_validated=at,
        source="user",
        context=old.context,
        scope=old.scope,
        user_id=old.user_id,
        provenance=provenance,
        correction=Correction(old.id, claim_of(old), right, reason or None),
    )
    olds = [wrong, *(stored for stored in replaced if stored.memory.is_live)]
    changes: dict[str, Put] = {}
    for stored in olds:
        made = changes.get(id, Put(correction, ABSENT))
        plan = supersede(stored, Stored(made.memory, ABSENT), at=at, reason=reason)
        changes |= {change.memory.id: change for change in plan.changes if isinstance(change, Put)}
    told = f"{logged_claim(claim_of(old))} {RIGHT}{right[:_LOG_CHARACTERS]}"
    activities = [Activity(at, "correct", id, told)]
    activities += [Activity(at, "supersede", one.memory.id, f"{one.memory.id} -> {id}") for one in olds[1:]]
    return Plan(tuple(changes.values()), tuple(activities))


#: What stands in the log before the claim that is right.
RIGHT = "right="


def logged_claim(claim: str) -> str:
    """Return how the log names a claim that was wrong."""
    return f"wrong={claim[:_LOG_CHARACTERS]}"


def claim_of(memory: Memory) -> str:
    """Return what a memory claims: its text; its title before that where the text does not begin with it."""
    title, content = " ".join(memory.title.split()), memory.content.strip()
    if not title or " ".join(content.split()).lstrip("#>-* ").startswith(title.rstrip("….")):
        return memory.content
    more = content or " ".join(memory.description.split())
    return f"{title} — {more}" if more else title


def find_habits(correction_tags: Iterable[str], memories: Iterable[Memory]) -> tuple[Hint, ...]:
    """Tell for which of the tags of a correction an anti-pattern is due.

    ``memories`` are the brain's corrections, the new one among them, and its anti-patterns. A tag that an
    anti-pattern bears already gives no hint, and neither do tags that this correction does not carry.
    """
    counts: dict[str, int] = {}
    warned: set[str] = set()
    for memory in memories:
        tags = {fold_tag(tag) for tag in memory.tags} if memory.is_live else set()
        if memory.kind == ANTI_PATTERN:
            warned |= tags
        elif memory.kind == CORRECTION:
            for tag in tags:
                counts[tag] = counts.get(tag, 0) + 1
    spelled = {fold_tag(tag): tag for tag in correction_tags if fold_tag(tag)}
    return tuple(
        Hint(tag, counts[key])
        for key, tag in spelled.items()
        if key not in warned and counts.get(key, 0) >= ANTI_PATTERN_AT_CORRECTIONS
    )
