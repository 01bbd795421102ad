"""The command line against streams that are closed, full, cut short or not text; and what a shell asks of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.field.folder import Folder

BRAIN = [sys.executable, "-c", "from plainbrain.faces.cli.main import main; main()"]


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    place = tmp_path / "brain"
    place.mkdir()
    for n in range(60):
        (place / f"n{n}.md").write_text(f"sharedword {n} " + "x" * 2000 + "\n")
    return place


def sh(script: str, vault: Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run a line of shell in which ``"$@"`` is the command."""
    environment = {**os.environ, "BRAIN_DIR": str(vault)}
    return subprocess.run(
        ["bash", "-c", script, "bash", *BRAIN], input=stdin, capture_output=True, env=environment, check=False
    )


@pytest.mark.parametrize("words", ["list", "list --json", "search sharedword -k 60", "read n1 n2 n3 n4 --json", "help"])
def test_a_reader_that_goes_away_is_no_error(vault: Path, words: str) -> None:
    done = sh(f'"$@" {words} | head -c 10 >/dev/null; exit ${{PIPESTATUS[0]}}', vault)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_an_answer_that_cannot_be_printed_is_told(vault: Path) -> None:
    for words in ("list", "list --json", "status", "encode New --body x"):
        done = sh(f'"$@" {words} >/dev/full', vault)
        assert done.returncode == 74
        assert b"cannot be printed: No space left" in done.stderr
        assert b"Traceback" not in done.stderr
    assert sh('"$@" read new', vault).returncode == 0


def test_closed_streams(vault: Path) -> None:
    assert sh('"$@" list >&-', vault).returncode == 0
    assert sh('"$@" read nope 2>&-', vault).returncode == 1
    done = sh('"$@" encode T - <&-', vault)
    assert (done.returncode, b"standard input is closed" in done.stderr) == (1, True)
    assert sh('"$@" forget n1 <&-', vault).returncode == 1
    assert (vault / "n1.md").exists()


def test_a_line_that_is_no_text_stops_no_other(vault: Path) -> None:
    lines = [
        b'\xef\xbb\xbf{"title": "First"}\r',
        b'{"title": "caf\xe9"}',
        b"",
        b"[" * 100_000,
        b'{"title": "Last", "tags": "a, b"}',
    ]
    done = sh('"$@" encode --jsonl - --json', vault, b"\n".join(lines))
    outcomes = [json.loads(line) for line in done.stdout.decode().splitlines()]
    assert [(one["line"], one.get("id", one.get("error", {}).get("code"))) for one in outcomes] == [
        (1, "first"), (2, "bad-input"), (4, "bad-input"), (5, "last"),
    ]  # fmt: skip
    assert done.returncode == 1
    assert b"line 2: it is not UTF-8 (byte 15)" in done.stderr


def test_text_that_was_piped_in_and_not_asked_for_is_told(vault: Path) -> None:
    told = b"it was not read"
    for script in ('printf body | "$@" encode T1', '"$@" encode T2 < n1.md'):
        done = sh(f"cd {vault}; {script}", vault)
        assert (done.returncode, told in done.stderr) == (0, True)
    for script in (
        '"$@" encode T3 </dev/null',
        '"$@" encode T4 <&-',
        'true | "$@" encode T5',
        'printf body | "$@" encode T6 -',
        'printf x | "$@" encode T7 --body y',
    ):
        done = sh(script, vault)
        assert (done.returncode, done.stderr) == (0, b"")


COMMANDS = ("read", "validate", "invalidate", "forget -y", "move --cortex x", "edit --append x", "link n1")


@pytest.mark.parametrize(
    "id", ["nope", "", "../nope", "\udcff\udcfe", "/etc/passwd", "a\nb", "\x1b[31m", "N1", "-x", "x" * 5000]
)
def test_an_id_that_is_none_ends_alike_in_every_command(tmp_path: Path, id: str) -> None:
    folder = Folder(tmp_path / "brain")
    file = folder.write("n1.md", "text\n")
    for words in COMMANDS:
        first, *rest = words.split()
        said = folder.command(first, "--json", *rest, "--", id)
        assert said.status == 1, words
        assert json.loads(said.out)["error"]["code"] == "not-found"
        assert said.err.startswith("Error: ")
        assert "\x1b" not in said.err
        assert file.read_text() == "text\n"
    folder.brain.close()


def test_a_shell_completes_commands_and_options(vault: Path) -> None:
    def asked(words: str, at: int) -> list[str]:
        line = f"COMP_WORDS='{words}' COMP_CWORD={at} _BRAIN_COMPLETE=bash_complete " + '"$@"'
        return sh(line, vault).stdout.decode().split()

    assert asked("brain sup", 1) == ["plain,supersede"]
    assert "plain,--supersedes" in asked("brain encode --su", 2)
    for shell in ("bash", "zsh", "fish"):
        script = sh(f'"$@" completion {shell}', vault)
        assert (script.returncode, b"_BRAIN_COMPLETE" in script.stdout) == (0, True)
    assert b"_BRAIN_COMPLETE" in sh('SHELL=/usr/bin/zsh "$@" completion', vault).stdout


def test_words_of_any_script_whatever_the_locale_says(tmp_path: Path) -> None:
    (tmp_path / "größe.md").write_text("Die Größe Ü\n", encoding="utf-8")
    done = sh('PYTHONUTF8=0 PYTHONCOERCECLOCALE=0 LC_ALL=C "$@" search Ü', tmp_path)
    assert (done.returncode, done.stdout.decode().split()[1], done.stderr) == (0, "größe", b"")
    done = sh('PYTHONUTF8=0 PYTHONCOERCECLOCALE=0 LC_ALL=C "$@" encode "Über Größen"', tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "title: Über Größen" in (tmp_path / "inbox" / "uber-grossen.md").read_text(encoding="utf-8")
    assert sh("\"$@\" search $'\\xff'", tmp_path).returncode == 0


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be", "utf-32"])
def test_text_in_utf_16_comes_in_as_text(vault: Path, encoding: str) -> None:
    (vault.parent / "given.txt").write_bytes("Der Käse liegt im Kühlschrank\n".encode(encoding))
    assert sh(f'"$@" encode Cheese --file {vault.parent}/given.txt', vault).returncode == 0
    assert "Der Käse liegt im Kühlschrank" in (vault / "inbox" / "cheese.md").read_text(encoding="utf-8")
    lines = '{"title": "Wine"}\n{"title": "Bread"}\n'.encode(encoding)
    assert sh('"$@" encode --jsonl -', vault, lines).stdout == b"Kept: wine\nKept: bread\n"
    broken = sh('"$@" encode Half -', vault, "\ufeffhalf".encode("utf-16-le") + b"x")
    assert (broken.returncode, b"standard input is no whole UTF-16" in broken.stderr) == (1, True)


def test_a_note_in_utf_16_is_named_and_left_alone(vault: Path) -> None:
    data = "\ufeff---\nid: wide\n---\nthe limit\n".encode("utf-16-le")
    (vault / "wide.md").write_bytes(data)
    done = sh('"$@" search limit', vault)
    assert b"wide.md: it is UTF-16, not UTF-8; the note is not read" in done.stderr
    for script in ('"$@" edit wide --append more', '"$@" validate wide', '"$@" read wide'):
        done = sh(script, vault)
        assert (done.returncode, b"iconv -f UTF-16 -t UTF-8" in done.stderr) == (3, True)
    assert sh('"$@" encode Wide', vault).returncode == 0
    sh('"$@" doctor --fix', vault)
    assert (vault / "wide.md").read_bytes() == data
