"""The merging of an imported memory with a newer state of it, for any series of changes on both sides."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from plainbrain.lifecycle.renewal import QUALITY, Guard, marked, renew, take_over
from plainbrain.model.instants import Instant
from plainbrain.model.memory import INVALIDATED, Memory, Rejected, Usage
from plainbrain.model.provenance import Provenance

NAMES = ("content", "rationale", "scope", "title", "files", "rejected", "tags")


def stamp(memory: Memory) -> Memory:
    """Return the memory as it comes in."""
    return replace(memory, extra=marked(memory))


START = Memory(
    id="a", content="start", kind="decision", provenance=Provenance(origin="import:robrain", trust="unreviewed")
)

_WORD = st.sampled_from(["", "one", "two", "three"])


def _changed(memory: Memory, change: tuple[str, str]) -> Memory:
    name, word = change
    match name:
        case "files" | "tags":
            words: dict[str, Any] = {name: (word,) if word else ()}
            return replace(memory, **words)
        case "rejected":
            return replace(memory, rejected=(Rejected(word),) if word else ())
        case "reviewed":
            return replace(memory, reviewed=Instant(1_000))
        case "ended":
            return replace(memory, status=INVALIDATED, invalidated=Instant(2_000))
        case "used":
            return replace(memory, usage=Usage(injected=memory.usage.injected + 1, relevance=0.4))
    changes: dict[str, Any] = {name: word or "none"}
    return replace(memory, **changes)


_CHANGE = st.tuples(st.sampled_from((*NAMES, "reviewed", "ended", "used")), _WORD)


@given(st.lists(_CHANGE, max_size=6))
@settings(max_examples=150, deadline=None)
def test_without_changes_here_it_follows_and_each_state_twice_changes_nothing(changes: list[tuple[str, str]]) -> None:
    there, here = START, stamp(START)
    states = {stamp(START).extra["import_mark"]}
    for change in changes:
        changed = _changed(there, change)
        if changed.usage == there.usage and stamp(changed).extra["import_mark"] in states:
            continue  # back to a state that came before: not to be told from an older file
        states.add(stamp(changed).extra["import_mark"])
        there = changed
        renewal = renew(here, stamp(there))
        here = renewal.memory
        assert renewal.kept == {}
        assert renew(here, stamp(there)).memory == here
    plain = replace(here, extra={}, provenance=there.provenance)
    # what a plain line has no room for is not taken away by its being unsaid
    assert replace(plain, title=there.title, tags=there.tags) == there


@given(st.lists(st.tuples(st.booleans(), _CHANGE), max_size=8))
@example([(True, ("title", "")), (False, ("title", "")), (False, ("content", ""))])
@example([(False, ("title", "")), (True, ("title", "")), (False, ("content", ""))])
@settings(max_examples=200, deadline=None)
def test_nothing_that_was_changed_here_is_lost(steps: list[tuple[bool, tuple[str, str]]]) -> None:
    there, here = START, stamp(START)
    ours: dict[str, object] = {}
    for is_here, change in steps:
        if is_here and change[0] in NAMES:
            here = _changed(here, (change[0], f"our {change[1]}"))
            ours[change[0]] = getattr(here, change[0])
            continue
        there = _changed(there, change)
        came = stamp(there)
        renewal = renew(here, came)
        here = renewal.memory
        for name, value in ours.items():
            assert getattr(here, name) == value
        assert not set(renewal.taken) & set(renewal.kept)
        again = renew(here, came)
        assert (again.memory, again.taken, again.kept) == (here, (), renewal.kept)


@given(st.lists(_CHANGE, min_size=1, max_size=6), st.data())
@settings(max_examples=150, deadline=None)
def test_a_state_that_came_before_takes_nothing_back(changes: list[tuple[str, str]], data: st.DataObject) -> None:
    states = [START]
    for change in changes:
        states.append(_changed(states[-1], change))
    here = stamp(START)
    for state in states[1:]:
        here = renew(here, stamp(state)).memory
    old = data.draw(st.sampled_from(states))
    assert renew(here, stamp(old)).memory == here


def test_what_is_served_more_often_there_is_counted_and_leaves_the_mark() -> None:
    here = stamp(START)
    renewal = renew(here, stamp(_changed(START, ("used", ""))))
    assert renewal.taken == (QUALITY,)
    assert renewal.memory.extra == here.extra


@given(st.lists(_CHANGE, max_size=6))
@settings(max_examples=150, deadline=None)
def test_a_state_from_before_can_be_taken_over_and_then_changes_nothing(changes: list[tuple[str, str]]) -> None:
    there, here = START, stamp(START)
    for change in changes:
        there = _changed(there, change)
        here = take_over(here, stamp(there)).memory
    back = take_over(here, stamp(START))
    texts = ("content", "rationale", "scope", "files", "rejected", "reviewed")
    assert [getattr(back.memory, name) for name in texts] == [getattr(START, name) for name in texts]
    assert (back.memory.is_live, back.kept) == (here.is_live, {} if here.is_live else {"status": Guard.ENDED})
    assert take_over(back.memory, stamp(START)).memory == back.memory


def test_what_was_changed_here_is_not_taken_over() -> None:
    newer = replace(START, rationale="two", scope="team")
    here = replace(renew(stamp(START), stamp(newer)).memory, rationale="ours")
    renewal = take_over(here, stamp(START))
    assert (renewal.memory.rationale, renewal.memory.scope) == ("ours", START.scope)
    assert renewal.kept == {"rationale": Guard.CHANGED}


def test_a_state_that_took_nothing_is_known_from_then_on() -> None:
    tagged = replace(START, tags=("one",), rationale="why")
    here = renew(stamp(START), stamp(tagged)).memory
    untagged = replace(tagged, tags=())
    here = renew(here, stamp(untagged)).memory
    assert here.tags == ("one",)
    here = renew(here, stamp(replace(untagged, content="newer"))).memory
    assert renew(here, stamp(untagged)).is_old
    assert here.content == "newer"
