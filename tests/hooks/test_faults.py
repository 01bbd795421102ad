"""Hooks that meet what they should not: real processes, each of which ends with 0, soon, and with a whole answer or none."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from plainbrain.faces.hooks.hosts import EVENTS, MOST_BYTES
from plainbrain.files.locks import WAIT_SECONDS
from tests.hooks.layouts import BRAIN, claude_code, codex, cursor, process, vault
from tests.stores.agent_brain import NEW_IN_V4, entry, make_db

ASKS = claude_code("user-prompt", prompt="Should the job queue go to Redis or to Postgres?")


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold a database so that not even readers come in."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode=DELETE")
        db.execute("BEGIN EXCLUSIVE")
        yield


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize(
    "stdin",
    [b"", b"\n", b"{", b"[]", b"null", b"\xff\xfe\x00", b"[" * 100_000, b'{"prompt": 7, "cwd": [], "session_id": {}}'],
    ids=["empty", "blank", "torn", "list", "null", "bytes", "deep", "kinds"],
)
def test_any_input_ends_well(event: str, stdin: bytes, tmp_path: Path) -> None:
    done = process(f"vault:{vault(tmp_path / 'brain')}", event, "--seconds", "60", stdin=stdin)
    assert done.returncode == 0
    assert done.stderr.count(b"\n") <= 1
    assert b"Traceback" not in done.stderr
    if not stdin.strip() and event == "session-start":
        assert done.stdout.startswith(b"You have a long-term memory")


@pytest.mark.parametrize("event", EVENTS)
def test_a_brain_that_is_not_there_is_not_made(event: str, tmp_path: Path) -> None:
    layout = {"user-prompt": ASKS}.get(event, claude_code(event))
    for store in (f"vault:{tmp_path / 'none'}", f"sqlite:{tmp_path / 'none.db'}", "what:ever", "vault:"):
        done = process(store, event, "--seconds", "60", stdin=layout)
        assert done.returncode == 0
        assert b"Traceback" not in done.stderr
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("none")] == []


@pytest.mark.parametrize(
    "words",
    [
        "",
        "nonsense",
        "stop --bogus",
        "stop --seconds soon",
        "stop --host vim",
        "stop extra",
        "stop --config nope",
        "--json stop",
    ],
)
def test_a_wrong_call_stops_nobody(words: str) -> None:
    done = process("", *words.split(), stdin=claude_code("stop"))
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr.startswith(b"brain hook")


def test_more_than_any_host_sends_is_read_to_its_end_and_passed_over(tmp_path: Path) -> None:
    huge = claude_code("user-prompt", prompt="x" * (MOST_BYTES + 5_000_000))
    done = process(f"vault:{vault(tmp_path)}", "user-prompt", "--seconds", "60", stdin=huge)
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"over 33554432 bytes" in done.stderr


def test_a_host_that_never_ends_its_input_is_not_waited_for(tmp_path: Path) -> None:
    call = [*BRAIN, "hook", "session-start", "--store", f"vault:{vault(tmp_path)}", "--seconds", "0.5"]
    with subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.read() == b""
        assert b"no answer within 0.5 s" in running.stderr.read()
        assert running.wait() == 0


@pytest.mark.parametrize("event", ["session-start", "user-prompt", "stop"])
@pytest.mark.parametrize("version", ["3", "4"])
def test_a_store_that_is_held_is_not_waited_for(event: str, version: str, tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    make_db(path, [entry("a")], lacking=NEW_IN_V4 if version == "3" else (), version=version)
    told = process(
        f"sqlite:{path}", "user-prompt", "--seconds", "60", stdin=claude_code("user-prompt", prompt="content a one")
    )
    assert told.returncode == 0
    layout = {"user-prompt": ASKS}.get(event, claude_code(event, last_assistant_message="content"))
    with held(path):
        began = time.monotonic()
        done = process(f"sqlite:{path}", event, stdin=layout)
        assert time.monotonic() - began < WAIT_SECONDS * 0.8
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr.count(b"\n") <= 1


def test_the_lock_of_a_vault_is_not_waited_for_and_what_was_told_is_counted_later(tmp_path: Path) -> None:
    root = vault(tmp_path / "brain")
    store = f"vault:{root}"
    assert b"use-postgres" in process(store, "user-prompt", "--seconds", "60", stdin=ASKS).stdout
    (root / ".brain").write_text("no folder")
    reply = claude_code("stop", last_assistant_message="Postgres")
    done = process(store, "stop", "--seconds", "60", stdin=reply)
    assert done.returncode == 0
    assert done.stderr.startswith(b"brain hook stop: ")
    (root / ".brain").unlink()
    assert process(store, "stop", "--seconds", "60", stdin=reply).stderr == b""
    said = subprocess.run([*BRAIN, "log", "--store", store], capture_output=True, check=True).stdout
    assert said.count(b"hook_response") == 1


def asked_with_cache(place: Path) -> subprocess.CompletedProcess[bytes]:
    """Ask a hook whose cache cannot be written; it answers all the same."""
    store = f"vault:{vault(place / 'b')}"
    done = process(store, "user-prompt", "--seconds", "60", stdin=ASKS, BRAIN_CACHE=str(place / "cache"))
    assert (done.returncode, b"use-postgres" in done.stdout) == (0, True)
    return done


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="a folder cannot be closed to this user")
def test_a_cache_that_cannot_be_written_costs_nothing_but_memory(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir(mode=0o500)
    asked_with_cache(tmp_path)


def test_a_cache_that_is_a_file_costs_nothing_but_memory(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("no folder")
    done = asked_with_cache(tmp_path)
    assert b"cannot be kept" in done.stderr


def test_a_spoilt_memory_of_a_session_counts_as_empty(tmp_path: Path) -> None:
    store, cache = f"vault:{vault(tmp_path / 'b')}", tmp_path / "cache"
    assert process(store, "user-prompt", "--seconds", "60", stdin=ASKS, BRAIN_CACHE=str(cache)).stdout
    (file,) = (cache / "hooks").iterdir()
    file.write_bytes(b'{"did":"told","ids":[1,{}],"vetoes":3}\n\xff\xfe\n[[[\n{"did":"judged","prompts":"x"}\nnull\n')
    done = process(store, "user-prompt", "--seconds", "60", stdin=ASKS, BRAIN_CACHE=str(cache))
    assert (b"use-postgres" in done.stdout, done.stderr) == (True, b"")


@pytest.mark.parametrize("script", ["{} >&-", "{} 2>&-", "{} >/dev/full", "{} | head -c 5", "{} <&-"])
def test_streams_that_are_closed_or_full_stop_nobody(script: str, tmp_path: Path) -> None:
    line = script.format('"$@"') + "; exit ${PIPESTATUS[0]}"
    call = [*BRAIN, "hook", "session-start", "--seconds", "60", "--store", f"vault:{vault(tmp_path)}"]
    done = subprocess.run(["bash", "-c", line, "bash", *call], input=b"", capture_output=True, check=False)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr


def test_two_sessions_at_once_do_not_mix(tmp_path: Path) -> None:
    store = f"vault:{vault(tmp_path)}"
    call = [*BRAIN, "hook", "user-prompt", "--seconds", "60", "--store", store]
    asks = [claude_code("user-prompt", session=f"s{n}", prompt=json.loads(ASKS)["prompt"]) for n in range(4)]
    running = [subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in asks]
    for one, ask in zip(running, asks, strict=True):
        assert one.stdin is not None
        one.stdin.write(ask)
        one.stdin.close()
    said = []
    for one in running:
        assert one.stdout is not None
        with one.stdout:
            said.append(one.stdout.read())
        assert one.wait() == 0
    assert all(b"use-postgres" in one for one in said)
    assert process(store, "user-prompt", "--seconds", "60", stdin=asks[2]).stdout == b""


@pytest.mark.parametrize("layout", [claude_code, codex, cursor])
def test_each_host_gets_through_a_session(layout: object, tmp_path: Path) -> None:
    assert callable(layout)
    store = f"vault:{vault(tmp_path)}"
    for event in ("session-start", "user-prompt", "pre-compact", "stop"):
        own = {"prompt": json.loads(ASKS)["prompt"]} if event == "user-prompt" else {}
        done = process(store, event, "--seconds", "60", stdin=layout(event, **own))
        assert (done.returncode, done.stderr) == (0, b"")
