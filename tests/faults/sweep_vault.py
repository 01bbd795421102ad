"""Run with the shim loaded: let every file-changing call of every kind of write go wrong in every way, and check.

Called as ``python sweep_vault.py SHIM PLACE STEP``; STEP thins out the slower ways (1: all). Prints one JSON object:
``runs`` by way, how many of them ``fired``, and the ``violations``.
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
from plainbrain.stores.vault import VaultStore, create_vault

State = dict[str, tuple[str, str, int]]
WAYS = ("kill", "torn", "short", "once:28", "always:28", "once:5", "always:5")
LONG = "line of text\n" * 2000


def edit(store: VaultStore) -> None:
    found = store.get("a")
    store.apply([Put(replace(found.memory, content=LONG), found.revision)])


def encode(store: VaultStore) -> None:
    store.apply([Put(Memory("n", LONG, cortex="fresh/deep"), ABSENT)])


def move(store: VaultStore) -> None:
    store.apply([Put(replace(store.get("a").memory, cortex="ops"))])


def remove(store: VaultStore) -> None:
    store.apply([Remove("b")])


def several(store: VaultStore) -> None:
    a, c = store.get("a").memory, store.get("c").memory
    store.apply(
        [
            Put(replace(a, content=LONG)),
            Put(Memory("n", "new", cortex="infra")),
            Remove("b"),
            Put(replace(c, cortex="infra")),
        ]
    )


def use(store: VaultStore) -> None:
    store.record([Use("a", from_ms(0), accesses=1)])


def tell(store: VaultStore) -> None:
    store.journal.append([Activity(from_ms(0), "add", "a", LONG)])


DEEDS: tuple[Callable[[VaultStore], None], ...] = (edit, encode, move, remove, several, use, tell)


def state(root: Path) -> tuple[State, int]:
    store = VaultStore(root)
    memories = store.get_many([id for id, _ in store.listing()])
    found = {id: (one.memory.content, one.memory.cortex, one.memory.usage.accesses) for id, one in memories.items()}
    told = len(store.journal.read())
    store.close()
    return found, told


def attempt(shim: ctypes.CDLL, root: Path, deed: Callable[[VaultStore], None], way: str, at: int) -> tuple[str, int]:
    """Do the deed in a child with the fault set; return what it said (``""``: it died) and how many calls it made."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        store = VaultStore(root)
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


def strays(root: Path) -> list[str]:
    return [str(path) for path in root.rglob("*.brain-tmp")] + [str(path) for path in root.rglob(".brain/intent")]


def judge(root: Path, said: str, way: str, states: tuple[tuple[State, int], tuple[State, int]]) -> str:
    """Return what is wrong after a fault, or ``""``."""
    old, new = states
    found = state(root)
    if said.startswith("CRASH"):
        return said
    if found not in (old, new):
        return "mixed"
    if said == "done" and found != new:
        return "acknowledged and lost"
    if said.startswith("refused") and way.startswith("once") and found != old:
        return "refused and written"
    store = VaultStore(root)
    store.apply([Put(Memory("after", "x"))])
    store.record([Use("after", from_ms(0), accesses=1)])
    store.close()
    if state(root)[0] != {**found[0], "after": ("x", "", 1)}:
        return "the next write failed"
    return f"strays {strays(root)}" if strays(root) else ""


def main() -> None:
    shim, place, step = ctypes.CDLL(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    base, root = place / "base", place / "brain"
    create_vault(base)
    store = VaultStore(base)
    store.apply(
        [Put(Memory(id, f"text of {id}", cortex=cortex)) for id, cortex in (("a", "infra"), ("b", "infra"), ("c", ""))]
    )
    store.close()
    runs: collections.Counter[str] = collections.Counter()
    fired: collections.Counter[str] = collections.Counter()
    violations = []
    for deed in DEEDS:
        shutil.copytree(base, root)
        old = state(root)
        said, points = attempt(shim, root, deed, "none", 0)
        new = state(root)
        assert (said, old == new) == ("done", False), deed.__name__
        for way in WAYS:
            for at in range(1, points + 1, 1 if way == "kill" else step):
                shutil.rmtree(root)
                shutil.copytree(base, root)
                said, count = attempt(shim, root, deed, way, at)
                runs[way] += 1
                fired[way] += count >= at
                if wrong := judge(root, said, way, (old, new)):
                    violations.append([deed.__name__, way, at, said, wrong])
        shutil.rmtree(root)
    print(json.dumps({"runs": runs, "fired": fired, "violations": violations}))


if __name__ == "__main__":
    main()
