"""The brain as a library: one object, one method for each thing that can be done with memories.

A ``Brain`` decides nothing itself: it gathers a store, an index and a clock, and calls the use cases.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from plainbrain.app import recall, wiring
from plainbrain.app.clocks import read_clock
from plainbrain.app.context import Channel, Context
from plainbrain.app.settings import Settings, load_settings, store_url
from plainbrain.errors import BrainError
from plainbrain.later import later
from plainbrain.model.change import Activity, Plan
from plainbrain.model.hit import Recall
from plainbrain.model.links import RELATES_TO
from plainbrain.model.memory import Memory
from plainbrain.model.problem import Problem
from plainbrain.model.query import Query
from plainbrain.ports import Clock, Progress, Store

if TYPE_CHECKING:
    from plainbrain.app import (
        decisions,
        doctor,
        entries,
        forgetting,
        history,
        ingest,
        insight,
        learn,
        loop,
        moving,
        remember,
        use,
    )
    from plainbrain.app.entries import Added, Said
    from plainbrain.lifecycle import admit
    from plainbrain.lifecycle.admit import Draft
    from plainbrain.lifecycle.edits import Edit
else:  # a command loads only the use cases that it calls
    decisions, doctor, entries, forgetting, history, ingest, insight, learn, loop, moving, remember, use = (
        later(f"plainbrain.app.{name}")
        for name in "decisions doctor entries forgetting history ingest insight learn loop moving remember use".split()  # noqa: SIM905
    )
    admit = later("plainbrain.lifecycle.admit")


class Brain:
    """Remember, recall and keep true. Use it as a context manager, or call ``close``.

    Every method may raise a ``BrainError``: ``NotFound`` for an unknown id, ``InputError`` for what cannot
    be meant, ``Refused`` for a secret, a ``StoreError`` for a store that cannot do it now.
    """

    def __init__(self, context: Context, settings: Settings | None = None) -> None:
        self.context = context
        self.settings = settings

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of files and locks."""
        self.context.index.close()
        self.context.store.close()
        if self.context.mirror is not None:
            self.context.mirror.close()

    @property
    def store(self) -> Store:
        """The store that holds the truth."""
        return self.context.store

    def initialise(self) -> None:
        """Make the file of a store that is one; a folder is there already."""
        if not self.store.traits.folder:
            self.store.journal.update(dict)

    def _environment(self) -> Mapping[str, str]:
        return {} if self.settings is None else self.settings.environment

    def search(self, text: str, k: int = 10, **narrow: object) -> Recall:
        """Return the ``k`` best memories for any text; ``narrow`` takes the fields of ``Query`` (``cortex``, ``tags`` …)."""
        return recall.search(self.context, Query(text, k, **narrow))  # type: ignore[arg-type]

    def ask(self, query: Query) -> Recall:
        """Return the best memories for a ready ``Query``."""
        return recall.search(self.context, query)

    def skim(self, query: Query) -> Recall:
        """Return what ``ask`` does, as cards to choose from: faster, without the texts."""
        return recall.skim(self.context, query)

    def read(self, id: str) -> recall.Reading:
        """Return one memory whole, with its written form and what points at it."""
        return recall.read(self.context, id)

    def get(self, id: str) -> Memory:
        """Return one memory by its exact id."""
        return self.context.require(id).memory

    def memories(self, query: Query | None = None) -> Iterator[Memory]:
        """Yield the cards (everything but the text) of live memories, oldest first; ``query`` narrows."""
        return recall.list_memories(self.context, query or Query(""))

    def lacking(self) -> tuple[str, ...]:
        """Return in words what a list may lack now: notes that cannot be read, an index that lags."""
        return recall.lacking(self.context)

    def left_out(self) -> list[Problem]:
        """Return what of the store cannot be read now."""
        return recall.left_out(self.context)

    def cortices(self, query: Query | None = None) -> list[tuple[str, int]]:
        """Return every theme with the number of its live memories."""
        return recall.count_cortices(self.context, query or Query(""))

    def touch(self, ids: Sequence[str]) -> bool:
        """Count one use of each; False when the store could not be written just now."""
        return recall.touch(self.context, ids)

    # remember

    def encode(self, title: str = "", body: str = "", **fields: object) -> remember.Encoded:
        """Keep a new memory; ``fields`` are those of ``Draft`` (``cortex``, ``kind``, ``tags``, ``supersedes`` …)."""
        return remember.encode(self.context, admit.Draft(title, body, **fields))  # type: ignore[arg-type]

    def keep(self, draft: Draft) -> remember.Encoded:
        """Keep a new memory from a ready ``Draft``; the notes tell what stands beside it."""
        return remember.encode_looking(self.context, draft)

    def keep_many(self, drafts: Iterable[Draft]) -> Iterator[remember.Encoded | BrainError]:
        """Keep many, one after the other; a bad one yields its error and stops nothing."""
        together = self.as_one("encode many")
        for draft in drafts:
            try:
                yield remember.encode(together.context, draft)
            except BrainError as error:
                yield error

    def link(self, a: str, b: str, rel: str = RELATES_TO) -> Plan:
        """Link two memories both ways."""
        return remember.link(self.context, a, b, rel=rel)

    def unlink(self, a: str, b: str, rel: str = "") -> Plan:
        """Take the links between two memories away."""
        return remember.unlink(self.context, a, b, rel=rel)

    def supersede(self, old: str, new: str, reason: str = "") -> Plan:
        """Retire ``old`` in favour of ``new``, keeping its history."""
        return remember.supersede_memory(self.context, old, new, reason=reason)

    def validate(self, id: str, confidence: float | str | None = None) -> Memory:
        """Record that a memory was checked today; return it."""
        return remember.validate(self.context, id, confidence=confidence)

    def edit(self, id: str, edits: Sequence[Edit]) -> tuple[Memory, Memory]:
        """Make edits of one memory as one step; return it before and after."""
        return remember.edit(self.context, id, edits)

    def move(self, id: str, *, new_id: str = "", cortex: str = "") -> Plan:
        """Rename a memory or change its theme, mending the links to it."""
        return moving.move(self.context, id, new_id=new_id, cortex=cortex)

    def invalidate(self, id: str, reason: str = "") -> Plan:
        """Say that a memory is no longer true."""
        return remember.invalidate_memory(self.context, id, reason=reason)

    def forget(self, id: str) -> forgetting.Forgotten:
        """Remove a memory for good; return what went with it, and what still points at it."""
        return forgetting.forget(self.context, id)

    # the learning loop

    def get_entries(self, query: Query, *, explain: bool = False) -> use.Got:
        """Recall by one of agent-brain's policies, and count that the hits were used."""
        return use.get_entries(self.context, query, explain=explain)

    def entries(self, query: Query | None = None) -> Iterator[Memory]:
        """Yield live memories with their text, oldest first; ``query`` narrows."""
        return insight.whole(self.context, query or Query(""))

    def add(self, said: Said) -> Added:
        """Keep what was said as an entry; the same words again make it sure."""
        return entries.add(self.context, said)

    def correct(self, wrong_id: str, right: str, reason: str = "", tags: str = "") -> learn.Corrected:
        """Replace a wrong claim by the right one."""
        return learn.correct_memory(self.context, wrong_id, right, reason=reason, tags=tags)

    def succeed(self, id: str) -> tuple[int, tuple[str, ...]]:
        """Record that a memory was applied with success; return the total and what was upgraded."""
        return learn.succeed(self.context, id)

    def take_turn(self, message: str, query: Query, *, feedback: str = "", response: str = "") -> loop.Turn:
        """Recall for a message, keep the facts in it, learn from feedback."""
        return loop.take_turn(self.context, message, query, feedback=feedback, response=response)

    def touch_or_raise(self, id: str) -> None:
        """Count one use; raise a StoreError when it cannot be written."""
        recall.touch_or_raise(self.context, [id])
        self.context.keep_that(f"touch {id}")

    def ingest(self, url: str, *, tags: str = "", title: str = "") -> Added:
        """Fetch a page and keep its text, unreviewed. Raise Refused unless AGENT_BRAIN_INGEST is on."""
        return ingest.ingest(self.context, url, tags=tags, title=title, environment=self._environment())

    # decisions

    def check(self, text: str, *, files: Sequence[str] | str = (), k: int = 5) -> decisions.Check:
        """Tell which rejected alternatives a text is about to repeat, and the ``k`` decisions that bear on it."""
        return decisions.check(self.context, text, files=files, k=k)

    def explain(self, file: str, k: int = 20) -> decisions.Explained:
        """Return what holds for a file."""
        return decisions.explain(self.context, file, k=k)

    def outcome(self, id: str, became: str, evidence: str = "") -> Plan:
        """Record what became of a decision: ``confirmed``, ``revert`` or ``incident``."""
        return decisions.outcome(self.context, id, became, evidence=evidence)

    def unreviewed(self) -> list[Memory]:
        """Return what nobody has confirmed yet, as cards, oldest first."""
        return decisions.unreviewed(self.context)

    def approve(self, id: str, edits: Sequence[Edit] = ()) -> Memory:
        """Say that a person found a memory right, after ``edits``; return it."""
        return decisions.approve(self.context, id, edits)

    def reject(self, id: str, reason: str = "") -> Plan:
        """Throw a memory out in review."""
        return decisions.reject(self.context, id, reason=reason)

    # upkeep

    def undo(self) -> history.Undone:
        """Take the last operation back."""
        return history.undo(self.context)

    def log(self, limit: int | None = 50, action: str = "", id: str = "") -> list[Activity]:
        """Return what happened, newest first."""
        return self.context.store.journal.read(limit=limit, action=action, id=id)

    def status(self) -> doctor.Status:
        """Return where the brain is and what it holds, in numbers."""
        return doctor.status(self.context)

    def examine(self) -> doctor.Report:
        """Look for everything that is wrong, and change nothing."""
        return doctor.examine(self.context)

    def repair(self) -> doctor.Report:
        """Mend what can be mended safely; return what was mended and what is left."""
        return doctor.repair(self.context.as_one("doctor --fix"))

    # ways of opening

    def watch(self) -> Self:
        """Notice changes of the folder as they happen, for a brain that stays open; return the same brain."""
        wiring.watch(self.context.store)
        return self

    def rehearsal(self) -> Brain:
        """Return the same brain with every write checked and none done."""
        return Brain(
            replace(self.context, store=wiring.rehearse(self.context.store), mirror=None, history=None), self.settings
        )

    def as_one(self, told: str) -> Brain:
        """Return the same brain, all that is written through it being one operation to take back, ``told`` so."""
        return Brain(self.context.as_one(told), self.settings)

    def through(self, channel: Channel) -> Brain:
        """Return the same brain, asked through another door."""
        return Brain(replace(self.context, channel=channel), self.settings)


def open_brain(
    store: str | Path = "",
    *,
    clock: Clock | None = None,
    channel: Channel | None = None,
    environment: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Brain:
    """Open the brain that is there: a URL (``vault:DIR``, ``sqlite:FILE`` …), a path, or what the settings name.

    Never creates anything in the store. Raise NoBrain for a folder that does not exist.
    """
    settings = load_settings(os.environ if environment is None else environment, store=str(store))
    clock = clock or read_clock(settings.environment)
    opened = wiring.open_store(settings.store, clock=clock)
    return assemble(settings, opened, clock=clock, channel=channel, progress=progress)


def make_brain(
    store: str | Path = "",
    *,
    clock: Clock | None = None,
    channel: Channel | None = None,
    environment: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Brain:
    """Open a brain, making its folder first if it is not there."""
    settings = load_settings(os.environ if environment is None else environment, store=str(store))
    clock = clock or read_clock(settings.environment)
    opened = wiring.make_store(settings.store, clock=clock)
    return assemble(settings, opened, clock=clock, channel=channel, progress=progress)


def assemble(
    settings: Settings,
    store: Store,
    *,
    clock: Clock | None = None,
    channel: Channel | None = None,
    progress: Progress | None = None,
) -> Brain:
    """Put a brain together around an open store."""
    index = wiring.open_index(store, settings.cache, model=wiring.open_embedder(settings))
    clock = clock or read_clock(settings.environment)
    context = Context(
        wiring.audit(store, settings.audit, clock=clock),
        index,
        clock,
        channel=channel or Channel(actor=settings.actor),
        pii_strict=settings.pii_strict,
        progress=progress,
        mirror=wiring.open_mirror(settings.environment),
        remote=wiring.open_remote(settings.environment, settings.cache),
        history=wiring.open_history(store),
    )
    return Brain(context, settings)


__all__ = ["Brain", "assemble", "make_brain", "open_brain", "store_url"]
