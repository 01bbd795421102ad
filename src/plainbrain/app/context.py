"""What a use case works with: a store, an index, a clock, and who is asking; and the one way to carry out a plan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from plainbrain.errors import Changed, Damaged, NotFound, PartlyDone, SecretRefused
from plainbrain.files.outcome import change_of, standing
from plainbrain.later import later
from plainbrain.model.change import ABSENT, Activity, Change, Plan, Put, ids_of
from plainbrain.model.memory import Memory
from plainbrain.model.problem import UNREAD, Problem
from plainbrain.model.provenance import IMPORT, TOOL, UNREVIEWED, USER, WEB, Provenance
from plainbrain.ports import Clock, Embedder, Index, Mirror, Progress, Store, Stored
from plainbrain.records import record

if TYPE_CHECKING:
    from plainbrain.files import history as versions
    from plainbrain.files.history import FileHistory
    from plainbrain.lifecycle import secrets
    from plainbrain.notation import whole
else:
    secrets = later("plainbrain.lifecycle.secrets")
    versions, whole = later("plainbrain.files.history"), later("plainbrain.notation.whole")

#: Each failed try means that somebody else's write went through: a crowd on one memory gets its turns.
_TRIES = 24


@record(frozen=True, slots=True)
class Channel:
    """Say through which door the caller came: ``origin`` and ``actor`` of everything it writes, and its session."""

    origin: str = USER
    actor: str = ""
    session: str = ""

    def provenance(self, *, excerpt: str = "") -> Provenance:
        """Return the provenance of a memory that comes in here. Trust follows from the door, never from what is said."""
        outside = self.origin in (WEB, TOOL) or self.origin.startswith(IMPORT)
        return Provenance(
            origin=self.origin,
            actor=self.actor,
            trust=UNREVIEWED if outside else "",
            sessions=(self.session,) if self.session else (),
            excerpt=excerpt,
        )


@record(frozen=True, slots=True)
class Remote:
    """How likeness is measured by a service: ``embedder``, or None and why not. Above ``limit`` entries it is not asked."""

    embedder: Embedder | None
    reason: str
    limit: int = 120


@record(frozen=True, slots=True)
class Context:
    """Bundle what use cases need; ``pii_strict`` refuses secrets; ``remote`` is None unless somebody asked for it."""

    store: Store
    index: Index
    clock: Clock
    channel: Channel = Channel()
    pii_strict: bool = True
    progress: Progress | None = None
    mirror: Mirror | None = None
    remote: Remote | None = None
    history: FileHistory | None = None
    operation: str = ""
    told: str = ""

    def as_one(self, told: str) -> Context:
        """Return the same context, all that is written through it being one operation, ``told`` in these words."""
        return self if self.history is None else replace(self, operation=versions.new_key(), told=told)

    def echo(self, memory: Memory) -> None:
        """Send a copy of a memory that was just kept to the mirror, where there is one."""
        if self.mirror is not None:
            self.mirror.send(memory)

    def catch_up(self) -> tuple[Problem, ...]:
        """Bring the index to the state of the store; return what is wrong in the store."""
        return self.index.catch_up(self.store, progress=self.progress)

    def get_acquainted(self) -> None:
        """Let the store learn from the index what is there, once: it then need not read every note before a first write."""
        if not self.index.follows(self.store):
            self.catch_up()

    def require(self, id: str) -> Stored:
        """Return the memory of exactly this id; raise NotFound with ids that look alike."""
        try:
            return self.store.get(id)
        except NotFound as error:
            if error.candidates:
                raise
            problems = self.catch_up()
            _raise_unread(id, problems)
            candidates = tuple(self.index.names(id)[:5])
            if id in candidates:
                return self._known_to_be_there(id)
            hint = "did you mean " + ", ".join(candidates) + "?" if candidates else "find it with a search"
            raise NotFound(f"there is no memory {id!r}", value=id, hint=hint, candidates=candidates) from None

    def _known_to_be_there(self, id: str) -> Stored:
        """Return a memory that the index knows; raise Damaged where the store cannot read it now."""
        try:
            return self.store.get(id)
        except NotFound:
            message = f"the memory {id!r} is there, and cannot be read now"
            raise Damaged(message, value=id, hint="see what stands in the way: brain doctor") from None

    def carry_out(self, plan: Plan) -> list[str]:
        """Write a plan: changes first, all or none, then what happened. Return the revisions of the changes."""
        if self.pii_strict:
            for change in plan.changes:
                if isinstance(change, Put):
                    refuse_secrets(change.memory)
        # What happened goes with the last that is written, so that a store which is one file is written once.
        told, uses = plan.activities, plan.uses
        revisions: list[str] = []
        if plan.changes:
            revisions = self.apply(plan.changes, told=_words(plan), activities=() if uses else told)
        if uses and plan.changes:
            with standing(change_of(ids_of(plan.changes)), missing="the count of its use"):
                self.store.record(uses, activities=told)
        elif uses:
            self.store.record(uses, activities=told)
            self.keep_that(_words(plan) or f"counting of {uses[0].id}")
        elif told and not plan.changes:
            self.store.journal.append(told)
        return revisions

    def apply(
        self, changes: Sequence[Change], *, told: str, key: str = "", activities: Sequence[Activity] = ()
    ) -> list[str]:
        """Write changes, all or none, what was there before kept so that it can be taken back; return the revisions.

        ``activities`` go to the journal with them. Several writes of one ``key`` are one operation; without one, that of the context where it has one.
        """
        kept = self.history
        if kept is None:
            return self.store.apply(changes, activities=activities)
        key, told = key or self.operation or versions.new_key(), self.told or told
        ids = ids_of(changes)
        old = [id for id, change in zip(ids, changes, strict=True) if change.expecting != ABSENT]
        # Asked also where nothing is replaced: a store that is gone must say so before history is kept in its place.
        there = self.store.get_many(list(dict.fromkeys(old)))
        before = {id: (there[id].revision, _version(there[id])) if id in there else None for id in ids}
        kept.begin(key, at=self.clock.now().iso(), told=told, before=before)
        partly: PartlyDone | None = None
        try:
            revisions = self.store.apply(changes, activities=activities)
        except PartlyDone as error:
            partly, revisions = error, list(error.revisions)
        with standing(change_of(ids), missing="what `brain undo` needs", revisions=revisions):
            kept.finish(key, dict(zip(ids, revisions, strict=True)))
        if partly is not None:
            raise partly
        return revisions

    def keep_that(self, told: str) -> None:
        """Keep that an operation was done which changed nothing but counters, so that undoing does not reach behind it."""
        kept = self.history
        if kept is None:
            return
        key = self.operation or versions.new_key()
        with standing(told, missing="what `brain undo` needs"):
            kept.begin(key, at=self.clock.now().iso(), told=self.told or told, before={})
            kept.finish(key, {})

    def carry_out_fresh(self, ids: Sequence[str], decide: Callable[[list[Stored]], Plan]) -> Plan:
        """Read ``ids``, decide and write; when somebody wrote them meanwhile, read and decide again.

        Raise Changed only after several tries.
        """
        for attempt in range(_TRIES):
            plan = decide([self.require(id) for id in ids])
            try:
                self.carry_out(plan)
            except Changed:
                if attempt == _TRIES - 1:
                    raise
            else:
                return plan
        raise AssertionError("unreachable")


def _raise_unread(id: str, problems: Sequence[Problem]) -> None:
    """Raise Damaged when a file that would have this id, or lies at this path, cannot be read as a note."""
    for one in problems:
        if one.code in UNREAD and id in (
            one.path,
            one.path.rpartition(".")[0],
            one.path.rpartition("/")[2].rpartition(".")[0],
        ):
            message = f"the note of {id!r} cannot be read: {one.where}: {one.message}"
            raise Damaged(message, value=id, hint=one.hint or "mend the file by hand")


def _version(stored: Stored) -> dict[str, Any]:
    """Return a memory as it is kept before a change, with the text of its file where it has one."""
    version = whole.write_whole(stored.memory)
    return version if stored.text is None else version | {"text": stored.text}


def _words(plan: Plan) -> str:
    """Return what a plan does, in the words of its first activity."""
    if not plan.activities:
        return ""
    first = plan.activities[0]
    return f"{first.action} {first.detail if first.id in first.detail else first.id}".strip()


def refuse_secrets(memory: Memory) -> None:
    """Raise SecretRefused when any text of the memory holds a credential."""
    refuse(secrets.check_memory(memory))


def refuse(finding: secrets.Finding | None) -> None:
    """Raise SecretRefused for what was found, if anything was."""
    if finding is not None:
        raise SecretRefused(
            f"Sensitive content detected; refusing to store. (rule {finding.rule}, in {finding.field})",
            rule=finding.rule,
            hint="keep where the secret lies, not the secret; --allow-secrets stores it all the same",
        )
