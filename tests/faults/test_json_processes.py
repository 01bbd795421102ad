"""memory.json with many processes, a held lock and agent-brain writing in between."""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path

import pytest

from plainbrain.errors import Busy, ReadOnly
from plainbrain.files.beneath import Beneath
from plainbrain.files.locks import FileLock
from plainbrain.model.change import Put, Use
from plainbrain.model.memory import Memory
from plainbrain.ports import Mark, Store
from plainbrain.stores.json import JsonStore
from plainbrain.testing.builders import NOON
from tests.faults.crowd import CrowdContract
from tests.stores.agent_brain import entry, make_json


class TestJsonCrowd(CrowdContract):
    kind = "json"

    def open_store(self, path: Path) -> Store:
        return JsonStore(str(path))

    def check_refuses(self, store: Store) -> None:
        with pytest.raises(ReadOnly):
            store.apply([Put(Memory("b", "two"))])
        with pytest.raises(ReadOnly):
            store.record([Use("a", NOON, accesses=1)])
        with pytest.raises(ReadOnly):
            store.journal.update(lambda values: {**values, "x": "1"})


def test_reading_goes_on_beside_a_held_lock_and_writing_says_who(tmp_path: Path) -> None:
    path = tmp_path / "memory.json"
    make_json(path, [entry("a")])
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        lock = FileLock(Beneath(tmp_path), (".memory.json.lock",))
        with lock.hold():
            held.set()
            done.wait(30)
        lock.close()

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait(30)
    store = JsonStore(str(path), wait_seconds=0.03)
    assert store.get("a").memory.content == "content of a"
    assert len([*store.changes_since(Mark()).stored]) == 1
    with pytest.raises(Busy, match="process"):
        store.apply([Put(Memory("b", "two"))])
    done.set()
    holder.join()
    store.apply([Put(Memory("b", "two"))])
    assert len([*store.listing()]) == 2
    store.close()


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be replaced there")
def test_what_agent_brain_writes_meanwhile_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "memory.json"
    make_json(path, [entry("a")])
    store = JsonStore(str(path))
    calls = 0

    def change(values: object) -> dict[str, str]:
        nonlocal calls
        calls += 1
        if calls == 1:  # agent-brain takes no lock: it writes while we are at work
            make_json(path, [entry("a"), entry("b")], session_counter=9)
        return {"machine": "m1"}

    store.journal.update(change)
    assert calls == 2
    assert [id for id, _ in store.listing()] == ["a", "b"]
    assert json.loads(path.read_text())["plainbrain"]["values"] == {"machine": "m1"}
    assert not list(tmp_path.glob("*.brain-tmp"))
    store.close()
