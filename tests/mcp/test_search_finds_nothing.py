"""A search that shows nothing says why, so that a slip is not taken for an empty memory."""

from __future__ import annotations

from pathlib import Path

from plainbrain import make_brain
from plainbrain.faces.mcp.answers import search


def test_a_mistyped_theme_and_a_page_past_the_end_are_told_apart(tmp_path: Path) -> None:
    with make_brain(tmp_path / "brain") as brain:
        brain.encode("Kestrel uses a queue", "in Postgres", cortex="kestrel/queue")
        given = {"query": "kestrel", "k": 5, "offset": 0, "cortex": None, "include_superseded": False, "explain": False}
        assert "kestrel-uses-a-queue" in search(brain, given).text
        assert "Past the end: 1 match" in search(brain, {**given, "offset": 60}).text
        told = search(brain, {**given, "cortex": "kestrle"}).text
        assert "There is no theme 'kestrle'" in told
        assert "kestrel/queue" in told
        assert "Nothing stored matches" in search(brain, {**given, "query": "zebra", "cortex": "kestrel"}).text
