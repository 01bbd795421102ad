"""Loading an event log as a test fixture: what was remembered once, in memory, for a test to begin with."""

from __future__ import annotations

from pathlib import Path

from plainbrain.app.wiring import open_store
from plainbrain.errors import NoBrain, Unreadable
from plainbrain.model.change import Put
from plainbrain.ports import Store


def load_log(path: str | Path) -> Store:
    """Return a store in memory with what the log at ``path`` comes to; the file itself stays as it is.

    Raise NoBrain when there is no such file, and Unreadable when a line of it is not whole: a fixture is to be exact.
    """
    if not Path(path).is_file():
        raise NoBrain(f"there is no log at {path}", value=str(path), hint="name a .jsonl file")
    log = open_store(f"jsonl:{Path(path).absolute()}")
    broken = [problem for problem in log.problems() if problem.code != "odd"]
    if broken:
        raise Unreadable(broken[0].message, value=broken[0].where, path=str(path), line=broken[0].line)
    store = open_store("ram:")
    store.apply([Put(log.get(id).memory) for id, _ in log.listing()])
    return store
