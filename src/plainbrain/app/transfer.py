"""Carrying a whole brain out: agent-brain's dump, piece by piece, so that its size does not matter.

Owns the form of the dump: JSON with an indent of two, in ASCII, the keys in agent-brain's order. From a
``memory.json`` it ends with the activity log, from every other store it does not, as agent-brain has it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from plainbrain.app.context import Context
from plainbrain.lifecycle.sessions import COUNTER, current_session
from plainbrain.model.jsontext import json_text
from plainbrain.model.memory import Memory
from plainbrain.notation.entry import EXTRA, entry_of
from plainbrain.retrieval.filters import ends_at
from plainbrain.text.headed import headed

VERSION = 4
_BATCH = 500


def dump(context: Context) -> Iterator[str]:
    """Yield the pieces of the dump with the sixteen fields of an entry, and no others."""
    now = context.clock.now().ms or 0
    return _pieces(context, (_plain(memory, now) for memory in _everything(context)))


def dump_extended(context: Context) -> Iterator[str]:
    """Yield the pieces of the dump with all that is known: what the sixteen fields cannot say stands under ``extra``."""
    return _pieces(context, (entry_of(memory) for memory in _everything(context)))


def _everything(context: Context) -> Iterator[Memory]:
    ids = [id for id, _ in context.store.listing()]
    for at in range(0, len(ids), _BATCH):
        some = ids[at : at + _BATCH]
        stored = context.store.get_many(some)
        yield from (stored[id].memory for id in some if id in stored)


def _plain(memory: Memory, now: int) -> dict[str, Any]:
    entry = entry_of(memory)
    entry.pop(EXTRA, None)
    entry["content"] = headed(memory.title, memory.content)
    if entry["superseded_by"] is None and (end := ends_at(memory)) is not None and end <= now:
        entry["superseded_by"] = ""  # it has run out, and no other of the fields could say so
    return entry


def _pieces(context: Context, entries: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    values = context.store.journal.values()
    counter = values.get(COUNTER, "")
    session = current_session(values)
    opened = (
        None if session is None else {"id": session.id, "context": session.context or None, "started": session.started}
    )
    head = {
        "version": VERSION,
        "last_decay": values.get("last_decay") or None,
        "session_counter": int(counter) if counter.isascii() and counter.isdigit() else 0,
        "current_session": opened,
    }
    yield "{\n" + "".join(f"  {json.dumps(name)}: {_indented(value, 2)},\n" for name, value in head.items())
    yield from _list("entries", entries)
    if context.store.traits.kind == "json":
        log = [
            {"timestamp": a.at.iso_seconds(), "action": a.action, "entry_id": a.id or None, "detail": a.detail}
            for a in reversed(context.store.journal.read())
        ]
        yield ",\n"
        yield from _list("activity_log", log)
    yield "\n}\n"


def _list(name: str, items: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    empty = True
    for item in items:
        yield f'  "{name}": [\n    ' if empty else ",\n    "
        yield _indented(item, 4)
        empty = False
    yield f'  "{name}": []' if empty else "\n  ]"


def _indented(value: object, depth: int) -> str:
    return json_text(value, ascii=True, indent=2).replace("\n", "\n" + " " * depth)
