"""A watched vault misses nothing, and does not look where nothing happened."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from plainbrain.files.watch import Watch, open_watch
from plainbrain.model.change import Put
from plainbrain.model.memory import Memory
from plainbrain.ports import Mark
from plainbrain.stores.vault import VaultStore, create_vault
from plainbrain.stores.vault.scan import Scanner
from plainbrain.testing.contract import StoreContract

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="inotify is Linux")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    create_vault(tmp_path / "brain")
    return tmp_path / "brain"


class Follower:
    """Follow a watched vault and compare it with a fresh look."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.store = VaultStore(root)
        self.store.watch()
        self.mark = Mark()
        self.texts: dict[str, str] = {}

    def look(self) -> None:
        changes = self.store.changes_since(self.mark)
        for id in changes.gone:
            self.texts.pop(id, None)
        for one in changes.stored:
            self.texts[one.memory.id] = one.memory.content
        self.mark = StoreContract.mark_after(self.mark, changes)

    def check(self) -> None:
        self.look()
        fresh = VaultStore(self.root).changes_since(Mark())
        assert self.texts == {one.memory.id: one.memory.content for one in fresh.stored}


def act(root: Path, dice: random.Random) -> None:
    """Do one thing that a person, an editor or git may do."""
    folders = [root, *(path for path in root.rglob("*") if path.is_dir() and ".brain" not in path.parts)]
    notes = [path for path in root.rglob("*.md") if ".brain" not in path.parts]
    folder, text = dice.choice(folders), f"text {dice.random()}"
    match dice.randrange(9):
        case 0 | 1:
            (folder / f"n{dice.randrange(20)}.md").write_text(text)
        case 2 if notes:
            with open(dice.choice(notes), "a") as file:
                file.write(text)
        case 3 if notes:
            note = dice.choice(notes)
            (note.parent / "swap.tmp").write_text(text)
            (note.parent / "swap.tmp").replace(note)
        case 4 if notes:
            dice.choice(notes).unlink()
        case 5 if len(folders) < 8:
            new = folder / f"d{dice.randrange(100)}" / "deep"
            new.mkdir(parents=True, exist_ok=True)
            (new / f"in{dice.randrange(20)}.md").write_text(text)
        case 6 if len(folders) > 1:
            shutil.rmtree(dice.choice(folders[1:]))
        case 7 if len(folders) > 1:
            dice.choice(folders[1:]).rename(root / f"moved{dice.randrange(1000)}")
        case 8 if notes:
            dice.choice(notes).rename(folder / f"r{dice.randrange(1000)}.md")


@pytest.mark.parametrize("seed", range(6))
def test_no_change_is_missed(root: Path, seed: int) -> None:
    dice, follower = random.Random(seed), Follower(root)
    for _ in range(40):
        for _ in range(dice.randrange(4)):
            act(root, dice)
        follower.check()


def test_edits_of_another_process_are_all_seen(root: Path) -> None:
    follower = Follower(root)
    (root / "a.md").write_text("0")
    code = "import sys\nfor line in sys.stdin:\n    open(sys.argv[1], 'w').write(line.strip()); print('done', flush=True)\n"
    with subprocess.Popen(
        [sys.executable, "-I", "-c", code, str(root / "a.md")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as editor:
        assert editor.stdin is not None
        assert editor.stdout is not None
        for n in range(200):
            editor.stdin.write(f"{n}\n")
            editor.stdin.flush()
            editor.stdout.readline()
            follower.look()
            assert follower.texts == {"a": str(n)}
        editor.stdin.close()


def test_a_look_at_a_quiet_folder_opens_no_folder(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    follower = Follower(root)
    (root / "a.md").write_text("x")
    follower.look()
    looked: list[str] = []
    scan = Scanner.scan

    def count(self: Scanner) -> None:
        looked.append("scan")
        scan(self)

    monkeypatch.setattr(Scanner, "scan", count)
    follower.look()
    follower.store.apply([Put(Memory("b", "y"))])
    follower.look()
    assert (looked, follower.texts) == ([], {"a": "x", "b": "y"})


def test_a_full_queue_asks_for_a_full_look(root: Path) -> None:
    watch = open_watch(str(root))
    assert isinstance(watch, Watch)
    assert watch.drain() == set()
    limit = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    if limit > 50_000:
        pytest.skip("the queue of this system is too long to fill in a test")
    (root / "a.md").write_text("")
    (root / "b.md").write_text("")
    for _ in range(limit // 2 + 10):
        for name in ("a.md", "b.md"):  # by turns: equal events that follow each other are one
            (root / name).chmod(0o600)
    assert watch.drain() is None
    assert watch.drain() == set()
    watch.close()
    assert watch.drain() is None
