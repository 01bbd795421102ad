"""What happens when a memory is stored, recalled and kept up: the engine under both faces of the library.

Takes vectors and instants as arguments. Everything touches the memories of one user only. Writes what one call changes
all at once, and what recall changes as counters and states, never as texts.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from plainbrain.cognitive.adapters import StoreAdapter
from plainbrain.cognitive.answers import Found, Stats
from plainbrain.cognitive.effects import boosted, cosine_of, linked, scored, tied, ways, weight_now
from plainbrain.errors import InvalidField, NotFound
from plainbrain.lifecycle import retention as formulas
from plainbrain.lifecycle.conflicts import find_conflicts
from plainbrain.model.change import Use
from plainbrain.model.instants import Instant
from plainbrain.model.memory import Dynamics, Memory
from plainbrain.model.provenance import Provenance

_NEIGHBOURS, _CONFLICT_COSINE = 5, 0.85
CATEGORIES = ("episodic", "semantic", "procedural", "core")


@dataclass(frozen=True, slots=True)
class Draft:
    """What is to be stored: ``memory_type`` is how it is kept, ``semantic_type`` what it says (fact, plan …)."""

    content: str
    memory_type: str = formulas.SEMANTIC
    importance: float = formulas.FIRST_IMPORTANCE
    semantic_type: str = ""
    session_id: str = ""
    metadata: Mapping[str, Any] | None = None
    valid_from: Instant | None = None
    valid_until: Instant | None = None
    ttl_seconds: float | None = None


class Engine:
    """Work on one user's memories."""

    def __init__(self, adapter: StoreAdapter, *, user_id: str) -> None:
        self.adapter = adapter
        self.user_id = user_id

    # storing

    def store(self, draft: Draft, vector: tuple[float, ...], *, now: Instant) -> str:
        """Store a memory, tie it to those it resembles, mark what it contradicts; return its id."""
        if draft.memory_type not in CATEGORIES:
            raise InvalidField(
                f"memory_type {draft.memory_type!r} is none of {', '.join(CATEGORIES)}", value=draft.memory_type
            )
        if not 0 <= draft.importance <= 1:
            raise InvalidField("importance is a number from 0 to 1", value=draft.importance)
        if not draft.content.strip():
            raise InvalidField("a memory needs content", value=draft.content)
        memory = Memory(
            str(uuid.uuid4()),
            draft.content,
            kind=draft.semantic_type,
            memory_class=draft.memory_type,
            created=now,
            updated=now,
            valid_from=draft.valid_from,
            valid_until=draft.valid_until,
            ttl_seconds=draft.ttl_seconds,
            user_id=self.user_id,
            provenance=Provenance(sessions=(draft.session_id,) if draft.session_id else ()),
            dynamics=Dynamics(importance=draft.importance, stability=formulas.FIRST_STABILITY, retention=1.0),
            embedding=vector,
            metadata=dict(draft.metadata or {}),
        )
        near = self.adapter.nearest(vector, _NEIGHBOURS, user_id=self.user_id, deep=False)
        neighbours = self._mine([id for id, _ in near])
        changed = {}
        for id, cosine in near:
            weight = formulas.first_weight(cosine)
            if weight is not None and id in neighbours:
                memory = tied(memory, id, weight=weight, now=now)
                changed[id] = tied(neighbours[id], memory.id, weight=weight, now=now)
        close = [neighbours[id] for id, cosine in near if cosine > _CONFLICT_COSINE and id in neighbours]
        for finding in find_conflicts(memory, close):
            old = changed.get(finding.memory.id, finding.memory)
            changed[old.id] = replace(old, contradicted_by=memory.id)
        self.adapter.put([memory, *changed.values()])
        return memory.id

    def update(self, id: str, *, now: Instant, vector: tuple[float, ...] | None = None, **fields: Any) -> Memory:
        """Change what is given of a memory. Raise NotFound for one that is not the user's."""
        memory = self._one(id)
        if (importance := fields.pop("importance", None)) is not None:
            memory = replace(memory, dynamics=replace(memory.dynamics, importance=importance))
        if vector is not None:
            fields["embedding"] = vector
        memory = replace(memory, updated=now, **fields)
        self.adapter.put([memory])
        return memory

    def delete(self, id: str) -> None:
        """Take a memory away. Raise NotFound for one that is not the user's."""
        self.adapter.remove([self._one(id).id])

    def clear(self) -> int:
        """Take away every memory of this user, and of no other; return how many."""
        ids = [memory.id for memory in self.mine()]
        self.adapter.remove(ids)
        return len(ids)

    def link(self, one: str, other: str, *, strength: float, now: Instant) -> float:
        """Strengthen the link between two memories, at most to 1; return its strength."""
        a, b = self._one(one), self._one(other)
        if a.id == b.id or not 0 < strength <= 1:
            raise InvalidField("a link joins two memories with a strength above 0, up to 1", value=strength)
        old = next((link for link in a.links if link.to == b.id and link.strength is not None), None)
        total = min(1.0, strength + (0.0 if old is None or old.strength is None else old.strength))
        made = now if old is None or old.created is None else old.created
        self.adapter.put(
            [linked(a, b.id, strength=total, made=made, now=now), linked(b, a.id, strength=total, made=made, now=now)]
        )
        return total

    # recalling

    def search(
        self,
        vector: tuple[float, ...],
        *,
        limit: int,
        session_id: str,
        deep: bool,
        categories: Sequence[str],
        now: Instant,
    ) -> list[Found]:
        """Return the best memories for a query, best first, and let recall do to them what recall does."""
        direct = self._direct(vector, limit=limit, deep=deep, categories=categories, now=now)
        best_of = {found.id: found for found in direct}
        for found in self._followed(vector, direct, deep=deep, categories=categories, now=now):
            own = best_of.get(found.id)
            if own is None:
                best_of[found.id] = found
            elif found.score > own.score:
                best_of[found.id] = replace(own, score=found.score)
        best = sorted(best_of.values(), key=lambda found: -found.score)[:limit]
        changed = self._recalled(best, session_id=session_id, now=now)
        self.adapter.put(list(changed.values()))
        return [replace(found, memory=changed.get(found.id, found.memory)) for found in best]

    def _direct(
        self, vector: tuple[float, ...], *, limit: int, deep: bool, categories: Sequence[str], now: Instant
    ) -> list[Found]:
        many, found = 3 * limit, list[Found]()
        while True:
            near = self.adapter.nearest(vector, many, user_id=self.user_id, deep=deep)
            memories = self._mine([id for id, _ in near])
            found = []
            for id, cosine in near:
                memory = memories.get(id)
                if memory is None or (categories and memory.class_ not in categories):
                    continue
                if (hit := scored(memory, cosine, deep=deep, now=now)) is not None:
                    found.append(hit)
            if len(found) >= limit or len(near) < many:
                return sorted(found, key=lambda f: -f.score)[:limit]
            many *= 4

    def _followed(
        self, vector: tuple[float, ...], direct: list[Found], *, deep: bool, categories: Sequence[str], now: Instant
    ) -> Iterator[Found]:
        """Yield what the direct hits lead to: an association counts by its own likeness, a link by that of its other end."""
        leads: dict[str, tuple[float, float, str]] = {}
        for hit in direct:
            for to, weight, is_link in ways(hit.memory, now):
                way = (weight * hit.cosine if is_link else 0.0, weight, hit.id)
                if weight >= formulas.FOLLOWED_FROM and to != hit.id and way > leads.get(to, (0.0, 0.0, "")):
                    leads[to] = way
        for id, memory in self._mine(list(leads)).items():
            hidden = not memory.is_live or memory.dynamics.cold or memory.dynamics.stub
            if (hidden and not deep) or (categories and memory.class_ not in categories):
                continue
            led, weight, via = leads[id]
            cosine = cosine_of(vector, memory.embedding)
            found = scored(memory, max(led, cosine * weight), deep=deep, now=now)
            if found is not None:
                yield replace(found, cosine=cosine, via=via)

    def _recalled(self, best: Iterable[Found], *, session_id: str, now: Instant) -> dict[str, Memory]:
        changed = {}
        for found in best:
            changed[found.id] = boosted(found.memory, session_id=session_id, direct=not found.via, now=now)
        direct = [found.id for found in best if not found.via]
        for one, other in combinations(direct, 2):
            for here, there in ((one, other), (other, one)):
                old = next((a for a in changed[here].dynamics.associations if a.to == there), None)
                weight = formulas.strengthened(0.0 if old is None else weight_now(old, now))
                changed[here] = tied(changed[here], there, weight=weight, now=now)
        return changed

    def retrieve(
        self, vector: tuple[float, ...], *, limit: int, min_retention: float, categories: Sequence[str], now: Instant
    ) -> list[Found]:
        """Return the best memories by likeness times retention, and change nothing."""
        found = self._direct(vector, limit=limit * 3, deep=False, categories=categories, now=now)
        held = [replace(f, score=f.cosine * f.retention) for f in found if f.retention >= min_retention]
        return sorted(held, key=lambda f: -f.score)[:limit]

    def get(self, id: str, *, now: Instant) -> Memory | None:
        """Return a memory of the user and count the access; None when there is none."""
        memory = self._mine([id]).get(id)
        if memory is not None:
            self.adapter.record([Use(id, now, accesses=1)])
        return memory

    def query(self, **wanted: Any) -> list[Memory]:
        """Return the user's memories that pass the filters, oldest first."""
        found = [memory for memory in self.mine() if _passes(memory, **wanted)]
        offset, limit = wanted.get("offset", 0), wanted.get("limit")
        return found[offset:] if limit is None else found[offset : offset + limit]

    def stats(self, *, now: Instant) -> Stats:
        """Count the user's memories."""
        memories = list(self.mine())
        held = [formulas.retention_of(memory, now) for memory in memories]
        hot = [m for m in memories if not m.dynamics.cold and not m.dynamics.stub]
        return Stats(
            total=len(memories),
            hot=len(hot),
            cold=sum(m.dynamics.cold for m in memories),
            stub=sum(m.dynamics.stub for m in memories),
            core=sum(m.class_ == formulas.CORE for m in memories),
            faint=sum(r < formulas.FAINT_BELOW for r in held),
            superseded=sum(not m.is_live for m in memories),
            average_retention=sum(held) / len(held) if held else 0.0,
        )

    # whose

    def mine(self) -> Iterator[Memory]:
        """Yield the user's memories, oldest first."""
        return (memory for memory in self.adapter.all() if memory.user_id == self.user_id)

    def _mine(self, ids: Sequence[str]) -> dict[str, Memory]:
        return {id: m for id, m in self.adapter.get_many(ids).items() if m.user_id == self.user_id}

    def _one(self, id: str) -> Memory:
        found = self._mine([id]).get(id)
        if found is None:
            raise NotFound(f"no memory {id!r} of {self.user_id!r}", value=id)
        return found


def _passes(
    memory: Memory,
    *,
    categories: Sequence[str] = (),
    min_importance: float = 0.0,
    created_after: Instant | None = None,
    created_before: Instant | None = None,
    include_superseded: bool = False,
    offset: int = 0,
    limit: int | None = None,
) -> bool:
    if memory.dynamics.stub or (not memory.is_live and not include_superseded):
        return False
    if categories and memory.class_ not in categories:
        return False
    made = memory.created.ms if memory.created is not None else None
    for bound, wrong in ((created_after, -1), (created_before, 1)):
        if bound is not None and bound.ms is not None and (made is None or (made - bound.ms) * wrong > 0):
            return False
    return formulas.figures_of(memory)[1] >= min_importance
