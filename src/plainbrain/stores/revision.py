"""The revision of a memory: a hash of what it says, the same in every store, counters left out; and what it guards."""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from operator import attrgetter

from plainbrain.digests import blake2b
from plainbrain.errors import AlreadyExists, Changed, NotFound
from plainbrain.model.change import ABSENT, ANY
from plainbrain.model.memory import Memory

#: What is not said, at any depth of a record.
_UNSAID: tuple[object, ...] = (None, "", (), {})
_UNSAID_TYPES = frozenset(map(type, _UNSAID))
#: Counters do not count: they stand as those of a memory that never served.
_NO_USE = '"usage":{"accesses":0,"injected":0,"successes":0,"used":0}'
_encode = json.JSONEncoder(ensure_ascii=True, sort_keys=True, separators=(",", ":")).encode
_quote = json.encoder.encode_basestring_ascii


def revision_of(memory: Memory) -> str:
    """Return 32 hexadecimal digits over every field but ``usage``; equal memories have equal revisions."""
    if not _of_default:
        unsaid = [each.default for each in fields(Memory) if is_dataclass(each.default)]
        _of_default.update((id(each), _json(each)) for each in unsaid)
    said = (*_BEFORE.said(memory), _NO_USE, *_AFTER.said(memory))
    digest = blake2b(f"{{{','.join(said)}}}".encode("ascii"), digest_size=16)
    if memory.embedding:  # as bytes: writing hundreds of floats as text takes longer than all else
        digest.update(_bytes_of(memory.embedding))
    return digest.hexdigest()


def _bytes_of(vector: tuple[float, ...]) -> bytes:
    """Return the numbers as doubles, the lowest byte first; minus zero is zero."""
    numbers = array("d", vector)
    if 0.0 in numbers:
        numbers = array("d", [number + 0.0 for number in vector])
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def check_expecting(id: str, there: str | None, expecting: str | None) -> None:
    """Raise when what is ``there`` (a revision, None: nothing) is not what was expected."""
    if expecting is ANY:
        return
    if expecting == ABSENT:
        if there is not None:
            raise AlreadyExists(f"there is a memory {id!r} already", value=id, hint="take another id, or supersede it")
    elif there is None:
        raise NotFound(f"no memory {id!r}: it was removed since it was read", value=id, hint="read it again")
    elif there != expecting:
        raise Changed(f"{id!r} was changed since it was read", value=id, hint="read it again, then repeat the change")


# What is hashed is JSON without blanks, its keys in order. It is written here field by field: for the library's encoder a
# mapping would have to be made of each record first, only to have its keys sorted.


class _Fields:
    """Some fields of a class of records, in the order of their names."""

    __slots__ = ("_begun", "_pick")

    def __init__(self, names: Iterable[str]) -> None:
        ordered = sorted(names)
        pick = attrgetter(*ordered)
        self._begun = tuple(f'"{name}":' for name in ordered)
        self._pick: Callable[[object], tuple[object, ...]] = pick if len(ordered) > 1 else lambda value: (pick(value),)

    def said(self, value: object) -> list[str]:
        """Return name and value of each field that says something (so that a new field changes no old revision)."""
        return [
            begun + (_quote(item) if type(item) is str else _of_default.get(id(item)) or _json(item))
            for begun, item in zip(self._begun, self._pick(value), strict=True)
            if item or (type(item) not in _UNSAID_TYPES and item not in _UNSAID)
        ]


_NAMES = [each.name for each in fields(Memory) if each.name not in ("usage", "embedding")]
_BEFORE, _AFTER = (_Fields(name for name in _NAMES if (name < "usage") is before) for before in (True, False))
#: The records that stand where nothing was said, by identity: they live as long as their classes.
_of_default: dict[int, str] = {}
_WORDS: dict[object, str] = {True: "true", False: "false", None: "null"}
_known: dict[type, _Fields | None] = {}


def _fields_of(kind: type) -> _Fields | None:
    """Return the fields of a record's class; None for another class."""
    if kind not in _known:
        _known[kind] = _Fields(each.name for each in fields(kind)) if is_dataclass(kind) else None
    return _known[kind]


def _json(value: object) -> str:
    if isinstance(value, str):
        return _quote(value)
    if value is None or isinstance(value, bool):
        return _WORDS[value]
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, (tuple, list)):
        return f"[{','.join([_json(item) for item in value])}]"
    if record := _fields_of(type(value)):
        return f"{{{','.join(record.said(value))}}}"
    if isinstance(value, Mapping):
        named = {str(key): item for key, item in value.items()}
        return f"{{{','.join([f'{_quote(key)}:{_json(named[key])}' for key in sorted(named)])}}}"
    return _encode(value)
