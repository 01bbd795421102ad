"""A model tells nobody that it is used."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

_USE = """
import sys
from pathlib import Path
from plainbrain.embed.local import LocalEmbedder
from plainbrain.embed.manifest import read_manifest
folder = Path(sys.argv[1])
print(len(LocalEmbedder(folder, read_manifest(folder)).embed(["one two"])[0]))
"""


def test_using_a_model_leaves_no_trace_in_the_home_folder(models: Path, tmp_path: Path) -> None:
    [folder] = [path for path in models.iterdir() if (path / "manifest.json").exists()][:1]
    home = tmp_path / "home"
    home.mkdir()
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("ORT_")},
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / "cache"),
    }
    done = subprocess.run(
        [sys.executable, "-c", _USE, str(folder)], env=environment, capture_output=True, text=True, check=True
    )
    assert int(done.stdout) > 0
    assert list(home.rglob("*")) == []
