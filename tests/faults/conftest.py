"""Places for tests about faults."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def quick_place(tmp_path: Path) -> Iterator[Path]:
    """Give a folder in memory where there is one: this is about order, not about the disk, and syncing takes long."""
    if not os.access("/dev/shm", os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir="/dev/shm") as place:
        yield Path(place)
