"""A folder of notes on the disk and the brain that works on it, for tests of what goes wrong in the field."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.field.folder import Folder


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Folder]:
    """Return an empty vault with an open brain on it."""
    made = Folder(tmp_path / "brain")
    yield made
    made.brain.close()
