"""``scripts/memory.sh`` as agent-brain's hosts call it: from anywhere, with its data beside it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "memory.sh"
pytestmark = pytest.mark.skipif(os.name == "nt", reason="a shell script")


class Skill:
    """A skill's folder with the script in it, and an environment in which brain is found."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "scripts").mkdir(parents=True)
        self.script = shutil.copy(SCRIPT, folder / "scripts" / "memory.sh")
        self.bin = folder / "bin"
        self.bin.mkdir()
        self.program = self.bin / "brain"
        self.program.write_text(
            f'#!/bin/sh\nexec "{sys.executable}" -c "from plainbrain.faces.cli.main import main; main()" "$@"\n'
        )
        self.program.chmod(0o755)

    def call(self, *arguments: str, cwd: Path | None = None, **settings: str) -> subprocess.CompletedProcess[str]:
        source = str(Path(__file__).resolve().parents[2] / "src")
        environment = {
            name: value
            for name, value in os.environ.items()
            if name not in ("MEMORY_DIR", "AGENT_BRAIN_BACKEND", "SUPERMEMORY_API_KEY", "AGENT_BRAIN_ENV_FILE")
        }
        environment |= {"PATH": f"{self.bin}:{environment['PATH']}", "PYTHONPATH": source} | settings
        return subprocess.run(
            [self.script, *arguments], cwd=cwd or self.folder, env=environment, capture_output=True, text=True, check=False
        )  # fmt: skip


@pytest.fixture
def skill(tmp_path: Path) -> Skill:
    return Skill(tmp_path / "my skill")


def echo(skill: Skill, **settings: str) -> list[str]:
    """Return what the program is called with, and the key it gets."""
    skill.program.write_text('#!/bin/sh\nfor a; do echo "$a"; done; echo "key=$SUPERMEMORY_API_KEY"\n')
    return skill.call("list", "fact", cwd=None, **settings).stdout.splitlines()


def test_data_lies_beside_the_script_whatever_the_working_directory(skill: Skill, tmp_path: Path) -> None:
    done = skill.call("add", "fact", "Tea is at four", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (skill.folder / "memory" / "memory.db").exists()
    assert "Tea is at four" in skill.call("list").stdout


def test_the_store_is_named_so_that_no_other_setting_counts(skill: Skill, tmp_path: Path) -> None:
    said = echo(skill, BRAIN_STORE=f"vault:{tmp_path}", BRAIN_DIR=str(tmp_path))
    assert said[:4] == ["list", "--store", f"sqlite:{skill.folder}/scripts/../memory/memory.db", "fact"]


@pytest.mark.parametrize("word", ["json", "JSON", "Json"])
def test_json_in_any_case_is_the_json_file(skill: Skill, word: str, tmp_path: Path) -> None:
    said = echo(skill, AGENT_BRAIN_BACKEND=word, MEMORY_DIR=str(tmp_path))
    assert said[2] == f"json:{tmp_path}/memory.json"


def test_every_other_backend_is_sqlite(skill: Skill, tmp_path: Path) -> None:
    assert echo(skill, AGENT_BRAIN_BACKEND="postgres", MEMORY_DIR=str(tmp_path))[2].startswith("sqlite:")


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("SUPERMEMORY_API_KEY=abc", "abc"),
        ("# SUPERMEMORY_API_KEY=no\nOTHER=x\nexport SUPERMEMORY_API_KEY='a b'\nSUPERMEMORY_API_KEY=second", "a b"),
        ('SUPERMEMORY_API_KEY="a\'b"\r\n', "a'b"),
        ("SUPERMEMORY_API_KEY=$(touch ran)`touch ran`", "$(touch ran)`touch ran`"),
        ("NOT_SUPERMEMORY_API_KEY=x\nSUPERMEMORY_API_KEYS=y", ""),
    ],
)
def test_the_env_file_is_read_and_never_run(skill: Skill, text: str, key: str) -> None:
    (skill.folder / ".env").write_bytes(text.encode())
    assert echo(skill)[-1] == f"key={key}"
    assert not (skill.folder / "ran").exists()


def test_a_key_in_the_environment_comes_before_the_file(skill: Skill) -> None:
    (skill.folder / ".env").write_text("SUPERMEMORY_API_KEY=file")
    assert echo(skill, SUPERMEMORY_API_KEY="mine")[-1] == "key=mine"


def test_another_env_file_may_be_named(skill: Skill, tmp_path: Path) -> None:
    (tmp_path / "keys").write_text("SUPERMEMORY_API_KEY=named")
    (skill.folder / ".env").write_text("SUPERMEMORY_API_KEY=beside")
    assert echo(skill, AGENT_BRAIN_ENV_FILE=str(tmp_path / "keys"))[-1] == "key=named"


def test_an_env_file_that_is_no_text_or_a_folder_stops_nothing(skill: Skill) -> None:
    (skill.folder / ".env").write_bytes(b"\xff\xfe\x80\nSUPERMEMORY_API_KEY=abc\n")
    assert echo(skill)[-1] == "key=abc"
    (skill.folder / ".env").unlink()
    (skill.folder / ".env").mkdir()
    assert echo(skill)[-1] == "key="


def test_exit_statuses_and_streams_pass_through(skill: Skill) -> None:
    done = skill.call("get")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Usage: ")
    assert skill.call("touch", "nope").stdout == "Entry not found: nope\n"
    assert skill.call("no-such-command").returncode == 2
    helped, bare = skill.call("help"), skill.call()
    assert helped.returncode == bare.returncode == 0
    assert helped.stdout == bare.stdout != ""


def test_side_files_notice_that_the_truth_vanished(skill: Skill) -> None:
    skill.call("add", "fact", "The first life")
    skill.call("get", "life")
    (skill.folder / "memory" / "memory.db").unlink()
    assert skill.call("get", "life").stdout == "No matching entries found.\n"
    assert skill.call("add", "fact", "The second life").returncode == 0
    dump = json.loads(skill.call("export").stdout)
    assert [entry["content"] for entry in dump["entries"]] == ["The second life"]


def test_without_a_program_it_says_what_to_do(skill: Skill) -> None:
    skill.program.unlink()
    done = skill.call("list", PATH="/usr/bin:/bin")
    assert done.returncode == 127
    assert "pip install plainbrain" in done.stderr
