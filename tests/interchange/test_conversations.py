"""What exports of chats hold beside the talk: saved memories, custom instructions, projects, decisions with their reasons."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from plainbrain.app.intake import Outcome, What, collect
from plainbrain.errors import NoRoom
from plainbrain.model.memory import Memory, Rejected
from tests.interchange.brains import brain_at, bring_in, memories_of

SECONDS = 1_767_225_600.0  # 2026-01-01


def said(role: str, content: object, *, at: float = SECONDS, **more: object) -> dict[str, object]:
    whole = {"content_type": "text", "parts": [content]} if isinstance(content, str) else content
    return {"author": {"role": role}, "content": whole, "create_time": at, **more}


def chat(id: str, messages: Iterable[dict[str, object]], *, at: float = SECONDS) -> dict[str, object]:
    mapping: dict[str, object] = {"root": {"parent": None, "message": None}}
    parent = "root"
    for number, one in enumerate(messages):
        mapping[f"n{number}"] = {"parent": parent, "message": one}
        parent = f"n{number}"
    return {"title": f"Chat {id}", "conversation_id": id, "create_time": at, "current_node": parent, "mapping": mapping}


def chatgpt(folder: Path, *chats: dict[str, object]) -> Path:
    with zipfile.ZipFile(folder / "export.zip", "w") as file:
        file.writestr("conversations.json", json.dumps(chats))
    return folder / "export.zip"


def by_content(found: Iterable[Memory]) -> dict[str, Memory]:
    return {memory.content: memory for memory in found}


# ChatGPT


def custom(about: str, how: str, *, at: float = SECONDS, plain: bool = False) -> dict[str, object]:
    content = {
        "content_type": "user_editable_context",
        "user_profile": f"The user provided the following information about themselves.\nUser profile:\n```{about}```",
        "user_instructions": f"The user provided the additional info about how they would like you to respond:\n```{how}```",
    }
    data = {"about_user_message": about, "about_model_message": how}
    return said("user", content, at=at, metadata={"user_context_message_data": data} if plain else {})


def test_what_chatgpt_saved_comes_over_with_its_conversation(tmp_path: Path) -> None:
    listed = {
        "content_type": "model_editable_context",
        "model_set_context": "1. [2024-05-05]. User prefers tabs over spaces.\n2. [2024-06-01]. Is writing a compiler.\n",
    }
    first = chat("c1", [said("user", "hello"), said("assistant", "User lives in Porto.", recipient="bio")])
    second = chat("c2", [said("system", listed), said("assistant", "Is writing a compiler", recipient="bio")])
    with brain_at("ram", tmp_path / "brain") as brain:
        report = bring_in(brain, chatgpt(tmp_path, first, second))
        found = by_content(memories_of(brain).values())
        assert set(found) == {"User lives in Porto.", "User prefers tabs over spaces.", "Is writing a compiler."}
        porto, tabs = found["User lives in Porto."], found["User prefers tabs over spaces."]
        assert (porto.kind, porto.source, porto.confidence.label) == ("fact", "inferred", "likely")
        assert (porto.provenance.sessions, porto.provenance.trust) == (("c1",), "unreviewed")
        assert porto.provenance.excerpt == "User lives in Porto."
        assert (tabs.kind, tabs.provenance.sessions) == ("preference", ("c2",))
        assert tabs.created is not None
        assert tabs.created.iso().startswith("2024-05-05")
        assert report.counts == {What.ADDED: 3}
        assert bring_in(brain, tmp_path / "export.zip").counts == {What.THERE: 3}


def test_a_saved_memory_on_a_branch_that_was_left_comes_over_too(tmp_path: Path) -> None:
    one = chat("c1", [said("user", "hello")])
    mapping = one["mapping"]
    assert isinstance(mapping, dict)
    mapping["left"] = {"parent": "root", "message": said("assistant", "User sails.", recipient="bio")}
    with brain_at("ram", tmp_path / "brain") as brain:
        bring_in(brain, chatgpt(tmp_path, one))
        assert [memory.content for memory in memories_of(brain).values()] == ["User sails."]


def test_what_chatgpt_was_asked_to_forget_is_told_and_not_kept(tmp_path: Path) -> None:
    one = chat("c1", [said("assistant", "Forget that the user lives in Porto.", recipient="bio")])
    with brain_at("ram", tmp_path / "brain") as brain:
        report = bring_in(brain, chatgpt(tmp_path, one))
        assert memories_of(brain) == {}
        assert [(o.what, o.why) for o in report.items] == [
            (What.NOTED, "ChatGPT was asked: Forget that the user lives in Porto.")
        ]


def test_custom_instructions_come_over_in_their_newest_wording(tmp_path: Path) -> None:
    old = custom("Preferred name: Ada\nRole: engineer\nOther Information: Left-handed.", "Be brief.")
    new = custom(
        "Preferred name: Ada\nRole: staff engineer\nOther Information: Left-handed.", "Be brief.", at=SECONDS + 9
    )
    talk = [new, said("user", "My name is Ada.", at=SECONDS + 9)]
    with brain_at("ram", tmp_path / "brain") as brain:
        report = bring_in(brain, chatgpt(tmp_path, chat("c2", talk, at=SECONDS + 9), chat("c1", [old])))
        found = by_content(memories_of(brain).values())
        assert set(found) == {"The user's name is Ada", "The user's role: staff engineer", "Left-handed.", "Be brief."}
        assert found["Be brief."].kind == "preference"
        assert all((m.source, m.confidence.label) == ("user", "sure") for m in found.values())
        assert all((m.provenance.sessions, m.provenance.trust) == (("c2",), "unreviewed") for m in found.values())
        assert found["The user's name is Ada"].provenance.turn == 1  # the form is no turn
        assert "1 earlier wording was left out: the newest custom instructions came over" in [
            o.why for o in report.items if o.what is What.NOTED
        ]


def test_custom_instructions_without_a_form_are_one_memory_each(tmp_path: Path) -> None:
    form = said("user", {"content_type": "user_editable_context"})
    one = chat(
        "c1",
        [
            custom("I sail.\nI bake.", "No emojis.\nCite sources.", plain=True),
            form,
        ],
    )
    with brain_at("ram", tmp_path / "brain") as brain:
        bring_in(brain, chatgpt(tmp_path, one))
        assert {m.content for m in memories_of(brain).values()} == {"I sail.\nI bake.", "No emojis.\nCite sources."}


def test_odd_shapes_of_what_is_saved_stop_nothing(tmp_path: Path) -> None:
    odd: list[dict[str, object]] = [
        said("assistant", {"content_type": "code", "text": "User sails."}, recipient="bio"),
        said("assistant", {"content_type": "text", "parts": [{"image": 1}, None]}, recipient="bio"),
        said("system", {"content_type": "model_editable_context", "model_set_context": 7}),
        said("user", {"content_type": "user_editable_context", "user_profile": None}, metadata="none"),
        {"author": None, "recipient": "bio", "content": None},
    ]
    with brain_at("ram", tmp_path / "brain") as brain:
        report = bring_in(brain, chatgpt(tmp_path, chat("c1", odd)))
        assert [m.content for m in memories_of(brain).values()] == ["User sails."]
        assert not report.failed


def test_a_decision_in_a_conversation_keeps_its_reason_and_its_vetoes(tmp_path: Path) -> None:
    told = "We decided to use pgbouncer instead of pgpool because it is lighter."
    with brain_at("vault", tmp_path / "brain") as brain:
        bring_in(brain, chatgpt(tmp_path, chat("c1", [said("user", told)])))
        (kept,) = memories_of(brain).values()
        assert (kept.kind, kept.rationale, kept.rejected) == ("decision", "it is lighter", (Rejected("pgpool"),))
        assert [veto.rejected.option for veto in brain.check("switch to pgpool").vetoes] == ["pgpool"]


def test_conversations_with_nothing_to_keep_are_told_in_one_line_and_counted_one_by_one(tmp_path: Path) -> None:
    talks = [chat(f"c{n}", [said("user", "thanks")]) for n in range(1500)]
    told: list[Outcome] = []
    with brain_at("ram", tmp_path / "brain") as brain:
        report = bring_in(brain, chatgpt(tmp_path, *talks), tell=told.append)
    assert [(str(o.what), o.where, o.why) for o in told] == [
        ("passed", "", "nothing new to keep in 1,500 conversations")
    ]
    assert report.counts == {What.PASSED: 1500}
    assert report.items[1].why == "nothing new to keep in Chat c1"
    assert len(report.items) == 1500


def test_a_single_conversation_with_nothing_to_keep_is_named(tmp_path: Path) -> None:
    told: list[Outcome] = []
    with brain_at("ram", tmp_path / "brain") as brain:
        bring_in(brain, chatgpt(tmp_path, chat("c1", [said("user", "thanks")])), tell=told.append)
    assert [o.why for o in told] == ["nothing new to keep in Chat c1"]


def test_what_was_passed_over_is_told_also_when_the_work_breaks_off(tmp_path: Path) -> None:
    def outcomes() -> Iterator[Outcome]:
        yield Outcome(What.PASSED, "a", why="none in a", together="none in {}")
        yield Outcome(What.PASSED, "b", why="none in b", together="none in {}")
        raise NoRoom("the disk is full")

    told: list[Outcome] = []
    with pytest.raises(NoRoom):
        collect("chatgpt", outcomes(), told.append)
    assert [o.why for o in told] == ["none in 2"]


# Claude


def claude(folder: Path, **files: object) -> Path:
    with zipfile.ZipFile(folder / "claude.zip", "w") as file:
        for name, value in files.items():
            file.writestr(f"{name}.json", json.dumps(value))
    return folder / "claude.zip"


PROJECT = {
    "uuid": "1f71942a-0000",
    "name": "Harbour",
    "created_at": "2025-03-04T05:06:07Z",
    "updated_at": "2025-04-04T05:06:07Z",
    "prompt_template": "Be brief.",
    "docs": [{"uuid": "d1", "filename": "a.md", "content": "Doc", "created_at": "2025-03-05T00:00:00Z"}],
}


def test_memory_of_a_project_goes_by_the_name_of_the_project(tmp_path: Path) -> None:
    memories = [
        {"conversations_memory": "She flies.", "project_memories": {"1f71942a-0000": "Uses Go.", "gone": "Old."}}
    ]
    with brain_at("vault", tmp_path / "brain") as brain:
        bring_in(brain, claude(tmp_path, memories=memories, projects=[PROJECT]))
        found = by_content(memories_of(brain).values())
        assert (found["Uses Go."].title, found["Uses Go."].cortex) == ("Project Harbour", "harbour")
        assert found["Old."].title == "Project gone"


def test_projects_and_their_documents_keep_their_dates(tmp_path: Path) -> None:
    with brain_at("ram", tmp_path / "brain") as brain:
        bring_in(brain, claude(tmp_path, projects=[PROJECT]))
        found = by_content(memories_of(brain).values())
        made = {content: (memory.created, memory.updated) for content, memory in found.items()}
        assert {c: [at.iso()[:10] if at else "" for at in both] for c, both in made.items()} == {
            "Be brief.": ["2025-03-04", "2025-04-04"],
            "Doc": ["2025-03-05", ""],
        }


def test_a_decision_told_to_claude_keeps_what_it_turned_down(tmp_path: Path) -> None:
    talk = {
        "uuid": "u1",
        "name": "Deploying",
        "chat_messages": [
            {"sender": "human", "text": "We deploy with Fly.io rather than Heroku because it is cheaper"}
        ],
    }
    with brain_at("ram", tmp_path / "brain") as brain:
        bring_in(brain, claude(tmp_path, conversations=[talk]))
        (kept,) = memories_of(brain).values()
        assert (kept.kind, kept.rationale, kept.rejected) == ("decision", "it is cheaper", (Rejected("Heroku"),))
