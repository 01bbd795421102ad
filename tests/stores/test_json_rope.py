"""A text in pieces is the text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from plainbrain.stores.json.rope import Rope, rope_of

PIECES = st.lists(
    st.builds(
        lambda data, a, b: (data, *sorted((a % (len(data) + 1), b % (len(data) + 1)))),
        st.binary(max_size=6),
        st.integers(0, 6),
        st.integers(0, 6),
    ),
    max_size=6,
)


@given(PIECES, st.integers(0, 40), st.integers(0, 40))
def test_a_rope_is_its_pieces_one_after_the_other(pieces: list[tuple[bytes, int, int]], start: int, end: int) -> None:
    text = b"".join(data[low:high] for data, low, high in pieces)
    rope = Rope(pieces)
    assert (rope.size, b"".join(rope.views())) == (len(text), text)
    assert rope.part(start, end) == text[start:end]
    assert Rope(rope.slices(start, end)).whole() == text[start:end]
    assert rope.whole() == text == rope.whole()
    assert rope.part(start, end) == text[start:end]


def test_a_mark_is_looked_for_in_its_piece_only() -> None:
    rope = rope_of(b"one;two", b"three", b";four")
    assert rope.until(b";", 0) == 3
    assert rope.until(b";", 3) == 3
    assert rope.until(b";", 4) == 7  # the end of the first piece
    assert rope.until(b";", 8) == 12
    assert rope.until(b";", 12) == 12


def test_putting_in_shares_what_stays() -> None:
    old = b"a" * 1000
    rope = Rope([*rope_of(old).slices(0, 500), (b"new", 0, 3), *rope_of(old).slices(500, 1000)])
    assert rope.size == 1003
    assert all(view.obj is old for view in (rope.views()[0], rope.views()[2]))
