"""``SyncCognitiveMemory``: remembering for one user, one call after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from typing import Any

from plainbrain.app.clocks import SystemClock
from plainbrain.cognitive.adapters import InMemoryAdapter, StoreAdapter
from plainbrain.cognitive.answers import Found, Stats, Ticked
from plainbrain.cognitive.embedding import EmbeddingProvider, HashEmbeddings, Vector, ask, read_answer
from plainbrain.cognitive.engine import Draft, Engine
from plainbrain.cognitive.upkeep import consolidate, tick
from plainbrain.model.instants import Instant
from plainbrain.model.memory import Memory
from plainbrain.ports import Clock, Store


def adapter_of(given: StoreAdapter | Store | None) -> StoreAdapter:
    """Return the adapter that stands for what was given: an adapter, a store, or nothing (memory of this process)."""
    if given is None:
        return InMemoryAdapter()
    return given if isinstance(given, StoreAdapter) else StoreAdapter(given)


async def _awaited(answer: Awaitable[Any]) -> Any:
    return await answer


class SyncCognitiveMemory:
    """Remember for one user, synchronously.

    ``adapter`` is one of the library's or any store; ``embedding_provider`` any function of a text or object
    with ``embed``; ``clock`` tells the time (this machine's without one).
    """

    def __init__(
        self,
        *,
        adapter: StoreAdapter | Store | None = None,
        embedding_provider: EmbeddingProvider | None = None,
        user_id: str = "default",
        clock: Clock | None = None,
    ) -> None:
        self.adapter = adapter_of(adapter)
        self.user_id = user_id
        self._provider = embedding_provider or HashEmbeddings()
        self._clock = clock or SystemClock()
        self._engine = Engine(self.adapter, user_id=user_id)

    def _vector(self, text: str) -> Vector:
        answer = ask(self._provider, text)
        return answer if isinstance(answer, tuple) else read_answer(self._provider, asyncio.run(_awaited(answer)))

    def store(
        self,
        content: str,
        *,
        memory_type: str = "semantic",
        importance: float = 0.5,
        semantic_type: str = "",
        session_id: str = "",
        metadata: Mapping[str, Any] | None = None,
        valid_from: Instant | None = None,
        valid_until: Instant | None = None,
        ttl_seconds: float | None = None,
    ) -> str:
        """Store a memory and return its id. Raise InvalidField for a value it cannot have."""
        draft = Draft(
            content, memory_type, importance, semantic_type, session_id, metadata, valid_from, valid_until, ttl_seconds
        )
        return self._engine.store(draft, self._vector(content), now=self._clock.now())

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        session_id: str = "",
        deep_recall: bool = False,
        categories: Sequence[str] = (),
    ) -> list[Found]:
        """Return what is remembered about ``query``, best first; being recalled makes a memory hold longer.

        ``deep_recall`` also looks among cold, superseded and expired memories, at half their score.
        """
        return self._engine.search(
            self._vector(query),
            limit=limit,
            session_id=session_id,
            deep=deep_recall,
            categories=categories,
            now=self._clock.now(),
        )

    def retrieve(
        self, query: str, *, limit: int = 5, min_retention: float = 0.2, categories: Sequence[str] = ()
    ) -> list[Found]:
        """Return what is well remembered about ``query`` and change nothing."""
        return self._engine.retrieve(
            self._vector(query), limit=limit, min_retention=min_retention, categories=categories, now=self._clock.now()
        )

    def get(self, id: str) -> Memory | None:
        """Return a memory and count the access; None when this user has none of that id."""
        return self._engine.get(id, now=self._clock.now())

    def query(
        self,
        *,
        categories: Sequence[str] = (),
        min_importance: float = 0.0,
        created_after: Instant | None = None,
        created_before: Instant | None = None,
        include_superseded: bool = False,
        offset: int = 0,
        limit: int | None = None,
    ) -> list[Memory]:
        """Return the memories that pass the filters, oldest first."""
        return self._engine.query(
            categories=categories,
            min_importance=min_importance,
            created_after=created_after,
            created_before=created_before,
            include_superseded=include_superseded,
            offset=offset,
            limit=limit,
        )

    def update(
        self,
        id: str,
        *,
        content: str | None = None,
        importance: float | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Memory:
        """Change what is given of a memory; what it said before stays in a log's past. Raise NotFound."""
        fields: dict[str, Any] = {"content": content, "importance": importance, "metadata": metadata}
        told = {name: value for name, value in fields.items() if value is not None}
        vector = None if content is None else self._vector(content)
        return self._engine.update(id, now=self._clock.now(), vector=vector, **told)

    def delete(self, id: str) -> None:
        """Take a memory away. Raise NotFound."""
        self._engine.delete(id)

    def link(self, one: str, other: str, *, strength: float = 0.5) -> float:
        """Link two memories, or strengthen their link; a search follows it. Return its strength. Raise NotFound."""
        return self._engine.link(one, other, strength=strength, now=self._clock.now())

    def tick(self) -> Ticked:
        """Do the upkeep that is due: tiers and summaries. Calling it twice does nothing twice."""
        return tick(self._engine, now=self._clock.now())

    def consolidate(self) -> list[Memory]:
        """Sum up groups of fading memories and return the summaries; nothing is deleted."""
        return consolidate(self._engine, now=self._clock.now())

    def stats(self) -> Stats:
        """Count this user's memories."""
        return self._engine.stats(now=self._clock.now())

    def clear(self) -> int:
        """Take away every memory of this user, and of no other; return how many."""
        return self._engine.clear()

    def close(self) -> None:
        """Let go of the store."""
        self.adapter.close()
