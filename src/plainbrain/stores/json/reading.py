"""Reading the text of a ``memory.json``, and how far it is believed.

A text whose digest is right was written whole by us and is not parsed; any other is parsed and checked, part by part
where it is laid out as agent-brain does it, so that no more of it is held at once than has to be.
Promises that what is not understood is kept. Must not know files and locks.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from plainbrain.errors import Damaged
from plainbrain.model.problem import Problem
from plainbrain.stores.json.document import LAID, VERSION, Document, places_of
from plainbrain.stores.json.laid import is_regular, lay, read_span
from plainbrain.stores.json.text import (
    BEFORE_OURS,
    ENTRIES,
    OURS,
    Parts,
    cut,
    digest_of,
    id_of,
    without_ours,
    write_entry,
    write_value,
)
from plainbrain.text.quoted import quoted

#: So many entries are parsed at a time when a text is checked.
_SOME = 500


def read_document(text: bytes, *, path: str) -> Document:
    """Read a text. Raise Damaged, naming line and column, when it is not JSON of the right shape."""
    return _read_trusted(text, path) or _read_cut(text, path) or _read_whole(text, path)


def _read_trusted(text: bytes, path: str) -> Document | None:
    mine = without_ours(text)
    if len(mine) == len(text):
        return None
    digest = digest_of(mine)
    if f'"digest": "{digest}"'.encode("ascii") not in text[len(mine) : len(mine) + 200]:
        return None
    ours = _ours(text[len(mine) + len(BEFORE_OURS) :])
    if ours is None:
        return None
    span = read_span(ours.pop(LAID, None))
    laid = lay(text, entries=span) if span else None
    if laid is not None:
        return Document(digest, ours, laid, problems=_of_damaged(ours, path))
    parts = cut(text)
    if parts is None or next(reversed(parts.sections)) != OURS:
        return None
    places = places_of(parts)
    if len(places) != len(parts.entries):
        return None
    regular = is_regular(parts, places)
    return Document(digest, ours, regular=regular, problems=_of_damaged(ours, path), pieces=parts, known=places)


def _ours(tail: bytes) -> dict[str, Any] | None:
    """Return our section from the text that begins with it; None where that is not the last of the file, and whole."""
    try:
        found = json.loads(tail.rstrip().removesuffix(b"\n}"))
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _read_cut(text: bytes, path: str) -> Document | None:
    """Read a text that is laid out as agent-brain does it and whole; None for any other, of which more has to be told."""
    parts = cut(text)
    if parts is None or ENTRIES not in parts.sections or not _is_sound(parts.entries):
        return None
    try:
        data = {key: json.loads(raw.decode("utf-8")) for key, raw in parts.sections.items() if key != ENTRIES}
    except (ValueError, RecursionError):
        return None
    is_last = next(reversed(parts.sections)) == OURS
    digest = digest_of(without_ours(text) if is_last else text)
    parts.sections.pop(OURS, None)
    version, ours = data.get("version", 1), data.get(OURS, {})
    ours = dict(ours) if isinstance(ours, dict) else {"other": ours}
    places, problems = _placed([id_of(entry) or "" for entry in parts.entries], path)
    known = _of_damaged(ours, path)
    ours.pop(LAID, None)
    return Document(
        digest,
        ours,
        regular=is_regular(parts, places),
        version=version if isinstance(version, int) else VERSION,
        problems=(*problems, *known),
        pieces=parts,
        known=places,
    )


def _is_sound(entries: Sequence[bytes]) -> bool:
    """Tell whether entries are JSON, each an object that begins with its id."""
    for start in range(0, len(entries), _SOME):
        some = entries[start : start + _SOME]
        try:
            found = json.loads((b"[{" + b"},{".join(some) + b"}]").decode("utf-8"))
        except (ValueError, RecursionError):
            return False
        if len(found) != len(some):
            return False
        for entry, lines in zip(found, some, strict=True):
            if not isinstance(entry, dict) or not entry.get("id") or entry["id"] != id_of(lines):
                return False
    return True


def _placed(ids: Sequence[str], path: str) -> tuple[dict[str, int], list[Problem]]:
    """Return where the entry of an id stands, and what is to be said of ids that come twice."""
    places: dict[str, int] = {}
    problems = []
    for place, id in enumerate(ids):
        if places.setdefault(id, place) != place:
            problems.append(_problem(path, f"two entries have the id {id!r}; the first one counts"))
    return places, problems


def _read_whole(text: bytes, path: str) -> Document:
    data = _parse(text, path)
    entries, damaged, problems = _sort_out(data.get("entries", []), path)
    digest = digest_of(without_ours(text) if next(reversed(data), "") == OURS else text)
    ours = data.pop(OURS, {})
    ours = dict(ours) if isinstance(ours, dict) else {"other": ours}
    known = _of_damaged(ours, path)
    version = data.get("version", 1)
    if damaged:
        ours["damaged"] = [*_damaged(ours), *damaged]
    parts = None if damaged else _cut_checked(text, data, entries)
    if parts is None:
        parts = Parts({key: b"" if key == "entries" else write_value(value) for key, value in data.items()})
        parts.sections.setdefault("entries", b"")
        parts.entries = [write_entry({"id": entry["id"], **entry}) for entry in entries]
    places, doubled = _placed([entry["id"] for entry in entries], path)
    problems += doubled
    ours.pop(LAID, None)
    return Document(
        digest,
        ours,
        regular=is_regular(parts, places),
        version=version if isinstance(version, int) else VERSION,
        problems=(*problems, *known),
        parsed=entries,
        pieces=parts,
        known=places,
    )


def _parse(text: bytes, path: str) -> dict[str, Any]:
    hint = "it is left as it is and not written to: mend it, or move it away and begin anew"
    try:
        data = json.loads(text.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise Damaged(f"{path} is no JSON: {error.msg} at {where}", value=path, hint=hint) from error
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        raise Damaged(f"{path} is no UTF-8: line {line}, byte {error.start}", value=path, hint=hint) from error
    except (RecursionError, ValueError) as error:
        raise Damaged(f"{path} cannot be read: {error}", value=path, hint=hint) from error
    if not isinstance(data, dict) or not isinstance(data.get("entries", []), list):
        raise Damaged(f"{path} holds no agent-brain memory: line 1, column 1", value=path, hint=hint)
    return data


def _sort_out(entries: list[Any], path: str) -> tuple[list[dict[str, Any]], list[Any], list[Problem]]:
    good, damaged, problems = [], [], []
    for number, entry in enumerate(entries, start=1):
        if isinstance(entry, dict) and isinstance(entry.get("id"), str) and entry["id"]:
            good.append(entry)
        else:
            damaged.append(entry)
            what = "has no id" if isinstance(entry, dict) else "is no object"
            problems.append(_problem(path, f"entry number {number} {what}; it is kept in the file"))
    return good, damaged, problems


def _problem(path: str, message: str) -> Problem:
    return Problem("damaged-entry", message, path, hint="give it an id of its own, or take it out")


def _of_damaged(ours: Mapping[str, Any], path: str) -> tuple[Problem, ...]:
    return tuple(
        _problem(path, f"a damaged entry is kept under {OURS}.damaged: {quoted(json.dumps(entry), longest=60)}")
        for entry in _damaged(ours)
    )


def _damaged(ours: Mapping[str, Any]) -> list[Any]:
    found = ours.get("damaged")
    return found if isinstance(found, list) else []


def _cut_checked(text: bytes, data: Mapping[str, Any], entries: Sequence[Mapping[str, Any]]) -> Parts | None:
    """Cut a text and hold the parts against what parsing found; None when they do not agree."""
    parts = cut(text)
    if parts is None:
        return None
    parts.sections.pop(OURS, None)
    if list(parts.sections) != list(data) or "entries" not in data or len(parts.entries) != len(entries):
        return None
    if any(id_of(part) != entry["id"] for part, entry in zip(parts.entries, entries, strict=True)):
        return None
    return parts
