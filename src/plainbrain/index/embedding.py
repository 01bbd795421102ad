"""Keeping vectors up with the index: which memories lack them, made in bounded steps, in the index's own file.

Owns the tables, which exist once a model was used: triggers keep them in step with the table ``doc`` whoever writes it.
Promises that vectors of two models never meet, that a vector is made once for each text (a rebuilt index finds it
again by the text's hash), and that a model which fails costs words nothing. Knows the shape of no vector but its length.
"""

from __future__ import annotations

import math
import sqlite3
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from plainbrain.digests import blake2b
from plainbrain.errors import Unavailable
from plainbrain.index.connection import Verdict, judge, writing
from plainbrain.model.memory import Memory
from plainbrain.model.problem import Problem
from plainbrain.ports import Model, Step, Store
from plainbrain.retrieval.passages import EARLIER, Passage, Wording, after, passages_of

#: What a vector is of: the passage alone, or with what came before it.
OWN, CONTEXT = 0, 1
_MOST_MOVED = 20_000
#: Those that may have a memory among what came before them.
_LATER = f"ORDER BY turn, doc LIMIT {EARLIER}"
_TABLES = (
    "CREATE TABLE IF NOT EXISTS vector (vector INTEGER PRIMARY KEY, key BLOB UNIQUE NOT NULL, data BLOB)",
    "CREATE INDEX IF NOT EXISTS vector_mute ON vector (vector) WHERE data IS NULL",
    """CREATE TABLE IF NOT EXISTS passage (doc INTEGER, kind INTEGER, part INTEGER, start INTEGER, stop INTEGER,
        vector INTEGER, PRIMARY KEY (doc, kind, part)) WITHOUT ROWID""",
    "CREATE TABLE IF NOT EXISTS pending (ticket INTEGER PRIMARY KEY AUTOINCREMENT, doc INTEGER UNIQUE)",
    "CREATE TABLE IF NOT EXISTS moved (stamp INTEGER PRIMARY KEY AUTOINCREMENT, doc INTEGER)",
    f"""CREATE TRIGGER IF NOT EXISTS vector_of_new AFTER INSERT ON doc BEGIN
        INSERT OR REPLACE INTO pending (doc) VALUES (new.doc);
        INSERT OR IGNORE INTO pending (doc) SELECT doc FROM doc
            WHERE session = new.session AND turn > new.turn {_LATER}; END""",
    f"""CREATE TRIGGER IF NOT EXISTS vector_of_gone AFTER DELETE ON doc BEGIN
        INSERT OR IGNORE INTO pending (doc) SELECT doc FROM doc
            WHERE session = old.session AND turn > old.turn {_LATER};
        INSERT INTO moved (doc) SELECT old.doc WHERE EXISTS (SELECT 1 FROM passage WHERE doc = old.doc);
        DELETE FROM passage WHERE doc = old.doc;
        DELETE FROM pending WHERE doc = old.doc; END""",
)
#: The memories that came before one in its session, the latest first.
_EARLIER = f"""SELECT a.id FROM doc AS b JOIN doc AS a ON a.session = b.session AND a.turn < b.turn
    WHERE b.doc = ? ORDER BY a.turn DESC, a.doc DESC LIMIT {EARLIER}"""


@dataclass(slots=True)
class _Job:
    """One memory to be done: its passages by kind, each with the key of its text."""

    ticket: int
    doc: int
    passages: list[tuple[int, int, Passage, bytes]]


class Embedding:
    """Make the vectors of one index with ``model``; ``wording`` makes texts ready for it."""

    def __init__(self, connection: sqlite3.Connection, model: Model, wording: Wording) -> None:
        self._db = connection
        self._model = model
        self._wording = wording
        self.space = f"{model.name} {wording.name}".strip()
        self._settled = False

    def left(self) -> int:
        """Return how many memories have no vectors yet, as far as a step was ever made. Raise sqlite3.Error."""
        return int(self._db.execute("SELECT count(*) FROM pending").fetchone()[0])

    def is_ours(self) -> bool:
        """Tell whether the vectors that are there are of this model: another process may have taken another."""
        return value_of(self._db, "vector_space") == self.space

    def step(self, store: Store, limit: int) -> Step:
        """Give at most ``limit`` memories their vectors. Raise Unavailable (the model) or sqlite3.Error.

        While another process holds the index, nothing is done.
        """
        try:
            return self._step(store, limit)
        except sqlite3.Error as error:
            if judge(error) is Verdict.BUSY:
                return Step(0, 0, 0)
            raise

    def _step(self, store: Store, limit: int) -> Step:
        self._settle()
        if not self.is_ours() or self._db.execute("SELECT 1 FROM pending LIMIT 1").fetchone() is None:
            return Step(0, 0, 0)
        jobs, texts = self._jobs(store, limit)
        made = self._embed(texts)
        with writing(self._db):
            if value_of(self._db, "vector_space") == self.space:
                self._write(jobs, made)
        left = self.left()
        if not left:
            self._sweep()
        return Step(len(jobs), len(made), left)

    def problems(self) -> list[Problem]:
        """Tell of texts that the model had no direction for."""
        if not self.is_ours() or self._db.execute("SELECT 1 FROM vector WHERE data IS NULL LIMIT 1").fetchone() is None:
            return []
        mute = self._db.execute(
            "SELECT count(DISTINCT doc) FROM passage WHERE vector IN (SELECT vector FROM vector WHERE data IS NULL)"
        ).fetchone()[0]
        if not mute:
            return []
        message = f"{mute} memories have no vector: the model {self._model.name} gave none with a direction"
        return [Problem("no-vector", message, hint="they are found by their words")]

    # settling

    def _settle(self) -> None:
        """Make the tables; when they hold another model's vectors, begin anew with ours."""
        if self._settled:
            return
        if value_of(self._db, "vector_space") != self.space:
            with writing(self._db):
                for statement in _TABLES:
                    self._db.execute(statement)
                self._db.execute("DELETE FROM passage")
                self._db.execute("DELETE FROM pending")
                self._db.execute("INSERT INTO pending (doc) SELECT doc FROM doc ORDER BY doc")
                self._db.execute("DELETE FROM moved")
                self._db.execute("INSERT INTO moved (doc) VALUES (0)")  # whoever follows has missed something
                self._db.executemany(
                    "INSERT OR REPLACE INTO meta VALUES (?, ?)",
                    [("vector_space", self.space), ("vector_dimensions", 0)],
                )
        self._settled = True

    # making

    def _jobs(self, store: Store, limit: int) -> tuple[list[_Job], dict[bytes, str]]:
        """Return what is to be done now, and the texts whose vectors are not there yet."""
        rows = self._db.execute(
            "SELECT ticket, pending.doc, id FROM pending LEFT JOIN doc ON doc.doc = pending.doc ORDER BY ticket LIMIT ?",
            (limit,),
        ).fetchall()
        earlier = {doc: self._earlier(doc) for _, doc, _ in rows}
        ids = dict.fromkeys(id for _, _, id in rows if id is not None)
        ids |= dict.fromkeys(id for before in earlier.values() for id in before)
        stored = store.get_many(list(ids))
        jobs: list[_Job] = []
        texts: dict[bytes, str] = {}
        for ticket, doc, id in rows:
            found = stored.get(id)
            job = _Job(ticket, doc, [])
            if found is not None:
                before = [stored[one].memory for one in earlier[doc] if one in stored]
                for kind, part, passage in _texts(found.memory, before):
                    text = self._wording.prepare(found.memory, passage.text)
                    job.passages.append((kind, part, passage, key := self._key(text)))
                    texts[key] = text
            jobs.append(job)
        return jobs, {key: texts[key] for key in texts if not self._has(key)}

    def _earlier(self, doc: int) -> list[str]:
        """Return the ids of the memories that came before one in its session, the oldest first."""
        return [id for (id,) in self._db.execute(_EARLIER, (doc,))][::-1]

    def _key(self, text: str) -> bytes:
        return blake2b(f"{self.space}\0{text}".encode("utf-8", "surrogatepass"), digest_size=16).digest()

    def _has(self, key: bytes) -> bool:
        return self._db.execute("SELECT 1 FROM vector WHERE key = ?", (key,)).fetchone() is not None

    def _embed(self, texts: dict[bytes, str]) -> dict[bytes, bytes | None]:
        """Return the vectors of texts as they are kept, None for one without a direction. Raise Unavailable."""
        if not texts:
            return {}
        vectors = self._model.embed(list(texts.values()))
        if len(vectors) != len(texts):
            raise Unavailable(f"{self._model.name} gave {len(vectors)} vectors for {len(texts)} texts")
        known = int(value_of(self._db, "vector_dimensions") or 0) or self._model.dimensions
        lengths = {len(vector) for vector in vectors} | ({known} if known else set())
        if len(lengths) != 1 or 0 in lengths:
            raise Unavailable(
                f"{self._model.name} gave vectors of {_listed(lengths)} numbers, which cannot be compared",
                value=sorted(lengths),
                hint="choose another: brain model use",
            )
        return {key: pack(vector) for key, vector in zip(texts, vectors, strict=True)}

    def _write(self, jobs: Sequence[_Job], made: dict[bytes, bytes | None]) -> None:
        self._db.executemany("INSERT OR IGNORE INTO vector (key, data) VALUES (?, ?)", made.items())
        if one := next((data for data in made.values() if data), None):
            self._db.execute("INSERT OR REPLACE INTO meta VALUES ('vector_dimensions', ?)", (len(one) // 2,))
        for job in jobs:
            if not self._db.execute("DELETE FROM pending WHERE ticket = ?", (job.ticket,)).rowcount:
                continue  # it changed again meanwhile: its turn comes
            self._db.execute("DELETE FROM passage WHERE doc = ?", (job.doc,))
            rows = [(job.doc, kind, part, p.start, p.stop, key) for kind, part, p, key in job.passages]
            self._db.executemany("INSERT INTO passage SELECT ?, ?, ?, ?, ?, vector FROM vector WHERE key = ?", rows)
            self._db.execute("INSERT INTO moved (doc) VALUES (?)", (job.doc,))
        last = self._db.execute("SELECT max(stamp) FROM moved").fetchone()[0] or 0
        self._db.execute("DELETE FROM moved WHERE stamp <= ?", (last - _MOST_MOVED,))

    def _sweep(self) -> None:
        """Drop vectors of texts that are no more, once they are many."""
        held, used = self._db.execute(
            "SELECT (SELECT count(*) FROM vector), (SELECT count(DISTINCT vector) FROM passage)"
        ).fetchone()
        if held > 1000 + used * 1.3:
            with writing(self._db):
                self._db.execute("DELETE FROM vector WHERE vector NOT IN (SELECT vector FROM passage)")


def _texts(memory: Memory, earlier: Sequence[Memory]) -> Iterable[tuple[int, int, Passage]]:
    for part, passage in enumerate(passages_of(memory)):
        yield OWN, part, passage
        if part == 0 and earlier:
            yield CONTEXT, part, Passage(passage.start, passage.stop, after(earlier, passage.text))


def pack(vector: Sequence[float]) -> bytes | None:
    """Return a vector as it is kept: at length one, sixteen bits a number; None when it has no direction."""
    largest = max((abs(number) for number in vector), default=0.0)
    if not 0 < largest < math.inf or any(number != number for number in vector):
        return None
    shrunk = [number / largest for number in vector]
    length = math.sqrt(math.fsum(number * number for number in shrunk))
    return struct.pack(f"<{len(shrunk)}e", *(number / length for number in shrunk))


def value_of(connection: sqlite3.Connection, key: str) -> str | int | None:
    """Return a value of the index's own."""
    found = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return None if found is None else found[0]


def _listed(lengths: set[int]) -> str:
    return " and ".join(map(str, sorted(lengths)))
