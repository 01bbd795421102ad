"""Run with the shim loaded: let every file-changing call of a write to memory.db or memory.json go wrong, and check.

Called as ``python sweep_entries.py SHIM PLACE STEP KIND``; STEP thins out the ways that do not kill (1: all), and a
tenth of it the kills.
Prints one JSON object: ``runs`` by way, how many of them ``fired``, and the ``violations``.
"""

from __future__ import annotations

import collections
import ctypes
import json
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from plainbrain.errors import BrainError
from plainbrain.model.change import ABSENT, Activity, Put, Remove, Use
from plainbrain.model.instants import from_ms
from plainbrain.model.memory import Memory
from plainbrain.ports import Store
from plainbrain.stores.json import JsonStore
from plainbrain.stores.sqlite import SqliteStore
from tests.stores.agent_brain import NEW_IN_V4, entry, make_db

State = tuple[dict[str, tuple[str, str, int]], int, str]
Deed = Callable[[Store], object]
WAYS = ("kill", "torn", "short", "once:28", "always:28", "once:5", "always:5")
LONG = "line of text\n" * 2000
OLD = {
    "version": 2,
    "entries": [
        {
            "id": id, "type": "fact", "content": f"text of {id}", "source": "user", "tags": ["x"],
            "created": "2026-10-01T08:00:00Z", "last_accessed": "2026-10-01T08:00:00Z", "access_count": 1,
            "confidence": "sure", "superseded_by": None,
        }
        for id in "abc"
    ],
}  # fmt: skip


def open_store(kind: str, root: Path) -> Store:
    return SqliteStore(root / "memory.db") if kind == "sqlite" else JsonStore(root / "memory.json")


def several(store: Store) -> None:
    a = store.get("a").memory
    store.apply([Put(replace(a, content=LONG, title="T")), Put(Memory("n", "new", title="N")), Remove("b")])


def edit(store: Store) -> None:
    found = store.get("a")
    store.apply([Put(replace(found.memory, content=LONG), found.revision)])


DEEDS: dict[str, Deed] = {
    "add": lambda store: store.apply([Put(Memory("n", LONG), ABSENT)]),
    "edit": edit,
    "several": several,
    "use": lambda store: store.record([Use("a", from_ms(0), accesses=1)]),
    "tell": lambda store: store.journal.append([Activity(from_ms(0), "add", "a", LONG)]),
    "count": lambda store: store.journal.update(lambda values: {**values, "session_counter": "7"}),
}


def state(kind: str, root: Path) -> State:
    store = open_store(kind, root)
    memories = store.get_many([id for id, _ in store.listing()])
    found = {id: (one.memory.content, one.memory.title, one.memory.usage.accesses) for id, one in memories.items()}
    told, counter = len(store.journal.read()), store.journal.values().get("session_counter", "0")
    store.close()
    return found, told, counter


def attempt(shim: ctypes.CDLL, root: Path, kind: str, *, deed: Deed, way: str, at: int) -> tuple[str, int]:
    """Do the deed in a child with the fault set; return what it said (``""``: it died) and how many calls it made."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        store = open_store(kind, root)
        shim.fault_arm(os.fsencode(root), way.encode(), at)
        try:
            deed(store)
            said = "done"
        except BrainError as error:
            said = f"refused {type(error).__name__}"
        except BaseException as error:  # what must not happen: told to the parent
            said = f"CRASH {error!r}"
        count = shim.fault_count()
        shim.fault_arm(b"/nowhere", b"none", 0)
        os.write(writer, f"{count} {said}".encode())
        os._exit(0)
    os.close(writer)
    with open(reader, "rb") as pipe:
        answer = pipe.read().decode()
    os.waitpid(child, 0)
    count, _, said = answer.partition(" ")
    return said, int(count or at)


def judge(kind: str, root: Path, said: str, *, always: bool, old: State, new: State) -> str:
    """Return what is wrong after a fault, or ``""``. What was refused may stand or not; it is never half there.

    With a fault that goes on (``always``) not even a temporary file can be taken away.
    """
    found = state(kind, root)
    if said.startswith("CRASH"):
        return said
    if found not in (old, new):
        return f"mixed: {str(found)[:200]}"
    if said == "done" and found != new:
        return "acknowledged and lost"
    if said.startswith("refused") and not always and (strays := list(root.glob("*.brain-tmp"))):
        return f"strays {strays}"
    store = open_store(kind, root)
    store.apply([Put(Memory("after", "x"))])
    store.record([Use("after", from_ms(0), accesses=1)])
    problems = store.problems()
    store.close()
    if state(kind, root)[0] != {**found[0], "after": ("x", "", 1)}:
        return "the next write failed"
    return f"problems {problems}" if problems else ""


def bases(kind: str, place: Path) -> dict[str, Path]:
    """Make the folders that the deeds begin with: a store of ours, and files of an older schema."""
    ours, older = place / "ours", place / "older"
    store = open_store(kind, ours)
    store.apply([Put(Memory(id, f"text of {id}")) for id in "abc"])
    store.close()
    older.mkdir()
    (older / "memory.json").write_text(json.dumps(OLD, indent=2))
    if kind == "json":
        return {"ours": ours, "older": older}
    third = place / "third"
    third.mkdir()
    make_db(third / "memory.db", [entry(id) for id in "abc"], version="3", lacking=NEW_IN_V4)
    return {"ours": ours, "older": older, "third": third}


def main() -> None:
    shim, place, step, kind = ctypes.CDLL(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    root = place / "brain"
    runs: collections.Counter[str] = collections.Counter()
    fired: collections.Counter[str] = collections.Counter()
    violations = []
    for name, base in bases(kind, place).items():
        for word, deed in DEEDS.items() if name == "ours" else [("add", DEEDS["add"])]:
            shutil.copytree(base, root)
            old = state(kind, root)
            said, points = attempt(shim, root, kind, deed=deed, way="none", at=0)
            new = state(kind, root)
            assert (said, old == new) == ("done", False), (word, said)
            for way in WAYS:
                for at in range(1, points + 1, max(1, step // 10) if way == "kill" else step):
                    shutil.rmtree(root)
                    shutil.copytree(base, root)
                    said, count = attempt(shim, root, kind, deed=deed, way=way, at=at)
                    runs[way] += 1
                    fired[way] += count >= at
                    if wrong := judge(kind, root, said, always=way.startswith("always"), old=old, new=new):
                        violations.append([name, word, way, at, said, wrong])
            shutil.rmtree(root)
    print(json.dumps({"runs": runs, "fired": fired, "violations": violations}))


if __name__ == "__main__":
    main()
