"""Reading the index: the best for a query, cards, backlinks and names.

Owns the SQL of every question. Promises the same answers as ``retrieval/scan`` over the same memories.
User text reaches FTS5 only as quoted tokens of our own making.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from plainbrain.index.around import Near, search_by_signals
from plainbrain.index.card import BrokenCard, read_card
from plainbrain.index.connection import Damage
from plainbrain.index.counts import Counts
from plainbrain.index.fused import most_alike
from plainbrain.index.rows import link_key
from plainbrain.index.schema import BM25
from plainbrain.index.shown import Shown
from plainbrain.index.where import where
from plainbrain.index.words import IndexWords, match_expression
from plainbrain.index.writer import link_keys
from plainbrain.model.hit import Explanation
from plainbrain.model.instants import Instant
from plainbrain.model.memory import Memory
from plainbrain.model.query import Query
from plainbrain.notation.wikilinks import aliases_of
from plainbrain.retrieval.auto import AUTO
from plainbrain.retrieval.fields import COLUMNS
from plainbrain.retrieval.fusion import RRF, depth_for, fuse
from plainbrain.retrieval.lexical import possible_score
from plainbrain.retrieval.parse import Term, parse_query
from plainbrain.retrieval.policies import POLICIES, Policy, Question, Traces, searched_text
from plainbrain.retrieval.rank import LEAST_PRIOR, Place, Prior, best_first, explain_blueprint, prior_factor

Answers = tuple[list[tuple[str, float, Explanation]], int]

#: How many memories a policy looks at closely: those that are likely to score best by words and certainty.
#: A memory of ordinary length that holds every word of a question reaches about half of the possible BM25.
SHORTLIST = 300
_LIKELY_LEXICAL = f"0.8 * -{BM25} / ? + 0.15 * sure"
_MOST = 2**62
_MATCH = "FROM word CROSS JOIN doc ON doc.doc = word.rowid WHERE word MATCH ? AND "
_PRIOR = (
    f"max({LEAST_PRIOR}, confidence * trust * CASE WHEN since_ms IS NULL THEN 1.0 "
    "ELSE pow(0.5, max(0, ? - since_ms) / 86400000.0 / half_life) END)"
)


class Reader:
    """Answer questions from one connection. Every method sees one state when called within ``reading``."""

    def __init__(self, connection: sqlite3.Connection, counts: Counts | None = None) -> None:
        self._db = connection
        self._counts = counts if counts is not None else Counts()

    def search(self, query: Query, *, now: Instant, near: Near | None = None) -> Answers:
        """Return ``(id, score, why)`` of the best, best first, and how many matched in all; ``near`` knows vectors."""
        words = IndexWords(self._db, self._counts)
        if query.profile == AUTO:
            return search_by_signals(self._db, query, words=words, now=now, near=near)
        weights = words.telling(parse_query(query.text))
        if not weights:
            return [], 0
        match = match_expression(tuple(weights))
        shown = Shown(self._db, query, now=now)
        sql, values = shown.sql, shown.values
        total = shown.count(match)
        if query.profile == RRF:
            return self._by_places(query, weights, (match, sql, values), total=total, now=now, near=near)
        if not total:
            return [], 0
        policy = POLICIES.get(query.profile)
        start, count = min(_MOST, max(0, query.offset)), min(_MOST, max(0, query.k))
        if policy is not None:
            scored = self._by_policy(policy, weights, (match, sql, values), now=now)
            return best_first(scored, start=start, count=count), total
        possible = possible_score(weights.values())
        scored = self._by_words((match, sql, values), now=now, possible=possible, limit=start + count)
        return best_first(scored, start=start, count=count), total

    def _by_places(
        self,
        query: Query,
        weights: Mapping[Term, float],
        matched: tuple[str, str, list[object]],
        *,
        total: int,
        now: Instant,
        near: Near | None,
    ) -> Answers:
        depth = min(_MOST, depth_for(query))
        words = self._by_words(matched, now=now, possible=possible_score(weights.values()), limit=depth)
        alike = most_alike(self._db, query, near, depth=depth, now=now) if near is not None else None
        fused = fuse(words, alike)
        start, count = min(_MOST, max(0, query.offset)), min(_MOST, max(0, query.k))
        return best_first(fused, start=start, count=count), max(total, len(fused))

    def _by_words(
        self, matched: tuple[str, str, list[object]], *, now: Instant, possible: float, limit: int
    ) -> list[tuple[Place, Explanation]]:
        match, sql, values = matched
        statement = (
            "SELECT id, created_ms, sequence, confidence, since_ms, half_life, trust, "
            f"-{BM25} * {_PRIOR} AS score {_MATCH}{sql} ORDER BY score DESC, created_ms, sequence, id LIMIT ?"
        )
        rows = self._db.execute(statement, (now.ms or 0, match, *values, limit))
        found = []
        for id, created, sequence, confidence, since, half_life, trust, score in rows:
            prior = Prior(confidence, since, half_life, trust)
            bm25 = score / prior_factor(prior, now)
            found.append(
                (Place(created, sequence, id), explain_blueprint(bm25, possible=possible, prior=prior, now=now))
            )
        return found

    def _by_policy(
        self, policy: Policy, weights: Mapping[Term, float], matched: tuple[str, str, list[object]], *, now: Instant
    ) -> list[tuple[Place, Explanation]]:
        match, sql, values = matched
        columns = ", ".join(f"text.{column}" for column in COLUMNS)
        statement = (
            f"SELECT id, created_ms, sequence, sure, last_ms, accesses, {columns} FROM ("
            f"SELECT doc.*, {_LIKELY_LEXICAL} AS likely {_MATCH}{sql} ORDER BY likely DESC LIMIT {SHORTLIST}"
            ") AS best CROSS JOIN text ON text.doc = best.doc"
        )
        question = Question(weights)
        possible = possible_score(weights.values())
        found = []
        for id, created, sequence, sure, last, accesses, *fields in self._db.execute(
            statement, (possible, match, *values)
        ):
            columns_ = (fields[0], fields[1], fields[2], fields[3], fields[4])
            traces = Traces(searched_text(columns_), fields[2], sure, last, accesses)
            why = question.explain(policy, traces, now=now)
            if why is not None:
                found.append((Place(created, sequence, id), why))
        return found

    def cards(self, ids: Sequence[str]) -> dict[str, Memory]:
        """Return the cards of those of ``ids`` that are there."""
        found: dict[str, Memory] = {}
        for at in range(0, len(ids), 500):
            asked = [id for id in ids[at : at + 500] if _storable(id)]
            rows = self._db.execute(
                "SELECT id, card FROM doc CROSS JOIN text ON text.doc = doc.doc "
                f"WHERE id IN ({', '.join('?' * len(asked))})",
                asked,
            )
            found.update((id, _card(card)) for id, card in rows)
        return {id: found[id] for id in ids if id in found}

    def lengths(self, ids: Sequence[str]) -> dict[str, int]:
        """Return the length of the body of each of ``ids`` that is there, in characters of its tokens."""
        asked = [id for id in ids if _storable(id)]
        marks = ", ".join("?" * len(asked))
        found = self._db.execute(
            f"SELECT id, length(body) FROM doc CROSS JOIN text ON text.doc = doc.doc WHERE id IN ({marks})", asked
        )
        return dict(found.fetchall())

    def matching(self, query: Query, *, now: Instant | None) -> list[int]:
        """Return the numbers of everything that passes the filters, oldest first."""
        sql, values = where(query, now=now)
        rows = self._db.execute(f"SELECT doc FROM doc WHERE {sql} ORDER BY created_ms, sequence, id", values)
        return [doc for (doc,) in rows]

    def themes(self, query: Query, *, now: Instant | None) -> list[tuple[str, int]]:
        """Return every theme with how many of its memories pass the filters, by name."""
        sql, values = where(query, now=now)
        rows = self._db.execute(f"SELECT cortex, count(*) FROM doc WHERE {sql} GROUP BY cortex ORDER BY cortex", values)
        return [(cortex, count) for cortex, count in rows]

    def cards_of(self, docs: Sequence[int]) -> Iterator[Memory]:
        """Yield the cards of the memories of these numbers, in their order."""
        marks = ", ".join("?" * len(docs))
        rows = dict(self._db.execute(f"SELECT doc, card FROM text WHERE doc IN ({marks})", docs).fetchall())
        return (_card(rows[doc]) for doc in docs if doc in rows)

    def said(self, field: str) -> list[tuple[str, list[Any]]]:
        """Return ``(id, value)`` of all that have a list in this field of their card, but what is quarantined."""
        found = self._db.execute(
            "SELECT id, json_extract(card, ?) FROM text JOIN doc USING (doc) WHERE instr(card, ?) AND NOT quarantined",
            (f"$.{field}", f'"{field}":['),
        )
        return [(id, json.loads(value)) for id, value in found if value]

    def backlinks(self, id: str) -> list[tuple[str, str]]:
        """Return ``(id, relation)`` of the memories that point at ``id``, by id, path, title or alias, in the order of ids."""
        if not _storable(id):
            return []
        sql = "SELECT doc.title, cortex, card FROM doc CROSS JOIN text ON text.doc = doc.doc WHERE id = ?"
        row = self._db.execute(sql, (id,)).fetchone()
        keys = link_keys(id, title=row[0], cortex=row[1]) if row else [link_key(id)]
        if row and '"aliases":' in row[2]:
            keys += [key for key in map(link_key, aliases_of(_card(row[2]))) if key not in keys]
        rows = self._db.execute(
            "SELECT DISTINCT id, rel FROM link CROSS JOIN doc ON doc.doc = link.doc "
            f"WHERE target IN ({', '.join('?' * len(keys))}) AND id <> ? ORDER BY id, rel",
            (*keys, id),
        )
        return [(source, rel) for source, rel in rows]

    def ids_and_titles(self) -> list[tuple[str, str, str]]:
        """Return the id, title and cortex of every memory, in the order of ids; once more for each alias, in place of the title."""
        rows = list(self._db.execute("SELECT id, title, cortex FROM doc ORDER BY id"))
        return rows + [(id, alias, "") for id, aliases in self.aliases() for alias in aliases]

    def aliases(self) -> list[tuple[str, tuple[str, ...]]]:
        """Return the aliases of every memory that has some, in the order of ids."""
        sql = "SELECT id, card FROM text JOIN doc USING (doc) WHERE instr(card, '\"aliases\":') ORDER BY id"
        return [(id, aliases_of(_card(card))) for id, card in self._db.execute(sql)]


def _storable(id: str) -> bool:
    try:
        id.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _card(text: object) -> Memory:
    try:
        return read_card(str(text))
    except BrokenCard as error:
        raise Damage(str(error)) from error
