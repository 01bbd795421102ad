"""Likeness measured by a service: agent-brain's remote embeddings in its three policies.

Owns when the service is asked and what its figures change: of each memory the likeness, and by it the score and
the order. Words, tags and confidence count as the index found them. When the service fails, the local figures
stand, and every hit says why.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

from plainbrain.app.context import Context, Remote
from plainbrain.errors import Unavailable
from plainbrain.model.hit import Explanation
from plainbrain.model.memory import Memory
from plainbrain.model.query import Query
from plainbrain.retrieval.policies import POLICIES, Policy, sure_weight

Found = tuple[list[tuple[str, float, Explanation]], int]
MODE, REASON = "semantic_mode", "semantic_reason"


def search_by_likeness(context: Context, query: Query, remote: Remote) -> Found:
    """Return what ``Index.search`` would, with the likeness of the service where it can be had."""
    policy = POLICIES[query.profile]
    if remote.embedder is None:
        return _locally(context, query, remote.reason)
    ids = [memory.id for memory in context.index.find(query, now=context.clock.now())]
    if len(ids) > remote.limit:
        return _locally(context, query, "entry_limit")
    memories = [stored.memory for stored in context.store.get_many(ids).values()]
    if not memories:
        return [], 0
    try:
        wanted = remote.embedder.embed([query.text])[0]
    except Unavailable:
        return _locally(context, query, "remote_query_error")
    try:
        vectors = remote.embedder.embed([memory.content for memory in memories])
    except Unavailable:
        return _locally(context, query, "remote_entry_error")
    if any(len(vector) != len(wanted) for vector in vectors):
        return _locally(context, query, "remote_entry_error")
    by_words, _ = context.index.search(replace(query, k=len(ids), offset=0), now=context.clock.now())
    known = {id: explanation for id, _, explanation in by_words}
    scored = [
        (memory, _explain(policy, known.get(memory.id), memory, likeness=_cosine(wanted, vector)))
        for memory, vector in zip(memories, vectors, strict=True)
    ]
    return _best(scored, query)


def _best(scored: Iterable[tuple[Memory, Explanation | None]], query: Query) -> Found:
    hits = [(memory.id, why.factors["score"], why) for memory, why in scored if why is not None]
    hits.sort(key=lambda hit: -hit[1])
    return hits[query.offset : query.offset + query.k], len(hits)


def _explain(policy: Policy, found: Explanation | None, memory: Memory, *, likeness: float) -> Explanation | None:
    """Return the factors of a memory with the service's likeness; None when it is no hit by words nor by likeness."""
    factors = dict(found.factors) if found else dict.fromkeys(("lexical", "semantic", "keyword", "tag"), 0.0)
    lexical = factors["lexical"]
    if lexical <= 0 and likeness < policy.floor:
        return None
    if found is None:
        factors |= {"conf": sure_weight(memory), "recency": 0.0, "freq": 0.0}
        rest = 0.0
    else:
        rest = factors["score"] - policy.lexical * lexical - policy.semantic * factors["semantic"]
    factors["semantic"] = likeness
    factors["score"] = policy.lexical * lexical + policy.semantic * likeness + rest
    return Explanation(factors, {MODE: "remote", REASON: "remote_enabled"})


def _locally(context: Context, query: Query, reason: str) -> Found:
    found, total = context.index.search(query, now=context.clock.now())
    return [(id, score, replace(why, notes={MODE: "local", REASON: reason})) for id, score, why in found], total


def _cosine(one: list[float], other: list[float]) -> float:
    return max(0.0, math.fsum(a * b for a, b in zip(one, other, strict=True)))
