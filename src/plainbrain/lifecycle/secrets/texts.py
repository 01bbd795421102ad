"""Every text in a value, however deep: what is searched for secrets.

Owns which parts of a record are texts and what their field is called. Must not know what is looked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from operator import attrgetter


def texts_of(value: object, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield (field, text) for every text in a value, however deep; a mapping's as ``key: text``, so that keys tell."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            path = f"{name}.{key}" if name else str(key)
            if isinstance(inner, (str, int)):
                yield path, f"{key}: {inner}"
            else:
                yield path, str(key)
                yield from texts_of(inner, path)
    elif isinstance(value, (list, tuple, set, frozenset)):
        if not value or not isinstance(next(iter(value)), float):
            for inner in value:
                yield from texts_of(inner, name)
    elif names := _fields_of(type(value)):
        for field in names:
            inner = getattr(value, field)
            if inner:
                path = f"{name}.{field}" if name else field
                if isinstance(inner, str):
                    yield path, inner
                else:
                    yield from texts_of(inner, path)


def gather(value: object) -> list[str]:
    """Return the texts that ``texts_of`` yields, without their names, in any order: many times faster for a record."""
    found: list[str] = []
    _gather(value, found)
    return found


def _gather(value: object, found: list[str]) -> None:
    pick = _picker_of(type(value))
    if pick is None:
        found += [text for _, text in texts_of(value)]
        return
    for inner in pick(value):
        if not inner:
            continue
        if isinstance(inner, str):
            found.append(inner)
        elif isinstance(inner, tuple) and not isinstance(inner[0], (str, float)):
            for each in inner:
                _gather(each, found)
        elif not isinstance(inner, (int, float)):
            _gather(inner, found)


_known_fields: dict[type, tuple[str, ...]] = {}
_known_pickers: dict[type, Callable[[object], tuple[object, ...]] | None] = {}


def _fields_of(kind: type) -> tuple[str, ...]:
    """Return the fields of a record's class, none for any other; each class is looked at once."""
    if kind not in _known_fields:
        _known_fields[kind] = tuple(each.name for each in fields(kind)) if is_dataclass(kind) else ()
    return _known_fields[kind]


def _picker_of(kind: type) -> Callable[[object], tuple[object, ...]] | None:
    """Return what takes a record's values out at once; None where it is no record, or one of a single field."""
    if kind not in _known_pickers:
        names = _fields_of(kind)
        _known_pickers[kind] = attrgetter(*names) if len(names) > 1 else None
    return _known_pickers[kind]
