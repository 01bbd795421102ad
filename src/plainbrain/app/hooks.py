"""What a host's hooks ask of a brain: a briefing, what bears on a prompt, and what became of what was told.

Reading only, but for counters, and for the facts of a prompt where somebody asked for that.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from plainbrain.app import recall, wiring
from plainbrain.app.clocks import read_clock
from plainbrain.app.context import Channel, Context
from plainbrain.app.injected import Injected, Known
from plainbrain.app.settings import Settings
from plainbrain.later import later
from plainbrain.lifecycle import briefing
from plainbrain.lifecycle.briefing import Place
from plainbrain.lifecycle.veto import Veto
from plainbrain.model.hit import Explanation, Hit, Recall
from plainbrain.model.memory import Memory
from plainbrain.model.problem import UNREAD
from plainbrain.model.provenance import QUARANTINED, UNREVIEWED
from plainbrain.model.query import Query
from plainbrain.records import record
from plainbrain.retrieval.abstain import is_relevant
from plainbrain.retrieval.auto import AUTO
from plainbrain.retrieval.excerpt import Excerpts

if TYPE_CHECKING:
    from plainbrain.app import decisions, loop
else:
    decisions, loop = later("plainbrain.app.decisions"), later("plainbrain.app.loop")

#: Hits that are put into one prompt, and the share of the best one's evidence that each must have.
MOST_HITS, LEAST_SHARE = 5, 0.5
_LOOKED_AT = 12
#: Of a longer text only the beginning is read: what is pasted there is no question.
_READ = 20_000


@record(frozen=True, slots=True)
class Briefing:
    """What there is to know at the start: how much, the themes with counts, what is in force here and what is open.

    ``unread`` counts the notes that cannot be read; ``unreviewed`` and ``conflicts`` are None where there was no time to count.
    """

    total: int
    themes: tuple[tuple[str, int], ...]
    decisions: tuple[Memory, ...]
    unread: int = 0
    unreviewed: int | None = None
    conflicts: tuple[Memory, ...] | None = None


@record(frozen=True, slots=True)
class Bearing:
    """What bears on a prompt: memories, best first, and vetoes by decision. Neither was told in this session yet."""

    hits: tuple[Hit, ...] = ()
    vetoes: tuple[tuple[Veto, ...], ...] = ()

    @property
    def ids(self) -> list[str]:
        """The memories that are told, each once."""
        return list(dict.fromkeys([hit.id for hit in self.hits] + [of[0].holder.id for of in self.vetoes]))


@contextmanager
def opened(settings: Settings, *, actor: str, session: str, waits: bool) -> Iterator[Context]:
    """Open the brain that is there as hooks use it: by words alone, no model, no mirror, no network.

    Unless it ``waits``, whoever writes at the moment is not waited for. Raise NoBrain or a StoreError.
    """
    clock = read_clock(settings.environment)
    store = (wiring.open_store if waits else wiring.open_to_read)(settings.store, clock=clock)
    index = wiring.open_index(store, settings.cache)
    try:
        yield Context(
            wiring.audit(store, settings.audit, clock=clock),
            index,
            clock,
            channel=Channel(actor=settings.actor or actor, session=session),
            pii_strict=settings.pii_strict,
            history=wiring.open_history(store),
        )
    finally:
        index.close()
        store.close()


def brief(context: Context, folder: str, *, is_late: Callable[[], bool]) -> Briefing:
    """Return the briefing for somebody who works in ``folder``. What takes long is left out once it ``is_late``."""
    unread = len({one.path for one in context.catch_up() if one.code in UNREAD})
    themes = context.index.themes(Query(""), now=context.clock.now())
    total = sum(count for _, count in themes)
    place = place_of(context, folder)
    if is_late():
        return Briefing(total, tuple(themes), _of_files(context, place), unread)
    cards = list(context.index.find(Query(""), now=context.clock.now()))
    unreviewed = sum(card.provenance.trust == UNREVIEWED for card in cards)
    held = context.index.find(Query("", statuses=(QUARANTINED,)))
    unreviewed += sum(card.provenance.trust == QUARANTINED and card.is_live for card in held)
    found = briefing.choose_decisions(cards, place)
    return Briefing(total, tuple(themes), tuple(found), unread, unreviewed, tuple(briefing.open_conflicts(cards)))


def _of_files(context: Context, place: Place) -> tuple[Memory, ...]:
    """Return the decisions about files of a place, which the index finds without looking at every card."""
    ids = [id for id, files in context.index.said("files") if any(file in place.files for file in files)]
    return tuple(briefing.choose_decisions(context.index.cards(ids).values(), place))


def place_of(context: Context, folder: str) -> Place:
    """Return what is known of the folder that somebody works in; its project is the nearest folder above with a ``.git``."""
    if not folder or not os.path.isabs(folder):
        return Place(frozenset())
    work = os.path.realpath(folder)
    # A home folder or a whole disk is no project, though some keep their settings in a repository there.
    none = {os.path.realpath(os.path.expanduser("~")), os.path.abspath(os.sep)}
    above = [one for one in (work, *map(str, Path(work).parents)) if one not in none]
    repository = next((one for one in above if os.path.exists(os.path.join(one, ".git"))), "")
    root = repository or work
    if root in none:
        return Place(frozenset())
    named = {str(file) for _, files in context.index.said("files") for file in files}
    there = frozenset(file for file in named if _is_there(file, root, work))
    store = context.store.url.partition(":")[2]
    is_whole = _is_below(store, repository) if repository else store == root or os.path.dirname(store) == root
    return Place(frozenset({os.path.basename(root).casefold()}), there, is_whole)


def _is_there(file: str, root: str, work: str) -> bool:
    """Tell whether a path that a memory names is a file or folder of the project; a pattern counts by its folder."""
    bare = file.strip().replace("\\", "/")
    bare = bare.removesuffix("/**").removesuffix("/*")
    if not bare or "\0" in bare:
        return False
    if os.path.isabs(bare):
        return _is_below(os.path.normpath(bare), root) and os.path.lexists(bare)
    return any(
        _is_below(path, root) and os.path.lexists(path)
        for path in (os.path.normpath(os.path.join(base, bare)) for base in dict.fromkeys((root, work)))
    )


def _is_below(path: str, root: str) -> bool:
    return path.startswith(root.rstrip(os.sep) + os.sep)


def bearing_on(context: Context, prompt: str, known: Known) -> Bearing:
    """Return what the brain has to say to a prompt, and the session does not know yet; often that is nothing."""
    prompt = prompt[:_READ]
    context.catch_up()
    vetoes = briefing.choose_vetoes(decisions.vetoes(context, prompt), known=known.vetoes)
    told = {veto.holder.id for of_one in vetoes for veto in of_one}
    found = _found(context, briefing.questions_of(prompt))
    bar = max((_evidence(one.why) for one in found.values()), default=0.0) * LEAST_SHARE
    best = sorted(found, key=lambda id: -_evidence(found[id].why))
    fresh = [id for id in best if _evidence(found[id].why) >= bar and id not in known.ids and id not in told][
        :MOST_HITS
    ]
    stored = context.store.get_many(fresh)
    hits = [found[id].hit(stored[id].memory) for id in fresh if id in stored]
    return Bearing(tuple(hits), vetoes)


@record(frozen=True, slots=True)
class _Answer:
    """What the index says of a memory that is likely to answer a question."""

    question: str
    score: float
    why: Explanation

    def hit(self, memory: Memory) -> Hit:
        return recall.hit_of(memory, self.score, self.why, Excerpts(self.question))


def _found(context: Context, questions: Sequence[str]) -> dict[str, _Answer]:
    """Return what is likely to answer one of the questions, by id."""
    found: dict[str, _Answer] = {}
    for question in questions:
        answers, _ = context.index.search(Query(question, _LOOKED_AT, profile=AUTO), now=context.clock.now())
        for id, score, why in answers:
            if is_relevant(question, [why]) and (id not in found or _evidence(found[id].why) < _evidence(why)):
                found[id] = _Answer(question, score, why)
    return found


def _evidence(why: Explanation) -> float:
    return why.factors.get("evidence", 0.0)


def keep_told(injected: Injected, found: Bearing) -> None:
    """Remember in the session what it is told now. Raise OSError."""
    keys = [briefing.veto_key(veto) for of_one in found.vetoes for veto in of_one]
    if found.ids or keys:
        injected.tell(found.ids, keys)


def learn_from(context: Context, prompt: str, found: Bearing) -> list[str]:
    """Keep the facts that a prompt tells, as a turn of the loop does; return in words what was kept and what was not."""
    turn = loop.Turn("", Recall(found.hits, len(found.hits)))
    loop.keep_facts(context.as_one("hook"), prompt[:_READ], turn)
    skipped = [*turn.duplicates, *turn.conflicts, *turn.sensitive]
    kept = [f"kept {memory.id}: {memory.content}" for memory in turn.added]
    return [*kept, *(f"not kept: {one.content} ({one.why})" for one in skipped), *turn.notes]


def judge(context: Context, pending: Sequence[Sequence[str]], reply: str) -> None:
    """Count what was put into prompts: whether ``reply`` drew on the last of them; of earlier ones no reply is known.

    Raise a StoreError where nothing can be written now.
    """
    ids = list(dict.fromkeys(id for of_one in pending for id in of_one))
    there = {id: stored.memory for id, stored in context.store.get_many(ids).items()}
    answered = list(pending[-1]) if reply else []
    unanswered = [id for of_one in (pending[:-1] if reply else pending) for id in of_one]
    loop.weigh_reply(
        context,
        [there[id] for id in answered if id in there],
        reply,
        action="hook_response",
        unanswered=[there[id] for id in unanswered if id in there],
    )
