"""The brain over an event log: lines are dated, the past can be asked for, changes are watched, an audit log follows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plainbrain import make_brain, open_brain
from plainbrain.app.follow import Watcher
from plainbrain.app.past import open_past, read_moment
from plainbrain.app.settings import load_settings
from plainbrain.app.wiring import open_store
from plainbrain.errors import InvalidField, NoBrain, SettingsError, Unavailable
from plainbrain.model.change import Put, Remove, Use
from plainbrain.model.instants import Instant, from_ms
from plainbrain.model.links import Link
from plainbrain.model.memory import Memory
from plainbrain.testing.builders import NOON, FixedClock


def test_lines_are_dated_by_the_brains_clock(tmp_path: Path) -> None:
    clock = FixedClock()
    with make_brain(f"jsonl:{tmp_path}/m.jsonl", clock=clock) as brain:
        id = brain.encode("Tea is green").id
        clock.advance(days=1)
        brain.forget(id)
    lines = [json.loads(line) for line in (tmp_path / "m.jsonl").read_text().splitlines()]
    assert NOON.ms is not None
    assert {line["at"] for line in lines} <= {NOON.ms, NOON.ms + 86_400_000}
    with make_brain(f"jsonl:{tmp_path}/n.jsonl", environment={"BRAIN_NOW": "2020-01-01T00:00:00Z"}) as brain:
        brain.encode("Tea is green")
    assert {json.loads(line)["at"] for line in (tmp_path / "n.jsonl").read_text().splitlines()} == {1577836800000}


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("0", 0),
        ("9999999999", 9_999_999_999),
        ("1709856000000", from_ms(1709856000000)),
        ("2026-10-27", Instant((NOON.ms or 0) + 12 * 3_600_000 - 1)),
        ("2026-10-27T12:00:00Z", NOON),
    ],
)
def test_a_moment_is_a_time_a_day_or_a_number_of_lines(text: str, moment: object) -> None:
    assert read_moment(text) == moment


@pytest.mark.parametrize("text", ["", "yesterday", "-3", "1.5", "2026-13-01", "9" * 30])
def test_what_is_no_moment_is_told(text: str) -> None:
    with pytest.raises(InvalidField):
        read_moment(text)


def test_the_past_is_that_of_the_log_or_of_the_audit_log(tmp_path: Path) -> None:
    log = f"jsonl:{tmp_path}/audit.jsonl"
    environment = {"BRAIN_AUDIT": log, "BRAIN_NOW": "2026-10-27T12:00:00Z"}
    with make_brain(f"json:{tmp_path}/m.json", environment=environment) as brain:
        brain.store.apply([Put(Memory("a", "one"))])
        brain.store.apply([Put(Memory("a", "two"))])
        assert brain.store.url == f"json:{tmp_path}/m.json"
    for settings in (
        load_settings({}, store=log),
        load_settings(environment, store=f"json:{tmp_path}/m.json"),
    ):
        assert open_past(settings, "2").get("a").memory.content == "one"
        assert open_past(settings, "2026-10-27T12:00:00Z").get("a").memory.content == "two"
        assert list(open_past(settings, "2026-10-26").listing()) == []
    with pytest.raises(Unavailable):
        open_past(load_settings({}, store=f"json:{tmp_path}/m.json"), "2")
    with pytest.raises(NoBrain):
        open_past(load_settings({}, store=f"jsonl:{tmp_path}/none.jsonl"), "2")


def test_an_audit_log_is_an_event_log_and_not_the_store_itself(tmp_path: Path) -> None:
    with pytest.raises(SettingsError):
        load_settings({"BRAIN_AUDIT": f"sqlite:{tmp_path}/a.db"})
    log = f"jsonl:{tmp_path}/m.jsonl"
    with pytest.raises(SettingsError):
        make_brain(log, environment={"BRAIN_AUDIT": log})
    config = tmp_path / "config.toml"
    config.write_text(f'audit = "{log}"\n')
    assert load_settings({}, config=str(config)).audit == log


@pytest.mark.parametrize("url", ["vault:brain", "json:m.json", "sqlite:m.db", "jsonl:m.jsonl"])
def test_what_is_forgotten_goes_from_the_audit_log_too(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with make_brain(url, environment={"BRAIN_AUDIT": "jsonl:audit.jsonl"}) as brain:
        kept, gone = brain.encode("Kept", "For good").id, brain.encode("Gone", "A private thing").id
        assert "private" in Path("audit.jsonl").read_text()
        brain.touch([kept])
        brain.forget(gone)
    assert "private" not in Path("audit.jsonl").read_text()
    assert [id for id, _ in open_store(f"jsonl:{tmp_path}/audit.jsonl").listing()] == [kept]


@pytest.mark.parametrize("url", ["json:m.json", "sqlite:m.db", "jsonl:m.jsonl", "vault:brain"])
def test_everything_that_happens_is_told_once(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with make_brain(url, clock=FixedClock()) as brain, open_brain(url, clock=FixedClock()) as other:
        brain.encode("From before")
        watcher = Watcher(brain.context)
        assert watcher.look() == []
        id = other.encode("Green tea", "is good").id
        assert [(a.action, a.id) for a in watcher.look()] == [("encode", id)]
        assert watcher.look() == watcher.look() == []
        if url.startswith("vault"):
            return
        other.store.apply([Put(Memory("quiet", "written\nby a library"))])
        found = watcher.look() + watcher.look()
        assert [(a.action, a.id, a.detail) for a in found] == [("changed", "quiet", "written by a library")]
        other.store.record([Use("quiet", NOON, accesses=1)])
        other.store.apply([Remove("quiet")])
        found = watcher.look() + watcher.look()
        assert [(a.action, a.id) for a in found] == [("removed", "quiet")]
        assert watcher.look() == []


def test_a_compacted_log_is_followed_on(tmp_path: Path) -> None:
    with open_brain(f"jsonl:{tmp_path}/m.jsonl", clock=FixedClock()) as brain:
        log = open_store(f"jsonl:{tmp_path}/m.jsonl")
        log.apply([Put(Memory("a", "x")), Put(Memory("b", "y"))])
        watcher = Watcher(brain.context)
        log.compact()  # type: ignore[attr-defined]
        assert watcher.look() + watcher.look() == []
        log.apply([Put(Memory("a", "z"))])
        assert [(a.action, a.id) for a in watcher.look() + watcher.look()] == [("changed", "a")]


def test_links_that_a_log_says_once_are_no_problem(tmp_path: Path) -> None:
    with open_brain(f"jsonl:{tmp_path}/m.jsonl", clock=FixedClock()) as brain:
        made = Link("b", strength=0.5, created=NOON, updated=NOON)
        brain.store.apply([Put(Memory("b", "y")), Put(Memory("a", "x", links=(made,)))])
        assert brain.examine().problems == ()
        assert brain.repair().mended == ()
        brain.store.apply([Put(Memory("a", "x", embedding=(1.0, 0.0)))])
        brain.store.apply([Put(Memory("c", "z", embedding=(0.0, 0.0)))])
        messages = [problem.message for problem in brain.examine().problems]
        assert messages == [
            "1 memory has a vector without a direction (all zero): c",
            "1 memory has no vector: b",
        ]
