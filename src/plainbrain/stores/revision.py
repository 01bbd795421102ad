"""The revision of a memory: a hash of what it says, the same in every store, counters left out; and what it guards."""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from operator import attrgetter

from plainbrain.digests import blake2b
from plainbrain.errors import AlreadyExists, Changed, NotFound
from plainbrain.model.change import ABSENT, ANY
from plainbrain.model.memory import Memory
from plainbrain.records import picker_of

#: What is not said, at any depth of a record.
_UNSAID: tuple[object, ...] = (None, "", (), {})
_UNSAID_TYPES = frozenset(map(type, _UNSAID))
#: Counters do not count: they stand as those of a memory that never served.
_NO_USE = {"accesses": 0, "successes": 0, "injected": 0, "used": 0}
_encode = json.JSONEncoder(ensure_ascii=True, sort_keys=True, separators=(",", ":")).encode


def revision_of(memory: Memory) -> str:
    """Return 32 hexadecimal digits over every field but ``usage``; equal memories have equal revisions."""
    if not _of_default:
        unsaid = [each.default for each in fields(Memory) if is_dataclass(each.default)]
        _of_default.update((id(each), said) for each in unsaid if isinstance(said := _plain(each), dict))
    said = _plain_fields(_MEMORY, _pick_memory(memory))
    said["usage"] = _NO_USE
    digest = blake2b(_encode(said).encode("ascii"), digest_size=16)
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


#: The records that stand where nothing was said, by identity: they live as long as their classes.
_of_default: dict[int, dict[str, object]] = {}
_MEMORY = tuple(f.name for f in fields(Memory) if f.name not in ("usage", "embedding"))
_pick_memory = attrgetter(*_MEMORY)
_SCALARS = frozenset((str, int, float, bool))


def _plain_fields(names: tuple[str, ...], values: tuple[object, ...]) -> dict[str, object]:
    """Return values as JSON has them, without those that say nothing (so that a new field changes no old revision)."""
    return {
        name: item if type(item) in _SCALARS else _of_default.get(id(item)) or _plain(item)
        for name, item in zip(names, values, strict=True)
        if item or (type(item) not in _UNSAID_TYPES and item not in _UNSAID)
    }


def _plain(value: object) -> object:
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    if picker := picker_of(type(value)):
        return _plain_fields(picker[0], picker[1](value))
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    return value
