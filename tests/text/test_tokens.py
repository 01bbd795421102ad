"""Tokens: words of any script, identifiers by their parts, versions by their chain."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainbrain.text.stem import stem
from plainbrain.text.tokens import MAX_TOKEN, token_text, tokens_of


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Testing tested tests", "test test test"),
        ("v1.4.2", "1.4.2 1.4"),
        ("142", "142"),
        ("login.py", "login.py login py"),
        ("app.config.json", "app.config.json app config json"),
        ("src/app/x.ts", "src app x.ts x ts"),
        ("snake_case", "snakecas snake case"),
        ("camelCase", "camelcas camel case"),
        ("HTTPServer", "httpserver http server"),
        ("api-gateway", "apigateway api gateway"),
        ("k8s", "k8s"),
        ("OAuth2", "oauth2 oauth auth"),
        ("C++ and C#", "c++ and c#"),
        ("node.js .NET", "node.js node js .net net"),
        ("don't don’t user's", "dont dont user"),
        ("café naïve ÜBER Straße", "cafe naiv uber strass"),
        ("ＡＢＣ", "abc"),
        ("Привет, мир!", "привет мир"),
        ("שָׁלוֹם", "שלום"),
        ("हिन्दी", "हिन्दी"),
        ("东京节点", "东京 京节 节点 点"),
        ("重跑ledger-sync后完成", "重跑 跑 ledgersync ledger sync 后完 完成 成"),
        ("서버를", "서버 버를 를"),
        ("release 🚀 done", "releas 🚀 done"),
        ("👍🏽 ❤️", "👍 ❤"),
        ("2026-10-27", "20261027 2026 10 27"),
        ("10.0.0.5:8080", "10.0.0.5 10.0.0 10.0 8080"),
        ("one…two—three", "one two three"),
        ("http://host:8443/x", "http host 8443 x"),
        ("-port (port \"half ^x * '", "port port half x"),
        ("a\x00b\x07c", "a b c"),
        ("\ud800x", "x"),
        ("*** -- ...", ""),
        ("", ""),
    ],
)
def test_cuts_into_tokens(text: str, tokens: str) -> None:
    assert token_text(text) == tokens


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("caresses", "caress"), ("ponies", "poni"), ("cats", "cat"), ("agreed", "agre"), ("hopping", "hop"),
        ("filing", "file"), ("failing", "fail"), ("falling", "fall"), ("sky", "sky"), ("happy", "happi"),
        ("relational", "relat"), ("rational", "ration"), ("vietnamization", "vietnam"), ("triplicate", "triplic"),
        ("goodness", "good"), ("adjustable", "adjust"), ("replacement", "replac"), ("adoption", "adopt"),
        ("probate", "probat"), ("rate", "rate"), ("cease", "ceas"), ("controlling", "control"), ("as", "as"),
        ("été", "été"), ("Cats", "Cats"),
    ],
)  # fmt: skip
def test_stems_by_porters_rules(word: str, expected: str) -> None:
    assert stem(word) == expected


@pytest.mark.parametrize(
    "family",
    [
        ("cache", "caching", "cached", "caches"),
        ("move", "moved", "moving"),
        ("use", "uses", "used", "using"),
        ("deploy", "deploys", "deployed", "deploying", "deployment", "deployments"),
    ],
)
def test_forms_of_one_word_meet(family: tuple[str, ...]) -> None:
    assert len({stem(word) for word in family}) == 1


@given(st.text(max_size=200))
@settings(max_examples=300)
def test_any_text_gives_tokens_that_spaces_can_separate(text: str) -> None:
    tokens = tokens_of(text)
    assert tokens == token_text(text).split(" ") or tokens == []
    assert all(token and len(token) <= MAX_TOKEN and '"' not in token and "\x00" not in token for token in tokens)
    "".join(tokens).encode("utf-8")


@given(st.lists(st.text(max_size=30), max_size=5))
def test_what_stands_between_spaces_is_cut_alone(parts: list[str]) -> None:
    assert tokens_of(" ".join(parts)) == [token for part in parts for token in tokens_of(part)]


def test_a_long_text_is_cut_whole() -> None:
    text = "word " * 10_000 + "unmistakable"
    assert tokens_of(text)[-1] == stem("unmistakable")
    assert len(tokens_of("x" * 100_000)) == 1
