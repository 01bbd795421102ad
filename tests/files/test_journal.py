"""The journal survives torn lines, flipped bits, other machines and other processes."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plainbrain.errors import InvalidField
from plainbrain.files import journal as module
from plainbrain.files.beneath import Beneath
from plainbrain.files.events import decode, encode
from plainbrain.files.journal import FileJournal
from plainbrain.files.locks import FileLock
from plainbrain.model.change import Activity, Use, add_use
from plainbrain.model.memory import Usage
from plainbrain.testing.builders import NOON
from plainbrain.testing.strategies import json_values, usages

SOURCE = str(Path(__file__).parents[2] / "src")


def journal(place: Path, machine: str = "one") -> FileJournal:
    beneath = Beneath(place)
    return FileJournal(beneath, (".brain",), lock=FileLock(beneath, (".brain", "lock")), machine=machine)


def lines(place: Path, machine: str = "one") -> Path:
    return place / ".brain" / "journal" / f"{machine}.jsonl"


def used(place: Path, id: str) -> int:
    return journal(place).usages([id]).get(id, Usage()).accesses


@given(st.dictionaries(st.text(max_size=5), json_values, max_size=3))
def test_an_event_reads_back(rest: dict[str, object]) -> None:
    event = {"type": "x", **{f"k{key}": value for key, value in rest.items()}}
    line = encode(event)
    assert line.count(b"\n") == 1
    assert decode(line[:-1]) == event


def test_no_flipped_bit_gives_a_wrong_value() -> None:
    event = {"type": "use", "id": "a", "accesses": 12}
    line, dice = encode(event)[:-1], random.Random(1)
    for _ in range(3000):
        spoilt = bytearray(line)
        spoilt[dice.randrange(len(line))] ^= 1 << dice.randrange(8)
        found = decode(bytes(spoilt))
        assert found is None or {key: found[key] for key in event} == event


@pytest.mark.parametrize(
    "junk", [b"null", b"[1]", b'{"a":' * 5000, b"\0" * 4096, b"\xff\xfe", b'"x"', b"{}", b'{"type":1}', b""]
)
def test_junk_is_no_event(junk: bytes) -> None:
    assert decode(junk) is None


def test_a_line_written_by_hand_counts(tmp_path: Path) -> None:
    journal(tmp_path).record([Use("a", NOON, accesses=1)])
    with lines(tmp_path).open("ab") as file:
        file.write(b'{"type": "use", "id": "a", "at": "2026-10-27", "accesses": 2}\r\n')
    assert used(tmp_path, "a") == 3


def test_every_torn_tail_costs_only_itself(tmp_path: Path) -> None:
    journal(tmp_path).record([Use("a", NOON, accesses=1), Use("a", NOON, accesses=1)])
    whole = lines(tmp_path).read_bytes()
    first = whole.index(b"\n") + 1
    for cut in range(len(whole) + 1):
        lines(tmp_path).write_bytes(whole[:cut])
        journal(tmp_path).record([Use("b", NOON, accesses=1)])
        ended = 2 if cut >= len(whole) - 1 else 1 if cut >= first - 1 else 0
        assert (used(tmp_path, "a"), used(tmp_path, "b")) == (ended, 1), cut
        torn = cut not in (0, first - 1, first, len(whole) - 1, len(whole))
        assert [problem.line for problem in journal(tmp_path).problems()] == ([ended + 1] if torn else [])


def test_activities_of_several_machines_are_one_story(tmp_path: Path) -> None:
    assert NOON.ms is not None
    later = type(NOON)(NOON.ms + 1000)
    journal(tmp_path, "one").append([Activity(NOON, "add", "a"), Activity(later, "get", "a")])
    journal(tmp_path, "two").append([Activity(NOON, "link", "b"), Activity(type(NOON)(NOON.ms + 2000), "add", "b")])
    read = journal(tmp_path).read()
    assert [(a.action, a.id) for a in read[:2]] == [("add", "b"), ("get", "a")]
    assert len(read) == 4
    assert [a.action for a in journal(tmp_path).read(limit=2)] == ["add", "get"]
    assert journal(tmp_path).read(limit=0) == []


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(wanted=usages, before=usages)
def test_set_counters_read_back(tmp_path_factory: pytest.TempPathFactory, wanted: Usage, before: Usage) -> None:
    place = tmp_path_factory.mktemp("journal")
    one = journal(place)
    one.set_usages({"a": before})
    assert one.usages(["a"]).get("a", Usage()) == before
    one.set_usages({"a": wanted})
    assert journal(place).usages(["a"]).get("a", Usage()) == wanted
    one.record([Use("a", NOON, accesses=1)])
    assert journal(place).usages(["a"])["a"] == add_use(wanted, Use("a", NOON, accesses=1))


def test_counters_of_machines_add_up_and_a_set_one_holds_for_all(tmp_path: Path) -> None:
    one, two = journal(tmp_path, "one"), journal(tmp_path, "two")
    for _ in range(3):
        one.record([Use("a", NOON, accesses=1, successes=1)])
        two.record([Use("a", NOON, accesses=2)])
    assert one.usages(["a"])["a"].accesses == two.usages(["a"])["a"].accesses == 9
    two.set_usages({"a": Usage(accesses=4, last_accessed=NOON)})
    assert one.usages(["a"])["a"] == Usage(accesses=4, last_accessed=NOON)
    one.record([Use("a", NOON, accesses=1)])
    assert two.usages(["a"])["a"].accesses == 5


def test_tells_what_was_used_since(tmp_path: Path) -> None:
    one, two = journal(tmp_path, "one"), journal(tmp_path, "two")
    start = one.token()
    one.record([Use("a", NOON, accesses=1)])
    middle = two.token()
    two.record([Use("b", NOON, accesses=1)])
    one.append([Activity(NOON, "add", "c")])
    assert one.used_since(start) == ({"a", "b"}, one.token())
    assert one.used_since(middle)[0] == {"b"}
    assert one.used_since(one.token())[0] == set()
    one.forget("a")
    assert two.used_since(middle)[0] == {"b"}


def test_forgetting_leaves_no_trace_in_any_file(tmp_path: Path) -> None:
    one, two = journal(tmp_path, "one"), journal(tmp_path, "two")
    for each in (one, two):
        each.append(
            [Activity(NOON, "add", "b", "replaces secret-plan"), Activity(NOON, "add", "b", "secret-plans stay")]
        )
        each.record([Use("secret-plan", NOON, accesses=1), Use("b", NOON, accesses=1)])
    with lines(tmp_path).open("ab") as file:
        file.write(b'{"type":"use","id":"secret-plan","acc')
    one.forget("secret-plan")
    for machine in ("one", "two"):
        assert b"secret-plan" not in lines(tmp_path, machine).read_bytes().replace(b"secret-plans", b"")
    assert one.usages(["secret-plan", "b"]).keys() == two.usages(["b"]).keys() == {"b"}
    two.record([Use("b", NOON, accesses=1)])
    assert one.usages(["b"])["b"].accesses == 3


def test_many_uses_fold_into_totals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FOLD_AFTER", 50)
    one = journal(tmp_path)
    one.append([Activity(NOON, "add", "a")])
    for _ in range(60):
        one.record([Use("a", NOON, accesses=1), Use("b", NOON, successes=1, relevance=0.01)])
    before = one.usages(["a", "b"])
    one.fold()
    assert lines(tmp_path).read_bytes().count(b"\n") == 3
    assert journal(tmp_path).usages(["a", "b"]) == before
    assert [a.action for a in one.read()] == ["add"]
    one.record([Use("a", NOON, accesses=1)])
    assert journal(tmp_path).usages(["a"])["a"].accesses == 61


def test_the_name_of_a_machine_is_random_and_stays(tmp_path: Path) -> None:
    for place in (tmp_path / "a", tmp_path / "b"):
        place.mkdir()
        for _ in range(2):
            journal(place, "").record([Use("a", NOON, accesses=1)])
    names = [[path.name for path in (tmp_path / place / ".brain" / "journal").iterdir()] for place in "ab"]
    assert [len(found) for found in names] == [1, 1]
    assert names[0] != names[1]
    [machine] = (tmp_path / "a" / ".brain").glob("machine-*")
    for spoilt in (b"", b"../../x\n", b"\xff"):
        machine.write_bytes(spoilt)
        journal(tmp_path / "a", "").record([Use("a", NOON, accesses=1)])
    with pytest.raises(InvalidField):
        journal(tmp_path, "../x")
    assert used(tmp_path / "a", "a") == 5


def test_two_hosts_that_share_a_synced_folder_write_files_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for host in ("desk", "laptop", "desk"):
        monkeypatch.setattr("platform.node", lambda host=host: host)
        journal(tmp_path, "").record([Use("a", NOON, accesses=1)])
    assert len(list((tmp_path / ".brain" / "journal").iterdir())) == 2
    assert used(tmp_path, "a") == 3


def test_values_that_are_not_whole_count_as_none(tmp_path: Path) -> None:
    one = journal(tmp_path)
    assert one.values() == {}
    one.update(lambda values: {**values, "last_decay": "x"})
    for spoilt in (b"", b"{", b"[]", b"[" * 100_000):
        (tmp_path / ".brain" / "values.json").write_bytes(spoilt)
        assert one.values() == {}
    assert one.update(lambda values: {**values, "n": "1"}) == {"n": "1"}
    assert json.loads((tmp_path / ".brain" / "values.json").read_bytes()) == {"n": "1"}


def test_processes_count_without_losing_one(tmp_path: Path) -> None:
    code = (
        f"import sys; sys.path.insert(0, {SOURCE!r})\n"
        "from plainbrain.files.beneath import Beneath\n"
        "from plainbrain.files.journal import FileJournal\n"
        "from plainbrain.files.locks import FileLock\n"
        "from plainbrain.model.change import Activity, Use\n"
        "from plainbrain.model.instants import from_ms\n"
        f"b = Beneath({str(tmp_path)!r})\n"
        "j = FileJournal(b, ('.brain',), lock=FileLock(b, ('.brain', 'lock')))\n"
        "for n in range(50):\n"
        "    j.record([Use('a', from_ms(n), accesses=1)])\n"
        "    j.append([Activity(from_ms(n), 'get', 'a')])\n"
        "    j.update(lambda v: {'n': str(int(v.get('n', '0')) + 1)})\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(4)]
    assert [process.wait() for process in running] == [0] * 4
    done = journal(tmp_path)
    assert done.usages(["a"])["a"].accesses == 200
    assert len(done.read()) == 200
    assert done.values() == {"n": "200"}
    assert done.problems() == []
