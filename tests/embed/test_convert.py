"""From published weights to a model that runs: the right arithmetic, in eight bits nearly the same."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from plainbrain.embed.convert import convert_whole
from plainbrain.embed.registry import open_model
from plainbrain.embed.tensors import read_tensors
from plainbrain.errors import Unreadable
from tests.embed.tiny import WIDTH, embed_by_hand, weights, write_tensors

TEXTS = {"the cat": [2, 11, 4, 3], "tea on the bread .": [2, 6, 12, 11, 8, 13, 3], "zzz": [2, 1, 3], "": [2, 3]}


def test_the_graph_does_what_the_formulas_say(published: Path, tmp_path: Path) -> None:
    convert_whole(published / "model.safetensors", published / "config.json", tmp_path / "whole.onnx")
    session = onnxruntime.InferenceSession(str(tmp_path / "whole.onnx"), providers=["CPUExecutionProvider"])
    longest = max(map(len, TEXTS.values()))
    ids = np.array([row + [0] * (longest - len(row)) for row in TEXTS.values()])
    mask = np.array([[1] * len(row) + [0] * (longest - len(row)) for row in TEXTS.values()])
    feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    answer = np.asarray(session.run(None, feed)[0])
    for row, numbers in zip(answer, TEXTS.values(), strict=True):
        assert row == pytest.approx(embed_by_hand(numbers, weights()), abs=1e-5)


def test_eight_bits_keep_the_direction(models: Path) -> None:
    found = open_model("tiny", models, {}).embed(list(TEXTS))
    for vector, numbers in zip(found, TEXTS.values(), strict=True):
        assert len(vector) == WIDTH
        assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-5)
        assert float(np.dot(vector, embed_by_hand(numbers, weights()))) > 0.97


def test_tensors_are_read_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "t.safetensors"
    write_tensors(path, {"a": np.arange(6, dtype=np.float32).reshape(2, 3), "b": np.ones(1, np.float32)})
    found = read_tensors(path)
    assert found["a"].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert found["b"].tolist() == [1]


def test_numbers_in_brain_float_form_are_widened(tmp_path: Path) -> None:
    head = json.dumps({"a": {"dtype": "BF16", "shape": [2], "data_offsets": [0, 4]}}).encode()
    path = tmp_path / "t.safetensors"
    path.write_bytes(len(head).to_bytes(8, "little") + head + b"\x80\x3f\x00\xc0")
    assert read_tensors(path)["a"].tolist() == [1.0, -2.0]


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:7],
        lambda data: data[:100],
        lambda data: data[:-1],
        lambda data: (1 << 60).to_bytes(8, "little") + data[8:],
        lambda data: data.replace(b'"F32"', b'"X99"', 1),
        lambda data: data.replace(b'"data_offsets": [0', b'"data_offsets": [9', 1),
        lambda data: (2).to_bytes(8, "little") + b"[]",
        lambda data: (200_000).to_bytes(8, "little") + b"[" * 200_000,
    ],
)
def test_a_file_that_is_not_whole_is_told(published: Path, tmp_path: Path, damage: object) -> None:
    assert callable(damage)
    path = tmp_path / "t.safetensors"
    path.write_bytes(damage((published / "model.safetensors").read_bytes()))
    with pytest.raises(Unreadable, match=r"t\.safetensors is no whole safetensors file"):
        read_tensors(path)


@pytest.mark.parametrize("config", ['{"model_type": "gpt2"}', "{}", "no json", '{"model_type": "bert"}'])
def test_a_model_of_another_family_is_told(published: Path, tmp_path: Path, config: str) -> None:
    (tmp_path / "config.json").write_text(config, encoding="utf-8")
    with pytest.raises(Unreadable):
        convert_whole(published / "model.safetensors", tmp_path / "config.json", tmp_path / "out.onnx")
    assert not (tmp_path / "out.onnx").exists()
