"""What cannot be read gets a clear sentence; what can is told by what it holds."""

from __future__ import annotations

import gzip
import io
import json
import os
import tempfile
import threading
from contextlib import closing
from pathlib import Path

import pytest

from plainbrain.app.imports import form_of_source, open_source, spooled
from plainbrain.app.intake import What
from plainbrain.errors import InputError
from plainbrain.interchange.registry import FORMS, detect, form_of
from plainbrain.interchange.source import Source
from tests.interchange.brains import brain_at, bring_in, decision_line, memories_of, write_lines


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ('{"format":"robrain-memory/v2","id":"x"}\n', "interchange"),
        ('{broken\n\n{"format":"robrain-memory/v1"}\n', "interchange"),
        ('\ufeff{"format":"plainbrain-archive/v1"}\n', "archive"),
        ('{"type":"relation","from":"a","to":"b"}', "mcp-memory"),
        ('{"type":"memory","memory":{"id":"a","content":"x"}}\n', "event-log"),
        ('{"id":"a","content":"x"}\n', "event-log"),
        ('{"type":"create","memory":{}}\n', "event-log"),
        ('{\n  "version": 4,\n  "entries": []\n}', "agent-brain"),
        ('{"version":4,"entries":[]}', "agent-brain"),
        ('{"results":[{"memory":"x"}]}', "mem0"),
        ('[{"memory":"x"}]', "mem0"),
        ('[\n  {"title": null, "mapping": {}}]', "chatgpt"),
        ('[{"uuid":"x","chat_messages":[]}]', "claude"),
        ("---\ntitle: x\n---\ntext\n", "markdown"),
        ("---\ntitle: x\npermalink: a/x\n---\ntext\n", "basic-memory"),
        ("", "interchange"),
    ],
)
def test_the_form_is_told_by_what_is_there(text: str, form: str, tmp_path: Path) -> None:
    path = tmp_path / "no-name-that-tells"
    path.write_text(text, encoding="utf-8")
    assert detect(Source(path)).name == form


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (gzip.compress(b"{}", mtime=0), "compressed with gzip"),
        (b"\xfd7zXZ\0rest", "compressed with xz"),
        (b"PK\x03\x04 no zip", "not whole"),
        (b"\x00\x01\x02", "binary"),
        (b"hello there\n", "of no form"),
        (b" \n\n", "nothing but blanks"),
        (b"[1, 2]", "of no form"),
    ],
)
def test_what_is_no_source_is_said_in_a_sentence(data: bytes, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)
    with pytest.raises(InputError, match=sentence) as caught:
        detect(Source(path))
    assert caught.value.hint


def test_what_is_not_there_and_folders_without_anything(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing at"):
        Source(tmp_path / "nope")
    with pytest.raises(InputError, match="is empty"):
        detect(Source(tmp_path))
    (tmp_path / "a.txt").touch()
    with pytest.raises(InputError, match="holds no notes"):
        detect(Source(tmp_path))
    (tmp_path / "one.jsonl").touch()
    (tmp_path / "memory.db").touch()
    with pytest.raises(InputError, match="is a folder without notes") as caught:
        detect(Source(tmp_path))
    assert "one of the 2 files in it" in caught.value.hint
    assert "memory.db" in caught.value.hint


def test_an_unknown_form_names_those_there_are() -> None:
    with pytest.raises(InputError) as caught:
        form_of("nope")
    assert all(name in caught.value.hint for name in FORMS)


def test_every_form_has_a_reader_that_loads() -> None:
    for form in FORMS.values():
        assert form.store or callable(form.reader())


def test_a_line_too_long_is_told_and_the_others_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plainbrain.interchange.source.MAX_ITEM", 2000)
    path = write_lines(
        tmp_path / "in.jsonl", [decision_line("a"), decision_line("b", decision="x" * 5000), decision_line("c")]
    )
    with brain_at("ram", tmp_path / "brain") as brain:
        report = bring_in(brain, path)
        assert set(memories_of(brain)) == {"a", "c"}
        assert report.failed


def test_a_list_is_read_item_by_item_across_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plainbrain.interchange.source._CHUNK", 7)
    values = [{"a": "é🚀" * 5}, 12, [1, [2]], "x,]", None, 3.5]
    path = tmp_path / "list.json"
    for indent in (None, 2):
        path.write_text(json.dumps(values, ensure_ascii=False, indent=indent), encoding="utf-8-sig")
        assert [value for _, value in Source(path).items()] == values


def test_standard_input_is_read_and_its_copy_goes(tmp_path: Path) -> None:
    source = spooled(io.BytesIO(b'{"id":"a","content":"x"}\n'))
    assert detect(source).name == "event-log"
    source.close()
    assert not source.path.exists()


@pytest.mark.parametrize(
    "line",
    [
        b'{"a":1}',
        b'{ "a" : 1 } ',
        b'{"a":"\xed\xa0\x80"}',
        '{"a":"\u00e9"}'.encode("utf-16-le"),
        '{"a":"\u00e9"}'.encode("utf-16-be"),
        b'{"a":1} {"b":2}',
        b'{"a":1}x',
        b"{",
        b"{}",
        b'{"a":NaN}',
        b'{"a":"\xff"}',
        b"[1]",
        b"7",
        b"{" * 5000,
        b'{"a":' * 200_000,
    ],
)
def test_a_line_is_read_as_the_library_reads_it(line: bytes, tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_bytes(line)
    try:
        wanted = json.loads(line.strip())
    except UnicodeDecodeError as error:
        wanted = f"the line is not UTF-8 (byte {error.start + 1})"
    except ValueError:
        wanted = "the line is no JSON"
    except RecursionError:
        wanted = "the line is nested deeper than can be read"
    if not isinstance(wanted, (str, dict)):
        wanted = "the line is no JSON object"
    assert repr(list(Source(path).objects())) == repr([(1, wanted)])


@pytest.mark.parametrize(("form", "text"), [("", ""), ("mem0", "[]"), ("mcp-memory", "\n")])
def test_nothing_to_bring_over_is_told_and_is_no_failure(tmp_path: Path, form: str, text: str) -> None:
    path = tmp_path / "empty.json"
    path.write_text(text)
    with brain_at("ram", tmp_path / "brain") as brain:
        report = bring_in(brain, path, form)
    assert (report.counts, report.failed) == ({What.NOTED: 1}, False)
    assert (report.items[0].where, report.items[0].why) == (
        "empty.json",
        "it is empty: there was nothing in it to bring over",
    )


def test_what_comes_by_standard_input_is_not_named_by_where_it_was_set_aside() -> None:
    source = spooled(io.BytesIO(b"x"))
    with closing(source), pytest.raises(InputError) as caught:
        detect(source)
    assert str(caught.value).startswith("stdin is of no form")


def test_what_no_file_can_hold_is_told_with_the_fields(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text(json.dumps(decision_line("a", decision="Use\0 SQLite \ud83d", rationale="\udc00")) + "\n")
    with brain_at("ram", tmp_path / "brain") as brain:
        report = bring_in(brain, path)
        assert report.items[0].why.endswith("taken out or replaced in: content, rationale")
        kept = memories_of(brain)["a"]
        assert (kept.content, kept.rationale) == ("Use SQLite \ufffd", "\ufffd")
        assert bring_in(brain, path).counts == {What.THERE: 1}


def test_an_import_into_a_vault_has_titles_for_people(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "in.jsonl", [decision_line("a", decision="Use SQLite. It is one file.")])
    with brain_at("vault", tmp_path / "brain") as brain:
        bring_in(brain, path)
        assert memories_of(brain)["a"].title == "Use SQLite"
        assert bring_in(brain, path).counts == {What.THERE: 1}


def test_a_pipe_by_its_path_is_read_to_its_end(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    text = json.dumps(decision_line("a"))
    writer = threading.Thread(target=pipe.write_text, args=(text,))
    writer.start()
    with closing(open_source(str(pipe))) as source:
        writer.join()
        assert source.text() == text
        copy = source.path
    assert not copy.exists()
    with pytest.raises(InputError, match="is a device"):
        open_source("/dev/null")


def test_standard_input_that_cannot_be_read_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(InputError) as caught:
        spooled(io.BytesIO(gzip.compress(b"{}")))
    assert caught.value.hint == "unpack it on the way: gunzip -c"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", [f"[{json.dumps(decision_line('a'))}]", json.dumps(decision_line("a"), indent=1)])
def test_lines_that_were_made_one_document_are_told_with_the_way_out(tmp_path: Path, text: str) -> None:
    path = tmp_path / "in.json"
    path.write_text(text)
    with pytest.raises(InputError, match="not one object a line") as caught:
        detect(Source(path))
    assert "jq -c" in caught.value.hint


def test_what_is_not_utf8_is_told_as_that(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    line = json.dumps(decision_line("a", decision="Käse"), ensure_ascii=False)
    path.write_bytes(line.encode("utf-16"))
    with pytest.raises(InputError, match="UTF-16"):
        detect(Source(path))
    path.write_bytes(line.encode("latin-1"))
    assert "not UTF-8" in str(next(Source(path).objects())[1])


def test_an_empty_folder_is_of_no_form(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is empty"):
        form_of_source(Source(tmp_path), "chatgpt")


def test_one_line_with_a_raw_nul_is_refused_alone(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "in.jsonl", [decision_line(id) for id in ("a", "nul", "b")])
    path.write_bytes(path.read_bytes().replace(b"Decide nul", b"Decide \0"))
    with brain_at("ram", tmp_path / "brain") as brain:
        report = bring_in(brain, path)
        assert set(memories_of(brain)) == {"a", "b"}
        assert [(item.what, item.where) for item in report.items] == [(What.REFUSED, "line 2")]


def test_what_is_binary_or_in_wide_characters_is_said_to_be(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "in.jsonl", [decision_line("a")])
    text = path.read_text(encoding="utf-8")
    for data in (text.encode("utf-16-le"), text.encode("utf-32-be"), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"):
        path.write_bytes(data)
        with pytest.raises(InputError, match=r"is binary|not UTF-8"):
            detect(open_source(str(path)))
