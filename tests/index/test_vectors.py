"""The index keeps vectors: of every memory, of one model only, made once, and never at the cost of words."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from plainbrain.embed.hashing import HashEmbedder
from plainbrain.errors import InvalidField, Unavailable
from plainbrain.index.sqlite import SqliteIndex
from plainbrain.model.change import Put, Remove
from plainbrain.model.instants import parse_instant
from plainbrain.model.memory import Memory
from plainbrain.model.provenance import Provenance
from plainbrain.model.query import Query
from plainbrain.retrieval.passages import PLAIN, Wording, passages_of
from plainbrain.stores.ram import RamStore
from plainbrain.testing.builders import NOON


class Counting(HashEmbedder):
    """The hash embedder, counting what it is asked; a text that holds a word of ``odd`` gets that vector."""

    def __init__(self, dimensions: int = 64, *, label: str = "one", odd: dict[str, list[float]] | None = None) -> None:
        super().__init__(dimensions)
        self.label, self.odd = label, odd or {}
        self.texts: list[str] = []
        self.fails = False

    @property
    def name(self) -> str:
        return self.label

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        if self.fails:
            raise Unavailable("the model broke", hint="mend it")
        self.texts += texts
        return [next((v for word, v in self.odd.items() if word in text), self.embed_query(text)) for text in texts]


class Brain:
    """A store in memory, an index with a model over it."""

    def __init__(self, folder: Path, model: Counting, *memories: Memory, wording: Wording = PLAIN) -> None:
        self.folder, self.model = folder, model
        self.store = RamStore(str(folder))
        self.index = SqliteIndex(folder, self.store.url, model=model, wording=wording)
        self.put(*memories)

    def put(self, *memories: Memory) -> None:
        self.store.apply([Put(memory) for memory in memories])
        self.index.catch_up(self.store)

    def like(self, text: str, k: int = 3) -> list[str]:
        return list(self.index.similar(self.model.embed_query(text), k))

    def with_model(self, model: Counting, *, wording: Wording = PLAIN) -> Brain:
        """Return the same brain as another process would open it."""
        other = Brain.__new__(Brain)
        other.folder, other.model, other.store = self.folder, model, self.store
        other.index = SqliteIndex(self.folder, self.store.url, model=model, wording=wording)
        other.index.catch_up(self.store)
        return other


def turn(number: int, content: str) -> Memory:
    return Memory(f"t{number}", content, provenance=Provenance(sessions=("s",), turn=number))


@pytest.fixture
def pets(tmp_path: Path) -> Brain:
    return Brain(
        tmp_path,
        Counting(),
        Memory("cat", "the cat sleeps on the warm sofa"),
        Memory("rates", "interest rates rose in autumn"),
        Memory("bread", "sourdough bread needs a long rise"),
    )


def test_the_memory_most_like_a_question_comes_first(pets: Brain) -> None:
    assert pets.like("a sleeping cat on a sofa")[0] == "cat"
    found = pets.index.similar(pets.model.embed_query("the cat sleeps on the warm sofa"), 1)["cat"]
    assert found.own == pytest.approx(1.0, abs=1e-3)
    assert (found.start, found.stop) == (0, 0)


def test_rank_fusion_takes_what_words_miss_from_the_vectors(tmp_path: Path) -> None:
    near, far = [1.0] + [0.0] * 63, [0.0, 1.0] + [0.0] * 62
    odd = {"kitten": near, "feline": near, "ledger": far}
    stored = [
        Memory("feline", "a feline at rest"),
        Memory("word", "kitten ledger"),
        Memory("hidden", "feline", status="superseded"),
    ]
    brain = Brain(tmp_path, Counting(odd=odd), *stored, *(Memory(f"n{n}", f"ledger of month {n}") for n in range(8)))
    brain.model.embed_query = lambda text: near  # type: ignore[method-assign]
    found, total = brain.index.search(Query("kitten", profile="rrf"), now=NOON)
    assert [id for id, _, _ in found][:2] == ["word", "feline"]
    assert total == len(found)
    factors = {id: why.factors for id, _, why in found}
    assert factors["word"]["words_place"] == 1
    assert factors["feline"]["words_place"] == 0
    assert factors["feline"]["likeness_place"] > 0
    assert found[0][1] > found[1][1]
    assert "hidden" not in factors
    assert [id for id, _, _ in brain.index.search(Query("kitten", profile="blueprint"), now=NOON)[0]] == ["word"]


def test_an_edit_embeds_that_memory_alone(pets: Brain) -> None:
    pets.model.texts.clear()
    pets.put(Memory("rates", "a dog barks in the garden"))
    assert pets.model.texts == ["a dog barks in the garden"]
    assert pets.like("the barking dog")[0] == "rates"


def test_what_is_gone_is_found_no_more(pets: Brain) -> None:
    assert "cat" in pets.like("cat")
    pets.store.apply([Remove("cat")])
    pets.index.catch_up(pets.store)
    assert "cat" not in pets.like("cat sleeps on the sofa")


def test_a_rebuilt_index_embeds_nothing_again(pets: Brain) -> None:
    again = pets.with_model(Counting())
    assert again.model.texts == []
    assert again.like("cat sleeping")[0] == "cat"


def test_another_process_sees_what_this_one_embedded(pets: Brain) -> None:
    other = pets.with_model(Counting())
    assert other.like("ducks on the pond")[0] != "duck"
    pets.put(Memory("duck", "ducks swim on the pond"))
    assert other.like("ducks on the pond")[0] == "duck"
    assert other.model.texts == []


def test_vectors_of_another_model_are_made_anew_and_never_mixed(pets: Brain) -> None:
    other = pets.with_model(Counting(32, label="two"))
    assert len(other.model.texts) == 3
    assert other.like("sleeping cat")[0] == "cat"
    # The process with the first model leaves the second one's vectors alone, and words go on.
    assert pets.like("sleeping cat") == []
    pets.put(Memory("new", "a new memory"))
    assert pets.index.search(Query("memory"), now=NOON)[1] == 1


def test_a_change_of_model_goes_in_bounded_steps(tmp_path: Path) -> None:
    brain = Brain(tmp_path, Counting(), *(Memory(f"m{n}", f"thing number {n}") for n in range(120)))
    while brain.index.embed_some(brain.store, 50).left:
        pass
    other = SqliteIndex(tmp_path, brain.store.url, model=(model := Counting(label="two")))
    step = other.embed_some(brain.store, 50)
    assert (step.done, step.embedded, step.left) == (50, 50, 70)
    assert len(other.similar(model.embed_query("thing 7"), 5)) == 5
    assert other.search(Query("119"), now=NOON)[1] == 1
    assert [other.embed_some(brain.store, 50).left for _ in range(3)] == [20, 0, 0]
    assert len(model.texts) == 120


def test_a_model_that_fails_is_named_once_and_words_go_on(tmp_path: Path) -> None:
    model = Counting()
    model.fails = True
    brain = Brain(tmp_path, model)
    brain.store.apply([Put(Memory("a", "hello there"))])
    told = brain.index.catch_up(brain.store)
    assert [(p.code, p.hint) for p in told] == [("no-model", "mend it")]
    assert "the model broke" in told[0].message
    assert brain.index.catch_up(brain.store) == ()
    assert brain.index.search(Query("hello"), now=NOON)[1] == 1
    assert brain.like("hello") == []
    model.fails = False
    assert brain.with_model(model).like("hello") == ["a"]


@pytest.mark.parametrize("vector", [[0.0] * 64, [math.nan] * 64, [math.inf] + [0.0] * 63])
def test_a_vector_without_a_direction_is_left_out_and_told(tmp_path: Path, vector: list[float]) -> None:
    model = Counting(odd={"odd": vector})
    brain = Brain(tmp_path, model, Memory("odd", "an odd one"), Memory("even", "an even one"))
    assert brain.like("one") == ["even"]
    told = brain.index.catch_up(brain.store)
    assert [p.code for p in told] == ["no-vector"]
    assert model.texts == ["an odd one", "an even one"]


def test_vectors_of_another_length_are_refused(tmp_path: Path) -> None:
    brain = Brain(tmp_path, Counting(odd={"odd": [1.0] * 63}), Memory("even", "an even one"))
    brain.store.apply([Put(Memory("odd", "an odd one"))])
    assert [p.code for p in brain.index.catch_up(brain.store)] == ["no-model"]
    assert brain.index.search(Query("odd"), now=NOON)[1] == 1


@pytest.mark.parametrize("vector", [[1.0] * 63, [0.0] * 64, [math.nan] * 64])
def test_a_question_that_cannot_be_compared_is_refused(pets: Brain, vector: list[float]) -> None:
    with pytest.raises(InvalidField):
        pets.index.similar(vector, 3)


def test_a_turn_is_embedded_with_what_came_before_it(tmp_path: Path) -> None:
    brain = Brain(tmp_path, Counting(), turn(1, "shall we go to Lisbon"), turn(2, "yes, in May"))
    assert "shall we go to Lisbon\nyes, in May" in brain.model.texts
    found = brain.index.likeness(brain.model.embed_query("shall we go to Lisbon"), ["t1", "t2", "none"])
    assert list(found) == ["t1", "t2"]
    assert found["t2"].context > found["t2"].own
    assert found["t1"].context == found["t1"].own


def test_a_turn_follows_the_one_before_it_when_that_changes(tmp_path: Path) -> None:
    brain = Brain(tmp_path, Counting(), turn(1, "Lisbon"), turn(3, "yes"))
    brain.model.texts.clear()
    brain.put(turn(2, "Porto then"))
    assert set(brain.model.texts) == {"Porto then", "Lisbon\nPorto then", "Lisbon\nPorto then\nyes"}
    brain.model.texts.clear()
    brain.store.apply([Remove("t2")])
    brain.index.catch_up(brain.store)
    assert brain.model.texts == []  # the text of old comes back, and so does its vector
    vector = brain.model.embed_query("Lisbon yes")
    assert brain.index.likeness(vector, ["t3"])["t3"].context == pytest.approx(1.0, abs=0.01)


def test_two_turns_before_are_the_context_and_no_more(tmp_path: Path) -> None:
    brain = Brain(tmp_path, Counting(), turn(1, "tea"), turn(2, "coffee"), turn(3, "milk"), turn(5, "bread"))
    assert {"tea\ncoffee\nmilk", "coffee\nmilk\nbread"} <= set(brain.model.texts)
    brain.model.texts.clear()
    brain.put(turn(1, "juice"))
    assert set(brain.model.texts) == {"juice", "juice\ncoffee", "juice\ncoffee\nmilk"}
    brain.model.texts.clear()
    brain.put(turn(2, " ".join(["long"] * 99) + " story"))
    assert max(len(text.split()) for text in brain.model.texts if text.endswith("milk")) == 30 + 2


def test_a_long_note_is_found_by_a_passage_deep_in_it(tmp_path: Path) -> None:
    filler = " ".join(f"filler{n}" for n in range(900))
    note = Memory("long", f"{filler} zebras graze near the river {filler}", title="Notes")
    brain = Brain(tmp_path, Counting(256), note, Memory("short", "rivers are long"))
    found = brain.index.similar(brain.model.embed_query("zebras graze near river"), 2)["long"]
    assert "zebras graze near the river" in note.content[found.start : found.stop]
    assert found.stop - found.start < 2500


def test_passages_leave_nothing_out() -> None:
    text = " ".join(f"w{n}" for n in range(1000))
    passages = passages_of(Memory("m", text))
    assert passages[0].start == 0
    assert passages[-1].stop == len(text)
    assert all(b.start < a.stop for a, b in pairwise(passages))
    assert len(passages_of(Memory("m", "字" * 3000))) > 3
    assert passages_of(Memory("m")) == []


def test_words_can_be_taken_out_before_embedding(tmp_path: Path) -> None:
    def nameless(memory: Memory, text: str) -> str:
        return text.replace(str(memory.metadata["author"]), "")

    wording = Wording("without authors", nameless)
    memory = Memory("m", "Ann: tea is ready", metadata={"author": "Ann"})
    brain = Brain(tmp_path, Counting(), memory, wording=wording)
    assert brain.model.texts == [": tea is ready"]
    assert brain.with_model(Counting()).model.texts == ["Ann: tea is ready"]


def test_a_filter_narrows_what_is_like_a_question(pets: Brain) -> None:
    pets.put(Memory("lion", "the cat sleeps on the warm rock", cortex="wild"))
    vector = pets.model.embed_query("the cat sleeps")
    assert list(pets.index.similar(vector, 3, among=Query("", cortex="wild"), now=NOON)) == ["lion"]


NEAR, ALMOST, FAR = [1.0] + [0.0] * 63, [0.9, 0.435889894] + [0.0] * 62, [0.0] * 63 + [1.0]


@pytest.mark.parametrize(
    ("hidden", "narrow"),
    [
        ({"cortex": "work"}, {"cortex": "home"}),
        ({"tags": ("a",)}, {"tags": ("b",)}),
        ({"kind": "fact"}, {"kinds": ("decision",)}),
        ({"scope": "one"}, {"scope": "two"}),
        ({"created": parse_instant("2020-01-01")}, {"after": parse_instant("2021-01-01")}),
        ({"status": "superseded"}, {}),
        ({"valid_until": parse_instant("2020-01-01")}, {}),
    ],
)
@pytest.mark.parametrize("profile", ["auto", "rrf"])
def test_what_a_filter_hides_takes_no_place_among_the_nearest(
    tmp_path: Path, hidden: dict[str, Any], narrow: dict[str, Any], profile: str
) -> None:
    shown: dict[str, Any] = {"cortex": "home", "tags": ("b",), "kind": "decision", "scope": "two", "created": NOON}
    shown = {name: value for name, value in shown.items() if name in hidden}
    crowd = [Memory(f"n{n}", f"feline {n}", **hidden) for n in range(300)]
    one = Memory("sought", "kitten at rest", **shown)
    words = [Memory(f"w{n}", f"ledger {n}") for n in range(5)]
    brain = Brain(tmp_path, Counting(odd={"feline": NEAR, "kitten": ALMOST, "ledger": FAR}), *crowd, one, *words)
    while brain.index.embed_some(brain.store, 500).left:
        pass
    brain.model.embed_query = lambda text: NEAR  # type: ignore[method-assign]
    found, _ = brain.index.search(Query("ledger", profile=profile, **narrow), now=NOON)
    factors = {id: why.factors for id, _, why in found}
    assert factors["sought"]["likeness"] == pytest.approx(0.9, abs=0.01)
    assert not [id for id in factors if id.startswith("n")]


def test_a_long_note_leaves_places_to_others(tmp_path: Path) -> None:
    chapters = " ".join(f"feline{n}" for n in range(40_000))
    others = [Memory(f"m{n}", f"kitten {n}") for n in range(100)]
    brain = Brain(tmp_path, Counting(odd={"feline": NEAR, "kitten": ALMOST}), Memory("long", chapters), *others)
    while brain.index.embed_some(brain.store, 500).left:
        pass
    assert len(brain.index.similar(NEAR, 50)) == 50


def test_the_spread_of_cosines_is_that_of_all(pets: Brain) -> None:
    vector = pets.model.embed_query("the cat sleeps on the warm sofa")
    cosines = [like.own for like in pets.index.similar(vector, 3).values()]
    spread = pets.index.spread(vector)
    assert spread is not None
    assert spread.mean == pytest.approx(sum(cosines) / 3, abs=1e-4)


def test_an_index_whose_vectors_were_harmed_is_built_anew(pets: Brain) -> None:
    pets.index.close()
    (file,) = pets.folder.rglob("*.db")
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE vector SET data = zeroblob(128)")
    connection.close()
    again = pets.with_model(Counting())
    assert again.like("sleeping cat") in ([], ["cat", "bread", "rates"], ["cat", "rates", "bread"])
    again.index.catch_up(again.store)
    assert again.like("sleeping cat")[0] == "cat"


def test_without_a_model_there_are_no_tables_of_vectors(tmp_path: Path) -> None:
    store = RamStore("x")
    store.apply([Put(Memory("a", "hello"))])
    index = SqliteIndex(tmp_path, store.url)
    index.catch_up(store)
    assert index.similar([1.0], 3) == {}
    index.close()
    (file,) = tmp_path.rglob("*.db")
    with closing(sqlite3.connect(file)) as connection, connection:
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    connection.close()
    assert not {"vector", "passage", "pending"} & names


def test_what_was_indexed_without_a_model_is_embedded_later(tmp_path: Path) -> None:
    store = RamStore(str(tmp_path))
    store.apply([Put(Memory("a", "hello there"))])
    plain = SqliteIndex(tmp_path, store.url)
    plain.catch_up(store)
    model = Counting()
    index = SqliteIndex(tmp_path, store.url, model=model)
    index.catch_up(store)
    assert list(index.similar(model.embed_query("hello"), 1)) == ["a"]
    # Whoever writes the index without a model leaves word of it for those with one.
    store.apply([Put(Memory("b", "something else"))])
    plain.catch_up(store)
    index.catch_up(store)
    assert list(index.similar(model.embed_query("something else"), 1)) == ["b"]
