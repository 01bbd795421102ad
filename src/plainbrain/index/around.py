"""Gathering for the ranking ``auto``: the best by words, and the turns of the same conversation around them.

Owns that SQL. Promises to read a bounded number of rows whatever the size of the brain, and that what a filter hides counts
nowhere. ``retrieval/auto`` says what a score is.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

from plainbrain.index.seeds import choose_seeds
from plainbrain.index.shown import Shown
from plainbrain.model.hit import Explanation
from plainbrain.model.instants import Instant
from plainbrain.model.query import Query
from plainbrain.retrieval.auto import (
    ALIKE,
    Like,
    Looked,
    Words,
    ask,
    certainty,
    plain_question,
    rank,
    seeds_for,
    words_are_enough,
)
from plainbrain.retrieval.context import AHEAD, BACK, NEAR
from plainbrain.retrieval.fields import COLUMNS, Fields
from plainbrain.retrieval.rank import Place, Prior, best_first
from plainbrain.retrieval.signals import SHIPPED


class Near(Protocol):
    """Tell by vectors what is like a question."""

    def nearest(self, asked: str, k: int, *, shown: Shown) -> list[int]:
        """Return documents among which are the ``k`` of those shown most like the question ``asked``; none without a vector."""
        ...

    def measure(self, docs: Sequence[int]) -> Mapping[int, Like] | None:
        """Return how like that question documents are; None when it has no vector."""
        ...


Answers = tuple[list[tuple[str, float, Explanation]], int]

_MOST = 2**62
#: Quick scores that differ by less may be equal in the end.
_SAME = 1e-9
#: Rows of neighbours that are read at most: a session whose turns are all numbered alike has no end.
_MOST_AROUND = 6000
_KNOWN = "doc.doc, doc.id, created_ms, sequence, confidence, since_ms, half_life, trust, session, turn, author, told_ms"
_LOOK = f"SELECT {_KNOWN} FROM json_each(?) AS wanted CROSS JOIN doc ON doc.doc = wanted.value"
_LOOK_CLOSELY = (
    f"SELECT {_KNOWN}, {', '.join(f'text.{column}' for column in COLUMNS)} FROM json_each(?) AS wanted "
    "CROSS JOIN doc ON doc.doc = wanted.value CROSS JOIN text ON text.doc = doc.doc"
)
_NO_FIELDS = ("", "", "", "", "")
_AROUND = (
    "SELECT DISTINCT other.doc FROM json_each(?) AS wanted CROSS JOIN doc AS seed ON seed.doc = wanted.value "
    "CROSS JOIN doc AS other ON other.session = seed.session "
    f"AND other.turn BETWEEN seed.turn - {BACK + NEAR} AND seed.turn + {AHEAD + NEAR} LIMIT {_MOST_AROUND}"
)


def search_by_signals(
    connection: sqlite3.Connection,
    query: Query,
    *,
    words: Words,
    now: Instant,
    near: Near | None = None,
) -> Answers:
    """Return ``(id, score, why)`` of the best, best first, and how many matched in all; ``near`` where there are vectors."""
    signals = SHIPPED.without(query.without)
    asked = ask(query.text, words=words, known=authors_of(connection), signals=signals, now=now)
    if not asked.weights:
        return [], 0
    shown = Shown(connection, query, now=now)
    start, count = min(_MOST, max(0, query.offset)), min(_MOST, max(0, query.k))
    near = near if signals.use_vectors else None
    enough = words_are_enough(asked, signals=signals)
    chosen = choose_seeds(connection, asked, shown=shown, signals=signals, now=now, count=seeds_for(query))
    quick, in_talks = chosen.quick, chosen.in_talks
    if enough and near is None and not in_talks:
        quick = _page(quick, start + count)
    seeds = list(quick)
    if near is not None:
        alike = near.nearest(plain_question(query.text, asked), ALIKE, shown=shown)
        seeds = list(dict.fromkeys([*seeds, *alike]))
    around = _around(connection, seeds, shown) if in_talks or near is not None else []
    counted = quick if enough else {}
    told = {doc: score * asked.possible / (signals.body + signals.context) for doc, score in counted.items()}
    looked = _look(connection, [*seeds, *around], told, sure=partial(certainty, signals=signals, now=now))
    ranked = rank(
        list(looked.values()),
        range(len(seeds)),
        asked,
        average_length=average_length(connection),
        signals=signals,
        now=now,
        likeness=_likeness(near, list(looked)) if near is not None else None,
    )
    return best_first(ranked, start=start, count=count), max(chosen.total, len(ranked))


def authors_of(connection: sqlite3.Connection) -> Callable[[str], Iterable[str]]:
    """Return what tells the authors whose name begins with a word; most brains have none, and are asked once."""
    if connection.execute("SELECT 1 FROM doc WHERE author IS NOT NULL LIMIT 1").fetchone() is None:
        return lambda token: ()
    return lambda token: _authors(connection, token)


def _authors(connection: sqlite3.Connection, token: str) -> Iterator[str]:
    """Yield the authors whose name begins with the word ``token``, each once, without reading all they said."""
    last, end = "", f"{token}!"
    while True:
        found = connection.execute(
            "SELECT min(author) FROM doc WHERE author IS NOT NULL AND author > ? AND author >= ? AND author < ?",
            (last, token, end),
        ).fetchone()[0]
        if found is None:
            return
        last = str(found)
        if last == token or last.startswith(f"{token} "):
            yield last


def average_length(connection: sqlite3.Connection) -> float:
    """Return the words of a memory on average, by FTS5's own count (its "averages" record: rows, then words by column)."""
    row = connection.execute("SELECT block FROM word_data WHERE id = 1").fetchone()
    numbers = _varints(row[0]) if row and row[0] else []
    return sum(numbers[1:]) / numbers[0] if numbers and numbers[0] else 0.0


def _varints(data: bytes) -> list[int]:
    """Read SQLite's variable-length integers: seven bits a byte, highest first; a ninth byte holds eight."""
    found: list[int] = []
    value = length = 0
    for byte in data:
        length += 1
        if length == 9:
            value, ended = (value << 8) | byte, True
        else:
            value, ended = (value << 7) | (byte & 0x7F), byte < 0x80
        if ended:
            found.append(value)
            value = length = 0
    return found


def _page(quick: dict[int, float], count: int) -> dict[int, float]:
    """Return the first ``count`` and those that score the same but for rounding; nothing else can come among them."""
    scores = list(quick.values())
    if count >= len(scores):
        return quick
    last = scores[count - 1] - _SAME if count else _MOST
    return {doc: score for doc, score in quick.items() if score >= last}


def _around(connection: sqlite3.Connection, seeds: Sequence[int], shown: Shown) -> list[int]:
    statement = f"SELECT doc FROM doc WHERE doc IN ({_AROUND}) AND {shown.sql}"
    rows = connection.execute(statement, (json.dumps(seeds), *shown.values))
    taken = set(seeds)
    return [doc for (doc,) in rows if doc not in taken]


def _likeness(near: Near, docs: Sequence[int]) -> dict[int, Like] | None:
    """Return the likeness of documents by their place in ``docs``."""
    found = near.measure(docs)
    return None if found is None else {at: found[doc] for at, doc in enumerate(docs) if doc in found}


def _look(
    connection: sqlite3.Connection, docs: Sequence[int], told: Mapping[int, float], *, sure: Callable[[Prior], float]
) -> dict[int, Looked]:
    """Return what is looked at of each document, in the order of ``docs``.

    Of those ``told``, whose BM25 times what they are worth (``sure``) is known, the texts are only read where context
    wants them.
    """
    found = {}
    for row in connection.execute(_LOOK, (json.dumps(list(told)),)) if told else ():
        prior = Prior(*row[4:8])
        bm25 = told[row[0]] / sure(prior) if row[8] is None else None
        found[row[0]] = _looked(row, prior, _NO_FIELDS, bm25)
    close = [doc for doc in docs if doc not in found or found[doc].spot is not None]
    for *row, title, description, labels, body, more in (
        connection.execute(_LOOK_CLOSELY, (json.dumps(close),)) if close else ()
    ):
        found[row[0]] = _looked(row, Prior(*row[4:8]), (title, description, labels, body, more), None)
    return {doc: found[doc] for doc in docs if doc in found}


def _looked(row: Sequence[Any], prior: Prior, fields: Fields, bm25: float | None) -> Looked:
    _, id, created, sequence, _, _, _, _, session, turn, author, told = row
    spot = None if session is None else (session, turn)
    return Looked(Place(created, sequence, id), prior, spot, author or "", told, fields, bm25)
