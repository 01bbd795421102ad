"""Credentials are found in any text of a memory, named by rule, and never repeated; mentions are let through."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainbrain.evaluation.cases import load_harmless, load_secrets
from plainbrain.lifecycle.secrets import check_many, check_memory, find_secrets, redact
from plainbrain.lifecycle.secrets.context import CONTEXT_RULES
from plainbrain.lifecycle.secrets.texts import gather, texts_of
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


CASES = [case.text for case in load_secrets()] + [case.text for case in load_harmless()]
#: So many memories are searched as one text.
CROWD = [Memory(f"filler-{number}", "We deploy on Fridays.") for number in range(100)]


def test_many_memories_are_judged_as_each_is_alone() -> None:
    memories = [Memory("a", text, rationale=text) for text in CASES]
    assert check_many(memories) == [check_memory(memory) for memory in memories]
    assert sum(finding is not None for finding in check_many(memories)) > 150


def test_of_many_memories_few_are_looked_at_twice() -> None:
    finding = check_memory(secret := Memory("s", f"token: {PAT}"))
    assert finding is not None
    assert check_many([*CROWD, secret, *CROWD]) == [None] * 100 + [finding] + [None] * 100


#: Whole texts and halves of texts, so that one memory ends with what gives the next one's beginning away.
PIECES = st.one_of(
    st.sampled_from(CASES),
    st.builds(lambda text, at: text[: at % (len(text) + 1)], st.sampled_from(CASES), st.integers(0, 200)),
    st.builds(lambda text, at: text[at % (len(text) + 1) :], st.sampled_from(CASES), st.integers(0, 200)),
    st.sampled_from(["password is", "hunter2!", "token", PAT, "", " ", "\n", "\0", "\ud800", "K", "1"]),
    st.text(max_size=20),
)
MEMORIES = st.builds(
    lambda content, title, files, reason, metadata: Memory(
        "m", content, title=title, files=tuple(files), rejected=(Rejected("x", reason),), metadata=metadata
    ),
    PIECES,
    PIECES,
    st.lists(PIECES, max_size=2),
    PIECES,
    st.dictionaries(st.sampled_from(["password", "note", "pin"]), PIECES | st.integers(), max_size=2),
)


@settings(max_examples=100, deadline=None)
@given(st.lists(MEMORIES, min_size=1, max_size=8))
def test_the_neighbours_of_a_memory_neither_hide_nor_give_it_away(memories: list[Memory]) -> None:
    assert check_many([*memories, *CROWD]) == [check_memory(memory) for memory in (*memories, *CROWD)]


@settings(max_examples=100, deadline=None)
@given(MEMORIES)
def test_no_text_of_a_memory_is_left_out_when_many_are_searched(memory: Memory) -> None:
    assert sorted(filter(None, gather(memory))) == sorted(filter(None, (text for _, text in texts_of(memory))))


@pytest.mark.parametrize(("field", "memory"), FIELDS)
def test_every_text_field_is_looked_at_among_many(field: str, memory: Memory) -> None:
    finding = check_many([*CROWD, memory])[-1]
    assert finding is not None
    assert finding.field == field
