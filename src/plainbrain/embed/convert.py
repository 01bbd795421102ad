"""Making an ONNX sentence encoder from the weights of a BERT model, without its training library.

Owns the graph: word, position and token-type embeddings, layers of self-attention, then the mean over the
tokens that count and the length one. Follows Devlin et al. 2018 (BERT) and Reimers and Gurevych 2019 (mean pooling).
Writes full precision, and eight-bit weights by dynamic quantisation. Needs onnx and onnxruntime.
"""

from __future__ import annotations

import json
import math
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, checker, helper, numpy_helper, save
from onnxruntime.quantization import QuantType, quantize_dynamic

from plainbrain.embed.tensors import Tensor, read_tensors
from plainbrain.errors import Unreadable

_OPSET, _FORMAT = 20, 10
#: Added to the score of a token that does not count.
_FAR = -1e9
_LEAST = 1e-9
#: What keeps the quantiser from advising a step that this graph does not need.
_READY = {"onnx.quant.pre_process": "onnxruntime.quant"}


@dataclass(frozen=True, slots=True)
class Shape:
    """Say how a BERT model is built; from its ``config.json``."""

    layers: int
    heads: int
    width: int
    epsilon: float

    @classmethod
    def of(cls, config: Mapping[str, Any]) -> Shape:
        """Read the shape. Raise Unreadable for a model of another family."""
        try:
            if config["model_type"] != "bert" or config.get("hidden_act", "gelu") != "gelu":
                raise Unreadable(
                    f"a model of the family {config['model_type']!r} cannot be converted",
                    value=config["model_type"],
                    hint="bring it as ONNX: a folder with model.onnx and tokenizer.json",
                )
            return cls(
                int(config["num_hidden_layers"]),
                int(config["num_attention_heads"]),
                int(config["hidden_size"]),
                float(config.get("layer_norm_eps", 1e-12)),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise Unreadable(f"config.json does not describe a BERT model: {error}", path="config.json") from error


class _Graph:
    """Collect nodes and weights; each method returns the name of what it made."""

    def __init__(self, weights: Mapping[str, Tensor], shape: Shape) -> None:
        self._weights = weights
        self._shape = shape
        self.nodes: list[NodeProto] = []
        self.constants: dict[str, NDArray[Any]] = {}

    def op(self, kind: str, *inputs: str, **attributes: Any) -> str:
        """Add a node with one result."""
        name = f"{kind.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name=name, **attributes))
        return name

    def constant(self, name: str, value: NDArray[Any]) -> str:
        """Hold a value under a name."""
        self.constants[name] = value
        return name

    def weight(self, name: str) -> str:
        """Take a tensor of the model. Raise Unreadable when it is missing."""
        return self.constant(name, np.ascontiguousarray(self._tensor(name), dtype=np.float32))

    def _tensor(self, name: str) -> Tensor:
        try:
            return self._weights[name]
        except KeyError as error:
            raise Unreadable(f"the weights hold no {name}", value=name, hint="use the model's own file") from error

    def dense(self, source: str, name: str) -> str:
        """Multiply by a layer's weights (kept as the rows of its output) and add its bias."""
        kernel = np.ascontiguousarray(self._tensor(f"{name}.weight").T, dtype=np.float32)
        product = self.op("MatMul", source, self.constant(f"{name}.kernel", kernel))
        return self.op("Add", product, self.weight(f"{name}.bias"))

    def norm(self, source: str, name: str) -> str:
        """Bring a layer to mean zero and deviation one, then scale and shift it."""
        scale, shift = self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        return self.op("LayerNormalization", source, scale, shift, axis=-1, epsilon=self._shape.epsilon)

    def embeddings(self) -> str:
        """Add up what a token's word, place and type say."""
        words = self.op("Gather", self.weight("embeddings.word_embeddings.weight"), "input_ids")
        types = self.op("Gather", self.weight("embeddings.token_type_embeddings.weight"), "token_type_ids")
        self.constant("zero", np.array([0], np.int64))
        self.constant("one", np.array([1], np.int64))
        length = self.op("Shape", "input_ids", start=1, end=2)
        place = self.op("Slice", self.weight("embeddings.position_embeddings.weight"), "zero", length, "zero")
        return self.norm(self.op("Add", self.op("Add", words, types), place), "embeddings.LayerNorm")

    def mask(self) -> str:
        """Return what is added to attention scores: nothing for a token that counts."""
        self.constant("axes", np.array([1, 2], np.int64))
        counted = self.op("Cast", self.op("Unsqueeze", "attention_mask", "axes"), to=TensorProto.FLOAT)
        missing = self.op("Sub", self.constant("whole", np.array(1, np.float32)), counted)
        return self.op("Mul", missing, self.constant("far", np.array(_FAR, np.float32)))

    def attention(self, source: str, mask: str, name: str) -> str:
        """Let every token look at every other, by heads."""
        size = self._shape.width // self._shape.heads
        split = self.constant("split", np.array([0, 0, self._shape.heads, size], np.int64))
        join = self.constant("join", np.array([0, 0, self._shape.width], np.int64))

        def by_heads(part: str, order: list[int]) -> str:
            cut = self.op("Reshape", self.dense(source, f"{name}.self.{part}"), split)
            return self.op("Transpose", cut, perm=order)

        query, key = by_heads("query", [0, 2, 1, 3]), by_heads("key", [0, 2, 3, 1])
        value = by_heads("value", [0, 2, 1, 3])
        root = self.constant("root", np.array(math.sqrt(size), np.float32))
        scores = self.op("Add", self.op("Div", self.op("MatMul", query, key), root), mask)
        mixed = self.op("Transpose", self.op("MatMul", self.op("Softmax", scores, axis=-1), value), perm=[0, 2, 1, 3])
        dense = self.dense(self.op("Reshape", mixed, join), f"{name}.output.dense")
        return self.norm(self.op("Add", dense, source), f"{name}.output.LayerNorm")

    def layer(self, source: str, mask: str, name: str) -> str:
        """Add one layer of the encoder."""
        seen = self.attention(source, mask, f"{name}.attention")
        wide = self.op("Gelu", self.dense(seen, f"{name}.intermediate.dense"))
        return self.norm(self.op("Add", self.dense(wide, f"{name}.output.dense"), seen), f"{name}.output.LayerNorm")

    def pool(self, source: str) -> str:
        """Return the mean of the tokens that count, at length one."""
        self.constant("last", np.array([-1], np.int64))
        counted = self.op("Cast", self.op("Unsqueeze", "attention_mask", "last"), to=TensorProto.FLOAT)
        total = self.op("ReduceSum", self.op("Mul", source, counted), "one", keepdims=0)
        least = self.constant("least", np.array(_LEAST, np.float32))
        count = self.op("Max", self.op("ReduceSum", counted, "one", keepdims=0), least)
        mean = self.op("Div", total, count)
        length = self.op("Max", self.op("ReduceL2", mean, "last", keepdims=1), least)
        return self.op("Div", mean, length)


def build_encoder(weights: Mapping[str, Tensor], config: Mapping[str, Any]) -> ModelProto:
    """Return the graph from token numbers (batch, length) to unit vectors (batch, width). Raise Unreadable."""
    shape = Shape.of(config)
    plain = {name.removeprefix("bert."): tensor for name, tensor in weights.items()}
    graph = _Graph(plain, shape)
    hidden, mask = graph.embeddings(), graph.mask()
    for number in range(shape.layers):
        hidden = graph.layer(hidden, mask, f"encoder.layer.{number}")
    pooled = graph.pool(hidden)
    graph.nodes.append(helper.make_node("Identity", [pooled], ["sentence_embedding"]))
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"])
        for name in ("input_ids", "attention_mask", "token_type_ids")
    ]
    output = helper.make_tensor_value_info("sentence_embedding", TensorProto.FLOAT, ["batch", shape.width])
    constants = [numpy_helper.from_array(value, name) for name, value in graph.constants.items()]
    made = helper.make_graph(graph.nodes, "encoder", inputs, [output], constants)
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_FORMAT)
    helper.set_model_props(model, _READY)
    checker.check_model(model)
    return model


def convert(weights: Path, config: Path, target: Path) -> None:
    """Write ``target``: the encoder of a weights file, its weights in eight bits. Raise Unreadable."""
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.onnx"
        convert_whole(weights, config, whole)
        quantize_dynamic(whole, target, weight_type=QuantType.QInt8, per_channel=True)


def convert_whole(weights: Path, config: Path, target: Path) -> None:
    """Write ``target``: the encoder of a weights file in full precision. Raise Unreadable."""
    try:
        described = json.loads(config.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Unreadable(f"{config.name} cannot be read: {error}", path=str(config)) from error
    save(build_encoder(read_tensors(weights), described), str(target))
