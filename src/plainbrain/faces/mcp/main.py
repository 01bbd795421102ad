"""The command ``brain-mcp``: claims the standard streams, then loads the server and serves.

The server is imported inside a function on purpose: what a library prints while it loads must not reach the wire.
"""

from __future__ import annotations

import gc
import os
import sys

from plainbrain.faces.mcp.options import ServeOptions, read_options
from plainbrain.faces.mcp.streams import move_standard_streams
from plainbrain.faces.utf8 import insist_on_utf8


def main() -> None:
    """Serve as the arguments say, and leave with an exit status."""
    # What is known of a brain lives long: looking through it for garbage at the usual pace only delays answers.
    gc.set_threshold(50_000, 20, 50)
    sys.exit(start(read_options(sys.argv[1:])))


def start(options: ServeOptions) -> int:
    """Run one server; return its exit status, or leave the process with it."""
    insist_on_utf8()
    if options.http:
        from plainbrain.faces.mcp.serving import run_http

        return run_http(options, os.environ)
    source, sink = move_standard_streams()
    from plainbrain.faces.mcp.serving import run_stdio

    return run_stdio(options, os.environ, source=source, sink=sink)
