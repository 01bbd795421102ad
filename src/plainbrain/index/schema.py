"""The tables of the index file and their version.

Owns the layout. Raise ``VERSION`` with every change of it, of the tokens, or of what a column is made
from: files of another version are left alone, and a new one is built beside them.
"""

from __future__ import annotations

from plainbrain.retrieval.fields import COLUMNS, WEIGHTS

VERSION = 6

_COLUMNS = ", ".join(COLUMNS)

#: ``source``: what the store wants to be reminded of. ``doc``: what filters and ranking look at, narrow on
#: purpose. ``text``: token texts by column (the content of ``word``) and the card. ``word``: the inverted
#: index; its tokens are ours, so FTS5 only has to cut at spaces, and everything beyond ASCII is a letter to it. ``kin``: tokens by
#: their family; one that no memory holds any more may stay.
TABLES = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID",
    "CREATE TABLE source (locator TEXT PRIMARY KEY, signature TEXT, ids TEXT, problems TEXT, sum INTEGER) WITHOUT ROWID",
    "CREATE INDEX source_problems ON source (locator) WHERE problems IS NOT NULL",
    """CREATE TABLE doc (
        doc INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, sequence INTEGER, created_ms INTEGER, dated INTEGER,
        cortex TEXT, kind TEXT, class TEXT, status TEXT, live INTEGER, quarantined INTEGER, ends_ms INTEGER,
        scope TEXT, user_id TEXT, confidence REAL, trust REAL, since_ms INTEGER, half_life REAL,
        sure REAL, last_ms INTEGER, accesses INTEGER, title TEXT, session TEXT, turn INTEGER, author TEXT,
        told_ms INTEGER, sum INTEGER)""",
    "CREATE INDEX doc_shown ON doc (doc, live, quarantined, ends_ms)",
    "CREATE INDEX doc_cortex ON doc (cortex)",
    "CREATE INDEX doc_spot ON doc (session, turn) WHERE session IS NOT NULL",
    "CREATE INDEX doc_author ON doc (author) WHERE author IS NOT NULL",
    f"CREATE TABLE text (doc INTEGER PRIMARY KEY, {_COLUMNS}, card TEXT)",
    "CREATE TABLE tag (tag TEXT, doc INTEGER, PRIMARY KEY (tag, doc)) WITHOUT ROWID",
    "CREATE INDEX tag_doc ON tag (doc)",
    "CREATE TABLE link (target TEXT, doc INTEGER, rel TEXT, PRIMARY KEY (target, doc, rel)) WITHOUT ROWID",
    "CREATE INDEX link_doc ON link (doc)",
    f"""CREATE VIRTUAL TABLE word USING fts5({_COLUMNS}, content='text', content_rowid='doc',
        tokenize="ascii tokenchars '.+#'")""",
    "CREATE TABLE kin (family TEXT, token TEXT, PRIMARY KEY (family, token)) WITHOUT ROWID",
    "CREATE VIRTUAL TABLE vocabulary USING fts5vocab('word', 'row')",
    f"PRAGMA user_version = {VERSION}",
)

#: FTS5's own BM25 with our column weights; it gives negative figures, better is lower.
BM25 = f"bm25(word, {', '.join(map(str, WEIGHTS))})"

DOC_COLUMNS = (
    "doc", "id", "sequence", "created_ms", "dated", "cortex", "kind", "class", "status", "live", "quarantined",
    "ends_ms", "scope", "user_id", "confidence", "trust", "since_ms", "half_life", "sure", "last_ms", "accesses",
    "title", "session", "turn", "author", "told_ms", "sum",
)  # fmt: skip
