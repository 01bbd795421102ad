"""What the store asked to be reminded of, as it was written: ten thousand sources in some milliseconds.

Owns the way from the table ``source`` back to ``Seen`` values.
"""

from __future__ import annotations

import sqlite3

from plainbrain.index.connection import Damage
from plainbrain.index.rows import problems_of, seen_of
from plainbrain.model.problem import Problem
from plainbrain.ports import Seen, Sources


def read_sources(connection: sqlite3.Connection) -> Sources:
    """Return every source by its locator. Raise sqlite3.Error (Damage where a row is not what was written)."""
    rows = connection.execute("SELECT locator, signature, ids, problems FROM source").fetchall()
    try:
        plain = {
            locator: (signature, ids)
            for locator, signature, ids, problems in rows
            if problems is None and not ids.startswith("[")
        }
    except AttributeError as error:
        raise Damage("what is remembered of the sources cannot be read") from error
    if len(plain) == len(rows):
        return Sources(plain, {})
    others: dict[str, Seen] = {}
    for locator, signature, ids, problems in rows:
        if locator in plain:
            continue
        try:
            others[locator] = seen_of(locator, signature, ids, problems)
        except (ValueError, TypeError) as error:
            raise Damage(f"what is remembered of {locator!r} cannot be read") from error
    return Sources(plain, others)


def standing_problems(connection: sqlite3.Connection) -> list[Problem]:
    """Return the problems of every source, by locator."""
    rows = connection.execute("SELECT problems FROM source WHERE problems IS NOT NULL ORDER BY locator")
    try:
        return [problem for (text,) in rows for problem in problems_of(text)]
    except (ValueError, TypeError) as error:
        raise Damage("the problems of a source cannot be read") from error
