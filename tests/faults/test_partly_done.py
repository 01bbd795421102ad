"""A disk that fills up between a memory and its line in the journal: what stands is told to stand, and what is missing."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from plainbrain.app.brain import Brain, make_brain
from plainbrain.app.entries import Said
from plainbrain.errors import NoRoom, PartlyDone
from plainbrain.lifecycle.edits import Append
from plainbrain.model.query import Query

if sys.platform == "linux":
    import resource

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")
#: Far above what an index, a log or a note of these tests needs: only what was made longer than this is full.
LIMIT = 8 << 20


@contextmanager
def full(file: Path, room: int = 0) -> Iterator[None]:
    """Let a file grow by no more than ``room`` bytes, as on a disk that is nearly full."""
    size = file.stat().st_size
    with file.open("ab") as end:
        end.write(b"\n" * (LIMIT - room - size))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        os.truncate(file, size)


def brain_of(kind: str, tmp_path: Path) -> Brain:
    place = tmp_path / "brain" if kind == "vault" else tmp_path / "memories.jsonl"
    brain = make_brain(f"{kind}:{place}")
    brain.add(Said("fact", "The cache is Redis"))
    brain.add(Said("fact", "The queue is Kafka"))
    return brain


def journal_of(tmp_path: Path) -> Path:
    (found,) = tmp_path.rglob("journal/*.jsonl")
    return found


def history_of(tmp_path: Path) -> Path:
    (found,) = tmp_path.rglob("history/*.jsonl")
    return found


def ids(brain: Brain) -> list[str]:
    return [memory.id for memory in brain.memories()]


DEEDS: dict[str, Callable[[Brain, list[str]], object]] = {
    "add": lambda brain, ids: brain.add(Said("fact", "The mail goes out at noon")),
    "encode": lambda brain, ids: brain.encode("The mail goes out at noon"),
    "edit": lambda brain, ids: brain.edit(ids[0], [Append("More.")]),
    "link": lambda brain, ids: brain.link(*ids),
    "supersede": lambda brain, ids: brain.supersede(*ids),
    "invalidate": lambda brain, ids: brain.invalidate(ids[0]),
    "correct": lambda brain, ids: brain.correct(ids[0], "The cache is Valkey"),
    "undo": lambda brain, ids: brain.undo(),
}


@pytest.mark.parametrize("deed", DEEDS)
@pytest.mark.parametrize("kind", ["vault", "jsonl"])
def test_what_stands_without_its_line_in_the_journal_is_told_so(kind: str, deed: str, tmp_path: Path) -> None:
    brain = brain_of(kind, tmp_path)
    known = ids(brain)
    before = [brain.get(id) for id in known]
    with full(journal_of(tmp_path)), pytest.raises(PartlyDone) as caught:
        DEEDS[deed](brain, known)
    error = caught.value
    assert "stands, but its line in the journal could not be written: cannot write" in error.message
    assert error.hint.startswith("do not repeat it")
    assert ids(brain) != known or [brain.get(id) for id in known] != before, "it stands"


def test_what_stands_can_be_taken_back_though_the_journal_is_full(tmp_path: Path) -> None:
    brain = brain_of("vault", tmp_path)
    known = ids(brain)
    with full(journal_of(tmp_path)), pytest.raises(PartlyDone):
        brain.encode("The mail goes out at noon")
    assert "the-mail-goes-out-at-noon" in ids(brain)
    brain.undo()
    assert ids(brain) == known


def test_a_count_goes_with_its_line_or_not_at_all(tmp_path: Path) -> None:
    brain = brain_of("vault", tmp_path)
    id = brain.add(Said("fact", "The mail goes out at noon", source="inferred")).memory.id
    for _ in range(2):
        brain.succeed(id)
    with full(journal_of(tmp_path)), pytest.raises(PartlyDone, match="stands, but the count of its use could not"):
        brain.succeed(id)  # the third makes it surer, in the note itself
    assert brain.get(id).usage.successes == 2
    assert brain.get(id).confidence.label == "sure"


def test_a_read_goes_on_and_drops_its_count(tmp_path: Path) -> None:
    for kind in ("vault", "jsonl"):
        brain = brain_of(kind, tmp_path / kind)
        with full(journal_of(tmp_path / kind)):
            assert brain.get_entries(Query("cache", profile="balanced")).recall.hits


def test_what_undo_needs_is_told_to_be_missing(tmp_path: Path) -> None:
    brain = brain_of("vault", tmp_path)
    known, told = ids(brain), ""
    for room in range(0, 2_000, 40):  # until what was there before can be kept, and that it is done cannot
        try:
            with full(history_of(tmp_path), room):
                brain.encode("The mail goes out at noon")
        except PartlyDone as error:
            told = error.message
            break
        except NoRoom:
            assert ids(brain) == known, "nothing was kept, and nothing told to be"
    assert "stands, but what `brain undo` needs could not be written" in told
    assert "the-mail-goes-out-at-noon" in ids(brain)
