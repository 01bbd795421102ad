"""A BERT of two layers with random weights, in the files its publisher would give: real in everything but its sense."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

Floats = NDArray[np.float32]
WIDTH, HEADS, LAYERS, INNER, PLACES = 32, 4, 2, 64, 64
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "cat", "dog", "tea", "rain", "bread", "##s", "a", "the", "on", "."]


def weights(seed: int = 7) -> dict[str, Floats]:
    """Return the tensors of the model, by the names BERT gives them."""
    random = np.random.default_rng(seed)

    def some(*shape: int) -> Floats:
        return random.normal(0, 0.3, shape).astype(np.float32)

    found = {
        "embeddings.word_embeddings.weight": some(len(WORDS), WIDTH),
        "embeddings.position_embeddings.weight": some(PLACES, WIDTH),
        "embeddings.token_type_embeddings.weight": some(2, WIDTH),
    }
    norms = ["embeddings.LayerNorm"]
    for number in range(LAYERS):
        at = f"encoder.layer.{number}"
        for part in ("query", "key", "value"):
            found |= _dense(f"{at}.attention.self.{part}", some(WIDTH, WIDTH), some(WIDTH))
        found |= _dense(f"{at}.attention.output.dense", some(WIDTH, WIDTH), some(WIDTH))
        found |= _dense(f"{at}.intermediate.dense", some(INNER, WIDTH), some(INNER))
        found |= _dense(f"{at}.output.dense", some(WIDTH, INNER), some(WIDTH))
        norms += [f"{at}.attention.output.LayerNorm", f"{at}.output.LayerNorm"]
    for name in norms:
        found |= _dense(name, 1 + some(WIDTH), some(WIDTH))
    return found


def _dense(name: str, weight: Floats, bias: Floats) -> dict[str, Floats]:
    return {f"{name}.weight": weight, f"{name}.bias": bias}


def write_tensors(path: Path, tensors: dict[str, Floats]) -> None:
    """Write a safetensors file."""
    header, data = {}, b""
    for name, tensor in tensors.items():
        raw = tensor.astype("<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    head = json.dumps(header).encode()
    path.write_bytes(len(head).to_bytes(8, "little") + head + data)


def write_model(folder: Path, *, seed: int = 7) -> Path:
    """Write the folder of a publisher: weights, config and tokenizer."""
    folder.mkdir(parents=True, exist_ok=True)
    write_tensors(folder / "model.safetensors", weights(seed))
    config = {
        "model_type": "bert", "hidden_act": "gelu", "hidden_size": WIDTH, "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS, "layer_norm_eps": 1e-12, "max_position_embeddings": PLACES,
    }  # fmt: skip
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    tokenizer = Tokenizer(models.WordPiece({word: n for n, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def embed_by_hand(ids: list[int], tensors: dict[str, Floats]) -> Floats:
    """Work out the vector of a text in plain arithmetic: the formulas of BERT, one text, no padding."""

    def dense(x: Floats, name: str) -> Floats:
        return x @ tensors[f"{name}.weight"].T + tensors[f"{name}.bias"]

    def norm(x: Floats, name: str) -> Floats:
        middle = x - x.mean(axis=-1, keepdims=True)
        scaled = middle / np.sqrt((middle**2).mean(axis=-1, keepdims=True) + 1e-12)
        return np.asarray(scaled * tensors[f"{name}.weight"] + tensors[f"{name}.bias"])

    gelu = np.vectorize(lambda v: 0.5 * v * (1 + math.erf(v / math.sqrt(2))))
    x = tensors["embeddings.word_embeddings.weight"][ids] + tensors["embeddings.position_embeddings.weight"][: len(ids)]
    x = norm(x + tensors["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    size = WIDTH // HEADS
    for number in range(LAYERS):
        at = f"encoder.layer.{number}"
        query, key, value = (dense(x, f"{at}.attention.self.{part}") for part in ("query", "key", "value"))
        heads = []
        for head in range(HEADS):
            of = slice(head * size, (head + 1) * size)
            scores = query[:, of] @ key[:, of].T / math.sqrt(size)
            grown = np.exp(scores - scores.max(axis=-1, keepdims=True))
            heads.append(grown / grown.sum(axis=-1, keepdims=True) @ value[:, of])
        seen = dense(np.concatenate(heads, axis=1), f"{at}.attention.output.dense")
        x = norm(seen + x, f"{at}.attention.output.LayerNorm")
        x = norm(dense(gelu(dense(x, f"{at}.intermediate.dense")), f"{at}.output.dense") + x, f"{at}.output.LayerNorm")
    mean = x.mean(axis=0)
    return np.asarray(mean / np.linalg.norm(mean))
