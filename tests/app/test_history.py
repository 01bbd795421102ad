"""Taking operations back: one after the other, never over what was changed since, and nothing of what was forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from plainbrain.app.brain import Brain, make_brain
from plainbrain.app.edits import edits_of
from plainbrain.errors import Changed, InputError, NotFound
from plainbrain.files import history
from plainbrain.lifecycle.admit import Draft
from plainbrain.model.change import Put
from plainbrain.model.links import Link
from plainbrain.model.memory import Memory
from tests.interchange.brains import brain_at, bring_in, decision_line, memories_of, write_lines


@pytest.fixture(params=["vault", "sqlite", "json", "jsonl"])
def brain(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Brain]:
    with brain_at(request.param, tmp_path) as brain:
        yield brain


def texts(brain: Brain) -> dict[str, str]:
    return {id: memory.content for id, memory in memories_of(brain).items()}


def test_operations_are_taken_back_one_after_the_other(brain: Brain) -> None:
    with pytest.raises(NotFound):
        brain.undo()
    brain.encode("Old", "one", id="old")
    brain.encode("New", "two", id="new")
    states = [memories_of(brain)]
    steps = (
        lambda: brain.supersede("old", "new", "because"),
        lambda: brain.edit("new", edits_of(append=["more"])),
        lambda: brain.edit("new", edits_of(append=["and more"])),
        lambda: brain.move("new", new_id="newer"),
        lambda: brain.link("newer", "old", "mentions"),
        lambda: brain.invalidate("newer", "wrong"),
    )
    for step in steps:
        step()
        states.append(memories_of(brain))
    for before in reversed(states[:-1]):
        done = brain.undo()
        assert done.ids
        assert memories_of(brain) == before
    brain.undo()
    brain.undo()
    assert memories_of(brain) == {}
    assert brain.log(1)[0].action == "undo"


def test_counters_stay_as_they_are(brain: Brain) -> None:
    brain.encode("A", "text", id="a")
    brain.edit("a", edits_of(append=["more"]))
    brain.touch(["a"])
    brain.undo()
    assert brain.get("a").content == "text"
    assert brain.get("a").usage.accesses == 1


def test_what_was_changed_since_is_left_alone(brain: Brain) -> None:
    brain.encode("A", "text", id="a")
    memory = brain.store.get("a")
    brain.store.apply([Put(replace(memory.memory, content="by another program"), memory.revision)])
    with pytest.raises(Changed):
        brain.undo()
    assert texts(brain) == {"a": "by another program"}


def test_what_is_gone_from_the_folder_stands_in_no_ones_way(tmp_path: Path) -> None:
    with brain_at("vault", tmp_path) as brain:
        brain.encode("A", "text", id="aa")
        brain.encode("B", "text", id="bb")
        brain.edit("bb", edits_of(append=["more"]))
        (note,) = tmp_path.rglob("bb.md")
        text = note.read_text(encoding="utf-8")
        note.write_text("---\n<<<<<<< HEAD\nid: bb\n=======\nid: bb\n>>>>>>> x\n---\n\nx\n", encoding="utf-8")
        for _ in range(2):  # it is there and cannot be read: nothing is passed over
            with pytest.raises(Changed):
                brain.undo()
        note.write_text(text, encoding="utf-8")
        note.unlink()
        for _ in range(2):  # the edit, and the making
            with pytest.raises(NotFound, match=r"passed over: 'bb' is gone"):
                brain.undo()
        assert brain.undo().ids == ("aa",)
        assert memories_of(brain) == {}


def test_what_was_forgotten_is_gone_from_the_history(brain: Brain, tmp_path: Path) -> None:
    brain.encode("A", "marmalade", id="a")
    brain.encode("B", "kept", id="b")
    brain.edit("a", edits_of(append=["quince"]))
    brain.forget("a")
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("history/*.jsonl"))
    assert kept
    assert b"marmalade" not in kept
    assert b"quince" not in kept
    with pytest.raises(InputError, match="for good"):
        brain.undo()


def test_an_import_is_one_operation(brain: Brain, tmp_path: Path) -> None:
    brain.encode("Mine", "text", id="mine")
    bring_in(brain, write_lines(tmp_path / "in.jsonl", [decision_line(f"d{n}") for n in range(1200)]))
    assert len(memories_of(brain)) == 1201
    assert len(brain.undo().ids) == 1200
    assert texts(brain) == {"mine": "text"}


def test_a_rehearsal_keeps_nothing(brain: Brain, tmp_path: Path) -> None:
    brain.rehearsal().encode("A", "text", id="a")
    assert list(tmp_path.rglob("history")) == []


def test_an_operation_that_failed_is_not_taken_back(brain: Brain) -> None:
    brain.encode("A", "text", id="a")
    with pytest.raises(Changed):
        brain.context.apply([Put(brain.get("a"), "stale")], told="stale write")
    assert brain.undo().ids == ("a",)
    assert memories_of(brain) == {}


def test_the_file_is_bounded_and_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "LARGEST", 20_000)
    with brain_at("vault", tmp_path) as brain:
        brain.encode("A", "text", id="a")
        for n in range(60):
            brain.edit("a", edits_of(body=f"{n} " * 200))
        [path] = tmp_path.rglob("history/*.jsonl")
        assert path.stat().st_size < 22_000
        assert path.stat().st_mode & 0o777 == 0o600
        brain.undo()
        assert brain.get("a").content.startswith("58")


def test_a_torn_line_spoils_nothing_but_itself(tmp_path: Path) -> None:
    with brain_at("vault", tmp_path) as brain:
        brain.encode("A", "text", id="a")
        [path] = tmp_path.rglob("history/*.jsonl")
        with path.open("ab") as file:
            file.write(b'{"op":"torn')
        brain.edit("a", edits_of(append=["more"]))
        brain.undo()
        assert brain.get("a").content == "text"


@pytest.mark.parametrize(
    "text",
    [
        "hello",
        "# Roadmap\r\n\r\nsoon",
        "---\ntitle: x # mine\n---\n# Roadmap\n",
        "---\n\nIntro\n\n---\nrest",
        "\ufeffa",
    ],
)
def test_a_file_gets_its_own_bytes_back(tmp_path: Path, text: str) -> None:
    """Also where the operation gave it a block that it had not, or another name."""
    with brain_at("vault", tmp_path) as brain:
        folder = Path(brain.store.url.partition(":")[2])
        note, was = folder / "a.md", text.encode()
        note.write_bytes(was)
        brain.encode("Other", "two", id="b")
        steps = (
            lambda: brain.validate("a"),
            lambda: brain.link("a", "b", "works_on"),
            lambda: brain.edit("a", edits_of(append=["more"])),
            lambda: brain.move("a", new_id="c"),
            lambda: brain.move("a", cortex="infra"),
            lambda: brain.invalidate("a"),
        )
        for step in steps:
            step()
            assert not note.exists() or note.read_bytes() != was
            brain.undo()
            assert note.read_bytes() == was
        for step in steps[:3]:
            step()
        for _ in steps[:3]:
            brain.undo()
        assert note.read_bytes() == was


def test_what_was_kept_in_one_go_is_one_operation(brain: Brain) -> None:
    """Also where one of many replaces another of them, or what was there before."""
    brain.encode("Old", "one", id="old")
    before = memories_of(brain)
    drafts = [Draft("A", "a", id="a"), Draft(" "), Draft("B", "b", id="b", supersedes=("a", "old")), Draft("C", "c")]
    assert sum(not isinstance(one, Exception) for one in brain.keep_many(drafts)) == 3
    assert brain.get("old").superseded_by == brain.get("a").superseded_by == "b"
    assert set(brain.undo().ids) >= {"a", "b", "old"}
    assert memories_of(brain) == before
    brain.undo()
    assert memories_of(brain) == {}


def test_repairs_are_one_operation(brain: Brain) -> None:
    brain.store.apply([Put(Memory(id, id, links=(Link("c", "mentions"),))) for id in "ab"] + [Put(Memory("c", "c"))])
    before = memories_of(brain)
    assert len(brain.repair().mended) == 2
    brain.undo()
    assert memories_of(brain) == before


def test_a_file_keeps_its_mode_and_its_comments_when_it_is_renamed(tmp_path: Path) -> None:
    with brain_at("vault", tmp_path) as brain:
        folder = Path(brain.store.url.partition(":")[2])
        note, text = folder / "a.md", "---\n# mine\ntitle: x # too\nodd: 1\n---\n# Roadmap\n"
        note.write_text(text)
        note.chmod(0o664)
        brain.move("a", new_id="b")
        new = folder / "b.md"
        assert (new.stat().st_mode & 0o777, new.read_text()) == (0o664, text)
        brain.move("b", cortex="infra")
        assert (folder / "infra" / "b.md").stat().st_mode & 0o777 == 0o664
        brain.move("b", new_id="c", cortex="ops")
        assert (folder / "ops" / "c.md").stat().st_mode & 0o777 == 0o664
        for _ in range(3):
            brain.undo()
        assert (note.stat().st_mode & 0o777, note.read_text()) == (0o664, text)


def superseding(place: Path, *pairs: tuple[str, str]) -> Brain:
    """Make a vault of notes written by hand, the first of each pair superseding the other."""
    notes = place / "brain"
    notes.mkdir()
    for one, other in pairs:
        (notes / f"{one}.md").write_text(
            f"---\nid: {one}\nlinks:\n  - to: {other}\n    rel: supersedes\n---\n\ntext of {one}\n", encoding="utf-8"
        )
    (place / "config.toml").touch()
    environment = {"BRAIN_CONFIG": str(place / "config.toml"), "BRAIN_CACHE": str(place / "cache")}
    return make_brain(f"vault:{notes}", environment=environment)


def test_repairs_never_end_both_sides_of_a_circle(tmp_path: Path) -> None:
    with superseding(tmp_path, ("a", "b"), ("b", "a"), ("self", "self")) as brain:
        report = brain.repair()
        assert {memory.id for memory in brain.memories() if memory.is_live} == {"a", "b", "self"}
        assert report.mended == ("took away the link by which self superseded itself",)
        assert "rel: supersedes" not in (tmp_path / "brain" / "self.md").read_text()
        (circle,) = report.problems
        assert (circle.code, circle.fixable) == ("superseded-in-circle", False)
        assert "brain supersede a b keeps b" in circle.hint
        brain.supersede("a", "b")
        assert brain.repair().problems == ()
        assert [memory.id for memory in brain.memories() if memory.is_live] == ["b", "self"]


def test_repairs_end_no_side_of_a_longer_circle(tmp_path: Path) -> None:
    with superseding(tmp_path, ("a", "b"), ("b", "c"), ("c", "a")) as brain:
        report = brain.repair()
        assert {p.code for p in report.problems} == {"superseded-in-circle"}
        assert all(memory.is_live for memory in brain.memories())
