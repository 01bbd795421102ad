"""Ready-made values for tests: a fixed clock and memories with every field filled."""

from __future__ import annotations

from plainbrain.model.confidence import Confidence
from plainbrain.model.instants import Instant, from_ms, parse_instant
from plainbrain.model.links import Link
from plainbrain.model.memory import Association, Correction, Dynamics, Memory, Rejected, Usage
from plainbrain.model.provenance import Provenance

#: 2026-10-27 12:00:00 UTC, where every test that does not care begins.
NOON = parse_instant("2026-10-27T12:00:00Z")


_PROVENANCE = Provenance(
    origin="import:robrain",
    actor="claude-code",
    trust="reviewed",
    sessions=("12", "2026-05-01T09:58:11.873Z-8e39"),
    turn=4,
    turn_ids=("t-1", "t-2"),
    excerpt="please only ever use pnpm here",
)
_DYNAMICS = Dynamics(
    importance=0.7,
    stability=0.3,
    retention=0.5,
    cold=True,
    cold_since=from_ms(1709856000789),
    days_at_floor=3,
    stub=True,
    associations=(Association("use-npm", 0.4, from_ms(1709856000999), from_ms(1709856000000)),),
)


class FixedClock:
    """A clock that stands still until it is told to go on."""

    def __init__(self, at: Instant = NOON) -> None:
        self.at = at

    def now(self) -> Instant:
        """Return the instant it stands at."""
        return self.at

    def advance(self, *, days: float = 0, seconds: float = 0) -> Instant:
        """Move on and return the new instant."""
        assert self.at.ms is not None
        self.at = from_ms(self.at.ms + round((days * 86_400 + seconds) * 1000))
        return self.at


def full_memory(id: str = "use-pnpm") -> Memory:
    """Return a memory in which every field says something that is not its default."""
    return Memory(
        id=id,
        content="Use pnpm for all workspace commands.\n\nNever npm: see [[lockfile-drift]].\n",
        title="Use pnpm: for everything",
        description='One package manager; "pnpm" it is # not a comment',
        kind="decision",
        memory_class="policy",
        cortex="infra/node",
        tags=("code.node", "tooling", "007", "1e3"),
        confidence=Confidence(number=0.9),
        status="superseded",
        links=(
            Link("use-npm", "supersedes"),
            Link("use-bun", "superseded_by"),
            Link("lockfile-drift", "caused_by", 0.5, parse_instant("2026-05-01"), from_ms(1709856000123)),
        ),
        created=parse_instant("2026-05-01"),
        updated=from_ms(1709856000001),
        last_validated=parse_instant("2026-10-01"),
        reviewed=parse_instant("2026-05-02T09:00:00Z"),
        invalidated=parse_instant("2026-09-01T09:00:00.500Z"),
        valid_from=parse_instant("2026-05-01"),
        valid_until=parse_instant("2027-01-01T00:00:00Z"),
        ttl_seconds=86400.5,
        reason="bun came",
        rationale="The repository is standardised on pnpm",
        rejected=(Rejected("npm", "lockfile drift"), Rejected("C++", None)),
        files=("package.json", "src/app/über.ts"),
        scope="team",
        context="at work",
        user_id="user-1",
        source="user",
        source_url="https://example.com/x?y=1#z",
        provenance=_PROVENANCE,
        correction=Correction("wrong-1", "We use npm", "We use pnpm", "changed in May"),
        contradicted_by="use-bun",
        usage=Usage(5, from_ms(1709856000456), 2, 14, 11, 0.62),
        dynamics=_DYNAMICS,
        embedding=(0.5, -0.25, 1e-07),
        metadata={"a": 1, "nested": {"b": [True, None, "x"]}},
        extra={"handler": "nginx", "standup": "22:30"},
    )
