"""Records, held against the dataclasses that they stand for."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, is_dataclass, replace
from typing import Any, ClassVar

import pytest

from plainbrain.records import changed, open_record, picker_of, record


@record(frozen=True, slots=True)
class Point:
    """A record."""

    x: int
    y: int = 2
    tags: tuple[str, ...] = ()
    notes: dict[str, int] = field(default_factory=dict)
    hidden: str = field(default="", repr=False, compare=False)

    @property
    def both(self) -> int:
        return self.x + self.y


@dataclass(frozen=True, slots=True)
class Model:
    """The dataclass that it stands for."""

    x: int
    y: int = 2
    tags: tuple[str, ...] = ()
    notes: dict[str, int] = field(default_factory=dict)
    hidden: str = field(default="", repr=False, compare=False)


@record(frozen=True, slots=True)
class Checked:
    value: int

    def __post_init__(self) -> None:
        if self.value < 0:
            raise ValueError("below zero")


@record(frozen=True, slots=True)
class More:
    known: ClassVar[int] = 7
    value: int = 1


@open_record(slots=True)
class Page:
    """A record that can be written on."""

    x: int
    tags: list[str] = field(default_factory=list)

    def add(self, tag: str) -> None:
        self.tags.append(tag)


@dataclass(slots=True)
class PageModel:
    """The dataclass that it stands for."""

    x: int
    tags: list[str] = field(default_factory=list)


@pytest.mark.parametrize("given", [{"x": 1}, {"x": 1, "y": 5, "tags": ("a",), "notes": {"n": 1}, "hidden": "h"}])
def test_a_record_shows_what_a_dataclass_shows(given: dict[str, Any]) -> None:
    one, other = Point(**given), Model(**given)
    assert repr(one) == repr(other).replace("Model", "Point")
    assert asdict(one) == asdict(other)
    assert [(f.name, f.type, f.default) for f in fields(one)] == [(f.name, f.type, f.default) for f in fields(other)]
    assert Point.__match_args__ == Model.__match_args__
    assert is_dataclass(one)
    assert not hasattr(one, "__dict__")


def test_equality_and_hash_follow_the_values_that_count() -> None:
    assert Point(1, hidden="a") == Point(1, hidden="b")
    assert Point(1) != Point(2)
    other: object = Model(1)
    assert Point(1) != other
    assert hash(Checked(3)) == hash(Checked(3))
    assert len({Checked(1), Checked(1), Checked(2)}) == 2


def test_nothing_can_be_changed_and_each_has_its_own_mapping() -> None:
    one = Point(1)
    with pytest.raises(FrozenInstanceError, match="x"):
        one.x = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del one.x
    with pytest.raises(FrozenInstanceError):
        one.other = 1  # type: ignore[attr-defined]
    assert Point(1).notes is not Point(1).notes
    assert one.both == 3


def test_replacing_copying_and_pickling() -> None:
    one = Point(1, tags=("a",), notes={"n": 1})
    assert replace(one, y=9) == Point(1, 9, ("a",), {"n": 1})
    assert copy.copy(one) == copy.deepcopy(one) == pickle.loads(pickle.dumps(one)) == one  # noqa: S301


def new_point() -> type[Point]:
    """Return a class of which there is no instance yet."""

    @record(frozen=True, slots=True)
    class Fresh:
        x: int
        y: int = 2
        tags: tuple[str, ...] = ()
        notes: dict[str, int] = field(default_factory=dict)
        hidden: str = field(default="", repr=False, compare=False)

    return Fresh  # type: ignore[return-value]


@pytest.mark.parametrize("before", [0, 1, 15, 16, 17, 40])
def test_a_bad_call_says_so_whenever_it_comes(before: int) -> None:
    bad: list[tuple[tuple[Any, ...], dict[str, Any], str]] = [
        ((), {}, "missing"),
        ((1,), {"z": 3}, "unexpected"),
        ((1,), {"x": 3}, "multiple values"),
        ((1, 2, (), {}, "", 6), {}, "positional"),
    ]
    for args, given, why in bad:
        kind = new_point()
        for n in range(before):
            assert kind(n) == kind(n, 2, (), notes={})
        with pytest.raises(TypeError, match=why):
            kind(*args, **given)
        assert kind(5).y == 2
    for _ in range(before):
        Checked(1)
    with pytest.raises(ValueError, match="below"):
        Checked(-1)


def test_the_first_instances_are_as_the_later_ones() -> None:
    kind = new_point()
    made = [kind(1, y=3, tags=("a",)) for _ in range(30)]
    assert len(set(map(repr, made))) == 1
    assert all(one == made[0] for one in made)
    assert len({id(one.notes) for one in made}) == 30
    with pytest.raises(FrozenInstanceError):
        made[0].x = 2  # type: ignore[misc]


def test_a_record_is_frozen_and_has_slots() -> None:
    with pytest.raises(TypeError):
        record(frozen=False, slots=True)


def test_patterns_match_by_place() -> None:
    match Point(1, 4):
        case Point(x, 4):
            assert x == 1
        case _:
            pytest.fail("no match")


def test_what_is_more_than_a_record_is_made_by_dataclasses() -> None:
    assert More.known == 7
    assert dataclasses.fields(More)[0].name == "value"
    with pytest.raises(FrozenInstanceError):
        More().value = 2  # type: ignore[misc]


def test_an_open_record_is_what_a_dataclass_is_and_can_be_written_on() -> None:
    one, other = Page(1, ["a"]), PageModel(1, ["a"])
    assert repr(one) == repr(other).replace("PageModel", "Page")
    assert (asdict(one), Page.__match_args__) == (asdict(other), PageModel.__match_args__)
    assert [(f.name, f.type) for f in fields(one)] == [(f.name, f.type) for f in fields(other)]
    one.x = 2
    one.add("b")
    assert one == Page(2, ["a", "b"]) != Page(1)
    assert Page(1).tags is not Page(1).tags
    assert replace(one, x=3) == Page(3, ["a", "b"])
    assert copy.copy(one) == copy.deepcopy(one) == pickle.loads(pickle.dumps(one)) == one  # noqa: S301
    assert not hasattr(one, "__dict__")
    changed: Any
    for changed in (one, other):
        with pytest.raises(TypeError, match="unhashable"):
            hash(changed)
        with pytest.raises(AttributeError):
            changed.unknown = 1
    with pytest.raises(TypeError):
        open_record(slots=False)


@record(frozen=True, slots=True)
class Single:
    """A record of one field."""

    x: int


def test_a_picker_takes_all_values_out_in_the_order_of_the_fields() -> None:
    for value in (Point(1, tags=("a",)), Model(1, tags=("a",)), Single(3)):
        picker = picker_of(type(value))
        assert picker is not None
        assert picker[0] == tuple(each.name for each in fields(value))
        assert picker[1](value) == tuple(getattr(value, name) for name in picker[0])
    assert picker_of(str) is None


@dataclass(frozen=True)
class Plain(Model):
    """A dataclass that inherits and has no slots of its own."""


def test_a_changed_record_is_checked_as_a_new_one() -> None:
    assert changed(Checked(1), value=2) == Checked(2)
    with pytest.raises(ValueError):
        changed(Checked(1), value=-1)


def test_changed_is_what_replace_does() -> None:
    for value in (
        Point(1, tags=("a",), hidden="h"),
        Model(1, tags=("a",), hidden="h"),
        Plain(1, tags=("a",), hidden="h"),
    ):
        assert changed(value, y=5, notes={"a": 1}) == replace(value, y=5, notes={"a": 1})
        assert changed(value, y=5).hidden == "h"
        with pytest.raises(TypeError):
            changed(value, z=1)
    with pytest.raises(TypeError):
        changed("no record", x=1)
