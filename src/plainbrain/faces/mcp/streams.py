"""Keeping the standard streams clean for JSON-RPC, from before anything is loaded that could print. Standard library only."""

from __future__ import annotations

import os
import sys

if sys.platform == "win32":
    import msvcrt


def move_standard_streams() -> tuple[int, int]:
    """Move standard input and output to private descriptors and return them.

    What is printed from now on goes to standard error; whoever reads standard input finds its end at once.
    """
    source, sink = os.dup(0), os.dup(1)
    if sys.platform == "win32":
        msvcrt.setmode(source, os.O_BINARY)
        msvcrt.setmode(sink, os.O_BINARY)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    try:
        os.dup2(2, 1)
    except OSError:
        # Started without standard error: what is printed is lost, which is better than spoiling the wire.
        hole = os.open(os.devnull, os.O_WRONLY)
        os.dup2(hole, 1)
        os.close(hole)
    if sys.stderr is not None:
        sys.stdout = sys.stderr
    return source, sink
