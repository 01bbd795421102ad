"""What people and agents type is found as they mean it; nothing they type is an error."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainbrain.model.memory import Memory
from plainbrain.model.query import Query
from plainbrain.testing.builders import NOON
from tests.index.brains import Brain

NOTES = {
    "gateway": "The api-gateway timeout is thirty seconds",
    "fridays": "We don't deploy on Fridays",
    "version": "Released v1.4.2 after the fix",
    "files": "See login.py and src/app/x.ts and app.config.json",
    "recalled": "The session recalled it all",
    "port": "status: active on http://host:8443/x",
    "chinese": "库存服务部署在东京节点",
    "japanese": "東京タワーの予約システム",
    "korean": "서버를 재시작했습니다",
    "glued": "重跑ledger-sync后完成",
    "russian": "Мы развернули сервер вчера",
    "arabic": "الخادم يعمل الآن",
    "hebrew": "השרת פועל",
    "thai": "เซิร์ฟเวอร์ทำงานแล้ว",
    "emoji": "release 🚀 done",
    "kube": "k8s runs OAuth2 behind C++ and C# and node.js on .NET",
    "names": "call getUserName with user_id",
    "cafe": "Le café est fermé",
}


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Brain:
    return Brain(tmp_path_factory.mktemp("index"), *(Memory(id, text) for id, text in NOTES.items()))


@pytest.mark.parametrize(
    ("query", "id"),
    [
        ("api-gateway timeout", "gateway"),
        ("timeouts of the gateway?", "gateway"),
        ("don't deploy on fridays", "fridays"),
        ("dont", "fridays"),
        ("1.4.2", "version"),
        ("v1.4", "version"),
        ("login.py", "files"),
        ("app.config.json", "files"),
        ("x.ts", "files"),
        ("config", "files"),
        ("session-recall", "recalled"),
        ("status:active", "port"),
        ("http://host:8443/x", "port"),
        ("-8443", "port"),
        ("部署", "chinese"),
        ("东京节点", "chinese"),
        ("库", "chinese"),
        ("点", "chinese"),
        ("予約", "japanese"),
        ("タワー", "japanese"),
        ("서버", "korean"),
        ("ledger", "glued"),
        ("ledger-sync", "glued"),
        ("когда упал наш сервер", "russian"),
        ("الخادم", "arabic"),
        ("השרת", "hebrew"),
        ("เซิร์ฟเวอร์", "thai"),
        ("🚀", "emoji"),
        ("k8s", "kube"),
        ("oauth", "kube"),
        ("C++", "kube"),
        ("c#", "kube"),
        ("node.js", "kube"),
        (".NET", "kube"),
        ("user name", "names"),
        ("userId", "names"),
        ("getusername", "names"),
        ("cafe", "cafe"),
        ("FERMÉ", "cafe"),
    ],
)
def test_finds(brain: Brain, query: str, id: str) -> None:
    assert brain.ids(query)[:1] == [id]


def test_a_version_is_not_its_digits(brain: Brain) -> None:
    assert brain.ids("142") == []


@pytest.mark.parametrize("query", ['"half quote', "(port", "port)", "NOT port", "port AND", "AND", "^x", "*", '"', "'"])
def test_no_sign_is_an_error(brain: Brain, query: str) -> None:
    brain.search(Query(query))


@pytest.mark.parametrize(
    "text",
    ["(" * 2000, '"' * 999, "a OR " * 500, "x\x00y", "'; DROP TABLE doc; --", "NEAR(a b, 3)", "title:foo", "\ud800", "w" * 10**6],
)  # fmt: skip
def test_hostile_text_is_text(brain: Brain, text: str) -> None:
    for profile in ("", "balanced"):
        brain.search(Query(text, profile=profile))
    assert brain.ids("gateway") == ["gateway"]


@given(st.text(max_size=60), st.sampled_from(["", "fast", "deep"]))
@settings(max_examples=300, deadline=None)
def test_any_text_is_a_query(brain: Brain, text: str, profile: str) -> None:
    hits, total = brain.index.search(Query(text, profile=profile), now=NOON)
    assert len(hits) <= total


@pytest.mark.parametrize("value", ["\ud800", "' OR 1=1", "%", "a\x00b", '"'])
def test_any_filter_value_is_a_value(brain: Brain, value: str) -> None:
    everything = Query(
        "gateway", cortex=value, kinds=(value,), tags=(value,), statuses=(value,), scope=value, user_id=value
    )
    assert brain.search(everything) == ([], 0)
    assert brain.index.cards([value]) == {}
    assert brain.index.backlinks(value) == []
    brain.index.names(value)


def test_no_words_find_nothing(brain: Brain) -> None:
    assert brain.search(Query("*** --")) == ([], 0)
    assert brain.search(Query("")) == ([], 0)


def test_the_end_of_a_long_note_is_found(tmp_path: Path) -> None:
    brain = Brain(tmp_path, Memory("long", "word " * 8000 + "unmistakable"), Memory("other", "short"))
    assert brain.ids("unmistakable") == ["long"]


def test_totals_are_of_everything_that_matched(tmp_path: Path) -> None:
    brain = Brain(tmp_path, *(Memory(f"n{n}", f"gateway number {n}") for n in range(1200)))
    hits, total = brain.search(Query("gateway", k=5))
    assert (len(hits), total) == (5, 1200)
    assert sum(1 for _ in brain.index.find(Query(""))) == 1200
    assert sum(count for _, count in brain.index.themes(Query(""))) == 1200


def test_an_id_is_no_pattern(tmp_path: Path) -> None:
    brain = Brain(tmp_path, Memory("a-b", "one", title="Ledger sync"), Memory("axb", "two"), Memory("node-a", "three"))
    brain.index.catch_up(brain.store)
    assert list(brain.index.cards(["a_b", "a%", "A-B", "a-b"])) == ["a-b"]
    assert brain.index.names("a_b")[0] == "a-b"
    assert brain.index.names("Ledger Sync") == ["a-b"]
    assert brain.index.names("nod") == ["node-a"]
    assert brain.index.names("zzz") == brain.index.names("") == []


def test_backlinks_by_id_path_and_title(tmp_path: Path) -> None:
    target = Memory("target", "x", title="The Target", cortex="infra")
    sources = [
        Memory("a", "see [[target]] and `[[no]]`"),
        Memory("b", "see [[The target|it]]"),
        Memory("c", "see [[infra/target.md]]"),
        replace(target, id="d", title="", content="[[other]]"),
    ]
    brain = Brain(tmp_path, target, *sources)
    brain.index.catch_up(brain.store)
    assert brain.index.backlinks("target") == [("a", "links_to"), ("b", "links_to"), ("c", "links_to")]
    assert brain.index.backlinks("no") == []
