"""The memories of a ``memory.json``, their revisions, and what is different since a reader last looked.

Owns the two ways to tell: by the changes that the file itself remembers, else by the hash of each entry.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from plainbrain.digests import blake2b
from plainbrain.model.problem import Problem
from plainbrain.notation.entry import EXTRA, USE_FIELDS, memory_of
from plainbrain.ports import Changes, Mark, Seen, Stored
from plainbrain.stores.json.document import Document

Entry = Mapping[str, Any]
#: The token of a place where nothing is.
NOTHING = "nothing"
_KIND = "json:"


def revision_of_entry(entry: Entry) -> str:
    """Return a hash of what an entry says, counters left out."""
    said = {key: value for key, value in entry.items() if key not in USE_FIELDS and value is not None}
    if isinstance(extra := said.get(EXTRA), dict) and "usage" in extra:
        said[EXTRA] = {key: value for key, value in extra.items() if key != "usage"}
        if not said[EXTRA]:
            del said[EXTRA]
    return _hash(said, 16)


def use_of_entry(entry: Entry) -> str:
    """Return a hash of an entry's counters."""
    extra = entry.get(EXTRA)
    usage = extra.get("usage") if isinstance(extra, dict) else None
    return _hash([*(entry.get(name) for name in USE_FIELDS), usage], 4)


_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode


def _hash(value: object, size: int) -> str:
    text = _encode(value)
    return blake2b(text.encode("ascii"), digest_size=size).hexdigest()


def stored_of_entry(entry: Entry) -> Stored:
    """Return the memory that an entry holds."""
    return Stored(memory_of(entry)[0], revision_of_entry(entry))


def problems_of_entry(entry: Entry, *, path: str) -> tuple[Problem, ...]:
    """Return what is wrong with an entry."""
    return tuple(Problem("damaged-value", f"entry {entry['id']}: {what}", path) for what in memory_of(entry)[1])


def changes_since(document: Document | None, mark: Mark, *, path: str) -> Changes:
    """Tell what is different in ``document`` since ``mark``."""
    if document is None:
        return Changes(NOTHING, everything=mark.token != NOTHING)
    token = f"{_KIND}{document.digest}"
    if mark.token == token:
        return Changes(token, problems=document.problems)
    known = mark.token.startswith(_KIND)
    steps = document.log_since(mark.token.removeprefix(_KIND)) if known else None
    if steps is not None:
        return _by_log(document, token, path=path, changed=steps[0], used=steps[1])
    return _by_hash(document, token, path=path, known=mark.recall_seen() if known else None)


def _by_log(document: Document, token: str, *, path: str, changed: list[str], used: list[str]) -> Changes:
    document.get_ready(len(changed) + len(used))
    entries = {id: document.entry(id) for id in (*changed, *used)}
    there = {id: entry for id, entry in entries.items() if entry is not None}
    gone = tuple(id for id in changed if id not in there)
    return Changes(
        token,
        stored=[stored_of_entry(there[id]) for id in changed if id in there],
        gone=gone,
        seen=tuple(_seen(id, entry, path=path) for id, entry in there.items()),
        unseen=gone,
        used=tuple(id for id in used if id in there),
        problems=document.problems,
    )


def _by_hash(document: Document, token: str, *, path: str, known: Mapping[str, Seen] | None) -> Changes:
    stored: list[str] = []
    seen, used = [], []
    document.get_ready(len(known or ()))
    for id, entry in document.entries():
        signature = _signature(entry)
        before = known.get(id) if known else None
        if before is not None and before.signature == signature:
            continue
        seen.append(_seen(id, entry, path=path))
        if before is not None and before.signature.partition(".")[0] == signature.partition(".")[0]:
            used.append(id)
        else:
            stored.append(id)
    gone = tuple(id for id in known or () if not document.has(id))
    return Changes(
        token,
        stored=_read_again(document, stored),
        gone=gone,
        seen=tuple(seen),
        unseen=gone,
        used=tuple(used),
        problems=document.problems,
        everything=known is None,
    )


def _read_again(document: Document, ids: Sequence[str]) -> Iterator[Stored]:
    """Yield entries one by one, parsed a second time: thousands of them, held at once, would fill the memory."""
    document.get_ready(len(ids))
    for id in ids:
        entry = document.entry(id)
        if entry is not None:
            yield stored_of_entry(entry)


def _seen(id: str, entry: Entry, *, path: str) -> Seen:
    return Seen(id, _signature(entry), (id,), problems_of_entry(entry, path=path))


def _signature(entry: Entry) -> str:
    return f"{revision_of_entry(entry)}.{use_of_entry(entry)}"
