"""The words of an index: in how many memories each stands, which tell something, and which are akin.

Owns that SQL. Promises the same figures as ``retrieval/lexical`` over the same memories.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from plainbrain.index.counts import Counts
from plainbrain.retrieval.kin import Kinship, akin_to
from plainbrain.retrieval.lexical import weigh
from plainbrain.retrieval.parse import Term

_MEMBERS = "SELECT family, token FROM kin WHERE family IN (SELECT value FROM json_each(?))"


def match_expression(terms: Sequence[Term]) -> str:
    """Return the FTS5 expression that finds what holds any of ``terms``."""
    return " OR ".join(f'"{term.token}"*' if term.prefix else f'"{term.token}"' for term in terms)


class IndexWords:
    """Know the words of one connection at the state in which it is read."""

    def __init__(self, connection: sqlite3.Connection, counts: Counts) -> None:
        self._db, self._counts = connection, counts
        rows = connection.execute("SELECT key, value FROM meta WHERE key IN ('documents', 'generation')")
        found = dict(rows.fetchall())
        self.total, self._generation = int(found.get("documents", 0)), int(found.get("generation", 0))

    def telling(self, terms: Sequence[Term]) -> Mapping[Term, float]:
        """Return the terms worth looking for, each with its inverse document frequency."""
        if not self.total:
            return {}
        return weigh(terms, self.held, total=self.total)

    def akin(self, weights: Mapping[Term, float]) -> Kinship:
        """Return terms with their weights and their kin."""
        return akin_to(weights, members=self._members, held=self.held, total=self.total)

    def held(self, term: Term) -> int:
        """Return in how many memories a term stands."""
        counts = self._counts.at(self._generation)
        if term not in counts:
            counts[term] = self._count(term)
        return counts[term]

    def _count(self, term: Term) -> int:
        if term.prefix:
            sql, value = "SELECT count(*) FROM word WHERE word MATCH ?", match_expression([term])
        else:
            sql, value = "SELECT coalesce(sum(doc), 0) FROM vocabulary WHERE term = ?", term.token
        return int(self._db.execute(sql, (value,)).fetchone()[0])

    def _members(self, families: Sequence[str]) -> Iterable[tuple[str, str]]:
        return self._db.execute(_MEMBERS, (json.dumps(families),)).fetchall()
