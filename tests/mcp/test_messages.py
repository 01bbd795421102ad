"""Every request is answered under its own id, whatever stands in it: over stdio, and over HTTP in both eras."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest

from plainbrain.faces.mcp.messages import NoMessage, find_id, read_message
from plainbrain.faces.mcp.stdio import MAX_LINE
from tests.mcp.conftest import make_environment
from tests.mcp.lines import LineServer, texts
from tests.mcp.test_http import Server

LONE = "Lone \ud800 surrogate"
MENDED = "Lone � surrogate"


def request(tool: str, arguments: dict[str, Any], **more: object) -> dict[str, Any]:
    params = {"name": tool, "arguments": arguments, **more}
    return {"jsonrpc": "2.0", "id": "call-7", "method": "tools/call", "params": params}


def encoding(title: str) -> dict[str, Any]:
    return {"title": title, "body": f"body {title}", "cortex": "odd", "type": "fact"}


@pytest.mark.parametrize("text", [LONE, "tail \udfff", "\ud800\ud800", "pair \ud83d\ude00 and half \ud83d"])
def test_half_a_surrogate_is_repaired(text: str) -> None:
    found = read_message(json.dumps(request("brain_search", {"query": text, text: 1})).encode(), called="line")
    assert isinstance(found, types.JSONRPCRequest)
    assert found.id == "call-7"
    assert found.params is not None
    shown = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert found.params["arguments"] == {"query": shown, shown: 1}


@pytest.mark.parametrize(
    ("line", "id"),
    [
        ('{"jsonrpc":"2.0","id":4,"method":"ping","params":[1]}', 4),
        ('{"jsonrpc":"2.0","id":"a","method":7}', "a"),
        ('{"jsonrpc":"1.0","id":5,"method":"ping"}', 5),
        ('{"id":6,"method":"ping"}', 6),
        ('{"jsonrpc":"2.0","id":1.5,"method":"ping"}', 1.5),
        ('{"jsonrpc":"2.0","id":1.5,"method":"ping","params":{"a":"\\ud800"}}', 1.5),
        ('{"jsonrpc":"2.0","id":null,"method":"ping"}', None),
        ('{"jsonrpc":"2.0","id":true,"method":"ping"}', None),
        ('{"jsonrpc":"2.0","id":[1],"method":"ping"}', None),
        ('{"jsonrpc":"2.0","id":8,"method":"ping",}', 8),
        ('{"method":"ping","params":{"id":1 2},"id":9}', 9),
        ('{"jsonrpc":"2.0","id":31', None),
        ('[{"jsonrpc":"2.0","id":1,"method":"ping"}]', None),
        ("nothing", None),
    ],
)
def test_what_cannot_be_taken_is_refused_under_its_id(line: str, id: object) -> None:
    found = read_message(line.encode(), called="line")
    assert isinstance(found, NoMessage)
    assert found.id == id
    assert type(found.id) is type(id)
    assert json.loads(found.answer())["id"] == id


def test_a_notification_that_speaks_of_ids_is_one() -> None:
    line = b'{"jsonrpc":"2.0","method":"notifications/x","params":{"id":3}}'
    assert isinstance(read_message(line, called="line"), types.JSONRPCNotification)


def test_an_id_is_read_from_either_end_and_from_nowhere_else() -> None:
    assert find_id('{"jsonrpc": "2.0", "id": 12, "params": {"x": "xxx') == 12
    assert find_id('{"params": {"id": 3, "x": "xxx', 'xx"}, "jsonrpc": "2.0", "id": "b"}') == "b"
    assert find_id('{"params": {"id": 3, "x": "xxx', 'xx", "id": 5}}') is None


@pytest.mark.parametrize("last", [False, True])
def test_a_line_that_is_too_long_is_refused_under_its_id(lines: LineServer, last: bool) -> None:
    lines.shake_hands()
    inside = b'"method":"ping","params":{"id":1,"x":"' + b"x" * (MAX_LINE + 10) + b'"}'
    lines.write(b"{" + (inside + b',"id":9' if last else b'"id":9,' + inside) + b"}\n")
    answer = lines.receive()
    assert (answer["id"], answer["error"]["code"]) == (9, -32600)
    assert lines.request("ping")["result"] == {}


def test_half_a_surrogate_is_kept_and_found_over_stdio(lines: LineServer) -> None:
    lines.shake_hands()
    kept = lines.call("brain_encode", encoding(LONE))
    assert kept["structuredContent"]["title"] == MENDED
    found = lines.call("brain_search", {"query": LONE})
    assert found["structuredContent"]["hits"][0]["id"] == kept["structuredContent"]["id"]
    assert MENDED in texts(lines.call("brain_read", {"id": kept["structuredContent"]["id"]}))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Any:
    root: Path = tmp_path_factory.mktemp("messages")
    (root / "brain").mkdir()
    server = Server(make_environment(root), "--no-auth")
    yield server
    server.stop()


def test_half_a_surrogate_is_kept_and_found_over_http(server: Server) -> None:
    status, body = server.ask(body=request("brain_encode", encoding(LONE)))
    answer = json.loads(body)
    assert (status, answer["id"]) == (200, "call-7")
    assert answer["result"]["structuredContent"]["title"] == MENDED


def test_half_a_surrogate_is_answered_in_the_newer_era(server: Server) -> None:
    version = "2026-07-28"
    meta = {
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientInfo": {"name": "x", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    call = request("brain_search", {"query": LONE}, _meta=meta)
    headers = {"MCP_Protocol_Version": version, "Mcp_Method": "tools/call", "Mcp_Name": "brain_search"}
    status, body = server.ask(body=call, **headers)
    assert (status, json.loads(body)["id"]) == (200, "call-7")
    assert not json.loads(body)["result"]["isError"]
    status, body = server.ask(body={**call, "params": [1]}, **headers)
    assert (status, json.loads(body)["id"]) == (400, "call-7")


def test_a_body_that_is_no_request_is_refused_under_its_id(server: Server) -> None:
    status, body = server.ask(body={"jsonrpc": "2.0", "id": 3, "method": "ping", "params": "x"})
    assert (status, json.loads(body)["id"]) == (400, 3)
    status, body = server.ask(body=b'{"jsonrpc":"2.0","id":3,"method":"ping",}')
    assert (status, json.loads(body)["id"], json.loads(body)["error"]["code"]) == (400, 3, -32700)
