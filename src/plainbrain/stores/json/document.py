"""The contents of one ``memory.json``: asked, changed and written again with as little work as can be.

Owns our top-level key ``plainbrain``: a digest of the rest of the file, the last few changes (so that a reader
that knows an earlier digest learns at once what is different), whether the text is regular, values of ours, and
entries too damaged for agent-brain's list. Must not know files and locks, nor how a text is believed (``reading``).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from typing import Any

from plainbrain.model.kinds import class_of_kind
from plainbrain.model.problem import Problem
from plainbrain.records import open_record
from plainbrain.stores.json.laid import Laid, Span, is_regular, lay, span_of_entries, write_span
from plainbrain.stores.json.rope import Rope, rope_of
from plainbrain.stores.json.text import (
    BEFORE_OURS,
    ENTRIES,
    OURS,
    Parts,
    cut,
    digest_of,
    id_of,
    ids_of,
    parse_entry,
    write_entry,
    write_value,
)

VERSION = 4
_HEAD: dict[str, Any] = {"last_decay": None, "session_counter": 0, "current_session": None}
_ENTRY: dict[str, Any] = {"context": None, "session_id": None, "success_count": 0, "correction_meta": None}
#: How many changes are remembered, and how many ids in all.
_LOG_LENGTH, _LOG_IDS = 64, 2000
#: More entries than these are looked for at once.
_FEW = 24
#: In our section of a regular text (see ``laid``): where the entries stand.
LAID = "laid"


@open_record(slots=True)
class Document:
    """One state of the file; ``digest`` names it, ``regular`` tells whether its entries are (see ``laid``).

    ``laid`` is its text as we wrote it, where they are; then it is cut only if need be.
    """

    digest: str
    ours: dict[str, Any]
    laid: Laid | None = None
    regular: bool = True
    version: int = VERSION
    problems: tuple[Problem, ...] = ()
    parsed: list[dict[str, Any]] | None = None
    fresh: bool = False
    pieces: Parts | None = None
    known: dict[str, int] | None = None

    @property
    def parts(self) -> Parts:
        """The parts of the text."""
        if self.pieces is None:
            assert self.laid is not None
            self.pieces = cut(self.laid.rope.whole(), spans=self.laid.spans)
            assert self.pieces is not None
        return self.pieces

    @property
    def places(self) -> dict[str, int]:
        """Where the entry of an id stands among the parts."""
        if self.known is None:
            self.known = places_of(self.parts)
        return self.known

    def value(self, key: str) -> Any:
        """Return one parsed top-level value (None when it is absent)."""
        raw = self.raw(key)
        return None if raw is None else json.loads(raw)

    def raw(self, key: str) -> bytes | None:
        """Return one top-level value, other than the entries, as it is written (None when it is absent)."""
        return self.laid.raw(key) if self.laid is not None else self.parts.sections.get(key)

    def has(self, id: str) -> bool:
        """Tell whether there is an entry of an id."""
        return id in self.places if self.laid is None else self.laid.has(id)

    def entry(self, id: str) -> dict[str, Any] | None:
        """Return the entry of an id, parsed; None when there is none."""
        if self.parsed is not None:
            place = self.places.get(id)
            return None if place is None else self.parsed[place]
        lines = self._lines(id)
        return None if lines is None else parse_entry(lines)

    def get_ready(self, count: int) -> None:
        """Find the places of all entries now if more than a few are about to be asked for."""
        if count > _FEW and self.laid is not None:
            self.laid.get_ready()

    def _lines(self, id: str) -> bytes | None:
        if self.laid is not None:
            return self.laid.entry(id)
        place = self.places.get(id)
        return None if place is None else self.parts.entries[place]

    def entries(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield every id with its entry, in the order of the file; some hundreds are parsed at a time, and none kept."""
        if self.parsed is None and self.laid is not None:
            for block in self.laid.blocks():
                yield from ((entry["id"], entry) for entry in json.loads(b"[{" + block + b"}]"))
            return
        for id, place in self.places.items():
            yield id, parse_entry(self.parts.entries[place]) if self.parsed is None else self.parsed[place]

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
    return Document("", {}, pieces=parts, fresh=True)


def places_of(parts: Parts) -> dict[str, int]:
    """Return where the entry of an id stands; fewer than there are entries where some share an id or show none."""
    ids = ids_of(parts.entries) or [id_of(entry) or "" for entry in parts.entries]
    return dict(zip(ids, range(len(ids)), strict=True))


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
    parts = Parts(sections, [write_entry({"id": entry["id"], **entry}) for entry in entries])
    places = {entry["id"]: place for place, entry in enumerate(entries)}
    regular = is_regular(parts, places)
    return replace(document, regular=regular, pieces=parts, known=places, parsed=entries, version=VERSION)


def edited(document: Document, edit: Edit) -> tuple[Document, Rope]:
    """Return the document with an edit made, and its text; the old document stays as it was."""
    body = _spliced(document, edit)
    if body is None:
        return _anew(document, edit)
    digest = digest_of(*body.rope.views())
    ours, section = _section(document, edit, digest=digest, span=body.spans[ENTRIES])
    laid = body.ended(section)
    return Document(digest, ours, laid, problems=document.problems), laid.rope


def _anew(document: Document, edit: Edit) -> tuple[Document, Rope]:
    """Put the text of a document together from its parts."""
    parts, places = _with_edit(document, edit)
    body = parts.body()
    span = span_of_entries(body) if document.regular else None
    digest = digest_of(body)
    ours, section = _section(document, edit, digest=digest, span=span)
    text = b"".join((body, BEFORE_OURS, section, b"\n}"))
    laid = lay(text, entries=span) if span else None
    if laid is not None:
        return Document(digest, ours, laid, problems=document.problems), laid.rope
    after = Document(digest, ours, regular=document.regular, problems=document.problems, pieces=parts, known=places)
    return after, rope_of(text)


def _section(document: Document, edit: Edit, *, digest: str, span: Span | None) -> tuple[dict[str, Any], bytes]:
    """Return our section after an edit, and as it is written."""
    ours = {**document.ours, **edit.ours, "log": _log_with(document, edit, digest), "digest": digest}
    said = {"digest": digest, LAID: write_span(span) if span else "", **ours}
    return ours, write_value({key: value for key, value in said.items() if value})


def _spliced(document: Document, edit: Edit) -> Laid | None:
    """Return the body of the text with an edit made in it; None where it has to be put together anew."""
    entries = {**edit.changed, **edit.used}
    if document.laid is None or None in entries.values():
        return None
    document.get_ready(len(entries))
    lines = {id: write_entry({"id": id, **entry}) for id, entry in entries.items() if entry is not None}
    return document.laid.spliced(lines, edit.sections)


def _with_edit(document: Document, edit: Edit) -> tuple[Parts, dict[str, int]]:
    entries = list(document.parts.entries)
    places = dict(document.places)
    for id, entry in (*edit.changed.items(), *edit.used.items()):
        place = places.get(id)
        if entry is None:
            continue
        lines = write_entry({"id": id, **entry})
        if place is None:
            places[id] = len(entries)
            entries.append(lines)
        else:
            entries[place] = lines
    if gone := {id for id, entry in edit.changed.items() if entry is None}:
        entries = [lines for lines in entries if id_of(lines) not in gone]
        places = {}
        for place, lines in enumerate(entries):
            places.setdefault(id_of(lines) or "", place)
    sections = {**document.parts.sections, **edit.sections}
    sections.pop(OURS, None)
    return Parts(sections, entries), places


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
