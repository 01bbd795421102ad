"""The hash of revisions is the one that ``hashlib`` knows."""

from __future__ import annotations

import hashlib

import pytest

from plainbrain.digests import blake2b


@pytest.mark.parametrize("data", [b"", b"text", "é東".encode(), b"x" * 10_000])
def test_it_is_blake2(data: bytes) -> None:
    assert blake2b(data, digest_size=12).hexdigest() == hashlib.blake2b(data, digest_size=12).hexdigest()
