"""Plainbrain's archive: a whole brain in one file, every field, the journal and the values among it.

Owns the form ``plainbrain-archive/v1``: JSON lines. The first is ``{"format", "from", "written"}``; then
``{"memory": …}`` (``notation/whole``), ``{"activity": {at, action, id, detail}}`` oldest first, ``{"values": …}``;
the last is ``{"end": {"memories": N, "activities": M}}``, by which a file that was cut short is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from plainbrain.errors import Unreadable
from plainbrain.interchange.item import Fault, Found, Item
from plainbrain.interchange.source import Source
from plainbrain.model.change import Activity
from plainbrain.model.instants import Instant, parse_instant
from plainbrain.model.jsontext import json_text
from plainbrain.model.memory import Memory
from plainbrain.notation.whole import read_whole, write_whole

FORMAT = "plainbrain-archive/v1"


def write(
    memories: Iterable[Memory],
    *,
    activities: Iterable[Activity],
    values: Mapping[str, str],
    url_kind: str,
    at: Instant,
) -> Iterator[str]:
    """Yield the lines of an archive."""
    yield _line({"format": FORMAT, "from": url_kind, "written": at.iso()})
    count = told = 0
    for memory in memories:
        count += 1
        yield _line({"memory": write_whole(memory)})
    for activity in activities:
        told += 1
        yield _line(
            {"activity": {"at": activity.at.iso(), "action": activity.action, "id": activity.id, "detail": activity.detail}}
        )  # fmt: skip
    if values:
        yield _line({"values": dict(values)})
    yield _line({"end": {"memories": count, "activities": told}})


def _line(value: Mapping[str, Any]) -> str:
    return json_text(value, compact=True) + "\n"


def read(source: Source) -> Iterator[Item]:
    """Yield the memories of an archive; a file without its last line is told at the end."""
    count, whole = 0, False
    for number, value in source.objects():
        where = f"line {number}"
        if isinstance(value, str):
            yield Fault(value, where, "the other lines were read")
        elif isinstance(value.get("memory"), Mapping):
            count += 1
            try:
                memory, complaints = read_whole(value["memory"])
            except Unreadable as error:
                yield Fault(error.message, where, error.hint)
            else:
                yield Found(memory, where, complaints)
        elif isinstance(value.get("end"), Mapping):
            whole = value["end"].get("memories") == count
        elif "format" in value and value["format"] != FORMAT:
            raise Unreadable(
                f"this is {value['format']!r}, and {FORMAT} is read", value=value["format"], hint="use a newer brain"
            )
    if not whole:
        yield Fault("the archive is not whole: its end is missing or counts otherwise", "end", "look for another copy")


def read_journal(source: Source) -> tuple[list[Activity], dict[str, str]]:
    """Return the activities, oldest first, and the values of an archive."""
    activities: list[Activity] = []
    values: dict[str, str] = {}
    for _, value in source.objects():
        if isinstance(value, str):
            continue
        if isinstance(told := value.get("activity"), Mapping):
            texts = (str(told.get(key) or "") for key in ("action", "id", "detail"))
            activities.append(Activity(parse_instant(str(told.get("at") or "")), *texts))
        elif isinstance(said := value.get("values"), Mapping):
            values |= {str(key): str(item) for key, item in said.items()}
    return activities, values
