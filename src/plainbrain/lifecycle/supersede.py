"""Replacing what is no longer true, with its history kept. Pure: plans out, nothing written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from plainbrain.errors import Cycle, InputError, Untrusted
from plainbrain.model.change import Activity, Plan, Put
from plainbrain.model.instants import Instant
from plainbrain.model.links import SUPERSEDED_BY, SUPERSEDES, Link
from plainbrain.model.memory import INVALIDATED, SUPERSEDED, Memory
from plainbrain.model.provenance import QUARANTINED, UNREVIEWED
from plainbrain.ports import Stored


def supersede(old: Stored, new: Stored, *, at: Instant, reason: str = "", successors: Sequence[str] = ()) -> Plan:
    """Retire ``old`` in favour of ``new`` and link the pair.

    ``successors`` are the ids that replaced ``new``, and what replaced those: when ``old`` is among them
    the chain would bite its tail. Raise Cycle, InputError (itself) or Untrusted.
    """
    check_pair(old.memory, new.memory, successors=successors)
    done = (
        not old.memory.is_live and old.memory.superseded_by == new.memory.id and old.memory.id in new.memory.supersedes
    )
    if done:
        return Plan(notes=(f"{old.memory.id} was superseded by {new.memory.id} already",))
    retired = retire(old.memory, new.memory.id, at=at, reason=reason)
    chosen = with_link(new.memory, Link(old.memory.id, SUPERSEDES))
    changes = [Put(chosen, new.revision)] if chosen != new.memory else []
    # The new one first: a crash between two files leaves both readable, and the pair half linked.
    changes.append(Put(retired, old.revision))
    return Plan(
        changes=tuple(changes),
        activities=(Activity(at, "supersede", old.memory.id, f"{old.memory.id} -> {new.memory.id}"),),
        notes=replaced_before(old.memory, new.memory.id),
    )


def replaced_before(old: Memory, new: str) -> tuple[str, ...]:
    """Say that ``old``, which ``new`` replaces, had been replaced by something else already."""
    before = old.superseded_by
    if not before or before == new:
        return ()
    return (f"{old.id} was replaced before, by {before}: supersede that one too if it is no longer true",)


def check_pair(old: Memory, new: Memory, *, successors: Sequence[str] = ()) -> None:
    """Raise when ``new`` may not replace ``old``."""
    if old.id == new.id:
        raise InputError(
            f"{old.id!r} cannot supersede itself", value=old.id, hint="write the new memory first, then name both"
        )
    if old.id in successors:
        raise Cycle(
            f"{new.id!r} was itself replaced, in the end by {old.id!r}",
            value=old.id,
            hint=f"to go back to it, write what it says anew, superseding {successors[-1]!r}",
        )
    if new.provenance.trust in (UNREVIEWED, QUARANTINED) and old.provenance.trust not in (UNREVIEWED, QUARANTINED):
        raise Untrusted(
            f"{new.id!r} is {new.provenance.trust} and may not replace {old.id!r}, which is more trusted",
            value=new.id,
            hint=f"look at it and approve it first: brain review approve {new.id}",
        )


def retire(memory: Memory, successor: str, *, at: Instant, reason: str = "") -> Memory:
    """Return the memory as superseded by ``successor`` since ``at``."""
    links = (
        Link(successor, SUPERSEDED_BY),
        *(link for link in memory.links if (link.to, link.rel) != (successor, SUPERSEDED_BY)),
    )
    return replace(
        memory,
        status=SUPERSEDED,
        links=_kept_order(memory.links, links),
        # What had ended before ended then.
        invalidated=memory.invalidated if memory.invalidated and not memory.is_live else at,
        reason=reason or memory.reason,
    )


def _kept_order(before: tuple[Link, ...], after: tuple[Link, ...]) -> tuple[Link, ...]:
    """Keep the links where they stood; a new one goes last, but before another ``superseded_by`` (the newest counts)."""
    new = [link for link in after if link not in before]
    at = next((i for i, link in enumerate(before) if link.rel == SUPERSEDED_BY), len(before))
    return (*before[:at], *new, *before[at:])


def with_link(memory: Memory, link: Link) -> Memory:
    """Return the memory with the link, unless it has one of that target and relation."""
    if any((known.to, known.rel) == (link.to, link.rel) for known in memory.links):
        return memory
    return replace(memory, links=(*memory.links, link))


def invalidate(stored: Stored, *, at: Instant, reason: str = "") -> Plan:
    """Say that a memory is no longer true and that nothing replaces it."""
    memory = stored.memory
    if memory.status == INVALIDATED and (not reason or reason == memory.reason):
        return Plan(notes=(f"{memory.id} was invalidated already",))
    after = replace(memory, status=INVALIDATED, invalidated=at, reason=reason or memory.reason)
    return Plan((Put(after, stored.revision),), (Activity(at, "invalidate", memory.id, reason),))


def settle_status(
    before: Memory, after: Memory, *, at: Instant, replacing: Sequence[Stored]
) -> tuple[Memory, tuple[Put, ...]]:
    """Return ``after`` with all that its new status brings along, and what changes in those that replaced it.

    ``replacing`` are what took the place of ``before``, and what took theirs. Who is in effect again has no date of its
    end, no reason for it and no successor. Raise InputError where one that is in effect replaced it, and for the
    status ``superseded`` without a successor.
    """
    word = after.status.strip().lower()
    if word == before.status.strip().lower():
        return after, ()
    if word == SUPERSEDED and not after.superseded_by:
        raise InputError(
            f"nothing superseded {before.id!r}",
            value=after.status,
            hint=f"name what did: brain supersede {before.id} NEW",
        )
    if word == INVALIDATED and after.invalidated is None:
        return replace(after, invalidated=at), ()
    if before.is_live or not after.is_live:
        return after, ()
    for stored in replacing:
        if stored.memory.is_live:
            raise InputError(
                f"{before.id!r} was superseded by {stored.memory.id!r}, which is in effect",
                value=before.id,
                hint=f"where that one is wrong: brain supersede {stored.memory.id} NEW, or brain invalidate {stored.memory.id}",
            )
    links = tuple(link for link in after.links if link.rel != SUPERSEDED_BY)
    reason = "" if after.reason == before.reason else after.reason
    return replace(after, links=links, invalidated=None, reason=reason), _let_go(before, replacing)


def _let_go(old: Memory, replacing: Sequence[Stored]) -> tuple[Put, ...]:
    """Return the changes by which those that replaced ``old``, and are over themselves, do so no more."""
    puts = []
    for stored in replacing:
        links = tuple(link for link in stored.memory.links if (link.to, link.rel) != (old.id, SUPERSEDES))
        if links != stored.memory.links:
            puts.append(Put(replace(stored.memory, links=links), stored.revision))
    return tuple(puts)
