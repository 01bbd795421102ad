"""What is on the disk now is what the next call answers with, whoever changed it and however it looks from outside."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from plainbrain import open_brain
from plainbrain.errors import BrainError, Damaged, StoreError
from plainbrain.model.change import Remove
from plainbrain.testing.builders import FixedClock
from tests.field.folder import Folder

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not here")


def cut_and_fill(file: Path, data: bytes) -> None:
    file.write_bytes(data)


def rename_over(file: Path, data: bytes) -> None:
    fresh = file.with_name(f".{file.name}.new")
    fresh.write_bytes(data)
    fresh.replace(file)


def keep_the_time(file: Path, data: bytes) -> None:
    was = file.stat()
    file.write_bytes(data)
    os.utime(file, ns=(was.st_atime_ns, was.st_mtime_ns))


def copy_an_old_file(file: Path, data: bytes) -> None:
    other = file.parent.parent / "elsewhere.md"
    other.write_bytes(data)
    os.utime(other, (1_000_000_000, 1_000_000_000))
    shutil.copy2(other, file)


def write_within(file: Path, data: bytes) -> None:
    with file.open("r+b") as open_file:
        open_file.write(data)


def move_aside_and_write(file: Path, data: bytes) -> None:
    file.rename(file.with_name(f"{file.name}~"))
    file.write_bytes(data)


EDITORS = (cut_and_fill, rename_over, keep_the_time, copy_an_old_file, write_within, move_aside_and_write)


@pytest.fixture(params=["scanning", "watching"])
def kept(folder: Folder, request: pytest.FixtureRequest) -> Folder:
    """Return a vault whose brain stays open, looking at each call or told by the system."""
    if request.param == "watching":
        folder.brain.watch()
    return folder


@pytest.mark.parametrize("edit", EDITORS)
@pytest.mark.parametrize("process", ["one process", "new processes"])
def test_an_edit_of_the_same_length_is_seen_at_once(
    kept: Folder, edit: Callable[[Path, bytes], None], process: str
) -> None:
    """Text replaced by as much other text within one tick of the clock, or under a time that was put back."""
    file = kept.write("a.md", "the port is p1000\n")
    for n in range(1001, 1008):
        edit(file, b"the port is p%d\n" % n)
        if process == "new processes":
            kept.reopen()
        assert kept.found(f"p{n}") == ["a"], n
        assert kept.found(f"p{n - 1}") == []
        assert f"p{n}" in kept.brain.get("a").content


def test_what_went_and_came_back_is_there(kept: Folder) -> None:
    """The same bytes returning after a removal, which bookkeeping takes for known."""
    file = kept.write("in/a.md", "lostword\n")
    data, was = file.read_bytes(), file.stat()
    for _ in range(3):
        assert kept.found("lostword") == ["a"]
        file.unlink()
        assert kept.found("lostword") == []
        with pytest.raises(BrainError):
            kept.brain.get("a")
        file.write_bytes(data)
        os.utime(file, ns=(was.st_atime_ns, was.st_mtime_ns))
    assert kept.found("lostword") == ["a"]
    (kept.root / "in").rename(kept.root.parent / "away")
    assert kept.found("lostword") == []
    (kept.root.parent / "away").rename(kept.root / "out")
    assert kept.found("lostword") == ["a"]
    assert kept.brain.get("a").cortex == "out"


@needs_git
def test_each_checkout_is_seen_by_an_open_brain(kept: Folder) -> None:
    """Branches that swap many files of one length within an instant, removals and renames among them."""

    def git(*words: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=kept.root, check=True, capture_output=True
        )

    git("init", "-q", "-b", "one")
    for n in range(30):
        kept.write(f"c{n % 3}/n{n}.md", f"branchword one {n:03}\n")
    git("add", "-A", "--", "c0", "c1", "c2")
    git("commit", "-qm", "one")
    git("checkout", "-qb", "two")
    for n in range(30):
        kept.write(f"c{n % 3}/n{n}.md", f"branchword two {n:03}\n")
    (kept.root / "c0/n0.md").unlink()
    git("mv", "c1/n1.md", "c2/n1.md")
    git("commit", "-qam", "two")
    for _ in range(4):
        for name, other, count in (("one", "two", 30), ("two", "one", 29)):
            git("checkout", "-q", name)
            found = kept.brain.search(f"branchword {name}", 50).hits
            assert len(found) == count
            assert all(f"branchword {name}" in hit.memory.content for hit in found)
            assert not kept.found(other)
            assert kept.brain.get("n1").cortex == ("c1" if name == "one" else "c2")


def test_a_command_sees_what_an_open_brain_wrote_and_back(kept: Folder) -> None:
    """A process that stays open beside commands that come and go."""
    for n in "abcde":
        assert kept.command("encode", f"From outside {n}", "--body", f"outside{n}word").status == 0
        assert kept.found(f"outside{n}word") == [f"from-outside-{n}"]
        kept.brain.encode(f"From within {n}", f"inside{n}word")
        assert f"from-within-{n}" in kept.command("search", f"inside{n}word").out


def test_a_note_that_was_edited_stays(kept: Folder) -> None:
    """A note that vanishes from search or from reading after edits by hand and by us in turn."""
    id = kept.brain.encode("A note", "firstword", tags=["one"]).id
    file = kept.root / kept.brain.read(id).stored.locator
    for n in range(5):
        file.write_text(
            file.read_text()
            .replace("status: active", f"status: active\nround{n}: yes")
            .replace("firstword", f"firstword hand{n}")
        )
        kept.brain.validate(id, 0.5 + n / 10)
        assert kept.found("firstword") == kept.found(f"hand{n}") == [id]
        assert f"round{n}: yes\n" in file.read_text()
        assert kept.brain.get(id).confidence.value == 0.5 + n / 10


def test_a_hand_edit_is_never_written_over(kept: Folder) -> None:
    """An edit by hand between our reading and our writing."""
    id = kept.brain.encode("A note", "ours").id
    stored = kept.brain.store.get(id)
    file = kept.root / stored.locator
    file.write_text(file.read_text().replace("ours", "theirs"))
    kept.brain.validate(id, 0.9)
    assert "theirs" in file.read_text()
    with pytest.raises(BrainError):
        kept.brain.store.apply([Remove(id, stored.revision)])
    assert file.exists()


def indexes(folder: Folder) -> list[Path]:
    cache = folder.brain.context.index._place.folder  # type: ignore[attr-defined]
    return sorted(path for path in cache.rglob("*") if path.suffix == ".db")


def delete(path: Path) -> None:
    path.unlink()


def cut(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for at in range(0, len(data), 997):
        data[at] ^= 0x10
    path.write_bytes(data)


def no_database(path: Path) -> None:
    path.write_text("this is no database\n" * 50)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def other_tables(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE TABLE doc (doc, wrong)")
        db.execute("CREATE TABLE meta (key, value)")
    db.close()


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def all_of_it(path: Path) -> None:
    shutil.rmtree(path.parent)


@pytest.mark.parametrize("harm", [delete, cut, flip, no_database, empty, other_tables, a_folder, all_of_it])
@pytest.mark.parametrize("process", ["open", "new"])
def test_the_index_may_be_lost_at_any_time(folder: Folder, harm: Callable[[Path], None], process: str) -> None:
    """An index deleted, cut, damaged, of another making or no database at all, under an open brain or before a start."""
    for n in range(40):
        folder.write(f"n{n}.md", f"---\nlinks: [{{to: n{(n + 1) % 40}, rel: causes}}]\n---\nsharedword number{n}\n")
    before = [(hit.id, hit.score) for hit in folder.brain.search("sharedword number7", 40).hits]
    assert len(before) == 40
    if process == "new":
        folder.brain.close()
    for path in indexes(folder):
        if path.exists():
            harm(path)
    if process == "new":
        folder.reopen()
    for _ in range(2):
        assert [(hit.id, hit.score) for hit in folder.brain.search("sharedword number7", 40).hits] == before
        assert [back.id for back in folder.brain.read("n8").backlinks] == ["n7"]
    folder.write("new.md", "sharedword newword\n")
    assert folder.found("newword") == ["new"]
    assert folder.brain.status().total == 41


def test_the_index_lies_outside_the_folder_and_starts_do_not_wipe_it(folder: Folder) -> None:
    """State that a sync tool would carry about, and an index that every start begins anew."""
    for n in range(200):
        folder.write(f"n{n}.md", f"keptword {n}\n")
    assert folder.brain.search("keptword").total == 200
    first = {path: path.stat().st_ino for path in indexes(folder)}
    assert first
    assert not [path for path in first if folder.root in path.parents]
    for _ in range(3):
        folder.reopen()
        assert folder.brain.search("keptword").total == 200
    assert {path: path.stat().st_ino for path in indexes(folder)} == first
    assert sorted(path.name for path in folder.root.iterdir() if path.suffix != ".md") == []


_WRITER = """
import sys
from plainbrain import open_brain
with open_brain(sys.argv[1]) as brain:
    for n in range(int(sys.argv[2])):
        print(brain.encode(f"Note {sys.argv[3]} {n}", f"racedword w{sys.argv[3]}x{n}").id, flush=True)
"""


def test_what_is_written_while_others_look_is_there(folder: Folder) -> None:
    """A note accepted while another process goes through the folder, taken for removed by hand."""
    count = int(os.environ.get("BRAIN_TEST_RACE", "40"))
    command = [sys.executable, "-c", _WRITER, str(folder.root), str(count)]
    writers = [subprocess.Popen([*command, str(n)], stdout=subprocess.PIPE) for n in range(2)]
    while any(writer.poll() is None for writer in writers):
        folder.brain.search("racedword")
    acknowledged = sorted(line for writer in writers for line in writer.communicate()[0].decode().split())
    assert len(acknowledged) == 2 * count
    found = sorted(hit.id for hit in folder.brain.search("racedword", 1000).hits)
    assert found == acknowledged
    with open_brain(folder.root, clock=FixedClock()) as fresh:
        assert sorted(hit.id for hit in fresh.search("racedword", 1000).hits) == acknowledged
        assert all(fresh.get(id).is_live for id in acknowledged)


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0 or shutil.which("setpriv") is None, reason="needs another user"
)
def test_a_closed_folder_drops_nothing_and_is_told(folder: Folder) -> None:
    """A folder that cannot be read for a while, which a scan takes for a removal of all that lies in it."""
    folder.write("open/a.md", "closedword one\n")
    folder.write("shut/b.md", "closedword two\n")
    script = (
        "import os, sys\nfrom pathlib import Path\nfrom plainbrain import open_brain\nfrom plainbrain.errors import BrainError\n"
        "brain = open_brain(sys.argv[1], environment={'BRAIN_CACHE': sys.argv[2]})\n"
        "shut = Path(sys.argv[1], 'shut')\n"
        "def look():\n    found = brain.search('closedword')\n    return sorted(h.id for h in found.hits), found.total, found.notes\n"
        "assert look() == (['a', 'b'], 2, ()), look()\n"
        "for again in range(2):\n"
        "    shut.chmod(0)\n    ids, total, notes = look()\n"
        "    assert (ids, total) == (['a'], 1) and any('shut' in n for n in notes), (ids, total, notes)\n"
        "    for name in ('read', 'validate', 'forget'):\n"
        "        try:\n            getattr(brain, name)('b')\n            raise SystemExit(name)\n"
        "        except BrainError as error:\n            assert error.code == 'damaged', (name, error.code, str(error))\n"
        "    assert brain.status().total == 2\n    shut.chmod(0o700)\n    assert look() == (['a', 'b'], 2, ()), look()\n"
        "    brain.close()\n    brain = open_brain(sys.argv[1], environment={'BRAIN_CACHE': sys.argv[2]})\n"
    )
    place = folder.root.parent
    for path in (place, *place.rglob("*")):
        os.chown(path, 65534, 65534)
    for above in (place, *place.parents):
        if above == Path("/tmp"):
            break
        above.chmod(above.stat().st_mode | 0o011)
    done = subprocess.run(
        ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", sys.executable, "-B", "-c", script, str(folder.root), str(place / "cache")],
        capture_output=True, text=True, env={"PATH": os.environ["PATH"], "HOME": str(place)},
    )  # fmt: skip
    cannot_run = done.returncode in (126, 127) or "Permission denied" in done.stderr
    if done.returncode and cannot_run and "plainbrain" not in done.stderr:
        pytest.skip("the other user cannot run this Python")
    assert done.returncode == 0, done.stderr


def test_a_folder_that_is_gone_is_no_empty_brain(folder: Folder) -> None:
    """A disk that is not mounted, a folder that was moved: nothing is answered as if all had been removed."""
    folder.write("a.md", "mountedword\n")
    assert folder.found("mountedword") == ["a"]
    folder.root.rename(folder.root.parent / "unmounted")
    with pytest.raises(StoreError):
        folder.brain.search("mountedword")
    assert folder.command("search", "mountedword").status == 3
    (folder.root.parent / "unmounted").rename(folder.root)
    assert folder.found("mountedword") == ["a"]
    assert not isinstance(folder.brain.get("a"), Damaged)
