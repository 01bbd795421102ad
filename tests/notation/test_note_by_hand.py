"""Notes that people write: every fault that note tools are known for, and the outcome here."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from plainbrain.errors import InvalidField, Unreadable
from plainbrain.model.confidence import UNSAID, Confidence
from plainbrain.model.instants import parse_instant
from plainbrain.model.links import Link
from plainbrain.model.memory import Memory
from plainbrain.notation.note import read_note, write_note
from plainbrain.notation.note.edit import edit_note
from plainbrain.notation.wikilinks import body_links

TODAY = parse_instant("2026-11-01")


def read(text: str, locator: str = "infra/a.md") -> Memory:
    return read_note(text, locator=locator).memory


def codes(text: str) -> list[tuple[str, int]]:
    return [(problem.code, problem.line) for problem in read_note(text, locator="infra/a.md").problems]


def validated(text: str) -> str:
    before = read(text)
    return edit_note(text, before=before, after=replace(before, last_validated=TODAY), locator="infra/a.md")


@pytest.mark.parametrize(
    "title",
    ["Deploy: blue/green (EU): step 2", "Fix #412 today", "007", "0755", "0899", "12e7", "1e3", "22:30", "no", "2026-10-27",
     "- a", "a:", "[x]", "{x}", "*x", "&x", "!x", "%x", "@x", "`x", "'x'", '"x"', "x'\"\\", "", "~", "null", "=", "<<", "?"],
)  # fmt: skip
def test_titles_stay_text(title: str) -> None:
    memory = Memory("a", "body", title=title, cortex="infra", tags=(title,) if title.strip("-[]{}") else ())
    found = read(write_note(memory))
    assert (found.title, found.tags) == (title, memory.tags)


def test_an_unquoted_colon_is_told_and_read_all_the_same() -> None:
    text = "---\nid: a\ntitle: Deploy: blue/green\ntags: [x]\n---\n\nbody\n"
    assert codes(text) == [("frontmatter-invalid", 3)]
    assert (read(text).title, read(text).tags, read(text).content) == ("Deploy: blue/green", ("x",), "body")
    with pytest.raises(Unreadable) as caught:
        validated(text)
    assert (caught.value.path, caught.value.line) == ("infra/a.md", 3)
    assert caught.value.hint


def test_numbers_and_times_stay_as_written() -> None:
    text = '---\nid: 007\nbuild: 0755\nstandup: 22:30\nhash: 12e7\nroom: "05"\nn: 7\nyes_no: no\nopen: true\n---\nx\n'
    found = read(text)
    assert found.id == "007"
    assert found.extra == {
        "build": "0755", "standup": "22:30", "hash": "12e7", "room": "05", "n": 7, "yes_no": "no", "open": True,
    }  # fmt: skip
    assert validated(text) == text.replace("id: 007\n", "id: 007\nlast_validated: 2026-11-01\n")


def test_dates_stay_days() -> None:
    text = "---\ncreated: 2026-03-04\nreviewed_on: 2026-03-05\n---\nx\n"
    assert str(read(text).created) == "2026-03-04"
    assert json.dumps(dict(read(text).extra)) == '{"reviewed_on": "2026-03-05"}'
    assert "created: 2026-03-04\nlast_validated: 2026-11-01\n" in validated(text)
    assert read("---\ncreated: 2026-13-45\n---\n").created == parse_instant("2026-13-45")


def test_a_key_that_stands_twice_is_told_and_kept() -> None:
    text = "---\nstatus: active\nid: a\nstatus: superseded\n---\nx\n"
    assert codes(text) == [("duplicate-key", 4)]
    assert read(text).status == "active"
    assert validated(text).startswith("---\nstatus: active\nid: a\nlast_validated: 2026-11-01\nstatus: superseded\n")
    with pytest.raises(Unreadable):
        edit_note(text, before=read(text), after=replace(read(text), status="superseded"), locator="infra/a.md")


def test_any_key_may_stand_in_a_note() -> None:
    text = "---\nhandler: nginx\ncontent: x\nmetadata: text\nextra: y\nself: z\n---\nbody\n"
    found = read(text)
    assert found.extra == {"handler": "nginx", "content": "x", "metadata": "text", "extra": "y", "self": "z"}
    assert found.content == "body"
    assert read(write_note(found)) == found
    cleared = replace(found, extra={"handler": "nginx"})
    assert edit_note(text, before=found, after=cleared, locator="infra/a.md") == "---\nhandler: nginx\n---\nbody\n"


def test_tabs_are_told() -> None:
    assert codes("---\ntags:\n\t- a\n---\nx\n") == [("frontmatter-invalid", 3)]


@pytest.mark.parametrize(
    "text",
    [
        "---\n\nIntro\n\n---\nrest\n",
        "---\n\nWhy: because\n\nMore: text\n\n---\nrest\n",
        "---\nrest\n",
        "---\n# Heading\n---\nrest\n",
        "---\n- one\n- two\n---\nrest\n",
    ],
)
def test_a_rule_at_the_top_is_text(text: str) -> None:
    assert read(text).content == text[:-1]
    edited = edit_note(text, before=read(text), after=replace(read(text), kind="fact"), locator="infra/a.md")
    assert edited == f"---\ntype: fact\n---\n\n{text}"


def test_a_block_that_is_no_mapping_is_told() -> None:
    assert codes("---\nonly text\n---\nx\n") == [("frontmatter-not-mapping", 2)]
    assert codes("---\n\nIntro\n\n---\nrest\n") == []
    assert codes("---\nid: a\nnever closed\n") == [("frontmatter-unclosed", 1)]


def test_fences_inside_values_and_bodies_cut_nothing() -> None:
    body = "one\n---\ntwo\n\n---\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    memory = Memory("a", body, title="a", cortex="infra", description="x --- y", rationale="first\n---\nlast\n")
    text = write_note(memory)
    assert "rationale: |\n  first\n  ---\n  last\n" in text
    assert read(text) == memory
    linked = replace(memory, links=(Link("b"),))
    assert read(edit_note(text, before=memory, after=linked)).content == body


def test_windows_line_ends_stay() -> None:
    text = "---\r\nid: a\r\n# mine\r\ntags: [x]\r\n---\r\n\r\nbody\r\nmore\r\n"
    before = read(text)
    assert (before.content, before.tags) == ("body\r\nmore", ("x",))
    edited = edit_note(text, before=before, after=replace(before, links=(Link("b", "extends"),)), locator="infra/a.md")
    assert edited == (
        "---\r\nid: a\r\n# mine\r\ntags: [x]\r\nlinks:\r\n  - to: b\r\n    rel: extends\r\n---\r\n\r\n"
        "body\r\nmore\r\n\r\n- extends [[b]]\r\n"
    )


def test_an_edit_touches_its_own_lines_only() -> None:
    text = (
        "\ufeff---\n# our rules\nstatus:   active   # checked by Ann\nzeta: [ 1,2 ]\nid: 'a'\ntitle: \"T\"\n\n"
        "tags:\n  # first\n  - one\n  - \"two\" # quoted\n  - three\nroom: \"05\"\ncreated: 2026-01-01\n---\nbody"
    )  # fmt: skip
    assert validated(text) == text.replace("created: 2026-01-01\n", "created: 2026-01-01\nlast_validated: 2026-11-01\n")
    before = read(text)
    retired = replace(before, status="superseded", tags=("two", "three", "four"), title="T: 2")
    assert edit_note(text, before=before, after=retired, locator="infra/a.md") == (
        "\ufeff---\n# our rules\nstatus:   superseded   # checked by Ann\nzeta: [ 1,2 ]\nid: 'a'\ntitle: \"T: 2\"\n\n"
        "tags:\n  # first\n  - \"two\" # quoted\n  - three\n  - four\nroom: \"05\"\ncreated: 2026-01-01\n---\nbody"
    )  # fmt: skip
    rewritten = edit_note(text, before=before, after=replace(before, content="new"), locator="infra/a.md")
    assert rewritten == text.replace("---\nbody", "---\nnew")


def test_flow_lists_keep_their_items() -> None:
    text = "---\ntags: [ 'one', \"05\",three ] # mine\n---\nx\n"
    before = read(text)
    more = edit_note(text, before=before, after=replace(before, tags=("one", "05", "three", "007")))
    assert more == text.replace("three ]", 'three, "007" ]')
    less = edit_note(text, before=before, after=replace(before, tags=("05", "three")))
    assert less == text.replace("[ 'one', \"05\",three ]", '["05", three]')
    assert edit_note(text, before=before, after=replace(before, tags=())) == "---\n---\nx\n"


def test_body_space_stays() -> None:
    text = "---\nid: a\n---\n    code\n\ntext\n\n"
    assert read(text).content == "    code\n\ntext\n"
    assert read(write_note(read(text))).content == "    code\n\ntext\n"


def test_a_long_line_stays_one_line() -> None:
    description = "a \"quoted\" - and 'other' - " * 12
    text = write_note(Memory("a", "x", description=description.strip()))
    assert text.count("\n") == 8
    assert read(text).description == description.strip()


def test_control_characters() -> None:
    assert codes("---\nid: a\n---\nx\0y\n") == [("nul-character", 4)]
    assert read("---\nid: a\n---\nx\0y\n").content == "x\0y"
    assert ("frontmatter-invalid", 0) in [(code, 0) for code, _ in codes("---\nid: a\0\n---\nx\n")]
    with pytest.raises(InvalidField):
        write_note(Memory("a", "a\x00b"))
    with pytest.raises(InvalidField):
        write_note(Memory("a", "\ud800"))
    bell = Memory("a", "x", title="bell \x07", cortex="infra")
    assert read(write_note(bell)) == bell


@pytest.mark.parametrize(
    "written",
    ["[infra, eu]", "infra, eu", '\'["infra","eu"]\'', "'#infra #eu'", "\n  - infra\n  - '#eu'", '["#infra", "eu"]'],
)
def test_tags_are_read_in_every_form(written: str) -> None:
    assert read(f"---\ntags: {written}\n---\nx\n").tags == ("infra", "eu")


def test_one_tag_is_a_list_of_one() -> None:
    assert read("---\ntags: infra\n---\n").tags == ("infra",)
    assert read("---\ntags:\n---\n").tags == ()


def test_merge_markers_are_told() -> None:
    block = "---\nid: a\n<<<<<<< HEAD\ntitle: one\n=======\ntitle: two\n>>>>>>> b\n---\nbody\n"
    assert codes(block) == [("merge-conflict", 3)]
    assert (read(block).title, read(block).content) == ("one", "body")
    with pytest.raises(Unreadable):
        validated(block)
    assert codes("---\nid: a\n---\n<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> b\n") == [("merge-conflict", 4)]


@pytest.mark.parametrize(
    ("block", "code"),
    [
        ("a: &x [1]\nb: *x\n", "frontmatter-forbidden"),
        ("a: !!python/object:os.system x\n", "frontmatter-forbidden"),
        ("a: " + "[" * 5000 + "\n", "frontmatter-invalid"),
        ("a: " + "[" * 50 + "]" * 50 + "\n", "frontmatter-too-deep"),
        ("a: " + "x" * 70_000 + "\n", "frontmatter-too-large"),
        ("? [a, b]\n: c\n", "frontmatter-invalid"),
    ],
)
def test_what_makes_yaml_dangerous_is_refused(block: str, code: str) -> None:
    text = f"---\nid: named\n{block}---\nbody\n"
    assert [found for found, _ in codes(text)] == [code]
    assert (read(text).id, read(text).content) == ("named", "body")


def test_claude_code_notes_are_read() -> None:
    flat = "---\nname: Use pnpm\ndescription: never npm\ntype: feedback\n---\n\n**Why:** lockfile\n"
    nested = "---\nname: Use pnpm\ndescription: never npm\nmetadata:\n  type: feedback\n---\n\n**Why:** lockfile\n"
    for text in (flat, nested):
        found = read(text)
        assert (found.title, found.description, found.kind) == ("Use pnpm", "never npm", "feedback")
        assert read(write_note(found)) == found
        renamed = edit_note(text, before=found, after=replace(found, title="Use bun"), locator="infra/a.md")
        assert renamed == text.replace("Use pnpm", "Use bun")


def test_what_is_unsaid_comes_from_the_place() -> None:
    found = read("```\n# no\n```\n# The heading #\n", "infra/node/x.y.md")
    assert (found.id, found.cortex, found.title) == ("x.y", "infra/node", "The heading")
    assert read("text", "x.MD").title == "x"
    assert [read("text", name).id for name in ("x.markdown", "x.Markdown", "x.md.markdown")] == ["x", "x", "x.md"]
    assert read("---\ntitle:\nid:\n---\n", "x.md") == Memory("x", title="x")


def test_the_folder_beats_the_note() -> None:
    note = read_note("---\nid: a\ncortex: infra\n---\nx\n", locator="ops/a.md")
    assert note.memory.cortex == "ops"
    assert [(p.code, p.where) for p in note.problems] == [("cortex-mismatch", "ops/a.md:3")]
    assert read_note("---\ncortex: infra\n---\n", locator="a.md").memory.cortex == "infra"


def test_confidence_is_a_number_or_a_word() -> None:
    assert read("---\nconfidence: 0.90\n---\n").confidence == Confidence(number=0.9)
    assert read("---\nconfidence: sure\n---\n").confidence == Confidence(word="sure")
    for odd in (Confidence(0.5, "sure"), Confidence(word="0.5")):
        memory = Memory("a", title="a", cortex="infra", confidence=odd)
        assert read(write_note(memory)) == memory


def test_odd_values_are_kept_and_told() -> None:
    text = "---\ntitle: [a]\nlinks: {rel: x}\ndynamics: {speed: 3}\nttl_seconds: soon\n---\nx\n"
    found = read(text)
    assert found.extra == {"title": ["a"], "links": {"rel": "x"}, "dynamics": {"speed": 3}, "ttl_seconds": "soon"}
    assert codes(text) == [("field-form", line) for line in (2, 3, 4, 5)]
    assert read(write_note(found)) == found


@pytest.mark.parametrize(
    "written", ["b", "[[b]]", '"[[b]]"', "[b]", "\n  - '[[b|B]]'", "\n  - to: b", "{to: '[[b#h]]'}"]
)
def test_links_are_read_in_every_form(written: str) -> None:
    assert read(f"---\nlinks: {written}\n---\nx\n").links == (Link("b"),)


def test_links_stand_in_the_body_too() -> None:
    memory = Memory("a", "text", title="a", cortex="infra", links=(Link("b", "extends"), Link("c")))
    text = write_note(memory)
    assert text.endswith("---\n\ntext\n\n- extends [[b]]\n- relates_to [[c]]\n")
    fewer = edit_note(text, before=memory, after=replace(memory, links=(Link("c"), Link("d"))))
    assert fewer.endswith("---\n\ntext\n\n- relates_to [[c]]\n- relates_to [[d]]\n")
    none = edit_note(text, before=memory, after=replace(memory, links=()))
    assert none == write_note(replace(memory, links=()))
    by_hand = text.replace("- extends [[b]]\n- relates_to [[c]]\n", "- see [[z]]\n")
    assert read(by_hand).content == "text\n\n- see [[z]]"
    assert read(text + "\n\n") == memory


def test_body_links_are_found() -> None:
    content = (
        "[[a]] [[b|B]] ![[c#H]] [[a]] `[[no]]` ``x ` [[no]]`` ` [[d]]\n```\n[[no]]\n```\n[[e^1]] [[]] [[x\n[[[[f]]"
    )
    assert body_links(content) == ("a", "b", "c", "d", "e", "f")
    assert body_links("[[" * 50_000) == ()
    assert body_links("`" * 50_000 + " `` " * 10_000 + "[[a]]") == ("a",)


def test_a_note_that_is_one_flow_mapping_is_read_and_not_edited() -> None:
    text = '---\n{"id": "a", "tags": ["x"]}\n---\nbody\n'
    assert read(text).tags == ("x",)
    with pytest.raises(Unreadable):
        validated(text)
    assert edit_note(text, before=read(text), after=replace(read(text), content="new")).endswith("---\nnew\n")


@pytest.mark.parametrize("block", ["# mine\ntags: [x]\n", "\ntags: [x]\nzeta: 1\n"])
def test_a_block_stays_a_block_when_its_last_known_key_goes(block: str) -> None:
    text = f"---\n{block}---\nx\n"
    edited = edit_note(text, before=read(text), after=replace(read(text), tags=()), locator="infra/a.md")
    assert read(edited) == replace(read(text), tags=())
    assert all(line in edited for line in block.split("\n") if "tags" not in line)


@pytest.mark.parametrize("written", ["7", "-1", "1.01"])
def test_a_confidence_out_of_its_range_counts_as_unsaid(written: str) -> None:
    confidence = read_note(f"---\nconfidence: {written}\n---\n\nx\n", locator="a.md").memory.confidence
    assert (confidence.value, confidence.label) == (UNSAID, "likely")
