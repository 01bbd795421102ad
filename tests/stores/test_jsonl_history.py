"""The log over time: any sequence of operations gives one state, live, reopened, compacted, rolled over and replayed."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from plainbrain.errors import BrainError, Unavailable
from plainbrain.model.change import Put, Remove, Use
from plainbrain.model.instants import Instant, from_ms
from plainbrain.model.memory import Memory
from plainbrain.notation.event.values import Event
from plainbrain.ports import Mark
from plainbrain.stores.jsonl import compact as compact_module
from plainbrain.stores.jsonl.state import State
from plainbrain.stores.jsonl.store import JsonlStore
from plainbrain.stores.ram import RamStore
from plainbrain.testing.builders import FixedClock
from plainbrain.testing.strategies import memories, units, vectors

IDS = st.sampled_from(["a", "b", "c", "d"])


class LogMachine(RuleBasedStateMachine):
    """Hold two openings of one log against the store in memory."""

    def __init__(self) -> None:
        super().__init__()
        self.place = Path(tempfile.mkdtemp(prefix="log-"))
        self.clock = FixedClock()
        self.stores = [self.open(), self.open()]
        self.model = RamStore()
        self.lines = 0
        self.mark, self.mirror = Mark(), dict[str, str]()

    def open(self) -> JsonlStore:
        return JsonlStore(self.place / "m.jsonl", clock=self.clock, durable=False, roll_over_lines=12)

    @rule(memory=memories(IDS), who=st.integers(0, 1))
    def put(self, memory: Memory, who: int) -> None:
        assert self.stores[who].apply([Put(memory)]) == self.model.apply([Put(memory)])

    @rule(many=st.lists(memories(IDS), min_size=2, max_size=3), who=st.integers(0, 1))
    def put_many(self, many: list[Memory], who: int) -> None:
        changes = [Put(memory) for memory in many]
        assert self.stores[who].apply(changes) == self.model.apply(changes)

    @rule(id=IDS, stability=units, vector=vectors, who=st.integers(0, 1))
    def recall(self, id: str, stability: float, vector: tuple[float, ...], who: int) -> None:
        if id in dict(self.model.listing()):
            old = self.model.get(id).memory
            new = replace(old, dynamics=replace(old.dynamics, stability=stability), embedding=old.embedding or vector)
            assert self.stores[who].apply([Put(new)]) == self.model.apply([Put(new)])

    @rule(id=IDS, who=st.integers(0, 1))
    def remove(self, id: str, who: int) -> None:
        outcomes = []
        for store in (self.stores[who], self.model):
            try:
                store.apply([Remove(id)])
                outcomes.append("")
            except BrainError as error:
                outcomes.append(error.code)
        assert outcomes[0] == outcomes[1]

    @rule(id=IDS, who=st.integers(0, 1), accesses=st.integers(0, 3), by=st.sampled_from([0.0, 0.0, -0.75, 0.5]))
    def use(self, id: str, who: int, accesses: int, by: float) -> None:
        at = self.clock.advance(seconds=1)
        uses = [Use(id, at, accesses=accesses, injected=1, relevance=by), Use(id, at, successes=accesses)]
        self.stores[who].record(uses)
        self.model.record(uses)

    @rule(who=st.integers(0, 1))
    def reopen(self, who: int) -> None:
        self.stores[who].close()
        self.stores[who] = self.open()

    @rule(who=st.integers(0, 1))
    def snapshot(self, who: int) -> None:
        self.stores[who].save_snapshot()

    @rule(who=st.integers(0, 1))
    def compact(self, who: int) -> None:
        self.stores[who].compact()

    @rule(who=st.integers(0, 1))
    def compact_keeping_history(self, who: int) -> None:
        self.stores[who].compact_keeping_history()

    @rule(days=st.integers(-400, 400))
    def clock_steps(self, days: int) -> None:
        self.clock.advance(days=days)

    @precondition(lambda self: any(True for _ in self.model.listing()))
    @rule(junk=st.sampled_from([b'{"type":"memory","mem', b"\0\0\0", b'{"type":"touch","memory":{"id":"a"']))
    def tear(self, junk: bytes) -> None:
        if (self.place / "m.jsonl").exists():
            with (self.place / "m.jsonl").open("ab") as file:
                file.write(junk)

    @invariant()
    def all_agree(self) -> None:
        told = {id: self.model.get(id).memory for id, _ in self.model.listing()}
        for store in (*self.stores, self.open()):
            assert {id: store.get(id).memory for id, _ in store.listing()} == told
            assert dict(store.listing()) == dict(self.model.listing())
            assert [p for p in store.problems() if p.code not in ("torn",)] == []
        replayed = self.stores[0].as_of(10**9)
        assert {id: replayed.get(id).memory for id, _ in replayed.listing()} == told

    @invariant()
    def a_reader_keeps_up(self) -> None:
        changes = self.stores[1].changes_since(self.mark)
        if changes.everything:
            self.mirror.clear()
        self.mirror.update({s.memory.id: s.revision for s in changes.stored})
        for id in changes.gone:
            self.mirror.pop(id, None)
        self.mark = Mark(changes.token)
        assert self.mirror == dict(self.model.listing())

    def teardown(self) -> None:
        for store in self.stores:
            store.close()
        shutil.rmtree(self.place)


LogMachine.TestCase.settings = settings(
    max_examples=int(os.environ.get("LOG_EXAMPLES", "25")), stateful_step_count=25, deadline=None
)
TestLog = LogMachine.TestCase


def test_replays_to_any_moment(tmp_path: Path) -> None:
    clock = FixedClock()
    store = JsonlStore(tmp_path / "m.jsonl", clock=clock, roll_over_lines=4)
    moments: list[tuple[Instant, dict[str, str]]] = []
    for number in range(10):
        at = clock.advance(days=1)
        store.apply([Put(Memory(f"m{number % 3}", f"text {number}"))])
        if number == 5:
            store.apply([Remove("m0")])
        moments.append((at, {id: store.get(id).memory.content for id, _ in store.listing()}))
    for at, told in moments:
        past = store.as_of(at)
        assert {id: past.get(id).memory.content for id, _ in past.listing()} == told
    assert list(store.as_of(from_ms(0)).listing()) == []
    assert [id for id, _ in store.as_of(3).listing()] == ["m0", "m1"]


def _told(store: JsonlStore, at: Instant) -> dict[str, str]:
    past = store.as_of(at)
    return {id: past.get(id).memory.content for id, _ in past.listing()}


def test_what_compactions_kept_tells_of_before(tmp_path: Path) -> None:
    clock = FixedClock()
    store = JsonlStore(tmp_path / "m.jsonl", clock=clock, roll_over_lines=4)
    before, moments = clock.now(), []
    clock.advance(days=1)
    for number in range(12):
        store.apply([Put(Memory(f"m{number % 3}", f"text {number}"))])
        if number % 5 == 4:
            store.apply([Remove("m0" if number == 9 else "m1")])
        moments.append((clock.now(), {id: store.get(id).memory.content for id, _ in store.listing()}))
        clock.advance(days=1)
        if number in (4, 8):
            store.compact_keeping_history()
            moments.append((clock.now(), moments[-1][1]))
            clock.advance(days=1)
    for at, told in moments:
        assert _told(store, at) == told
    assert _told(store, before) == {}


def test_a_moment_of_which_nothing_tells_any_more_is_told(tmp_path: Path) -> None:
    clock = FixedClock()
    store = JsonlStore(tmp_path / "m.jsonl", clock=clock)
    store.apply([Put(Memory("a", "one"))])
    first = clock.now()
    clock.advance(days=1)
    store.compact_keeping_history()
    second = clock.now()
    clock.advance(days=1)
    store.apply([Remove("a")])
    store.apply([Put(Memory("b", "two"))])
    lost = clock.now()
    clock.advance(days=1)
    store.compact()  # what was between the two is gone
    since = clock.now()
    assert _told(store, first) == {"a": "one"}
    assert _told(store, since) == {"b": "two"}
    for at in (second, lost):
        with pytest.raises(Unavailable) as error:
            store.as_of(at)
        assert str(since) in error.value.hint
    shutil.rmtree(tmp_path / "m.jsonl.brain" / "archive")
    with pytest.raises(Unavailable):
        store.as_of(first)


def test_rolls_over_in_an_order_that_a_clock_step_cannot_break(tmp_path: Path) -> None:
    clock = FixedClock()
    store = JsonlStore(tmp_path / "m.jsonl", clock=clock, roll_over_lines=3)
    for number in range(12):
        store.apply([Put(Memory("a", f"v{number}"))])
        clock.advance(days=-1)
    names = sorted(path.name for path in tmp_path.iterdir() if path.is_file())
    assert len(names) > 3
    assert JsonlStore(tmp_path / "m.jsonl").get("a").memory.content == "v11"
    assert store.places.archives() == sorted(store.places.archives(), key=lambda n: tuple(map(int, n.split(".")[2:])))
    store.compact()
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["m.jsonl"]
    assert JsonlStore(tmp_path / "m.jsonl").get("a").memory.content == "v11"


def test_a_thousand_updates_are_gone_after_compaction(tmp_path: Path) -> None:
    store = JsonlStore(tmp_path / "m.jsonl", durable=False)
    store.apply([Put(Memory(f"m{n}", "text", embedding=tuple(n / (i + 1) for i in range(384)))) for n in range(5)])
    before = (tmp_path / "m.jsonl").stat().st_size
    for number in range(1000):
        store.apply([Put(Memory("m1", f"text {number}", embedding=tuple(1 / (i + 1) for i in range(384))))])
    done = store.compact()
    assert done.after <= before * 1.05
    assert done.before > before * 100


def test_a_change_of_counters_writes_no_vector(tmp_path: Path) -> None:
    store = JsonlStore(tmp_path / "m.jsonl")
    memory = Memory("a", "text", embedding=tuple(float(i) for i in range(384)))
    store.apply([Put(memory)])
    before = (tmp_path / "m.jsonl").stat().st_size
    for number in range(10):
        memory = replace(
            memory,
            dynamics=replace(memory.dynamics, stability=number / 10),
            usage=replace(memory.usage, accesses=number),
        )
        store.apply([Put(memory)])
    assert (tmp_path / "m.jsonl").stat().st_size - before < 2500
    assert JsonlStore(tmp_path / "m.jsonl").get("a").memory == memory


def test_forgetting_takes_the_past_away(tmp_path: Path) -> None:
    store = JsonlStore(tmp_path / "m.jsonl", roll_over_lines=4)
    store.apply([Put(Memory("a", "a secret")), Put(Memory("b", "kept"))])
    store.record([Use("a", from_ms(1), accesses=1), Use("b", from_ms(1), accesses=1)])
    store.apply([Put(Memory("a", "another secret", embedding=(1.0, 0.5))), Put(Memory("c", "kept too"))])
    store.compact_keeping_history()
    with (tmp_path / "m.jsonl").open("ab") as file:
        file.write(b'{"type":"memory","memory":{"id":"a","content":"a torn secret')
    store.apply([Remove("a")])
    store.save_snapshot()
    store.journal.forget("a")
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {"archive", "m.jsonl.brain"} <= {path.parent.name for path in files}
    assert [path.name for path in files if b"secret" in path.read_bytes()] == []
    again = JsonlStore(tmp_path / "m.jsonl")
    assert {id: again.get(id).memory.content for id, _ in again.listing()} == {"b": "kept", "c": "kept too"}
    assert again.get("b").memory.usage.accesses == 1
    assert again.problems() == []


def test_reading_makes_nothing(tmp_path: Path) -> None:
    store = JsonlStore(tmp_path / "none" / "m.jsonl")
    assert list(store.listing()) == []
    store.record([Use("a", from_ms(1), accesses=1)])
    store.close()
    assert list(tmp_path.iterdir()) == []
    store.apply([Put(Memory("a", "x"))])
    assert (tmp_path / "none" / "m.jsonl").exists()
    assert (tmp_path / "none" / "m.jsonl").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("spoil", [b"", b"0", b"00000000\n{}"])
def test_a_spoilt_snapshot_is_passed_over(tmp_path: Path, spoil: bytes) -> None:
    store = JsonlStore(tmp_path / "m.jsonl")
    store.apply([Put(Memory("a", "x"))])
    store.save_snapshot()
    (tmp_path / "m.jsonl.brain" / "snapshot.json").write_bytes(spoil)
    assert JsonlStore(tmp_path / "m.jsonl").get("a").memory.content == "x"


def test_a_snapshot_of_another_log_is_passed_over(tmp_path: Path) -> None:
    store = JsonlStore(tmp_path / "m.jsonl")
    store.apply([Put(Memory("a", "x"))])
    store.save_snapshot()
    store.close()
    line = (tmp_path / "m.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "m.jsonl").write_bytes(line[0] + b'{"type":"memory","memory":{"id":"b","content":"y"}}\n' * 9)
    assert [id for id, _ in JsonlStore(tmp_path / "m.jsonl").listing()] == ["b"]


def test_compaction_puts_a_torn_end_aside_and_carries_over_what_came_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m.jsonl"
    store = JsonlStore(path)
    store.apply([Put(Memory("a", "x"))])
    with path.open("ab") as file:
        file.write(b'{"type":"memory","memory":{"id":"torn')
    store.compact()
    assert b"torn" in (tmp_path / "m.jsonl.brain" / "damaged.jsonl").read_bytes()
    assert b"torn" not in path.read_bytes()
    look = compact_module._links

    def while_somebody_writes(state: State) -> Iterator[Event]:
        with path.open("ab") as file:
            file.write(b'{"type":"memory","memory":{"id":"late","content":"y"}}\n')
        return look(state)

    monkeypatch.setattr(compact_module, "_links", while_somebody_writes)
    store.compact()
    assert [id for id, _ in JsonlStore(path).listing()] == ["a", "late"]


def test_compaction_puts_aside_what_was_damaged_since_it_was_read(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    store = JsonlStore(path)
    store.apply([Put(Memory("a", "whole", embedding=(1.0,))), Put(Memory("b", "damaged", embedding=(1.0,)))])
    store.save_snapshot()
    data = path.read_bytes()
    path.write_bytes(data.replace(b"damaged", b"DAMAGED"))
    done = JsonlStore(path).compact()
    assert done.put_aside == 1
    assert b"DAMAGED" in (tmp_path / "m.jsonl.brain" / "damaged.jsonl").read_bytes()
    assert [id for id, _ in JsonlStore(path).listing()] == ["a"]
    assert JsonlStore(path).problems() == []


def test_forgetting_leaves_those_that_were_written_with_it_whole(tmp_path: Path) -> None:
    store = JsonlStore(tmp_path / "m.jsonl")
    kept = [Memory(id, f"text {id}", embedding=(0.25, float(n)), tags=("x",)) for n, id in enumerate("bcd")]
    store.apply([Put(kept[0]), Put(Memory("a", "a secret", embedding=(1.0, 2.0))), Put(kept[1]), Put(kept[2])])
    store.apply([Remove("a")])
    store.journal.forget("a")
    for again in (store, JsonlStore(tmp_path / "m.jsonl")):
        assert [again.get(id).memory for id, _ in again.listing()] == kept
        assert again.problems() == []
        assert [id for id, _ in again.nearest((0.25, 2.0), 1)] == ["d"]
