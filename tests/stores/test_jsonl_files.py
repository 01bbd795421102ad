"""Files that the real adapters wrote: each opens with the state that they make of it, or with all that is whole."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from plainbrain.model.change import Put, Remove, Use
from plainbrain.model.links import Link
from plainbrain.model.memory import Memory
from plainbrain.notation.event import parse_line
from plainbrain.notation.event.values import Erased, Linked, Unlinked, Wrote
from plainbrain.ports import Mark, Stored
from plainbrain.stores.jsonl.store import JsonlStore
from plainbrain.testing.builders import NOON

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "event-log"
NAMES = sorted(path.name for path in DATA.iterdir()) if DATA.is_dir() else []
#: The original reads nothing of it.
BARE = "20-bare-objects-seed-doc"
#: The keys of a memory that the original fills in with the time of loading.
_TIMES = ("lastAccessed", "createdAt", "updatedAt")


def plain_state(folder: Path) -> dict[str, Any]:
    """Replay by the original's rules: all that it takes note of, in its tiers, in its order."""
    tiers: dict[str, dict[str, Any]] = {"hot": {}, "cold": {}, "stubs": {}}
    links: dict[tuple[str, str], float] = {}

    def number(path: Path) -> tuple[int, ...]:
        rest = path.name.removeprefix("memories.jsonl")
        return tuple(map(int, rest[1:].split("."))) if rest else (1 << 62,)

    names = [p for p in folder.glob("memories.jsonl*") if all(x.isdigit() for x in p.name.split(".")[2:])]
    for path in sorted(names, key=number):
        for raw in path.read_bytes().split(b"\n"):
            text = raw.decode().strip("\ufeff \r")
            if not text:
                continue
            value = json.loads(text)
            kind = value.get("type") if isinstance(value, dict) else None
            if kind == "memory":
                memory = value["memory"]
                tier = "stubs" if memory.get("isStub") else "cold" if memory.get("isCold") else "hot"
                for name, held in tiers.items():
                    if name != tier:
                        held.pop(memory["id"], None)
                tiers[tier][memory["id"]] = memory
            elif kind == "memory_delete":
                for held in tiers.values():
                    held.pop(value["id"], None)
            elif kind == "link":
                links[value["a"], value["b"]] = value["strength"]
            elif kind == "link_delete":
                links.pop((value["a"], value["b"]), None)
    return {**tiers, "links": links}


def our_state(store: JsonlStore) -> dict[str, dict[str, Memory]]:
    tiers: dict[str, dict[str, Memory]] = {"hot": {}, "cold": {}, "stubs": {}}
    for id, _ in store.listing():
        memory = store.get(id).memory
        tiers["stubs" if memory.dynamics.stub else "cold" if memory.dynamics.cold else "hot"][id] = memory
    return tiers


def assert_same(memory: Memory, told: dict[str, Any]) -> None:
    """Hold a memory of ours against the object that the original holds."""
    assert memory.content == told["content"]
    assert memory.user_id == told.get("userId", "")
    assert memory.memory_class in (told["category"], "")
    assert list(memory.embedding or ()) == (told.get("embedding") or [])
    assert memory.superseded_by == (told["supersededBy"] or "")
    assert (memory.status == "superseded") == told["isSuperseded"]
    assert (memory.dynamics.cold, memory.dynamics.stub) == (told["isCold"], told["isStub"])
    assert memory.usage.accesses == told["accessCount"]
    assert memory.dynamics.days_at_floor == told["daysAtFloor"]
    assert memory.metadata == told.get("metadata", {})
    assert memory.kind == ("" if told["semanticType"] == "other" else told["semanticType"])
    for ours, theirs in ((memory.created, "createdAt"), (memory.valid_until, "validUntil")):
        assert ours is None or ours.ms == told[theirs]
    for number, key in ((memory.dynamics.importance, "importance"), (memory.dynamics.stability, "stability")):
        assert number is None or number == told[key]
    assert {a.to: a.weight for a in memory.dynamics.associations} == {
        to: a["weight"] for to, a in told["associations"].items()
    }
    known = {
        "id",
        "content",
        "userId",
        "category",
        "embedding",
        "metadata",
        "associations",
        "sessionIds",
        "semanticType",
    }
    foreign = {k: v for k, v in told.items() if k in ("myExtraKey",) and k not in known}
    assert {k: v for k, v in memory.extra.items() if k in foreign} == foreign


@pytest.mark.skipif(not NAMES, reason="the files of the real adapters are not there")
@pytest.mark.parametrize("name", NAMES)
def test_opens_with_the_expected_state(name: str, tmp_path: Path) -> None:
    shutil.copytree(DATA / name, tmp_path / "log")
    store = JsonlStore(tmp_path / "log" / "memories.jsonl")
    expected = json.loads((DATA / name / "expected.json").read_text())["reopened"]
    ours = our_state(store)
    if name == BARE:
        assert [m.content for m in ours["hot"].values()] == ["User likes coffee", "User is from Portland"]
        assert store.problems() == []
        return
    if expected.get("error"):
        assert len(ours["hot"]) >= 1
        assert store.problems()
        return
    state = expected["state"]
    for tier, order in (("hot", "hotOrder"), ("cold", "coldOrder"), ("stubs", "stubOrder")):
        assert list(ours[tier]) == [id or "undefined" for id in state[order]]
        for id, told in state[tier].items():
            assert_same(ours[tier][id], told)
    held = {
        (id, link.to): link.strength
        for memories in ours.values()
        for id, memory in memories.items()
        for link in memory.links
        if link.strength is not None
    }
    told_links = {tuple(key.split("|")): row["strength"] for key, row in state["links"].items()}
    assert held == {ends: s for ends, s in told_links.items() if any(ends[0] in tier for tier in ours.values())}


@pytest.mark.skipif(not NAMES, reason="the files of the real adapters are not there")
@pytest.mark.parametrize(
    "name", [n for n in NAMES if n not in (BARE, "22-null-line", "23-torn-last-line", "27-missing-fields")]
)
def test_what_we_write_behind_is_read_by_the_originals_rules(name: str, tmp_path: Path) -> None:
    shutil.copytree(DATA / name, tmp_path / "log")
    store = JsonlStore(tmp_path / "log" / "memories.jsonl")
    first = next(iter(dict(store.listing())), None)
    store.apply([Put(Memory("new", "über", embedding=(1.0, 0.5))), Put(Memory("gone", "x"))])
    store.apply([Remove("gone")])
    if first is not None:
        store.apply([Put(store.get(first).memory)])
    for compacted in (False, True):
        if compacted:
            store.compact()
        theirs = plain_state(tmp_path / "log")
        ours = our_state(store)
        for tier, held in ours.items():
            assert list(theirs[tier]) == list(held)
            for id, memory in held.items():
                assert theirs[tier][id]["content"] == memory.content
                assert theirs[tier][id]["embedding"] == list(memory.embedding or ())
        before = store.changes_since(Mark()).stored
        assert {s.memory.id: s.memory for s in before} == {s.memory.id: s.memory for s in reopened(store)}
    assert [p.code for p in store.problems() if p.code != "odd"] == []


def reopened(store: JsonlStore) -> list[Stored]:
    other = JsonlStore(store.places.live)
    return [other.get(id) for id, _ in other.listing()]


def test_a_bare_file_stays_bare(tmp_path: Path) -> None:
    path = tmp_path / "memories.jsonl"
    path.write_text('{"id":"abc","userId":"u","content":"coffee","memoryType":"semantic","importance":0.5}\n')
    store = JsonlStore(path)
    store.apply([Put(Memory("new", "tea", memory_class="episodic")), Remove("abc")])
    store.record([Use("new", NOON, accesses=2)])
    values = [json.loads(line) for line in path.read_text().splitlines()]
    assert values[1]["memoryType"] == "episodic"
    assert values[2] == {"id": "abc", "deleted": True}
    assert values[3]["type"] == "use"
    assert "type" not in values[1]
    again = JsonlStore(path)
    assert {id: again.get(id).memory.content for id, _ in again.listing()} == {"new": "tea"}
    again.compact()
    assert [json.loads(line)["id"] for line in path.read_text().splitlines()] == ["new"]
    assert JsonlStore(path).get("new").memory.usage.accesses == 2


def test_a_file_of_the_python_package_is_read_and_continued_with_typed_events(tmp_path: Path) -> None:
    path = tmp_path / "memories.jsonl"
    create = {"type": "create", "memory": {"id": "p", "content": "c", "category": "semantic", "embedding": [1.0, 0.0]}}
    other = {"type": "create", "memory": {"id": "q", "content": "d", "category": "semantic", "embedding": [0.0, 1.0]}}
    link = {"type": "link", "a": "q", "b": "p", "weight": 0.25, "created_at": None, "updated_at": None}
    events = [
        create,
        other,
        link,
        link,
        {"type": "update", "memory": {"id": "ghost", "content": "x", "category": "core"}},
        {"type": "migrate_to_cold", "id": "p", "cold_since": "2026-01-01T00:00:00"},
        {"type": "convert_to_stub", "id": "q", "content": "[archived] d"},
    ]
    path.write_text("".join(json.dumps(event) + "\n" for event in events))
    store = JsonlStore(path)
    cold, stub = store.get("p").memory, store.get("q").memory
    assert (cold.dynamics.cold, str(cold.dynamics.cold_since)) == (True, "2026-01-01T00:00:00Z")
    assert (stub.dynamics.stub, stub.content, stub.embedding) == (True, "[archived] d", None)
    assert [(link.to, link.strength) for link in cold.links] == [("q", 0.5)]
    assert [id for id, _ in store.listing()] == ["p", "q"]
    store.apply([Put(Memory("n", "new"))])
    [line] = parse_line(path.read_bytes().splitlines()[-1])
    assert isinstance(line.event, Wrote)
    assert not line.event.bare


def test_links_with_a_strength_are_link_events(tmp_path: Path) -> None:
    store = JsonlStore(tmp_path / "memories.jsonl")
    memory = Memory("a", "x", links=(Link("z", "supersedes"), Link("b", strength=0.5), Link("c", "causes")))
    store.apply([Put(memory), Put(Memory("b", "y"))])
    assert store.get("a").memory == memory
    events = [line.event for _, line in store.lines()]
    assert [(e.a, e.b, e.strength) for e in events if isinstance(e, Linked)] == [("a", "b", 0.5)]
    with (tmp_path / "memories.jsonl").open("a") as file:
        file.write('{"type":"link","a":"a","b":"b","strength":0.75,"createdAt":5,"updatedAt":6}\n')
    assert [link.strength for link in store.get("a").memory.links] == [None, 0.75, None]
    [revision] = [r for id, r in store.listing() if id == "a"]
    assert revision == store.get("a").revision
    store.apply([Put(Memory("a", "x"), revision)])
    assert any(isinstance(line.event, Unlinked) for _, line in store.lines())
    assert reopened(store)[0].memory.links == ()


def test_unknown_events_survive_compaction_and_damaged_lines_are_put_aside(tmp_path: Path) -> None:
    path = tmp_path / "memories.jsonl"
    store = JsonlStore(path)
    store.apply([Put(Memory("a", "x"))])
    with path.open("ab") as file:
        file.write(b'{"type":"future_event","x":1}\nnonsense\nnull\n')
    store.apply([Put(Memory("b", "y"))])
    done = store.compact()
    assert done.put_aside == 2
    assert b'{"type":"future_event","x":1}\n' in path.read_bytes()
    assert (tmp_path / "memories.jsonl.brain" / "damaged.jsonl").read_bytes() == b"nonsense\nnull\n"
    assert [id for id, _ in JsonlStore(path).listing()] == ["a", "b"]
    assert not any(isinstance(line.event, Erased) for _, line in store.lines())
