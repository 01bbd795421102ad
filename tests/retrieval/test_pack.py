"""Fitting hits into a budget."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from plainbrain.model.hit import Explanation, Hit
from plainbrain.model.memory import SUPERSEDED, Memory
from plainbrain.retrieval.pack import CUT, pack


def hit(id: str, text: str, status: str = "active") -> Hit:
    return Hit(Memory(id, text, status=status), 0.5, Explanation())


def test_the_same_said_twice_is_told_once() -> None:
    packed = pack([hit("a", "Use pnpm in every repository."), hit("b", "use PNPM in every repository")], max_chars=1000)
    assert [h.id for h in packed.hits] == ["a"]
    assert packed.folded == {"a": ("b",)}


def test_another_figure_is_another_fact() -> None:
    texts = ["The staging gateway listens on port 8443 for now", "The staging gateway listens on port 9443 for now"]
    assert len(pack([hit(t[-12:-8], t) for t in texts], max_chars=1000).hits) == 2


def test_what_is_superseded_never_takes_the_room_of_what_holds() -> None:
    old = [hit(f"old{n}", f"{n} " + "word " * 40, SUPERSEDED) for n in "abcdefg"]
    packed = pack([*old, hit("live", "the answer " * 10)], max_chars=350)
    assert "live" in [h.id for h in packed.hits]
    assert set(packed.left) <= {h.id for h in old}
    assert packed.left


def test_a_long_text_is_cut_at_a_word_and_says_so() -> None:
    packed = pack([hit("a", "word " * 100)], max_chars=120)
    assert packed.hits[0].memory.content.endswith("word" + CUT)


@given(st.lists(st.tuples(st.text(max_size=300), st.booleans()), max_size=8), st.integers(0, 800))
@settings(max_examples=200, deadline=None)
def test_the_budget_is_kept_and_nothing_is_lost(texts: list[tuple[str, bool]], most: int) -> None:
    hits = [hit(f"m{n}", text, SUPERSEDED if old else "active") for n, (text, old) in enumerate(texts)]
    packed = pack(hits, max_chars=most)
    assert sum(len(h.id) + len(h.memory.content) for h in packed.hits) == packed.used <= most
    folded = [id for ids in packed.folded.values() for id in ids]
    assert sorted([*(h.id for h in packed.hits), *packed.left, *folded]) == sorted(h.id for h in hits)
