"""The documents that pass the filters of a query: some of them, as they are found, or all of them at once.

Owns that SQL, for whoever gathers by another way than words. ``where`` says what a filter is.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

from plainbrain.index.where import Clause


class Shown:
    """Tell which documents of one connection pass ``filters``."""

    def __init__(self, connection: sqlite3.Connection, filters: Clause) -> None:
        self._db = connection
        self._sql, self._values = filters

    def among(self, docs: Sequence[int]) -> list[int]:
        """Return those of ``docs`` that pass, in their order."""
        rows = self._db.execute(
            f"SELECT doc FROM doc WHERE doc IN (SELECT value FROM json_each(?)) AND {self._sql}",
            (json.dumps(docs), *self._values),
        )
        kept = {doc for (doc,) in rows}
        return [doc for doc in docs if doc in kept]

    def all(self) -> list[int]:
        """Return every document that passes: a walk over all there are."""
        return [doc for (doc,) in self._db.execute(f"SELECT doc FROM doc WHERE {self._sql}", self._values)]
