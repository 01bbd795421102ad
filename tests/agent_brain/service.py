"""A real HTTP server on 127.0.0.1 that keeps what it is sent and answers as it is told."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[[dict[str, Any]], tuple[int, Any]]


@dataclass
class Service:
    """What came in (``requests``: headers and body), and how to answer: a status and what becomes JSON."""

    answer: Answer = lambda _: (200, {})
    requests: list[tuple[dict[str, str], dict[str, Any]]] = field(default_factory=list)
    hold: threading.Event | None = None
    _server: ThreadingHTTPServer | None = None

    @property
    def url(self) -> str:
        """Where it is."""
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.server_address[1]}/v3/documents"

    def __enter__(self) -> Service:
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                service.requests.append(({name.lower(): value for name, value in self.headers.items()}, body))
                if service.hold is not None:
                    service.hold.wait(30)
                status, data = service.answer(body)
                text = data if isinstance(data, bytes) else json.dumps(data).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(text)))
                if 300 <= status < 400:
                    self.send_header("Location", "/elsewhere")
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        assert self._server is not None
        if self.hold is not None:
            self.hold.set()
        self._server.shutdown()
        self._server.server_close()
