"""Credentials are found in any text of a memory, named by rule, and never repeated; mentions are let through."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainbrain.evaluation.cases import load_harmless, load_secrets
from plainbrain.lifecycle.secrets import Sieve, check_many, check_memory, find_secrets, redact
from plainbrain.lifecycle.secrets.context import CONTEXT_RULES
from plainbrain.lifecycle.secrets.vendors import VENDOR_RULES
from plainbrain.model.links import Link
from plainbrain.model.memory import Correction, Memory, Rejected
from plainbrain.model.provenance import Provenance
from plainbrain.text.patterns import Rule, compiled

#: Made up, and joined here so that no scanner of sources takes them for real.
PAT = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
SECRETS = [
    (f"token: {PAT}", "github-pat", PAT),
    ("key sk-" + "ant-abcdefghij0123456789", "anthropic-key", "sk-ant-abcdefghij0123456789"),
    ("the admin password is hunter2!", "password", "hunter2!"),
    ("log in as root / toor", "login", "toor"),
    ("El usuario es admin y la contraseña es Gato#1234", "password", "Gato#1234"),
    ("Das WLAN-Passwort lautet Sommer2024!", "password", "Sommer2024!"),
    ("Пароль от сервера: Qwerty!2345", "password", "Qwerty!2345"),
    ("パスワードは kanri1234! です", "password", "kanri1234!"),
    ("postgres://u:s3cretpw@db/x", "url-password", "s3cretpw"),
    ("MY_API_KEY=abcd1234efgh", "assignment", "abcd1234efgh"),
    ("export DB_PASS='correct-horse-7'", "assignment", "correct-horse-7"),
    ("Authorization: Basic YWRtaW46aHVudGVyMg==", "authorization", "YWRtaW46aHVudGVyMg=="),
    ("WIFI:T:WPA;S:HomeNet;P:blue-otter-17;;", "wifi", "blue-otter-17"),
    ("mysql -uroot -pS3cr3t! mydb", "command-password", "S3cr3t!"),
    ("passphrase is correct horse battery staple", "seed-phrase", "correct horse battery staple"),
    ("Our Datadog API key is 9775a026f1ca7d1c6c5af9d94d9595a4", "key-in-prose", "9775a026f1ca7d1c6c5af9d94d9595a4"),
    ("my PIN is 4821", "pin", "4821"),
    ("-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----", "private-key", "abc"),
]
HARMLESS = [
    "No API key in the build",
    "apiKey: process.env.STRIPE_KEY",
    "The password is stored in Vault",
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8 fixed the token parser",
    "The request id is 123e4567-e89b-12d3-a456-426614174000",
    "max_tokens: 4096",
    "password: ${DB_PASSWORD}",
    "postgres://user:password@localhost:5432/db is the template",
    "monkey=banana1234",
    "Use Authorization: Bearer $TOKEN",
    "integrity sha512-9fGk3l2mQ8WvZp1Yx0AbCdEfGhIjKlMnOpQrStUv==",
    "-----BEGIN PUBLIC KEY----- goes in the config",
    "Das Passwort ist im Tresor gespeichert",
    "All tests pass on Python 3.11",
    "mysql -u root -p mydb",
    "AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE in the docs",
]


@pytest.mark.parametrize(("text", "rule", "secret"), SECRETS)
def test_a_secret_is_found_by_its_rule_and_cut_out(text: str, rule: str, secret: str) -> None:
    assert rule in [finding.rule for finding in find_secrets(text)]
    assert secret not in redact(text)
    assert f"[secret:{rule}]" in redact(text)


@pytest.mark.parametrize("text", HARMLESS)
def test_a_mention_is_let_through_unchanged(text: str) -> None:
    assert find_secrets(text) == ()
    assert redact(text) == text


FIELDS = [
    ("title", Memory("m", title=f"use {PAT}")),
    ("description", Memory("m", description=PAT)),
    ("content", Memory("m", content=PAT)),
    ("tags", Memory("m", tags=("ok", PAT))),
    ("links.to", Memory("m", links=(Link(PAT),))),
    ("files", Memory("m", files=(f"src/{PAT}",))),
    ("rationale", Memory("m", rationale=PAT)),
    ("rejected.reason", Memory("m", rejected=(Rejected("x", PAT),))),
    ("reason", Memory("m", reason=PAT)),
    ("source_url", Memory("m", source_url="https://u:s3cretpw@host/x")),
    ("context", Memory("m", context=PAT)),
    ("provenance.excerpt", Memory("m", provenance=Provenance(excerpt="the admin password is hunter2!"))),
    ("correction.wrong_claim", Memory("m", correction=Correction(wrong_claim=PAT))),
    ("metadata.db.password", Memory("m", metadata={"db": {"password": "hunter2x"}})),
    ("extra.list", Memory("m", extra={"list": ["fine", PAT]})),
]


@pytest.mark.parametrize(("field", "memory"), FIELDS)
def test_every_text_field_is_looked_at(field: str, memory: Memory) -> None:
    finding = check_memory(memory)
    assert finding is not None
    assert finding.field == field
    assert check_memory(replace(Memory("m"), content="We deploy on Fridays.")) is None


def test_overlapping_finds_are_told_once_by_the_more_special_rule() -> None:
    assert [finding.rule for finding in find_secrets(f"GITHUB_TOKEN={PAT}")] == ["github-pat"]


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_judged_and_redaction_settles(text: str) -> None:
    for finding in find_secrets(text):
        assert 0 <= finding.start < finding.end <= len(text)
    assert isinstance(redact(text), str)


def test_lone_surrogates_do_not_hide_a_secret() -> None:
    assert find_secrets(f"\ud800 {PAT}")[0].rule == "github-pat"


@pytest.mark.parametrize(
    "piece", ["a", "password is ", "key=", "://a:", "=", "-----BEGIN PRIVATE KEY-----", " ", "token \n"]
)
def test_time_is_linear_in_the_text(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    begun = time.process_time()
    find_secrets(text)
    assert time.process_time() - begun < 8


@pytest.mark.parametrize("rule", [*VENDOR_RULES, *(each.rule for each in CONTEXT_RULES)], ids=lambda rule: rule.name)
def test_every_rule_compiles_and_has_the_group_it_names(rule: Rule) -> None:
    assert compiled(rule.pattern).groups >= rule.group
    assert all(keyword == keyword.lower() for keyword in rule.keywords)


def test_a_note_of_two_kilobytes_takes_about_a_millisecond() -> None:
    sentence = "We log in with single sign-on; the API key lives in Vault, the token budget is 4096. See https://example.org/a?id=3. "
    note = (sentence * 20)[:2000]
    assert find_secrets(note) == ()
    times = []
    for _ in range(15):
        begun = time.process_time()
        find_secrets(note)
        times.append(time.process_time() - begun)
    assert min(times) < 0.002


def test_a_sieve_for_many_texts_finds_what_is_found_one_by_one() -> None:
    texts = [case.text for case in load_secrets()] + [case.text for case in load_harmless()]
    sieve = Sieve(texts)
    for text in texts:
        assert sieve.find(text) == find_secrets(text)
    memories = [Memory("a", text, rationale=text) for text in texts]
    assert check_many(memories) == [check_memory(memory) for memory in memories]
