"""A vault under git: what a pull, a merge or a rebase left, in real repositories."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from plainbrain.app.brain import Brain, make_brain
from plainbrain.testing.builders import FixedClock

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
WHO = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b.c", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b.c"}


class Tree:
    """A working tree with a vault in it."""

    def __init__(self, root: Path, within: str = "", *options: str) -> None:
        self.root, self.vault = root, root / within
        self.vault.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main", *options)

    def git(self, *words: str, fails: str = "no") -> str:
        """Run git; ``fails`` says whether a conflict is expected."""
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.root),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_EDITOR": "true",
            **WHO,
        }
        done = subprocess.run(
            ["git", *words], cwd=self.root, env=environment, capture_output=True, text=True, check=False
        )
        assert (done.returncode != 0) == (fails == "yes"), done.stdout + done.stderr
        return done.stdout

    def note(self, name: str, text: str) -> None:
        """Write a note."""
        (self.vault / name).write_text(text, encoding="utf-8")

    def commit(self) -> None:
        """Commit all that there is."""
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "x")

    def branch(self, name: str) -> None:
        """Go to a new branch from the first commit."""
        self.git("checkout", "-q", "-b", name, "base")


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return diverging(Tree(tmp_path / "repo"))


def diverging(tree: Tree) -> Tree:
    """Let two branches change, add and remove notes."""
    for name in ("both.md", "gone-here.md", "gone-there.md", "calm.md"):
        tree.note(name, f"{name}\n")
    tree.commit()
    tree.git("tag", "base")
    tree.note("both.md", "ours\n")
    tree.note("added.md", "our text\n")
    tree.note("gone-there.md", "changed by us\n")
    (tree.vault / "gone-here.md").unlink()
    tree.commit()
    tree.branch("other")
    tree.note("both.md", "theirs\n")
    tree.note("added.md", "their text\n")
    tree.note("gone-here.md", "changed by them\n")
    (tree.vault / "gone-there.md").unlink()
    tree.commit()
    tree.git("checkout", "-q", "main")
    return tree


@pytest.fixture
def brain(tree: Tree, tmp_path: Path) -> Iterator[Brain]:
    with open_vault(tree.vault, tmp_path) as brain:
        yield brain


def open_vault(vault: Path, place: Path) -> Brain:
    config = place / "config.toml"
    config.touch()
    return make_brain(
        f"vault:{vault}",
        clock=FixedClock(),
        environment={"BRAIN_CONFIG": str(config), "BRAIN_CACHE": str(place / "cache")},
    )


def told(brain: Brain) -> dict[str, str]:
    """Return what the doctor says of git, by path."""
    return {p.path: p.message for p in brain.examine().problems if p.code.startswith("git-")}


def hints(brain: Brain) -> str:
    return "\n".join(p.hint for p in brain.examine().problems if p.code.startswith("git-"))


OPEN = {
    "both.md": "it was changed on both sides, and git could not put the changes together",
    "added.md": "both sides added a note of this name",
    "gone-here.md": "it was removed here and changed on the other side",
    "gone-there.md": "it was changed here and removed on the other side",
}


def test_a_calm_repository_and_none_are_no_trouble(tree: Tree, brain: Brain, tmp_path: Path) -> None:
    assert told(brain) == {}
    with open_vault(tmp_path / "no-repository", tmp_path) as other:
        assert told(other) == {}


def test_a_merge_that_was_left_open(tree: Tree, brain: Brain) -> None:
    tree.git("merge", "other", fails="yes")
    assert told(brain) == {"": "a merge of git is under way", **OPEN}
    assert "git merge --abort" in hints(brain)
    assert "git rm gone-here.md" in hints(brain)
    assert {p.path for p in brain.examine().problems if p.code == "merge-conflict"} == {"both.md", "added.md"}
    tree.git("merge", "--abort")
    assert told(brain) == {}


def test_markers_taken_out_are_not_enough_and_git_add_is(tree: Tree, brain: Brain) -> None:
    tree.git("merge", "other", fails="yes")
    tree.note("both.md", "one text\n")
    assert told(brain)["both.md"] == OPEN["both.md"]
    tree.git("add", "-A")
    assert told(brain) == {"": "a merge of git is under way"}
    assert hints(brain).startswith("go on: git commit")
    tree.git("commit", "-q", "-m", "merged")
    assert told(brain) == {}


def test_in_a_rebase_ones_own_side_is_still_ones_own(tree: Tree, brain: Brain) -> None:
    tree.git("rebase", "other", fails="yes")
    assert told(brain) == {"": "a rebase of git is under way", **OPEN}
    assert "git rebase --continue" in hints(brain)


@pytest.mark.parametrize(
    ("words", "what"), [("cherry-pick other", "cherry-pick"), ("revert --no-edit HEAD~1", "revert")]
)
def test_other_ways_of_putting_changes_together(tree: Tree, brain: Brain, words: str, what: str) -> None:
    if what == "revert":
        tree.note("both.md", "ours, twice changed\n")
        tree.commit()
    tree.git(*words.split(), fails="yes")
    assert told(brain)[""] == f"a {what} of git is under way"
    assert f"git {what} --abort" in hints(brain)


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_every_version_of_the_index(tree: Tree, brain: Brain, version: str) -> None:
    for number in range(40):
        tree.note(f"a note with a long name, number {number}, äöü.md", "x\n")
    tree.commit()
    if version == "3":
        tree.note("later.md", "x\n")
        tree.git("add", "-N", "later.md")
        tree.git("commit", "-q", "-m", "x", "later.md")
        tree.note("again.md", "x\n")
        tree.git("update-index", "--skip-worktree", "calm.md")
    else:
        tree.git("update-index", "--index-version", version)
    assert (tree.root / ".git" / "index").read_bytes()[7] == int(version)
    tree.git("merge", "other", fails="yes")
    assert told(brain) == {"": "a merge of git is under way", **OPEN}


def test_long_hashes_a_vault_in_a_folder_and_a_linked_tree(tmp_path: Path) -> None:
    try:
        tree = diverging(Tree(tmp_path / "repo", "docs/brain", "--object-format=sha256"))
    except AssertionError:
        pytest.skip("this git knows short hashes only")
    tree.git("worktree", "add", "-q", str(tmp_path / "linked"), "-b", "third", "main")
    linked = Tree.__new__(Tree)
    linked.root, linked.vault = tmp_path / "linked", tmp_path / "linked" / "docs" / "brain"
    linked.git("merge", "other", fails="yes")
    with open_vault(tree.vault, tmp_path) as calm, open_vault(linked.vault, tmp_path) as brain:
        assert told(calm) == {}
        assert told(brain) == {"": "a merge of git is under way", **OPEN}


def test_files_of_one_machine_and_the_journal(tree: Tree, brain: Brain) -> None:
    id = brain.encode("A note", "text").id
    brain.touch([id])
    assert (tree.vault / ".brain" / "journal").is_dir()
    tree.commit()
    assert told(brain) == {}
    tracked = tree.git("ls-files", ".brain").split()
    assert any(name.startswith(".brain/journal/") for name in tracked)
    tree.git("add", "-f", ".brain/lock")
    (tree.vault / ".gitignore").write_text("*.tmp\n/.brain/\n", encoding="utf-8")
    found = told(brain)
    assert "one machine" in found[".brain/lock"]
    assert "journal" in found[".gitignore"]
    tree.git("rm", "-q", "--cached", ".brain/lock")
    (tree.vault / ".gitignore").write_text(".brain/journal/\n", encoding="utf-8")
    assert told(brain) == {}, "a vault that is published leaves it out on purpose"


def test_a_folder_that_git_knows_nothing_of_is_left_alone(tree: Tree, tmp_path: Path) -> None:
    tree.git("merge", "other", fails="yes")
    with open_vault(tree.root / "elsewhere", tmp_path) as brain:
        assert told(brain) == {}


def test_a_tree_whose_repository_is_gone_is_told(tmp_path: Path) -> None:
    with open_vault(tmp_path / "linked", tmp_path) as brain:
        (tmp_path / "linked" / ".git").write_text("gitdir: ../gone/.git/worktrees/linked\n", encoding="utf-8")
        assert "which is not there" in told(brain)[""]
        (tmp_path / "linked" / ".git").write_text("nonsense\n", encoding="utf-8")
        assert "names no folder" in told(brain)[""]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"DIRC",
        b"DIRC\0\0\0\x02\0\0\0\x09" + b"x" * 90,
        b"nonsense" * 9,
        b"DIRC\0\0\0\x04\0\0\0\x02" + b"\xff" * 80,
    ],
)
def test_an_index_that_cannot_be_read_is_told(tree: Tree, brain: Brain, data: bytes) -> None:
    (tree.root / ".git" / "index").write_bytes(data)
    assert "form that we do not know" in told(brain)[""]


def test_a_chain_that_two_branches_went_on_with(tree: Tree, tmp_path: Path) -> None:
    with open_vault(tree.vault, tmp_path) as brain:
        brain.encode("The limit is 5", "Five.", id="five")
        tree.commit()
        tree.git("tag", "-f", "base")
        brain.encode("The limit is 6", "Six.", id="six", supersedes=["five"])
        tree.commit()
        tree.branch("mine")
        brain.encode("The limit is 7", "Seven.", id="seven", supersedes=["five"])
        tree.commit()
        tree.git("merge", "main", fails="yes")
        assert set(told(brain)) == {"", "inbox/five.md"}  # the journals of both sides went together
        tree.git("checkout", "--theirs", "inbox/five.md")
        tree.git("add", "-A")
        tree.git("commit", "-q", "-m", "merged")
        branched = [p for p in brain.examine().problems if p.code == "branched-chain"]
        assert [p.message for p in branched] == ["five was replaced by seven and by six, which are all in effect"]
        brain.supersede("six", "seven")
        brain.repair()
        assert brain.examine().problems == ()


def test_notes_that_both_branches_made_under_one_id_and_a_link_to_one_that_went(tree: Tree, tmp_path: Path) -> None:
    tree.note("calm.md", "---\nid: calm\nlinks: [{to: one, rel: relates_to}]\n---\ncalm\n")
    tree.note("one.md", "---\nid: one\nlinks: [{to: calm, rel: relates_to}]\n---\none\n")
    tree.commit()
    tree.git("tag", "-f", "base")
    tree.note("here.md", "---\nid: same\n---\nhere\n")
    tree.commit()
    tree.branch("mine")
    tree.note("there.md", "---\nid: same\n---\nthere\n")
    (tree.vault / "one.md").unlink()
    tree.commit()
    tree.git("merge", "-q", "-m", "merged", "main")
    with open_vault(tree.vault, tmp_path) as brain:
        found = {(p.code, p.path) for p in brain.examine().problems}
        assert found == {("duplicate-id", "here.md"), ("duplicate-id", "there.md"), ("dangling-link", "calm.md")}


def test_a_link_to_a_note_that_a_merge_left_unreadable_is_not_to_be_removed(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    marks = "<<<<<<< HEAD\nid: torn\n=======\nid: torn\ntitle: x\n>>>>>>> other\n"
    (vault / "torn.md").write_text(f"---\n{marks}---\n\nx\n", encoding="utf-8")
    (vault / "text.md").write_text("---\nid: text\n---\n\nsee [[torn]] and [[none]]\n", encoding="utf-8")
    links = "links: [{to: torn, rel: mentions}, {to: other, rel: mentions}]"
    (vault / "from.md").write_text(f"---\nid: from\n{links}\n---\n\nx\n", encoding="utf-8")
    with open_vault(vault, tmp_path) as brain:
        found = {p.code: p for p in brain.examine().problems}
        assert set(found) == {"merge-conflict", "unread-link", "dangling-link", "dangling-wikilink"}
        assert found["unread-link"].hint == "mend torn.md, and leave the link as it is"
        assert "[[none]]" in found["dangling-wikilink"].message
        assert not any("--remove" in p.hint for p in found.values())
    (vault / "torn.md").unlink()
    with open_vault(vault, tmp_path) as brain:
        told = [p for p in brain.examine().problems if p.code == "dangling-link"]
        assert len(told) == 2
        assert all("--remove" in p.hint for p in told)
