"""The examples of the documents run, and what they say comes true."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


def blocks(name: str, language: str) -> list[str]:
    """Return the code blocks of a document in one language."""
    parts = (DOCS / name).read_text(encoding="utf-8").split("```")
    return [part.removeprefix(language + "\n") for part in parts[1::2] if part.startswith(language + "\n")]


@pytest.mark.parametrize("name", ["event-log.md", "cognitive.md"])
def test_examples_run(name: str, tmp_path: Path) -> None:
    found = blocks(name, "python")
    assert len(found) >= 4
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", "\n".join(found)],
        cwd=tmp_path,
        env={"PYTHONPATH": str(DOCS.parent / "src")},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("jq") is None, reason="jq is not installed")
def test_shell_recipes_work_on_both_forms_of_file(tmp_path: Path) -> None:
    typed = '{"type":"meta","version":1}\n{"type":"memory","memory":{"id":"a","content":"tea","category":"core","importance":0.9}}\n'
    bare = '{"id":"a","content":"tea","memoryType":"core","importance":0.9}\n'
    [recipes] = blocks("event-log.md", "sh")
    for text in (typed, bare):
        (tmp_path / "memories.jsonl").write_text(text)
        outputs = [
            subprocess.run(
                ["sh", "-c", line.replace("tail -f", "cat")], cwd=tmp_path, capture_output=True, text=True, check=True
            ).stdout
            for line in recipes.strip().splitlines()
        ]
        assert '"tea"' in outputs[0]
        assert outputs[1].split() == ["1", "core"]
        assert "tea" in outputs[2]
