"""The brain as a library, on every store."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from plainbrain import Brain, BrainError, make_brain, open_brain
from plainbrain.app.context import Channel
from plainbrain.errors import AlreadyExists, Changed, NoBrain, NotFound, SecretRefused, Untrusted
from plainbrain.lifecycle.admit import Draft
from plainbrain.model.change import Put
from plainbrain.model.links import Link
from plainbrain.model.query import Query
from plainbrain.testing.builders import FixedClock

STORES = ("vault:brain", "sqlite:memory.db", "json:memory.json", "jsonl:memories.jsonl", "ram:x")


@pytest.fixture(params=STORES, ids=lambda url: url.partition(":")[0])
def brain(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Brain]:
    monkeypatch.chdir(tmp_path)
    with make_brain(request.param, clock=FixedClock()) as brain:
        yield brain


def test_the_life_of_a_memory(brain: Brain) -> None:
    old = brain.encode("Use yarn everywhere", "It is fast.", cortex="ways", kind="decision", tags=["code.node"]).id
    new = brain.encode(
        "Use pnpm everywhere", "The lock file drifted.", cortex="ways", kind="decision", supersedes=[old]
    ).id
    assert [hit.id for hit in brain.search("which package manager, everywhere").hits] == [new]
    assert {hit.id for hit in brain.search("everywhere", include_superseded=True).hits} == {old, new}
    assert brain.get(old).superseded_by == new
    assert brain.get(new).supersedes == (old,)
    other = brain.encode("Deploys stop on Friday", links=[Link(new, "caused_by")]).id
    assert [(b.id, b.rel) for b in brain.read(new).backlinks if b.id == other] == [(other, "caused_by")]
    brain.link(other, old, "relates to")
    assert Link(other, "relates_to") in brain.get(old).links
    assert brain.validate(new, 0.9).confidence.value == 0.9
    brain.invalidate(new, "we write Go now")
    assert brain.search("package manager").hits == ()
    brain.forget(new)
    with pytest.raises(NotFound):
        brain.get(new)
    report = brain.examine()
    assert {p.code for p in report.problems} == {"dangling-link"}


def test_encoding_the_same_again_answers_with_what_is_there(brain: Brain) -> None:
    first = brain.encode("Ports", "8443")
    again = brain.encode("Ports", "8443")
    assert (again.id, again.created) == (first.id, False)
    other = brain.encode("Ports", "9443").id
    assert other == "ports-2" if brain.store.traits.slug_ids else other != first.id


def test_a_note_made_by_hand_between_two_writes_keeps_its_id(tmp_path: Path) -> None:
    with make_brain(tmp_path / "brain", clock=FixedClock()) as brain:
        brain.encode("The first of all", "It is here.")
        by_hand = tmp_path / "brain" / "inbox" / "use-pnpm.md"
        by_hand.write_text("Said by a person.\n", encoding="utf-8")
        kept = brain.encode("Use pnpm", "Said by an agent.")
        assert kept.id == "use-pnpm-2"
        assert by_hand.read_text(encoding="utf-8") == "Said by a person.\n"
        assert {hit.id for hit in brain.search("said by").hits} == {"use-pnpm", "use-pnpm-2"}


def test_pages_of_equal_memories_follow_each_other(brain: Brain) -> None:
    for number in range(12):
        brain.encode(f"Equal {number:02}", "The very same words.")
    whole = [hit.id for hit in brain.search("very same words", k=12).hits]
    pages = [hit.id for at in (0, 5, 10) for hit in brain.search("very same words", k=5, offset=at).hits]
    assert len(set(whole)) == 12
    assert pages == whole


def test_ids_that_are_brought_along_are_never_overwritten(brain: Brain) -> None:
    brain.keep(Draft("A", "one", id="my-id"))
    assert not brain.keep(Draft("A", "one", id="my-id")).created
    with pytest.raises(AlreadyExists):
        brain.keep(Draft("A", "two", id="my-id"))
    assert brain.get("my-id").content == "one"


def test_a_write_to_nothing_names_what_looks_alike_and_writes_nothing(brain: Brain) -> None:
    brain.keep(Draft("Node A", id="node-a"))
    brain.keep(Draft("Node B", id="node-b"))
    with pytest.raises(NotFound) as caught:
        brain.supersede("node", "node-b")
    assert set(caught.value.candidates) == {"node-a", "node-b"}
    with pytest.raises(NotFound):
        brain.encode("New", supersedes=["node"])
    assert len(list(brain.memories())) == 2


def test_a_rehearsal_checks_everything_and_writes_nothing(brain: Brain) -> None:
    id = brain.encode("Ports", "8443").id
    rehearsed = brain.rehearsal()
    rehearsed.invalidate(id)
    rehearsed.encode("Another")
    with pytest.raises(NotFound):
        rehearsed.link(id, "nothing")
    assert brain.get(id).is_live
    assert [m.id for m in brain.memories()] == [id]


def test_secrets_are_refused_in_every_field(brain: Brain) -> None:
    secret = "ghp_" + "0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX"
    for fields in (
        {"title": f"token {secret}"},
        {"body": secret},
        {"description": secret},
        {"tags": [secret]},
        {"rationale": secret},
        {"source_url": f"https://x/?t={secret}"},
    ):
        with pytest.raises(SecretRefused) as caught:
            brain.keep(Draft(**{"title": "t", **fields}))  # type: ignore[arg-type]
        assert secret not in str(caught.value)
    assert list(brain.memories()) == []


def test_what_came_from_the_web_is_less_trusted(brain: Brain) -> None:
    mine = brain.encode("Install from the mirror", "Use our own mirror.").id
    web = brain.through(Channel(origin="web", actor="browser"))
    theirs = web.encode("Install from elsewhere", "Use our own mirror from elsewhere.").id
    assert brain.get(theirs).provenance.trust == "unreviewed"
    with pytest.raises(Untrusted):
        web.supersede(mine, theirs)
    assert [h.id for h in brain.search("own mirror").hits] == [mine, theirs]


def test_many_are_kept_and_a_bad_one_stops_nothing(brain: Brain) -> None:
    outcomes = list(brain.keep_many([Draft("A"), Draft(" "), Draft("B")]))
    assert [isinstance(o, BrainError) for o in outcomes] == [False, True, False]
    assert len(list(brain.memories())) == 2


def test_a_stale_write_is_decided_again(brain: Brain) -> None:
    id = brain.encode("Ports", "8443").id
    stored = brain.store.get(id)
    brain.validate(id, 0.5)
    with pytest.raises(Changed):
        brain.store.apply([Put(stored.memory, stored.revision)])


def test_opening_creates_nothing(tmp_path: Path) -> None:
    with pytest.raises(NoBrain):
        open_brain(tmp_path / "nowhere")
    assert list(tmp_path.iterdir()) == []
    for url in ("sqlite:m.db", "json:m.json", "jsonl:m.jsonl"):
        kind, _, name = url.partition(":")
        with open_brain(f"{kind}:{tmp_path / name}") as brain:
            assert brain.search("x").hits == ()
            assert list(brain.memories()) == []
    assert list(tmp_path.iterdir()) == []


def test_a_half_done_supersession_is_finished_by_repair(brain: Brain) -> None:
    old = brain.encode("Old way").id
    new = brain.encode("New way").id
    stored = brain.store.get(new)
    brain.store.apply([Put(replace(stored.memory, links=(Link(old, "supersedes"),)), stored.revision)])
    assert [p.code for p in brain.examine().problems] == ["half-superseded"]
    report = brain.repair()
    assert report.problems == ()
    assert brain.get(old).superseded_by == new


def test_a_skimmed_answer_is_the_whole_one_without_the_texts(brain: Brain) -> None:
    filler = "Nothing is said here of what was asked for. " * 60
    brain.encode("Handbook", f"{filler}\nThe emergency number is behind rack C7.\n", description="the data centre")
    brain.encode("Number", "Emergency numbers are short.", description="short")
    query = Query("emergency number rack")
    whole, quick = brain.ask(query), brain.skim(query)
    assert [(hit.id, hit.score, hit.passage) for hit in quick.hits] == [
        (hit.id, hit.score, hit.passage) for hit in whole.hits
    ]
    assert any("rack C7" in hit.passage for hit in quick.hits)
    assert (quick.total, quick.relevant) == (whole.total, whole.relevant)
