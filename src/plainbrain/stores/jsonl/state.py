"""What the lines of a log come to: for each memory where its line lies, and the links between them.

Promises that the same lines give the same state, whether they are read live, from the start or on from a snapshot.
Holds no texts and no vectors: a memory is read from its line when it is asked for. Does no I/O.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never

from plainbrain.model.change import Use, add_use
from plainbrain.model.instants import Instant
from plainbrain.model.links import Link
from plainbrain.model.memory import Memory
from plainbrain.model.problem import Problem
from plainbrain.notation.event.own import is_place_holder
from plainbrain.notation.event.values import (
    Cleared,
    Erased,
    Event,
    Linked,
    LogLine,
    Meta,
    Moved,
    Strengthened,
    Touched,
    Unknown,
    Unlinked,
    Used,
    Wrote,
    link_ends,
)

HOT, COLD, STUB = "hot", "cold", "stub"
#: Where a line lies: the number of its file, its offset and its length in bytes.
Place = tuple[int, int, int]
MAX_PROBLEMS = 1000
_MAX_RECENT = 100_000


@dataclass(slots=True)
class Row:
    """Where a memory lies: its whole line, and the lines that changed parts of it since; and its counters since then."""

    place: Place
    tier: str
    revision: str = ""
    tail: tuple[Place, ...] = ()
    touch: Place | None = None
    uses: tuple[Use, ...] = ()
    tick: int = 0
    used_tick: int = 0


@dataclass(slots=True)
class State:
    """Fold events. ``tick`` counts what was applied; a row's ticks say when it changed and when it was used."""

    rows: dict[str, Row] = field(default_factory=dict)
    links: dict[str, dict[str, Link]] = field(default_factory=dict)
    gone: dict[str, int] = field(default_factory=dict)
    tick: int = 0
    problems: list[Problem] = field(default_factory=list)
    more_problems: int = 0
    starts_bare: bool = False
    unknown: int = 0
    bare: int = 0
    typed: int = 0
    segment_number: int = 0
    recent: list[tuple[int, str]] = field(default_factory=list)
    recent_from: int = 0

    @property
    def is_bare(self) -> bool:
        """Whether the log holds bare objects and nothing else, or is to begin with them."""
        return self.typed == 0 and (self.bare > 0 or self.starts_bare)

    def problem(self, problem: Problem) -> None:
        """Remember what is wrong with a line; only the first thousand in words."""
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(problem)
        else:
            self.more_problems += 1

    def apply(self, line: LogLine, place: Place) -> None:
        """Fold one event that lies at ``place``."""
        event = line.event
        self.tick += 1
        self._count_form(event)
        match event:
            case Wrote():
                self._wrote(event, line, place)
            case Erased():
                self._erase(event.id)
            case Touched():
                self._touched(event, line, place)
            case Moved():
                self._moved(event, place)
            case Used():
                self._used(event)
            case Linked():
                self._link(event.a, event.b, event.strength, event.created, event.updated)
            case Strengthened():
                self._strengthen(event)
            case Unlinked():
                a, b = link_ends(event.a, event.b)
                if self.links.get(a, {}).pop(b, None) is not None:
                    self._changed(a)
            case Cleared():
                for id in list(self.rows):
                    self._erase(id)
                self.links.clear()
            case Meta():
                self.segment_number = max(self.segment_number, event.segment or 0)
            case Unknown():
                self.unknown += 1
            case _:
                assert_never(event)

    def _count_form(self, event: Event) -> None:
        if isinstance(event, Wrote | Erased) and event.bare:
            self.bare += 1
        elif not isinstance(event, Used | Touched | Unknown):
            self.typed += 1

    def _wrote(self, event: Wrote, line: LogLine, place: Place) -> None:
        old = self.rows.get(event.id)
        if old is None and event.if_there:
            return
        tier = _tier(event.raw) if old is None or not event.if_there else old.tier
        if old is not None and old.tier != tier:
            del self.rows[event.id]  # a memory that moves between tiers goes to the end of its new one
        self.rows[event.id] = Row(place, tier, line.revision, tick=self.tick, used_tick=self.tick)
        self.gone.pop(event.id, None)
        self._note(event.id)

    def _erase(self, id: str) -> None:
        if self.rows.pop(id, None) is not None:
            self.gone[id] = self.tick
            self._note(id)

    def _touched(self, event: Touched, line: LogLine, place: Place) -> None:
        row = self.rows.get(event.id)
        if row is None:
            return
        row.tail = (*(each for each in row.tail if each != row.touch), place)
        row.touch, row.uses, row.revision = place, (), line.revision
        row.used_tick = self.tick
        self._changed(event.id, row.revision)

    def _moved(self, event: Moved, place: Place) -> None:
        row = self.rows.get(event.id)
        if row is None or row.tier not in event.only_from:
            return
        del self.rows[event.id]
        row.tier = _tier(event.raw)
        row.tail = (*row.tail, place)
        self.rows[event.id] = row
        self._changed(event.id)

    def _used(self, event: Used) -> None:
        for use in event.uses:
            row = self.rows.get(use.id)
            if row is not None:
                row.uses = fold_uses((*row.uses, use))
                row.used_tick = self.tick
                self._note(use.id)

    def _strengthen(self, event: Strengthened) -> None:
        a, b = link_ends(event.a, event.b)
        old = self.links.get(a, {}).get(b)
        strength = min(1.0, (old.strength if old is not None and old.strength else 0.0) + event.weight)
        self._link(a, b, strength, event.created, event.updated)

    def _link(self, a: str, b: str, strength: float, created: Instant | None, updated: Instant | None) -> None:
        a, b = link_ends(a, b)
        self.links.setdefault(a, {})[b] = Link(b, strength=strength, created=created, updated=updated)
        self._changed(a)

    def _changed(self, id: str, revision: str = "") -> None:
        row = self.rows.get(id)
        if row is not None:
            row.revision, row.tick = revision, self.tick
            self._note(id)

    def _note(self, id: str) -> None:
        self.recent.append((self.tick, id))
        if len(self.recent) > _MAX_RECENT:
            self.recent_from = self.recent[_MAX_RECENT // 2 - 1][0]
            del self.recent[: _MAX_RECENT // 2]

    def changed_since(self, tick: int) -> Iterator[str]:
        """Yield the ids of what changed, was used or went after ``tick``, each once."""
        if tick >= self.recent_from:
            at = bisect_right(self.recent, (tick, "\U0010ffff"))
            yield from dict.fromkeys(id for _, id in self.recent[at:])
            return
        yield from (id for id, row in self.rows.items() if row.tick > tick or row.used_tick > tick)
        yield from (id for id, at in self.gone.items() if at > tick)

    def joined(self, id: str, memory: Memory) -> Memory:
        """Return ``memory`` with the links that link events hold, and the counters that moved since its line."""
        held = self.links.get(id, {})
        links = memory.links
        if held or any(map(is_place_holder, links)):
            placed = [held.get(link.to) if is_place_holder(link) else link for link in links]
            there = {link.to for link in links if is_place_holder(link)}
            added = [link for to, link in held.items() if to not in there]
            links = tuple(link for link in [*placed, *added] if link is not None)
        usage = memory.usage
        for use in self.rows[id].uses:
            usage = add_use(usage, use)
        return replace(memory, id=id, links=links, usage=usage)


def fold_uses(uses: tuple[Use, ...]) -> tuple[Use, ...]:
    """Join the last two uses where the sum says the same as both (a change of relevance stays on its own)."""
    if len(uses) < 2 or uses[-1].relevance or uses[-2].relevance:
        return uses
    one, two = uses[-2:]
    moved_one, moved_two = (bool(use.accesses or use.successes) for use in (one, two))
    is_later = one.at.ms is None or (two.at.ms is not None and two.at.ms >= one.at.ms)
    at = two.at if moved_two and (is_later or not moved_one) else one.at
    joined = Use(
        one.id,
        at,
        accesses=one.accesses + two.accesses,
        successes=one.successes + two.successes,
        injected=one.injected + two.injected,
        used=one.used + two.used,
    )
    return (*uses[:-2], joined)


def _tier(raw: Mapping[str, object]) -> str:
    if raw.get("isStub") is True:
        return STUB
    return COLD if raw.get("isCold") is True else HOT
