"""Several processes on one index, with a model and without: every memory ends with its vectors, none is made of nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from plainbrain.embed.hashing import HashEmbedder
from plainbrain.index.sqlite import SqliteIndex
from plainbrain.stores.sqlite import SqliteStore

_ROUNDS = 15
_PROCESS = f"""
import sys
from pathlib import Path
from plainbrain.embed.hashing import HashEmbedder
from plainbrain.index.sqlite import SqliteIndex
from plainbrain.model.change import Put
from plainbrain.model.memory import Memory
from plainbrain.stores.sqlite import SqliteStore

folder, number, kind = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
store = SqliteStore(str(folder / "memory.db"))
model = HashEmbedder(64) if kind == "model" else None
index = SqliteIndex(folder / "cache", store.url, model=model)
for turn in range({_ROUNDS}):
    store.apply([Put(Memory(f"p{{number}}-{{turn}}", f"note {{number}} {{turn}}"))])
    assert index.catch_up(store) == ()
    if model is not None:
        index.similar(model.embed_query("note"), 5)  # another process may be at the vectors just now
while model is not None and index.embed_some(store, 50).left:
    pass
assert model is None or index.similar(model.embed_query("note"), 5)
index.close()
store.close()
"""


def test_processes_with_and_without_a_model_share_one_index(tmp_path: Path) -> None:
    kinds = ["model", "model", "words"]
    running = [
        subprocess.Popen(
            [sys.executable, "-c", _PROCESS, str(tmp_path), str(number), kind], stderr=subprocess.PIPE, text=True
        )
        for number, kind in enumerate(kinds)
    ]
    told = [process.communicate(timeout=60)[1] for process in running]
    assert [process.returncode for process in running] == [0, 0, 0], told
    store = SqliteStore(str(tmp_path / "memory.db"))
    model = HashEmbedder(64)
    index = SqliteIndex(tmp_path / "cache", store.url, model=model)
    assert index.catch_up(store) == ()
    while index.embed_some(store, 50).left:
        pass
    assert len(index.similar(model.embed_query("note"), 1000)) == _ROUNDS * len(kinds)
    assert not index.in_memory
    index.close()
    store.close()
