"""What is different in a ``memory.db`` since a reader last looked.

Owns the two ways to tell: by the change table where there is one (a number says it all), else, in a database
that only agent-brain has written so far, by the hash of each row. Reads only.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

from plainbrain.model.problem import Problem
from plainbrain.ports import Changes, Mark, Seen, Stored
from plainbrain.stores.sqlite.connection import moment_of
from plainbrain.stores.sqlite.journal import read_origin
from plainbrain.stores.sqlite.rows import Row, revision_of_row, select, stored_of_row, use_of_row
from plainbrain.stores.sqlite.schema import VERSION, Layout

View = tuple[sqlite3.Connection, Layout]
Reading = Callable[[], AbstractContextManager[View | None]]
_PAGE = 1000
_CHUNK = 500
#: The token of a place where nothing is.
NOTHING = "nothing"


def changes_since(path: str, mark: Mark, *, view: View | None, reading: Reading) -> Changes:
    """Tell what is different since ``mark``; ``reading`` opens the view again for rows that are fetched later."""
    if view is None or not view[1].columns:
        return Changes(NOTHING, everything=mark.token != NOTHING)
    db, layout = view
    problems = _of_whole(path, layout)
    if "plainbrain_changes" not in layout.tables or not layout.ready:
        return _by_hash(path, mark, db=db, layout=layout, problems=problems)
    origin = read_origin(db)
    since = _seq_of(mark.token, origin)
    if since is not None:
        rows = db.execute(
            "SELECT seq, id, what FROM plainbrain_changes WHERE seq > ? ORDER BY seq", (since,)
        ).fetchall()
        if rows:
            return _by_number(path, origin, rows, db=db, layout=layout, problems=problems)
        if _top(db) == since:
            return Changes(mark.token, problems=problems)
    return Changes(
        f"seq:{origin}:{_top(db)}",
        stored=_everything(path, reading),
        seen=tuple(suspects(path, db=db, layout=layout)),
        problems=problems,
        everything=True,
    )


def _seq_of(token: str, origin: str) -> int | None:
    kind, _, rest = token.partition(":")
    name, _, seq = rest.partition(":")
    return int(seq) if kind == "seq" and name == origin and seq.isdigit() else None


def _top(db: sqlite3.Connection) -> int:
    return int(db.execute("SELECT coalesce(max(seq), 0) FROM plainbrain_changes").fetchone()[0])


def _of_whole(path: str, layout: Layout) -> tuple[Problem, ...]:
    if not layout.is_newer:
        return ()
    hint = "bring Plainbrain up to date; reading goes on"
    return (Problem("newer-schema", f"schema version {layout.version} is newer than {VERSION}", path, hint=hint),)


def _by_number(
    path: str,
    origin: str,
    rows: list[tuple[int, str, str]],
    *,
    db: sqlite3.Connection,
    layout: Layout,
    problems: tuple[Problem, ...],
) -> Changes:
    changed = list(dict.fromkeys(id for _, id, what in rows if what == "entry"))
    stored: list[Stored] = []
    seen: list[Seen] = []
    for start in range(0, len(changed), _CHUNK):
        some = changed[start : start + _CHUNK]
        for row in db.execute(f"{select(layout)} WHERE e.id IN ({', '.join('?' * len(some))}) ORDER BY e.rowid", some):
            one, found = stored_of_row(row, path=path)
            if one is not None:
                stored.append(one)
                seen.append(Seen(row[0], _signature(row), (row[0],), found))
    there = {one.memory.id for one in stored}
    gone = tuple(id for id in changed if id not in there)
    used = tuple(dict.fromkeys(id for _, id, what in rows if what == "use" and id not in changed))
    token = f"seq:{origin}:{rows[-1][0]}"
    return Changes(token, stored, gone=gone, seen=tuple(seen), unseen=gone, used=used, problems=problems)


def _everything(path: str, reading: Reading) -> Iterator[Stored]:
    """Yield every memory, a page at a time, so that no reading stays open between."""
    last = -(2**63)
    while True:
        with reading() as view:
            if view is None or not view[1].columns:
                return
            sql = select(view[1]).replace("SELECT ", "SELECT e.rowid, ", 1)
            rows = view[0].execute(f"{sql} WHERE e.rowid > ? ORDER BY e.rowid LIMIT {_PAGE}", (last,)).fetchall()
        if not rows:
            return
        last = rows[-1][0]
        for row in rows:
            stored, _ = stored_of_row(row[1:], path=path)
            if stored is not None:
                yield stored


def suspects(path: str, *, db: sqlite3.Connection, layout: Layout) -> Iterator[Seen]:
    """Yield the rows that something is wrong with, found by SQLite's own types."""
    doubts = ["e.id IS NULL", "typeof(e.id) <> 'text'", "e.id = ''", "typeof(e.content) <> 'text'"]
    doubts += [
        f"typeof(e.{name}) NOT IN ('integer', 'null')"
        for name in ("access_count", "success_count")
        if name in layout.columns
    ]
    if "correction_meta" in layout.columns:
        meta = "e.correction_meta"
        doubts.append(f"({meta} <> '' AND (NOT json_valid({meta}) OR json_type({meta}) <> 'object'))")
    sql = select(layout).replace("SELECT ", "SELECT e.rowid, ", 1)
    for number, *row in db.execute(f"{sql} WHERE {' OR '.join(doubts)}").fetchall():
        stored, found = stored_of_row(tuple(row), path=path)
        locator = stored.memory.id if stored else f"row {number}"
        yield Seen(locator, _signature(tuple(row)), (locator,) if stored else (), found)


def _signature(row: Row) -> str:
    return f"{revision_of_row(row)}.{use_of_row(row)}"


def _by_hash(
    path: str, mark: Mark, *, db: sqlite3.Connection, layout: Layout, problems: tuple[Problem, ...]
) -> Changes:
    log = moment_of(path + "-wal")
    # An empty log holds nothing, whoever made it and when: readers do, too.
    token = f"file:{moment_of(path)}:{log if log and log[1] else None}"
    if mark.token == token:
        return Changes(token, problems=problems)
    known = mark.recall_seen() if mark.token.startswith("file:") else {}
    stored: list[Stored] = []
    seen: list[Seen] = []
    used: list[str] = []
    met: set[str] = set()
    sql = select(layout).replace("SELECT ", "SELECT e.rowid, ", 1)
    for number, *cells in db.execute(f"{sql} ORDER BY e.rowid"):
        row = tuple(cells)
        locator = row[0] if isinstance(row[0], str) and row[0] else f"row {number}"
        met.add(locator)
        before, signature = known.get(locator), _signature(row)
        if before is not None and before.signature == signature:
            continue
        one, found = stored_of_row(row, path=path)
        seen.append(Seen(locator, signature, (locator,) if one else (), found))
        if before is not None and before.signature.partition(".")[0] == signature.partition(".")[0]:
            used.append(locator)
        elif one is not None:
            stored.append(one)
    unseen = tuple(locator for locator in known if locator not in met)
    return Changes(
        token,
        stored,
        gone=tuple(id for locator in unseen for id in known[locator].ids),
        seen=tuple(seen),
        unseen=unseen,
        used=tuple(used),
        problems=problems,
        everything=not mark.token.startswith("file:"),
    )
