"""What the store asked to be reminded of, read lazily: a folder of ten thousand notes needs most of it as it is.

Owns the mapping from locators to ``Seen`` values over the rows of the table ``source``.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping

from plainbrain.index.connection import Damage
from plainbrain.index.rows import problems_of, seen_of
from plainbrain.model.problem import Problem
from plainbrain.ports import Seen


class SeenRows(Mapping[str, Seen]):
    """Give each source as a ``Seen``, made when it is first asked for."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        rows = connection.execute("SELECT locator, signature, ids, problems FROM source")
        self._rows: dict[str, tuple[str, str, str, str | None]] = {row[0]: row for row in rows}
        self._made: dict[str, Seen] = {}

    def changed(self, seen: Iterable[Seen], unseen: Iterable[str]) -> SeenRows:
        """Take in what was just written, and return this same mapping."""
        for locator in unseen:
            self._rows.pop(locator, None)
            self._made.pop(locator, None)
        for one in seen:
            self._rows[one.locator] = (one.locator, one.signature, "", None)
            self._made[one.locator] = one
        return self

    def __getitem__(self, locator: str) -> Seen:
        made = self._made.get(locator)
        if made is None:
            row = self._rows[locator]
            try:
                made = self._made[locator] = seen_of(*row)
            except (ValueError, TypeError) as error:
                raise Damage(f"what is remembered of {locator!r} cannot be read") from error
        return made

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, locator: object) -> bool:
        return locator in self._rows


def standing_problems(connection: sqlite3.Connection) -> list[Problem]:
    """Return the problems of every source, by locator."""
    rows = connection.execute("SELECT problems FROM source WHERE problems IS NOT NULL ORDER BY locator")
    return [problem for (text,) in rows for problem in problems_of(text)]
