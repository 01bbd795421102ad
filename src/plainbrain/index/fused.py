"""Gathering for the ranking ``rrf``: the memories most like a question by their vectors.

Owns that SQL. Promises to name nothing that a filter hides. ``retrieval/fusion`` says what a place is worth.
"""

from __future__ import annotations

import json
import sqlite3

from plainbrain.index.around import Near, authors_of
from plainbrain.index.shown import Shown
from plainbrain.model.instants import Instant
from plainbrain.model.query import Query
from plainbrain.retrieval.auto import Asked, plain_question
from plainbrain.retrieval.fusion import Scored, most_like
from plainbrain.retrieval.rank import Place, Prior
from plainbrain.retrieval.voices import named_authors
from plainbrain.text.tokens import tokens_of

_KNOWN = (
    "SELECT doc.doc, doc.id, created_ms, sequence, confidence, since_ms, half_life, trust "
    "FROM json_each(?) AS wanted CROSS JOIN doc ON doc.doc = wanted.value"
)


def most_alike(
    connection: sqlite3.Connection, query: Query, near: Near, *, depth: int, now: Instant
) -> list[Scored] | None:
    """Return the memories most like the question, most like first, ``depth`` at most; None when it has no vector.

    Authors are taken out of the question.
    """
    names = named_authors(tokens_of(query.text), authors_of(connection))
    shown = Shown(connection, query, now=now)
    docs = near.nearest(plain_question(query.text, Asked({}, names, ())), depth, shown=shown)
    likeness = near.measure(docs)
    if likeness is None:
        return None
    rows = connection.execute(_KNOWN, (json.dumps([doc for doc in docs if doc in likeness]),))
    found = [
        (Place(created, sequence, id), Prior(*prior), likeness[doc]) for doc, id, created, sequence, *prior in rows
    ]
    return most_like(found, now=now)[:depth]
