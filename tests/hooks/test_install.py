"""The hooks in a host's settings: put in, brought up to date and taken out; what others wrote stays byte for byte."""

from __future__ import annotations

import json
import os
import re
import stat
from pathlib import Path

import pytest

from plainbrain.app.hosts import PLACES
from tests.cli.transcript import Step, perform

HAND = '{\n    "model": "opus",\n    "permissions": {"allow": ["Bash(ls:*)"],   "deny": []},\n    "hooks": {\n        "Stop": [{"hooks": [{"type": "command", "command": "say brain hook done"}]}]\n    },\n    "größe": 1.50\n}'


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def install(words: str, folder: Path) -> list[str]:
    return perform(Step(f"brain hook install {words}", 1), folder=folder)


def written(home: Path, text: str | bytes, host: str = "claude-code") -> Path:
    path = home.joinpath(*PLACES[host])
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def commands(path: Path) -> dict[str, list[str]]:
    hooks = json.loads(path.read_text("utf-8-sig"))["hooks"]
    return {
        name: [handler["command"] for entry in entries for handler in entry.get("hooks", [entry])]
        for name, entries in hooks.items()
    }


@pytest.mark.parametrize("host", PLACES)
def test_hooks_are_put_in_once_and_taken_out_whole(host: str, home: Path) -> None:
    path = home.joinpath(*PLACES[host])
    assert install(f"--host {host}", home) == [f"Wrote the hooks into {path}"]
    once = path.read_bytes()
    events = ["session-start"] if host == "cursor" else ["session-start", "user-prompt", "pre-compact", "stop"]
    said = commands(path)
    assert [f" hook {event} --host {host}" in calls[0] for event, calls in zip(events, said.values(), strict=True)] == [
        True
    ] * len(events)
    assert install(f"--host {host}", home) == [f"Nothing to change: {path}"]
    assert path.read_bytes() == once
    assert install(f"--host {host} --remove", home) == [f"Took the hooks out of {path}"]
    assert "hooks" not in json.loads(path.read_text())
    assert install(f"--host {host} --remove", home) == [f"Nothing to take out: {path}"]


@pytest.mark.parametrize(
    "text",
    [
        HAND,
        HAND.replace("\n", "\r\n"),
        "\ufeff" + HAND,
        '{"a":1}',
        '{ "hooks" : { "Stop" : [ ] , "X": [{}] } }',
        '{\n\t"a": []\n}\n',
    ],
)
def test_what_others_wrote_stays_byte_for_byte(text: str, home: Path) -> None:
    path = written(home, text)
    install("--host claude-code", home)
    inside = path.read_bytes().decode("utf-8-sig")
    assert json.loads(inside) | {"hooks": None} == json.loads(text.lstrip("\ufeff")) | {"hooks": None}
    install("--host claude-code --remove", home)
    left, before = json.loads(path.read_bytes().decode("utf-8-sig")), json.loads(text.lstrip("\ufeff"))
    assert {name: of for name, of in left.pop("hooks", {}).items() if of} == {
        name: of for name, of in before.pop("hooks", {}).items() if of
    }
    assert left == before
    if '"Stop" : [ ]' not in text:
        assert path.read_bytes() == text.encode()


def test_other_options_replace_what_was_installed_and_only_that(home: Path) -> None:
    path = written(home, HAND)
    install("--host claude-code", home)
    install("--host claude-code --learn --store ~/elsewhere", home)
    said = commands(path)
    assert said["Stop"][0] == "say brain hook done"
    assert all(calls[-1].endswith("--host claude-code") and len(calls) <= 2 for calls in said.values())
    assert f"hook user-prompt --store vault:{home}/elsewhere --learn --host" in said["UserPromptSubmit"][0]
    assert "--learn" not in said["Stop"][1]
    assert json.loads(path.read_text())["hooks"]["Stop"][1]["hooks"][0]["async"] is True


def test_a_handler_of_ours_in_the_group_of_another_is_taken_out_alone(home: Path) -> None:
    theirs = {"type": "command", "command": "theirs"}
    ours = {"type": "command", "command": "'/opt/my tools/brain' hook stop --host claude-code"}
    path = written(
        home,
        json.dumps(
            {"hooks": {"Stop": [{"hooks": [theirs, ours]}, {"hooks": [ours]}], "Start": [7, "x", {"hooks": 1}]}}
        ),
    )
    install("--host claude-code --remove", home)
    assert json.loads(path.read_text()) == {"hooks": {"Stop": [{"hooks": [theirs]}], "Start": [7, "x", {"hooks": 1}]}}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b'{"a": 1,}', "is no JSON"),
        (b'{ // a comment\n "a": 1 }', "is no JSON"),
        (b"[]", "holds no JSON object"),
        (b'{"hooks": []}', "is not a list of hooks for each event"),
        (b'{"hooks": {"Stop": {}}}', "is not a list of hooks for each event"),
        (b'{"a": "\xff"}', "is not UTF-8 (byte 8)"),
        (b"[" * 100_000, "nested too deep"),
    ],
)
def test_what_is_not_understood_is_refused_and_left(text: bytes, told: str, home: Path) -> None:
    path = written(home, text)
    for words in ("--host claude-code", "--host claude-code --remove"):
        said = install(words, home)
        assert told in said[0]
        assert said[-1] == "? 1"
    assert path.read_bytes() == text


def test_a_rehearsal_writes_nothing(home: Path) -> None:
    said = install("--host codex --dry-run", home)
    assert said[-1] == f"! Would write the hooks into {home / '.codex/hooks.json'}"
    assert "hooks" in json.loads("\n".join(said[:-1]))
    assert not (home / ".codex").exists()


def test_a_link_stays_a_link_and_a_mode_stays(home: Path) -> None:
    real = home / "dotfiles.json"
    real.write_text("{}")
    real.chmod(0o640)
    path = home.joinpath(*PLACES["claude-code"])
    path.parent.mkdir()
    path.symlink_to(real)
    install("--host claude-code", home)
    assert path.is_symlink()
    assert "hooks" in json.loads(real.read_text())
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert os.listdir(home / ".claude") == ["settings.json"]


def test_a_project_names_no_place_of_one_person(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAIN_DIR", str(home / "mine"))
    (home / "work").mkdir()
    monkeypatch.chdir(home / "work")
    install("--host claude-code --scope project", home)
    said = (home / "work/.claude/settings.json").read_text()
    assert '"brain hook stop --host claude-code"' in said
    assert str(home) not in said
    install("--host claude-code", home)
    assert f"--store vault:{home}/mine" in (home / ".claude/settings.json").read_text()


@pytest.mark.parametrize(
    "words", ["", "--host vim", "--host codex --scope world", "--host codex --bogus", "--host codex --config nope"]
)
def test_a_wrong_call_of_a_person_ends_with_1(words: str, home: Path) -> None:
    assert install(words, home)[-1] == "? 1"
    assert sorted(path.name for path in home.iterdir() if path.name.startswith(".c")) == []


def test_the_settings_shown_for_doing_it_by_hand_are_those_that_are_written(home: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "hosts.md").read_text("utf-8")
    shown = [found for text in re.findall(r"```json\n(.*?)```", page, re.S) if "hooks" in (found := json.loads(text))]
    assert len(shown) == 2
    for host, by_hand in zip(("claude-code", "cursor"), shown, strict=True):
        install(f"--host {host} --scope project", home)
        written = json.loads(home.joinpath(*PLACES[host]).read_text())
        text = json.dumps(written).replace(" --host claude-code", "")
        assert {**json.loads(text), "hooks": None} == {**by_hand, "hooks": None}
        assert list(by_hand["hooks"]) == list(written["hooks"])
        if host == "claude-code":
            assert json.loads(text) == by_hand
