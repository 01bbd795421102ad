"""The skills we ship: of the form that hosts read, and true of our commands."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest
import yaml

from plainbrain.faces.cli.main import COMMANDS, brain
from plainbrain.model.kinds import ENTRY_CLASSES, ENTRY_KINDS

ROOT = Path(__file__).resolve().parents[2]
MODULES = ("archive", "gauge", "ingest", "ritual", "signal", "vibe")
SKILLS = [ROOT / "SKILL.md", *(ROOT / "modules" / name / "SKILL.md" for name in MODULES)]
_CALL = re.compile(r"(?:^|`)((?:[A-Z_]+=\S+ )?(?:brain|\./scripts/memory\.sh) [^`\n]+)", re.MULTILINE)


def parts(path: Path) -> tuple[dict[str, object], str]:
    text = path.read_text(encoding="utf-8")
    assert text.startswith("---\n")
    head, _, body = text[4:].partition("\n---\n")
    return yaml.safe_load(head), body


def test_the_six_modules_are_there_and_no_others() -> None:
    assert tuple(sorted(path.name for path in (ROOT / "modules").iterdir())) == MODULES


@pytest.mark.parametrize("path", SKILLS, ids=lambda path: path.parent.name)
def test_a_skill_has_the_form_that_hosts_read(path: Path) -> None:
    head, body = parts(path)
    name, description = head["name"], head["description"]
    assert isinstance(name, str)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)
    assert len(name) <= 64
    assert name == path.parent.name or path.parent == ROOT
    assert isinstance(description, str)
    assert 0 < len(description) <= 1024
    assert set(head) <= {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}
    assert len(str(head.get("compatibility", ""))) <= 500
    metadata = head.get("metadata", {})
    assert isinstance(metadata, dict)
    assert all(isinstance(value, str) for value in metadata.values())
    assert body.count("\n") < 500


@pytest.mark.parametrize("path", SKILLS, ids=lambda path: path.parent.name)
def test_every_command_in_a_skill_exists_with_its_options(path: Path) -> None:
    calls = [found for found in _CALL.findall(parts(path)[1]) if "…" not in found.split()[1]]
    assert calls
    for call in calls:
        words = [word for word in shlex.split(call) if not re.fullmatch(r"[A-Z_]+=\S+", word)][1:]
        name = words[0]
        assert name in COMMANDS, call
        command = brain.get_command(click.Context(brain), name)
        assert command is not None
        options = {option for parameter in command.params for option in parameter.opts}
        if name in ("get", "loop"):
            options |= {"--policy", "--stores", "--explain"} | (
                {"--user-feedback", "--response"} if name == "loop" else set()
            )
        assert {word for word in words if word.startswith("--")} <= options, call
        if name == "add" and len(words) > 1:
            assert words[1] in ENTRY_KINDS, call
        if "--stores" in words:
            assert set(words[words.index("--stores") + 1].split(",")) <= set(ENTRY_CLASSES), call
