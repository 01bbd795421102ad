"""Whether an index file still holds what was written, looked at thoroughly.

Owns the checks. SQLite's own see the pages, FTS5's sees the inverted index against the token texts, and
checksums see the rows that neither looks into.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict

from plainbrain.index.rows import source_sum, sum_of


def is_sound(connection: sqlite3.Connection) -> bool:
    """Tell whether every part of the index is as it was written. Raise sqlite3.Error when it cannot be read."""
    if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
        return False
    connection.execute("INSERT INTO word (word, rank) VALUES ('integrity-check', 1)")
    return _documents_agree(connection) and _rows_agree(connection) and _sources_agree(connection)


def _documents_agree(connection: sqlite3.Connection) -> bool:
    said = connection.execute("SELECT value FROM meta WHERE key = 'documents'").fetchone()
    counted = [connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("doc", "text")]
    return counted == [said[0] if said else 0] * 2


def _rows_agree(connection: sqlite3.Connection) -> bool:
    tags: dict[int, list[object]] = defaultdict(list)
    links: dict[int, list[object]] = defaultdict(list)
    for tag, doc in connection.execute("SELECT tag, doc FROM tag ORDER BY tag"):
        tags[doc].append((tag, doc))
    for target, doc, rel in connection.execute("SELECT target, doc, rel FROM link ORDER BY target, rel"):
        links[doc].append((target, doc, rel))
    rows = connection.execute("SELECT text.card, doc.* FROM doc CROSS JOIN text ON text.doc = doc.doc")
    for card, *doc, written in rows:
        if sum_of(doc, card, tags.pop(doc[0], []), links.pop(doc[0], [])) != written:
            return False
    return not tags and not links


def _sources_agree(connection: sqlite3.Connection) -> bool:
    return all(source_sum(row) == written for *row, written in connection.execute("SELECT * FROM source"))
