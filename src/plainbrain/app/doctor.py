"""Looking after a brain: what it holds in numbers, what is wrong with it, and the repairs that are safe."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from plainbrain.app import wiring
from plainbrain.app.checkup import in_memories, mends, with_its_folder
from plainbrain.app.circles import problems_of_circles
from plainbrain.app.context import Context
from plainbrain.app.merges import problems_of_merges
from plainbrain.errors import BrainError
from plainbrain.lifecycle.secrets import redact
from plainbrain.lifecycle.supersede import retire, with_link
from plainbrain.model.change import Activity, Plan, Put
from plainbrain.model.links import SUPERSEDED_BY, SUPERSEDES, Link, answers, inverse_relation
from plainbrain.model.memory import SUPERSEDED, Memory
from plainbrain.model.problem import Problem
from plainbrain.model.query import Query

MISMATCH = "cortex-mismatch"
#: Problems of files that are passed over on purpose, and hold no note that a link could mean.
_NO_NOTES = frozenset({"conflict-copy", "symlink", "not-a-file"})


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
    of_store = context.store.problems()
    where = _places(context, cards)
    unread = _unread(of_store, where)
    problems = [
        *told,
        *of_store,
        *problems_of_merges(context.store),
        *wiring.vector_problems(context.store),
        *_between(context, {m.id: m for m in cards}, where=where, unread=unread),
        *in_memories(context, cards, where=where, unread=unread),
    ]
    problems = [_fixable(problem) for problem in problems]
    unique = {(p.code, p.path, p.line, p.message): p for p in problems}
    ordered = sorted(unique.values(), key=lambda p: (p.path, p.line, p.code))
    return Report(len(cards), tuple(replace(p, message=redact(p.message)) for p in ordered))


def _fixable(problem: Problem) -> Problem:
    if problem.code != MISMATCH:
        return problem
    return replace(
        problem, hint="brain doctor --fix sets `cortex` to the folder; brain move takes it elsewhere", fixable=True
    )


def _places(context: Context, cards: Sequence[Memory]) -> dict[str, str]:
    """Return the file of each memory, where the store is a folder."""
    if not context.store.traits.folder:
        return {}
    return {id: stored.locator for id, stored in context.store.get_many([m.id for m in cards]).items()}


def _unread(problems: Sequence[Problem], where: Mapping[str, str]) -> dict[str, str]:
    """Return the notes that are there and cannot be read, by the names that a link would have: name and path."""
    read = set(where.values())
    paths = {p.path for p in problems if p.path.endswith(".md") and p.path not in read and p.code not in _NO_NOTES}
    return {PurePosixPath(path).stem: path for path in sorted(paths)}


def _between(
    context: Context, cards: Mapping[str, Memory], *, where: Mapping[str, str], unread: Mapping[str, str]
) -> list[Problem]:
    """Find links to nothing, links that one side does not know, and supersessions that are half done."""
    followers = _followers(cards)
    problems = [*_branches(cards, where, followers), *problems_of_circles(cards, followers, where)]
    for memory in cards.values():
        place = where.get(memory.id, "") or memory.id
        for link in memory.links:
            other = cards.get(link.to)
            if other is None:
                same = [id for id in cards if id.rsplit("/", 1)[-1] == link.to]
                problems.append(
                    _ambiguous(memory, link, place, same) if len(same) > 1 else _dangling(memory, link, place, unread)
                )
            elif _is_of_itself(memory.id, link):
                told = f"{memory.id} {link.rel} itself"
                hint = "brain doctor --fix takes the link away"
                problems.append(mends(context, memory.id, Problem("self-superseded", told, place, hint=hint)))
            elif link.rel == SUPERSEDES and other.is_live:
                problems += _half_done(context, memory, other, place, followers=followers)
            elif _is_said_once(context, link):
                continue
            elif not any(back.to == memory.id and answers(back.rel, link.rel) for back in other.links):
                told = f"{memory.id} {link.rel} {link.to}, which does not link back"
                one_sided = Problem("one-sided-link", told, place, hint="brain doctor --fix links back")
                problems.append(mends(context, link.to, one_sided))
    return problems


def _ambiguous(memory: Memory, link: Link, place: str, same: Sequence[str]) -> Problem:
    told = f"{memory.id} {link.rel} [[{link.to}]], which may be {' or '.join(same)}"
    return Problem("ambiguous-link", told, place, hint=f"name the one that is meant: {same[0]}")


def _dangling(memory: Memory, link: Link, place: str, unread: Mapping[str, str]) -> Problem:
    """Return the problem of a link to what is not there; one to a note that is not read may be right."""
    name = link.to.rsplit("/", 1)[-1]
    told = f"{memory.id} {link.rel} [[{link.to}]]"
    if name in unread:
        hint = f"mend {unread[name]}, and leave the link as it is"
        return Problem("unread-link", f"{told}, which is there and cannot be read", place, hint=hint)
    if unread:
        hint = "mend the notes that cannot be read first: it may be one of them"
    else:
        hint = (
            f"write {link.to}, or take the link away: {shlex.join(('brain', 'link', memory.id, link.to, '--remove'))}"
        )
    return Problem("dangling-link", f"{told}, which is not there", place, hint=hint)


def _half_done(
    context: Context, memory: Memory, other: Memory, place: str, *, followers: Mapping[str, Sequence[str]]
) -> Iterator[Problem]:
    """Yield what is wrong where ``memory`` supersedes ``other``, which is in effect: at most one problem."""
    if not _replaces(memory):
        return
    if not _goes_round(followers, memory.id, other.id):
        told = f"{memory.id} supersedes {other.id}, which is still active"
        yield mends(context, other.id, Problem("half-superseded", told, place, hint="brain doctor --fix retires it"))
    elif memory.is_live and not (other.id in followers.get(memory.id, ()) and other.id < memory.id):
        told = f"{memory.id} and {other.id} supersede each other, and both are in effect"
        keep = [f"{_superseding(a, b)} keeps {b}" for a, b in ((memory.id, other.id), (other.id, memory.id))]
        hint = f"say which one holds: {', '.join(keep)}"
        yield Problem("superseded-in-circle", told, place, hint=hint)


def _superseding(old: str, new: str) -> str:
    return shlex.join(("brain", "supersede", old, new))


def _is_of_itself(id: str, link: Link) -> bool:
    return link.to == id and link.rel in (SUPERSEDES, SUPERSEDED_BY)


def _replaces(memory: Memory) -> bool:
    """Tell whether what a memory supersedes is over for it: not where it was itself found to be untrue."""
    return memory.is_live or memory.status.strip().lower() == SUPERSEDED


def _branches(
    cards: Mapping[str, Memory], where: Mapping[str, str], followers: Mapping[str, list[str]]
) -> list[Problem]:
    """Find memories that were replaced by several, of which more than one is still in effect."""
    problems = []
    for memory in cards.values():
        ends = _live_ends(memory, cards, followers)
        if len(ends) > 1:
            problems.append(
                Problem(
                    "branched-chain",
                    f"{memory.id} was replaced by {' and by '.join(ends)}, which are all in effect",
                    where.get(memory.id, "") or memory.id,
                    hint=f"say which one holds: {_superseding(ends[0], ends[-1])}",
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
            if link.to == memory.id:
                continue
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
    followers = _followers(cards)
    mended = []
    for memory in cards.values():
        for link in memory.links:
            if link.to not in cards or (_is_said_once(context, link) and link.to != memory.id):
                continue
            try:
                done = _mend(context, memory.id, link, followers)
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


def _goes_round(followers: Mapping[str, Sequence[str]], new: str, old: str) -> bool:
    """Tell whether ``new``, which replaces ``old``, was replaced by it in turn, at once or through others."""
    seen: set[str] = set()
    waiting = [new]
    while waiting:
        id = waiting.pop()
        if id == old:
            return True
        if id not in seen:
            seen.add(id)
            waiting += followers.get(id, ())
    return False


def _without_itself(context: Context, id: str) -> str:
    """Take away the links by which a memory supersedes itself; return what was done, or an empty text."""
    stored = context.require(id)
    links = tuple(link for link in stored.memory.links if not _is_of_itself(id, link))
    if links == stored.memory.links:
        return ""
    what = f"took away the link by which {id} superseded itself"
    put = Put(replace(stored.memory, links=links), stored.revision)
    context.carry_out(Plan((put,), (Activity(context.clock.now(), "repair", id, what),)))
    return what


def _mend(context: Context, id: str, link: Link, followers: Mapping[str, Sequence[str]]) -> str:
    """Write the missing side of one link; return what was done, or an empty text."""
    if _is_of_itself(id, link):
        return _without_itself(context, id)
    at = context.clock.now()
    stored = context.require(link.to)
    other = stored.memory
    if link.rel == SUPERSEDES and other.is_live:
        if not _replaces(context.require(id).memory) or _goes_round(followers, id, other.id):
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
