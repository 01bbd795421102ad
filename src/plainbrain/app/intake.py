"""Taking many memories in: in batches, each item on its own, nothing overwritten, the same again no change.

Owns what import, the reading of an archive and the copying of a brain share. A ``Rule`` says what differs between
them. Promises: a bad item stops no other; every item has an ``Outcome``; memory is bounded by the size of a batch.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial

from plainbrain.app.context import Context, refuse
from plainbrain.app.wiring import is_rehearsal, watch
from plainbrain.errors import AlreadyExists, Changed, InputError, Refused
from plainbrain.files.history import new_key
from plainbrain.files.outcome import change_of, standing
from plainbrain.interchange.item import Fault, Found, Item, Noted, Passed
from plainbrain.lifecycle import secrets
from plainbrain.lifecycle.renewal import QUALITY, Guard, Renewal
from plainbrain.model.change import ABSENT, Activity, Put
from plainbrain.model.jsontext import DEEPEST, is_too_deep
from plainbrain.model.memory import Memory
from plainbrain.ports import Stored
from plainbrain.records import record
from plainbrain.text.slug import with_suffix

#: A file that is written anew with every batch gets large ones.
_BATCH_OF_KIND = {"json": 10_000, "vault": 500}
_BATCH = 2_000
#: Why fields stay as they are here when another state of a memory comes in.
_GUARDED = {
    Guard.CHANGED: "it was changed here and there, and stays as it is here",
    Guard.REVIEWED: "somebody confirmed it here, and it stays as it was confirmed",
    Guard.ENDED: "it has ended here, and stays so",
    Guard.OWN: "the brain has a memory of its own under this id, which stays as it is",
}


class What(StrEnum):
    """What became of an item."""

    ADDED = "added"
    RENEWED = "renewed"
    THERE = "there"
    DIFFERS = "differs"
    PASSED = "passed"
    REFUSED = "refused"
    NOTED = "noted"


@record(frozen=True, slots=True)
class Outcome:
    """One item: what became of it, where it came from, under which id, and why (notes for one that was added).

    ``together`` tells many of one kind in one line, with ``{}`` for their number.
    """

    what: What
    where: str
    id: str = ""
    why: str = ""
    hint: str = ""
    together: str = ""


#: Looks at memories that come together; returns for each what raises when it is refused.
Check = Callable[[Sequence[Memory]], Sequence[Callable[[], None]]]


def _accept(memories: Sequence[Memory]) -> Sequence[Callable[[], None]]:
    """Refuse nothing."""
    return [lambda: None] * len(memories)


@dataclass(frozen=True, slots=True)
class Rule:
    """How items are taken in.

    ``told`` names the operation; ``adopt`` makes of a foreign item what is to be kept; ``same`` tells whether what is there (first) is what
    came (second); ``renew``, where given, tells instead what becomes of what is there; ``free`` tells of what is there under the id (first) whether the new one (second) may take another id, which ``moved`` is told; ``check``
    looks at a batch; ``verify`` reads back what was written and tells what the store could not hold as it was.
    """

    told: str
    adopt: Callable[[Found], Found]
    same: Callable[[Memory, Memory], bool]
    free: Callable[[Memory, Memory], bool] = lambda there, new: False
    check: Check = _accept
    renew: Callable[[Memory, Memory], Renewal] | None = None
    moved: Callable[[Memory, str], None] = lambda memory, new: None
    verify: bool = False


@dataclass(slots=True)
class Report:
    """Count what became of the items; ``items`` are those worth a word to a person."""

    form: str
    counts: Counter[str] = field(default_factory=Counter)
    items: list[Outcome] = field(default_factory=list)

    def take(self, outcome: Outcome) -> None:
        """Count one outcome; keep it when there is something to say about it."""
        self.counts[outcome.what] += 1
        if outcome.why:
            self.items.append(outcome)

    @property
    def failed(self) -> bool:
        """Whether something that was wanted did not come over."""
        return bool(self.counts[What.REFUSED])


def batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Cut a stream into lists of at most ``size``; an error at its end comes after what was read before it."""
    batch: list[Item] = []
    try:
        for item in items:
            batch.append(item)
            if len(batch) >= size:
                yield batch
                batch = []
    except InputError as error:
        batch.append(Fault(error.message, "", error.hint))
    if batch:
        yield batch


def take_in(context: Context, items: Iterable[Item], rule: Rule, *, total: int = 0) -> Iterator[Outcome]:
    """Take items in by a rule; yield what became of each, in order but for what is said of a whole batch.

    Raise a StoreError when the store cannot be written at all: what was yielded as added before stays.
    """
    # Else a folder would be gone through whole for every batch.
    watch(context.store)
    done, key = 0, context.operation or new_key()
    for batch in batches(items, _BATCH_OF_KIND.get(context.store.traits.kind, _BATCH)):
        yield from map(_without_secrets, _Batch(context, rule, key).take(batch))
        done += len(batch)
        if context.progress is not None:
            context.progress(done, total, "Taking in")


def _without_secrets(outcome: Outcome) -> Outcome:
    """Return the outcome with no secret in its words: what was amiss is told with the value, and may be one itself."""
    if not outcome.why:
        return outcome
    id = secrets.redact(outcome.id) if outcome.what is What.REFUSED else outcome.id
    return replace(outcome, id=id, why=secrets.redact(outcome.why), hint=secrets.redact(outcome.hint))


class _Batch:
    """The items of one write."""

    def __init__(self, context: Context, rule: Rule, key: str) -> None:
        self._key = key
        self._context = context
        self._rule = rule
        self._wanted: dict[str, Found] = {}
        self._renewed: list[tuple[Put, Outcome]] = []
        self._told: list[Activity] = []

    def take(self, items: list[Item]) -> Iterator[Outcome]:
        found: list[Found] = []
        for item in items:
            if isinstance(item, Fault):
                yield Outcome(What.REFUSED, item.where, why=item.message, hint=item.hint)
            elif isinstance(item, Passed):
                yield Outcome(What.PASSED, item.where, why=item.message, together=item.together)
            elif isinstance(item, Noted):
                yield Outcome(What.NOTED, item.where, why=item.message, hint=item.hint)
            elif is_too_deep(item.memory.extra) or is_too_deep(item.memory.metadata):
                why, hint = f"it is nested deeper than {DEEPEST} levels", "put deep values into the text"
                yield Outcome(What.REFUSED, item.where, item.memory.id, why, hint)
            else:
                found.append(self._rule.adopt(item))
        checks = self._rule.check([item.memory for item in found])
        for item, check in zip(found, checks, strict=True):
            yield from self._admit(item, check)
        yield from self._sift()
        yield from self._write_renewed()
        yield from self._write([(Put(item.memory, ABSENT), _added(item)) for item in self._wanted.values()])

    def _admit(self, item: Found, check: Callable[[], None]) -> Iterator[Outcome]:
        """Choose an item for writing, under an id that no other of this batch has; or tell why not."""
        known = self._wanted.get(item.memory.id)
        if known is not None and known.memory == item.memory:
            yield Outcome(What.THERE, item.where, item.memory.id)
            return
        if known is not None:
            there = self._context.store.get_many([item.memory.id]).get(item.memory.id)
            if there is not None and self._rule.same(there.memory, item.memory):
                yield Outcome(What.THERE, item.where, item.memory.id)
                return
            item = _under_another_id(item)
        try:
            check()
        except Refused as error:
            yield Outcome(What.REFUSED, item.where, item.memory.id, error.message, error.hint)
        else:
            self._wanted[item.memory.id] = item

    def _sift(self) -> Iterator[Outcome]:
        """Set aside what is there already; give another id to what meets a stranger under its own."""
        there = self._context.store.get_many(list(self._wanted))
        moved: dict[str, Found] = {}
        for id, stored in there.items():
            item = self._wanted.pop(id)
            if self._rule.renew is not None:
                yield from self._renew(stored, item, self._rule.renew(stored.memory, item.memory))
            elif self._rule.same(stored.memory, item.memory):
                yield Outcome(What.THERE, item.where, id)
            elif self._rule.free(stored.memory, item.memory):
                other = _under_another_id(item)
                self._rule.moved(item.memory, other.memory.id)
                moved[other.memory.id] = other
            else:
                yield _differs(item)
        for id, stored in self._context.store.get_many(list(moved)).items():
            item = moved.pop(id)
            same = self._rule.same(stored.memory, item.memory)
            yield Outcome(What.THERE, item.where, id) if same else _differs(item)
        self._wanted |= moved

    def _renew(self, stored: Stored, item: Found, renewal: Renewal) -> Iterator[Outcome]:
        """Choose what is there for writing where it is to be brought up to date; tell what was left as it is here."""
        id, kept, guards = item.memory.id, renewal.kept, dict.fromkeys(renewal.kept.values())
        left = "; ".join(f"{_GUARDED[g]}: {', '.join(n for n, why in kept.items() if why is g)}" for g in guards)
        hint = f"look at it: brain read {id}" if kept else ""
        if Guard.OWN in guards:
            hint += "; where that is another memory, give this one another id in the file"
        if renewal.is_old:
            why = "an older state of it than the brain has, or one that came in before that; what is here stays"
            yield Outcome(What.DIFFERS, item.where, id, why, "where this one is right: import it with --take-over")
            return
        told = ", ".join(name for name in renewal.taken if name != QUALITY or len(renewal.taken) > 1)
        why = "; ".join(filter(None, (told and f"brought up to date: {told}", left)))
        what = What.RENEWED if renewal.taken else What.DIFFERS if kept else What.THERE
        outcome = Outcome(what, item.where, id, why, hint)
        if renewal.memory == stored.memory:
            yield outcome
            return
        self._renewed.append((Put(renewal.memory, stored.revision), outcome))
        if told:
            self._told.append(Activity(self._context.clock.now(), "renew", id, told))

    def _write_renewed(self) -> Iterator[Outcome]:
        outcomes = list(self._write(self._renewed))
        done = {outcome.id for outcome in outcomes if outcome.what is What.RENEWED}
        if told := [activity for activity in self._told if activity.id in done]:
            with standing(change_of(sorted(done)), missing="its lines in the journal"):
                self._context.store.journal.append(told)
        yield from outcomes

    def _write(self, wishes: Sequence[tuple[Put, Outcome]]) -> Iterator[Outcome]:
        if not wishes:
            return
        try:
            self._context.apply([put for put, _ in wishes], told=self._rule.told, key=self._key)
        except (InputError, Refused, AlreadyExists, Changed) as error:
            if len(wishes) == 1:
                outcome = wishes[0][1]
                yield Outcome(What.REFUSED, outcome.where, outcome.id, error.message, error.hint)
                return
            half = len(wishes) // 2  # one of them cannot be held: the others go on without it
            yield from self._write(wishes[:half])
            yield from self._write(wishes[half:])
            return
        changed = (
            self._changed([put.memory for put, _ in wishes])
            if self._rule.verify and not is_rehearsal(self._context.store)
            else {}
        )
        for _, outcome in wishes:
            notes = changed.get(outcome.id, ())
            yield replace(outcome, why="; ".join(filter(None, (outcome.why, *notes)))) if notes else outcome

    def _changed(self, written: list[Memory]) -> dict[str, tuple[str, ...]]:
        there = self._context.store.get_many([memory.id for memory in written])
        found: dict[str, tuple[str, ...]] = {}
        for memory in written:
            stored = there.get(memory.id)
            if stored is None:
                found[memory.id] = ("it cannot be read back",)
            elif stored.memory != memory:
                names = [n for n in Memory.__slots__ if getattr(stored.memory, n) != getattr(memory, n)]
                found[memory.id] = (f"the store holds {', '.join(names)} otherwise",)
        return found


def _added(item: Found) -> Outcome:
    return Outcome(What.ADDED, item.where, item.memory.id, "; ".join(item.notes))


def _differs(item: Found) -> Outcome:
    return Outcome(
        What.DIFFERS,
        item.where,
        item.memory.id,
        "the brain has another version under this id, and keeps it",
        f"look at it: brain read {item.memory.id}",
    )


def _under_another_id(item: Found) -> Found:
    old, new = item.memory.id, item.other or other_id(item.memory)
    note = f"{old} is the id of another memory here, so this one is {new}"
    return replace(item, memory=replace(item.memory, id=new), notes=(*item.notes, note))


def other_id(memory: Memory) -> str:
    """Return another id for a memory, the same for the same text."""
    mark = hashlib.blake2b(f"{memory.title}\n{memory.content}".encode("utf-8", "surrogatepass"), digest_size=4)
    return (
        with_suffix(memory.id, int(mark.hexdigest(), 16)) if memory.id.isascii() else f"{memory.id}-{mark.hexdigest()}"
    )


def secrets_refused(context: Context) -> Check:
    """Return the check that a context wants: refuse secrets, or nothing."""

    def check(memories: Sequence[Memory]) -> Sequence[Callable[[], None]]:
        return [partial(refuse, finding) for finding in secrets.check_many(memories)]

    return check if context.pii_strict else _accept


def collect(form: str, outcomes: Iterable[Outcome], tell: Callable[[Outcome], None]) -> Report:
    """Count outcomes as they come, telling each that is worth a word, many of one kind in one line at the end.

    Raise what broke the work off, with the count so far told. The report holds each by itself.
    """
    report = Report(form)
    alike: dict[str, list[Outcome]] = {}
    try:
        for outcome in outcomes:
            report.take(outcome)
            if outcome.together:
                alike.setdefault(outcome.together, []).append(outcome)
            elif outcome.why:
                tell(outcome)
    finally:
        for together, same in alike.items():
            tell(same[0] if len(same) == 1 else Outcome(same[0].what, "", why=together.format(f"{len(same):,}")))
    return report
