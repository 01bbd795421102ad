"""Names of files, folders and ids: nothing is overwritten, nothing leaves the folder, every name works on every system."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from plainbrain import BrainError, open_brain
from plainbrain.app.settings import load_settings, store_url
from plainbrain.errors import InvalidField, InvalidId, NotFound
from tests.field.folder import Folder

RESERVED = {"con", "prn", "aux", "nul", *(f"{d}{n}" for d in ("com", "lpt") for n in range(10))}


@pytest.mark.parametrize(
    "id",
    ["node", "nod", "node-", "NODE-A", "node_a", "Node A", "node-a ", "./node-a", "node-a.md", "n*", "%", "node-_", ""],
)
def test_a_write_takes_no_id_that_is_only_alike(folder: Folder, id: str) -> None:
    """A target that is looked up by likeness, so that a write hits another note."""
    for name in ("node-a", "node-b"):
        folder.write(f"{name}.md", f"text of {name}\n")
    before = {file.name: file.read_bytes() for file in folder.root.glob("*.md")}
    for write in (
        lambda: folder.brain.supersede(id, "node-b"),
        lambda: folder.brain.link("node-b", id),
        lambda: folder.brain.validate(id),
        lambda: folder.brain.invalidate(id),
        lambda: folder.brain.move(id, new_id="other"),
        lambda: folder.brain.forget(id),
        lambda: folder.brain.encode("New", supersedes=[id]),
    ):
        with pytest.raises(NotFound) as caught:
            write()
        if id == "node":
            assert set(caught.value.candidates) == {"node-a", "node-b"}
            assert "node-a" in caught.value.hint
    assert {file.name: file.read_bytes() for file in folder.root.rglob("*.md")} == before


def test_titles_that_begin_alike_are_two_notes(folder: Folder) -> None:
    """Names made of the first words of a title, so that the second note replaces the first."""
    words = "the staging database of the billing service listens on the port"
    for pair in (
        (f"{words} 8443", f"{words} 9443"),
        ("x" * 290 + "A", "x" * 290 + "B"),
        ("日本語の題" * 20, "日本語の題" * 20 + "二"),
        ("Same", "Same"),
    ):
        ids = [folder.brain.encode(title, f"text {n} of {title[:5]}").id for n, title in enumerate(pair)]
        assert len(set(ids)) == 2
        assert [folder.brain.get(id).title for id in ids] == list(pair)
        assert all(len(id) <= 120 and id.isascii() for id in ids)


def test_a_clash_is_told(folder: Folder) -> None:
    folder.brain.encode("Ports", "8443")
    assert any("taken" in note for note in folder.brain.encode("Ports", "9443").notes)
    assert "taken" in folder.command("encode", "Ports", "--body", "10443").err


def test_names_that_differ_a_little_are_as_many_notes(folder: Folder) -> None:
    """Names that differ in case, in separators or in how an accent is written."""
    names = [
        "README.md",
        "readme.md",
        "a b.md",
        "a_b.md",
        "a-b.md",
        "Infra/x1.md",
        "infra/x2.md",
        "café.md",
        "d/cafe\u0301.md",
        "v1.2 notes.md",
        "v1.2.md",
        "x.markdown",
    ]
    for name in names:
        folder.write(name, f"commonword of {name}\n")
    if len({os.stat(folder.root / name).st_ino for name in names}) < len(names):
        pytest.skip("this file system makes no difference between such names")
    assert len(folder.found("commonword")) == len(names)
    assert folder.brain.read("README").stored.locator == "README.md"
    assert folder.brain.read("readme.md").stored.locator == "readme.md"
    assert folder.brain.read("a_b").stored.locator == "a_b.md"
    assert (
        folder.brain.read("v1.2 notes").stored.locator
        == folder.brain.read("v1.2 notes.md").stored.locator
        == "v1.2 notes.md"
    )
    assert folder.brain.read("v1.2").stored.locator == "v1.2.md"
    assert folder.brain.read("x").stored.locator == folder.brain.read("x.markdown").stored.locator == "x.markdown"
    assert folder.brain.read("infra/x2").stored.locator == "infra/x2.md"
    assert folder.problems() == []


@pytest.mark.parametrize(
    "title",
    ["CON", "nul", "aux.", "com1", "LPT9.txt", "a: b?", "<>|*\"", "x.", "x ", ".", "..", "...", ".hidden", "~", "-x", "a/b", "a\\b", "C:\\x", "../../etc/passwd",
     "v1.2 release notes", "\u202egnp", "🚀", "日本語", "é", "x" * 300, "con.md", "a\tb", "%2e%2e%2f", ".git", ".brain", "CLOCK$"],
)  # fmt: skip
def test_every_title_gets_a_name_that_works_everywhere(folder: Folder, title: str) -> None:
    """Device names, trailing dots and spaces, forbidden signs, paths, scripts."""
    id = folder.brain.encode(title, "text").id
    locator = folder.brain.read(id).stored.locator
    name = Path(locator).name
    assert name.removesuffix(".md") == id
    assert name.isascii()
    assert id.split(".")[0] not in RESERVED
    assert not set('<>:"|?*\\/ .') & set(id)
    assert id == id.lower().strip("-. ")
    assert (folder.root / locator).is_file()
    assert folder.command("read", id).status == 0
    if title == "v1.2 release notes":
        assert id == "v1-2-release-notes"


CORTICES = [
    "lpt1",
    "con.txt",
    "aux/com1",
    "trail. ",
    "a: b?",
    ".git",
    ".obsidian/plugins",
    ".brain/journal",
    "a\\b",
    "x\x00y",
    "日本",
    "a//b",
    "./a",
    "x" * 150,
]


@pytest.mark.parametrize("cortex", CORTICES)
def test_every_cortex_gets_a_folder_that_works_everywhere(folder: Folder, cortex: str) -> None:
    """Device names and hidden folders of other tools as themes."""
    id = folder.brain.encode("A", "x", cortex=cortex).id
    parts = Path(folder.brain.read(id).stored.locator).parts[:-1]
    assert parts
    for part in parts:
        assert not part.startswith(".")
        assert part == part.rstrip(". ")
        assert part.split(".")[0].lower() not in RESERVED
        assert not set('<>:"|?*\\') & set(part)
    assert folder.problems() == []


@pytest.mark.parametrize(
    "path", ["../x", "/abs", "a/../../x", "..", "~", "~/x", "C:", "C:\\x", "\\\\host\\share", "/", "a/..", "..\\x"]
)
def test_no_path_leads_out(folder: Folder, path: str) -> None:
    """Climbing, absolute and Windows paths as themes, ids and names to read."""
    outside = folder.root.parent / "x.md"
    outside.write_text("secret outside\n")
    folder.brain.encode("A", "x", cortex="in")
    before = sorted(folder.root.parent.rglob("*.md"))
    with pytest.raises(InvalidField):
        folder.brain.encode("B", "x", cortex=path)
    with pytest.raises(InvalidField):
        folder.brain.move("a", cortex=path)
    with pytest.raises(InvalidId):
        folder.brain.move("a", new_id=path)
    with pytest.raises(BrainError):
        folder.brain.encode("C", "x", id=path)
    for name in (path, f"{path}/x", f"{path}/x.md", f"{path}.md"):
        said = folder.command("read", "--", name)
        assert said.status != 0
        assert "secret" not in said.out
    assert sorted(folder.root.parent.rglob("*.md")) == before


def test_links_of_the_file_system_are_not_followed_and_are_listed(folder: Folder) -> None:
    """Symbolic links out of the brain, to folders and files, to what is not there, and within it."""
    outside = folder.root.parent / "outside"
    outside.mkdir()
    (outside / "o.md").write_text("outsideword\n")
    folder.write("in/n.md", "insideword\n")
    for name, target in (
        ("s.md", outside / "o.md"),
        ("dir", outside),
        ("new.md", outside / "later.md"),
        ("up", folder.root.parent),
        ("again", Path("in")),
    ):
        (folder.root / name).symlink_to(target)
    assert folder.found("outsideword") == []
    assert folder.found("insideword") == ["n"]
    assert sorted(where for code, where in folder.problems() if code == "symlink") == [
        "again",
        "dir",
        "new.md",
        "s.md",
        "up",
    ]
    for cortex in ("dir", "up", "again"):
        said = folder.command("encode", "Via", "--body", "x", "--cortex", cortex)
        assert (said.status != 0, said.out) == (True, "")
    assert sorted(path.name for path in outside.iterdir()) == ["o.md"]
    folder.brain.encode("new", "text", cortex="in")
    assert not (outside / "later.md").exists()


def test_files_that_editors_and_sync_tools_leave_are_no_notes(folder: Folder) -> None:
    """Swap, backup and lock files, and copies that a sync tool put aside."""
    folder.write("real.md", "wordy\n")
    for name in ("x.md~", "x.md.tmp", ".#x.md", "#x.md#", ".x.md.swp", "4913", "x.md.bak", "x.md.orig", "~$x.md", ".~lock.x.md#", ".syncthing.x.md.tmp",
                 ".obsidian/x.md", ".trash/x.md", ".git/x.md", ".stversions/x.md", ".DS_Store", "Thumbs.db", "x.txt", "x.md.part", "x.mdown.crdownload"):  # fmt: skip
        folder.write(name, "wordy\n")
    assert folder.found("wordy") == ["real"]
    assert folder.problems() == []
    copies = ["real.sync-conflict-20261027-120000-ABCDEFG.md", "real (conflicted copy 2026-10-27).md", "real (Ann's conflicted copy 2026-10-27).md",
              "real_conflict-20261027-120000.md", "real (Case Conflict).md", "real (Selective Sync Conflict).md", "real (Conflicted copy laptop 202610271200).md"]  # fmt: skip
    for name in copies:
        folder.write(name, "wordy\n")
    assert folder.found("wordy") == ["real"]
    assert sorted(folder.problems()) == sorted(("conflict-copy", name) for name in copies)
    for name in ("merge_conflict-resolution.md", "How a conflicted copy comes about.md", "a.sync-conflict-notes.md"):
        folder.write(name, "subjectword\n")
    assert len(folder.found("subjectword")) == 3


@pytest.mark.parametrize("label", [" HEAD", ""])
def test_a_half_done_merge_is_told_and_kept(folder: Folder, label: str) -> None:
    """Conflict markers of git in a block or a body."""
    folder.write("sound.md", "soundword\n")
    good = "---\ntitle: Merged\n---\ngoodword\n"
    for name in ("block", "body"):
        folder.write(f"{name}.md", good)
    assert folder.found("goodword") == ["block", "body"]
    block = f"---\n<<<<<<<{label}\ntitle: a\n=======\ntitle: b\n>>>>>>>{label}\n---\ngoodword\n"
    body = f"---\ntitle: T\n---\n<<<<<<<{label}\nours\n=======\ntheirs\n>>>>>>>{label}\n"
    files = {name: folder.write(f"{name}.md", text) for name, text in (("block", block), ("body", body))}
    assert sorted(folder.problems()) == [("merge-conflict", "block.md:2"), ("merge-conflict", "body.md:4")]
    assert folder.found("soundword") == ["sound"]
    for name, file in files.items():
        before = file.read_bytes()
        with pytest.raises(BrainError):
            folder.brain.validate(name)
        assert file.read_bytes() == before
        folder.write(f"{name}.md", good)
    assert folder.found("goodword") == ["block", "body"]
    assert folder.problems() == []


def test_a_brain_is_one_place_however_it_is_named(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home folder as ``~``, relative paths, spaces and hashes in a path, links to the folder: one index, shown alike."""
    odd = Folder(folder.root.parent / "my #brain ü")
    odd.brain.encode("A", "oddword")
    monkeypatch.setenv("HOME", str(folder.root.parent))
    monkeypatch.chdir(folder.root.parent)
    (folder.root.parent / "link").symlink_to(odd.root)
    url = f"vault:{odd.root}"
    for name in (
        str(odd.root),
        "my #brain ü",
        "./my #brain ü/",
        "~/my #brain ü",
        "link",
        f"vault:{odd.root}",
        "vault:~/link",
    ):
        assert store_url(name) == url
        for variable in ("BRAIN_DIR", "BRAIN_STORE"):
            assert load_settings({variable: name}).store == url
        with open_brain(name) as brain:
            assert [hit.id for hit in brain.search("oddword").hits] == ["a"]
    assert str(odd.root) in odd.command("status").out
    assert not list(odd.root.rglob("*.db*"))
    odd.brain.close()
