"""Records that cost little to define.

``record`` is ``dataclasses.dataclass(frozen=True, slots=True)`` in every way that a reader or a type checker can see,
and ``open_record``, whose fields may be set, is ``dataclass(slots=True)``, but for the moment of their work: a dataclass
compiles six functions when its module loads, for every class, and with some forty classes that was half of the time a
command took to start. Here the methods are shared, and ``__init__`` is compiled after some instances. Classes that ask
for more than that (inheritance, class variables, fields by keyword only) are handed to ``dataclasses`` itself.
``picker_of`` and ``changed`` are for what goes through many records.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from dataclasses import dataclass as open_record
    from dataclasses import dataclass as record
else:
    import inspect

    _MISSING = dataclasses.MISSING

    def record(*, frozen, slots):
        """Return the decorator that makes a class a frozen record with slots; both arguments must be true."""
        if not (frozen and slots):
            raise TypeError("a record is frozen and has slots")
        return _make_record

    def open_record(*, slots):
        """Return the decorator that makes a class a record with slots that can be changed; the argument must be true."""
        if not slots:
            raise TypeError("an open record has slots")
        return _make_open

    def _make_record(cls):
        fields = _fields_of(cls)
        if fields is None:
            return dataclasses.dataclass(frozen=True, slots=True)(cls)
        own = {"__getstate__": _get_state, "__setstate__": _set_state}
        return _made(cls, fields, own, {"__setattr__": _refuse_to_set, "__delattr__": _refuse_to_delete})

    def _make_open(cls):
        fields = _fields_of(cls)
        return dataclasses.dataclass(slots=True)(cls) if fields is None else _made(cls, fields, {"__hash__": None}, {})

    def _made(cls, fields, own, forced):
        """Return the class with slots and methods; ``own`` are further methods, ``forced`` those that it may not have itself."""
        names = tuple(fields)
        space = {name: value for name, value in cls.__dict__.items() if name not in fields}
        space.pop("__dict__", None)
        space.pop("__weakref__", None)
        space |= {"__slots__": names, "__match_args__": names, "__dataclass_fields__": fields}
        own = {"__init__": _first_init, "__repr__": _repr_of(fields), **_comparison(fields), **own}
        space = {**own, **space, **forced}
        made = type(cls)(cls.__name__, cls.__bases__, space)
        made.__qualname__ = cls.__qualname__
        return made

    def _fields_of(cls):
        """Return the fields by name; None for a class that is more than a plain record."""
        if any(hasattr(base, "__dataclass_fields__") for base in cls.__mro__[1:]):
            return None
        fields = {}
        for name, kind in inspect.get_annotations(cls).items():
            if not isinstance(kind, str) or "ClassVar" in kind or "InitVar" in kind or "KW_ONLY" in kind:
                return None
            value = cls.__dict__.get(name, _MISSING)
            field = value if isinstance(value, dataclasses.Field) else dataclasses.field(default=value)
            if field.kw_only is True or not field.init or field.hash is not None:
                return None
            field.name, field.type, field.kw_only = name, kind, False
            field._field_type = dataclasses._FIELD
            fields[name] = field
        return fields or None

    def _first_init(self, *args, **given):
        """Fill the first few instances field by field; then compile the real ``__init__`` and put it in the place of this."""
        cls = type(self)
        made = _made_so_far.get(cls, 0)
        if made < _FEW and _fill(self, args, dict(given)):
            _made_so_far[cls] = made + 1
            return
        cls.__init__ = _compile_init(cls)
        cls.__init__(self, *args, **given)

    #: Instances that are filled without compiling: most calls make only so many of most classes.
    _FEW = 16
    _made_so_far = {}

    def _fill(self, args, given):
        """Set every field; return False for a call that is not as it should be (the real ``__init__`` says why)."""
        fields = self.__dataclass_fields__
        if len(args) > len(fields):
            return False
        put, rest = object.__setattr__, iter(fields.items())
        for value, (name, _) in zip(args, rest, strict=False):
            if name in given:
                return False
            put(self, name, value)
        for name, field in rest:
            if name in given:
                put(self, name, given.pop(name))
            elif field.default is not _MISSING:
                put(self, name, field.default)
            elif field.default_factory is not _MISSING:
                put(self, name, field.default_factory())
            else:
                return False
        if given:
            return False
        if hasattr(self, "__post_init__"):
            self.__post_init__()
        return True

    def _compile_init(cls):
        known = {"_MISSING": _MISSING}
        is_open = cls.__setattr__ is object.__setattr__  # then an assignment will do, which is faster
        parameters, lines = [], []
        for name, field in cls.__dataclass_fields__.items():
            known[f"_set_{name}"] = getattr(cls, name).__set__
            value = name
            if field.default is not _MISSING:
                known[f"_else_{name}"] = field.default
                parameters.append(f"{name}=_else_{name}")
            elif field.default_factory is not _MISSING:
                known[f"_make_{name}"] = field.default_factory
                parameters.append(f"{name}=_MISSING")
                value = f"_make_{name}() if {name} is _MISSING else {name}"
            else:
                parameters.append(name)
            lines.append(f"    self.{name} = {value}" if is_open else f"    _set_{name}(self, {value})")
        if hasattr(cls, "__post_init__"):
            lines.append("    self.__post_init__()")
        source = f"def __init__(self, {', '.join(parameters)}):\n" + "\n".join(lines)
        exec(source, known)  # noqa: S102 - names of our own fields, as dataclasses does it
        made = known["__init__"]
        made.__qualname__ = f"{cls.__qualname__}.__init__"
        made.__annotations__ = {name: field.type for name, field in cls.__dataclass_fields__.items()}
        made.__module__ = cls.__module__
        return made

    def _comparison(fields):
        names = tuple(name for name, field in fields.items() if field.compare)
        values = attrgetter(*names) if names else lambda _: ()

        def __eq__(self, other):
            if other.__class__ is not self.__class__:
                return NotImplemented
            return values(self) == values(other)

        def __hash__(self):
            return hash((values(self),))

        return {"__eq__": __eq__, "__hash__": __hash__}

    def _repr_of(fields):
        names = tuple(name for name, field in fields.items() if field.repr)

        def __repr__(self):
            inner = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
            return f"{self.__class__.__qualname__}({inner})"

        return __repr__

    def _get_state(self):
        return [getattr(self, name) for name in self.__dataclass_fields__]

    def _set_state(self, state):
        for name, value in zip(self.__dataclass_fields__, state, strict=True):
            object.__setattr__(self, name, value)

    def _refuse_to_set(self, name, value):
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")

    def _refuse_to_delete(self, name):
        raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


Kind = TypeVar("Kind")
#: The names of a record's fields, and what takes the values of all of them out of a record at once.
Picker = tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]
_pickers: dict[type, Picker | None] = {}


def picker_of(kind: type) -> Picker | None:
    """Return the picker of a record's class; None for any other class. Each class is looked at once."""
    if kind not in _pickers:
        names = tuple(field.name for field in dataclasses.fields(kind)) if dataclasses.is_dataclass(kind) else ()
        pick = attrgetter(*names) if names else None
        only = len(names) == 1
        _pickers[kind] = None if pick is None else (names, (lambda value: (pick(value),)) if only else pick)
    return _pickers[kind]


def changed(value: Kind, /, **fields: object) -> Kind:
    """Return the record with other values in some fields: what ``dataclasses.replace`` does, in a third of the time.

    Raise TypeError for a field that it has not, and for what is no record.
    """
    copy = _copiers.get(type(value)) or _copiers.setdefault(type(value), _copier_of(type(value)))
    made: Kind = copy(value, fields)
    return made


_copiers: dict[type, Callable[[Any, dict[str, object]], Any]] = {}


def _copier_of(cls: type) -> Callable[[Any, dict[str, object]], Any]:
    """Compile the copying of one class, slot by slot; what does more than to hold values is left to ``dataclasses``."""
    picker = picker_of(cls)
    if picker is None:
        raise TypeError(f"{cls.__qualname__} is no record")
    slots = {name: cls.__dict__.get(name) for name in picker[0]}
    if hasattr(cls, "__post_init__") or not all(isinstance(slot, MemberDescriptorType) for slot in slots.values()):
        return lambda value, fields: dataclasses.replace(value, **fields)
    setters = {name: slot.__set__ for name, slot in slots.items() if slot is not None}
    known = {"new": object.__new__, "cls": cls, "setters": setters}
    known |= {f"set_{name}": setter for name, setter in setters.items()}
    lines = [f"    set_{name}(made, value.{name})" for name in setters]
    source = "\n".join(
        (
            "def copy(value, fields):",
            "    made = new(cls)",
            *lines,
            "    for name, other in fields.items():",
            "        if name not in setters:",
            "            raise TypeError(f'{cls.__qualname__} has no field {name!r}')",
            "        setters[name](made, other)",
            "    return made",
        )
    )
    exec(source, known)  # noqa: S102 - names of our own fields, as dataclasses does it
    made: Callable[[Any, dict[str, object]], Any] = known["copy"]  # type: ignore[assignment]
    return made


__all__ = ["Picker", "changed", "open_record", "picker_of", "record"]
