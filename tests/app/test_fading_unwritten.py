"""Fading where nothing can be written: what stands is told to stand, and nothing is where nothing faded."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainbrain.app import fading
from plainbrain.app.brain import make_brain
from plainbrain.app.entries import Said
from plainbrain.errors import PartlyDone, ReadOnly
from plainbrain.testing.builders import FixedClock


def refuse(*_: object) -> None:
    raise ReadOnly("cannot write values.json", value="values.json", hint="check the mode")


@pytest.mark.parametrize(("days", "expected"), [(1, ReadOnly), (400, PartlyDone)])
def test_only_what_faded_is_told_to_stand(
    days: int, expected: type[Exception], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = FixedClock()
    with make_brain(f"vault:{tmp_path / 'brain'}", clock=clock) as brain:
        brain.add(Said("fact", "The cache is Redis"))
        clock.advance(days=days)
        monkeypatch.setattr(type(brain.context.store.journal), "update", refuse)
        with pytest.raises(expected) as caught:
            fading.decay_now(brain.context)
        assert type(caught.value) is expected
