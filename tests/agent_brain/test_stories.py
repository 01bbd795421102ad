"""agent-brain's commands, held to stories on each of its stores, and on ours."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.agent_brain.story import Story

STORIES = sorted((Path(__file__).parent / "stories").glob("*.txt"))
FILES = {"sqlite": "memory.db", "json": "memory.json"}


@pytest.mark.parametrize("backend", FILES)
@pytest.mark.parametrize("story", STORIES, ids=lambda path: path.stem)
def test_story(story: Path, backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BRAIN_NOW", "2026-10-27T12:00:00Z")
    monkeypatch.setenv("MEMORY_DIR", str(tmp_path / "memory"))
    monkeypatch.setenv("AGENT_BRAIN_BACKEND", backend)
    known = {"path": str(tmp_path / "memory" / FILES[backend]), "folder": str(tmp_path / "memory")}
    Story(tmp_path, monkeypatch, store=backend, known=known).run(story.read_text(encoding="utf-8"), story.name)
