"""The journal of a ``memory.json``: agent-brain's activity log and top-level values.

Owns how activities and values of the brain lie there; values of ours stand under our own key. Must not know
entries or files.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from plainbrain.model.change import Activity, tells_of
from plainbrain.model.instants import parse_instant
from plainbrain.stores.json.document import Document, Edit
from plainbrain.stores.json.text import append_items, write_value
from plainbrain.stores.meta import UNSAID

_LOG = "activity_log"
Reading = Callable[[], Document | None]
Writing = Callable[[Callable[[Document], Edit]], Document]


def activities_of(document: Document) -> list[Activity]:
    """Return the activities of a document, oldest first; what is no activity is passed over."""
    return [
        Activity(parse_instant(str(a.get("timestamp") or "")), *(str(a.get(key) or "") for key in ("action", "entry_id", "detail")))
        for a in _items(document)
        if isinstance(a, dict)
    ]  # fmt: skip


def values_of(document: Document) -> dict[str, str]:
    """Return the values of the brain as texts; what was never set is absent."""
    found: dict[str, str] = {}
    for key in UNSAID:
        value = document.value(key)
        text = value if isinstance(value, str) else json.dumps(value)
        if value is not None and text not in ("", UNSAID[key]):
            found[key] = text
    ours = document.ours.get("values")
    return found | {str(key): str(value) for key, value in ours.items()} if isinstance(ours, dict) else found


def edit_of_values(document: Document, values: Mapping[str, str]) -> Edit:
    """Return the edit that makes the values of the brain those and no others."""
    before = values_of(document)
    edit = Edit(ours={"values": {key: value for key, value in values.items() if key not in UNSAID}})
    for key, unsaid in UNSAID.items():
        value = values.get(key, "")
        if value != before.get(key, "") or document.raw(key) is None:
            edit.sections[key] = write_value(_plain(key, value or unsaid))
    return edit


def _plain(key: str, value: str) -> Any:
    """Return a value as agent-brain's file holds it: a number, an object, a text or null."""
    if key == "session_counter":
        return int(value) if value.isascii() and value.isdigit() else value
    if key == "current_session" and value:
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value or None


def edit_of_activities(document: Document, activities: Sequence[Activity]) -> Edit:
    """Return the edit that adds activities, oldest first."""
    if not activities:
        return Edit()
    items = [
        {"timestamp": a.at.iso_seconds(), "action": a.action, "entry_id": a.id or None, "detail": a.detail}
        for a in activities
    ]
    raw = document.raw(_LOG) or b"[]"
    if raw == b"[]" or (raw.startswith(b"[\n    {") and raw.endswith(b"\n    }\n  ]")):
        return Edit(sections={_LOG: append_items(raw, items)})
    return Edit(sections={_LOG: write_value([*_items(document), *items])})


def _items(document: Document) -> list[Any]:
    found = document.value(_LOG)
    return found if isinstance(found, list) else []


class JsonJournal:
    """Keep what happened in ``activity_log`` and the top-level keys."""

    def __init__(self, reading: Reading, writing: Writing) -> None:
        self._reading = reading
        self._writing = writing

    def append(self, activities: Sequence[Activity]) -> None:
        """Add activities, oldest first."""
        if activities:
            self._writing(lambda document: edit_of_activities(document, activities))

    def read(self, *, limit: int | None = None, action: str = "", id: str = "") -> list[Activity]:
        """Return activities newest first."""
        document = self._reading()
        if document is None:
            return []
        newest = reversed(activities_of(document))
        found = [a for a in newest if (not action or a.action == action) and (not id or a.id == id)]
        return found if limit is None else found[: max(0, limit)]

    def values(self) -> Mapping[str, str]:
        """Return the brain's values."""
        document = self._reading()
        return {} if document is None else values_of(document)

    def update(self, change: Callable[[Mapping[str, str]], Mapping[str, str]]) -> Mapping[str, str]:
        """Replace the values by ``change(values)``, the lock held from the reading on."""
        return values_of(self._writing(lambda document: edit_of_values(document, dict(change(values_of(document))))))

    def forget(self, id: str, texts: Sequence[str] = ()) -> None:
        """Take what tells of a memory, or holds one of ``texts``, out of the log; its counters went with its entry."""

        def edit(document: Document) -> Edit:
            kept = [
                item
                for item in _items(document)
                if not (
                    isinstance(item, dict)
                    and (item.get("entry_id") == id or tells_of(str(item.get("detail") or ""), id, texts))
                )
            ]
            return Edit(sections={_LOG: write_value(kept)})

        self._writing(edit)
