"""Looking after a brain: what it holds in numbers, what is wrong with it, and the repairs that are safe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from plainbrain.app import wiring
from plainbrain.app.checkup import in_memories, with_its_folder
from plainbrain.app.context import Context
from plainbrain.app.merges import problems_of_merges
from plainbrain.errors import BrainError
from plainbrain.lifecycle.supersede import retire, with_link
from plainbrain.model.change import Activity, Plan, Put
from plainbrain.model.links import SUPERSEDED_BY, SUPERSEDES, Link, answers, inverse_relation
from plainbrain.model.memory import SUPERSEDED, Memory
from plainbrain.model.problem import Problem
from plainbrain.model.query import Query

MISMATCH = "cortex-mismatch"


@dataclass(frozen=True, slots=True)
class Status:
    """Numbers of a brain: memories in all and by status, kind and theme; how many problems stand."""

    url: str
    total: int
    by_status: Mapping[str, int]
    by_kind: Mapping[str, int]
    by_cortex: Mapping[str, int]
    links: int
    problems: int


@dataclass(frozen=True, slots=True)
class Report:
    """What was looked at, what is wrong, and what was mended."""

    looked_at: int
    problems: tuple[Problem, ...]
    mended: tuple[str, ...] = ()


def _everything(context: Context) -> list[Memory]:
    return list(context.index.find(Query("", include_superseded=True)))


def status(context: Context) -> Status:
    """Count what the brain holds."""
    problems = context.catch_up()
    cards = _everything(context)
    return Status(
        url=context.store.url,
        total=len(cards),
        by_status=dict(sorted(Counter(m.status or "active" for m in cards).items())),
        by_kind=dict(sorted(Counter(m.kind or "unknown" for m in cards).items())),
        by_cortex=dict(sorted(Counter(m.cortex for m in cards).items())),
        links=sum(len(m.links) for m in cards),
        problems=len(problems),
    )


def examine(context: Context) -> Report:
    """Look for everything that is wrong: in the files, and between the memories."""
    told = context.catch_up()  # the index's own among them: texts without a vector, a model that fails
    cards = _everything(context)
    problems = [
        *told,
        *context.store.problems(),
        *problems_of_merges(context.store),
        *wiring.vector_problems(context.store),
        *_between(context, {m.id: m for m in cards}),
        *in_memories(context, cards),
    ]
    problems = [_fixable(problem) for problem in problems]
    unique = {(p.code, p.path, p.line, p.message): p for p in problems}
    ordered = sorted(unique.values(), key=lambda p: (p.path, p.line, p.code))
    return Report(len(cards), tuple(ordered))


def _fixable(problem: Problem) -> Problem:
    if problem.code != MISMATCH:
        return problem
    return replace(
        problem, hint="brain doctor --fix sets `cortex` to the folder; brain move takes it elsewhere", fixable=True
    )


def _between(context: Context, cards: Mapping[str, Memory]) -> list[Problem]:
    """Find links to nothing, links that one side does not know, and supersessions that are half done."""
    where = (
        {id: stored.locator for id, stored in context.store.get_many(list(cards)).items()}
        if context.store.traits.folder
        else {}
    )
    problems = _branches(cards, where)
    for memory in cards.values():
        for link in memory.links:
            place = where.get(memory.id, "") or memory.id
            other = cards.get(link.to)
            if other is None:
                problems.append(
                    Problem(
                        "dangling-link",
                        f"{memory.id} {link.rel} [[{link.to}]], which is not there",
                        place,
                        hint=f"write {link.to}, or take the link away: brain link {memory.id} {link.to} --remove",
                    )
                )
            elif link.rel == SUPERSEDES and other.is_live:
                if _replaces(memory):
                    told = f"{memory.id} supersedes {link.to}, which is still active"
                    hint = "brain doctor --fix retires it"
                    problems.append(Problem("half-superseded", told, place, hint=hint, fixable=True))
            elif _is_said_once(context, link):
                continue
            elif not any(back.to == memory.id and answers(back.rel, link.rel) for back in other.links):
                problems.append(
                    Problem(
                        "one-sided-link",
                        f"{memory.id} {link.rel} {link.to}, which does not link back",
                        place,
                        hint="brain doctor --fix links back",
                        fixable=True,
                    )
                )
    return problems


def _replaces(memory: Memory) -> bool:
    """Tell whether what a memory supersedes is over for it: not where it was itself found to be untrue."""
    return memory.is_live or memory.status.strip().lower() == SUPERSEDED


def _branches(cards: Mapping[str, Memory], where: Mapping[str, str]) -> list[Problem]:
    """Find memories that were replaced by several, of which more than one is still in effect."""
    problems = []
    followers = _followers(cards)
    for memory in cards.values():
        ends = _live_ends(memory, cards, followers)
        if len(ends) > 1:
            problems.append(
                Problem(
                    "branched-chain",
                    f"{memory.id} was replaced by {' and by '.join(ends)}, which are all in effect",
                    where.get(memory.id, "") or memory.id,
                    hint=f"say which one holds: brain supersede {ends[0]} {ends[-1]}",
                )
            )
    return problems


def _live_ends(memory: Memory, cards: Mapping[str, Memory], followers: Mapping[str, list[str]]) -> list[str]:
    """Return the ids of what replaced a memory in the end, where it was replaced by several at once."""
    first = list(followers.get(memory.id, ()))
    if len(first) < 2:
        return []
    ends: set[str] = set()
    seen: set[str] = set()
    while first:
        id = first.pop()
        if id in seen:
            continue
        seen.add(id)
        if cards[id].is_live:
            ends.add(id)
        else:
            first += followers.get(id, ())
    return sorted(ends)


def _followers(cards: Mapping[str, Memory]) -> dict[str, list[str]]:
    """Return what replaced each memory, whichever side says so: a merge may keep one side of a pair."""
    found: dict[str, dict[str, None]] = {}
    for memory in cards.values():
        for link in memory.links:
            if link.to in cards and link.rel == SUPERSEDED_BY:
                found.setdefault(memory.id, {}).setdefault(link.to)
            elif link.to in cards and link.rel == SUPERSEDES and _replaces(memory):
                found.setdefault(link.to, {}).setdefault(memory.id)
    return {id: list(ids) for id, ids in found.items()}


def _is_said_once(context: Context, link: Link) -> bool:
    """Tell whether a link of this sort stands on one side only, as the form of the store has it.

    Entries and events say on the old memory alone what replaced it; a link with a strength has no direction.
    """
    return not context.store.traits.folder and (link.rel == SUPERSEDED_BY or link.strength is not None)


def repair(context: Context) -> Report:
    """Finish what is half done between memories; what a person must decide is left and reported."""
    context.catch_up()
    cards = {m.id: m for m in _everything(context)}
    mended = []
    for memory in cards.values():
        for link in memory.links:
            if link.to not in cards or _is_said_once(context, link):
                continue
            try:
                done = _mend(context, memory.id, link)
            except BrainError as error:
                mended.append(f"left {memory.id} -> {link.to}: {error}")
                continue
            if done:
                mended.append(done)
    mended += _settle_folders(context)
    report = examine(context)
    return replace(report, mended=tuple(mended))


def _settle_folders(context: Context) -> Iterator[str]:
    """Set the key ``cortex`` to the folder in notes that say another; yield what was done, or why it was left."""
    places = {problem.path for problem in context.store.problems() if problem.code == MISMATCH}
    if not places:
        return
    for stored in context.store.get_many([id for id, _ in context.store.listing()]).values():
        if stored.locator not in places:
            continue
        memory, at = stored.memory, context.clock.now()
        told = f"set the cortex of {memory.id} to its folder, {memory.cortex}"
        try:
            put = Put(memory, stored.revision, with_its_folder(stored))
            context.carry_out(Plan((put,), (Activity(at, "repair", memory.id, told),)))
        except BrainError as error:
            yield f"left {stored.locator}: {error.message}"
        else:
            yield told


def _goes_round(context: Context, memory: Memory, id: str) -> bool:
    """Tell whether what a memory replaces, and what that replaces, comes back to ``id``."""
    seen: set[str] = set()
    waiting = [memory]
    while waiting:
        for one in waiting:
            seen.add(one.id)
        fresh = {old for one in waiting for old in one.supersedes} - seen
        if id in seen or id in fresh:
            return True
        waiting = [stored.memory for stored in context.store.get_many(list(fresh)).values()]
    return False


def _mend(context: Context, id: str, link: Link) -> str:
    """Write the missing side of one link; return what was done, or an empty text."""
    at = context.clock.now()
    stored = context.require(link.to)
    other = stored.memory
    if link.rel == SUPERSEDES and other.is_live:
        if not _replaces(context.require(id).memory) or _goes_round(context, other, id):
            return ""  # which of them holds is for a person to say
        after, what = retire(other, id, at=at), f"retired {other.id}, superseded by {id}"
    elif any(back.to == id and answers(back.rel, link.rel) for back in other.links):
        return ""
    else:
        after = with_link(other, Link(id, inverse_relation(link.rel)))
        what = f"linked {other.id} back to {id}"
    if after == other or (link.rel == SUPERSEDED_BY and context.require(id).memory.is_live):
        return ""
    context.carry_out(Plan((Put(after, stored.revision),), (Activity(at, "repair", other.id, what),)))
    return what
