"""Words of one family meet; words that only look like kin stay apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainbrain.text.family import family, is_short_for
from plainbrain.text.tokens import tokens_of


def families(words: str) -> set[str]:
    return {family(token) for word in words.split() for token in tokens_of(word)}


@pytest.mark.parametrize(
    "words",
    [
        "deploy deploys deploying deployment deployer",
        "fail failure failed",
        "decide decision decisions",
        "store storage stores",
        "write writer writing",
        "log logger logging",
        "pay payment payments",
        "expire expiry expiration",
        "deliver delivery deliverable",
        "permit permission permissions",
        "convert conversion converter",
        "respond response responder",
        "subscribe subscription subscriber",
        "analyze analysis analyst",
        "quick quickly quicker",
        "authentication authenticate authenticator auth",
        "migrate migration migrations",
        "configuration configure config cfg",
        "database databases db",
        "repository repositories repo repos",
        "kubernetes k8s",
        "javascript js",
        "dependency dependencies deps",
        "directory directories dir",
        "environment environments env",
    ],
)
def test_a_family_meets(words: str) -> None:
    assert len(families(words)) == 1


@pytest.mark.parametrize(
    "words",
    ["author auth", "letter let", "message mess", "number numb", "station state", "plan plane", "master mast",
     "note not", "paper pape", "passion pass", "director directory", "factory factor", "expensive expend", "really real",
     "except accept", "user us"],
)  # fmt: skip
def test_what_only_looks_like_kin_stays_apart(words: str) -> None:
    assert len(families(words)) == 2


@given(st.text())
def test_any_text_has_a_family(text: str) -> None:
    assert all(family(token) for token in tokens_of(text))
    assert family(text) == family(text)


def test_one_word_written_short() -> None:
    assert is_short_for("db", "databas")
    assert is_short_for("kubernet", "k8s")
    assert not is_short_for("fail", "failur")
    assert not is_short_for("zzz", "zzz")
