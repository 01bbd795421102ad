"""The vault under the store contract."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from plainbrain.model.change import Put, Remove
from plainbrain.model.memory import Memory
from plainbrain.ports import Mark, Store
from plainbrain.stores.vault import VaultStore, create_vault
from plainbrain.testing.contract import StoreContract


class TestVaultStore(StoreContract):
    def open_store(self, place: Path) -> Store:
        create_vault(place / "brain")
        return VaultStore(place / "brain")


class TestWatchedVault(StoreContract):
    def open_store(self, place: Path) -> Store:
        create_vault(place / "brain")
        store = VaultStore(place / "brain")
        store.watch()
        return store


@pytest.fixture
def root(tmp_path: Path) -> Path:
    create_vault(tmp_path / "brain")
    return tmp_path / "brain"


def tree(root: Path) -> dict[str, bytes]:
    """Return every file of a vault but our own folder's."""
    paths = [path for path in root.rglob("*") if path.is_file() and ".brain" not in path.parts]
    return {str(path.relative_to(root)): path.read_bytes() for path in paths}


def test_opening_and_reading_create_nothing(root: Path) -> None:
    (root / "a.md").write_text("text\n")
    store = VaultStore(root)
    assert [id for id, _ in store.listing()] == ["a"]
    assert store.get("a").memory.content == "text"
    list(store.changes_since(Mark()).stored)
    assert store.problems() == []
    assert store.journal.read() == []
    assert store.journal.values() == {}
    store.close()
    assert [path.name for path in root.iterdir()] == ["a.md"]


def test_makes_private_folders_and_files(root: Path) -> None:
    VaultStore(root).apply([Put(Memory("a", "x", cortex="infra/node"))])
    modes = {str(p.relative_to(root)): p.stat().st_mode & 0o777 for p in [root, *root.rglob("*")]}
    assert {mode for name, mode in modes.items() if (root / name).is_dir()} == {0o700}
    assert {mode for name, mode in modes.items() if (root / name).is_file()} == {0o600}


def test_keeps_the_mode_of_a_file(root: Path) -> None:
    note = root / "a.md"
    note.write_text("one\n")
    note.chmod(0o644)
    store = VaultStore(root)
    store.apply([Put(Memory("a", "two", title="a"))])
    assert note.stat().st_mode & 0o777 == 0o644
    assert store.get("a").memory.content == "two"


def test_a_changed_cortex_moves_the_file_and_keeps_its_name_and_its_comments(root: Path) -> None:
    (root / "infra").mkdir()
    (root / "infra" / "My Note.md").write_bytes(b"---\r\nid: my-note # mine\r\ntitle: 'T'\r\n---\r\nbody\r\n")
    store = VaultStore(root)
    memory = store.get("my-note").memory
    assert memory.cortex == "infra"
    store.apply([Put(replace(memory, cortex="ops"))])
    assert tree(root) == {"ops/My Note.md": b"---\r\nid: my-note # mine\r\ntitle: 'T'\r\n---\r\nbody\r\n"}
    assert store.get("my-note").memory.cortex == "ops"
    changes = store.changes_since(Mark())
    assert [one.locator for one in changes.stored] == ["ops/My Note.md"]


def test_a_cortex_that_the_note_names_moves_along(root: Path) -> None:
    store = VaultStore(root)
    store.apply([Put(Memory("a", "one", title="A", cortex="infra/node"))])
    for cortex in ("infra", "ops", "", "infra"):
        store.apply([Put(replace(store.get("a").memory, cortex=cortex))])
        assert store.get("a").memory.cortex == cortex
        assert store.get("a").locator == f"{cortex}/a.md".lstrip("/")
        assert store.problems() == []


def test_a_move_does_not_take_a_name_that_is_there(root: Path) -> None:
    store = VaultStore(root)
    store.apply([Put(Memory("a", "one", cortex="x"))])
    (root / "y").mkdir()
    (root / "y" / "a.md").write_text("---\nid: other\n---\nhands off\n")
    store.apply([Put(Memory("a", "one", cortex="y"))])
    assert store.get("a").locator == "y/a-2.md"
    assert store.get("other").memory.content == "hands off"


@pytest.mark.parametrize(
    "id", ["../../etc/passwd", "/etc/passwd", "C:\\x", "a/b", "日本", "CON", "x" * 300, ".hidden", "🚀", "A b"]
)
def test_a_foreign_id_is_kept_and_never_becomes_a_path(root: Path, id: str) -> None:
    store = VaultStore(root)
    store.apply([Put(Memory(id, "text"))])
    assert VaultStore(root).get(id).memory.id == id
    [name] = tree(root)
    assert name.endswith(".md")
    assert set(name[:-3]) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert [path.name for path in root.parent.iterdir()] == ["brain"]


@pytest.mark.parametrize(
    ("cortex", "folder"),
    [
        ("../../x", "x"),
        ("/etc", "etc"),
        (".git/hooks", "git/hooks"),
        (".brain", "brain"),
        ("lpt1", "lpt1-cortex"),
        ("a:b?", "a-b-"),
        ("trailing. ", "trailing"),
        ("C:\\Windows", "C-/Windows"),
        ("a\x00b", "a-b"),
        ("日本/東京", "日本/東京"),
        ("Infra Ops", "Infra Ops"),
        ("..", "."),
    ],
)
def test_a_cortex_is_a_safe_folder_in_the_vault(root: Path, cortex: str, folder: str) -> None:
    store = VaultStore(root)
    store.apply([Put(Memory("a", "x", cortex=cortex))])
    assert [str(path.parent) for path in map(Path, tree(root))] == [folder]
    assert store.get("a").memory.cortex == ("" if folder == "." else folder)


def test_ids_that_share_a_slug_get_their_own_files(root: Path) -> None:
    store = VaultStore(root)
    store.apply([Put(Memory("A b", "1")), Put(Memory("a-b", "2")), Put(Memory("a_b", "3"))])
    assert sorted(tree(root)) == ["a-b-2.md", "a-b-3.md", "a-b.md"]
    assert {id: one.memory.content for id, one in store.get_many(["A b", "a-b", "a_b"]).items()} == {
        "A b": "1",
        "a-b": "2",
        "a_b": "3",
    }


def test_a_new_note_never_takes_a_file_that_is_there(root: Path) -> None:
    store = VaultStore(root)
    list(store.listing())
    (root / "a.md").write_text("---\nid: mine\n---\nby hand\n")
    (root / "B.md").write_text("---\nid: big\n---\nby hand too\n")
    store.apply([Put(Memory("a", "ours")), Put(Memory("b", "ours"))])
    assert store.get("mine").memory.content == "by hand"
    assert store.get("a").locator == "a-2.md"
    assert store.get("b").locator == "b-2.md", "on some systems b.md is B.md"


def test_changes_of_one_memory_in_one_go_follow_each_other(root: Path) -> None:
    store = VaultStore(root)
    store.apply([Put(Memory("a", "1")), Put(Memory("a", "2")), Put(Memory("b", "x")), Remove("b")])
    assert tree(root).keys() == {"a.md"}
    store.apply([Remove("a"), Put(Memory("a", "3"), "")])
    assert store.get("a").memory.content == "3"
    assert tree(root).keys() == {"a.md"}


def test_the_journal_is_shared_and_the_rest_of_our_folder_is_not(root: Path) -> None:
    store = VaultStore(root)
    store.apply([Put(Memory("a", "1"))])
    store.journal.update(lambda values: {"session_counter": "1"})
    ignored = (root / ".brain" / ".gitignore").read_text().splitlines()
    names = {path.name for path in (root / ".brain").iterdir()} - {".gitignore", ".gitattributes", "journal"}
    assert names <= set(ignored)
    assert "journal" not in " ".join(line for line in ignored if not line.startswith("#"))
