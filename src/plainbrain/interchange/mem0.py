"""mem0's exports: ``{"results": [{id, memory, metadata, created_at …}]}``, a bare list of these, or blocks of Markdown.

Where things go: ``memory`` is the content; ``id`` is kept; ``categories`` and ``type`` are tags and kind; ``user_id`` its own field;
``branch`` and what else stands there is kept under ``extra``.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from plainbrain.errors import BrainError
from plainbrain.interchange.item import Fault, Found, Item, Names, is_id
from plainbrain.interchange.source import Source
from plainbrain.model.confidence import Confidence
from plainbrain.model.instants import Instant, parse_instant
from plainbrain.model.memory import Memory
from plainbrain.notation.note.frontmatter import read_block

_TEXT = ("memory", "text", "content", "data")
_LISTS = ("results", "memories", "data")
_CREATED, _UPDATED = ("created_at", "createdAt"), ("updated_at", "updatedAt")
_USED = frozenset(
    (*_TEXT, *_CREATED, *_UPDATED, "id", "user_id", "userId", "categories", "files", "type", "confidence", "score")
)


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
        found: list[Any] = next((document[key] for key in _LISTS if isinstance(document.get(key), list)), [])
        yield from itertools.chain.from_iterable(_one(value, f"item {n}", names) for n, value in enumerate(found, 1))


def _one(value: Any, where: str, names: Names) -> Iterator[Item]:
    if not isinstance(value, Mapping):
        yield Fault("this is no object", where)
        return
    text = next((value[key] for key in _TEXT if isinstance(value.get(key), str) and value[key].strip()), "")
    if not text:
        yield Fault("a memory without text", where, "its text stands under memory")
        return
    metadata = value.get("metadata")
    more = {key: item for key, item in value.items() if key not in _USED and key != "metadata" and item is not None}
    kind = value.get("type")
    yield Found(
        Memory(
            id=value["id"] if is_id(value.get("id")) else names.id_of(text, said=text),
            content=text,
            kind=kind if isinstance(kind, str) else "",
            tags=_texts(value.get("categories")),
            files=_texts(value.get("files")),
            confidence=_confidence(value.get("confidence")),
            created=_when(value, _CREATED),
            updated=_when(value, _UPDATED),
            user_id=str(value.get("user_id") or value.get("userId") or ""),
            metadata=dict(metadata) if isinstance(metadata, Mapping) else {},
            extra={"mem0": more} if more else {},
        ),
        where,
    )


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
