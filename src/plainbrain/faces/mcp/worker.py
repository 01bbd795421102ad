"""The thread in which the brains live. Loads them when they are first needed, so that a handshake waits for nothing.

Promises that calls are done one after the other, and that one which began is finished whether or not its caller waits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from plainbrain.faces.mcp.replies import Options

if TYPE_CHECKING:
    from plainbrain.faces.mcp.desk import Desk

T = TypeVar("T")


class Worker:
    """Run work on the brains in a thread of its own."""

    def __init__(self, options: Options, environment: Mapping[str, str]) -> None:
        self.options = options
        self._environment = environment
        self._desk: Desk | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="brain")

    def warm_up(self) -> None:
        """Have everything loaded by the time of the first call."""
        if self._desk is None:
            self._thread.submit(self._at_the_desk)

    async def run(self, work: Callable[[Desk], T]) -> T:
        """Do work that may block; return what it returns."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, lambda: work(self._at_the_desk()))

    def _at_the_desk(self) -> Desk:
        if self._desk is None:
            # Loaded here, in the thread that needs it: it takes longer than the whole handshake.
            from plainbrain.faces.mcp.desk import Desk

            self._desk = Desk(self.options, self._environment)
        return self._desk

    def close(self) -> None:
        """Finish what is begun, and close every brain."""
        self._thread.submit(self._close_desk)
        self._thread.shutdown(wait=True)

    def _close_desk(self) -> None:
        if self._desk is not None:
            self._desk.close()
