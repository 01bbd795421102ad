"""The library: recall, forgetting, users, tiers and summaries, over every kind of adapter."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from plainbrain.app.wiring import make_store
from plainbrain.cognitive import (
    CognitiveMemory,
    HashEmbeddings,
    InMemoryAdapter,
    JsonlAdapter,
    StoreAdapter,
    SyncCognitiveMemory,
)
from plainbrain.errors import InvalidField, NotFound
from plainbrain.testing.builders import FixedClock

ADAPTERS: dict[str, Callable[[Path], StoreAdapter]] = {
    "jsonl": lambda place: JsonlAdapter(file_path=place / "memories.jsonl"),
    "ram": lambda place: InMemoryAdapter(),
    "json": lambda place: StoreAdapter(make_store(f"json:{place / 'memory.json'}")),
    "sqlite": lambda place: StoreAdapter(make_store(f"sqlite:{place / 'memory.db'}")),
}
AXES = {"tea": 0, "coffee": 1, "rain": 2, "sun": 3}


def axes(text: str) -> list[float]:
    """Embed by four words and a little of everything, so that likeness can be worked out by hand."""
    found = [0.0] * 5
    for word in text.lower().split():
        found[AXES.get(word, 4)] += 1.0
    return found if any(found) else [0.0, 0.0, 0.0, 0.0, 1.0]


@pytest.fixture(params=sorted(ADAPTERS))
def adapter(request: pytest.FixtureRequest, tmp_path: Path) -> StoreAdapter:
    made: StoreAdapter = ADAPTERS[request.param](tmp_path)
    return made


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


def memory_of(adapter: StoreAdapter, clock: FixedClock, user: str = "ann") -> SyncCognitiveMemory:
    return SyncCognitiveMemory(adapter=adapter, embedding_provider=axes, user_id=user, clock=clock)


def test_stores_and_finds(adapter: StoreAdapter, clock: FixedClock) -> None:
    memory = memory_of(adapter, clock)
    tea = memory.store(content="tea", memory_type="semantic", importance=0.7)
    memory.store("rain")
    [first, second] = memory.search("tea")
    assert (first.id, first.content) == (tea, "tea")
    assert first.cosine == pytest.approx(1.0)
    assert second.score == pytest.approx(0.0)
    stored = memory.get(tea)
    assert stored is not None
    assert (stored.dynamics.importance, stored.memory_class, stored.user_id) == (0.7, "semantic", "ann")


def test_each_user_sees_and_clears_only_their_own(adapter: StoreAdapter, clock: FixedClock) -> None:
    ann, bob = memory_of(adapter, clock), memory_of(adapter, clock, "bob")
    mine, his = ann.store("tea"), bob.store("tea")
    assert [found.id for found in bob.search("tea", deep_recall=True)] == [his]
    assert bob.get(mine) is None
    for refused in (lambda: bob.delete(mine), lambda: bob.update(mine, importance=0.1), lambda: bob.link(his, mine)):
        with pytest.raises(NotFound):
            refused()
    assert bob.clear() == 1
    assert [found.id for found in ann.search("tea")] == [mine]
    assert bob.stats().total == 0


def test_recall_makes_a_memory_hold(adapter: StoreAdapter, clock: FixedClock) -> None:
    memory = memory_of(adapter, clock)
    id = memory.store("tea")
    clock.advance(days=7)
    [found] = memory.search("tea", session_id="s1")
    assert found.retention == pytest.approx(0.9073, abs=1e-4)  # exp(-7/72)
    assert found.score == pytest.approx(0.9713, abs=1e-4)  # that to the power of 0.3
    assert found.memory.dynamics.stability == pytest.approx(0.4)
    assert (found.memory.usage.accesses, found.memory.provenance.sessions) == (1, ("s1",))
    [again] = memory.search("tea", session_id="s1")
    assert again.retention == 1.0
    assert again.memory.dynamics.stability == pytest.approx(0.4)
    assert memory.query()[0].id == id


def test_ten_spaced_recalls_in_three_sessions_make_it_core(adapter: StoreAdapter, clock: FixedClock) -> None:
    memory = memory_of(adapter, clock)
    memory.store("tea")
    for number in range(10):
        assert memory.stats().core == 0
        clock.advance(days=7)
        memory.search("tea", session_id=f"s{number % 3}")
    assert memory.stats().core == 1


def test_what_is_recalled_together_is_tied_and_fades_from_its_date(adapter: StoreAdapter, clock: FixedClock) -> None:
    memory = memory_of(adapter, clock)
    tea, rain = memory.store("tea"), memory.store("rain")
    for _ in range(4):
        memory.search("tea rain")
    [weight] = [a.weight for m in memory.query() if m.id == tea for a in m.dynamics.associations if a.to == rain]
    assert weight == pytest.approx(0.4)
    found = memory.search("tea", limit=1)
    assert [hit.id for hit in found] == [tea]
    clock.advance(days=90)
    for _ in range(3):
        memory.get(tea)
        weights = [a.weight for m in memory.query() if m.id == tea for a in m.dynamics.associations if a.to == rain]
        assert weights == [pytest.approx(0.4)]


def test_a_link_that_somebody_made_is_followed(adapter: StoreAdapter, clock: FixedClock) -> None:
    memory = memory_of(adapter, clock)
    tea, sun = memory.store("tea"), memory.store("sun")
    for _ in range(3):
        memory.store("tea coffee coffee coffee")
    assert sun not in {found.id for found in memory.retrieve("tea", limit=2)}
    assert sun not in {found.id for found in memory.search("tea", limit=2)}
    assert memory.link(sun, tea, strength=0.6) == 0.6
    assert memory.link(tea, sun) == 1.0
    [first, second] = memory.search("tea", limit=2)
    assert (first.id, second.id, second.via) == (tea, sun, tea)
    assert second.cosine == pytest.approx(0.0)
    with pytest.raises(InvalidField):
        memory.link(tea, tea)


def test_plans_that_are_over_are_found_by_deep_recall_alone(adapter: StoreAdapter, clock: FixedClock) -> None:
    memory = memory_of(adapter, clock)
    memory.store("tea", semantic_type="plan", ttl_seconds=3600)
    assert len(memory.search("tea")) == 1
    clock.advance(seconds=3601)
    assert memory.search("tea") == []
    [found] = memory.search("tea", deep_recall=True)
    assert found.score == pytest.approx(0.5, abs=1e-3)


def test_a_week_at_the_floor_is_a_week_and_not_seven_calls(adapter: StoreAdapter, clock: FixedClock) -> None:
    memory = memory_of(adapter, clock)
    id = memory.store("tea")
    clock.advance(days=288)  # the floor is reached after 281.7 days
    for _ in range(10):
        assert memory.tick().cooled == ()
    clock.advance(days=1)
    assert memory.tick().cooled == (id,)
    assert memory.tick().cooled == ()
    assert memory.search("tea") == []
    [found] = memory.search("tea", deep_recall=True)
    assert not found.memory.dynamics.cold
    assert memory.stats().hot == 1


def test_half_a_year_in_the_cold_leaves_a_stub(adapter: StoreAdapter, clock: FixedClock) -> None:
    memory = memory_of(adapter, clock)
    id = memory.store("tea")
    clock.advance(days=300)
    memory.tick()
    clock.advance(days=179)
    assert memory.tick().stubbed == ()
    clock.advance(days=1)
    assert memory.tick().stubbed == (id,)
    stub = memory.get(id)
    assert stub is not None
    assert (stub.content, stub.embedding) == ("[archived] tea", None)
    assert memory.stats().stub == 1


def test_fading_memories_that_are_alike_are_summed_up_and_none_is_deleted(
    adapter: StoreAdapter, clock: FixedClock
) -> None:
    memory = memory_of(adapter, clock)
    ids = [memory.store("tea", importance=number / 10) for number in range(6)]
    memory.store("rain")
    clock.advance(days=250)
    [summary] = memory.consolidate()
    assert summary.content == "Summary: tea | tea | tea | tea | tea"
    assert summary.dynamics.importance == 0.4
    assert summary.dynamics.stability == pytest.approx(0.3)
    assert summary.supersedes == tuple(ids[:5])
    assert memory.consolidate() == []
    assert memory.stats().total == 8
    assert memory.stats().superseded == 5
    assert summary.id in {found.id for found in memory.search("tea")}
    assert not {found.id for found in memory.search("tea")} & set(ids[:5])
    old = next(found for found in memory.search("tea", deep_recall=True) if found.id == ids[0])
    assert old.memory.superseded_by == summary.id
    assert old.score < 0.5


def test_a_contradiction_is_marked_and_both_stay(adapter: StoreAdapter, clock: FixedClock) -> None:
    memory = SyncCognitiveMemory(adapter=adapter, embedding_provider=lambda text: [1.0, 0.0], clock=clock)
    old = memory.store("The staging port is 8443")
    new = memory.store("The staging port is 9443")
    stored = memory.get(old)
    assert stored is not None
    assert (stored.contradicted_by, stored.content) == (new, "The staging port is 8443")


def test_update_embeds_anew_and_retrieve_changes_nothing(adapter: StoreAdapter, clock: FixedClock) -> None:
    memory = memory_of(adapter, clock)
    id = memory.store("tea", metadata={"from": "chat"})
    changed = memory.update(id, content="rain", importance=0.9)
    assert (changed.content, changed.metadata) == ("rain", {"from": "chat"})
    before = memory.query()
    [found] = memory.retrieve("rain")
    assert found.id == id
    assert found.cosine == pytest.approx(1.0)
    assert memory.query() == before
    memory.delete(id)
    assert memory.search("rain") == []
    with pytest.raises(NotFound):
        memory.delete(id)


@pytest.mark.parametrize(
    "wrong",
    [{"memory_type": "fleeting"}, {"importance": 1.5}, {"content": "  "}],
)
def test_what_cannot_be_meant_is_refused(wrong: dict[str, Any], clock: FixedClock) -> None:
    memory = memory_of(InMemoryAdapter(), clock)
    with pytest.raises(InvalidField):
        memory.store(**{"content": "tea", **wrong})
    assert memory.query() == []


@pytest.mark.parametrize("answer", [None, [], [0.0, 0.0], [float("nan")], "text", 5])
def test_an_answer_that_is_no_vector_is_refused_and_nothing_is_stored(answer: Any, clock: FixedClock) -> None:
    memory = SyncCognitiveMemory(embedding_provider=lambda text: answer, clock=clock)
    with pytest.raises(InvalidField):
        memory.store("tea")
    assert memory.query() == []


class Slow:
    """An embedder that is asynchronous."""

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [axes(text) for text in texts]


@pytest.mark.parametrize("provider", [axes, Slow(), HashEmbeddings()])
def test_both_twins_take_any_provider(provider: Any, clock: FixedClock) -> None:
    one = SyncCognitiveMemory(embedding_provider=provider, clock=clock)
    one.store("tea")
    assert one.search("tea")[0].cosine == pytest.approx(1.0)

    async def other() -> float:
        memory = CognitiveMemory(embedding_provider=provider, clock=clock)
        ids = await asyncio.gather(*(memory.store("tea") for _ in range(5)))
        await memory.link(ids[0], ids[1])
        found = await memory.search("tea")
        assert {hit.id for hit in found} == set(ids)
        assert (await memory.stats()).total == 5
        assert len(await memory.retrieve("tea")) == 5
        assert await memory.get(ids[0]) is not None
        assert (await memory.update(ids[0], content="rain")).content == "rain"
        await memory.delete(ids[1])
        assert len(await memory.query()) == 4
        assert await memory.tick() == one.tick()
        assert await memory.consolidate() == []
        assert await memory.clear() == 4
        await memory.close()
        return found[0].cosine

    assert asyncio.run(other()) == pytest.approx(1.0)


def test_the_twins_have_the_same_names_and_arguments() -> None:
    for name, method in inspect.getmembers(SyncCognitiveMemory, inspect.isfunction):
        if not name.startswith("_"):
            assert inspect.signature(getattr(CognitiveMemory, name)) == inspect.signature(method), name


def test_recall_writes_no_vector(tmp_path: Path, clock: FixedClock) -> None:
    memory = SyncCognitiveMemory(adapter=JsonlAdapter(tmp_path / "m.jsonl"), clock=clock)
    for number in range(10):
        memory.store(f"tea number {number}")
    size = (tmp_path / "m.jsonl").stat().st_size
    clock.advance(days=1)
    assert len(memory.search("tea number")) == 10
    assert (tmp_path / "m.jsonl").stat().st_size - size < 30_000
    assert b'"embedding"' not in (tmp_path / "m.jsonl").read_bytes()[size:]


def product(one: list[float], other: list[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def test_hash_embeddings_put_texts_that_share_words_near() -> None:
    one, other, far, empty = HashEmbeddings().embed(["the cat sat", "the cat ran", "stock prices fell", ""])
    assert product(one, other) > 0.5 > 0.3 > product(one, far)
    assert product(empty, empty) == pytest.approx(1.0)
