"""Reading a safetensors file by hand: a length, a JSON header, then the numbers of every tensor.

Owns the file form as its publisher describes it. Promises that nothing is executed, that no tensor reaches
beyond the file, and that a file which is not whole is told apart from one that is. Raises Unreadable.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainbrain.errors import Unreadable

Tensor = NDArray[Any]
#: Largest header that is believed: real ones have some ten thousand bytes.
_MOST_HEADER = 50 << 20
_TYPES: Mapping[str, str] = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "<i1",
    "U8": "<u1", "BOOL": "<u1",
}  # fmt: skip


def read_tensors(path: Path) -> dict[str, Tensor]:
    """Return every tensor of a file by its name; the file is mapped, not read. Raise Unreadable.

    Numbers of sixteen bits in brain-float form are widened to 32 bits.
    """
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            if not 2 <= length <= min(_MOST_HEADER, size - 8):
                raise _broken(path, "its header does not fit into it")
            header = json.loads(file.read(length))
        data = np.memmap(path, mode="r", offset=8 + length) if size > 8 + length else np.empty(0, np.uint8)
    except (OSError, ValueError, RecursionError) as error:
        raise _broken(path, str(error)) from error
    if not isinstance(header, dict):
        raise _broken(path, "its header is no table")
    return {name: _tensor(path, data, name, entry) for name, entry in header.items() if name != "__metadata__"}


def _tensor(path: Path, data: NDArray[Any], name: str, entry: Any) -> Tensor:
    try:
        kind, shape, (start, stop) = entry["dtype"], [int(n) for n in entry["shape"]], entry["data_offsets"]
        form = np.dtype(_TYPES[kind])
        fits = 0 <= start <= stop <= len(data) and stop - start == math.prod(shape) * form.itemsize
    except (KeyError, TypeError, ValueError) as error:
        raise _broken(path, f"tensor {name!r} is described wrongly") from error
    if not fits or min(shape, default=0) < 0:
        raise _broken(path, f"tensor {name!r} reaches beyond the file")
    found: Tensor = np.asarray(data[start:stop]).view(form).reshape(shape)
    if kind == "BF16":
        return (found.astype(np.uint32) << 16).view(np.float32)
    return found


def _broken(path: Path, why: str) -> Unreadable:
    return Unreadable(
        f"{path.name} is no whole safetensors file: {why}",
        value=str(path),
        hint="download it again",
        path=str(path),
    )
