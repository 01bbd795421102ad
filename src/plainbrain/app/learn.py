"""Learning from what happens to entries: one was wrong, one helped, a session began.

``lifecycle`` decides which steps of confidence follow; here the decision is carried out.
"""

from __future__ import annotations

from dataclasses import replace

from plainbrain.app.context import Context
from plainbrain.app.entries import Said, entry_of, free_id
from plainbrain.app.remember import successors
from plainbrain.files.outcome import standing
from plainbrain.lifecycle.admit import check_content, clean
from plainbrain.lifecycle.learn import Hint, correct, find_habits, record_success
from plainbrain.lifecycle.screen import check_may_replace, screened
from plainbrain.lifecycle.sessions import Session, current_session, start_session
from plainbrain.model.change import Activity, Plan, Put
from plainbrain.model.kinds import ANTI_PATTERN, CORRECTION
from plainbrain.model.memory import Memory
from plainbrain.model.query import Query
from plainbrain.ports import Stored
from plainbrain.records import record


@record(frozen=True, slots=True)
class Corrected:
    """A correction: what was wrong, what is right now, and the habits that it shows."""

    wrong: Memory
    right: Memory
    habits: tuple[Hint, ...] = ()


def correct_memory(context: Context, wrong_id: str, right: str, *, reason: str = "", tags: str = "") -> Corrected:
    """Replace a wrong claim by the right one in one step, and tell which habits of being wrong it shows."""
    at = context.clock.now()
    right = check_content(right)
    draft = screened(entry_of(context, Said(CORRECTION, right, tags=tags), at=at))
    check_may_replace(draft)
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
    return session
