"""Which embedder a word stands for, and an embedder that is loaded when it is first asked.

A word is ``hash`` or ``hash-N``, ``URL#MODEL`` of an OpenAI-compatible endpoint, the name of an installed model, or
the path of a folder. Libraries are imported when their kind of model is used. Raises Unavailable.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from plainbrain.embed.manifest import ONNX, Manifest, read_manifest, space_of
from plainbrain.errors import Unavailable
from plainbrain.ports import Model

KEY_VARIABLE = "BRAIN_MODEL_KEY"
#: The model that is used without being named, where it is installed.
USUAL = "all-MiniLM-L6-v2"
OFF = frozenset({"off", "none", "no", "false", "0", "words"})
_CHOICE = ".choice"


def chosen(models: Path) -> str:
    """Return the word that was chosen for this machine, the usual model where it is installed, else ``""``."""
    try:
        word = (models / _CHOICE).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        word = ""  # nothing was chosen
    return word or (USUAL if (models / USUAL).is_dir() else "")


def choose(word: str, models: Path) -> None:
    """Remember the word to use from now on; an empty one forgets it. Raise OSError."""
    models.mkdir(mode=0o700, parents=True, exist_ok=True)
    if word:
        (models / _CHOICE).write_text(f"{word}\n", encoding="utf-8")
    else:
        (models / _CHOICE).unlink(missing_ok=True)


def open_model(word: str, models: Path, environment: Mapping[str, str]) -> Model:
    """Return the embedder that ``word`` names; ``models`` holds the installed ones. Raise Unavailable.

    A model on the disk is described at once and loaded at the first text.
    """
    kind, _, number = word.partition("-")
    if kind == "hash" and (not number or number.isdecimal()):
        from plainbrain.embed.hashing import DIMENSIONS, HashEmbedder

        return HashEmbedder(int(number or DIMENSIONS))
    if word.startswith(("http://", "https://")):
        from plainbrain.embed.endpoint import EndpointEmbedder

        url, _, model = word.partition("#")
        return EndpointEmbedder(url, model, key=environment.get(KEY_VARIABLE, ""))
    return open_folder(folder_of(word, models))


def folder_of(word: str, models: Path) -> Path:
    """Return the folder that a word means: an installed model's, else the path itself."""
    installed = models / word
    if word and Path(word).name == word and installed.is_dir():
        return installed
    return Path(word).expanduser()


def open_folder(folder: Path) -> Model:
    """Return the embedder of a model's folder, to be loaded at the first text. Raise Unavailable."""
    manifest = read_manifest(folder)
    return Deferred(
        space_of(folder, manifest), dimensions=manifest.dimensions, load=lambda: load_folder(folder, manifest)
    )


def load_folder(folder: Path, manifest: Manifest) -> Model:
    """Load the model in a folder. Raise Unavailable, when its libraries are missing too."""
    try:
        if manifest.kind == ONNX:
            from plainbrain.embed.local import LocalEmbedder

            return LocalEmbedder(folder, manifest)
        from plainbrain.embed.static import StaticEmbedder

        return StaticEmbedder(folder, manifest)
    except ImportError as error:
        raise Unavailable(
            f"the model {manifest.name} needs {error.name or 'a library'}, which is not installed",
            value=error.name,
            hint="pip install 'plainbrain[model]'; or go without: BRAIN_MODEL=off",
        ) from error


def convert_folder(folder: Path, target: Path) -> None:
    """Write an ONNX model made from the weights in a folder. Raise Unavailable (a library is missing) or Unreadable."""
    try:
        from plainbrain.embed.convert import convert
    except ImportError as error:
        raise Unavailable(
            f"building the model needs {error.name or 'a library'}, which is not installed",
            value=error.name,
            hint="pip install 'plainbrain[model,convert]'",
        ) from error
    convert(folder / "model.safetensors", folder / "config.json", target)


class Deferred:
    """Stand for an embedder until it is asked for a vector. A failure to load is remembered, and raised each time."""

    def __init__(self, name: str, *, dimensions: int, load: Callable[[], Model]) -> None:
        self._name = name
        self._dimensions = dimensions
        self._load = load
        self._lock = threading.Lock()
        self._model: Model | None = None
        self._failure: Unavailable | None = None

    @property
    def name(self) -> str:
        """The name of the space that the vectors lie in."""
        return self._name

    @property
    def dimensions(self) -> int:
        """The length of the vectors, 0 when only the loaded model can tell."""
        return self._model.dimensions if self._model is not None else self._dimensions

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector for each text. Raise Unavailable."""
        return self._loaded().embed(texts)

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of a question. Raise Unavailable."""
        return self._loaded().embed_query(text)

    def _loaded(self) -> Model:
        with self._lock:
            if self._failure is not None:
                raise self._failure
            if self._model is None:
                try:
                    self._model = self._load()
                except Unavailable as error:
                    self._failure = error
                    raise
            return self._model
