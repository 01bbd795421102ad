"""No path leaves the folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from plainbrain.errors import OutOfBounds
from plainbrain.files import beneath as module
from plainbrain.files.beneath import Beneath, split

CLIMBING = [
    "",
    ".",
    "..",
    "../x",
    "a/../../x",
    "a/..",
    "a/./b",
    "./a",
    "/etc/passwd",
    "//etc/passwd",
    "a//b",
    "a/",
    "C:\\x",
    "c:/x",
    "\\\\server\\share",
    "..\\x",
    "a\\..\\..\\x",
    "a\0b",
    "\0",
]


@pytest.fixture
def inside(tmp_path: Path) -> Beneath:
    root = tmp_path / "brain"
    (root / "infra").mkdir(parents=True)
    (root / "infra" / "a.md").write_text("ok")
    (tmp_path / "brain-evil").mkdir()
    (tmp_path / "brain-evil" / "s").write_text("secret")
    (root / "up").symlink_to("..")
    (root / "file").symlink_to("/etc/hosts")
    (root / "inner").symlink_to("infra")
    (root / "infra" / "self.md").symlink_to("a.md")
    return Beneath(root)


@pytest.mark.parametrize("path", CLIMBING)
def test_a_path_that_climbs_is_refused(inside: Beneath, path: str) -> None:
    with pytest.raises(OutOfBounds):
        split(path)


@pytest.mark.parametrize("path", ["a.md", "infra/a.md", "%2e%2e/x", "...", "a b/ü.md", "x..y", "-rf", "q: why.md"])
def test_any_other_name_is_a_name(path: str) -> None:
    assert "/".join(split(path)) == path


@pytest.mark.parametrize("holds", [True, False], ids=["held", "by path"])
@pytest.mark.parametrize("path", ["up/brain-evil/s", "file", "inner/a.md", "infra/self.md", "up"])
def test_no_link_is_followed(inside: Beneath, monkeypatch: pytest.MonkeyPatch, path: str, holds: bool) -> None:
    monkeypatch.setattr(module, "HOLDS_FOLDERS", holds and module.HOLDS_FOLDERS)
    assert inside.read(("infra", "a.md"), 10)[0] == b"ok"
    with pytest.raises(OSError, match=r"links|directory|link"):
        inside.read(split(path), 100)
    with pytest.raises(OSError, match=r"links|directory|link|exists"):
        inside.folder_made((*split(path), "new"))


def test_only_plain_files_are_read(inside: Beneath) -> None:
    os.mkfifo(Path(inside.path) / "pipe.md")
    for name in ("pipe.md", "infra"):
        with pytest.raises(OSError, match=r"plain file|directory"):
            inside.read((name,), 10)
    with pytest.raises(FileNotFoundError):
        inside.read(("nothing", "a.md"), 10)


def test_reads_up_to_the_limit_and_one_more(inside: Beneath) -> None:
    (Path(inside.path) / "big").write_bytes(b"x" * 3_000_000)
    assert len(inside.read(("big",), 2_500_000)[0]) == 2_500_001
    assert len(inside.read(("big",), 3_000_000)[0]) == 3_000_000


def test_swapping_a_file_for_a_link_never_reads_outside(inside: Beneath) -> None:
    code = (
        "import os, sys\n"
        "good, real, bad = sys.argv[1:]\n"
        "print('on', flush=True)\n"
        "for n in range(10**9):\n"
        "    os.symlink(bad, good + '.t'); os.replace(good + '.t', good)\n"
        "    os.link(real, good + '.t'); os.replace(good + '.t', good)\n"
    )
    good, real = Path(inside.path) / "infra" / "x", Path(inside.path) / "infra" / "a.md"
    secret = Path(inside.path).parent / "brain-evil" / "s"
    read = refused = 0
    with subprocess.Popen(
        [sys.executable, "-I", "-c", code, str(good), str(real), str(secret)], stdout=subprocess.PIPE
    ) as racer:
        assert racer.stdout is not None
        racer.stdout.readline()
        try:
            for _ in range(20_000):
                try:
                    data, _ = inside.read(("infra", "x"), 100)
                except OSError:
                    refused += 1
                    continue
                assert data == b"ok"
                read += 1
        finally:
            racer.kill()
    assert min(read, refused) > 0, "the race was run"
