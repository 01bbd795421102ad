"""An endpoint that lies, sulks or goes away is named; what it says is believed only where it makes sense."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from plainbrain.embed.endpoint import EndpointEmbedder
from plainbrain.embed.registry import open_model
from plainbrain.errors import Unavailable

Answer = Callable[[dict[str, object]], object]


class Endpoint(ThreadingHTTPServer):
    """A real server on this machine; ``answer`` says what it gives: an object, text, or a status."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer: Answer = lambda asked: {"data": [{"embedding": [3.0, 4.0]} for _ in _texts(asked)]}
        self.asked: list[dict[str, object]] = []
        self.paths: list[tuple[str, str | None]] = []
        self.held = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: Endpoint

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(asked)
        self.server.paths.append((self.path, self.headers.get("Authorization")))
        answer = self.server.answer(asked)
        status = answer if isinstance(answer, int) else 200
        body = answer.encode() if isinstance(answer, str) else json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        if status in (301, 302):
            self.send_header("Location", "/v1/embeddings")
        with contextlib.suppress(ConnectionError):  # a client that waits no longer
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def _texts(asked: dict[str, object]) -> list[str]:
    found = asked["input"]
    assert isinstance(found, list)
    return found


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    server = Endpoint()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.held.set()
    server.shutdown()
    server.server_close()
    thread.join()


def test_texts_go_in_one_request_and_vectors_come_back_in_order(endpoint: Endpoint) -> None:
    endpoint.answer = lambda _: {"data": [{"index": 1, "embedding": [0, 2]}, {"index": 0, "embedding": [5, 0]}]}
    model = open_model(f"{endpoint.url}#small", Path(), {"BRAIN_MODEL_KEY": "k"})
    assert model.embed(["a", "b"]) == [[1.0, 0.0], [0.0, 1.0]]
    assert endpoint.asked == [{"model": "small", "input": ["a", "b"]}]
    assert endpoint.paths == [("/v1/embeddings", "Bearer k")]
    assert model.name == f"{endpoint.url}#small"
    assert model.dimensions == 2


def test_many_texts_go_in_several_requests(endpoint: Endpoint) -> None:
    model = EndpointEmbedder(endpoint.url, "m")
    assert model.embed(["x"] * 150) == [[0.6, 0.8]] * 150
    assert [len(_texts(asked)) for asked in endpoint.asked] == [64, 64, 22]


@pytest.mark.parametrize(
    "answer",
    [
        {},
        [],
        "no json",
        "[" * 100_000,
        {"data": []},
        {"data": [{"embedding": [1.0]}, {"embedding": [1.0]}]},
        {"data": [{"embedding": []}]},
        {"data": [{"embedding": None}]},
        {"data": [{"embedding": ["1"]}]},
        {"data": [{"embedding": [True]}]},
        {"data": [{"embedding": [1.0], "index": 5}]},
        {"data": ["x"]},
        '{"data": [{"embedding": [NaN, 1.0]}]}',
        '{"data": [{"embedding": [Infinity]}]}',
        '{"data": [{"embedding": [1' + "0" * 400 + "]}]}",
        500,
        401,
        302,
    ],
)
def test_an_answer_that_makes_no_sense_is_named(endpoint: Endpoint, answer: object) -> None:
    endpoint.answer = lambda _: answer
    with pytest.raises(Unavailable, match="the embedding endpoint"):
        EndpointEmbedder(endpoint.url, "m").embed(["a"])
    assert len(endpoint.asked) == 1


def test_a_length_that_changes_is_named(endpoint: Endpoint) -> None:
    model = EndpointEmbedder(endpoint.url, "m")
    model.embed(["a"])
    endpoint.answer = lambda _: {"data": [{"embedding": [1.0, 2.0, 3.0]}]}
    with pytest.raises(Unavailable, match="vectors of 2 and 3 numbers"):
        model.embed(["b"])


def test_zero_comes_back_as_it_is(endpoint: Endpoint) -> None:
    endpoint.answer = lambda _: {"data": [{"embedding": [0, 0]}]}
    assert EndpointEmbedder(endpoint.url, "m").embed_query("a") == [0.0, 0.0]


def test_one_that_keeps_us_waiting_is_named(endpoint: Endpoint) -> None:
    def wait(_: dict[str, object]) -> object:
        endpoint.held.wait(5)
        return {}

    endpoint.answer = wait
    with pytest.raises(Unavailable, match="Timeout"):
        EndpointEmbedder(endpoint.url, "m", seconds=0.05).embed(["a"])
    endpoint.held.set()


@pytest.mark.parametrize("url", ["http://example.com/v1", "ftp://x", "https://", "http://127.0.0.1:1/v1"])
def test_an_address_that_cannot_be_asked_is_named(url: str) -> None:
    with pytest.raises(Unavailable):
        EndpointEmbedder(url, "m").embed(["a"])
