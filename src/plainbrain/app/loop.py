"""One turn of the loop: recall for a message, keep what it says, learn from what was said of the last answer."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import field, replace
from typing import TYPE_CHECKING

from plainbrain.app.context import Context, refuse_secrets
from plainbrain.app.fading import Faded
from plainbrain.app.recall import search
from plainbrain.app.use import after_recall
from plainbrain.errors import Conflict, InputError, NotFound, Refused, SecretRefused, Untrusted
from plainbrain.files.outcome import change_of, standing
from plainbrain.later import later
from plainbrain.lifecycle.extract import Extracted, extract
from plainbrain.lifecycle.extract.query import derive_query
from plainbrain.lifecycle.supersede import check_pair
from plainbrain.model.change import Activity
from plainbrain.model.hit import Recall
from plainbrain.model.memory import Memory
from plainbrain.model.query import Query
from plainbrain.records import open_record, record

if TYPE_CHECKING:
    from plainbrain.app import entries, judge, learn, remember
    from plainbrain.lifecycle import conflicts as judges
    from plainbrain.lifecycle import feedback as praise
    from plainbrain.lifecycle import quality, replacing
else:
    # Most turns are questions that tell nothing and get no feedback: they need none of these.
    entries, judge, learn, remember = (
        later(f"plainbrain.app.{name}") for name in ("entries", "judge", "learn", "remember")
    )
    judges, praise = later("plainbrain.lifecycle.conflicts"), later("plainbrain.lifecycle.feedback")
    quality, replacing = later("plainbrain.lifecycle.quality"), later("plainbrain.lifecycle.replacing")


@record(frozen=True, slots=True)
class Skipped:
    """Something that was said and not kept: why, the id of the memory that stood against it, and what to do."""

    content: str
    why: str
    against: str = ""
    hint: str = ""


@record(frozen=True, slots=True)
class Replaced:
    """A memory that a told change retired, and the one that stands in its place."""

    old: str
    new: str


@open_record(slots=True)
class Turn:
    """What one turn did. ``decayed`` counts the entries that faded on the way."""

    query: str
    recall: Recall
    candidates: int = 0
    added: list[Memory] = field(default_factory=list)
    duplicates: list[Skipped] = field(default_factory=list)
    conflicts: list[Skipped] = field(default_factory=list)
    sensitive: list[Skipped] = field(default_factory=list)
    replaced: list[Replaced] = field(default_factory=list)
    decayed: int = 0
    notes: list[str] = field(default_factory=list)

    def fade(self, faded: Faded) -> None:
        """Add up what faded in the course of the turn."""
        self.decayed += faded.count
        self.notes += faded.notes


def take_turn(context: Context, message: str, query: Query, *, feedback: str = "", response: str = "") -> Turn:
    """Recall for ``message`` by ``query`` (its text is derived from the message), keep its facts, take feedback in."""
    context = context.as_one("turn")
    found = search(context, query)
    turn = Turn(query.text, found)
    if found.hits:
        turn.fade(after_recall(context, query, found, action="loop_get"))
    keep_facts(context, message, turn)
    kept = [memory.id for memory in turn.added]
    with standing(change_of(kept), missing="what the feedback and the reply tell") if kept else nullcontext():
        if feedback and found.hits:
            _learn(context, found, feedback)
        if response:
            weigh_reply(context, [hit.memory for hit in found.hits], response, action="loop_response")
    return turn


def keep_facts(context: Context, message: str, turn: Turn) -> None:
    """Keep the facts that a message tells, unless what was recalled in this turn, or the brain, says them already."""
    known = [hit.memory for hit in turn.recall.hits]
    facts = extract(message, recalled=[memory.content for memory in known])
    repeated = [fact for fact in extract(message) if fact not in facts] if known else []
    turn.candidates = len(facts) + len(repeated)
    for fact in repeated:
        against = next((memory.id for memory in known if judges.is_duplicate(fact.content, memory.content)), "")
        turn.duplicates.append(Skipped(fact.content, "said by what was recalled", against))
    for fact in facts:
        _keep(context, fact, turn)


def _keep(context: Context, fact: Extracted, turn: Turn) -> None:
    """Keep one extracted fact, unless it is secret, there already, or against what is known."""
    draft = Memory("", fact.content, kind=fact.kind, tags=fact.tags, rationale=fact.rationale, rejected=fact.rejected)
    if context.pii_strict:
        try:
            refuse_secrets(draft)
        except SecretRefused as error:
            turn.sensitive.append(Skipped(f"[{fact.kind}]", f"secret: {error.rule}"))
            return
    near = judge.candidates(context, f"{fact.content} {fact.corrects}")
    against = judges.find_conflicts(draft, near)
    replaced = _replaced(context, fact, draft, against=against, near=near)
    for memory in near:
        if memory.kind == fact.kind and judges.is_duplicate(fact.content, memory.content):
            turn.duplicates.append(Skipped(fact.content, "there already", memory.id))
            _retire(context, replaced, memory.id, turn=turn)
            return
    if against and not replaced:
        old = against[0].memory.id
        hint = f"where it is so now: brain correct {shlex.quote(old)} {shlex.quote(fact.content)}"
        turn.conflicts.append(Skipped(fact.content, against[0].verdict.why, old, hint))
        return
    said = entries.Said(
        fact.kind, fact.content, fact.source, fact.tags,
        confidence=fact.confidence, rationale=fact.rationale, rejected=fact.rejected,
    )  # fmt: skip
    added = entries.add(context, said, action="loop_add")
    turn.fade(added.faded)
    turn.added.append(added.memory)
    _retire(context, replaced, added.memory.id, turn=turn)


def _replaced(
    context: Context, fact: Extracted, draft: Memory, *, against: Sequence[judges.Finding], near: Sequence[Memory]
) -> tuple[Memory, ...]:
    """Return what a told change replaces; nothing where the one who speaks is trusted less than what is there."""
    if not fact.changes:
        return ()
    found = replacing.replaced_by(fact, against, near)
    new = replace(draft, provenance=context.channel.provenance())
    try:
        for old in found:
            check_pair(old, new)
    except Untrusted:
        return ()
    return found


def _retire(context: Context, old: Sequence[Memory], new: str, *, turn: Turn) -> None:
    """Let memories be superseded by what was told in their place; what another process changed meanwhile is told."""
    for memory in old:
        try:
            plan = remember.supersede_memory(context, memory.id, new, reason="told in a turn")
        except (Conflict, InputError, NotFound, Refused) as error:
            turn.notes.append(f"{memory.id} stays as it is: {error.message}")
            continue
        turn.notes += plan.notes
        turn.replaced.append(Replaced(memory.id, new))


def _learn(context: Context, found: Recall, feedback: str) -> None:
    """Let explicit feedback of the user reinforce the best hit; anything but praise is only noted."""
    at = context.clock.now()
    if praise.judge_feedback(feedback) == "positive":
        learn.succeed(context, found.hits[0].id)
    else:
        context.store.journal.append([Activity(at, "loop_feedback", found.hits[0].id, "non-positive user feedback")])


def weigh_reply(
    context: Context, recalled: Sequence[Memory], response: str, *, action: str, unanswered: Sequence[Memory] = ()
) -> None:
    """Count that memories were put into a prompt, and which of them the reply drew on.

    ``unanswered`` were put into a prompt as well, and no reply to it is known; ``action`` is the word for it in the log.
    """
    at = context.clock.now()
    said = Activity(at, action, "", f"assistant_response_len={len(response)}")
    uses = [quality.inject(memory, at=at) for memory in unanswered]
    context.store.record([*uses, *(quality.judge_reply(one, response, at=at) for one in recalled)], activities=[said])


def query_for(message: str, *, policy: str, k: int, classes: Sequence[str]) -> Query:
    """Return the query that a message stands for."""
    return Query(derive_query(message), k, profile=policy, classes=tuple(classes))
