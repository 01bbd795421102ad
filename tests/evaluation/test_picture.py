"""The picture of recall against latency: every ranking on it, the same bytes for the same points, no label on another."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from itertools import pairwise
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from plainbrain.evaluation.picture import draw
from plainbrain.evaluation.rankings import Point, compare_rankings, table_of_rankings
from plainbrain.evaluation.runner import Way
from plainbrain.evaluation.trial import Question, Trial
from plainbrain.model.memory import Memory
from plainbrain.testing.builders import NOON

_SVG = "{http://www.w3.org/2000/svg}"
points = st.lists(
    st.builds(
        Point,
        st.text("ab<&", min_size=1, max_size=9),
        st.floats(0, 1),
        st.floats(0, 1),
        st.floats(0, 5000),
        st.floats(0, 5000),
    ),
    max_size=8,
)


@given(points)
@settings(max_examples=100, deadline=None)
def test_any_points_can_be_drawn(drawn: list[Point]) -> None:
    text = draw(drawn, title="what <is> found")
    assert text == draw(drawn, title="what <is> found")
    root = ElementTree.fromstring(text)
    dots = root.findall(f"{_SVG}circle")
    assert len(dots) == len(drawn)
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    for dot in dots:
        assert 0 <= float(dot.attrib["cx"]) <= width
        assert 0 <= float(dot.attrib["cy"]) <= height
    heights = [float(one.attrib["y"]) for one in root.findall(f"{_SVG}text") if float(one.attrib["x"]) > 570]
    assert len(heights) == len(drawn)
    assert all(below - above >= 14.8 for above, below in pairwise(heights))


def test_a_better_ranking_stands_higher_and_a_slower_one_further_right() -> None:
    found = draw([Point("slow and good", 0.8, 0.6, 10.0, 20.0), Point("fast and poor", 0.4, 0.3, 1.0, 2.0)], title="x")
    (x, y), (x_, y_) = [(float(a), float(b)) for a, b in re.findall(r'cx="([\d.]+)" cy="([\d.]+)"', found)]
    assert y < y_
    assert x > x_
    assert "slow and good: 80.0" in found
    assert "fast and poor: recall@10 40.0 %, 1.0 ms" in found


def test_every_ranking_by_words_is_held_beside_the_others(tmp_path: Path) -> None:
    memory = Memory("port", "The gateway listens at port 9443.", created=NOON)
    trial = Trial("one", (memory,), (Question("gateway port", "any", ("port",)),), NOON)
    way = Way(model="off", environment={"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)})
    found = compare_rankings([trial], way)
    assert [one.name.partition(",")[0] for one in found] == ["fast", "balanced", "deep", "blueprint", "rrf", "auto"]
    assert {one.recall for one in found} == {1.0}
    table = table_of_rankings(found)
    assert len(table) == 2 + len(found)
    assert table[-1].startswith("| auto, words | 100.0 | 100.0 | ")
    with_hashes = compare_rankings([trial], Way(model="hash", environment=way.environment))
    assert len(with_hashes) == len(found) + 2
    assert with_hashes[-1].name.startswith("auto, ")
    assert "words" not in with_hashes[-1].name
