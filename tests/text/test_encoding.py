"""UTF-16 and UTF-32 are told from UTF-8 by their mark or their NUL bytes, and by nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainbrain.text.encoding import as_utf8, wide_encoding

TEXT = "The café opens at nine.\n" * 3


@pytest.mark.parametrize(
    ("encoding", "name"),
    [
        ("utf-16", "UTF-16"),
        ("utf-32", "UTF-32"),
        ("utf-16-le", "UTF-16LE"),
        ("utf-16-be", "UTF-16BE"),
        ("utf-8", ""),
        ("utf-8-sig", ""),
        ("latin-1", ""),
    ],
)
def test_an_encoding_is_named_and_its_text_read(encoding: str, name: str) -> None:
    data = TEXT.encode(encoding)
    assert wide_encoding(data) == name
    assert as_utf8(data) == (TEXT.encode() if name else data)


@pytest.mark.parametrize("mark", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_every_mark_is_known_and_goes(mark: str) -> None:
    assert as_utf8(("\ufeff" + TEXT).encode(mark)) == TEXT.encode()


@pytest.mark.parametrize("data", [b"", b"\0", b"a\0b", b"\0" * 100, b"line\0" * 50, b"a\0\0b" * 20, b"\xff\xfe\x00"])
def test_what_is_none_or_not_whole_stays_as_it_is(data: bytes) -> None:
    assert as_utf8(data) == data


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
def test_utf_8_without_nul_is_never_taken_for_another(text: str) -> None:
    assert wide_encoding(text.encode("utf-8")) == ""
