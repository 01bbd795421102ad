"""What lies in a model's folder: the files, how they are to be used, and whether they are whole.

Owns ``manifest.json``, which is written when a model is installed, and the reading of folders that somebody else
made (an ONNX export with its tokenizer, a model2vec table). Promises that a file which changed gives another
name to the vectors. Raises Unavailable.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from plainbrain.errors import Unavailable

NAME = "manifest.json"
ONNX, STATIC = "onnx", "static"
_FORMAT = 1
_WEIGHTS = (
    "model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx", "model_int8.onnx",
    "onnx/model_int8.onnx", "model_qint8.onnx", "model_optimized.onnx",
)  # fmt: skip
_TABLE = "model.safetensors"
TOKENIZER = "tokenizer.json"
#: As many tokens as are looked at when a folder does not say: what most small encoders were trained with.
_MAX_TOKENS = 256
_MOST_TOKENS = 8192
#: Bytes at both ends of a file that tell it from another where no checksum is written down.
_ENDS = 1 << 16


@dataclass(frozen=True, slots=True)
class Whole:
    """Say what a file must be: its size in bytes and its sha256 in hexadecimal."""

    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """Describe a model: ``weights`` and ``tokenizer`` are paths in its folder, ``files`` what they must be.

    ``dimensions`` is 0 where only the model itself can tell; ``pooling`` is ``mean`` or ``cls`` and counts for
    models that give a vector for each token.
    """

    name: str
    kind: str
    weights: str
    tokenizer: str = TOKENIZER
    dimensions: int = 0
    max_tokens: int = _MAX_TOKENS
    pooling: str = "mean"
    query_prefix: str = ""
    passage_prefix: str = ""
    source: str = ""
    files: Mapping[str, Whole] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Shape:
    """Hold what a model's publisher says of it: its family, sizes, and the words that go before its texts."""

    family: str
    dimensions: int
    max_tokens: int
    pooling: str
    query_prefix: str
    passage_prefix: str


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write down what is in a folder. Raise OSError."""
    text = json.dumps({"format": _FORMAT, **asdict(manifest)}, indent=1)
    (folder / NAME).write_text(text + "\n", encoding="utf-8")


def measure(folder: Path, *names: str) -> dict[str, Whole]:
    """Return what files are now, by their path in the folder. Raise OSError."""
    return {name: Whole((folder / name).stat().st_size, sha256_of(folder / name)) for name in names}


def sha256_of(path: Path) -> str:
    """Return the sha256 of a file in hexadecimal. Raise OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_manifest(folder: Path) -> Manifest:
    """Return what a folder holds, by its manifest or by what lies there. Raise Unavailable."""
    try:
        text = (folder / NAME).read_text(encoding="utf-8")
    except FileNotFoundError:
        return _guess(folder)
    except (OSError, UnicodeDecodeError) as error:
        raise _useless(folder, f"{NAME} cannot be read: {error}") from error
    try:
        values = json.loads(text)
        if values.pop("format") != _FORMAT:
            raise ValueError("another format")
        files = {str(name): Whole(**entry) for name, entry in values.pop("files").items()}
        found = Manifest(**values, files=files)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise _useless(folder, f"{NAME} is not what was written: {error}") from error
    return found


def verify(folder: Path, manifest: Manifest) -> None:
    """Hold every file against its size and checksum. Raise Unavailable naming the file that is not whole."""
    for name, whole in manifest.files.items():
        try:
            size = (folder / name).stat().st_size
            same = size == whole.size and sha256_of(folder / name) == whole.sha256
        except OSError as error:
            raise _useless(folder, f"{name} cannot be read: {error.strerror}") from error
        if not same:
            raise _useless(folder, f"{name} is not what was installed ({size} bytes)")


def space_of(folder: Path, manifest: Manifest) -> str:
    """Return the name of the space that a model's vectors lie in: its name, and what tells these weights from others."""
    known = manifest.files.get(manifest.weights)
    try:
        mark = known.sha256 if known else _ends_of(folder / manifest.weights)
    except OSError as error:
        raise _useless(folder, f"{manifest.weights} cannot be read: {error.strerror}") from error
    how = f"{manifest.pooling}{manifest.query_prefix}{manifest.passage_prefix}{manifest.max_tokens}"
    more = hashlib.sha256(f"{mark} {how}".encode()).hexdigest()
    return f"{manifest.name}@{more[:12]}"


def _ends_of(path: Path) -> str:
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(_ENDS)
        file.seek(max(0, size - _ENDS))
        return hashlib.sha256(b"%d " % size + head + file.read(_ENDS)).hexdigest()


def _guess(folder: Path) -> Manifest:
    """Tell by its files what a folder is that nobody described."""
    if not folder.is_dir():
        raise Unavailable(f"there is no model at {folder}", value=str(folder), hint="brain model install")
    tokenizer = next((name for name in (TOKENIZER, f"onnx/{TOKENIZER}") if (folder / name).is_file()), "")
    if not tokenizer:
        raise _useless(folder, f"it holds no {TOKENIZER}")
    shape = read_shape(folder)
    weights = next((name for name in _WEIGHTS if (folder / name).is_file()), "") or _only_onnx(folder)
    if weights:
        return Manifest(
            folder.name,
            ONNX,
            weights,
            tokenizer,
            dimensions=shape.dimensions,
            max_tokens=shape.max_tokens,
            pooling=shape.pooling,
            query_prefix=shape.query_prefix,
            passage_prefix=shape.passage_prefix,
        )
    if (folder / _TABLE).is_file() and shape.family == "model2vec":
        return Manifest(folder.name, STATIC, _TABLE, tokenizer, max_tokens=shape.max_tokens)
    raise _useless(folder, "it holds neither model.onnx nor a model2vec table")


def read_shape(folder: Path) -> Shape:
    """Return what the small files of a model's publisher say; usual values for what they leave out."""
    config = _json(folder / "config.json")
    prompts = _json(folder / "config_sentence_transformers.json").get("prompts")
    prompts = prompts if isinstance(prompts, dict) else {}
    return Shape(
        family=str(config.get("model_type", "")),
        dimensions=_number(config.get("hidden_size"), 0),
        max_tokens=_max_tokens(folder, config),
        pooling="cls" if _json(folder / "1_Pooling" / "config.json").get("pooling_mode_cls_token") is True else "mean",
        query_prefix=str(prompts.get("query", "")),
        passage_prefix=str(prompts.get("passage", prompts.get("document", ""))),
    )


def _only_onnx(folder: Path) -> str:
    found = sorted(path.name for path in folder.glob("*.onnx"))
    return found[0] if len(found) == 1 else ""


def _max_tokens(folder: Path, config: Mapping[str, Any]) -> int:
    said = _json(folder / "sentence_bert_config.json").get("max_seq_length") or config.get("seq_length")
    most = _number(config.get("max_position_embeddings"), _MOST_TOKENS)
    return min(_number(said, min(_MAX_TOKENS, most)), most, _MOST_TOKENS)


def _number(value: object, otherwise: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else otherwise


def _json(path: Path) -> Mapping[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}  # an optional file: what it would have said stays at its usual value
    return found if isinstance(found, dict) else {}


def _useless(folder: Path, why: str) -> Unavailable:
    return Unavailable(
        f"the model in {folder} cannot be used: {why}",
        value=str(folder),
        hint="install it again: brain model install",
    )
