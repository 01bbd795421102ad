"""mem0's exports: ``{"results": [{id, memory, metadata, created_at …}]}``, a bare list of these, or blocks of Markdown.

Where things go: ``memory`` is the content; ``id`` is kept; ``categories`` and ``type`` are tags and kind; ``user_id`` its own field;
``run_id`` the session; ``expiration_date`` the end of its validity; ``branch`` and what else stands there, or is of a form that its
field cannot hold, is kept under ``extra``. The graph's ``relations`` are a memory for each entity that they go out from, as a list.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from plainbrain.errors import BrainError
from plainbrain.interchange.item import Fault, Found, Item, Names, Noted, is_id
from plainbrain.interchange.source import Source
from plainbrain.model.confidence import Confidence
from plainbrain.model.instants import Instant, parse_instant
from plainbrain.model.links import Link
from plainbrain.model.memory import Memory
from plainbrain.model.provenance import Provenance
from plainbrain.notation.note.frontmatter import read_block

_TEXT = ("memory", "text", "content", "data")
_LISTS = ("results", "memories", "data")
_CREATED, _UPDATED = ("created_at", "createdAt"), ("updated_at", "updatedAt")
_END, _RUN = ("expiration_date", "expirationDate"), ("run_id", "runId", "session_id")
_SOURCE, _TARGET, _RELATION = (
    ("source", "source_node"),
    ("target", "destination", "destination_node"),
    ("relationship", "relation"),
)
_RELATIONS = "relations"
#: Said of what was asked for, not of a memory.
_UNSAID = ("score",)


def read(source: Source) -> Iterator[Item]:
    """Yield the memories of an export."""
    names = Names()
    head = source.head().lstrip()
    if head.startswith(b"---"):
        yield from _blocks(source.text(limit=64 << 20), names)
    elif head.startswith(b"["):
        yield from itertools.chain.from_iterable(_one(value, f"item {n}", names) for n, value in source.items())
    else:
        document = source.document()
        key = next((key for key in _LISTS if isinstance(document.get(key), list)), "")
        if not key:  # one memory by itself
            yield from _one(document, "the document", names)
            return
        found: list[Any] = document[key]
        yield from itertools.chain.from_iterable(_one(value, f"item {n}", names) for n, value in enumerate(found, 1))
        yield from _relations(document.get(_RELATIONS), names)
        if left := [name for name, value in document.items() if name not in (key, _RELATIONS) and value]:
            yield Noted(f"not brought over, since no memory says it: {', '.join(left)}", "the document")


def _one(value: Any, where: str, names: Names) -> Iterator[Item]:
    if not isinstance(value, Mapping):
        yield Fault("this is no object", where)
        return
    text = next((value[key] for key in _TEXT if isinstance(value.get(key), str) and value[key].strip()), "")
    if not text:
        yield Fault("a memory without text", where, "its text stands under memory")
        return
    metadata, kind, end = value.get("metadata"), value.get("type"), _when(value, _END)
    run = _first(value, _RUN)
    fields: dict[str, Any] = {
        "id": value["id"] if is_id(value.get("id")) else "",
        "kind": kind if isinstance(kind, str) else "",
        "tags": _texts(value.get("categories")),
        "files": _texts(value.get("files")),
        "confidence": _confidence(value.get("confidence")),
        "created": _when(value, _CREATED),
        "updated": _when(value, _UPDATED),
        "valid_until": end if end is not None and end.ms is not None else None,
        "user_id": _first(value, ("user_id", "userId")),
        "provenance": Provenance(sessions=(run,) if run else ()),
        "metadata": dict(metadata) if isinstance(metadata, Mapping) else {},
    }
    more = {
        key: item
        for key, item in value.items()
        if item not in (None, "", [], {}) and not _is_held(key, item, fields, text)
    }
    fields["id"] = fields["id"] or names.id_of(text, said=text)
    odd = end is not None and fields["valid_until"] is None
    notes = (f"expiration_date {end.text[:40]!r} is no time: it holds until somebody ends it",) if odd and end else ()
    yield Found(Memory(content=text, extra={"mem0": more} if more else {}, **fields), where, notes)


#: The field that holds what stands under a key.
_HOLDER = {
    "id": "id", "type": "kind", "categories": "tags", "files": "files", "confidence": "confidence", "metadata": "metadata",
    **dict.fromkeys(_CREATED, "created"), **dict.fromkeys(_UPDATED, "updated"), **dict.fromkeys(_END, "valid_until"),
    "user_id": "user_id", "userId": "user_id",
}  # fmt: skip


def _is_held(key: str, item: Any, fields: Mapping[str, Any], text: str) -> bool:
    """Tell whether the fields of a memory say already what stands under a key."""
    if key in _UNSAID or (key in _TEXT and item == text):
        return True
    return bool(fields.get(_HOLDER.get(key, ""))) and fields[_HOLDER[key]] != Confidence()


def _relations(told: Any, names: Names) -> Iterator[Item]:
    """Yield a memory for each entity that relations go out from."""
    of_source: dict[str, list[tuple[str, str]]] = {}
    for number, value in enumerate(told if isinstance(told, list) else [], 1):
        ends = [_first(value, keys) if isinstance(value, Mapping) else "" for keys in (_SOURCE, _RELATION, _TARGET)]
        if not all(ends):
            yield Fault(
                "a relation without both ends and a name", f"relation {number}", "name source, relationship and target"
            )
        elif tuple(ends[1:]) not in of_source.setdefault(ends[0], []):
            of_source[ends[0]].append((ends[1], ends[2]))
    if told and not isinstance(told, list):
        yield Noted("not brought over, since it is no list of relations", _RELATIONS)
    ids = {name: names.id_of(f"entity {name}", said=name) for name in of_source}
    for name, relations in of_source.items():
        links = tuple(Link(ids[to], rel) for rel, to in relations if to in ids and to != name)
        text = "\n".join(f"- {name} {rel.replace('_', ' ')} {to}" for rel, to in relations)
        yield Found(Memory(ids[name], text, title=name, kind="entity", links=links), f"relations of {name}")


def _first(value: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    return next((str(value[key]).strip() for key in keys if isinstance(value.get(key), (str, int)) and value[key]), "")


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return tuple(str(item) for item in value if item) if isinstance(value, list) else ()


def _confidence(value: object) -> Confidence:
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1:
        return Confidence(number=float(value))
    return Confidence()


def _when(value: Mapping[str, Any], keys: tuple[str, ...]) -> Instant | None:
    text = next((value[key] for key in keys if value.get(key)), None)
    return parse_instant(str(text)) if text is not None else None


def _blocks(text: str, names: Names) -> Iterator[Item]:
    """Yield the memories of the Markdown form: a block between two lines ``---``, then the text."""
    lines = text.replace("\r\n", "\n").split("\n")
    fences = [number for number, line in enumerate(lines) if line.rstrip() == "---"]
    for index in range(0, len(fences) - 1, 2):
        start, end = fences[index], fences[index + 1]
        after = fences[index + 2] if index + 2 < len(fences) else len(lines)
        where = f"line {start + 1}"
        try:
            keys = {
                key: _plain(node) for key, node in read_block("\n".join(lines[start + 1 : end]) + "\n").values.items()
            }
        except BrainError as error:
            yield Fault(error.message, where, error.hint)
            continue
        yield from _one({**keys, "memory": "\n".join(lines[end + 1 : after]).strip()}, where, names)


def _plain(node: object) -> object:
    if isinstance(node, list):
        return [str(item) for item in node]
    text = str(node)
    try:
        return float(text) if text.replace(".", "", 1).isdigit() and len(text) < 6 else text
    except ValueError:
        return text
