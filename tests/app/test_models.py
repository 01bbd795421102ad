"""A model from the command line to the brain: installed, chosen, used, broken, removed."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from plainbrain.app import models, wiring
from plainbrain.app.brain import Brain, make_brain
from plainbrain.app.settings import Settings, load_settings
from plainbrain.faces.cli.main import run
from plainbrain.model.change import Put
from plainbrain.model.memory import Memory
from tests.embed.tiny import write_model


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Return the settings of a machine on which the tiny model is installed and chosen."""
    found = load_settings(os.environ, store=f"vault:{tmp_path / 'brain'}")
    models.install(found, "tiny", source=str(write_model(tmp_path / "p" / "tiny")), progress=lambda *_: None)
    models.use(found, "tiny")
    return found


def brain_of(settings: Settings, *texts: str) -> Brain:
    brain = make_brain(settings.store)
    brain.store.apply([Put(Memory(text.replace(" ", "-"), text)) for text in texts])
    return brain


def said(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> tuple[str, str]:
    assert run(list(arguments)) == status
    found = capsys.readouterr()
    return found.out, found.err


def test_a_model_goes_from_folder_to_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = str(write_model(tmp_path / "tiny"))
    out, err = said(capsys, "model")
    assert "Used:   none" in out
    assert "brain model install" in err
    out, _ = said(capsys, "model", "install", "tiny", "--from", source)
    assert out.startswith("Installed: tiny (32 dimensions,")
    said(capsys, "model", "use", "tiny")
    status = json.loads(said(capsys, "model", "status", "--json")[0])
    assert status["used"] == "tiny"
    assert [(one["name"], one["kind"], one["fault"]) for one in status["models"]] == [("tiny", "onnx", "")]
    said(capsys, "model", "use", "off")
    assert wiring.open_embedder(load_settings(os.environ)) is None
    assert said(capsys, "model", "remove", "tiny")[0] == "Removed: tiny\n"
    said(capsys, "model", "remove", "tiny", status=1)
    said(capsys, "model", "use", "tiny", status=4)
    said(capsys, "model", "use", status=1)
    said(capsys, "model", "install", "unheard-of", status=4)


def test_a_brain_with_a_model_keeps_vectors(settings: Settings) -> None:
    with brain_of(settings, "the cat on the bread", "tea a rain") as brain:
        model = wiring.open_embedder(settings)
        assert model is not None
        brain.context.catch_up()
        found = brain.context.index.embed_some(brain.store, 10)
        assert (found.done, found.left) == (0, 0)
        other = wiring.open_index(brain.store, settings.cache, model=model)
        other.catch_up(brain.store)
        assert other.embed_some(brain.store, 10).embedded == 0


def test_everything_is_embedded_in_steps_with_progress(settings: Settings) -> None:
    with brain_of(settings, *(f"{'cat ' * (number % 10)}{'tea ' * (number // 10)}x" for number in range(130))) as brain:
        seen: list[tuple[int, int, str]] = []
        done = models.embed_all(brain.context, progress=lambda *told: seen.append(told))
        assert done == 130 - 48  # some are done whenever the brain looks what is new
        assert all(what == "embedding" and now <= total for now, total, what in seen)
        assert models.embed_all(brain.context) == 0


def test_a_broken_model_is_said_once_and_words_go_on(settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    brain_of(settings, "the cat on the bread").close()
    (settings.data / "models" / "tiny" / "model.onnx").write_bytes(b"broken")
    brain_of(settings, "a dog in the rain").close()
    capsys.readouterr()
    with brain_of(settings) as brain:
        assert len(brain.search("dog").hits) == 1
        assert len(brain.search("cat").hits) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("model.onnx is not what was installed") == 1
    assert "recall goes on with words" in err


def test_a_model_that_is_gone_is_said_and_words_go_on(settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    brain_of(settings, "the cat on the bread").close()
    shutil.rmtree(settings.data / "models" / "tiny")
    with brain_of(settings) as brain:
        assert len(brain.search("cat").hits) == 1
    assert capsys.readouterr().err.count("there is no model at tiny") == 1


def test_a_setting_goes_before_the_choice(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    for word, name in {"hash-64": "hash-64", "http://127.0.0.1:1/v1#m": "http://127.0.0.1:1/v1#m"}.items():
        monkeypatch.setenv("BRAIN_MODEL", word)
        model = wiring.open_embedder(load_settings(os.environ))
        assert model is not None
        assert model.name == name
    monkeypatch.setenv("BRAIN_MODEL", "off")
    assert wiring.open_embedder(load_settings(os.environ)) is None


def test_an_endpoint_that_is_not_there_costs_words_nothing(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BRAIN_MODEL", "http://127.0.0.1:1/v1#m")
    with brain_of(settings, "the cat on the bread") as brain:
        assert len(brain.search("cat").hits) == 1
        assert len(brain.search("bread").hits) == 1
    assert capsys.readouterr().err.count("the embedding endpoint") == 1


def test_doctor_names_a_model_that_fails(settings: Settings) -> None:
    brain_of(settings, "the cat on the bread").close()
    (settings.data / "models" / "tiny" / "model.onnx").write_bytes(b"broken")
    with brain_of(settings, "a dog in the rain") as brain:
        assert [p.code for p in brain.examine().problems] == ["no-model"]
