"""A time limit for the whole process: when it is over, what is ready is said and the process ends, whatever it waits for.

A thread keeps the time, because what is waited for (a lock, a database, a host that never ends its input) does not listen.
Writes that are under way end as by ``kill -9``, which every store survives.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self


class Deadline:
    """End the process after ``seconds``, once ``at_end`` was called, unless the work inside is done by then."""

    def __init__(self, seconds: float, at_end: Callable[[], None]) -> None:
        self._seconds, self._at_end = seconds, at_end
        self._began = time.monotonic()
        self._done = threading.Event()
        self._turn = threading.Lock()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def is_past(self, seconds: float) -> bool:
        """Tell whether so many seconds went by since the beginning."""
        return time.monotonic() - self._began > seconds

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._turn:
            self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        if self._done.wait(self._seconds):
            return
        with self._turn:  # the work that ends at this very moment is done, or waits here for the end
            if self._done.is_set():
                return
            try:
                self._at_end()
            finally:
                os._exit(0)
