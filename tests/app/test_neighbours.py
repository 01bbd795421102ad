"""A search with ``expand``: what stands one link away, marked, bounded, and nothing that is hidden."""

from __future__ import annotations

from pathlib import Path

from plainbrain.app.brain import Brain, make_brain
from plainbrain.app.neighbours import MOST
from plainbrain.model.change import Put
from plainbrain.model.links import SUPERSEDED_BY, SUPERSEDES, Link
from plainbrain.model.memory import SUPERSEDED, Memory
from plainbrain.model.query import Query


def brain_of(folder: Path, *memories: Memory) -> Brain:
    brain = make_brain("ram:x", environment={"BRAIN_CACHE": str(folder)})
    brain.store.apply([Put(memory) for memory in memories])
    return brain


NOTES = (
    Memory("gateway", "The gateway times out at six.", cortex="infra", links=(Link("report", "caused_by"),)),
    Memory("report", "Each morning all connections are taken by a job.", cortex="data"),
    Memory("pool", "Forty connections.", links=(Link("gateway"),)),
    Memory("new", "Gateway: sixty seconds.", links=(Link("old", SUPERSEDES),)),
    Memory("old", "Thirty seconds.", status=SUPERSEDED, links=(Link("new", SUPERSEDED_BY),)),
)


def test_neighbours_come_after_the_hits_and_say_whence(tmp_path: Path) -> None:
    with brain_of(tmp_path, *NOTES) as brain:
        plain = brain.ask(Query("gateway", cortex="infra"))
        more = brain.ask(Query("gateway", cortex="infra", expand=True))
        assert [hit.id for hit in plain.hits] == ["gateway"]
        assert {hit.id: hit.via for hit in more.hits} == {"gateway": "", "report": "gateway", "pool": "gateway"}
        assert more.hits[0].id == "gateway"
        assert all(hit.score < more.hits[0].score for hit in more.hits[1:])
        assert more.hits[1].explanation.notes["relation"] == "caused_by"


def test_what_was_superseded_stays_hidden_unless_asked_for(tmp_path: Path) -> None:
    with brain_of(tmp_path, *NOTES) as brain:
        assert "old" not in [hit.id for hit in brain.ask(Query("sixty", expand=True)).hits]
        shown = brain.ask(Query("sixty", expand=True, include_superseded=True)).hits
        assert {hit.id: hit.via for hit in shown}["old"] == "new"


def test_a_note_that_links_to_everything_brings_a_few(tmp_path: Path) -> None:
    hub = Memory("hub", "hub of all", links=tuple(Link(f"n{n}") for n in range(60)))
    with brain_of(tmp_path, hub, *(Memory(f"n{n}", "something else") for n in range(60))) as brain:
        assert len(brain.ask(Query("hub", expand=True)).hits) == 1 + MOST


def test_an_answer_that_is_none_is_said_to_be_none(tmp_path: Path) -> None:
    with brain_of(tmp_path, *NOTES) as brain:
        assert brain.search("gateway times out").relevant
        assert not brain.search("morning recipe for onion soup with cheese").relevant
        assert not brain.search("xylophone").relevant
