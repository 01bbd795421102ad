"""What is forgotten is gone: under every name it bore, out of what corrected it, and by hand as well."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from plainbrain.app.brain import Brain
from plainbrain.app.edits import edits_of
from plainbrain.app.entries import Said
from plainbrain.app.learn import begin_session
from plainbrain.errors import InputError, NotFound
from tests.interchange.brains import brain_at, memories_of


@pytest.fixture(params=["vault", "sqlite", "json", "jsonl"])
def brain(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Brain]:
    with brain_at(request.param, tmp_path / "brain") as brain:
        yield brain


def files_with(place: Path, words: bytes) -> list[str]:
    """Name the files that hold some words; the index is made anew and no place of its own."""
    files = (path for path in place.rglob("*") if path.is_file() and "cache" not in path.parts)
    return [path.name for path in files if words in path.read_bytes()]


def test_every_name_it_bore_is_followed(brain: Brain, tmp_path: Path) -> None:
    brain.encode("Salary", "Bob earns 91234", id="salary")
    brain.edit("salary", edits_of(sets=["description=91234 it is"]))
    brain.move("salary", new_id="bob")
    brain.move("bob", new_id="bobby", cortex="hr")
    brain.encode("Other", "stays", id="other")
    assert brain.forget("bobby").former == ("bob", "salary")
    assert files_with(tmp_path, b"91234") == []
    assert brain.log(id="bobby") == brain.log(id="salary") == []
    assert [a.id for a in brain.log(action="encode")] == ["other"]


def test_undo_passes_over_all_that_was_forgotten_at_once(brain: Brain) -> None:
    brain.encode("Before", "stays", id="before")
    brain.encode("A", "one", id="a")
    brain.edit("a", edits_of(sets=["description=two"]))
    brain.forget("a")
    with pytest.raises(InputError, match="for good"):
        brain.undo()
    assert brain.undo().ids == ("before",)


def test_a_name_that_another_bears_now_keeps_what_is_the_others(brain: Brain) -> None:
    brain.encode("A", "one", id="a")
    brain.move("a", new_id="b")
    brain.encode("A", "another", id="a")
    brain.edit("a", edits_of(sets=["description=newer"]))
    done = brain.forget("b")
    assert (done.former, done.taken) == ((), ("a",))
    with pytest.raises(InputError, match="for good"):
        brain.undo()
    assert brain.undo().ids == ("a",)
    assert memories_of(brain)["a"].description == ""


def test_the_words_go_out_of_what_corrected_them(brain: Brain, tmp_path: Path) -> None:
    old = brain.add(Said("fact", "The vault code is 774411")).memory.id
    new = brain.correct(old, "The vault has no code").right.id
    brain.edit(new, edits_of(sets=["description=since May"]))
    done = brain.forget(old)
    assert (done.cleared, done.pointing) == ((new,), (new,))
    correction = memories_of(brain)[new].correction
    assert correction is not None
    assert (correction.wrong_claim, correction.right_claim) == ("", "The vault has no code")
    if brain.store.traits.kind == "jsonl":
        brain.store.compact()  # type: ignore[attr-defined]
    left = files_with(tmp_path, b"code is 774411")
    assert left == []


def test_what_is_gone_already_can_be_followed_up(tmp_path: Path) -> None:
    with brain_at("vault", tmp_path / "brain") as brain:
        brain.encode("A", "marmalade", id="a")
        brain.edit("a", edits_of(sets=["description=quince"]))
        next((tmp_path / "brain" / "brain").rglob("a.md")).unlink()
        assert files_with(tmp_path, b"marmalade")
        brain.forget("a")
        assert files_with(tmp_path, b"marmalade") == []
        with pytest.raises(NotFound):
            brain.forget("a")


def test_undo_does_not_reach_behind_what_only_counted(brain: Brain) -> None:
    brain.encode("Mine", "text", id="mine")
    brain.succeed("mine")
    with pytest.raises(InputError, match=r"success mine .* changed no memory"):
        brain.undo()
    assert "mine" in memories_of(brain)
    assert brain.undo().ids == ("mine",)


@pytest.mark.parametrize("count", ["touch", "session"])
def test_undo_does_not_reach_behind_a_touch_or_a_session(brain: Brain, count: str) -> None:
    brain.encode("Mine", "text", id="mine")
    if count == "touch":
        brain.touch_or_raise("mine")
    else:
        begin_session(brain.context, "work")
    with pytest.raises(InputError, match="changed no memory"):
        brain.undo()
    assert "mine" in memories_of(brain)


def test_no_name_is_the_name_of_nothing(brain: Brain) -> None:
    brain.encode("Mine", "text", id="mine")
    brain.succeed("mine")
    before = (brain.log(), memories_of(brain))
    with pytest.raises(NotFound):
        brain.forget("")
    assert (brain.log(), memories_of(brain)) == before
    with pytest.raises(InputError, match="success mine"):
        brain.undo()


def test_a_former_name_is_answered_with_the_present_one(brain: Brain, tmp_path: Path) -> None:
    brain.encode("Door code", "zanzibar", id="door-code")
    brain.move("door-code", new_id="gate-code")
    brain.move("gate-code", new_id="lock-code")
    before = brain.log()
    with pytest.raises(NotFound, match="'door-code': it is called 'lock-code' now") as caught:
        brain.forget("door-code")
    assert (caught.value.candidates, brain.log()) == (("lock-code",), before)
    brain.forget("lock-code")
    assert files_with(tmp_path, b"zanzibar") == []


def test_the_log_of_others_stays(brain: Brain) -> None:
    brain.add(Said("fact", "Server port is 8080"))
    other = next(iter(memories_of(brain)))
    brain.encode("Server", "Server", id="server")
    brain.encode("The", "The", id="the")
    brain.correct("server", "Client")
    right = brain.correct(other, "The server port is 9").right.id
    brain.forget("server")
    brain.forget("the")
    assert [(a.action, a.id) for a in brain.log() if a.id in (other, right)] == [("correct", right), ("add", other)]
