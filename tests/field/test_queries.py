"""Any text is a query: what people type finds the notes that hold those words, and nothing that they type is syntax."""

from __future__ import annotations

import json

import pytest

from plainbrain.model.query import Query
from plainbrain.retrieval.parse import NO_WORDS
from tests.field.folder import Folder

NOTES = {
    "gateway": "The api-gateway has a timeout of 30 s on port 8443",
    "friday": "We don't deploy on Fridays; O'Brien's rule",
    "curly": "They won\u2019t ship on Mondays",
    "version": "Shipped v1.4.2; see login.py and app.config.json on 10.0.0.12",
    "number": "The number 142 is the answer",
    "address": "It listens at http://host:8443/x with status:active",
    "session": "The session was recalled from the ledger",
    "chinese": "库存服务部署在东京节点，重跑ledger-sync后完成",
    "japanese": "東京リージョンにサーバーをデプロイする",
    "korean": "서울 서버에 배포했습니다",
    "thai": "เซิร์ฟเวอร์ฐานข้อมูลอยู่ที่กรุงเทพ",
    "russian": "Резервное копирование запускается ночью",
    "arabic": "خادم قاعدة البيانات يعمل ليلا",
    "hebrew": "שרת הנתונים פועל בלילה",
    "greek": "Ο διακομιστής ξεκινά το βράδυ",
    "rocket": "release 🚀 done",
}


@pytest.fixture
def notes(folder: Folder) -> Folder:
    for name, text in NOTES.items():
        folder.write(f"{name}.md", f"{text}\n")
    return folder


@pytest.mark.parametrize(
    ("query", "id"),
    [
        ("api-gateway timeout", "gateway"), ("api-gateway", "gateway"), ("-timeout", "gateway"), ("--port", "gateway"),
        ("ledger-sync", "chinese"), ("gateway -timeout", "gateway"),
    ],
)  # fmt: skip
def test_a_hyphen_is_no_operator(notes: Folder, query: str, id: str) -> None:
    """A hyphen before or within a word, which full-text engines read as NOT or as a column."""
    assert id in notes.found(query)


@pytest.mark.parametrize(
    "query", ["don't deploy on fridays", "don\u2019t deploy", "dont deploy", "O'Brien", "O\u2019Brien's", "deploy'"]
)
def test_an_apostrophe_is_a_letter_of_its_word(notes: Folder, query: str) -> None:
    """An apostrophe, straight or curly, which ends a string in SQL and in full-text syntax."""
    assert "friday" in notes.found(query)
    assert "curly" in notes.found("won't ship")


@pytest.mark.parametrize(
    ("query", "id"),
    [("1.4.2", "version"), ("v1.4", "version"), ("login.py", "version"), ("app.config.json", "version"), ("10.0.0.12", "version")],
)  # fmt: skip
def test_what_has_dots_is_found_by_its_dots(notes: Folder, query: str, id: str) -> None:
    """Versions, file names and addresses, whose dots are dropped or refused elsewhere."""
    assert notes.found(query)[-1] == id
    assert notes.found("142") == ["number"]


@pytest.mark.parametrize(
    ("query", "id"),
    [("status:active", "address"), ("http://host:8443/x", "address"), ("title:gateway", "gateway"), ("body:timeout id:x", "gateway"),
     ("rowid:1 gateway", "gateway"), ("{title body}: timeout", "gateway")],
)  # fmt: skip
def test_a_colon_names_no_column(notes: Folder, query: str, id: str) -> None:
    """A word with a colon behind it, which full-text engines take for a column."""
    assert id in notes.found(query)


@pytest.mark.parametrize(
    "query",
    ['"half timeout', "(timeout", "timeout)", "NOT timeout", "timeout AND", "OR timeout", "AND timeout OR", "^timeout", "timeout*",
     "* timeout", "NEAR(timeout", 'timeout"', "timeout NEAR/2", "((timeout))", "timeout + ^", "'; DROP TABLE doc; -- timeout", "timeout\x00", "\\timeout"],
)  # fmt: skip
def test_operators_are_words(notes: Folder, query: str) -> None:
    """Unbalanced quotes and brackets, operators at either end, and injected statements."""
    assert "gateway" in notes.found(query)
    assert notes.found("timeout") == ["gateway"]


@pytest.mark.parametrize(
    "query", ["AND", "NOT", "*", "^", '"', "(", "-", "--", "%", "_", "''", "\x00", "\ud800", "", " \t\n"]
)
def test_signs_alone_find_nothing_or_say_why(notes: Folder, query: str) -> None:
    """A query without a word: no error, and the answer says that there was no word to look for."""
    found = notes.brain.search(query)
    assert found.hits or found.notes == (NO_WORDS,) or query in ("AND", "NOT")


def test_signs_alone_are_told_on_the_command_line(notes: Folder) -> None:
    said = notes.command("search", "***")
    assert (said.status, said.out) == (0, "")
    assert NO_WORDS in said.err
    assert json.loads(notes.command("search", "***", "--json").out)["notes"] == [NO_WORDS]


@pytest.mark.parametrize(
    "query", ["session-recall", "session_recall", "sessions recalling", "Session.Recall", "SESSION/RECALL"]
)
def test_joined_words_match_their_parts_and_stems(notes: Folder, query: str) -> None:
    """A compound typed with other joints than the note's, which exact quoting turns into no match."""
    assert "session" in notes.found(query)


@pytest.mark.parametrize(
    ("query", "id"),
    [("部署", "chinese"), ("东京节点", "chinese"), ("节点", "chinese"), ("库", "chinese"), ("サーバー", "japanese"), ("デプロイ", "japanese"),
     ("リージョン", "japanese"), ("배포", "korean"), ("서버", "korean"), ("ฐานข้อมูล", "thai"), ("กรุงเทพ", "thai")],
)  # fmt: skip
def test_words_are_found_where_nobody_writes_spaces(notes: Folder, query: str, id: str) -> None:
    """Chinese, Japanese, Korean and Thai, where a run of characters is one token elsewhere."""
    assert id in notes.found(query)


@pytest.mark.parametrize("query", ["ledger", "sync", "ledger-sync", "LEDGER"])
def test_a_name_that_touches_other_script_is_a_word(notes: Folder, query: str) -> None:
    """An identifier written against Chinese text without a space."""
    assert "chinese" in notes.found(query)


@pytest.mark.parametrize(
    ("query", "id"),
    [("когда запускается проверка серверов", "russian"), ("НОЧЬЮ", "russian"), ("متى يعمل النظام الجديد", "arabic"),
     ("מתי פועל השירות החדש", "hebrew"), ("πότε ξεκινά ο έλεγχος", "greek"), ("ΒΡΑΔΥ", "greek")],
)  # fmt: skip
def test_one_word_of_a_question_is_enough_in_any_script(notes: Folder, query: str, id: str) -> None:
    """A question in Cyrillic, Arabic, Hebrew or Greek of which the note holds one word."""
    assert notes.found(query) == [id]


def test_emoji_are_words_and_are_kept(notes: Folder) -> None:
    """Emoji in queries, titles and bodies."""
    assert notes.found("🚀") == ["rocket"]
    kept = notes.brain.encode("🚀🔥", "👩‍👩‍👧 and 🇪🇺")
    assert notes.brain.get(kept.id).title == "🚀🔥"
    assert notes.brain.get(kept.id).content == "👩‍👩‍👧 and 🇪🇺"
    assert notes.found("🔥") == [kept.id]
    assert kept.id.isascii()


@pytest.mark.parametrize("size", [40_000, 400_000])
def test_the_last_word_of_a_long_note_is_found(folder: Folder, size: int) -> None:
    """A note whose end lies beyond what is often indexed."""
    folder.write("long.md", "filler words here " * (size // 18) + "\nquetzalcoatl\n")
    assert folder.found("quetzalcoatl") == ["long"]


def test_a_filter_is_no_pattern(folder: Folder) -> None:
    """Tags, ids, cortices and scopes that hold wildcards, or that begin like each other."""
    folder.write("a_b.md", "---\ntags: [test, code.python]\ncortex: app\nscope: app\n---\nword\n")
    folder.write("a-b.md", "---\ntags: [testing, codex.python]\nscope: app-admin\n---\nword\n")
    folder.write("axb.md", "---\ntags: [100%_done]\nscope: admin\n---\nword\n")
    folder.write("app/one.md", "word")
    folder.write("app-admin/two.md", "word")
    folder.write("app/sub/three.md", "word")
    assert folder.found("word", tags=("test",)) == ["a_b"]
    assert folder.found("word", tags=("code",)) == ["a_b"]
    assert folder.found("word", tags=("code/Python",)) == ["a_b"]
    assert folder.found("word", tags=("100%_done",)) == ["axb"]
    for pattern in ("100%", "%", "_", "*", "te*", "t_st"):
        assert folder.found("word", tags=(pattern,)) == []
    assert folder.brain.get("a_b").tags == ("test", "code.python")
    assert folder.brain.get("a-b").tags[0] == "testing"
    assert folder.found("word", scope="app") == ["a_b"]
    assert folder.found("word", cortex="app") == ["a_b", "one", "three"]
    assert folder.found("word", cortex="a%") == []


def test_totals_are_true_beyond_every_page(folder: Folder) -> None:
    """A list or a count that stops at a page and calls that the total."""
    for n in range(120):
        folder.write(f"n{n}.md", f"word number {n}\n")
    found = folder.brain.search("word", 10)
    assert (len(found.hits), found.total) == (10, 120)
    said = folder.command("search", "word", "-k", "7")
    assert "7 of 120" in said.err
    assert len(list(folder.brain.memories())) == folder.brain.status().total == 120
    assert len(json.loads(folder.command("list", "--json").out)) == 120
    assert len(folder.brain.ask(Query("word", 50, offset=100)).hits) == 20
