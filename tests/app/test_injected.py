"""What a session was told: never mixed with another's, never lost, never growing without end."""

from __future__ import annotations

import os
from pathlib import Path

from plainbrain.app.injected import Injected


def test_a_session_remembers_what_it_was_told_and_what_is_to_be_judged(tmp_path: Path) -> None:
    one, other = Injected(tmp_path, "vault:/b", "one"), Injected(tmp_path, "vault:/b", "other")
    one.tell(["a", "b"], ["a\tx"])
    one.tell(["c"], [])
    one.tell([], ["d\ty"])
    other.tell(["z"], [])
    known = one.read()
    assert (list(known.ids), list(known.vetoes), known.pending) == (
        ["a", "b", "c"],
        ["a\tx", "d\ty"],
        [["a", "b"], ["c"]],
    )
    one.judge(1)
    one.drop()
    known = one.read()
    assert (known.ids, known.vetoes, known.pending, known.is_briefed) == ({}, {}, [["c"]], False)
    assert list(other.read().ids) == ["z"]
    assert Injected(tmp_path, "vault:/other", "one").read().ids == {}


def test_without_the_name_of_a_session_nothing_is_kept(tmp_path: Path) -> None:
    nameless = Injected(tmp_path, "vault:/b", "")
    nameless.tell(["a"], [])
    nameless.drop()
    assert nameless.read().ids == {}
    assert list(tmp_path.iterdir()) == []


def test_a_long_session_stays_small(tmp_path: Path) -> None:
    one = Injected(tmp_path, "vault:/b", "one")
    one.brief()
    for n in range(900):
        one.tell([f"id-{n}-{k}-{'x' * 60}" for k in range(3)], [])
        one.judge(1)
    one.tell(["last"], ["v"])
    (file,) = (tmp_path / "hooks").iterdir()
    assert file.stat().st_size < 130_000
    known = one.read()
    assert "last" in known.ids
    assert (known.pending[-1], "v" in known.vetoes, known.is_briefed) == (["last"], True, True)
    assert 400 < len(known.ids) < 2_700


def test_sessions_that_are_over_are_swept(tmp_path: Path) -> None:
    old, now = Injected(tmp_path, "vault:/b", "old"), Injected(tmp_path, "vault:/b", "now")
    old.tell(["a"], [])
    (file,) = (tmp_path / "hooks").iterdir()
    os.utime(file, (1, 1))
    now.brief()
    assert not file.exists()
    assert now.read().is_briefed
