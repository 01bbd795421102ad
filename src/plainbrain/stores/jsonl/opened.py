"""A log that is open: its files, what they come to, and how it keeps up with whoever else writes.

Owns the open files and the state. Goes on where it was when lines were added or the live file was rolled over; starts
afresh, from the snapshot if one fits, when the files are others. Takes no lock and writes nothing but snapshots.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plainbrain.files.beneath import Beneath
from plainbrain.files.outcome import told
from plainbrain.model.memory import Memory
from plainbrain.model.problem import Problem
from plainbrain.ports import Stored
from plainbrain.stores.jsonl.follow import RawLine, raw_lines, read_on, same_files, torn_tail
from plainbrain.stores.jsonl.replay import memory_of
from plainbrain.stores.jsonl.segments import Places, Segment, fingerprint
from plainbrain.stores.jsonl.snapshot import load_snapshot, save_snapshot
from plainbrain.stores.jsonl.state import State
from plainbrain.stores.revision import revision_of

#: Lines, or bytes, read behind the last snapshot before another is worth its writing.
_SNAPSHOT_LINES, _SNAPSHOT_BYTES = 5_000, 8 << 20


class OpenLog:
    """Hold the files of one log and their state. One thread at a time."""

    def __init__(self, places: Places, *, starts_bare: bool = False) -> None:
        self.places = places
        self._starts_bare = starts_bare
        self.segments: list[Segment] = []
        self.state = State(starts_bare=starts_bare)
        self.generation = ""
        self._read_lines = 0
        self._read_bytes = 0

    def refreshed(self) -> State:
        """Return the state, read on to the end of the log. Raise StoreError."""
        with told(self.places.live, "read"):
            if not same_files(self.segments, self.places.live):
                self._take_up()
            if self.segments and self.segments[-1].size > self.segments[-1].consumed:
                self.read_on(len(self.segments) - 1)
            return self.state

    def read_on(self, index: int) -> None:
        """Fold what stands behind what was read of a file."""
        segment = self.segments[index]
        lines, consumed = segment.lines, segment.consumed
        read_on(self.state, segment, index=index)
        self.count(segment.lines - lines, segment.consumed - consumed)

    def count(self, lines: int, size: int) -> None:
        """Count what was read or written since the last snapshot."""
        self._read_lines += lines
        self._read_bytes += size

    def _take_up(self) -> None:
        """Take up the files that are there now: go on where only a new one was begun, else start afresh."""
        found = self.places.open_all()
        old = self.segments
        if old and [s.inode for s in found[: len(old)]] == [s.inode for s in old] and len(found) > len(old):
            for segment in found[: len(old)]:
                segment.close()
            for mine, now in zip(old, found, strict=False):
                mine.name = now.name
            self.segments = [*old, *found[len(old) :]]
            start = len(old) - 1
        else:
            self.drop_files()
            self.segments = found
            self.state = load_snapshot(self.places, found) or State()
            self.state.starts_bare = self._starts_bare
            self._read_lines = self._read_bytes = 0
            start = 0
        for index in range(start, len(self.segments)):
            self.read_on(index)
        self.generation = self._name_generation()

    def _name_generation(self) -> str:
        """Return what tells this log from one that was rewritten: marks of readers are good for one generation."""
        if not self.segments:
            return ""
        first = self.segments[0]
        line = next(raw_lines(first), RawLine(0, 0, b"", False))
        return f"{fingerprint(first, len(line.data))}-{first.inode[1]:x}"

    def drop_files(self) -> None:
        """Let go of the files; the next look opens them again."""
        for segment in self.segments:
            segment.close()
        self.segments = []

    def close(self) -> None:
        """Let go of everything."""
        self.drop_files()
        self.state = State(starts_bare=self._starts_bare)
        self.generation = ""
        self._read_lines = self._read_bytes = 0

    def wants_snapshot(self) -> bool:
        """Whether enough was read since the last snapshot to make another worth while."""
        return self._read_lines >= _SNAPSHOT_LINES or self._read_bytes >= _SNAPSHOT_BYTES

    def save_snapshot(self, beneath: Beneath) -> None:
        """Write the state down; call it under the lock. Raise ReadOnly or NoRoom."""
        for id in self.state.rows:
            self.revision(id)
        save_snapshot(self.places, beneath, self.state, segments=self.segments)
        self._read_lines = self._read_bytes = 0

    def problems(self) -> list[Problem]:
        """Return what is wrong with the lines that were read, and with the end of each file."""
        found = list(self.state.problems)
        if self.state.more_problems:
            found.append(Problem("unreadable", f"{self.state.more_problems} more lines are not as they should be"))
        found += [torn for segment in self.segments if (torn := torn_tail(segment)) is not None]
        return found

    def memory(self, id: str) -> Memory:
        """Return the memory ``id``, which must be there. Raise Damaged when its lines are not whole any more."""
        return memory_of(self.state, self.segments, id)

    def revision(self, id: str) -> str:
        """Return the revision of the memory ``id``, which must be there."""
        row = self.state.rows[id]
        if not row.revision:
            row.revision = revision_of(self.memory(id))
        return row.revision

    def stored(self, id: str) -> Stored:
        """Return the memory ``id``, which must be there, as the store holds it."""
        memory = self.memory(id)
        row = self.state.rows[id]
        if not row.revision:
            row.revision = revision_of(memory)
        return Stored(memory, row.revision, locator=self.segments[row.place[0]].name)

    def each(self, ids: Sequence[str]) -> Iterator[Stored]:
        """Yield those of ``ids`` that are there still."""
        return (self.stored(id) for id in ids if id in self.state.rows)
