"""The command line, held to transcripts: each file in ``transcripts/`` is one story."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.transcript import check

STORIES = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))


@pytest.mark.parametrize("story", STORIES, ids=lambda path: path.stem)
def test_transcript(story: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BRAIN_NOW", "2026-10-27T12:00:00Z")
    monkeypatch.setenv("BRAIN_DIR", str(tmp_path / "brain"))
    check(story.read_text(encoding="utf-8"), folder=tmp_path, name=story.name)
