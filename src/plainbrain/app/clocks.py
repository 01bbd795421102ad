"""The clocks that a brain can have: this machine's, and one that stands still."""

from __future__ import annotations

import time
from collections.abc import Mapping

from plainbrain.errors import SettingsError
from plainbrain.model.instants import Instant, from_ms, parse_instant
from plainbrain.ports import Clock


class SystemClock:
    """Tell the time of this machine."""

    def now(self) -> Instant:
        """Return the present instant, in milliseconds."""
        return from_ms(time.time_ns() // 1_000_000)


class StoppedClock:
    """Tell one time for ever, for runs that are to be repeated to the letter (``BRAIN_NOW``)."""

    def __init__(self, at: Instant) -> None:
        self._at = at

    def now(self) -> Instant:
        """Return the time it stands at."""
        return self._at


def read_clock(environment: Mapping[str, str]) -> Clock:
    """Return the clock: this machine's, or one that stands at ``BRAIN_NOW``. Raise SettingsError for a time that is none."""
    text = environment.get("BRAIN_NOW", "")
    if not text:
        return SystemClock()
    at = parse_instant(text)
    if at.ms is None:
        raise SettingsError(f"BRAIN_NOW {text!r} is no time", value=text, hint="write 2026-10-27T12:00:00Z")
    return StoppedClock(at)
