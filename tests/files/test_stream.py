"""Writing a whole file for a person: what was there keeps its mode, a link is followed, what is no file is written into."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from plainbrain.errors import StoreError
from plainbrain.files.stream import write_stream


def test_a_new_file_is_private_and_a_replaced_one_keeps_its_mode(tmp_path: Path) -> None:
    new, old = tmp_path / "new", tmp_path / "old"
    old.write_text("before")
    old.chmod(0o640)
    assert [write_stream(path, ["ä", "b"]) for path in (new, old)] == [3, 3]
    assert [path.read_text("utf-8") for path in (new, old)] == ["äb", "äb"]
    assert [path.stat().st_mode & 0o777 for path in (new, old)] == [0o600, 0o640]


def test_a_link_is_followed(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("before")
    link.symlink_to(target)
    write_stream(link, ["after"])
    assert (link.is_symlink(), target.read_text()) == (True, "after")


def test_a_pipe_stays_one(tmp_path: Path) -> None:
    pipe, read = tmp_path / "pipe", list[str]()
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    assert write_stream(pipe, ["one\n", "two\n"]) == 8
    reader.join()
    assert (read, pipe.is_fifo()) == (["one\ntwo\n"], True)


def test_a_folder_is_no_file_and_nothing_is_left_when_it_fails(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="directory"):
        write_stream(tmp_path, ["x"])

    def broken() -> Iterator[str]:
        yield "x"
        raise KeyboardInterrupt

    (tmp_path / "kept").write_text("before")
    with pytest.raises(KeyboardInterrupt):
        write_stream(tmp_path / "kept", broken())
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("kept", "before")]
