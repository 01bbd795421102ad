"""Any folder of Markdown is a vault: what people, editors, git and sync tools leave in it."""

from __future__ import annotations

import os
import shutil
import tempfile
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from plainbrain.errors import Ambiguous, Damaged, InvalidField, NoBrain, NotFound
from plainbrain.model.change import ABSENT, Put, Remove
from plainbrain.model.memory import Memory
from plainbrain.ports import Changes, Mark
from plainbrain.stores.vault import VaultStore, create_vault
from plainbrain.testing.contract import StoreContract


@pytest.fixture
def root(tmp_path: Path) -> Path:
    create_vault(tmp_path / "brain")
    return tmp_path / "brain"


@pytest.fixture
def reader(root: Path) -> Reader:
    return Reader(root)


class Reader:
    """Follow a vault as an index does; each look may come from a new process."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.mark = Mark()
        self.texts: dict[str, str] = {}

    def look(self, store: VaultStore | None = None) -> Changes:
        store = store or VaultStore(self.root)
        changes = store.changes_since(self.mark)
        if changes.everything:
            self.texts = {}
        for id in changes.gone:
            self.texts.pop(id, None)
        for one in changes.stored:
            self.texts[one.memory.id] = one.memory.content
        self.mark = StoreContract.mark_after(self.mark, changes)
        return changes


@contextmanager
def closed(path: Path) -> Iterator[None]:
    """Take the right to read away from this process (as root, by being nobody for a while)."""
    mode = path.stat().st_mode
    path.chmod(0)
    root = path.parent
    if os.geteuid() == 0:
        for one in (root, *root.rglob("*")):
            os.chown(one, 65534, 65534)
        os.seteuid(65534)
    try:
        if os.access(path, os.R_OK, effective_ids=True) or not os.access(root, os.R_OK, effective_ids=True):
            pytest.skip("the rights of this user cannot be narrowed here")
        yield
    finally:
        if os.getuid() == 0:
            os.seteuid(0)
        path.chmod(mode)


def ids(store: VaultStore) -> list[str]:
    return sorted(id for id, _ in store.listing())


def codes(store: VaultStore) -> dict[str, str]:
    return {problem.path: problem.code for problem in store.problems()}


def test_a_missing_folder_is_no_brain(root: Path) -> None:
    with pytest.raises(NoBrain):
        VaultStore(root / "nothing")
    store = VaultStore(root)
    root.rmdir()
    with pytest.raises(NoBrain):
        list(store.listing())


def test_reads_notes_and_leaves_other_files_alone(root: Path) -> None:
    for name in (
        "a.md",
        "B.MD",
        ".hidden.md",
        "~$a.md",
        "a.md~",
        ".a.md.swp",
        ".#a.md",
        "a.md.tmp",
        "x.txt",
        "pic.png",
    ):
        (root / name).write_text(f"text of {name}")
    for folder in (".obsidian", ".trash", ".git", ".brain"):
        (root / folder).mkdir()
        (root / folder / "z.md").write_text("never")
    store = VaultStore(root)
    assert ids(store) == ["B", "a"]
    assert store.problems() == []


def test_names_that_are_alike_are_three_notes(root: Path) -> None:
    for name in ("a b", "a_b", "a-b", "README", "readme"):
        (root / f"{name}.md").write_text(name)
    for cortex in ("Infra", "infra"):
        (root / cortex).mkdir()
        (root / cortex / f"in-{cortex}.md").write_text(cortex)
    store = VaultStore(root)
    assert {id: store.get(id).memory.content for id in ids(store)} == {
        "README": "README",
        "a b": "a b",
        "a-b": "a-b",
        "a_b": "a_b",
        "in-Infra": "Infra",
        "in-infra": "infra",
        "readme": "readme",
    }


def test_two_notes_with_one_id_answer_to_their_place(root: Path, reader: Reader) -> None:
    for place in ("x", "y"):
        (root / place).mkdir()
    (root / "x" / "a.md").write_text("one")
    store = VaultStore(root)
    reader.look(store)
    assert store.get("a").memory.content == "one"
    (root / "y" / "a.md").write_text("two")
    changes = reader.look(store)
    assert changes.gone == ("a",)
    assert reader.texts == {"x/a": "one", "y/a": "two"}
    assert ids(store) == ["x/a", "y/a"]
    with pytest.raises(Ambiguous) as caught:
        store.get("a")
    assert caught.value.candidates == ("x/a", "y/a")
    with pytest.raises(Ambiguous):
        store.apply([Put(Memory("a", "which?"))])
    assert codes(store) == {"x/a.md": "duplicate-id", "y/a.md": "duplicate-id"}
    store.apply([Put(Memory("x/a", "ONE", cortex="x", title="a"))])
    assert (root / "x" / "a.md").read_text().endswith("ONE")
    (root / "y" / "a.md").unlink()
    assert reader.look().gone == ("x/a", "y/a")
    assert reader.texts == {"a": "ONE"}
    assert VaultStore(root).problems() == []


def test_an_id_in_two_frontmatters_of_one_folder(root: Path) -> None:
    (root / "p.md").write_text("---\nid: z\n---\nP")
    (root / "q.md").write_text("---\nid: z\n---\nQ")
    store = VaultStore(root)
    assert {id: store.get(id).memory.content for id in ids(store)} == {"./p": "P", "./q": "Q"}


def test_finds_an_id_in_either_composition(root: Path) -> None:
    composed = "caf\u00e9"
    apart = unicodedata.normalize("NFD", composed)
    (root / f"{apart}.md").write_text("mac")
    store = VaultStore(root)
    assert store.get(composed).memory.content == store.get(apart).memory.content == "mac"
    store.apply([Put(Memory(composed, "changed", title=apart))])
    assert [path.name for path in root.glob("*.md")] == [f"{apart}.md"]
    (root / f"{composed}.md").write_text("linux")
    assert VaultStore(root).get(composed).memory.content == "linux"
    assert VaultStore(root).get(apart).memory.content == "changed"


@pytest.mark.parametrize("target", ["/etc/hosts", "../outside", "inner", "not-there"])
def test_links_are_skipped_and_listed(root: Path, target: str) -> None:
    (root / "inner").mkdir()
    (root / "inner" / "n.md").write_text("n")
    outside = root.parent / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("secret")
    (root / "link.md").symlink_to(target)
    (root / "infra").symlink_to(target)
    store = VaultStore(root)
    assert ids(store) == ["n"]
    expected = {"link.md", "infra"} if target in ("../outside", "inner") else {"link.md"}
    assert codes(store) == dict.fromkeys(expected, "symlink")
    with pytest.raises(NotFound):
        store.get("link")
    store.apply([Put(Memory("link", "mine"))])
    assert store.get("link").locator == "link-2.md"
    assert [path.name for path in outside.iterdir()] == ["secret.md"]


@pytest.mark.parametrize("target", ["../outside", "inner"])
def test_nothing_is_written_through_a_link(root: Path, target: str) -> None:
    (root / "inner").mkdir()
    (root.parent / "outside").mkdir()
    (root / "infra").symlink_to(target)
    store = VaultStore(root)
    with pytest.raises(Exception, match=r"Not a directory|symbolic"):
        store.apply([Put(Memory("a", "x", cortex="infra"))])
    assert list((root.parent / "outside").iterdir()) == list((root / "inner").iterdir()) == []


@pytest.mark.parametrize(
    "name",
    [
        "a.sync-conflict-20260101-120000-ABCDEF7.md",
        "a (conflicted copy 2026-01-01).md",
        "a (Anna's conflicted copy 2026-01-01).md",
    ],
)
def test_conflict_copies_are_problems_and_no_notes(root: Path, name: str) -> None:
    (root / "a.md").write_text("---\nid: a\n---\nmine")
    (root / name).write_text("---\nid: a\n---\ntheirs")
    store = VaultStore(root)
    assert store.get("a").memory.content == "mine"
    assert codes(store) == {name: "conflict-copy"}


BAD = {
    "latin.md": (b"caf\xe9\n", "not-utf8"),
    "wide.md": ("\ufeffthe caf\u00e9\n".encode("utf-16-le"), "not-utf8"),
    "markless.md": ("the limit\n".encode("utf-16-be"), "not-utf8"),
    "large.md": (b"x" * (5 * 1024 * 1024 + 1), "too-large"),
    "merge.md": (b"---\nid: merge\n<<<<<<< HEAD\ntitle: a\n=======\ntitle: b\n>>>>>>> x\n---\nt\n", "merge-conflict"),
    "body.md": (b"---\nid: body\n---\n<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> x\n", "merge-conflict"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_note_that_turns_bad_is_a_problem_and_drops_nothing(root: Path, reader: Reader, name: str) -> None:
    data, code = BAD[name]
    id = name[:-3]
    (root / name).write_text(f"---\nid: {id}\n---\ngood")
    (root / "other.md").write_text("other")
    reader.look()
    (root / name).write_bytes(data)
    store = VaultStore(root)
    changes = reader.look(store)
    assert changes.gone == ()
    assert reader.texts == {id: "good", "other": "other"}
    assert codes(store) == {name: code}
    assert ids(store) == ["other"]
    with pytest.raises(Damaged, match=name):
        store.get(id)
    with pytest.raises(Damaged):
        store.apply([Put(Memory(id, "new"))])
    assert store.get_many([id, "other"]).keys() == {"other"}
    assert (root / name).read_bytes() == data
    assert reader.look().seen == (), "nothing new is told of it"
    (root / name).write_text(f"---\nid: {id}\n---\nmended")
    reader.look()
    assert reader.texts[id] == "mended"
    assert VaultStore(root).problems() == []


def test_bad_notes_stop_none_of_the_others(root: Path) -> None:
    for name, (data, _) in BAD.items():
        (root / name).write_bytes(data)
    for n in range(50):
        (root / f"n{n}.md").write_text("fine")
    os.mkfifo(root / "pipe.md")
    store = VaultStore(root)
    assert len(ids(store)) == 50
    assert codes(store) == {name: code for name, (_, code) in BAD.items()} | {"pipe.md": "not-a-file"}
    store.apply([Remove("n0")])
    assert len(ids(store)) == 49


def test_a_name_that_is_no_text_is_a_problem(root: Path) -> None:
    try:
        (root / os.fsdecode(b"\xff.md")).write_text("x")
    except OSError:
        pytest.skip("this file system takes no such names")
    (root / "a.md").write_text("a")
    store = VaultStore(root)
    assert ids(store) == ["a"]
    assert [problem.code for problem in store.problems()] == ["bad-name"]


def test_five_megabytes_work_and_more_are_refused(root: Path) -> None:
    store = VaultStore(root)
    text = "word " * 1_000_000
    store.apply([Put(Memory("a", text), ABSENT)])
    assert store.get("a").memory.content == text
    with pytest.raises(InvalidField, match="bytes"):
        store.apply([Put(Memory("a", text * 2))])
    assert store.get("a").memory.content == text


@pytest.fixture
def open_root() -> Iterator[Path]:
    """Give a vault in a place that everybody may pass through."""
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        yield Path(place)


def test_an_unreadable_folder_drops_nothing(open_root: Path) -> None:
    root, reader = open_root, Reader(open_root)
    for place in ("x", "x/y", "z"):
        (root / place).mkdir()
        (root / place / f"in-{place[-1]}.md").write_text(place)
    reader.look()
    with closed(root / "x"):
        store = VaultStore(root)
        (root / "z" / "in-z.md").unlink()
        changes = reader.look(store)
        assert changes.gone == ("in-z",)
        assert [problem.code for problem in changes.problems] == ["unreadable-folder"]
        assert reader.texts == {"in-x": "x", "in-y": "x/y"}
    reader.look()
    assert reader.texts == {"in-x": "x", "in-y": "x/y"}


def test_a_text_that_is_copied_back_is_seen(root: Path, reader: Reader) -> None:
    note = root / "a.md"
    note.write_text("port 8443")
    os.utime(note, ns=(10**18, 10**18))
    kept = root.parent / "kept.md"
    shutil.copy2(note, kept)
    reader.look()
    note.write_text("port 9443")
    os.utime(note, ns=(10**18, 10**18))
    reader.look()
    assert reader.texts == {"a": "port 9443"}
    note.unlink()
    assert reader.look().gone == ("a",)
    shutil.copy2(kept, note)
    reader.look()
    assert reader.texts == {"a": "port 8443"}


@pytest.mark.parametrize("same_process", [True, False])
def test_edits_within_one_tick_of_the_clock_are_all_seen(root: Path, reader: Reader, same_process: bool) -> None:
    store = VaultStore(root) if same_process else None
    note = root / "a.md"
    for n in range(1000, 1100):
        with open(note, "r+b" if note.exists() else "wb") as file:
            file.write(f"port {n}".encode())
        os.utime(note, ns=(10**18, 10**18))
        reader.look(store)
        assert reader.texts == {"a": f"port {n}"}


def test_a_rename_and_a_move_between_folders(root: Path, reader: Reader) -> None:
    (root / "x").mkdir()
    (root / "x" / "a.md").write_text("---\nid: keep\n---\none")
    (root / "b.md").write_text("two")
    reader.look()
    (root / "x").rename(root / "y")
    (root / "b.md").rename(root / "c.md")
    changes = reader.look()
    assert changes.gone == ("b",)
    assert reader.texts == {"keep": "one", "c": "two"}
    assert VaultStore(root).get("keep").locator == "y/a.md"


def test_an_unchanged_folder_is_not_read_again(root: Path, reader: Reader) -> None:
    for n in range(20):
        (root / f"n{n}.md").write_text(str(n))
        os.utime(root / f"n{n}.md", ns=(10**18, 10**18))
    store = VaultStore(root)
    reader.look(store)
    for _ in range(3):
        changes = reader.look()
        assert (list(changes.stored), changes.gone, changes.unseen) == ([], (), ())


def test_an_unreadable_note_drops_nothing(open_root: Path) -> None:
    root, reader = open_root, Reader(open_root)
    (root / "a.md").write_text("text")
    (root / "b.md").write_text("b")
    reader.look()
    with closed(root / "a.md"):
        store = VaultStore(root)
        changes = reader.look(store)
        assert changes.gone == ()
        assert codes(store) == {"a.md": "unreadable"}
        assert ids(store) == ["b"]
    reader.look()
    assert reader.texts == {"a": "text", "b": "b"}
