"""Choosing what is looked at closely: the memories that are best by a quick score over their own words.

Owns that SQL. Promises the same seeds in the same order by either way: over everything that matches, or over the best by
words alone where those are sure to hold the seeds.
"""

from __future__ import annotations

import sqlite3

from plainbrain.index.schema import BM25
from plainbrain.index.shown import Shown
from plainbrain.index.words import match_expression
from plainbrain.model.instants import Instant
from plainbrain.records import record
from plainbrain.retrieval.auto import Asked
from plainbrain.retrieval.rank import LEAST_PRIOR
from plainbrain.retrieval.signals import Signals

_MOST = 2**62
#: From this many matches on, the best by words alone are tried first: so many times as many as seeds are wanted.
_MANY, _AMPLE = 4000, 6
#: Scores nearer than this may be equal but for rounding.
_SAME = 1e-9
_CERTAINTY = (
    f"trust * pow(max({LEAST_PRIOR}, confidence * CASE WHEN since_ms IS NULL THEN 1.0 "
    "ELSE pow(0.5, max(0, ? - since_ms) / 86400000.0 / half_life) END), ?)"
)
_ORDER = "ORDER BY quick DESC, created_ms, sequence, id LIMIT ?"
_BEST = (
    f"SELECT doc.doc, (best.bm25 * ?) * {_CERTAINTY} AS quick, session IS NOT NULL, least FROM "
    "(SELECT number, bm25, min(bm25) OVER () AS least FROM ({words} ORDER BY bm25 DESC LIMIT ?)) AS best "
    "CROSS JOIN doc ON doc.doc = best.number WHERE "
)


_HOLDING = f"SELECT rowid AS number, -{BM25} AS bm25 FROM word WHERE word MATCH ?"
_HOLDING_KIN = f"SELECT rowid, -{BM25} * ? FROM word WHERE word MATCH ?"


@record(frozen=True, slots=True)
class _Words:
    """The statement that gives the BM25 of all that holds a word sought, as ``number`` and ``bm25``, and its parameters."""

    sql: str
    values: tuple[object, ...]


def _words_of(asked: Asked) -> _Words:
    own = match_expression(tuple(asked.weights))
    if not asked.kin:
        return _Words(_HOLDING, (own,))
    branches = " UNION ALL ".join([_HOLDING, *(_HOLDING_KIN for _ in asked.kin)])
    kin = [value for term, one in asked.kin.items() for value in (one.share, match_expression([term]))]
    return _Words(f"SELECT number, sum(bm25) AS bm25 FROM ({branches}) GROUP BY number", (own, *kin))


#: A document, its quick score, and whether it is a turn of a conversation.
Row = tuple[int, float, int]


@record(frozen=True, slots=True)
class Seeds:
    """Hold the seeds' quick scores by document, best first; whether any is a turn; how many memories matched in all."""

    quick: dict[int, float]
    in_talks: bool
    total: int


def choose_seeds(
    connection: sqlite3.Connection,
    asked: Asked,
    *,
    shown: Shown,
    signals: Signals,
    now: Instant,
    count: int,
) -> Seeds:
    """Return the best ``count`` of what is shown and holds a word of the question or a kin."""
    count = min(_MOST, count)
    match = match_expression(tuple(asked.sought))
    words = _words_of(asked)
    rows: list[Row] | None = None
    if shown.is_wide and not asked.names and not asked.spans and _is_many(connection, match):
        rows = _best_of_the_best(connection, asked, words, shown=shown, signals=signals, now=now, count=count)
    if rows is None:
        rows = _best_of_all(connection, asked, words, shown=shown, signals=signals, now=now, count=count)
    total = len(rows) if len(rows) < count else shown.count(match)
    return Seeds({doc: quick for doc, quick, _ in rows}, any(in_talk for _, _, in_talk in rows), total)


def _is_many(connection: sqlite3.Connection, match: str) -> bool:
    found = connection.execute("SELECT count(*) FROM word WHERE word MATCH ?", (match,)).fetchone()[0]
    return int(found) >= _MANY


def _best_of_the_best(
    connection: sqlite3.Connection,
    asked: Asked,
    words: _Words,
    *,
    shown: Shown,
    signals: Signals,
    now: Instant,
    count: int,
) -> list[Row] | None:
    """Return the seeds from the best by words alone; None when one that is not among those could come before them.

    Certainty is 1 at most: what has fewer words than the last of the best scores less than the words of that one by themselves.
    """
    share = (signals.body + signals.context) / asked.possible
    given = (share, now.ms or 0, signals.certainty, *words.values, min(_MOST, count * _AMPLE), *shown.values, count)
    rows = connection.execute(f"{_BEST.format(words=words.sql)}{shown.sql} {_ORDER}", given).fetchall()
    if len(rows) < count or rows[-1][1] <= rows[-1][3] * share + _SAME:
        return None
    return [(doc, quick, in_talk) for doc, quick, in_talk, _ in rows]


def _best_of_all(
    connection: sqlite3.Connection,
    asked: Asked,
    words: _Words,
    *,
    shown: Shown,
    signals: Signals,
    now: Instant,
    count: int,
) -> list[Row]:
    quick = ["best.bm25 * ?"]
    given: list[object] = [(signals.body + signals.context) / asked.possible]
    if asked.names:
        quick.append(f"? * coalesce(author IN ({', '.join('?' * len(asked.names))}), 0)")
        given += [signals.author, *asked.names]
    if asked.spans:
        within = " OR ".join("(told_ms >= ? AND told_ms < ?)" for _ in asked.spans)
        quick.append(f"? * coalesce({within}, 0)")
        given += [signals.date, *(edge for span in asked.spans for edge in (span.start, span.end))]
    return connection.execute(
        f"SELECT doc.doc, ({' + '.join(quick)}) * {_CERTAINTY} AS quick, session IS NOT NULL "
        f"FROM ({words.sql}) AS best CROSS JOIN doc ON doc.doc = best.number WHERE {shown.sql} {_ORDER}",
        (*given, now.ms or 0, signals.certainty, *words.values, *shown.values, count),
    ).fetchall()
