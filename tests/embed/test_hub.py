"""A known model is fetched from where its publisher keeps it, and held against what was written down."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from plainbrain.embed import install
from plainbrain.embed.installed import Installed
from plainbrain.embed.manifest import TOKENIZER, sha256_of
from plainbrain.embed.registry import open_model
from plainbrain.errors import Unavailable
from tests.embed.tiny import WIDTH


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def known(published: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[install.Known]:
    """Make the tiny model known, with a server of this machine as its hub."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(published)))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    sums = {name: sha256_of(published / name) for name in (install.WEIGHTS, install.CONFIG, TOKENIZER)}
    found = install.Known("known", sums, 32, f"http://127.0.0.1:{server.server_address[1]}", ())
    monkeypatch.setitem(install.KNOWN, "known", found)
    yield found
    server.shutdown()
    server.server_close()
    thread.join()


def test_it_is_fetched_and_told_how_far(known: install.Known, tmp_path: Path) -> None:
    seen: list[tuple[int, int, str]] = []
    Installed(tmp_path).install("known", source="", progress=lambda *told: seen.append(told))
    assert len(open_model("known", tmp_path, {}).embed_query("cat")) == WIDTH
    assert any(what == "fetching" and 0 < done <= total for done, total, what in seen)


@pytest.mark.parametrize("name", [install.WEIGHTS, install.CONFIG, TOKENIZER])
def test_another_checksum_installs_nothing(
    known: install.Known, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    other = replace(known, sha256=dict(known.sha256) | {name: "0" * 64})
    monkeypatch.setitem(install.KNOWN, "known", other)
    with pytest.raises(Unavailable, match=f"{name} is not the published one"):
        Installed(tmp_path).install("known", source="hub", progress=lambda *_: None)
    assert list(tmp_path.iterdir()) == []


def test_a_hub_that_has_it_not_is_named(known: install.Known, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(install.KNOWN, "known", replace(known, hub=f"{known.hub}/elsewhere"))
    with pytest.raises(Unavailable, match="hub: HTTPStatusError"):
        Installed(tmp_path).install("known", source="hub", progress=lambda *_: None)
