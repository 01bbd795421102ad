"""Places as people write them: what becomes the id, what the theme."""

from __future__ import annotations

import pytest

from plainbrain.app.moving import read_place
from plainbrain.errors import InvalidField, InvalidId


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("new-id", ("new-id", "")),
        ("infra/new-id", ("new-id", "infra")),
        ("infra/node/New Id.md", ("new-id", "infra/node")),
        ("infra/", ("", "infra")),
        ("infra\\new.MD", ("new", "infra")),
        ("Größe", ("grosse", "")),
    ],
)
def test_a_place(text: str, place: tuple[str, str]) -> None:
    assert read_place(text) == place


def test_a_theme_that_is_named_twice() -> None:
    assert read_place("infra/x", cortex="infra/") == ("x", "infra/")
    with pytest.raises(InvalidField):
        read_place("infra/x", cortex="ops")


@pytest.mark.parametrize("text", ["../x", "/x", "~/x", "a/../x", "C:x", "..", "\\\\host\\x"])
def test_a_place_outside(text: str) -> None:
    with pytest.raises(InvalidId):
        read_place(text)
