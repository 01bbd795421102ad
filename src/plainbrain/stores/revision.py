"""The revision of a memory: a hash of what it says, the same in every store, counters left out; and what it guards."""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Mapping
from dataclasses import fields, is_dataclass

from plainbrain.digests import blake2b
from plainbrain.errors import AlreadyExists, Changed, NotFound
from plainbrain.model.change import ABSENT, ANY
from plainbrain.model.memory import Memory, Usage

_NO_USE = Usage()
#: Counters do not count; a vector counts as bytes.
_LEFT_OUT = frozenset({"usage", "embedding"})


def revision_of(memory: Memory) -> str:
    """Return 32 hexadecimal digits over every field but ``usage``; equal memories have equal revisions."""
    said = {
        name: _plain(item)
        for name in _names(Memory)
        if name not in _LEFT_OUT and (item := getattr(memory, name)) not in (None, "", (), {})
    }
    text = json.dumps({**said, "usage": _plain(_NO_USE)}, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    digest = blake2b(text.encode("ascii"), digest_size=16)
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


_fields_of: dict[type, tuple[str, ...]] = {}


def _names(kind: type) -> tuple[str, ...]:
    """Return the fields of a record's class, none for another class; asked once for each."""
    if kind not in _fields_of:
        _fields_of[kind] = tuple(f.name for f in fields(kind)) if is_dataclass(kind) else ()
    return _fields_of[kind]


def _plain(value: object) -> object:
    """Turn a record into JSON values, leaving out what is empty (so that a new field changes no old revision)."""
    if value is None or isinstance(value, (str, int, float)):
        return value
    if names := _names(type(value)):
        found = [(name, getattr(value, name)) for name in names]
        return {name: _plain(item) for name, item in found if item not in (None, "", (), {})}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    return value
