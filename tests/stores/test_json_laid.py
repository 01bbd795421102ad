"""A ``memory.json`` that is not cut: what is found in its text and put into it is what cutting it gives."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainbrain.errors import Damaged
from plainbrain.model.change import Activity, Put, Remove
from plainbrain.model.memory import Memory
from plainbrain.stores.json import JsonStore, laid, reading
from plainbrain.stores.json.document import Document, Edit, edited, new_document
from plainbrain.stores.json.reading import read_document
from plainbrain.stores.json.text import write_entry, write_value
from plainbrain.testing.builders import NOON
from tests.stores.agent_brain import entry, make_json

ids = st.sampled_from(["a", "b", "ab", 'q"uote', "über", "back\\slash", "a,\n", "", " ", "{", "東", "\u2028"])
#: Texts that look like layout.
texts = st.sampled_from(["", "x", '\n    {\n      "id": "a"', '    },\n    {\n      "id": "b",', "\n  ],", "東京", '"'])
changes = st.dictionaries(
    ids, texts.map(lambda text: {"content": text, "nested": [{"id": "a", "list": [{"id": text}]}]})
)
sections = st.dictionaries(st.sampled_from(["session_counter", "last_decay", "mood"]), st.sampled_from([b"7", b'"x"']))


def cut_first(document: Document) -> Document:
    """Return the document as one that has forgotten its text and knows its parts."""
    return replace(document, laid=None, pieces=document.parts, known=document.places)


@given(st.lists(st.tuples(changes, changes, sections), min_size=1, max_size=4))
def test_splicing_a_text_gives_what_writing_it_anew_gives(steps: list[tuple[Any, Any, Any]]) -> None:
    quick = slow = new_document()
    for changed, used, top in steps:
        edit = Edit(changed={id: {"id": id, **said} for id, said in changed.items()})
        edit.used = {id: {"id": id, **said} for id, said in used.items()}
        edit.sections = dict(top)
        quick, pieces = edited(quick, edit)
        text = b"".join(pieces.views())
        slow, same = edited(cut_first(slow), edit)
        assert text == same.whole()
        assert quick.laid is not None
        read = read_document(text, path="memory.json")
        assert read.laid is not None
        data = json.loads(text)
        assert text.decode("ascii") == json.dumps(data, indent=2)
        there = {one["id"]: one for one in data["entries"]}
        for id in ["a", "b", "q", "über", *there]:
            assert read.entry(id) == quick.entry(id) == slow.entry(id) == there.get(id)
            assert read.has(id) == (id in there)
        assert [id for id, _ in read.entries()] == list(there)


@given(changes, ids)
def test_taking_an_entry_out_leaves_the_others(first: dict[str, Any], gone: str) -> None:
    document, _ = edited(new_document(), Edit(changed=dict(first)))
    document, text = edited(document, Edit(changed={gone: None}))
    assert [one["id"] for one in json.loads(text.whole())["entries"]] == [id for id in first if id != gone]
    assert document.entry(gone) is None


def test_many_questions_and_many_changes_are_answered_too(tmp_path: Path) -> None:
    store = JsonStore(str(tmp_path / "memory.json"))
    store.apply([Put(Memory(f"m{n}", f"text {n}")) for n in range(100)])
    for other in (store, JsonStore(str(tmp_path / "memory.json"))):
        assert [other.get(f"m{n}").memory.content for n in range(60)] == [f"text {n}" for n in range(60)]
        assert len(other.get_many([f"m{n}" for n in range(120)])) == 100
    store.apply([Put(Memory(f"m{n}", "changed")) for n in range(50, 150)] + [Remove("m0")])
    found = JsonStore(str(tmp_path / "memory.json")).get_many([f"m{n}" for n in range(150)])
    assert [one.memory.content for one in found.values()] == [f"text {n}" for n in range(1, 50)] + ["changed"] * 100


@pytest.mark.parametrize(
    "spelling",
    [
        b'"id": "\\u0061"',  # our spelling is another
        b'"type": "fact",\n      "id": "a"',  # it does not come first
        b'"id":  "a"',
    ],
)
def test_an_entry_that_is_spelt_otherwise_is_found_and_kept(tmp_path: Path, spelling: bytes) -> None:
    path = tmp_path / "memory.json"
    make_json(path, [entry("b"), entry("a")])
    path.write_bytes(path.read_bytes().replace(b'"id": "a"', spelling))
    store = JsonStore(str(path))
    assert store.get("a").memory.id == "a"
    store.apply([Put(Memory("c", "new"))])
    store.journal.append([Activity(NOON, "add", "c")])
    for other in (store, JsonStore(str(path))):
        assert sorted(other.get_many(["a", "b", "c"])) == ["a", "b", "c"]
        other.apply([Put(replace(other.get("a").memory, content="mended"))])
        assert [one["id"] for one in json.loads(path.read_text())["entries"]] == ["b", "a", "c"]
        assert other.get("a").memory.content == "mended"


def test_two_entries_of_one_id_are_never_taken_for_one(tmp_path: Path) -> None:
    path = tmp_path / "memory.json"
    make_json(path, [entry("a", content="first"), entry("a", content="second")])
    store = JsonStore(str(path))
    store.apply([Put(Memory("c", "new"))])
    again = JsonStore(str(path))
    assert again.get("a").memory.content == "first"
    assert ["two entries" in problem.message for problem in again.problems()] == [True]
    assert [one["content"] for one in json.loads(path.read_text())["entries"]] == ["first", "second", "new"]


def test_what_another_program_did_to_a_regular_file_is_not_taken_for_regular(tmp_path: Path) -> None:
    path = tmp_path / "memory.json"
    store = JsonStore(str(path))
    store.apply([Put(Memory("a", "one")), Put(Memory("b", "two"))])
    assert "laid" in json.loads(path.read_text())["plainbrain"]
    path.write_bytes(path.read_bytes().replace(b'"id": "b"', b'"id": "\\u0062"'))
    assert JsonStore(str(path)).get("b").memory.content == "two"
    data = json.loads(path.read_text())
    data["entries"].append({"id": "a", "content": "again"})
    path.write_text(json.dumps(data, indent=2))
    store = JsonStore(str(path))
    store.journal.append([Activity(NOON, "add", "c")])
    assert "laid" not in json.loads(path.read_text())["plainbrain"]
    assert JsonStore(str(path)).get("a").memory.content == "one"


def our_section(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text())["plainbrain"]
    return found


@pytest.mark.parametrize("said", [None, 7, "", "1-2", "x-y", "-", "0-999999999", "²-³"])
def test_a_file_that_does_not_say_where_its_entries_stand_comes_to_say_it(tmp_path: Path, said: object) -> None:
    path = tmp_path / "memory.json"
    JsonStore(str(path)).apply([Put(Memory("a", "one"))])
    data = json.loads(path.read_text())
    told = data["plainbrain"].pop("laid")
    if said is not None:
        data["plainbrain"]["laid"] = said
    path.write_text(json.dumps(data, indent=2))
    store = JsonStore(str(path))
    assert store.get("a").memory.content == "one"
    store.journal.append([Activity(NOON, "add", "a")])
    start, _, end = told.partition("-")
    assert our_section(path)["laid"] == told
    text = path.read_bytes()[int(start) : int(end)]
    assert json.loads(text) == json.loads(path.read_text())["entries"]


@pytest.mark.parametrize("tail", [b"", b"\n", b"x", b"\n}\n", b',\n  "more": 1\n}'])
def test_what_stands_behind_our_section_is_looked_at(tmp_path: Path, tail: bytes) -> None:
    path = tmp_path / "memory.json"
    JsonStore(str(path)).apply([Put(Memory("a", "one"))])
    path.write_bytes(path.read_bytes().removesuffix(b"\n}") + tail)
    store = JsonStore(str(path))
    if b"}" not in tail:
        with pytest.raises(Damaged):
            store.get("a")
        return
    assert store.get("a").memory.content == "one"
    store.journal.append([Activity(NOON, "add", "a")])
    assert json.loads(path.read_text()).get("more") == (1 if b"more" in tail else None)
    assert JsonStore(str(path)).get("a").memory.content == "one"


def test_an_entry_of_nothing_but_an_id_is_read(tmp_path: Path) -> None:
    path = tmp_path / "memory.json"
    make_json(path, [{"id": "bare"}, entry("b")])
    store = JsonStore(str(path))
    store.journal.append([Activity(NOON, "add", "b")])
    assert sorted(id for id, _ in JsonStore(str(path)).listing()) == ["b", "bare"]
    assert JsonStore(str(path)).get("bare").memory.id == "bare"


@pytest.mark.parametrize("part", [1, 100, 1000])
def test_a_long_text_is_cut_part_by_part(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(laid, "_PART", part)
    monkeypatch.setattr(laid, "_BLOCK", part)
    said = {f"m{n}": {"content": '\n    {\n      "id": "m1"', "list": [{"id": "m2"}] * (n % 4)} for n in range(40)}
    _, rope = edited(new_document(), Edit(changed={id: {"id": id, **one} for id, one in said.items()}))
    read = read_document(rope.whole(), path="memory.json")
    read.get_ready(len(said))
    assert read.laid is not None
    assert list(read.laid.ids()) == list(said)
    assert {id: read.entry(id) for id in said} == dict(read.entries()) == {id: {"id": id, **said[id]} for id in said}


ODD = [
    b"{}",
    b"7",
    b'{"id": ""}',
    b'{\n      "type": "fact",\n      "id": "a"\n    }',
    b'{\n      "id": "a",\n      "id": "b"\n    }',
    b'{\n      "id": "x",\n      "content": "\xed\xa0\x80"\n    }',
    b'{\n      "id": "x",\n      "content": "\xff"\n    }',
    b'{\n      "id": "x",\n      "content": [\n    },\n    {\n      ]\n    }',
    b'{\n      "id": "x",\n    }',
]


def said_or_read(way: Callable[..., Document], text: bytes) -> Document | str:
    try:
        return way(text, path="m.json")
    except Damaged as error:
        return str(error)


@pytest.mark.parametrize("odd", [None, *ODD])
@pytest.mark.parametrize(
    "top", [{}, {"plainbrain": {"values": {"a": "b"}}}, {"plainbrain": 7, "more": [1]}, {"version": 2}]
)
def test_a_text_that_is_checked_part_by_part_is_read_as_one_that_is_parsed_whole(
    odd: bytes | None, top: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "_SOME", 2)
    entries = [{"id": id, "content": id * 3, "list": [{"id": "a"}]} for id in ("a", "b", "c", "a", "\u00e9", "d")]
    text = json.dumps({"version": 4, "entries": entries, "activity_log": [{"action": "add"}], **top}, indent=2).encode()
    if odd is not None:
        text = text.replace(b'    {\n      "id": "c"', b"    " + odd + b',\n    {\n      "id": "c"', 1)
    read, whole = (said_or_read(way, text) for way in (read_document, reading._read_whole))
    if isinstance(read, str) or isinstance(whole, str):
        assert read == whole
        return
    names = ("digest", "ours", "regular", "version", "problems", "places", "fresh")
    assert {name: getattr(read, name) for name in names} == {name: getattr(whole, name) for name in names}
    assert list(read.entries()) == list(whole.entries())
    assert (read.parsed is None) == (odd is None)
    edit = Edit(changed={"new": {"id": "new"}, "a": None})
    assert edited(read, edit)[1].whole() == edited(whole, edit)[1].whole()


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=4) | st.integers() | st.none(), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(values)
def test_a_value_is_laid_out_as_the_library_does_it(value: Any) -> None:
    assert write_value(value).decode("ascii") == json.dumps(value, indent=2).replace("\n", "\n  ")
    assert write_entry({"id": "a", "value": value}) == json.dumps([{"id": "a", "value": value}], indent=2).replace("\n", "\n  ").encode("ascii")[len("[\n    {\n") : -len("\n    }\n  ]")]  # fmt: skip
