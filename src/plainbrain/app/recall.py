"""Reading: search, read, list, cortices. Reading never writes a note; only ``touch`` counts a use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from plainbrain.app.context import Context
from plainbrain.app.themes import same_theme
from plainbrain.errors import Ambiguous, Busy, InvalidField, NoRoom, NotFound, PartlyDone, ReadOnly
from plainbrain.later import later
from plainbrain.model.change import Use
from plainbrain.model.hit import Explanation, Hit, Recall
from plainbrain.model.identity import bare_id
from plainbrain.model.memory import Memory
from plainbrain.model.problem import UNREAD, Problem
from plainbrain.model.query import Query
from plainbrain.notation.wikilinks import aliases_of
from plainbrain.ports import Stored
from plainbrain.records import record
from plainbrain.retrieval.abstain import is_relevant
from plainbrain.retrieval.auto import AUTO
from plainbrain.retrieval.excerpt import LONG, Excerpts
from plainbrain.retrieval.filters import cortex_key
from plainbrain.retrieval.fusion import RRF
from plainbrain.retrieval.parse import NO_WORDS, parse_query
from plainbrain.retrieval.signals import NAMES as SIGNALS

if TYPE_CHECKING:
    from plainbrain.app import likeness
    from plainbrain.app import neighbours as around
    from plainbrain.notation import note
else:
    likeness = later("plainbrain.app.likeness")
    around = later("plainbrain.app.neighbours")
    note = later("plainbrain.notation.note")

#: The rankings in which a service may measure likeness.
BY_LIKENESS = frozenset({"fast", "balanced", "deep"})
#: Every ranking by its name.
PROFILES = (AUTO, "blueprint", *sorted(BY_LIKENESS), RRF)
#: Problems by which an answer may lack something: whoever searches is told.
_TELLING = frozenset({"unreadable", "unreadable-folder", "bad-name", "index-in-memory", "index-busy"})
_MOST_TOLD = 3
#: The tokens of a long text have at least so many characters: they are about as long as the text, stems a little shorter.
_LONG_IN_WORDS = LONG * 4 // 5


@record(frozen=True, slots=True)
class Backlink:
    """Name a memory that points here, and by which relation."""

    id: str
    rel: str
    title: str


@record(frozen=True, slots=True)
class Reading:
    """One memory, whole: ``text`` is its written form, ``locator`` where it lies, ``backlinks`` what points at it."""

    stored: Stored
    text: str
    backlinks: tuple[Backlink, ...]

    @property
    def memory(self) -> Memory:
        """The memory itself."""
        return self.stored.memory


def has_words(text: str) -> bool:
    """Tell whether there is anything to look for in a query."""
    return bool(parse_query(text))


def search(context: Context, query: Query) -> Recall:
    """Return the best memories for a query, each with the numbers that put it there. Any text is a query."""
    problems = context.catch_up()
    query = _ranked(query)
    if context.remote is not None and query.profile in BY_LIKENESS:
        found, total = likeness.search_by_likeness(context, query, context.remote)
    else:
        found, total = context.index.search(query, now=context.clock.now())
    if not total and (other := _respelled(context, query)) is not None:
        return search(context, other)
    stored = context.store.get_many([id for id, _, _ in found])
    excerpts = Excerpts(query.text)
    hits = tuple(hit_of(stored[id].memory, score, why, excerpts) for id, score, why in found if id in stored)
    total -= len(found) - len(hits)  # what cannot be read now; the notes say why
    relevant = is_relevant(query.text, [hit.explanation for hit in hits])
    hits = _below_successors(hits) if query.include_superseded else hits
    if query.expand:
        hits += around.neighbours(context, hits, query)
    return Recall(hits, total, relevant=relevant, notes=_notes(query, problems))


def skim(context: Context, query: Query) -> Recall:
    """Return the best memories as cards (all but the text), which is faster; whole where a card says too little, or a part is to be shown."""
    if query.include_superseded or query.expand:  # what is put beside or below the hits needs them whole
        return search(context, query)
    problems = context.catch_up()
    query = _ranked(query)
    found, total = context.index.search(query, now=context.clock.now())
    if not total and (other := _respelled(context, query)) is not None:
        return skim(context, other)
    ids = [id for id, _, _ in found]
    known, lengths = context.index.cards(ids), context.index.lengths(ids)
    needed = [id for id, card in known.items() if not card.description or lengths.get(id, LONG) >= _LONG_IN_WORDS]
    whole = {id: stored.memory for id, stored in context.store.get_many(needed).items()} if needed else {}
    excerpts = Excerpts(query.text)
    hits = tuple(
        hit_of(whole[id], score, why, excerpts) if id in whole else Hit(known[id], score, why)
        for id, score, why in found
        if id in known
    )
    relevant = is_relevant(query.text, [hit.explanation for hit in hits])
    return Recall(hits, total, relevant=relevant, notes=_notes(query, problems))


def _below_successors(hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Return the hits with each memory that was replaced right below what took its place, where both are among them."""
    order: list[Hit] = []
    waiting: dict[str, list[Hit]] = {}
    to_come = {hit.id for hit in hits}
    for hit in hits:
        successor = "" if hit.memory.is_live else hit.memory.superseded_by
        if successor in to_come and successor != hit.id:
            waiting.setdefault(successor, []).append(hit)
            continue
        placed = [hit]
        while placed:
            one = placed.pop(0)
            order.append(one)
            to_come.discard(one.id)
            placed = [*waiting.pop(one.id, ()), *placed]
    return (*order, *(hit for left in waiting.values() for hit in left))


def _ranked(query: Query) -> Query:
    """Return the query with the ranking that search has when none is named. Raise InvalidField for one, or a signal, that is none."""
    if not query.profile:
        query = replace(query, profile=AUTO)
    if query.profile not in PROFILES:
        raise InvalidField(
            f"there is no ranking {query.profile!r}", value=query.profile, hint="rankings: " + ", ".join(PROFILES)
        )
    if unknown := [name for name in query.without if name not in SIGNALS]:
        raise InvalidField(
            f"there is no signal {unknown[0]!r}", value=unknown[0], hint="signals: " + ", ".join(SIGNALS)
        )
    return query


def hit_of(memory: Memory, score: float, why: Explanation, excerpts: Excerpts) -> Hit:
    """Return a hit with the part of a long text that matched best, by its words, within the passage that vectors name."""
    start, _, stop = why.notes.get("passage", "").partition("-")
    within = (int(start), int(stop)) if start and stop else None
    passage = excerpts.of(memory.content, within=within)
    if not passage and within:
        passage = memory.content[within[0] : within[1]]
    return Hit(memory, score, why, passage)


def _respelled(context: Context, query: Query) -> Query | None:
    """Return the query with its theme spelled as it is there; None where it is spelled so, or not there in any spelling."""
    if not query.cortex:
        return None
    names = [name for name, _ in context.index.themes(Query("", include_superseded=True))]
    spelled = same_theme(query.cortex, names)
    is_other = spelled != cortex_key(query.cortex) and any(f"{name}/".startswith(f"{spelled}/") for name in names)
    return replace(query, cortex=spelled) if is_other else None


def _notes(query: Query, problems: Sequence[Problem]) -> tuple[str, ...]:
    """Return what whoever asked should know: no words in the query, and what the answer may lack."""
    return (*(() if has_words(query.text) else (NO_WORDS,)), *_lacking(problems))


def _lacking(problems: Sequence[Problem]) -> list[str]:
    """Return by which problems an answer may lack something."""
    told = [f"{one.where}: {one.message}" for one in problems if one.code in _TELLING]
    if len(told) > _MOST_TOLD:
        told[_MOST_TOLD:] = [f"and {len(told) - _MOST_TOLD} more like these"]
    unread = {one.path: one for one in reversed(problems) if one.code in UNREAD - _TELLING}
    told += [f"could not be read: {unread[path].where}: {unread[path].message}" for path in sorted(unread)[:_MOST_TOLD]]
    if (more := len(unread) - _MOST_TOLD) > 0:
        told.append(f"and {more} more note{'s'[: more != 1]} could not be read")
    return told


def lacking(context: Context) -> tuple[str, ...]:
    """Return what a list of this brain may lack now, in words: notes that cannot be read, an index that lags."""
    return tuple(_lacking(context.catch_up()))


def left_out(context: Context) -> list[Problem]:
    """Return the problems by which something of the store cannot be read now."""
    return [one for one in context.catch_up() if one.code in UNREAD | _TELLING - {"index-in-memory", "index-busy"}]


def read(context: Context, name: str) -> Reading:
    """Return one memory by its id, or by what names it as a link does: a path, ``id.md``, ``[[id]]``, an alias.

    Raise NotFound or Ambiguous with candidates.
    """
    context.catch_up()
    stored = _find(context, name)
    pointing = context.index.backlinks(stored.memory.id)
    cards = context.index.cards([id for id, _ in pointing])
    links = tuple(Backlink(id, rel, cards[id].title) for id, rel in pointing if id in cards)
    text = stored.text if stored.text is not None else note.write_note(stored.memory)
    return Reading(stored, text, links)


def id_of(context: Context, name: str) -> str:
    """Return the id of the memory of which a name is the id or an alias, to the letter: what writes hits nothing that is only alike.

    The name itself comes back where it is of none. Raise Ambiguous.
    """
    try:
        context.store.get(name)
    except Ambiguous:
        raise
    except NotFound:
        found = _by_alias(context, name)
        return name if found is None else found.memory.id
    return name


def _find(context: Context, name: str) -> Stored:
    name = bare_id(name)
    bare = next((name[: -len(ending)] for ending in note.ENDINGS if name.lower().endswith(ending)), name)
    tries = list(dict.fromkeys([name, bare, bare.rsplit("/", 1)[-1]]))
    for one in tries:
        try:
            return context.store.get(one)
        except Ambiguous:
            raise
        except NotFound:
            continue
    return _by_alias(context, bare) or context.require(name)


def _by_alias(context: Context, name: str) -> Stored | None:
    """Return the one memory that has this alias, letter case aside. Raise Ambiguous where several have it."""
    known = context.index.cards(context.index.names(name))
    ids = [id for id, card in known.items() if name.casefold() in map(str.casefold, aliases_of(card))]
    if len(ids) > 1:
        hint = f"name one of them: {', '.join(ids)}"
        raise Ambiguous(f"several memories have the alias {name!r}", value=name, hint=hint, candidates=tuple(ids))
    return context.store.get(ids[0]) if ids else None


def list_memories(context: Context, query: Query) -> Iterator[Memory]:
    """Return the cards (all but the text) of the memories that pass the filters of ``query``, oldest first."""
    context.catch_up()
    now = context.clock.now()
    found = context.index.find(query, now=now)
    for first in found:
        return chain((first,), found)
    other = _respelled(context, query)
    return iter(()) if other is None else context.index.find(other, now=now)


def count_cortices(context: Context, query: Query) -> list[tuple[str, int]]:
    """Return every theme with the number of its memories, by name."""
    context.catch_up()
    return context.index.themes(query, now=context.clock.now())


def touch(context: Context, ids: Sequence[str]) -> bool:
    """Count one use of each memory; return False (and go on) when the store is locked or read-only."""
    try:
        touch_or_raise(context, ids)
    except (Busy, NoRoom, PartlyDone, ReadOnly):
        return False
    return True


def touch_or_raise(context: Context, ids: Sequence[str]) -> None:
    """Count one use of each memory. Raise Busy or ReadOnly."""
    at = context.clock.now()
    context.store.record([Use(id, at, accesses=1) for id in ids])
