"""The hashes that revisions, keys and digests are made of, without the OpenSSL library that ``hashlib`` loads at once.

Loading it costs a command some milliseconds, and BLAKE2 does not come from there. SHA-256 does, and is faster by far
than the interpreter's own; for short texts that is no matter. Where the interpreter has no modules of its own,
``hashlib`` gives the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hashlib import blake2b
else:
    try:
        from _blake2 import blake2b
    except ImportError:
        from hashlib import blake2b

__all__ = ["blake2b", "sha256_hex"]

#: Bytes up to which the interpreter's own SHA-256 is done before OpenSSL would be loaded.
_SHORT = 200_000


def sha256_hex(pieces: Sequence[bytes | memoryview]) -> str:
    """Return the SHA-256 of pieces one after the other, as hexadecimal digits."""
    digest = _short_sha256() if sum(map(len, pieces)) <= _SHORT else _long_sha256()
    for piece in pieces:
        digest.update(piece)
    return str(digest.hexdigest())


def _short_sha256() -> Any:
    for name in ("_sha2", "_sha256"):  # from Python 3.12, and before
        try:
            return import_module(name).sha256()
        except ImportError:
            continue
    return _long_sha256()


def _long_sha256() -> Any:
    return import_module("hashlib").sha256()
