"""Full disks, closed folders and exhausted descriptors: a clear error, nothing half-written, reading goes on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from plainbrain.files import exchange as module
from plainbrain.files.atomic import temp_name
from plainbrain.model.change import Put, Remove
from plainbrain.model.memory import Memory
from plainbrain.stores.vault import VaultStore, create_vault

SOURCE = str(Path(__file__).parents[2] / "src")
#: Try each kind of write; print what became of it, and whether the notes can still be read.
ATTEMPTS = f"""
import json, os, resource, sys
sys.path.insert(0, {SOURCE!r})
from pathlib import Path
from plainbrain.errors import BrainError
from plainbrain.model.change import Activity, Put, Remove, Use
from plainbrain.model.instants import from_ms
from plainbrain.model.memory import Memory
from plainbrain.stores.vault import VaultStore
store = VaultStore(Path(sys.argv[1]))
list(store.listing())
if sys.argv[2] == "room":
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
else:
    os.setuid(65534)
long = "line\\n" * 10_000
deeds = {{
    "edit": lambda: store.apply([Put(Memory("a", long))]),
    "new": lambda: store.apply([Put(Memory("n", long))]),
    "several": lambda: store.apply([Put(Memory("b", "short")), Put(Memory("m", long)), Remove("a")]),
    "remove": lambda: store.apply([Remove("a"), Put(Memory("a", long))]),
    "tell": lambda: store.journal.append([Activity(from_ms(0), "add", "a", long)]),
    "use": lambda: store.record([Use("a", from_ms(0), accesses=1)] * 1000),
    "count": lambda: store.journal.update(lambda values: {{**values, "x": long}}),
    "forget": lambda: store.journal.forget("kept"),
}}
said = {{}}
for name, deed in deeds.items():
    try:
        deed()
        said[name] = "done"
    except BrainError as error:
        said[name] = type(error).__name__ + (" with hint" if error.hint else "")
said["read"] = [store.get("a").memory.content, store.get("b").memory.content]
print(json.dumps(said))
"""


@pytest.fixture
def root() -> Iterator[Path]:
    """Give a vault with two notes in a place that everybody may pass through."""
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        root = Path(place) / "brain"
        create_vault(root)
        store = VaultStore(root)
        store.apply([Put(Memory("a", "A")), Put(Memory("b", "B"))])
        store.close()
        yield root


def attempt(root: Path, what: str) -> dict[str, object]:
    done = subprocess.run(
        [_python(), "-c", ATTEMPTS, str(root), what], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"}
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


def _python() -> str:
    return sys.executable


def tree(root: Path) -> dict[str, bytes]:
    return {
        str(p.relative_to(root)): p.read_bytes()
        for p in root.rglob("*")
        if p.is_file() and p.name != "lock" and not p.name.startswith("machine-")
    }


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of Linux")
def test_no_room_is_said_and_nothing_is_half_written(root: Path) -> None:
    before = tree(root)
    said = attempt(root, "room")
    assert said.pop("read") == ["A", "B"]
    assert said.pop("forget") == "done"
    assert said == dict.fromkeys(("edit", "new", "several", "remove", "tell", "use", "count"), "NoRoom with hint")
    after = {name: data for name, data in tree(root).items() if data or name in before}
    assert after == before


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become nobody")
def test_a_folder_that_cannot_be_written_is_read_only(root: Path) -> None:
    for path in (root, *root.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    before = tree(root)
    said = attempt(root, "rights")
    assert said.pop("read") == ["A", "B"]
    assert said.pop("forget") == "done", "there is no journal yet"
    assert set(said.values()) == {"ReadOnly with hint"}
    assert tree(root) == before


def test_strays_of_a_dead_writer_go_at_the_next_opening_and_nothing_else_does(root: Path) -> None:
    (root / "infra").mkdir()
    for place in (root, root / "infra", root / ".brain"):
        (place / temp_name()).write_bytes(b"half")
    kept = [root / ".note.md.tmp", root / ".0123.brain-tmp", root / "infra" / "x.brain-tmp"]
    for path in kept:
        path.write_bytes(b"of somebody else")
    list(VaultStore(root).listing())
    assert sorted(root.rglob("*tmp")) == sorted(kept)


@pytest.mark.parametrize("exchanging", [True, False], ids=["exchange", "rename"])
def test_writes_alike_where_files_cannot_be_exchanged(
    root: Path, monkeypatch: pytest.MonkeyPatch, exchanging: bool
) -> None:
    if not exchanging:
        monkeypatch.setattr(module, "_renameat2", lambda: None)
    store = VaultStore(root)
    store.apply([Put(Memory("a", "A2")), Put(Memory("c", "C")), Remove("b")])
    store.apply([Put(Memory("a", "A3"))])
    assert {id: store.get(id).memory.content for id, _ in store.listing()} == {"a": "A3", "c": "C"}
    assert not list(root.rglob("*.brain-tmp"))


def test_an_intent_that_is_not_ours_harms_nothing(root: Path) -> None:
    intent = root / ".brain" / "intent"
    for junk in (b"", b"x\n[]", b"\xff" * 100, b'{"path": ["a.md"]}'):
        intent.write_bytes(junk)
        store = VaultStore(root)
        assert sorted(id for id, _ in store.listing()) == ["a", "b"]
        store.apply([Put(Memory("a", f"after {len(junk)}"))])
        assert not intent.exists()
