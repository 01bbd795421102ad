"""Basic Memory's relations: each stands once, leads to what is there, and is answered on the other side."""

from __future__ import annotations

from pathlib import Path

from plainbrain.app.exports import ALL, write_folder
from plainbrain.app.intake import What
from plainbrain.model.links import Link
from tests.interchange.brains import brain_at, bring_in, memories_of
from tests.interchange.test_tools import write

RELATED = """---
title: Search
permalink: search
---

- [decision] FTS5

## Relations

- implements [[Local first]]
- implements [[Local first]] (mostly)
- needs [[Nothing here]]
"""


def test_a_relation_stands_once_and_is_answered(tmp_path: Path) -> None:
    folder = write(
        tmp_path / "notes",
        {
            "search.md": RELATED,
            "local.md": "---\ntitle: Local first\npermalink: local-first\n---\n\nText\n\n## Relations\n\n- implemented_by [[Search]]\n",
            "other.md": "---\ntitle: Other\npermalink: other\n---\n\n- made for [[local-first]]\n",
        },
    )
    with brain_at("vault", tmp_path / "a") as brain, brain_at("vault", tmp_path / "b") as again:
        bring_in(brain, folder)
        found = memories_of(brain)
        assert found["search"].content.endswith(
            "## Relations\n\n- implements [[Local first]] (mostly)\n- needs [[Nothing here]]"
        )
        assert found["search"].links == (Link("local-first", "implements"),)
        assert found["local-first"].content == "Text"
        assert found["local-first"].links == (Link("search", "implemented_by"), Link("other", "linked_from"))
        assert [problem.message for problem in brain.examine().problems] == ["[[Nothing here]] leads to no note"]
        assert bring_in(brain, folder).counts == {What.THERE: 3}
        write_folder(brain.context, "basic-memory", tmp_path / "out", choice=ALL)
        bring_in(again, tmp_path / "out")
        assert {id: (m.content, set(m.links)) for id, m in memories_of(again).items() if id != "search"} == {
            id: (m.content, set(m.links)) for id, m in found.items() if id != "search"
        }
