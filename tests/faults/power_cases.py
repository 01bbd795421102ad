"""What is recorded for the power-loss test: real commands and store calls, each in a process of its own, store by store."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from plainbrain.errors import NoBrain
from plainbrain.faces.cli.main import run
from plainbrain.model.change import ABSENT, Put, Remove, Use
from plainbrain.model.instants import from_ms
from plainbrain.model.memory import Memory, Usage
from plainbrain.ports import Store
from plainbrain.stores.json import JsonStore
from plainbrain.stores.jsonl.store import JsonlStore
from plainbrain.stores.sqlite import SqliteStore
from plainbrain.stores.vault import VaultStore, create_vault
from tests.faults.sweep_entries import OLD
from tests.stores.agent_brain import NEW_IN_V4, entry, make_db

#: Longer than a page, so that it can be torn.
LONG = "A line of text that goes on.\n" * 160
Deed = Callable[[Path], object]
#: Where a store lies below the disk: the folder above it is not there before the first write.
PLACES = {"vault": "", "sqlite": "memory.db", "json": "memory.json", "jsonl": "memories.jsonl"}
#: The memories of a store and its values, as its reader has them.
State = tuple[dict[str, Memory], dict[str, str]]


@dataclass(frozen=True, slots=True)
class Case:
    """Deeds to be done one after the other on a store made by ``base``.

    ``in_steps`` says that a deed may write more than once, each write whole. After ``kill`` the first deed is killed, at
    every call in turn, before the second begins. ``gone`` is a text of which nothing may be left at the end, ``kept``
    are texts that some file always holds. ``is_short`` says that all its states are looked at whatever the step.
    """

    name: str
    kind: str
    deeds: tuple[Deed, ...]
    base: Deed | None = None
    folder: str = "brain"
    in_steps: bool = False
    kill: bool = False
    gone: str = ""
    kept: tuple[str, ...] = ()
    is_short: bool = False

    def place(self, disk: Path) -> Path:
        """Return where the store lies."""
        return disk / self.folder / PLACES[self.kind]


def open_store(kind: str, place: Path) -> Store:
    """Open the store at a place; a log rolls over after a few lines."""
    match kind:
        case "vault":
            return VaultStore(place)
        case "sqlite":
            return SqliteStore(place)
        case "json":
            return JsonStore(place)
        case _:
            return JsonlStore(place, roll_over_lines=5)


def state_of(store: Store) -> State:
    """Return what a store holds. Single uses in a vault may be lost for seconds: they are not looked at."""
    stored = store.get_many([id for id, _ in store.listing()])
    memories = {id: one.memory for id, one in stored.items()}
    if store.traits.kind == "vault":
        memories = {id: replace(m, usage=Usage(accesses=m.usage.accesses // 100 * 100)) for id, m in memories.items()}
    return memories, dict(store.journal.values())


def state_at(kind: str, place: Path) -> State:
    """Return what the store at a place holds, nothing when it was not made yet."""
    try:
        store = open_store(kind, place)
    except NoBrain:
        return {}, {}
    try:
        return state_of(store)
    finally:
        store.close()


def command(kind: str, *words: str) -> Deed:
    """Return the deed of calling ``brain``."""

    def call(place: Path) -> None:
        status = run([*words, "--store", f"{kind}:{place}"])
        assert status == 0, (words, status)

    return call


def calling(kind: str, deed: Callable[[Store], object]) -> Deed:
    """Return the deed of calling a store."""

    def call(place: Path) -> None:
        if kind == "vault":
            create_vault(place)
        store = open_store(kind, place)
        deed(store)
        store.close()

    return call


def _three(store: Store) -> None:
    cortices = {"a": "infra", "b": "infra", "c": "ops"} if store.traits.kind == "vault" else {}
    puts = [Put(Memory(id, f"The text of {id}.", cortex=cortices.get(id, ""), title=f"Title {id}")) for id in "abc"]
    store.apply(puts)


def _put(id: str, content: str = LONG, cortex: str = "") -> Callable[[Store], object]:
    return lambda store: store.apply([Put(Memory(id, content, cortex=cortex), ABSENT)])


def _edit(store: Store) -> None:
    found = store.get("a")
    store.apply([Put(replace(found.memory, content=LONG), found.revision)])


def _several(store: Store) -> None:
    a = store.get("a").memory
    store.apply([Put(replace(a, content=LONG)), Put(Memory("n", "new", cortex=a.cortex)), Remove("b")])


def _use(store: Store) -> None:
    store.record([Use("a", from_ms(0), accesses=1)])


def _set_counters(accesses: int) -> Callable[[Store], object]:
    def deed(store: Store) -> None:
        store.record([Use("b", from_ms(0), accesses=1)])
        store.apply([Put(replace(store.get("a").memory, usage=Usage(accesses=accesses)))])

    return deed


def _set_value(store: Store) -> None:
    store.journal.update(lambda values: {**values, "session_counter": "7"})


def _compact(store: Store) -> None:
    assert isinstance(store, JsonlStore)
    store.compact()


def _compact_keeping(store: Store) -> None:
    assert isinstance(store, JsonlStore)
    store.compact_keeping_history()


def _forget(store: Store) -> None:
    store.apply([Remove("b")])
    store.journal.forget("b")


def _rolled(store: Store) -> None:
    _three(store)
    for n in range(7):
        store.apply([Put(Memory(f"r{n}", f"Rolled {n}."))])
    store.apply([Put(Memory("b", "Another text of b."))])
    store.apply([Remove("r3")])


def _rolled_and_kept(store: Store) -> None:
    _rolled(store)
    _compact_keeping(store)


def _torn(kind: str) -> Deed:
    def make(place: Path) -> None:
        calling(kind, _three)(place)
        with place.open("ab") as file:
            file.write(b'{"type":"write","memory":{"id":"torn","content":"half of')

    return make


def _older(place: Path) -> None:
    place.parent.mkdir(exist_ok=True)
    place.with_name("memory.json").write_text(json.dumps(OLD, indent=2))


def _third(place: Path) -> None:
    place.parent.mkdir(exist_ok=True)
    make_db(place, [entry(id) for id in "abc"], version="3", lacking=NEW_IN_V4)


def _vault() -> list[Case]:
    base = calling("vault", _three)
    brain = partial(command, "vault")
    encode = brain("encode", "A fresh thought", "--cortex", "fresh/deep", "--body", LONG)
    second = brain("encode", "A second thought", "--cortex", "infra", "--body", "short")
    replaced = brain("encode", "A better a", "--cortex", "fresh", "--supersedes", "a", "--body", "better")
    put, setting = calling("vault", _put("m", "short", "fresh/deep")), calling("vault", _set_counters(700))
    other, values = calling("vault", _set_counters(900)), calling("vault", _set_value)
    return [
        Case("first note", "vault", (encode, second), folder="home/brain"),
        Case("encode", "vault", (encode, second), base),
        Case("supersede", "vault", (replaced,), base),
        Case("link", "vault", (brain("link", "a", "b"), brain("link", "a", "b", "--remove")), base),
        Case("move", "vault", (brain("move", "a", "--cortex", "new"), brain("move", "b", "beta")), base),
        Case("forget", "vault", (brain("forget", "b", "-y"),), base, gone="The text of b."),
        Case("several", "vault", (calling("vault", _several),), base, is_short=True),
        Case("counters", "vault", (setting, values), base, in_steps=True),
        Case("killed counters", "vault", (setting, other), base, in_steps=True, kill=True),
        Case("killed first note", "vault", (calling("vault", _put("n")), put), folder="x", kill=True),
        Case("killed encode", "vault", (encode, put), base, kill=True),
        Case("killed supersede", "vault", (replaced, put), base, kill=True),
        Case("killed several", "vault", (calling("vault", _several), put), base, kill=True),
    ]


def _entries(kind: str) -> list[Case]:
    base = calling(kind, _three)
    add = command(kind, "add", "fact", "The build runs on Debian. " + LONG, "user", "code.python")
    more = command(kind, "add", "fact", "Lunch is at noon", "user", "food")
    correct = command(kind, "correct", "a", "The right claim", "it was wrong")
    loop = command(kind, "loop", "I prefer tabs over spaces. My name is Ada.", "--user-feedback", "good")
    forget = command(kind, "forget", "b", "-y")
    return [
        Case("first entry", kind, (add, more), folder="home/agent", in_steps=True),
        Case("add", kind, (add, more), base, in_steps=True),
        Case("correct", kind, (correct,), base, in_steps=True),
        Case("loop", kind, (loop, more), base, in_steps=True),
        Case("forget", kind, (forget,), base, in_steps=True, gone="The text of b."),
        Case("several", kind, (calling(kind, _several),), base),
        Case("edit and use", kind, (calling(kind, _edit), calling(kind, _use)), base),
        Case("value", kind, (calling(kind, _set_value),), base),
        Case("an older file", kind, (calling(kind, _put("n")),), _older),
        Case("killed several", kind, (calling(kind, _several), calling(kind, _put("m"))), base, kill=True),
        Case("killed first", kind, (calling(kind, _put("n")), calling(kind, _put("m"))), folder="x", kill=True),
    ]


def _log() -> list[Case]:
    base, rolled = calling("jsonl", _three), calling("jsonl", _rolled)
    put, more = calling("jsonl", _put("n")), calling("jsonl", _put("m", "short"))
    kept = ("Rolled 3.", "The text of b.")
    return [
        Case("first event", "jsonl", (put, more), folder="home/log"),
        Case("append", "jsonl", (put, calling("jsonl", _several), calling("jsonl", _use)), base),
        Case("add", "jsonl", (command("jsonl", "add", "fact", "Lunch is at noon"),), base, in_steps=True),
        Case("roll over", "jsonl", (put, more, calling("jsonl", _use)), base),
        Case("torn end", "jsonl", (put, more), _torn("jsonl")),
        Case("compact", "jsonl", (calling("jsonl", _compact), more), rolled),
        Case("compact keeping history", "jsonl", (calling("jsonl", _compact_keeping), more), rolled, kept=kept),
        Case("forget", "jsonl", (calling("jsonl", _forget),), rolled, in_steps=True, gone="text of b."),
        Case("forget history", "jsonl", (calling("jsonl", _forget),), calling("jsonl", _rolled_and_kept), in_steps=True, gone="text of b."),
        Case("killed first", "jsonl", (put, more), folder="x", kill=True),
        Case("killed roll over", "jsonl", (calling("jsonl", _several), more), base, kill=True),
        Case("killed compact", "jsonl", (calling("jsonl", _compact_keeping), more), rolled, kill=True, kept=kept),
    ]  # fmt: skip


def cases(kind: str) -> Sequence[Case]:
    """Return all cases of one kind of store."""
    found = _vault() if kind == "vault" else _log() if kind == "jsonl" else _entries(kind)
    if kind == "sqlite":
        found.append(Case("third schema", kind, (calling(kind, _put("n")),), _third))
    return found
