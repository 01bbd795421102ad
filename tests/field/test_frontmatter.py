"""The block at the top of a note: read as it was meant, written so that every reader agrees, never laid out anew."""

from __future__ import annotations

import difflib
import json
import time

import pytest
import yaml

from plainbrain.errors import InputError, Unreadable
from plainbrain.lifecycle.edits import Append, SetField
from tests.field.folder import Folder

TITLES = (
    "Deploy: blue/green (EU): step 2", "Fix #412 today", "#hash first", "007", "12e7", "1e3", "0899", "22:30", "2026-03-04", "yes", "No", "null", "~",
    "true", "0x1F", "1_000", ".5", "- dash", "? ask", "[x]", "{a: b}", '"quoted"', "it's", "@at", "`tick`", "%p", "&a", "*b", "!t", "|", ">", ": x", "a: b?",
    "a #b", "---", "...", "<<", "=", "<<: *x", "\\n", 'mixed "double" and \'single\'', "ends with colon:", "日本語: 題", "🚀🔥",
)  # fmt: skip


def lines_that_differ(before: bytes, after: bytes) -> list[str]:
    """Return the lines that went (``-``) and came (``+``), with their ends."""
    old, new = (text.decode("utf-8").splitlines(keepends=True) for text in (before, after))
    return [line for line in difflib.ndiff(old, new) if line[0] in "+-"]


@pytest.mark.parametrize("title", TITLES)
def test_what_we_write_is_text_to_every_yaml_reader(folder: Folder, title: str) -> None:
    """Values with colons, hashes, leading zeros, exponents and the other shapes that YAML takes for something else."""
    id = folder.brain.encode(title, "x", tags=["0899", "12e7", "22:30"], description=f"about {title}").id
    block = folder.brain.read(id).text.split("---\n")[1] if title != "---" else None
    assert folder.brain.get(id).title == title
    if block is not None:
        for loader in (yaml.SafeLoader, yaml.BaseLoader):
            read = yaml.load(block, Loader=loader)
            assert (read["title"], read["tags"], read["description"]) == (
                title,
                ["0899", "12e7", "22:30"],
                f"about {title}",
            )
    folder.brain.validate(id)
    assert folder.brain.get(id).title == title
    assert folder.problems() == []


def test_an_unquoted_colon_is_told_with_its_line_and_loses_nothing(folder: Folder) -> None:
    """A value with a colon that was typed without quotes."""
    text = b"---\nid: deploy\ntitle: Deploy: blue/green (EU): step 2\ntags: [a]\n---\n\nthe body word\n"
    file = folder.write("deploy.md", text)
    assert folder.problems() == [("frontmatter-invalid", "deploy.md:3")]
    assert folder.found("blue green") == folder.found("body word") == ["deploy"]
    with pytest.raises(Unreadable) as caught:
        folder.brain.validate("deploy")
    assert (caught.value.path, caught.value.line) == ("deploy.md", 3)
    assert file.read_bytes() == text
    said = folder.command("validate", "deploy")
    assert said.status != 0
    assert "deploy.md:3: " in said.err
    assert "nothing was changed" in said.err


def test_values_that_look_like_something_else_stay_as_they_were_typed(folder: Folder) -> None:
    """Leading zeros, times of day, exponents, yes and no in keys of the person's own."""
    block = "id: '007'\nbuild: 0755\nstandup: 22:30\nhash: 12e7\nyes: no\nbig: 1_000\nwhen: 2026-03-04 10:00\ntags: [0899, 1e3, 22:30]\n"
    file = folder.write("a.md", f"---\n{block}---\ntext\n")
    found = folder.brain.get("007")
    assert found.tags == ("0899", "1e3", "22:30")
    assert {key: str(value) for key, value in found.extra.items()} == {
        "build": "0755", "standup": "22:30", "hash": "12e7", "yes": "no", "big": "1_000", "when": "2026-03-04 10:00",
    }  # fmt: skip
    folder.brain.edit("007", [SetField("title", "T")])
    assert all(line in file.read_text() for line in block.splitlines())
    json.loads(folder.command("read", "007", "--json").out)


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Auckland", "America/Sao_Paulo", "Pacific/Kiritimati"])
def test_a_day_stays_that_day(folder: Folder, monkeypatch: pytest.MonkeyPatch, zone: str) -> None:
    """Dates that become date objects, times, or the day before, in another zone."""
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        file = folder.write("a.md", "---\ncreated: 2026-03-04\nlast_validated: 2026-03-04\n---\ntext\n")
        shown = json.loads(folder.command("read", "a", "--json").out)
        assert (shown["created"], shown["last_validated"]) == ("2026-03-04", "2026-03-04")
        folder.brain.validate("a")
        assert "created: 2026-03-04\n" in file.read_text()
        assert folder.command("list", "--json").status == 0
    finally:
        monkeypatch.undo()
        time.tzset()


def test_a_key_that_stands_twice_is_told_and_neither_goes(folder: Folder) -> None:
    """Two lines of one key, of which a parser keeps the last and a rewrite drops the first."""
    file = folder.write("a.md", "---\nstatus: active\ntitle: T\nstatus: superseded\n---\ntext\n")
    assert folder.problems() == [("duplicate-key", "a.md:4")]
    folder.brain.validate("a", 0.9)
    assert file.read_text().count("status: ") == 2
    with pytest.raises(InputError):
        folder.brain.invalidate("a")
    assert file.read_text().count("status: ") == 2


@pytest.mark.parametrize(
    "key",
    ["handler", "content", "metadata", "self", "text", "body", "__class__", "keys", "get", "items", "extra", "usage"],
)
def test_any_key_may_be_used_by_a_person(folder: Folder, key: str) -> None:
    """Keys that are names of arguments or fields in a program that reads notes."""
    file = folder.write("a.md", f"---\n{key}: nginx\ntitle: T\n---\nthe body\n")
    assert folder.brain.get("a").content == "the body"
    folder.brain.validate("a")
    assert f"{key}: nginx\n" in file.read_text()


BAD = {
    "tab": b"---\ntags:\n\t- a\n---\nx\n", "open": b"---\ntitle: T\nno end\n", "list": b"---\n- a\n- b\n---\nx\n", "bytes": b"\xff\xfe\x00",
    "merge": b"---\n<<<<<<< HEAD\ntitle: a\n=======\ntitle: b\n>>>>>>> x\n---\nx\n", "nul": b"a\x00b\n", "brace": b"---\n{a: [b\n---\nx\n",
    "bomb": b"---\na: &a [x, x]\nb: [*a, *a]\n---\nx\n", "tagged": b"---\ntitle: !!python/object/apply:os.system [id]\n---\nx\n",
    "deep": b"---\nx: " + b"[" * 5000 + b"]" * 5000 + b"\n---\nx\n", "wide": b"---\nx: " + b"y" * 70_000 + b"\n---\nx\n", "quote": b'---\ntitle: "open\n---\nx\n',
}  # fmt: skip


def test_bad_notes_stop_no_good_one(folder: Folder) -> None:
    """One note that no parser takes among many that are sound."""
    for n in range(300):
        folder.write(f"good{n}.md", f"---\ntitle: Good {n}\n---\nsoundword {n}\n")
    files = {name: folder.write(f"{name}.md", text) for name, text in BAD.items()}
    started = time.monotonic()
    assert folder.brain.search("soundword").total == 300
    told = {path.partition(":")[0] for _, path in folder.problems()}
    assert told == {f"{name}.md" for name in BAD}
    assert time.monotonic() - started < 5
    assert {name: file.read_bytes() for name, file in files.items()} == BAD
    assert folder.command("doctor").status == 1
    assert folder.command("search", "soundword").status == 0


@pytest.mark.parametrize(
    "text",
    ["---\n\nIntroword\n\n---\nrestword\n", "---\nIntroword\n---\nrestword\n", "---\nIntroword here: a remark\nof two lines\n---\nrestword\n",
     "---\n\nNote: Introword\n\n---\nrestword\n", "---\n# Introword\n\ntext\n\n---\nrestword\n", "---\r\n\r\nIntroword\r\n\r\n---\r\nrestword\r\n"],
)  # fmt: skip
def test_a_rule_at_the_top_eats_no_text(folder: Folder, text: str) -> None:
    """A note that begins with a horizontal rule, up to the next of which all is taken for a block."""
    file = folder.write("a.md", text.encode())
    assert folder.found("Introword") == folder.found("restword") == ["a"]
    folder.brain.validate("a")
    assert text.encode().rstrip() in file.read_bytes()
    assert folder.found("Introword") == folder.found("restword") == ["a"]


BODIES = (
    "one\n\n---\n\ntwo\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n---\n", "---\n\nrule first", "    code line first\n\ntext", "text\n\n\n", "\n\ntext", "  indented",
    "a\n...\nb", "```yaml\n---\na: b\n---\n```", "trailing space  \nnext", "\ttab first", "a\r\nb", "- [x] done\n- [12:30] hi\n> [!note]\n> text",
)  # fmt: skip


@pytest.mark.parametrize("body", BODIES)
def test_a_body_comes_back_to_the_letter(folder: Folder, body: str) -> None:
    """Rules, fences and tables within a text, leading indentation, blank lines at both ends."""
    other = folder.brain.encode("Other", "o").id
    id = folder.brain.encode("A", body, description="with\n---\na line of three").id
    assert folder.brain.get(id).content == body
    folder.brain.link(id, other)
    folder.brain.validate(id)
    assert folder.brain.get(id).content == body
    folder.brain.unlink(id, other)
    assert folder.brain.get(id).content == body


def test_windows_line_ends_stay(folder: Folder) -> None:
    """CRLF, with and without a byte order mark, which a rewrite turns into a change of every line."""
    for name, mark in (("a", b""), ("b", b"\xef\xbb\xbf")):
        text = mark + b"---\r\nid: %s\r\ntitle: T # mine\r\n---\r\n\r\nfirst\r\nlast\r\n" % name.encode()
        file = folder.write(f"{name}.md", text)
        folder.write("other.md", "o")
        folder.brain.validate(name)
        folder.brain.link(name, "other")
        folder.brain.edit(name, [Append("one\ntwo")])
        now = file.read_bytes()
        assert now.startswith(mark + b"---\r\n")
        assert now.count(b"\n") == now.count(b"\r\n")
        assert not [line for line in lines_that_differ(text, now) if line[0] == "-"]


def test_a_write_changes_the_lines_of_its_keys_alone(folder: Folder) -> None:
    """Comments, the order of keys, quotes and unknown keys, which vanish when a block is laid out anew."""
    text = (
        "---\n# kept by hand\nzeta: 1\ntitle: 'My title'   # a remark\nconfidence: 0.50\ncustom:\n    nested: \"05\"\n    list:\n        - x\n"
        'tags:\n    - a\n    # between\n    - "b"\nstatus: active\nlast_validated: 2020-01-01\n\n# the end\n---\nBody.\n'
    )
    file = folder.write("a.md", text)
    before = file.read_bytes()
    folder.brain.validate("a")
    assert [line[:17] for line in lines_that_differ(before, file.read_bytes())] == [
        "- last_validated:",
        "+ last_validated:",
    ]
    before = file.read_bytes()
    folder.brain.edit("a", [SetField("tags", "a,b,c")])
    assert lines_that_differ(before, file.read_bytes()) == ["+     - c\n"]
    before = file.read_bytes()
    folder.brain.edit("a", [SetField("title", "Other: title")])
    assert lines_that_differ(before, file.read_bytes()) == [
        "- title: 'My title'   # a remark\n",
        '+ title: "Other: title"   # a remark\n',
    ]


def test_control_characters_never_reach_a_file(folder: Folder) -> None:
    """NUL, bells and half characters in what is to be kept, and in files that are there already."""
    kept = folder.brain.encode("T\x00itle\x1b[31m", "a\x00b\x07c\ud800", tags=["x\x00"])
    assert kept.created
    assert any("taken out or replaced" in note for note in kept.notes)
    assert (folder.brain.get(kept.id).title, folder.brain.get(kept.id).content) == ("Title[31m", "abc\ufffd")
    assert folder.brain.encode("Plain", "text").notes == ()
    file = folder.write("nul.md", b"before\x00after\x07 nulword\n")
    assert ("nul-character", "nul.md:1") in folder.problems()
    with pytest.raises(InputError):
        folder.brain.validate("nul")
    assert file.read_bytes() == b"before\x00after\x07 nulword\n"
    shown = folder.command("read", "nul")
    assert shown.out.isprintable() or "\x00" not in shown.out.replace("\n", "")
    assert "\x07" not in shown.out


@pytest.mark.parametrize(
    "given", ['["infra","eu"]', "infra, eu", "[infra, eu]", ["infra", "eu"], "#infra, #eu", " infra ,eu, "]
)
def test_tags_are_a_list_in_whatever_form_they_come(folder: Folder, given: object) -> None:
    """A list as JSON in a text, with commas, with hashes."""
    kept = folder.brain.encode("A", "x", tags=given)
    assert folder.brain.get(kept.id).tags == ("infra", "eu")
    line = given if isinstance(given, str) else json.dumps(given)
    said = folder.command("encode", "B", "--tags", line, "--json")
    assert json.loads(said.out)["memory"]["tags"] == ["infra", "eu"]
    assert folder.command("edit", "b", "--set", f"tags={line}").status == 0
    assert folder.brain.get("b").tags == ("infra", "eu")
    assert folder.brain.encode("C", "x", tags="infra").memory.tags == ("infra",)


def test_a_long_line_stays_one_line(folder: Folder) -> None:
    """A description of hundreds of characters, which a YAML writer folds."""
    long = 'say "no" - it\'s ' * 18
    id = folder.brain.encode("A", "x", description=long.strip()).id
    text = folder.brain.read(id).text
    (line,) = (line for line in text.splitlines() if line.startswith("description: "))
    assert yaml.safe_load(line) == {"description": long.strip()}
    folder.brain.validate(id)
    assert folder.brain.get(id).description == long.strip()
