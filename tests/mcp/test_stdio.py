"""The wire of a stdio server: every era of the protocol, odd input, clean output, a prompt end, whole stores."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from plainbrain.faces.mcp.stdio import MAX_LINE
from plainbrain.files.beneath import Beneath
from plainbrain.files.locks import FileLock
from tests.mcp.lines import LineServer, texts

MODERN = "2026-07-28"
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientInfo": {"name": "lines", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_clients_of_the_handshake_era_connect(lines: LineServer, version: str) -> None:
    result = lines.shake_hands(version)
    assert result["protocolVersion"] == version
    assert "Recall before acting" in result["instructions"]
    assert len(lines.request("tools/list")["result"]["tools"]) == 8
    assert "ports" not in texts(lines.call("brain_search", {"query": "firestore region"}))


def test_clients_of_the_newer_era_connect_without_a_handshake(lines: LineServer) -> None:
    found = lines.request("server/discover", {"_meta": ENVELOPE})["result"]
    assert MODERN in found["supportedVersions"]
    result = lines.request("tools/call", {"_meta": ENVELOPE, "name": "brain_search", "arguments": {"query": "pnpm"}})
    assert result["result"]["structuredContent"]["hits"][0]["id"] == "use-pnpm-for-all-workspace-commands"
    listed = lines.request("tools/list", {"_meta": ENVELOPE})["result"]
    assert listed["ttlMs"] > 0


def test_odd_input_is_answered_and_stops_nothing(lines: LineServer) -> None:
    lines.shake_hands()
    # Arguments that are null, absent, a JSON text, or no object at all.
    assert "themes" in texts(lines.call("brain_list", None))
    assert "themes" in texts(lines.request("tools/call", {"name": "brain_list"})["result"])
    assert lines.call("brain_search", '{"query": "pnpm"}')["structuredContent"]["total"] == 1
    for arguments in ("query", [1, 2], 7):
        refused = lines.call("brain_search", arguments)
        assert refused["isError"]
        assert "query is missing" in texts(refused)
    # Unknown names and methods, notifications nobody knows, cancelling what is not there.
    assert lines.request("tools/call", {"name": "nope", "arguments": {}})["error"]["code"] == -32602
    assert lines.request("no/such/method")["error"]["code"] == -32601
    lines.send({"method": "notifications/no_such_thing", "params": {"a": 1}})
    lines.send({"method": "notifications/cancelled", "params": {"requestId": 4711}})
    # Lines that are no messages.
    for line, code in (
        (b"{not json\n", -32700),
        (b"[]\n", -32600),
        (b'{"id": 1}\n', -32600),
        (b"[" * 50_000 + b"\n", -32700),
    ):
        lines.write(line)
        assert lines.receive()["error"]["code"] == code
    lines.write(b"\r\n\n")
    assert lines.request("ping")["result"] == {}


def test_a_line_that_is_too_long_is_refused_without_being_kept(lines: LineServer) -> None:
    lines.shake_hands()
    lines.write(b'{"jsonrpc":"2.0","id":9,"method":"ping","params":{"x":"' + b"x" * (MAX_LINE + 10) + b'"}}\n')
    assert "bytes" in lines.receive()["error"]["message"]
    assert lines.request("ping")["result"] == {}


def test_nothing_but_messages_reaches_standard_output(environment: dict[str, str]) -> None:
    noise = """
import builtins, os, sys
print("banner before the start", file=sys.stderr)
real = builtins.__import__
def noisy(name, *rest, **more):
    print("loading", name); os.write(1, b"raw bytes too\\n")
    return real(name, *rest, **more)
from plainbrain.faces.mcp import main as module
kept = module.move_standard_streams
def moved():
    streams = kept(); builtins.__import__ = noisy
    return streams
module.move_standard_streams = moved
"""
    with LineServer(environment | {"PYTHONUNBUFFERED": "1"}, prelude=noise) as server:
        server.shake_hands()
        assert server.call("brain_search", {"query": "pnpm"})["structuredContent"]["total"] == 1
        assert server.request("ping")["result"] == {}


@pytest.mark.parametrize(
    "locale",
    [
        {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0"},
        {"PYTHONIOENCODING": "cp1252"},
        {"PYTHONIOENCODING": "cp932:strict"},
    ],
)
def test_the_wire_is_utf_8_whatever_the_locale(environment: dict[str, str], locale: dict[str, str]) -> None:
    title = "🚀🔥 Größe 部署 ледger"
    with LineServer(environment | locale) as server:
        server.shake_hands()
        server.write(
            json.dumps(
                {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "brain_encode", "arguments": {"title": title, "body": title, "cortex": "ß", "type": "fact"}}},
                ensure_ascii=False,
            ).encode()
            + b"\n"
        )  # fmt: skip
        kept = server.receive()["result"]["structuredContent"]
        assert kept["title"] == title
        assert title in server.call("brain_read", {"id": kept["id"]})["structuredContent"]["text"]


def test_it_leaves_when_the_input_ends_with_every_answer_given(environment: dict[str, str]) -> None:
    with LineServer(environment) as server:
        server.shake_hands()
        server.call("brain_list", {})
        server.send(
            {"id": 77, "method": "tools/call", "params": {"name": "brain_search", "arguments": {"query": "pnpm"}}}
        )
        assert server.process.stdin is not None
        server.process.stdin.close()
        assert server.receive()["id"] == 77
        assert server.stop() < 2
        assert server.process.returncode == 0


def test_it_leaves_at_once_when_nobody_ever_spoke(environment: dict[str, str]) -> None:
    with LineServer(environment) as server:
        server.shake_hands()
        assert server.stop() < 2


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_it_leaves_in_good_order_when_told_to_stop(environment: dict[str, str]) -> None:
    with LineServer(environment) as server:
        server.shake_hands()
        server.call("brain_list", {})
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(timeout=5) == 0


def test_a_cancelled_write_leaves_the_store_whole(environment: dict[str, str], root: Path) -> None:
    with LineServer(environment) as server:
        server.shake_hands()
        for number in range(100, 120):
            note = {"title": f"Cancelled {number}", "body": "b", "cortex": "c", "type": "fact"}
            server.send({"id": number, "method": "tools/call", "params": {"name": "brain_encode", "arguments": note}})
            server.send({"method": "notifications/cancelled", "params": {"requestId": number}})
        server.send({"id": 1000, "method": "ping"})
        while server.receive()["id"] != 1000:
            pass  # an answer that was on its way before the cancellation came
        listed = server.call("brain_list", {"cortex": "c"})["structuredContent"]
        written = list((root / "brain" / "c").glob("*.md")) if (root / "brain" / "c").exists() else []
        assert len(written) == (listed["total"] if "items" in listed else 0)
        for path in written:
            assert path.read_text(encoding="utf-8").endswith("b\n")
        kept = server.call("brain_encode", {"title": "After", "body": "b", "cortex": "c", "type": "fact"})
        assert kept["structuredContent"]["created"]


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_killed_server_leaves_whole_notes(environment: dict[str, str], root: Path) -> None:
    acknowledged = []
    for turn in range(3):
        with LineServer(environment) as server:
            server.shake_hands()
            for number in range(3):
                note = {"title": f"Kept {turn} {number}", "body": "b", "cortex": "c", "type": "fact"}
                acknowledged.append(server.call("brain_encode", note)["structuredContent"]["id"])
            for number in range(5):
                note = {"title": f"Perhaps {turn} {number}", "body": "b", "cortex": "c", "type": "fact"}
                server.send(
                    {"id": 900 + number, "method": "tools/call", "params": {"name": "brain_encode", "arguments": note}}
                )
            os.kill(server.process.pid, signal.SIGKILL)
    with LineServer(environment) as server:
        server.shake_hands()
        for id in acknowledged:
            assert not server.call("brain_read", {"id": id}).get("isError"), id
        for path in (root / "brain" / "c").glob("*"):
            assert path.suffix == ".md"
            assert path.read_text(encoding="utf-8").endswith("b\n")


def test_the_handshake_opens_and_makes_nothing(environment: dict[str, str], root: Path) -> None:
    missing = environment | {"BRAIN_DIR": str(root / "not-there")}
    with LineServer(missing) as server:
        server.shake_hands()
        assert len(server.request("tools/list")["result"]["tools"]) == 8
        for tool, given in (("brain_search", {"query": "x"}), ("brain_list", {}), ("brain_check", {"text": "x"})):
            nothing = server.call(tool, given)
            assert not nothing["isError"]
            assert "first brain_encode makes it" in texts(nothing)
            assert "first brain_encode makes it" in nothing["structuredContent"]["notes"][0]
        refused = server.call("brain_read", {"id": "x"})
        assert refused["isError"]
        assert "first brain_encode makes it" in texts(refused)
        assert server.request("resources/list", {})["result"]["resources"] == []
        assert not (root / "not-there").exists()
        kept = server.call("brain_encode", {"title": "First", "body": "b", "cortex": "c", "type": "fact"})
        assert kept["structuredContent"]["created"]
        assert (root / "not-there" / "c" / "first.md").exists()


def test_a_wrong_configuration_is_told_before_anybody_waits(environment: dict[str, str], root: Path) -> None:
    (root / "config.toml").write_text('[brains]\nwork = "vault:/x"\n', encoding="utf-8")
    with LineServer(environment, "--brain", "wrok") as server:
        assert server.process.wait(timeout=20) == 2


def test_several_brains_are_served_by_name(environment: dict[str, str], root: Path) -> None:
    config = (
        f'[brains]\nwork = "vault:{root / "work"}"\nhome = "vault:{root / "home"}"\nsecret = "vault:{root / "brain"}"\n'
    )
    (root / "config.toml").write_text(config.replace("\\", "/"), encoding="utf-8")
    for name in ("work", "home"):
        (root / name).mkdir()
    note: dict[str, Any] = {"title": "Tea", "body": "green", "cortex": "kitchen", "type": "preference"}
    with LineServer(environment, "--brain", "work", "--brain", "home") as server:
        server.shake_hands()
        assert server.call("brain_encode", {**note, "brain": "home"})["structuredContent"]["created"]
        assert server.call("brain_search", {"query": "tea"})["structuredContent"]["total"] == 0
        assert server.call("brain_search", {"query": "tea", "brain": "home"})["structuredContent"]["total"] == 1
        refused = server.call("brain_search", {"query": "tea", "brain": "secret"})
        assert refused["isError"]
        assert "work, home" in texts(refused)
        assert server.request("resources/read", {"uri": "brain://secret/note/tea"})["error"]["code"] == -32602
        assert "green" in str(server.request("resources/read", {"uri": "brain://home/note/tea"})["result"])


def test_it_leaves_in_time_even_when_a_call_waits_for_somebody(environment: dict[str, str], root: Path) -> None:
    lock = FileLock(Beneath(root / "brain"), (".brain", "lock"))
    with LineServer(environment) as server, lock.hold():
        server.shake_hands()
        assert not server.call("brain_list", {}).get("isError")
        note = {"title": "Late", "body": "b", "cortex": "c", "type": "fact"}
        server.send({"id": 5, "method": "tools/call", "params": {"name": "brain_encode", "arguments": note}})
        assert server.stop() < 2
    assert not (root / "brain" / "c").exists()
    lock.close()


def test_the_index_may_vanish_under_a_running_server(environment: dict[str, str], root: Path) -> None:
    with LineServer(environment) as server:
        server.shake_hands()
        for _ in range(2):
            assert server.call("brain_search", {"query": "pnpm"})["structuredContent"]["total"] == 1
            shutil.rmtree(root / "cache")
        assert server.call("brain_search", {"query": "pnpm"})["structuredContent"]["total"] == 1


def test_half_a_line_at_the_end_does_no_harm(environment: dict[str, str]) -> None:
    with LineServer(environment) as server:
        server.shake_hands()
        server.write(b'{"jsonrpc": "2.0", "id": 3, "method": "tools/ca')
        assert server.process.stdin is not None
        server.process.stdin.close()
        assert server.receive()["error"]["code"] == -32700
        assert server.stop() < 2
