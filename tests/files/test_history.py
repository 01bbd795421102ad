"""The file of earlier versions: bounded, and an operation is in it whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainbrain.files import history
from plainbrain.files.history import FileHistory


def carry_out(kept: FileHistory, key: str, *, parts: int, size: int) -> None:
    """Keep an operation that writes in several parts."""
    for part in range(parts):
        id = f"{key}-{part}"
        kept.begin(key, at="2026-01-01", told=key, before={id: ("r0", {"id": id, "content": "x" * size})})
        kept.finish(key, {id: "r1"})


def ids_of(kept: FileHistory) -> list[str]:
    operation = kept.last()
    return [] if operation is None else [change.id for change in operation.changes]


def test_an_operation_is_never_kept_in_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "LARGEST", 10_000)
    kept = FileHistory(str(tmp_path), (".brain",), name=lambda: "here")
    sizes = {"a": 2, "b": 8, "c": 8, "d": 2}
    for key, parts in sizes.items():
        carry_out(kept, key, parts=parts, size=700)
    path = tmp_path / ".brain" / "history" / "here.jsonl"
    assert path.stat().st_size < 10_000
    while ids := ids_of(kept):
        key = ids[0][0]
        assert len(ids) == sizes[key]
        kept.mark_undone(key, {})


def test_the_last_operation_is_whole_whatever_its_length(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "LARGEST", 10_000)
    kept = FileHistory(str(tmp_path), (".brain",), name=lambda: "here")
    carry_out(kept, "a", parts=2, size=700)
    carry_out(kept, "b", parts=40, size=700)
    assert len(ids_of(kept)) == 40
    carry_out(kept, "c", parts=1, size=700)
    assert ids_of(kept) == ["c-0"]
