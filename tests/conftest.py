"""What every test gets: an environment of its own, away from the home folder and the real time."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

# How long an example takes says more of the machine than of the code.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")

# A process whose files may not grow writes half a compiled module, which breaks whoever loads it next.
sys.dont_write_bytecode = True
os.environ["PYTHONDONTWRITEBYTECODE"] = "1"

#: The folder of data files that other systems wrote, where it lies beside the project.
DATA = Path(__file__).resolve().parents[1].parent / "shared" / "data"


@pytest.fixture
def outside_data() -> Path:
    """Return the folder of other systems' files; skip where it is absent."""
    if not DATA.is_dir():
        pytest.skip("the files that other systems wrote are not beside the project")
    return DATA


@pytest.fixture(autouse=True)
def own_environment(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Point every folder of the user at a temporary one, and take out settings of whoever runs the tests."""
    home = tmp_path_factory.mktemp("home")
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(home))
    for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "LOCALAPPDATA", "APPDATA"):
        monkeypatch.setenv(name, str(home / name.lower()))
    for name in (
        "BRAIN_STORE",
        "BRAIN_DIR",
        "MEMORY_DIR",
        "AGENT_BRAIN_BACKEND",
        "AGENT_BRAIN_PII_MODE",
        "AGENT_BRAIN_INGEST",
        "AGENT_BRAIN_REMOTE_EMBEDDINGS",
        "AGENT_BRAIN_EMBEDDING_URL",
        "AGENT_BRAIN_SUPERMEMORY_SYNC",
        "AGENT_BRAIN_SUPERMEMORY_DEBUG",
        "AGENT_BRAIN_SUPERMEMORY_TIMEOUT",
        "SUPERMEMORY_API_KEY",
        "SUPERMEMORY_API_URL",
        "BRAIN_CONFIG",
        "BRAIN_CACHE",
        "BRAIN_ACTOR",
        "BRAIN_PROFILE",
        "BRAIN_MODEL",
        "BRAIN_AUDIT",
        "BRAIN_MODELS",
        "BRAIN_MODEL_KEY",
        "BRAIN_ORIGIN",
        "BRAIN_NOW",
        "BRAIN_DEBUG",
    ):
        monkeypatch.delenv(name, raising=False)
