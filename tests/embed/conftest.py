"""A tiny real model, made once: published, and installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainbrain.embed.installed import Installed
from tests.embed.tiny import write_model


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the tiny model as its publisher gives it."""
    return write_model(tmp_path_factory.mktemp("published") / "tiny")


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory, published: Path) -> Path:
    """Return a folder in which the tiny model is installed. Nobody writes to it."""
    folder = tmp_path_factory.mktemp("models")
    Installed(folder).install("tiny", source=str(published), progress=lambda *_: None)
    return folder
