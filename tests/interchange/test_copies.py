"""Copying and archives: every field through every pair of stores, broken off and begun again, journal and values too."""

from __future__ import annotations

import itertools
import json
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from plainbrain.app.brain import Brain
from plainbrain.app.copies import copy_brain
from plainbrain.app.exports import ALL, export_archive, write_file, write_folder
from plainbrain.app.intake import Report, What, collect
from plainbrain.app.wiring import open_store
from plainbrain.errors import BrainError, InputError
from plainbrain.model.change import Activity, Put
from plainbrain.model.memory import Memory
from plainbrain.testing.builders import NOON, full_memory
from plainbrain.testing.strategies import memories, slugs
from tests.interchange.brains import KINDS, brain_at, bring_in, memories_of


def copy(source: Brain, target: Brain) -> Report:
    return collect("copy", copy_brain(source.store, target.context), lambda _: None)


def test_every_pair_of_stores(tmp_path: Path) -> None:
    given = {m.id: m for m in (full_memory(), Memory("bare", "x"), Memory("Ünïcode id", "y"), full_memory("second"))}
    for number, (a, b) in enumerate(itertools.product(KINDS, repeat=2)):
        with (
            brain_at(a, tmp_path / f"{number}a", secrets="allowed") as source,
            brain_at(b, tmp_path / f"{number}b", secrets="allowed") as target,
        ):
            source.store.apply([Put(memory) for memory in given.values()])
            source.store.journal.append([Activity(NOON, "add", "bare", "x"), Activity(NOON, "add", "bare", "x")])
            source.store.journal.update(lambda _: {"session_counter": "3", "last_decay": "2026-10-27T12:00:00Z"})
            report = copy(source, target)
            assert report.counts == {What.ADDED: len(given)}, (a, b, report.items)
            assert memories_of(target) == given, (a, b)
            assert [x.action for x in target.log(None)] == ["add", "add"]
            assert dict(target.store.journal.values()) == dict(source.store.journal.values())
            again = copy(source, target)
            assert again.counts == {What.THERE: len(given)}
            assert len(target.log(None)) == 2


def test_what_is_there_and_differs_is_left_and_told(tmp_path: Path) -> None:
    with brain_at("sqlite", tmp_path / "a") as source, brain_at("json", tmp_path / "b") as target:
        source.store.apply([Put(Memory("x", "one")), Put(Memory("y", "two"))])
        target.store.apply([Put(Memory("x", "other"))])
        report = copy(source, target)
        assert report.counts == {What.DIFFERS: 1, What.ADDED: 1}
        assert memories_of(target)["x"].content == "other"


def test_a_copy_that_was_broken_off_goes_on(tmp_path: Path) -> None:
    with brain_at("ram", tmp_path / "a") as source, brain_at("vault", tmp_path / "b") as target:
        source.store.apply([Put(Memory(f"m{n}", str(n))) for n in range(1200)])
        work = copy_brain(source.store, target.context)
        for _ in range(3):
            next(work)
        del work
        assert 0 < len(memories_of(target)) < 1200
        report = copy(source, target)
        assert report.counts[What.ADDED] + report.counts[What.THERE] == 1200
        assert len(memories_of(target)) == 1200


def test_what_a_store_holds_otherwise_is_told(tmp_path: Path) -> None:
    with brain_at("ram", tmp_path / "a") as source, brain_at("vault", tmp_path / "b") as target:
        source.store.apply([Put(Memory("x", "one", cortex="../up"))])
        [item] = copy(source, target).items
        assert "cortex otherwise" in item.why


def test_a_brain_is_not_copied_onto_itself(tmp_path: Path) -> None:
    with brain_at("vault", tmp_path / "a") as brain, pytest.raises(InputError):
        copy(brain, brain)


def through_archive(source: Brain, target: Brain, path: Path) -> Report:
    write_file(path, export_archive(source.context))
    return bring_in(target, path)


def test_an_archive_that_was_cut_short_is_told_and_read(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with brain_at("ram", tmp_path / "a") as source, brain_at("ram", tmp_path / "b") as target:
        source.store.apply([Put(Memory("x", "one")), Put(Memory("y", "two"))])
        write_file(path, export_archive(source.context))
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        path.write_text("".join(lines[:2]), encoding="utf-8")
        report = bring_in(target, path)
        assert report.failed
        assert set(memories_of(target)) == {"x"}


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(memories(), min_size=1, max_size=6, unique_by=lambda m: m.id),
    st.permutations(KINDS),
)
def test_random_memories_through_all_stores_and_an_archive(given: list[Memory], order: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        brains = [brain_at(kind, Path(folder, kind), secrets="allowed") for kind in order]
        last = brain_at(order[0], Path(folder, "last"), secrets="allowed")
        try:
            brains[0].store.apply([Put(memory) for memory in given])
            for a, b in itertools.pairwise(brains):
                copy(a, b)
            through_archive(brains[-1], last, Path(folder, "archive.jsonl"))
            assert memories_of(last) == {memory.id: memory for memory in given}
        finally:
            for brain in (*brains, last):
                brain.close()


class Journeys(RuleBasedStateMachine):
    """Memories are kept, copied and archived between five stores; a dictionary for each says what must be there."""

    kept = Bundle("kept")

    @initialize()
    def open(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.brains = {kind: brain_at(kind, Path(self.folder.name, kind), secrets="allowed") for kind in KINDS}
        self.wanted: dict[str, dict[str, Memory]] = {kind: {} for kind in KINDS}

    @rule(target=kept, memory=memories(slugs), kind=st.sampled_from(KINDS))
    def keep(self, memory: Memory, kind: str) -> str:
        if memory.id not in self.wanted[kind]:
            self.brains[kind].store.apply([Put(memory)])
            self.wanted[kind][memory.id] = memory
        return memory.id

    @rule(a=st.sampled_from(KINDS), b=st.sampled_from(KINDS))
    def carry(self, a: str, b: str) -> None:
        if a != b:
            copy(self.brains[a], self.brains[b])
            self._arrived(a, b)

    @rule(a=st.sampled_from(KINDS), b=st.sampled_from(KINDS))
    def archive(self, a: str, b: str) -> None:
        through_archive(self.brains[a], self.brains[b], Path(self.folder.name, "archive.jsonl"))
        self._arrived(a, b)

    def _arrived(self, a: str, b: str) -> None:
        self.wanted[b] = {**self.wanted[a], **self.wanted[b]}
        assert memories_of(self.brains[b]) == self.wanted[b]
        assert memories_of(self.brains[a]) == self.wanted[a]

    def teardown(self) -> None:
        if hasattr(self, "brains"):
            for brain in self.brains.values():
                brain.close()
            self.folder.cleanup()


def test_journeys() -> None:
    run_state_machine_as_test(
        Journeys,
        settings=settings(
            max_examples=8, stateful_step_count=10, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )


def test_what_comes_over_is_not_told_as_refused(tmp_path: Path) -> None:
    """A problem of a note that is copied all the same is a note; what is no memory is passed; what is lost is refused."""
    with brain_at("vault", tmp_path / "a") as source, brain_at("json", tmp_path / "b") as target:
        folder = Path(source.store.url.partition(":")[2])
        (folder / "infra").mkdir()
        (folder / "infra" / "port.md").write_text("---\ncortex: ops\ntags: a\ntags: b\n---\n8443\n")
        (folder / "port (conflicted copy 2026-10-27).md").write_text("x")
        report = copy(source, target)
        assert report.counts == {What.ADDED: 1, What.NOTED: 2, What.PASSED: 1}
        assert not report.failed
        assert {item.where for item in report.items if item.what is What.NOTED} == {
            "infra/port.md:2",
            "infra/port.md:4",
        }
        (folder / "half.md").write_text("a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\n")
        again = copy(source, target)
        assert (again.counts[What.THERE], again.counts[What.REFUSED]) == (1, 1)
        assert again.failed
    with brain_at("vault", tmp_path / "c") as other:
        report = bring_in(other, folder, "markdown")
        assert {item.where for item in report.items if item.what is What.REFUSED} == {"half.md:2"}
        assert memories_of(other)["port"].cortex == "infra"


def entry(id: object, **changes: object) -> dict[str, object]:
    """Return an entry as agent-brain writes it."""
    return {
        "id": id,
        "type": "fact",
        "content": f"About {id}.",
        "confidence": "sure",
        "tags": [],
        "source": "user",
    } | changes


def test_an_entry_that_is_lost_and_a_value_that_is_are_told_apart(tmp_path: Path) -> None:
    entries = [entry("a"), entry("b", access_count="often"), entry(None), "no entry"]
    file = tmp_path / "a" / "memory.json"
    file.parent.mkdir()
    file.write_text(json.dumps({"schema_version": 4, "entries": entries}), encoding="utf-8")
    store = open_store(f"json:{file}")
    with brain_at("vault", tmp_path / "b") as target:
        report = collect("copy", copy_brain(store, target.context), lambda _: None)
        assert report.counts == {What.ADDED: 2, What.NOTED: 1, What.REFUSED: 2}
        assert next(item.why for item in report.items if item.what is What.NOTED).startswith("entry b: ")
    store.close()


def test_a_damaged_value_in_a_database_is_no_lost_entry(tmp_path: Path) -> None:
    with brain_at("sqlite", tmp_path / "a") as source, brain_at("vault", tmp_path / "b") as target:
        source.store.apply([Put(Memory("x", "one")), Put(Memory("y", "two"))])
        with closing(sqlite3.connect(source.store.url.partition(":")[2])) as db:
            db.execute("UPDATE entries SET correction_meta = '{broken' WHERE id = 'x'")
            db.execute("UPDATE entries SET id = '' WHERE id = 'y'")
            db.commit()
        report = copy(source, target)
        assert report.counts == {What.ADDED: 1, What.NOTED: 1, What.REFUSED: 1}
        assert {p.code for p in source.store.problems()} == {"damaged-value", "unreadable-entry"}


@pytest.mark.parametrize("kind", ["vault", "sqlite", "json", "jsonl"])
def test_an_export_never_takes_the_place_of_the_brain(tmp_path: Path, kind: str) -> None:
    with brain_at(kind, tmp_path / "a") as brain:
        brain.encode("A", "one", id="a")
        place = tmp_path / "a" / "brain"
        own = [place / "a.md", place / ".brain" / "values.json"] if kind == "vault" else [place]
        (tmp_path / "link").symlink_to(own[0])
        for path in (*own, tmp_path / "link"):
            with pytest.raises(InputError, match="the brain itself"):
                write_file(path, ["x"], spared=(brain.store.url,))
        write_file(tmp_path / "out", ["x"], spared=(brain.store.url, ""))
        assert memories_of(brain)["a"].content == "one"


@pytest.mark.parametrize("form", ["markdown", "basic-memory"])
def test_notes_go_nowhere_where_no_folder_can_be(tmp_path: Path, form: str) -> None:
    (tmp_path / "file").touch()
    with brain_at("ram", tmp_path / "a") as brain:
        brain.encode("A", "one", id="a")
        with pytest.raises(BrainError, match="cannot"):
            write_folder(brain.context, form, tmp_path / "file" / "x", choice=ALL)
