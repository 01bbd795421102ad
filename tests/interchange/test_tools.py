"""What each tool keeps, in its real layout and in hostile variants: what comes over, and what is said of the rest."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from plainbrain.app import intake
from plainbrain.app.exports import ALL, export_basic_memory, export_graph, export_log, write_folder
from plainbrain.app.intake import What
from plainbrain.app.transfer import dump, dump_extended
from plainbrain.errors import InputError
from plainbrain.model.change import Put
from plainbrain.model.links import Link
from plainbrain.model.memory import Memory
from plainbrain.testing.builders import full_memory
from tests.interchange.brains import KINDS, brain_at, bring_in, memories_of, plain, write_lines


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


# the MCP memory server

GRAPH = [
    {"type": "entity", "name": "Ada", "entityType": "person", "observations": ["Likes tea", "Two\nlines"]},
    {"type": "entity", "name": "Plainbrain", "entityType": "project", "observations": []},
    {"type": "relation", "from": "Ada", "to": "Plainbrain", "relationType": "works_on"},
]


@pytest.mark.parametrize("kind", KINDS)
def test_a_graph_comes_in_and_goes_out_equal(kind: str, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "memory.json", GRAPH)
    with brain_at(kind, tmp_path / "brain") as brain:
        report = bring_in(brain, path)
        assert (report.form, report.counts) == ("mcp-memory", {What.ADDED: 2})
        ada = brain.get("ada")
        assert (ada.title, ada.kind, ada.content) == ("Ada", "person", "- Likes tea\n- Two\n  lines")
        assert ada.links == (Link("plainbrain", "works_on"),)
        assert (ada.provenance.origin, ada.provenance.trust) == ("import:mcp-memory", "unreviewed")
        out = [json.loads(line) for line in export_graph(brain.context)]
        assert sorted(out, key=str) == sorted(GRAPH, key=str)
        assert bring_in(brain, path).counts == {What.THERE: 2}


def test_a_graph_with_odd_lines(tmp_path: Path) -> None:
    lines: list[object] = [
        {"type": "entity", "entityType": "person", "observations": ["nameless"]},
        {"type": "entity", "entityName": "Bob", "entity_type": "person", "observations": "one text"},
        {"type": "entity", "name": "Eve", "observations": [None, {"content": "as an object"}, 3]},
        {"type": "entity", "name": "Eve", "entityType": "again", "observations": []},
        {"type": "relation", "from_id": "Bob", "to_id": "Eve", "relation_type": "knows"},
        {"type": "relation", "from": "Bob", "to": "Nobody", "relationType": "knows"},
        {"type": "relation", "from": "Bob"},
        {"type": "else"},
        ["no object"],
    ]
    with brain_at("ram", tmp_path / "brain") as brain:
        report = bring_in(brain, write_lines(tmp_path / "m.jsonl", lines))
        assert {o.where for o in report.items if o.what is What.REFUSED} == {f"line {n}" for n in (1, 4, 7, 8, 9)}
        assert [o.where for o in report.items if o.what is What.NOTED] == ["line 6"]
        found = memories_of(brain)
        assert found["bob"].content == "- one text"
        assert found["bob"].links == (Link("eve", "knows"), Link("nobody", "knows"))
        assert found["eve"].content == "- as an object\n- 3"


def test_an_id_that_is_taken_by_another_memory(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "m.jsonl", GRAPH)
    with brain_at("vault", tmp_path / "brain") as brain:
        brain.encode("Ada", "A language of ours.")
        first = bring_in(brain, path)
        assert first.counts[What.ADDED] == 2
        assert "is the id of another memory here" in first.items[0].why
        assert brain.get("ada").content == "A language of ours."
        assert bring_in(brain, path).counts == {What.THERE: 2}
        assert len(memories_of(brain)) == 3


def test_links_go_on_to_what_got_another_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake, "_BATCH_OF_KIND", {"vault": 1, "sqlite": 1})
    lines = [
        {
            "type": "entity",
            "name": "Bob",
            "entityType": "person",
            "observations": ["sits beside [[Ada]]", "not [[Ada B]]"],
        },
        {"type": "entity", "name": "Ada", "entityType": "person", "observations": ["knows [[ada#x|herself]]"]},
        {"type": "relation", "from": "Bob", "to": "Ada", "relationType": "knows"},
    ]
    path = write_lines(tmp_path / "m.jsonl", lines)
    for kind in ("vault", "sqlite"):
        with brain_at(kind, tmp_path / kind) as brain:
            ours = brain.encode("Ada", "A language of ours.", id="ada")
            brain.encode("Speaks of ours", "See [[ada]].", id="other", links=[Link("ada")])
            bring_in(brain, path)
            found = memories_of(brain)
            [new] = set(found) - {"ada", "bob", "other"}
            assert Link(new, "knows") in found["bob"].links
            assert found["bob"].content == f"- sits beside [[{new}]]\n- not [[Ada B]]"
            assert found[new].content == f"- knows [[{new}#x|herself]]"
            assert (found["ada"].content, found["other"].content) == (ours.memory.content, "See [[ada]].")
            assert Link("ada") in found["other"].links
            assert bring_in(brain, path).counts == {What.THERE: 2}
            assert memories_of(brain) == found


# Basic Memory

NOTE = """---
title: Search design
type: note
permalink: specs/search
tags:
- search
- design
created: 2026-01-02
modified: 2026-02-03T10:00:00
---

# Search design

- [decision] We index with FTS5 #sqlite (measured)
- [ ] a task #no
- [x] done #no
- implements [[Local first]] (mostly)
- "depends on" [[specs/storage]]
- [[Nothing here]]
See also [[Local first]].
"""


def test_basic_memory_notes(tmp_path: Path) -> None:
    folder = write(
        tmp_path / "notes",
        {
            "specs/search.md": NOTE,
            "specs/storage.md": "---\ntitle: Storage\npermalink: specs/storage\n---\nText\n",
            "local-first.md": "---\ntitle: Local first\ntype: idea\npermalink: local-first\ntags: a, b\n---\n",
            "bad.md": "---\ntitle: [broken\n---\nstill text\n",
            ".hidden/x.md": "no",
        },
    )
    with brain_at("ram", tmp_path / "brain") as brain:
        report = bring_in(brain, folder)
        assert (report.form, report.counts[What.ADDED]) == ("basic-memory", 4)
        note = brain.get("search-design")
        assert note.tags == ("search", "design", "sqlite")
        assert note.links == (
            Link("local-first", "implements"),
            Link("storage", "depends on"),
        )
        assert "- [decision] We index with FTS5" in note.content
        assert note.updated is not None
        assert note.updated.iso() == "2026-02-03T10:00:00Z"
        assert note.created is not None
        assert note.created.day
        assert brain.get("local-first").kind == "idea"
        assert bring_in(brain, folder).counts == {What.THERE: 4, What.NOTED: 1}


def test_basic_memory_notes_go_out_and_come_back(tmp_path: Path) -> None:
    memory = Memory("use-pnpm", "Text.", title="Use pnpm", kind="decision", tags=("a.b",), rationale="It is fast")
    other = Memory("other", "More.", title="Other", links=(Link("use-pnpm", "see also"),), cortex="x")
    with brain_at("ram", tmp_path / "a") as brain, brain_at("ram", tmp_path / "b") as again:
        brain.store.apply([Put(memory), Put(other)])
        assert [path for path, _ in export_basic_memory(brain.context)] == ["use-pnpm.md", "x/other.md"]
        assert write_folder(brain.context, "basic-memory", tmp_path / "out", choice=ALL) == 2
        assert bring_in(again, tmp_path / "out").form == "basic-memory"
        assert again.get("other").links == (Link("use-pnpm", "see also"),)
        assert "- [rationale] It is fast" in again.get("use-pnpm").content
        assert again.get("use-pnpm").tags == ("a.b",)
        with pytest.raises(InputError):
            write_folder(brain.context, "basic-memory", tmp_path / "out", choice=ALL)


# Claude Code


def test_a_memory_folder_of_claude_code(tmp_path: Path) -> None:
    folder = write(
        tmp_path / "memory",
        {
            "MEMORY.md": "- [Testing](feedback_testing.md) — run them\n",
            "feedback_testing.md": "---\nname: Run the tests\ndescription: before every commit\ntype: feedback\n---\n\n"
            "Run them.\n\n**Why:** a broken main\ncost a day\n\n**How to apply:** make check\n\nSee [[not-there]].\n",
            "user_role.md": "---\nname: Role\ndescription: what she does\nmetadata:\n  type: user\n---\nA pilot.\n",
            "loose.md": "No frontmatter at all.\n",
        },
    )
    with brain_at("vault", tmp_path / "brain") as brain:
        report = bring_in(brain, folder)
        assert report.form == "claude-code"
        assert report.counts == {What.ADDED: 3, What.PASSED: 1}
        topic = brain.get("feedback_testing")
        assert (topic.title, topic.kind, topic.description) == ("Run the tests", "feedback", "before every commit")
        assert topic.rationale == "a broken main cost a day"
        assert "**How to apply:** make check" in topic.content
        assert brain.get("user_role").kind == "user"
        assert brain.get("loose").content == "No frontmatter at all."
        assert bring_in(brain, folder).counts == {What.THERE: 3, What.PASSED: 1}


def test_any_folder_of_markdown(tmp_path: Path) -> None:
    folder = write(tmp_path / "notes", {"a/note.md": "# One\n\ntext\n", "b/note.md": "# Two\n", "b/x.txt": "no"})
    (tmp_path / "outside.md").write_text("secret\n", encoding="utf-8")
    (folder / "link.md").symlink_to(tmp_path / "outside.md")
    (folder / "latin.md").write_bytes(b"caf\xe9\n")
    with brain_at("ram", tmp_path / "brain") as brain:
        report = bring_in(brain, folder)
        assert report.form == "markdown"
        found = memories_of(brain)
        assert {(id, m.cortex, m.title) for id, m in found.items()} == {("note", "a", "One"), ("b/note", "b", "Two")}
        assert [o.where for o in report.items if o.what is What.REFUSED] == ["latin.md"]


# mem0


def test_mem0_exports(tmp_path: Path) -> None:
    results = [
        {
            "id": "0b5d8e2a-1111-4222-8333-944445555666",
            "memory": "Prefers tea",
            "metadata": {"a": 1},
            "score": 0.4,
            "created_at": "2026-01-02T03:04:05.678901-08:00",
            "updated_at": None,
            "user_id": "ada",
            "categories": ["food"],
            "hash": "x",
        },
        {"id": 7, "memory": "Id of another kind"},
        {"id": "x", "memory": None},
        "no object",
    ]
    path = tmp_path / "mem0.json"
    with brain_at("ram", tmp_path / "brain") as brain:
        for document in ({"results": results}, results):
            path.write_text(json.dumps(document, indent=2), encoding="utf-8")
            report = bring_in(brain, path)
            assert report.form == "mem0"
            assert report.counts[What.REFUSED] == 2
        tea = brain.get("0b5d8e2a-1111-4222-8333-944445555666")
        assert (tea.content, tea.user_id, tea.tags, tea.metadata) == ("Prefers tea", "ada", ("food",), {"a": 1})
        assert tea.created is not None
        assert tea.created.iso() == "2026-01-02T11:04:05.678Z"
        assert tea.extra == {"mem0": {"hash": "x"}}
        assert brain.get("id-of-another-kind").content == "Id of another kind"
        assert len(memories_of(brain)) == 2


def test_mem0_blocks_of_markdown(tmp_path: Path) -> None:
    block = "---\nid: m{0}\ncreated_at: 2026-01-0{0}\ntype: decision\nconfidence: 0.8\nbranch: main\nfiles: [a.py, b.py]\n---\nText {0}\n\n"
    path = tmp_path / "export.md"
    path.write_text(block.format(1) + block.format(2), encoding="utf-8")
    with brain_at("ram", tmp_path / "brain") as brain:
        assert bring_in(brain, path).form == "mem0"
        one = brain.get("m1")
        assert (one.content, one.kind, one.files, one.confidence.number) == (
            "Text 1",
            "decision",
            ("a.py", "b.py"),
            0.8,
        )


# conversations


def message(role: str, text: object, at: object = 1_767_225_600.5) -> dict[str, object]:
    return {"author": {"role": role}, "content": {"content_type": "text", "parts": [text]}, "create_time": at}


def chat(**more: object) -> dict[str, object]:
    return {
        "title": "Hello",
        "conversation_id": "c1",
        "create_time": 1_767_225_600.0,
        "current_node": "n3",
        "mapping": {
            "n1": {"parent": None, "children": ["n2", "x"], "message": None},
            "x": {"parent": "n1", "children": [], "message": message("user", "My name is Wrongbranch.")},
            "n2": {"parent": "n1", "children": ["n3"], "message": message("user", "My name is Ada. I prefer tabs.")},
            "n3": {"parent": "n2", "children": [], "message": message("assistant", "My name is Botty.")},
        },
        **more,
    }


def test_chatgpt_conversations_tolerate_what_exports_leave_out(tmp_path: Path) -> None:
    conversations = [
        chat(title=None, create_time=None),
        {"title": "no messages"},
        chat(current_node=None, mapping={"a": {"message": message("user", "I prefer tabs.", None)}, "b": None}),
        chat(mapping={"n3": {"message": {"author": None}}}),
        "no object",
        chat(mapping={"n3": {"message": message("user", {"image": 1})}}),
    ]
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps(conversations), encoding="utf-8")
    with brain_at("ram", tmp_path / "brain") as brain:
        report = bring_in(brain, path)
        assert report.form == "chatgpt"
        found = list(memories_of(brain).values())
        texts = " ".join(m.content for m in found)
        assert "Ada" in texts
        assert "tabs" in texts
        assert "Wrongbranch" not in texts
        assert "Botty" not in texts
        assert all(m.provenance.sessions == ("c1",) and m.provenance.trust == "unreviewed" for m in found)
        assert found[0].provenance.turn == 1
        assert found[0].created is not None
        assert report.counts[What.REFUSED] == 2
        again = bring_in(brain, path)
        assert again.counts[What.ADDED] == 0


def test_a_chatgpt_export_as_a_zip_and_one_cut_short(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as file:
        file.writestr("conversations.json", json.dumps([chat()]))
        file.writestr("user.json", "{}")
    with brain_at("ram", tmp_path / "brain") as brain:
        assert bring_in(brain, tmp_path / "export.zip").form == "chatgpt"
        assert memories_of(brain)
        (tmp_path / "cut.json").write_text(json.dumps([chat(), chat()])[:-20], encoding="utf-8")
        report = bring_in(brain, tmp_path / "cut.json")
        assert "is not whole after item 1" in report.items[-1].why
        assert report.failed


def test_a_claude_export_in_every_layout(tmp_path: Path) -> None:
    conversation = {
        "uuid": "u1",
        "name": "",
        "created_at": "2026-01-02T03:04:05Z",
        "chat_messages": [
            {"sender": "human", "text": "My name is Ada.", "created_at": None},
            {"sender": "assistant", "text": "My name is Claude."},
            {"sender": "human", "text": "", "content": [{"type": "text", "text": "I prefer tabs."}]},
            None,
        ],
    }
    files = {
        "conversations.json": json.dumps([conversation, {"uuid": "u2"}]),
        "memories.json": json.dumps([{"conversations_memory": "She flies.", "project_memories": {"p": "Uses Go."}}]),
        "projects/p1.json": json.dumps(
            {
                "uuid": "p1",
                "name": "Site",
                "description": "",
                "prompt_template": "Be brief.",
                "docs": [{"filename": "a.md", "content": "Doc"}, {}],
            }
        ),
        "users.json": json.dumps([{"uuid": "x"}]),
        "manifest.json": json.dumps({"parts": ["conversations.json"]}),
    }
    folder = write(tmp_path / "export", files)
    with brain_at("ram", tmp_path / "brain") as brain:
        report = bring_in(brain, folder)
        assert report.form == "claude"
        found = memories_of(brain)
        texts = {m.content for m in found.values()}
        assert {"She flies.", "Uses Go.", "Be brief.", "Doc"} <= texts
        assert any("Ada" in text for text in texts)
        assert not any("Claude." in text for text in texts)
        assert [o.why for o in report.items if o.what is What.REFUSED] == ["document 2 has no text"]
    with brain_at("ram", tmp_path / "other") as brain:
        single = write(tmp_path / "m", {"memories.json": json.dumps({"conversations_memory": "She flies."})})
        assert bring_in(brain, single / "memories.json").counts == {What.ADDED: 1}


# agent-brain and logs


@pytest.mark.parametrize("kind", ["sqlite", "json", "jsonl"])
def test_brains_of_other_tools_as_they_lie(kind: str, tmp_path: Path) -> None:
    given = [full_memory(), Memory("b", "text", kind="fact")]
    with brain_at(kind, tmp_path / "a") as brain, brain_at("ram", tmp_path / "b") as other:
        brain.store.apply([Put(memory) for memory in given])
        path = tmp_path / "a" / "brain"
        report = bring_in(other, path)
        assert report.form == ("event-log" if kind == "jsonl" else "agent-brain")
        assert {id: plain(m) for id, m in memories_of(other).items()} == {m.id: plain(m) for m in given}
        assert memories_of(other)["b"].provenance.trust == "unreviewed"
        assert bring_in(other, path).counts == {What.THERE: 2}


def test_agent_brains_export_comes_back(tmp_path: Path) -> None:
    with brain_at("ram", tmp_path / "a") as brain, brain_at("ram", tmp_path / "b") as other:
        brain.store.apply([Put(full_memory()), Put(Memory("b", "text", kind="fact"))])
        path = tmp_path / "dump.json"
        path.write_text("".join(dump_extended(brain.context)), encoding="utf-8")
        assert bring_in(other, path).form == "agent-brain"
        assert {i: plain(m) for i, m in memories_of(other).items()} == {
            i: plain(m) for i, m in memories_of(brain).items()
        }
        path.write_text("".join(dump(brain.context)), encoding="utf-8")
        assert bring_in(other, path).counts == {What.THERE: 2}


def test_a_log_goes_out_and_comes_back(tmp_path: Path) -> None:
    with brain_at("ram", tmp_path / "a") as brain, brain_at("ram", tmp_path / "b") as other:
        brain.store.apply([Put(full_memory())])
        path = tmp_path / "log.jsonl"
        path.write_text("".join(export_log(brain.context)), encoding="utf-8")
        assert bring_in(other, path).form == "event-log"
        assert plain(memories_of(other)["use-pnpm"]) == plain(full_memory())


def test_logs_of_the_other_adapter(outside_data: Path, tmp_path: Path) -> None:
    for folder in ("01-crud", "20-bare-objects-seed-doc", "26-bom"):
        with brain_at("ram", tmp_path / folder) as brain:
            report = bring_in(brain, outside_data / "event-log" / folder / "memories.jsonl")
            assert report.form == "event-log"
            assert memories_of(brain)
