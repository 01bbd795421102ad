"""Gathering for the ranking ``rrf``: the memories most like a question by their vectors.

Owns that SQL. Promises to name nothing that a filter hides. ``retrieval/fusion`` says what a place is worth.
"""

from __future__ import annotations

import json
import sqlite3

from plainbrain.index.around import Near, authors
from plainbrain.index.where import where
from plainbrain.model.hit import Explanation
from plainbrain.model.instants import Instant
from plainbrain.model.query import Query
from plainbrain.retrieval.auto import Asked, plain_question
from plainbrain.retrieval.fusion import Scored
from plainbrain.retrieval.rank import Place, Prior, explain_blueprint
from plainbrain.retrieval.voices import named_authors
from plainbrain.text.tokens import tokens_of

_KNOWN = "doc.doc, id, created_ms, sequence, confidence, since_ms, half_life, trust"


def most_alike(
    connection: sqlite3.Connection, query: Query, near: Near, *, depth: int, now: Instant
) -> list[Scored] | None:
    """Return the memories most like the question, most like first, ``depth`` at most; None when it has no vector.

    How like one is, is the mean of it alone and of it with what came before. Authors are taken out of the question.
    """
    names = named_authors(tokens_of(query.text), lambda token: authors(connection, token))
    docs = near.nearest(plain_question(query.text, Asked({}, names, ())), depth)
    likeness = near.measure(docs)
    if likeness is None:
        return None
    sql, values = where(query, now=now)
    rows = connection.execute(
        f"SELECT {_KNOWN} FROM doc WHERE doc IN (SELECT value FROM json_each(?)) AND {sql}", (json.dumps(docs), *values)
    )
    found: list[Scored] = []
    for doc, id, created, sequence, *prior in rows:
        like = likeness.get(doc)
        if like is not None and like.own + like.context > 0:
            why = explain_blueprint(0.0, possible=0.0, prior=Prior(*prior), now=now)
            notes = {"passage": f"{like.start}-{like.stop}"} if like.stop > like.start else {}
            factors = {**why.factors, "likeness": like.own, "likeness_context": like.context}
            found.append((Place(created, sequence, id), Explanation(factors, notes)))
    found.sort(key=lambda one: (-round(_mean(one[1]), 9), one[0].key()))
    return found[:depth]


def _mean(why: Explanation) -> float:
    return (why.factors["likeness"] + why.factors["likeness_context"]) / 2
