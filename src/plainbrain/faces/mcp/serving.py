"""Running a server for as long as somebody listens: over stdio until the input ends, over HTTP until it is stopped."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import socket
import sys
from collections.abc import Mapping

import anyio

from plainbrain.app.settings import Settings, settings_of
from plainbrain.app.token import make_token, token_path
from plainbrain.errors import BrainError, Unavailable
from plainbrain.faces.mcp.http import PATH, bind_loopback, make_app, serve_http
from plainbrain.faces.mcp.options import ServeOptions
from plainbrain.faces.mcp.replies import Options
from plainbrain.faces.mcp.server import make_server
from plainbrain.faces.mcp.stdio import force_exit_later, serve_stdio
from plainbrain.faces.mcp.worker import Worker
from plainbrain.faces.outcomes import outcome_of, tell

_OPEN_DOOR = "WARNING: --no-auth: EVERY program and user on this machine can read and change this brain."


def _prepare(options: ServeOptions, environment: Mapping[str, str]) -> tuple[Worker, Settings]:
    """Return the thread of the brains, and the settings of the first, read before anybody connects. Raise SettingsError."""
    if sys.stderr is not None and hasattr(sys.stderr, "reconfigure"):
        sys.stderr.reconfigure(encoding="utf-8", errors="backslashreplace")
    # An unread pipe on standard error must not fill up and stop the server: only what matters is logged.
    logging.basicConfig(level=logging.ERROR, stream=sys.stderr, format="brain-mcp: %(levelname)s %(message)s")
    found = [
        settings_of(environment, store=options.store, config=options.config, name=name)
        for name in options.names or ("",)
    ]
    return Worker(Options(options.store, options.config, options.names), environment), found[0]


def _complain(error: BrainError) -> int:
    print(f"brain-mcp: {tell(error)}", file=sys.stderr)
    return outcome_of(error).exit_status


def run_stdio(options: ServeOptions, environment: Mapping[str, str], *, source: int, sink: int) -> int:
    """Serve one client on two descriptors until it closes its end; then leave the process."""
    try:
        worker, _ = _prepare(options, environment)
    except BrainError as error:
        return _complain(error)
    signal.signal(signal.SIGTERM, _stop)
    # A person pressed Ctrl+C, or the system asked: leaving is what was asked for.
    with contextlib.suppress(KeyboardInterrupt):
        anyio.run(_serve, worker, source, sink)
    force_exit_later()
    worker.close()
    _leave()
    return 0


async def _serve(worker: Worker, source: int, sink: int) -> None:
    await serve_stdio(make_server(worker), source=source, sink=sink)


def _stop(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def _leave() -> None:
    """End the process now: the thread that waits for input would hold the interpreter back."""
    if sys.stderr is not None:
        sys.stderr.flush()
    os._exit(0)


def run_http(options: ServeOptions, environment: Mapping[str, str]) -> int:
    """Serve over HTTP until the process is told to stop; the address is printed on standard output."""
    try:
        worker, settings = _prepare(options, environment)
        token = "" if options.open_door else make_token(settings)
        listener = _listen(options.port)
    except BrainError as error:
        return _complain(error)
    port = listener.getsockname()[1]
    print(f"http://127.0.0.1:{port}{PATH}", flush=True)
    if token:
        print(f"brain-mcp: callers show the token in {token_path(settings)}", file=sys.stderr, flush=True)
    else:
        print(f"brain-mcp: {_OPEN_DOOR}", file=sys.stderr, flush=True)
    # The HTTP server stops in good order at a signal, and hands it on to us when it is done.
    signal.signal(signal.SIGTERM, _stop)
    try:
        with contextlib.suppress(KeyboardInterrupt):
            serve_http(make_app(make_server(worker), port=port, token=token), listener)
    finally:
        worker.close()
    return 0


def _listen(port: int) -> socket.socket:
    try:
        return bind_loopback(port)
    except OSError as error:
        raise Unavailable(
            f"port {port} cannot be taken: {error.strerror}",
            value=port,
            hint="choose another with --port, or 0 for any",
        ) from error
