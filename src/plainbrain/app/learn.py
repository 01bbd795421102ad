"""Learning from what happens to entries: one was wrong, one helped, a session began.

``lifecycle`` decides which steps of confidence follow; here the decision is carried out.
"""

from __future__ import annotations

from dataclasses import replace

from plainbrain.app.context import Context
from plainbrain.app.entries import Said, entry_of, free_id, words_of
from plainbrain.app.judge import candidates
from plainbrain.app.remember import successors
from plainbrain.files.outcome import standing
from plainbrain.lifecycle.admit import check_content, clean
from plainbrain.lifecycle.learn import Hint, correct, find_habits, make_sure, record_success
from plainbrain.lifecycle.screen import check_may_replace, screened
from plainbrain.lifecycle.sessions import Session, current_session, start_session
from plainbrain.lifecycle.supersede import supersede
from plainbrain.model.change import Activity, Plan, Put
from plainbrain.model.kinds import ANTI_PATTERN, CORRECTION
from plainbrain.model.memory import Memory
from plainbrain.model.provenance import QUARANTINED, UNREVIEWED
from plainbrain.model.query import Query
from plainbrain.ports import Stored
from plainbrain.records import record

#: So many that are nearest by words are looked at for the very same words.
_SAME_AMONG = 20


@record(frozen=True, slots=True)
class Corrected:
    """A correction: what was wrong, what is right now, the habits that it shows, and whether the right claim was there already."""

    wrong: Memory
    right: Memory
    habits: tuple[Hint, ...] = ()
    was_there: bool = False


def correct_memory(context: Context, wrong_id: str, right: str, *, reason: str = "", tags: str = "") -> Corrected:
    """Replace a wrong claim by the right one in one step, and tell which habits of being wrong it shows."""
    at = context.clock.now()
    right = check_content(right)
    draft = screened(entry_of(context, Said(CORRECTION, right, tags=tags), at=at))
    check_may_replace(draft)
    if (there := _known_already(context, wrong_id, draft)) is not None:
        return _by_known(context, wrong_id, there.id, reason=clean(reason))
    id = free_id(context, replace(draft, context=wrong_id))
    before: list[Memory] = []
    after: list[Memory] = []

    def decide(found: list[Stored]) -> Plan:
        before[:] = [found[0].memory]
        later = context.store.get_many(successors(context, found[0].memory))
        plan = correct(
            found[0],
            right,
            id=id,
            at=at,
            reason=clean(reason),
            tags=draft.tags,
            replaced=list(later.values()),
            provenance=draft.provenance,
        )
        changes = tuple(
            _as_entry(change, draft) if isinstance(change, Put) and change.memory.id == id else change
            for change in plan.changes
        )
        after[:] = [c.memory for c in changes if isinstance(c, Put) and c.memory.id == id]
        return replace(plan, changes=changes)

    context.carry_out_fresh([wrong_id], decide)
    made = after[0]
    context.echo(made)
    context.catch_up()
    known = context.index.find(Query("", kinds=(CORRECTION, ANTI_PATTERN)))
    return Corrected(before[0], made, find_habits(made.tags, known))


def _known_already(context: Context, wrong_id: str, right: Memory) -> Memory | None:
    """Return the memory in effect that says the right claim word for word, where somebody answers for it."""
    wrong = context.store.get_many([wrong_id]).get(wrong_id)
    if wrong is None:
        return None
    for memory in candidates(context, right.content, k=_SAME_AMONG):
        theirs = memory.context == wrong.memory.context and memory.provenance.trust not in (UNREVIEWED, QUARANTINED)
        if memory.id != wrong_id and theirs and memory.is_live and words_of(memory) == words_of(right):
            return memory
    return None


def _by_known(context: Context, wrong_id: str, right_id: str, *, reason: str) -> Corrected:
    """Retire a wrong claim in favour of what says the right one already, which is stated again by it: nothing is there twice."""
    at = context.clock.now()
    pair: list[Memory] = []

    def decide(found: list[Stored]) -> Plan:
        wrong, right = found
        surer = replace(right, memory=replace(right.memory, confidence=make_sure(right.memory.confidence)))
        plan = supersede(wrong, surer, at=at, reason=reason, successors=successors(context, right.memory))
        pair[:] = [wrong.memory, next((c.memory for c in plan.changes if isinstance(c, Put) and c.memory.id == right_id), right.memory)]  # fmt: skip
        return plan

    context.carry_out_fresh([wrong_id, right_id], decide)
    context.catch_up()
    known = context.index.find(Query("", kinds=(CORRECTION, ANTI_PATTERN)))
    return Corrected(pair[0], pair[1], find_habits(pair[1].tags, known), was_there=True)


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


def begin_session(context: Context, about: str) -> Session:
    """Open the next session and return it."""
    at = context.clock.now()
    values = context.store.journal.update(lambda old: start_session(old, context=clean(about), now=at))
    session = current_session(values)
    assert session is not None
    told = f"Session {session.id}" + (f": {session.context}" if session.context else "")
    with standing(told, missing="its line in the journal"):
        context.store.journal.append([Activity(at, "session", "", told)])
    context.keep_that(told)
    return session
