"""The vetoes that a brain finds are those that a look at every memory would find."""

from __future__ import annotations

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plainbrain.lifecycle.veto import find_partly, find_vetoes
from plainbrain.model.change import Put
from plainbrain.model.instants import Instant
from plainbrain.model.links import SUPERSEDED_BY, SUPERSEDES, Link
from plainbrain.model.memory import Memory, Rejected
from plainbrain.model.provenance import Provenance
from tests.interchange.brains import brain_at, memories_of

IDS = [f"m{n}" for n in range(6)]
OPTIONS = [
    "Redis",
    "C++",
    "in-process cache",
    "微服务",
    "+++",
    "node.js",
    '"quoted"',
    "日志",
    "Redis with Celery",
    "self-hosted / Kafka",
    "Straße",
    "na\u0308ive",
]


@st.composite
def memories(draw: st.DrawFn) -> list[Memory]:
    found = []
    for id in IDS:
        links = draw(
            st.lists(st.builds(Link, st.sampled_from(IDS), st.sampled_from([SUPERSEDES, SUPERSEDED_BY])), max_size=2)
        )
        found.append(
            Memory(
                id,
                title=draw(st.sampled_from(["", "Take Redis", "A table", "no Redis"])),
                content=draw(st.sampled_from(["", '"rejected":[["Redis"]]', "A table."])),
                kind=draw(st.sampled_from(["decision", "fact"])),
                status=draw(st.sampled_from(["active", "superseded", "invalidated"])),
                invalidated=draw(st.sampled_from([None, Instant(1)])),
                links=tuple(dict.fromkeys(links)),
                rejected=tuple(map(Rejected, draw(st.lists(st.sampled_from(OPTIONS), max_size=3, unique=True)))),
                provenance=Provenance(trust=draw(st.sampled_from(["", "", "unreviewed", "quarantined"]))),
            )
        )
    return found


@given(
    memories(),
    st.lists(
        st.sampled_from([*OPTIONS, "use", "not", "celery", "selfhosted", "Caches in process", "，", "redis,", "和"]),
        max_size=6,
    ),
)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_against_every_memory(tmp_path_factory: object, given: list[Memory], words: list[str]) -> None:
    text = " ".join(words)
    with brain_at("ram", Path(tmp_path_factory.mktemp("brain"))) as brain:  # type: ignore[attr-defined]
        brain.store.apply([Put(memory) for memory in given])
        every = [m for m in memories_of(brain).values() if m.provenance.trust != "quarantined"]
        wanted = find_vetoes(text, every)
        found = brain.check(text)
        key = [(v.decision.id, v.rejected, v.at, v.denied) for v in wanted]
        assert sorted(
            (v.decision.id, v.rejected.option, v.at, v.denied) for v in (*found.vetoes, *found.denied)
        ) == sorted((id, no.option, at, denied) for id, no, at, denied in key)
        told = {v.rejected.option.casefold() for v in wanted}
        parts = [(v.decision.id, v.rejected.option, v.word) for v in find_partly(text, every)]
        assert sorted((v.decision.id, v.rejected.option, v.word) for v in found.partly) == sorted(
            part for part in parts if part[2].casefold() not in told
        )
        for veto in (*found.vetoes, *found.denied):
            assert veto.decision == brain.get(veto.decision.id)
