"""A row of ``memory.db`` as an entry and back, and its revision.

Owns what a column says differently from a JSON entry: comma-joined tags, ``correction_meta`` as JSON text,
and ``extra`` in a table of its own, knowledge and counters apart. Must not know connections.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from plainbrain.digests import blake2b
from plainbrain.errors import Unreadable
from plainbrain.model.jsontext import json_text
from plainbrain.model.memory import Memory, Usage
from plainbrain.model.problem import Problem
from plainbrain.notation.entry import EXTRA, FIELDS, USE_FIELDS, entry_of, memory_of
from plainbrain.notation.entry.values import read_text
from plainbrain.ports import Stored
from plainbrain.stores.sqlite.schema import NOT_NULL, Layout

#: A row: the sixteen columns of ``entries``, then ``extra`` and ``usage`` of the side table.
Row = tuple[Any, ...]
WIDTH = len(FIELDS)
_USE = tuple(FIELDS.index(name) for name in USE_FIELDS)
_TAGS, _CORRECTION = FIELDS.index("tags"), FIELDS.index("correction_meta")
_SCALAR = (str, int, float, bytes)


def select(layout: Layout) -> str:
    """Return the SELECT that gives rows, for a database of any version."""
    columns = ", ".join(f"e.{name}" if name in layout.columns else "NULL" for name in FIELDS)
    if "plainbrain_extra" in layout.tables:
        return f"SELECT {columns}, x.extra, x.usage FROM entries e LEFT JOIN plainbrain_extra x ON x.id = e.id"
    return f"SELECT {columns}, NULL, NULL FROM entries e"


def revision_of_row(row: Row) -> str:
    """Return a hash of what a row says, counters left out."""
    said = [value for place, value in enumerate(row[: WIDTH + 1]) if place not in _USE]
    return _hash(said, 16)


def use_of_row(row: Row) -> str:
    """Return a hash of a row's counters."""
    return _hash([*(row[place] for place in _USE), row[WIDTH + 1]], 4)


def _hash(values: list[object], size: int) -> str:
    return blake2b(_encode_any(values).encode("ascii"), digest_size=size).hexdigest()


def _plain(value: object) -> str:
    return value.hex() if isinstance(value, bytes) else str(value)


_encode_any = json.JSONEncoder(separators=(",", ":"), default=_plain).encode


def entry_of_row(row: Row) -> dict[str, Any]:
    """Return the entry that a row holds; a column that cannot be read stays as it is, for ``memory_of`` to tell."""
    entry: dict[str, Any] = dict(zip(FIELDS, row, strict=False))
    extra = _object(row[WIDTH], "extra")
    if usage := _object(row[WIDTH + 1], "usage"):
        extra["usage"] = usage
    exact = extra.pop("tags", None)
    entry["tags"] = _read_tags(entry["tags"], exact)
    entry["correction_meta"] = _read_json(entry["correction_meta"])
    if extra:
        entry[EXTRA] = extra
    return entry


def stored_of_row(row: Row, *, path: str) -> tuple[Stored | None, tuple[Problem, ...]]:
    """Return the memory of a row (None when it has no id) and what is wrong with it."""
    try:
        memory, complaints = memory_of(entry_of_row(row))
    except Unreadable as error:
        return None, (Problem("unreadable-entry", str(error), path, hint=error.hint),)
    problems = tuple(Problem("damaged-value", f"entry {memory.id}: {what}", path) for what in complaints)
    return Stored(memory, revision_of_row(row)), problems


def row_of(memory: Memory, *, base: Row | None = None) -> Row:
    """Return the row for ``memory``; with ``base``, the row it replaces, columns keep what still means the same."""
    before = None if base is None else entry_of_row(base)
    entry = entry_of(memory, base=before)
    tagless = {**entry, "tags": None}
    row: list[Any] = [value if isinstance(value := tagless.get(name), str) else _column(name, value) for name in FIELDS]
    extra = dict(entry.get(EXTRA, {}))
    row[_TAGS] = ",".join(memory.tags)
    if memory.tags and _read_tags(row[_TAGS], None) != list(memory.tags):
        extra["tags"] = list(memory.tags)
    if before is not None and base is not None:
        if before["tags"] == entry["tags"]:
            row[_TAGS] = base[_TAGS]
        if before["correction_meta"] == entry["correction_meta"]:
            row[_CORRECTION] = base[_CORRECTION]
    usage = extra.pop("usage", None)
    return (*row, _json(extra), _json(usage))


def row_with_usage(row: Row, usage: Usage) -> Row:
    """Return ``row`` with other counters."""
    memory, _ = memory_of(entry_of_row(row))
    fresh = row_of(replace(memory, usage=usage), base=row)
    kept = list(row)
    for place in (*_USE, WIDTH + 1):
        kept[place] = fresh[place]
    return tuple(kept)


def _read_tags(value: object, exact: object) -> object:
    if value is None:
        return []
    if not isinstance(value, str):
        return value if isinstance(value, list) else read_text(value)
    if isinstance(exact, list) and all(isinstance(tag, str) for tag in exact) and ",".join(exact) == value:
        return exact
    return [tag for tag in value.split(",") if tag]


def _column(name: str, value: object) -> object:
    """Return what the column of an entry's field holds: a scalar, and no NULL where there may be none."""
    if value is None:
        return "" if name in NOT_NULL else None
    if name == "correction_meta" and isinstance(value, Mapping):
        return json_text(value, ascii=True)
    return value if isinstance(value, _SCALAR) else read_text(value)


def _json(value: Mapping[str, Any] | None) -> str | None:
    return json_text(value, ascii=True, compact=True) if value else None


def _read_json(value: object) -> object:
    if not isinstance(value, str) or not value:
        return value or None
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _object(text: object, name: str) -> dict[str, Any]:
    found = _read_json(text)
    if found is None:
        return {}
    return found if isinstance(found, dict) else {"extra": {name: found}}
