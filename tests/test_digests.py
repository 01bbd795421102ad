"""The hash of revisions is the one that ``hashlib`` knows."""

from __future__ import annotations

import hashlib

import pytest

from plainbrain.digests import blake2b, sha256_hex


@pytest.mark.parametrize("data", [b"", b"text", "é東".encode(), b"x" * 10_000])
def test_it_is_blake2(data: bytes) -> None:
    assert blake2b(data, digest_size=12).hexdigest() == hashlib.blake2b(data, digest_size=12).hexdigest()


@pytest.mark.parametrize("size", [0, 1, 199_999, 200_000, 200_001, 300_000])
def test_short_and_long_texts_have_the_same_sha256_in_one_piece_and_in_several(size: int) -> None:
    data = bytes(range(256)) * (size // 256 + 1)
    data = data[:size]
    known = hashlib.sha256(data).hexdigest()
    assert sha256_hex([data]) == known
    assert sha256_hex([memoryview(data)[: size // 3], b"", data[size // 3 :]]) == known
