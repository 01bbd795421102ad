"""The documents that pass the filters of a query: some of them, as they are found, all of them, or how many hold words.

Owns that SQL, for whoever gathers. ``where`` says what a filter is.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

from plainbrain.index.where import is_wide, where
from plainbrain.model.instants import Instant
from plainbrain.model.query import Query


class Shown:
    """Tell which documents of one connection pass the filters of ``query``.

    ``sql`` is the condition over the table ``doc`` and ``values`` its parameters; ``is_wide`` says that it hides only what
    recall passes over unless asked.
    """

    def __init__(self, connection: sqlite3.Connection, query: Query, *, now: Instant) -> None:
        self._db = connection
        self.sql, self.values = where(query, now=now)
        self.is_wide = is_wide(query)

    def among(self, docs: Sequence[int]) -> list[int]:
        """Return those of ``docs`` that pass, in their order."""
        rows = self._db.execute(
            f"SELECT doc FROM doc WHERE doc IN (SELECT value FROM json_each(?)) AND {self.sql}",
            (json.dumps(docs), *self.values),
        )
        kept = {doc for (doc,) in rows}
        return [doc for doc in docs if doc in kept]

    def all(self) -> list[int]:
        """Return every document that passes: a walk over all there are."""
        return [doc for (doc,) in self._db.execute(f"SELECT doc FROM doc WHERE {self.sql}", self.values)]

    def count(self, match: str) -> int:
        """Return how many that pass hold what the FTS5 expression ``match`` says."""
        # The narrow index has all that a wide filter looks at: a tenth of the pages.
        narrow = " INDEXED BY doc_shown" if self.is_wide else ""
        statement = f"SELECT count(*) FROM word CROSS JOIN doc{narrow} ON doc.doc = word.rowid WHERE word MATCH ? AND {self.sql}"
        return int(self._db.execute(statement, (match, *self.values)).fetchone()[0])
