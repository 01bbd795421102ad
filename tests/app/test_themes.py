"""Themes that differ in their letter case alone are one."""

from __future__ import annotations

import pytest

from plainbrain.app.themes import same_theme

THERE = ["infra", "infra/DNS", "Invoicing/pdf", "Mixed", "mixed", "gro\u0308ße"]


@pytest.mark.parametrize(
    ("name", "spelled"),
    [
        ("infra", "infra"),
        ("INFRA", "infra"),
        ("Infra / dns/", "infra/DNS"),
        ("infra/new", "infra/new"),
        ("Infra/New", "infra/New"),
        ("invoicing", "Invoicing"),
        ("INVOICING\\PDF", "Invoicing/pdf"),
        ("mixed", "mixed"),
        ("Mixed", "Mixed"),
        ("MIXED", "Mixed"),
        ("mixed/a", "mixed/a"),
        ("GRÖSSE", "gro\u0308ße"),
        ("other", "other"),
        ("", ""),
    ],
)
def test_a_theme_is_spelled_as_it_is_there(name: str, spelled: str) -> None:
    assert same_theme(name, THERE) == spelled
