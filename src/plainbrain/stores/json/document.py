"""The contents of one ``memory.json``: read, checked, changed and written again with as little work as can be.

Owns our top-level key ``plainbrain``: a digest of the rest of the file, the last few changes (so that a reader
that knows an earlier digest learns at once what is different), values of ours, and entries too damaged for
agent-brain's list. A file whose digest is right was written whole by us and is not parsed; any other is parsed
and checked whole. Promises that what is not understood is kept. Must not know files and locks.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from plainbrain.errors import Damaged
from plainbrain.model.kinds import class_of_kind
from plainbrain.model.problem import Problem
from plainbrain.records import open_record
from plainbrain.stores.json.text import (
    OURS,
    Parts,
    cut,
    digest_of,
    id_of,
    ids_of,
    parse_entry,
    without_ours,
    write_entry,
    write_value,
)

VERSION = 4
_HEAD: dict[str, Any] = {"last_decay": None, "session_counter": 0, "current_session": None}
_ENTRY: dict[str, Any] = {"context": None, "session_id": None, "success_count": 0, "correction_meta": None}
#: How many changes are remembered, and how many ids in all.
_LOG_LENGTH, _LOG_IDS = 64, 2000


@open_record(slots=True)
class Document:
    """One state of the file. ``places`` tells where the entry of an id stands; ``digest`` names the state."""

    parts: Parts
    places: dict[str, int]
    digest: str
    ours: dict[str, Any]
    version: int = VERSION
    problems: tuple[Problem, ...] = ()
    parsed: list[dict[str, Any]] | None = None
    fresh: bool = False
    _changes: dict[str, bytes | None] = field(default_factory=dict)

    def entry(self, id: str) -> dict[str, Any] | None:
        """Return the entry of an id, parsed; None when there is none."""
        place = self.places.get(id)
        if place is None:
            return None
        return parse_entry(self.parts.entries[place]) if self.parsed is None else self.parsed[place]

    def entries(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield every id with its entry, in the order of the file."""
        if self.parsed is None:
            whole = b"[{" + b"},{".join(self.parts.entries) + b"}]" if self.parts.entries else b"[]"
            self.parsed = json.loads(whole)
        for id, place in self.places.items():
            yield id, self.parsed[place]

    def log_since(self, digest: str) -> tuple[list[str], list[str]] | None:
        """Return ids of entries that changed and that were used since the state ``digest``; None when that is not known."""
        log = _log_of(self)
        start = next((n for n, step in enumerate(log) if step.get("before") == digest), None)
        if start is None:
            return None
        changed = dict.fromkeys(id for step in log[start:] for id in step.get("changed", ()))
        used = dict.fromkeys(id for step in log[start:] for id in step.get("used", ()))
        return list(changed), [id for id in used if id not in changed]


@open_record(slots=True)
class Edit:
    """Changes to a document: entries by id (None: removed), top-level values, values of ours."""

    changed: dict[str, Mapping[str, Any] | None] = field(default_factory=dict)
    used: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    sections: dict[str, bytes] = field(default_factory=dict)
    ours: dict[str, Any] = field(default_factory=dict)


def new_document() -> Document:
    """Return what agent-brain calls an initialised memory."""
    head = {"version": VERSION, **_HEAD, "entries": [], "activity_log": []}
    parts = Parts({key: write_value(value) for key, value in head.items()})
    return Document(parts, {}, "", {}, fresh=True)


def read_document(text: bytes, *, path: str) -> Document:
    """Read a text. Raise Damaged, naming line and column, when it is not JSON of the right shape."""
    return _read_trusted(text, path) or _read_whole(text, path)


def _read_trusted(text: bytes, path: str) -> Document | None:
    mine = without_ours(text)
    if len(mine) == len(text):
        return None
    digest = digest_of(mine)
    if f'"digest": "{digest}"'.encode("ascii") not in text[len(mine) : len(mine) + 200]:
        return None
    parts = cut(text)
    if parts is None or next(reversed(parts.sections)) != OURS:
        return None
    ours = parts.value(OURS)
    ids = ids_of(parts.entries) or [id_of(entry) or "" for entry in parts.entries]
    places = dict(zip(ids, range(len(ids)), strict=True))
    if len(places) != len(parts.entries):
        return None
    return Document(parts, places, digest, ours, problems=_of_damaged(ours, path))


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
    places: dict[str, int] = {}
    for place, entry in enumerate(entries):
        if places.setdefault(entry["id"], place) != place:
            problems.append(_problem(path, f"two entries have the id {entry['id']!r}; the first one counts"))
    return Document(
        parts,
        places,
        digest,
        ours,
        version=version if isinstance(version, int) else VERSION,
        problems=(*problems, *known),
        parsed=entries,
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
        _problem(path, f"a damaged entry is kept under {OURS}.damaged: {json.dumps(entry)[:60]}")
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


def migrated(document: Document) -> Document:
    """Return the document in schema v4: keys and defaults that agent-brain adds, nothing taken away."""
    entries = []
    for _, entry in document.entries():
        entries.append({**entry, **{key: value for key, value in _ENTRY.items() if key not in entry}})
        if "memory_class" not in entry:
            entries[-1]["memory_class"] = class_of_kind(str(entry.get("type", "")))
    sections = dict(document.parts.sections)
    sections["version"] = write_value(VERSION)
    for key, value in (*_HEAD.items(), ("activity_log", [])):
        sections.setdefault(key, write_value(value))
    parts = Parts(sections, [write_entry(entry) for entry in entries])
    places = {entry["id"]: place for place, entry in enumerate(entries)}
    return replace(document, parts=parts, places=places, parsed=entries, version=VERSION)


def edited(document: Document, edit: Edit) -> tuple[Document, bytes]:
    """Return the document with an edit made, and its text; the old document stays as it was."""
    entries = list(document.parts.entries)
    places = dict(document.places)
    for id, entry in (*edit.changed.items(), *edit.used.items()):
        place = places.get(id)
        if entry is None:
            continue
        if place is None:
            places[id] = len(entries)
            entries.append(write_entry(entry))
        else:
            entries[place] = write_entry(entry)
    if gone := {id for id, entry in edit.changed.items() if entry is None}:
        entries = [lines for lines in entries if id_of(lines) not in gone]
        places = {}
        for place, lines in enumerate(entries):
            places.setdefault(id_of(lines) or "", place)
    sections = {**document.parts.sections, **edit.sections}
    sections.pop(OURS, None)
    body = Parts(sections, entries).body()
    digest = digest_of(body)
    ours = {**document.ours, **edit.ours, "log": _log_with(document, edit, digest)}
    ours = {"digest": digest, **{key: value for key, value in ours.items() if key != "digest" and value}}
    text = b"".join((body, f',\n  "{OURS}": '.encode("ascii"), write_value(ours), b"\n}"))
    return Document(Parts(sections, entries), places, digest, ours, problems=document.problems), text


def _log_of(document: Document) -> list[dict[str, Any]]:
    """Return the remembered changes; none when somebody else wrote the file since: what happened is not known then."""
    log = document.ours.get("log")
    if document.ours.get("digest") != document.digest or not isinstance(log, list):
        return []
    return [step for step in log if isinstance(step, dict)]


def _log_with(document: Document, edit: Edit, digest: str) -> list[dict[str, Any]]:
    log = _log_of(document)
    if document.digest and document.digest != digest:
        step: dict[str, Any] = {"before": document.digest}
        if edit.changed:
            step["changed"] = list(edit.changed)
        if edit.used:
            step["used"] = list(edit.used)
        log.append(step)
    log = log[-_LOG_LENGTH:]
    total = 0
    for number, step in enumerate(reversed(log)):
        total += len(step.get("changed", ())) + len(step.get("used", ()))
        if total > _LOG_IDS:
            return log[len(log) - number :]
    return log
