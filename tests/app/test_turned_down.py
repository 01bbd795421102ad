"""The forms in which people and models write what was turned down, each read into option and reason."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from plainbrain.app.drafts import draft_from_json
from plainbrain.errors import InvalidField
from plainbrain.lifecycle.alternatives import read_alternatives
from plainbrain.lifecycle.veto import find_vetoes
from plainbrain.model.memory import Memory, Rejected
from tests.interchange.brains import brain_at

ONE = [
    ("Kafka: too heavy", "Kafka", "too heavy"),
    ("Kafka:\ttoo heavy", "Kafka", "too heavy"),
    ("Kafka", "Kafka", None),
    ("Kafka - heavy", "Kafka", "heavy"),
    ("- Kafka - heavy", "Kafka", "heavy"),
    ("1. Kafka: heavy", "Kafka", "heavy"),
    ("- [x] Kafka: heavy", "Kafka", "heavy"),
    ("Kafka (heavy)", "Kafka", "heavy"),
    ("Kafka (too heavy for us).", "Kafka", "too heavy for us"),
    ("Kafka because heavy", "Kafka", "heavy"),
    ("Kafka, because it is heavy", "Kafka", "it is heavy"),
    ("Kafka due to its weight", "Kafka", "its weight"),
    ("Kafka, as it is heavy", "Kafka", "it is heavy"),
    ("**Kafka**: heavy", "Kafka", "heavy"),
    ("**Kafka:** heavy", "Kafka", "heavy"),
    ("`Kafka` - heavy", "Kafka", "heavy"),
    ("Kafka \u2014 heavy", "Kafka", "heavy"),
    ("Kafka\u2014heavy", "Kafka", "heavy"),
    ("Kafka \u2013 heavy: really", "Kafka", "heavy: really"),
    ("Kafka\uff1a太重", "Kafka", "太重"),
    # what parts nothing
    ("in-process cache", "in-process cache", None),
    ("styled-components: slow", "styled-components", "slow"),
    ("C++", "C++", None),
    ("std::vector", "std::vector", None),
    ("node:18", "node:18", None),
    ("JSON Web Tokens (JWT)", "JSON Web Tokens (JWT)", None),
    ("Python (3.11)", "Python (3.11)", None),
    ("Redis: a daemon, more; and slow (very)", "Redis", "a daemon, more; and slow (very)"),
    ("Redis: heavy; note: it is slow", "Redis", "heavy; note: it is slow"),
    ("Redis, Kafka", "Redis, Kafka", None),
    ("a cache that lives within the process of each and every node - no", "a cache that lives within the process of each and every node - no", None),
    ("Redis:\none more daemon", "Redis", "one more daemon"),
    ("**Redis:**\n  one more daemon, to run and to watch\n", "Redis", "one more daemon, to run and to watch"),
    ("Redis:\u2028line", "Redis", "line"),
    ("Redis:\r\n\r\nline", "Redis", "line"),
    ("Redis\u00a0: one\u00a0more", "Redis", "one\u00a0more"),
    ("Redis: one more daemon\nto run", "Redis", "one more daemon to run"),
]  # fmt: skip
MANY = [
    ("- Kafka: heavy\n- Nats: new", [("Kafka", "heavy"), ("Nats", "new")]),
    ("* Kafka\n* Nats", [("Kafka", None), ("Nats", None)]),
    ("1. Kafka: heavy\n   to run\n2. Nats", [("Kafka", "heavy to run"), ("Nats", None)]),
    ("Rejected:\n- Kafka: heavy\n- Nats", [("Kafka", "heavy"), ("Nats", None)]),
    ("Kafka:\nheavy\nNats:\nnew", [("Kafka", "heavy"), ("Nats", "new")]),
    ("Kafka: heavy\nNats: new", [("Kafka", "heavy"), ("Nats", "new")]),
    ("Kafka\nNats", [("Kafka", None), ("Nats", None)]),
    ("React: build step; Vue: same", [("React", "build step"), ("Vue", "same")]),
    ("React; Vue", [("React", None), ("Vue", None)]),
]


def read(value: object) -> list[tuple[str, str | None]]:
    """Return what a tool's argument is read into."""
    return [(one.option, one.reason) for one in draft_from_json({"title": "x", "rejected": value}).rejected]


@pytest.mark.parametrize(("text", "option", "reason"), ONE)
def test_one_alternative(text: str, option: str, reason: str | None) -> None:
    assert read(text) == read([text]) == [(option, reason)]


@pytest.mark.parametrize(("text", "found"), MANY)
def test_many_alternatives_in_one_text(text: str, found: list[tuple[str, str | None]]) -> None:
    assert read(text) == read([text]) == found


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({"Kafka": "too heavy"}, [("Kafka", "too heavy")]),
        ({"Kafka": "heavy", "Nats": None}, [("Kafka", "heavy"), ("Nats", None)]),
        ('{"Kafka": "too heavy"}', [("Kafka", "too heavy")]),
        ([{"Kafka": ["heavy", "old"]}, "Nats"], [("Kafka", "heavy; old"), ("Nats", None)]),
        ({"name": "Kafka", "why": "heavy"}, [("Kafka", "heavy")]),
        ({"option": "Kafka - heavy"}, [("Kafka", "heavy")]),
        ({"option": "Kafka - heavy", "reason": "r"}, [("Kafka - heavy", "r")]),
        ('["Kafka: heavy", {"option": "Nats"}]', [("Kafka", "heavy"), ("Nats", None)]),
    ],
)
def test_objects(value: object, found: list[tuple[str, str | None]]) -> None:
    assert read(value) == found


@pytest.mark.parametrize("value", [[""], [" \n"], [{}], [3], [["a"]]])
def test_what_is_none_is_refused(value: object) -> None:
    with pytest.raises(InvalidField):
        read(value)


@pytest.mark.parametrize("text", [text for text, _, _ in ONE] + [text for text, _ in MANY])
def test_an_option_that_was_stored_in_one_piece_vetoes_as_well(text: str) -> None:
    [first, *_] = read_alternatives(text)
    if len(text.splitlines()) == 1 and "; " not in text:
        memory = Memory("d", "x", rejected=(Rejected(text),))
        assert find_vetoes(f"let us take {first.option} now", [memory])


def test_one_item_under_an_option_is_its_reason() -> None:
    assert read_alternatives("Kafka:\n- too heavy") == (Rejected("Kafka", "too heavy"),)
    assert read_alternatives("Rejected:\n- Kafka") == (Rejected("Kafka"),)
    assert read_alternatives("Brokers:\n- Kafka: heavy\n- NATS: new") == (
        Rejected("Kafka", "heavy"),
        Rejected("NATS", "new"),
    )


@given(st.text(alphabet="ab -—:;()*\n.,1C", max_size=40))
@example("C:\n- 1")
@settings(max_examples=300, deadline=None)
def test_no_word_is_lost(text: str) -> None:
    found = read_alternatives(text)
    said = " ".join(f"{one.option} {one.reason or ''}" for one in found)
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 2 and lines[0].rstrip().endswith(":"):
        text = "\n".join(lines[1:])  # what stands over a list is its heading
    letters = {c for c in text if c in "abC"}
    assert letters <= set(said)
    assert bool(found) or not letters


def test_a_note_written_by_hand_with_one_name(tmp_path: Path) -> None:
    with brain_at("vault", tmp_path) as brain:
        brain.encode("A table")
        folder = tmp_path / "brain"
        (folder / "solr.md").write_text(
            "---\ntype: decision\nrejected: Solr\n---\nSearch is SQLite.\n", encoding="utf-8"
        )
        text = "---\ntype: decision\nrejected:\n  - Kafka: heavy\n  - Nats - new\n---\nA table.\n"
        (folder / "kafka.md").write_text(text, encoding="utf-8")
        assert [v.rejected for v in brain.check("use Solr").vetoes] == [Rejected("Solr")]
        assert [v.rejected for v in brain.check("use Kafka").vetoes] == [Rejected("Kafka", "heavy")]
        assert [v.rejected for v in brain.check("use Nats").vetoes] == [Rejected("Nats - new")]


def test_an_option_is_one_line_and_a_reason_keeps_its_own(tmp_path: Path) -> None:
    given = [
        {"option": " Redis\n Cluster ", "reason": "\none daemon\n\nand one more\n"},
        {"option": "Kafka", "reason": " "},
    ]
    with brain_at("vault", tmp_path) as brain:
        id = brain.keep(draft_from_json({"title": "A table", "rejected": given})).id
        assert brain.get(id).rejected == (Rejected("Redis Cluster", "one daemon\n\nand one more"), Rejected("Kafka"))
        assert [veto.rejected.option for veto in brain.check("take Redis Cluster").vetoes] == ["Redis Cluster"]
