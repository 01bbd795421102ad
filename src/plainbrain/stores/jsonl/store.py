"""The event log as a store: every mutation one line, the state replayed, any number of processes.

Owns the order of things: lock, read on, check, write, fold. A file of bare objects stays bare, any other is continued
with typed events; a change of nothing but counters and the state of forgetting is a short ``touch`` line, so that recall
never writes a vector again. Readers take no lock. What is kept beside the log is named in ``segments``.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from plainbrain.errors import BrainError, InvalidId, NotFound, Unavailable
from plainbrain.files.beneath import Beneath, make_folder
from plainbrain.files.locks import FileLock
from plainbrain.files.outcome import change_of, standing, told
from plainbrain.model.change import Activity, Change, Put, Use, ids_of
from plainbrain.model.instants import Instant
from plainbrain.model.problem import Problem
from plainbrain.notation.event import render_line
from plainbrain.notation.event.values import Event, LogLine, Used, Wrote
from plainbrain.ports import Changes, Clock, Mark, Stored, Traits
from plainbrain.stores.jsonl.append import append_lines, make_live, roll_over
from plainbrain.stores.jsonl.compact import Compacted, compact
from plainbrain.stores.jsonl.follow import counted
from plainbrain.stores.jsonl.journal import LogJournal
from plainbrain.stores.jsonl.opened import OpenLog
from plainbrain.stores.jsonl.purge import purge
from plainbrain.stores.jsonl.replay import replayed
from plainbrain.stores.jsonl.segments import ARCHIVE, Places
from plainbrain.stores.jsonl.state import State
from plainbrain.stores.jsonl.words import Draft
from plainbrain.stores.ram import RamStore

if TYPE_CHECKING:
    from plainbrain.stores.jsonl.near import LogVectors

#: How a new log is written: typed events, or the memories' objects themselves.
Form = Literal["typed", "bare"]
#: Lines in the live file before it is rolled over, as the TypeScript adapter has it.
ROLL_OVER_LINES = 200_000


class JsonlStore:
    """Keep memories in the log at ``path``. Nothing is made before the first write.

    ``durable`` brings every write to the disk before it is told; ``clock`` dates the lines (without one
    they carry no time of their own and a replay to a moment goes by the memories' times). ``form`` is that of a log
    that is yet to be made; one that is there keeps its own.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        clock: Clock | None = None,
        durable: bool = True,
        roll_over_lines: int = ROLL_OVER_LINES,
        form: Form = "typed",
    ) -> None:
        self.places = Places(path)
        self.beneath = Beneath(self.places.folder)
        self.lock = FileLock(self.beneath, (self.places.own, "lock"))
        self._journal = LogJournal(self)
        self._clock = clock
        self._durable = durable
        self._roll_over_lines = roll_over_lines
        self._turn = threading.RLock()
        self._log = OpenLog(self.places, starts_bare=form == "bare")
        self._vectors: LogVectors | None = None

    @property
    def url(self) -> str:
        return f"jsonl:{self.places.live}"

    @property
    def traits(self) -> Traits:
        return Traits(kind="jsonl", atomic=not self._log.state.is_bare)

    @property
    def journal(self) -> LogJournal:
        return self._journal

    # reading

    def listing(self) -> Iterator[tuple[str, str]]:
        with self._turn:
            state = self._log.refreshed()
            return iter([(id, self._log.revision(id)) for id in state.rows])

    def get(self, id: str) -> Stored:
        with self._turn:
            if id not in self._log.refreshed().rows:
                raise NotFound(f"no memory {id!r}", value=id, hint="look for it with `brain search`")
            return self._log.stored(id)

    def get_many(self, ids: Sequence[str]) -> dict[str, Stored]:
        with self._turn:
            rows = self._log.refreshed().rows
            return {id: self._log.stored(id) for id in ids if id in rows}

    def changes_since(self, mark: Mark) -> Changes:
        with self._turn:
            state = self._log.refreshed()
            generation, _, count = mark.token.rpartition(":")
            token = f"{self._log.generation}:{state.tick}"
            problems = tuple(self._log.problems())
            since = int(count) if count.isdigit() else 0
            if generation != self._log.generation or not since or since > state.tick:
                ids = list(state.rows)
                return Changes(token, self._each(ids), problems=problems, everything=True)
            ids = list(state.changed_since(since)) if since < state.tick else []
            changed = [id for id in ids if id in state.rows and state.rows[id].tick > since]
            return Changes(
                token,
                stored=self._each(changed),
                gone=tuple(id for id in ids if id not in state.rows),
                used=tuple(id for id in ids if id in state.rows and state.rows[id].used_tick > since),
                problems=problems,
            )

    def _each(self, ids: Sequence[str]) -> Iterator[Stored]:
        for id in ids:
            with self._turn:
                yield from self._log.each([id])

    def problems(self) -> list[Problem]:
        with self._turn:
            self._log.refreshed()
            return [*self._log.problems(), *self._journal.problems()]

    # writing

    def apply(self, changes: Sequence[Change], *, activities: Sequence[Activity] = ()) -> list[str]:
        with self._writing() as state:
            draft = Draft(state, self._log.memory, self._log.revision)
            revisions = [draft.put(c) if isinstance(c, Put) else draft.remove(c) for c in map(_checked, changes)]
            self._write(draft.events)
        if changes and activities:
            with standing(change_of(ids_of(changes)), missing="its line in the journal", revisions=revisions):
                self.journal.append(activities)
        return revisions

    def record(self, uses: Sequence[Use], *, activities: Sequence[Activity] = ()) -> None:
        known: tuple[Use, ...] = ()
        with self._turn:
            if any(use.id in self._log.refreshed().rows for use in uses):
                with self._writing() as state:
                    known = tuple(use for use in uses if use.id in state.rows)
                    if known:
                        self._write([(Used(known), "")])
        if activities:
            with standing("the count of uses", missing="its line in the journal") if known else nullcontext():
                self.journal.append(activities)

    @contextmanager
    def _writing(self) -> Iterator[State]:
        """Hold the log for writing, read to its end."""
        with self._turn:
            with told(self.places.live, "write"):
                make_folder(self.places.folder)
            with self.lock.hold():
                yield self._log.refreshed()

    def _write(self, events: Sequence[tuple[Event, str]]) -> None:
        """Add the events in one write and fold them."""
        if not events:
            return
        at = self.now_ms()
        many = len(events) if len(events) > 1 and not self._log.state.is_bare else 0
        lines = []
        for number, (event, revision) in enumerate(events, 1):
            lines.append(render_line(event, at=at, revision=revision, batch=(number, many) if many else None))
        if not self._log.segments or self._log.segments[-1].name != self.places.name:
            begun = at or next((ms for event, _ in events if (ms := _told_time(event))), 0)
            make_live(self.places, self.beneath, segment=self._next_segment(), now_ms=begun)
            self._log.refreshed()
        segment = self._log.segments[-1]
        start = append_lines(self.places, segment, b"".join(lines), beneath=self.beneath, durable=self._durable)
        index = len(self._log.segments) - 1
        if start - segment.consumed <= 1:  # the end of the last line, at most, had to be written first
            segment.consumed = start
            for line, (event, revision) in zip(lines, events, strict=True):
                self._log.state.apply(LogLine(event, at, revision), (index, segment.consumed, len(line) - 1))
                segment.consumed += len(line)
                segment.lines += 1
        else:
            self._log.read_on(index)
        self._log.count(len(lines), sum(map(len, lines)))
        if segment.lines >= self._roll_over_lines:
            roll_over(self.places, self.beneath, segment=self._next_segment(), now_ms=at or 0)

    def _next_segment(self) -> int | None:
        return None if self._log.state.is_bare else self._log.state.segment_number + 1

    def now_ms(self) -> int | None:
        """Return the time to date lines with, when there is a clock."""
        return None if self._clock is None else self._clock.now().ms

    def close(self) -> None:
        with self._turn:
            if self._log.wants_snapshot() or (self._vectors is not None and self._vectors.wants_saving()):
                with suppress(BrainError):  # a snapshot only makes the next opening faster
                    self.save_snapshot()
            self._log.close()
            self._vectors = None
            self.lock.close()

    def save_snapshot(self) -> None:
        """Write down the state, so that the next opening is fast. Raise ReadOnly, Busy or NoRoom."""
        with self._writing():
            self._log.save_snapshot(self.beneath)
            if self._vectors is not None:
                self._vectors.catch_up()
                self._vectors.save(self.beneath)

    # vectors

    def nearest(
        self,
        vector: tuple[float, ...],
        k: int,
        *,
        user_id: str | None = None,
        all_tiers: bool = False,
        superseded: bool = False,
    ) -> list[tuple[str, float]]:
        """Return ``(id, cosine)`` of the memories nearest to ``vector``, nearest first.

        Of one user only when ``user_id`` says so; cold memories, stubs and those that are not in effect any more only when
        they are asked for. Raise InvalidField for a vector that cannot be compared, Unavailable without numpy.
        """
        with self._turn:
            near = self._near()
            found = near.nearest(vector, k, user_id=user_id, all_tiers=all_tiers, superseded=superseded)
            return [(each.id, each.cosine) for each in found]

    def vector_problems(self) -> list[Problem]:
        """Tell which memories cannot be found by their vector, and why. Reads every vector that was not read yet."""
        with self._turn:
            return self._near().problems()

    def _near(self) -> LogVectors:
        self._log.refreshed()
        if self._vectors is None:
            try:
                from plainbrain.stores.jsonl.near import LogVectors
            except ImportError as missing:
                raise Unavailable(
                    "searching vectors needs numpy", value="numpy", hint="pip install 'plainbrain[vectors]'"
                ) from missing
            self._vectors = LogVectors(self._log)
        return self._vectors

    # upkeep

    def compact(self) -> Compacted:
        """Rewrite the log as its present state. Raise ReadOnly, Busy or NoRoom; the log is whole all the same."""
        return self._compact("")

    def compact_keeping_history(self) -> Compacted:
        """Rewrite the log as its present state and keep the old files in ``NAME.brain/archive``. Raise as ``compact``."""
        return self._compact(ARCHIVE)

    def _compact(self, history: str) -> Compacted:
        with self._turn:
            self._log.refreshed()
            if not self._log.segments:
                return Compacted(0, 0, 0)
        with self._writing() as state:
            if not self._log.segments:
                return Compacted(0, 0, 0)
            for id in state.rows:
                self._log.revision(id)
            done = compact(
                self.places,
                self.beneath,
                state,
                segments=self._log.segments,
                memory=self._log.memory,
                now_ms=self.now_ms(),
                history=history,
            )
            self._log.refreshed()
            return done

    def purge(self, id: str) -> None:
        """Take every line about a memory that was removed out of the log's past. Raise ReadOnly, Busy or NoRoom."""
        with self._writing():
            if self._log.segments and purge(self.places, self.beneath, id, segments=self._log.segments):
                self._log.drop_files()
                self._log.refreshed()
                self._vectors = None

    # the past

    def lines(self, *, after: int = 0) -> Iterator[tuple[int, LogLine]]:
        """Yield the events of the whole log behind the line ``after``, with the number of their line over all files."""
        number = 0
        for segment in self.places.open_all():
            try:
                for raw, lines in counted(segment, lambda problem, raw: None):
                    if number + raw.number > after:
                        yield from ((number + raw.number, line) for line in lines)
                number += segment.lines
            finally:
                segment.close()

    def as_of(self, moment: Instant | int) -> RamStore:
        """Return a store in memory that holds what the log came to at a moment, or after so many lines."""
        return replayed(self.places, moment)


def _told_time(event: Event) -> int | None:
    """Return when a memory was made, as far as it says: what dates a log that has no clock."""
    made = event.raw.get("createdAt") if isinstance(event, Wrote) else None
    return made if isinstance(made, int) else None


def _checked(change: Change) -> Change:
    id = change.memory.id if isinstance(change, Put) else change.id
    if not id:
        raise InvalidId("a memory needs an id", value=id)
    return change
