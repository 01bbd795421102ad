"""The thread in which the brains live. Loads them when they are first needed, so that a handshake waits for nothing.

Promises that calls are done one after the other, and that one which began is finished whether or not its caller waits.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from queue import SimpleQueue
from typing import TYPE_CHECKING, TypeVar

from plainbrain.faces.mcp.places import Places
from plainbrain.faces.mcp.replies import Options

if TYPE_CHECKING:
    from plainbrain.faces.mcp.desk import Desk

T = TypeVar("T")


class Worker:
    """Run work on the brains in a thread of its own.

    An executor would do, at three times the steps for each call: a call waits for its turn here, and its answer is
    handed to the loop that asked, once.
    """

    def __init__(self, options: Options, environment: Mapping[str, str]) -> None:
        self.options = options
        self._places = Places(options, environment)
        self._desk: Desk | None = None
        self._turns: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None

    def warm_up(self) -> None:
        """Have everything loaded by the time of the first call."""
        if self._desk is None:
            self._enqueue(self._try_the_desk)

    async def run(self, work: Callable[[Desk], T]) -> T:
        """Do work that may block; return what it returns, raise what it raises."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()

        def turn() -> None:
            if future.cancelled():
                return  # given up before its turn came
            try:
                done = _settle(future, work(self._at_the_desk()))
            except BaseException as error:
                done = _fail(future, error)
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(done)

        self._enqueue(turn)
        return await future

    def _enqueue(self, turn: Callable[[], object]) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._take_turns, name="brain", daemon=True)
            self._thread.start()
        self._turns.put(turn)

    def _take_turns(self) -> None:
        while (turn := self._turns.get()) is not None:
            turn()

    def _try_the_desk(self) -> None:
        with suppress(Exception):  # the first call meets it again, and answers it
            self._at_the_desk()

    def _at_the_desk(self) -> Desk:
        if self._desk is None:
            # Loaded here, in the thread that needs it: it takes longer than the whole handshake.
            from plainbrain.faces.mcp.desk import Desk

            self._desk = Desk(self._places)
        return self._desk

    def close(self) -> None:
        """Finish what is begun, and close every brain."""
        if self._thread is not None:
            self._turns.put(self._close_desk)
            self._turns.put(None)
            self._thread.join()

    def _close_desk(self) -> None:
        if self._desk is not None:
            self._desk.close()


def _settle(future: asyncio.Future[T], value: T) -> Callable[[], None]:
    return lambda: None if future.done() else future.set_result(value)


def _fail(future: asyncio.Future[T], error: BaseException) -> Callable[[], None]:
    return lambda: None if future.done() else future.set_exception(error)
