"""The smallest edit of a JSON text: what is put in can be taken out, and nothing else is touched."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainbrain.notation.json_edit import find, put_in, take_out

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.text(max_size=6), VALUES, max_size=4)


@given(OBJECTS, VALUES, st.sampled_from([None, 0, 2, "\t"]), st.booleans())
def test_a_member_that_is_put_in_and_taken_out_leaves_the_text_as_it_was(
    settings: dict[str, Any], value: Any, indent: int | str | None, is_ascii: bool
) -> None:
    text = json.dumps(settings, indent=indent, ensure_ascii=is_ascii)
    key = "new member"
    after = put_in(text, (), value, key=key)
    assert json.loads(after) == {**settings, key: value}
    assert list(json.loads(after))[-1] == key
    again = take_out(after, (key,))
    assert json.loads(again) == settings
    if settings:
        assert again == text


@given(st.lists(VALUES, min_size=1, max_size=4), st.data())
def test_any_item_can_be_taken_out(items: list[Any], data: st.DataObject) -> None:
    text = json.dumps({"a": items}, indent=data.draw(st.sampled_from([None, 2])))
    number = data.draw(st.integers(0, len(items) - 1))
    assert json.loads(take_out(text, ("a", number))) == {"a": items[:number] + items[number + 1 :]}
    assert json.loads(put_in(text, ("a",), {"x": [1]})) == {"a": [*items, {"x": [1]}]}


def test_the_hand_of_a_person_is_followed() -> None:
    text = '{\r\n\t"a" : [ 1,2 ],\r\n\t"b": {}\r\n}\r\n'
    assert put_in(text, (), {"d": 1}, key="c") == (
        '{\r\n\t"a" : [ 1,2 ],\r\n\t"b": {},\r\n\t"c": {\r\n\t\t"d": 1\r\n\t}\r\n}\r\n'
    )
    assert put_in(text, ("b",), 1, key="c") == '{\r\n\t"a" : [ 1,2 ],\r\n\t"b": {\r\n\t\t"c": 1\r\n\t}\r\n}\r\n'
    assert take_out(text, ("a", 0)) == '{\r\n\t"a" : [ 2 ],\r\n\t"b": {}\r\n}\r\n'


def test_of_a_key_that_is_there_twice_the_last_counts() -> None:
    text = '{"a": 1, "a": [2]}'
    assert json.loads(put_in(text, ("a",), 3)) == {"a": [2, 3]}
    assert find(text, ("b",)) is None
    with pytest.raises(KeyError):
        put_in(text, ("b",), 1)
    with pytest.raises(KeyError):
        take_out(text, ("b", "c"))
