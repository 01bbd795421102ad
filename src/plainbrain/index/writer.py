"""Writing the index: changes of the store put into it, a few or all.

Owns how rows get in and out. Works within a transaction that the caller holds; does not open, commit or
judge errors. A memory that SQLite cannot hold becomes a Problem and stops nothing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from plainbrain.index.rows import Rows, link_key, rows_of, source_row
from plainbrain.index.schema import DOC_COLUMNS
from plainbrain.model.memory import Memory
from plainbrain.model.problem import Problem
from plainbrain.ports import Changes, Progress, Seen, Stored
from plainbrain.retrieval.fields import COLUMNS
from plainbrain.text.family import family

_BATCH = 1000
_WORDS = ", ".join(COLUMNS)
_MARKS = ", ".join("?" * len(COLUMNS))
_INSERT_DOC = f"INSERT INTO doc VALUES ({', '.join('?' * len(DOC_COLUMNS))})"
_INSERT_TEXT = f"INSERT INTO text VALUES (?, {_MARKS}, ?)"
_INSERT_WORD = f"INSERT INTO word (rowid, {_WORDS}) VALUES (?, {_MARKS})"
_DELETE_WORD = f"INSERT INTO word (word, rowid, {_WORDS}) SELECT 'delete', doc, {_WORDS} FROM text WHERE doc = ?"
_TABLES = ("source", "doc", "text", "tag", "link", "kin")
#: FTS5's buffer while everything is written, and otherwise, in bytes.
_BULK_BUFFER, _USUAL_BUFFER = 32 << 20, 1 << 20


class Writer:
    """Put the changes of a store into the index."""

    def __init__(self, connection: sqlite3.Connection, *, ordered: bool) -> None:
        """``ordered`` tells that the store keeps its memories in an order of its own."""
        self._db = connection
        self._ordered = ordered
        self._filed: set[str] = set()
        self.problems: list[Problem] = []
        #: Words of what was folded in or taken out: their counts are no longer what they were.
        self.touched: set[str] = set()

    def replace_all(self, changes: Changes, *, progress: Progress | None = None) -> None:
        """Empty the index and write everything that the store holds."""
        for table in _TABLES:
            self._db.execute(f"DELETE FROM {table}")
        self._db.execute("INSERT INTO word (word) VALUES ('delete-all')")
        self._configure(automerge=0, buffer=_BULK_BUFFER)
        self._insert_many(changes.stored, progress=progress)
        self._write_sources(changes.seen)
        self._configure(automerge=4, buffer=_USUAL_BUFFER)

    def fold_in(self, changes: Changes, *, used: Iterable[Stored]) -> None:
        """Write what is different; ``used`` are memories whose counters alone moved."""
        for id in changes.gone:
            if (doc := self._doc_of(id)) is not None:
                self._delete(doc)
        for stored in changes.stored:
            self._guarded(stored.memory)
        for stored in used:
            self._update_counters(stored.memory)
        self._db.executemany("DELETE FROM source WHERE locator = ?", [(locator,) for locator in changes.unseen])
        self._write_sources(changes.seen)

    def _insert_many(self, stored: Iterable[Stored], *, progress: Progress | None) -> None:
        memories = (one.memory for one in stored)
        taken: set[str] = set()
        done = 0
        while batch := list(islice(memories, _BATCH)):
            again = []
            rows = []
            for memory in batch:
                done += 1
                if memory.id in taken:
                    again.append(memory)
                    continue
                taken.add(memory.id)
                rows.append(rows_of(memory, doc=done, sequence=done if self._ordered else 0))
            self._insert_batch(rows, batch)
            for memory in again:
                self._guarded(memory)
            if progress is not None:
                progress(done, 0, "indexing")

    def _insert_batch(self, rows: Sequence[Rows], batch: Sequence[Memory]) -> None:
        self._db.execute("SAVEPOINT batch")
        try:
            self._insert(rows)
        except UnicodeEncodeError:
            self._db.execute("ROLLBACK TO batch")
            for memory in batch:
                self._guarded(memory)
        self._db.execute("RELEASE batch")

    def _insert(self, rows: Sequence[Rows]) -> None:
        self._db.executemany(_INSERT_DOC, [row.doc for row in rows])
        self._db.executemany(_INSERT_TEXT, [row.text for row in rows])
        self._db.executemany(_INSERT_WORD, [row.text[:-1] for row in rows])
        self._db.executemany("INSERT INTO tag VALUES (?, ?)", [tag for row in rows for tag in row.tags])
        self._db.executemany("INSERT INTO link VALUES (?, ?, ?)", [link for row in rows for link in row.links])
        self._file_words(rows)

    def _file_words(self, rows: Sequence[Rows]) -> None:
        """Put the words that this writer did not see before to their families."""
        words: set[str] = set()
        for row in rows:
            for text in row.text[1:-1]:
                words.update(str(text).split())
        words -= self._filed
        self._filed |= words
        self._db.executemany("INSERT OR IGNORE INTO kin VALUES (?, ?)", _families(words))

    def _guarded(self, memory: Memory) -> None:
        """Write one memory; say so when its text is no Unicode that can be stored."""
        self._db.execute("SAVEPOINT one")
        try:
            self._put(memory)
        except UnicodeEncodeError as error:
            self._db.execute("ROLLBACK TO one")
            self.problems.append(
                Problem(
                    "unindexable",
                    f"{memory.id!a} holds half of a character ({error.reason}); it cannot be searched",
                    hint="rename it, or write the character anew",
                )
            )
        self._db.execute("RELEASE one")

    def _put(self, memory: Memory) -> None:
        doc = self._doc_of(memory.id)
        if doc is None:
            doc = 1 + self._db.execute("SELECT coalesce(max(doc), 0) FROM doc").fetchone()[0]
        else:
            self._delete(doc)
        rows = rows_of(memory, doc=doc, sequence=doc if self._ordered else 0)
        self._touch(rows.text[1:-1])
        self._insert([rows])

    def _touch(self, texts: Iterable[object]) -> None:
        for text in texts:
            self.touched.update(str(text).split())

    def _update_counters(self, memory: Memory) -> None:
        """Write the card and the counters of a memory whose words are as they were."""
        doc = self._doc_of(memory.id)
        if doc is None:
            self._guarded(memory)
            return
        rows = rows_of(memory, doc=doc, sequence=doc if self._ordered else 0)
        self._db.execute("UPDATE text SET card = ? WHERE doc = ?", (rows.text[-1], doc))
        self._db.execute("DELETE FROM doc WHERE doc = ?", (doc,))
        self._db.execute(_INSERT_DOC, rows.doc)

    def _delete(self, doc: int) -> None:
        self._touch(self._db.execute(f"SELECT {_WORDS} FROM text WHERE doc = ?", (doc,)).fetchone() or ())
        self._db.execute(_DELETE_WORD, (doc,))
        for table in ("text", "doc", "tag", "link"):
            self._db.execute(f"DELETE FROM {table} WHERE doc = ?", (doc,))

    def _doc_of(self, id: str) -> int | None:
        try:
            found = self._db.execute("SELECT doc FROM doc WHERE id = ?", (id,)).fetchone()
        except UnicodeEncodeError:
            return None  # such an id was never written
        return None if found is None else int(found[0])

    def _write_sources(self, seen: Sequence[Seen]) -> None:
        rows = []
        for one in seen:
            try:
                one.locator.encode("utf-8")
            except UnicodeEncodeError:
                continue  # not remembered: the store reads it again each time
            rows.append(source_row(one))
        self._db.executemany("INSERT OR REPLACE INTO source VALUES (?, ?, ?, ?, ?)", rows)

    def _configure(self, *, automerge: int, buffer: int) -> None:
        self._db.execute("INSERT INTO word (word, rank) VALUES ('automerge', ?)", (automerge,))
        self._db.execute("INSERT INTO word (word, rank) VALUES ('hashsize', ?)", (buffer,))


def _families(words: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the family of each word that can have kin."""
    for word in words:
        if (name := family(word)) != word or (word.isascii() and word.isalpha()):
            yield name, word


def link_keys(id: str, *, title: str, cortex: str) -> list[str]:
    """Return every name by which a link may mean a memory."""
    path = f"{cortex}/{id}" if cortex else id
    return list(dict.fromkeys(link_key(name) for name in (id, path, title) if name))
