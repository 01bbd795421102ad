"""The door of the HTTP server: who is let in, on which paths, with what; and the token behind it."""

from __future__ import annotations

import http.client
import json
import os
import socket
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plainbrain.app.settings import load_settings
from plainbrain.app.token import make_token, read_token, token_path
from plainbrain.errors import SettingsError
from plainbrain.faces.mcp.client import server_command
from plainbrain.faces.mcp.http import MAX_BODY
from tests.mcp.conftest import EXAMPLES, make_environment

LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
PATHS = [
    "/mcp",
    "/",
    "/health",
    "/mcp/",
    "/mcp/x",
    "/sse",
    "/messages",
    "/.well-known/oauth-protected-resource",
    "/docs",
    "/%2e%2e/mcp",
]
METHODS = ["POST", "GET", "DELETE", "PUT", "OPTIONS", "HEAD", "PATCH"]


class Server:
    """A server over HTTP, and plain requests to it."""

    def __init__(self, environment: dict[str, str], *arguments: str) -> None:
        self.process = subprocess.Popen(
            server_command(["--http", "--port", "0", *arguments]),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            text=True,
        )
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1].split("/")[0])
        self.token = ""

    def ask(
        self, method: str = "POST", path: str = "/mcp", body: object = LIST, **headers: str | None
    ) -> tuple[int, bytes]:
        """Send one request; a header that is None is left out."""
        given: dict[str, str | None] = {
            "Host": f"127.0.0.1:{self.port}",
            "Authorization": f"Bearer {self.token}" if self.token else None,
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in given.items():
                if value is not None:
                    connection.putheader(name, value)
            if "Content-Length" not in headers:
                connection.putheader("Content-Length", str(len(data)))
            connection.endheaders(data)
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()

    def stop(self) -> str:
        """Stop it; return what it said on standard error."""
        self.process.terminate()
        _, said = self.process.communicate(timeout=20)
        return said


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    root = tmp_path_factory.mktemp("http")
    (root / "brain").mkdir()
    for path in EXAMPLES.rglob("*.md"):
        (root / "brain" / path.name).write_bytes(path.read_bytes())
    server = Server(make_environment(root))
    server.token = (root / "state" / "plainbrain" / "mcp-token").read_text(encoding="ascii").strip()
    yield server
    said = server.stop()
    assert server.token not in said


@pytest.mark.parametrize("path", PATHS)
def test_every_path_is_shut_without_the_token(server: Server, path: str) -> None:
    good = server.token
    for method in METHODS:
        for shown in (
            None,
            "",
            "Bearer",
            "Bearer x",
            f"Basic {good}",
            f"Bearer {good[:-1]}",
            f"Bearer {good}x",
            "Bearer " + "é" * 43,
        ):
            status, answer = server.ask(
                method,
                path,
                Authorization=None if shown is None else shown.encode("latin-1", "replace").decode("latin-1"),
            )
            assert status == 401, (method, path, shown)
            assert b"tools" not in answer
        status, _ = server.ask(method, f"{path}?token={good}", Authorization=None)
        assert status == 401


@pytest.mark.parametrize("path", PATHS)
def test_with_the_token_there_is_one_path_and_one_method(server: Server, path: str) -> None:
    for method in METHODS:
        status, _ = server.ask(method, path)
        if path != "/mcp":
            assert status == 404, (method, path)
        else:
            assert status == (200 if method == "POST" else 405), method


FOREIGN = [
    "https://evil.example", "http://evil.example:{port}", "null", "http://localhost:9999", "http://127.0.0.1:9999", "http://127.0.0.1",
    "https://127.0.0.1:{port}", "http://127.0.0.1:{port}.evil.example", "http://localhost:{port}/", "file://", "http://0.0.0.0:{port}",
    "http://[::1]:{port}",
]  # fmt: skip


@pytest.mark.parametrize("origin", FOREIGN)
def test_foreign_origins_are_refused(server: Server, origin: str) -> None:
    for method in ("POST", "GET", "OPTIONS"):
        status, answer = server.ask(method, Origin=origin.format(port=server.port))
        assert status == 403
        assert b"tools" not in answer


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1",
        "127.0.0.1:9999",
        "localhost",
        "localhost.evil.example:{port}",
        "0.0.0.0:{port}",
        "",
        None,
    ],
)
def test_other_names_are_refused(server: Server, host: str | None) -> None:
    status, _ = server.ask(Host=host if host is None else host.format(port=server.port))
    assert status in (400, 421)


def test_own_names_and_own_origins_are_let_in(server: Server) -> None:
    for name in (f"127.0.0.1:{server.port}", f"localhost:{server.port}", f"LOCALHOST:{server.port}"):
        assert server.ask(Host=name)[0] == 200
    for origin in (f"http://127.0.0.1:{server.port}", f"http://localhost:{server.port}"):
        assert server.ask(Origin=origin)[0] == 200


def test_no_answer_invites_other_pages(server: Server) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.request(
        "OPTIONS", "/mcp", headers={"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    )
    response = connection.getresponse()
    assert response.status == 403
    assert not [name for name, _ in response.getheaders() if name.lower().startswith("access-control")]
    assert not response.getheader("server")
    connection.close()


def test_bodies_are_bounded_and_odd_ones_answered(server: Server) -> None:
    call: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    call["params"] = {"name": "brain_search", "arguments": {"query": "x" * MAX_BODY}}
    for more in ({}, {"MCP_Protocol_Version": "2026-07-28"}):
        assert server.ask(body=call, **more)[0] == 413
    assert server.ask(body=b"{not json")[0] == 400
    assert server.ask(body=b"[" * 100_000)[0] == 400
    assert server.ask(body=b"[]")[0] == 400
    assert server.ask(body={"jsonrpc": "2.0", "method": "notifications/initialized"})[0] == 202
    assert server.ask(Accept="text/html")[0] == 406
    assert server.ask(Content_Type="text/plain")[0] == 415
    assert server.ask(MCP_Protocol_Version="1999-01-01")[0] == 400
    status, answer = server.ask(body={"jsonrpc": "2.0", "id": 5, "method": "no/such"})
    assert (status, json.loads(answer)["error"]["code"]) == (200, -32601)
    assert server.ask()[0] == 200


def test_it_listens_on_the_loopback_address_alone(server: Server) -> None:
    for address in {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}:
        if not str(address).startswith("127."):
            with socket.socket() as other:
                other.settimeout(2)
                assert other.connect_ex((str(address), server.port)) != 0


def test_an_open_door_is_loud_and_still_knows_its_name(environment: dict[str, str], root: Path) -> None:
    server = Server(environment, "--no-auth")
    try:
        assert server.ask()[0] == 200
        assert server.ask(Origin="https://evil.example")[0] == 403
        assert server.ask(Host="evil.example")[0] == 421
    finally:
        assert "WARNING" in server.stop()
    assert not (root / "state").exists()


def test_the_token_is_private_and_the_same_for_all(environment: dict[str, str]) -> None:
    settings = load_settings(environment)
    path = token_path(settings)
    with pytest.raises(SettingsError, match="no token"):
        read_token(settings)
    token = make_token(settings)
    assert make_token(settings) == read_token(settings) == token
    assert len(token) >= 43
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        path.chmod(0o644)
        with pytest.raises(SettingsError, match="others can read"):
            make_token(settings)
        path.chmod(0o600)
    for bad in ("", "short", "x" * 42, "a b" * 30):
        path.write_text(bad, encoding="ascii")
        with pytest.raises(SettingsError, match="holds no token"):
            make_token(settings)
    assert not [other for other in path.parent.iterdir() if other != path]


def test_without_a_sound_token_nothing_is_served(environment: dict[str, str], root: Path) -> None:
    (root / "state" / "plainbrain").mkdir(parents=True)
    path = root / "state" / "plainbrain" / "mcp-token"
    path.write_text("weak\n", encoding="ascii")
    path.chmod(0o600)
    done = subprocess.run(
        server_command(["--http", "--port", "0"]),
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "holds no token" in done.stderr


def test_a_port_that_is_taken_is_told(environment: dict[str, str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        command = server_command(["--http", "--port", str(taken.getsockname()[1])])
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 4
    assert "--port" in done.stderr
