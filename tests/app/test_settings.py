"""Which store is meant, and what the configuration file may say."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from plainbrain.app.settings import detect_kind, load_settings, store_url
from plainbrain.errors import SettingsError


def test_the_order_is_argument_environment_file_default(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text(f'store = "vault:{tmp_path}/filed"\n', encoding="utf-8")
    environment = {
        "BRAIN_CONFIG": str(config),
        "BRAIN_STORE": f"json:{tmp_path}/m.json",
        "BRAIN_DIR": str(tmp_path / "dir"),
        "MEMORY_DIR": str(tmp_path / "memory"),
    }
    assert load_settings(environment, store=f"jsonl:{tmp_path}/x").store == f"jsonl:{tmp_path}/x"
    assert load_settings(environment).store == f"json:{tmp_path}/m.json"
    del environment["BRAIN_STORE"]
    found = load_settings(environment)
    assert (found.store, found.store_source) == (f"vault:{tmp_path}/dir", "BRAIN_DIR")
    del environment["BRAIN_DIR"]
    assert load_settings(environment).store == f"sqlite:{tmp_path}/memory/memory.db"
    environment["AGENT_BRAIN_BACKEND"] = "JSON"
    assert load_settings(environment).store == f"json:{tmp_path}/memory/memory.json"
    del environment["MEMORY_DIR"]
    assert load_settings(environment).store == f"vault:{tmp_path}/filed"
    config.unlink()
    found = load_settings(environment)
    assert found.store.endswith("/brain")
    assert found.store_source == "default"


def test_home_relative_paths_and_odd_folders_mean_one_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a b#c").mkdir()
    assert store_url("~/b") == f"vault:{tmp_path}/b"
    assert store_url("b") == store_url("./b") == store_url("vault:b") == f"vault:{tmp_path}/b"
    assert store_url("a b#c") == f"vault:{tmp_path}/a b#c"
    (tmp_path / "link").symlink_to(tmp_path / "a b#c")
    assert store_url("link") == f"vault:{tmp_path}/a b#c"


def test_a_configured_brain_is_meant_by_its_name(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text(f'actor = "me"\n[brains]\nwork = "sqlite:{tmp_path}/w.db"\n', encoding="utf-8")
    found = load_settings({"BRAIN_CONFIG": str(config)}, store="work")
    assert (found.store, found.actor) == (f"sqlite:{tmp_path}/w.db", "me")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("store = 1", "store must be a text"),
        ("brains = 1", "brains must be a table"),
        ("colour = 'red'", "unknown setting 'colour'"),
        ("store = ", "config.toml"),
    ],
)
def test_a_bad_configuration_is_named(tmp_path: Path, text: str, says: str) -> None:
    config = tmp_path / "config.toml"
    config.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError, match=says):
        load_settings({"BRAIN_CONFIG": str(config)})


@pytest.mark.parametrize("text", ["nosuch:x", "sqlite:", "vault:a\0b"])
def test_what_names_no_store_is_refused(text: str) -> None:
    with pytest.raises(SettingsError):
        store_url(text)


def test_the_kind_follows_from_the_content_not_from_the_name(tmp_path: Path) -> None:
    def write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    sqlite3.connect(tmp_path / "odd.json").execute("CREATE TABLE t (x)").connection.close()
    assert detect_kind(tmp_path / "odd.json") == "sqlite"
    assert detect_kind(write("a.db", '{"version": 4, "entries": []}')) == "json"
    assert detect_kind(write("b.db", '{\n  "version": 4,\n  "entries": []\n}')) == "json"
    assert detect_kind(write("c.json", '{"type":"meta","version":1}\n{"type":"memory"}\n')) == "jsonl"
    assert detect_kind(write("d.txt", '\ufeff{"id":"a","content":"b"}\r\n')) == "jsonl"
    assert detect_kind(tmp_path) == "vault"
    assert [detect_kind(tmp_path / name) for name in ("n.db", "n.json", "n.jsonl", "n")] == [
        "sqlite",
        "json",
        "jsonl",
        "vault",
    ]


def test_a_file_that_is_something_else_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "hosts").write_text("127.0.0.1 localhost\n")
    with pytest.raises(SettingsError, match="no store"):
        store_url(str(tmp_path / "hosts"))
    (tmp_path / "torn.jsonl").write_text("\x00\x00half a line\n")
    assert detect_kind(tmp_path / "torn.jsonl") == "jsonl"
    assert store_url(f"jsonl:{tmp_path / 'hosts'}").startswith("jsonl:")


def test_a_configuration_file_that_was_named_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"no\.toml"):
        load_settings({}, config=str(tmp_path / "no.toml"))


def test_secrets_are_refused_unless_that_is_switched_off() -> None:
    assert load_settings({}).pii_strict
    for word in ("off", "FALSE", "0"):
        assert not load_settings({"AGENT_BRAIN_PII_MODE": word}).pii_strict
    assert load_settings({"AGENT_BRAIN_PII_MODE": "strict"}).pii_strict


def test_a_name_means_one_store_and_no_two_share_a_file(tmp_path: Path) -> None:
    names = ("brain", "brain.db", "brain.sqlite", "brain.SQLITE3", "brain.json", "brain.jsonl", "brain.txt")
    found = [store_url(str(tmp_path / name)) for name in names]
    kinds = ["vault", "sqlite", "sqlite", "sqlite", "json", "jsonl", "vault"]
    assert found == [f"{kind}:{tmp_path}/{name}" for kind, name in zip(kinds, names, strict=True)]
    (tmp_path / "brain.sqlite").touch()
    assert store_url(str(tmp_path / "brain.sqlite")) == f"sqlite:{tmp_path}/brain.sqlite"


@pytest.mark.parametrize("name", [":memory:", "sqlite::memory:", "json::memory:"])
def test_a_store_in_memory_is_refused_in_a_sentence(name: str) -> None:
    with pytest.raises(SettingsError, match="would be gone with the command"):
        store_url(name)
