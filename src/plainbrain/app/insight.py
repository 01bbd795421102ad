"""Looking at the whole of a brain: reflection, clusters, tags, counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import uuid4

from plainbrain.app.context import Context
from plainbrain.lifecycle.consolidate import Cluster, find_clusters, summarise
from plainbrain.lifecycle.reflect import Reflection, reflect
from plainbrain.lifecycle.sessions import sessions_counted
from plainbrain.lifecycle.supersede import retire
from plainbrain.lifecycle.tags import Branch, tag_tree
from plainbrain.model.change import ABSENT, Activity, Change, Plan, Put
from plainbrain.model.memory import Memory
from plainbrain.model.query import Query
from plainbrain.text.slug import slugify, with_suffix

SCHEMA_VERSION = 4


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts of a brain, in the order in which the values were first seen."""

    version: int
    sessions: int
    active: int
    superseded: int
    by_kind: dict[str, int]
    by_class: dict[str, int]
    by_confidence: dict[str, int]
    by_source: dict[str, int]
    successes: int
    last_decay: str


def everything(context: Context) -> list[Memory]:
    """Return the cards of all memories, oldest first, what is no longer in effect among them."""
    context.catch_up()
    return list(context.index.find(Query("", include_superseded=True)))


def whole(context: Context, query: Query) -> Iterator[Memory]:
    """Yield the memories that pass the filters of ``query``, text included, oldest first."""
    context.catch_up()
    batch: list[str] = []
    for card in context.index.find(query, now=context.clock.now()):
        batch.append(card.id)
        if len(batch) == 500:
            yield from _read(context, batch)
            batch = []
    yield from _read(context, batch)


def _read(context: Context, ids: Sequence[str]) -> Iterator[Memory]:
    stored = context.store.get_many(ids)
    return (stored[id].memory for id in ids if id in stored)


def reflect_on(context: Context) -> Reflection:
    """Tell how the memory is."""
    sessions = sessions_counted(context.store.journal.values())
    memories = list(whole(context, Query("", include_superseded=True)))
    return reflect(memories, now=context.clock.now(), sessions=sessions)


def clusters(context: Context) -> tuple[Cluster, ...]:
    """Return groups of live memories that could become one, biggest first."""
    return find_clusters(whole(context, Query("")))


def consolidate(context: Context, found: Sequence[Cluster]) -> list[Memory]:
    """Write a summary of each cluster and supersede its members by it; nothing is deleted."""
    at = context.clock.now()
    made: list[Memory] = []
    for cluster in found:
        members = [s for s in context.store.get_many([m.id for m in cluster.members]).values() if s.memory.is_live]
        if len(members) < len(cluster.members):
            continue  # a member went into another summary, or was changed by somebody: next time
        summary = summarise(cluster, id=_new_id(context, cluster.tag), now=at)
        changes: list[Change] = [Put(summary, ABSENT)]
        changes += [Put(retire(s.memory, summary.id, at=at, reason="consolidated"), s.revision) for s in members]
        context.carry_out(
            Plan(tuple(changes), (Activity(at, "consolidate", summary.id, f"{len(members)} entries of {cluster.tag}"),))
        )
        made.append(summary)
    return made


def _new_id(context: Context, tag: str) -> str:
    if not context.store.traits.slug_ids:
        return str(uuid4())
    slug, number = slugify(f"summary of {tag}"), 1
    while context.store.get_many([slug if number == 1 else with_suffix(slug, number)]):
        number += 1
    return slug if number == 1 else with_suffix(slug, number)


def tags(context: Context) -> tuple[Branch, ...]:
    """Return the tags of live memories as a tree, most carried first."""
    context.catch_up()
    return tag_tree(context.index.find(Query("")))


def stats(context: Context) -> Stats:
    """Count by type, class, confidence and source."""
    cards = everything(context)
    live = [m for m in cards if m.is_live]
    values = context.store.journal.values()
    return Stats(
        version=SCHEMA_VERSION,
        sessions=sessions_counted(values),
        active=len(live),
        superseded=len(cards) - len(live),
        by_kind=dict(Counter(m.kind for m in live)),
        by_class=dict(Counter(m.class_ for m in live)),
        by_confidence=dict(Counter(m.confidence.label for m in live)),
        by_source=dict(Counter(m.source or m.provenance.origin or "unknown" for m in live)),
        successes=sum(m.usage.successes for m in live),
        last_decay=values.get("last_decay", ""),
    )
