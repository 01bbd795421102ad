"""Taking the keys of a log event's object one by one, and writing them: what each sort of value may look like.

A value of the wrong sort is set aside, never lost; a truth that a plain key cannot say stands in ``over``
(see ``event_memory``). Pure.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from plainbrain.model.instants import Instant, from_ms, parse_instant
from plainbrain.model.jsontext import is_number

Raw = Mapping[str, Any]


class Writer:
    """Gather the keys of one memory, and the truths that a plain key cannot say."""

    def __init__(self) -> None:
        self.raw: dict[str, Any] = {}
        self.over: dict[str, list[Any]] = {}

    def say(self, key: str, value: Any) -> None:
        """Write ``value`` unless it is unsaid."""
        if value not in (None, "", 0, False) or (value == 0 and type(value) is float):
            self.raw[key] = value

    def say_instead(self, key: str, shown: Any, truth: Any) -> None:
        """Show ``shown`` and remember ``truth``."""
        if shown is not None:
            self.raw[key] = shown
        self.over[key] = [shown, truth]

    def say_when(self, key: str, at: Instant | None) -> None:
        if at is None:
            return
        if at.ms is None or at.day:
            self.say_instead(key, at.ms, at.iso())
        else:
            self.raw[key] = at.ms


class Reader:
    """Take the keys of one object one by one; what is left over is ``extra``."""

    def __init__(self, raw: Raw, over: Mapping[str, Any]) -> None:
        self.raw = raw
        self.over = over
        self.odd: dict[str, Any] = {}

    def truth(self, key: str) -> tuple[bool, Any]:
        """Return whether a truth stands behind the plain key, and which."""
        pair = self.over.get(key)
        if isinstance(pair, list) and len(pair) == 2 and self.raw.get(key) == pair[0]:
            return True, pair[1]
        return False, None

    def text(self, key: str) -> str:
        known, truth = self.truth(key)
        value = truth if known else self.raw.get(key)
        if isinstance(value, str):
            return value
        self.set_aside(key, value)
        return ""

    def number(self, key: str) -> float | None:
        value = self.raw.get(key)
        if is_number(value):
            return float(value)
        self.set_aside(key, value)
        return None

    def count(self, key: str) -> int:
        value = self.number(key)
        return 0 if value is None else int(value)

    def flag(self, key: str) -> bool:
        value = self.raw.get(key)
        if isinstance(value, bool):
            return value
        self.set_aside(key, value)
        return False

    def when(self, key: str) -> Instant | None:
        known, truth = self.truth(key)
        return self.moment(key, truth if known else self.raw.get(key))

    def moment(self, key: str, value: Any) -> Instant | None:
        if is_number(value):
            return from_ms(value)
        if isinstance(value, str):
            return parse_instant(value)
        self.set_aside(key, value)
        return None

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.raw.get(key)
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(value)
        self.set_aside(key, value)
        return ()

    def vector(self) -> tuple[float, ...] | None:
        value = self.raw.get("embedding")
        if isinstance(value, list):
            try:
                found = tuple(map(float, value))
            except (TypeError, ValueError, OverflowError):
                found = (math.nan,)
            if not found:
                return None
            if math.isfinite(math.fsum(map(abs, found)) if len(found) < 8 else sum(map(abs, found))):
                return found
        self.set_aside("embedding", value)
        return None

    def set_aside(self, key: str, value: Any) -> None:
        """Set aside a value of the wrong sort, so that it is not lost."""
        if value is not None:
            self.odd[key] = value
