"""Reading a log on from where it was read to, however many processes write to it meanwhile.

Promises to take whole lines only: a torn last line, or a batch of lines that is not complete, is left for later, and
every line that cannot be read costs that line and nothing else. Writes nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from plainbrain.errors import Unreadable
from plainbrain.model.problem import Problem
from plainbrain.notation.event import parse_line
from plainbrain.notation.event.memory import read_memory
from plainbrain.notation.event.skim import skim_line
from plainbrain.notation.event.values import LogLine, Wrote
from plainbrain.stores.jsonl.segments import Places, Segment, read_at
from plainbrain.stores.jsonl.state import State

_CHUNK = 1 << 22
#: A line longer than this is taken for damage.
MAX_LINE = 1 << 26
#: Where a line says what batch it belongs to: this close to its end.
_END = 80


@dataclass(frozen=True, slots=True)
class RawLine:
    """One line as it lies: where, its number from 1, its bytes without the end of line, and whether that end is there."""

    offset: int
    number: int
    data: bytes
    ended: bool


def raw_lines(segment: Segment, *, offset: int = 0, number: int = 0) -> Iterator[RawLine]:
    """Yield the lines from ``offset``, which stands behind line ``number``. A line beyond measure comes as empty bytes."""
    start, rest = offset, b""
    while data := read_at(segment.fd, _CHUNK, start + len(rest)):
        rest += data
        at = 0
        while (end := rest.find(b"\n", at)) >= 0:
            number += 1
            yield RawLine(start + at, number, rest[at:end] if end - at <= MAX_LINE else b"\0", True)
            at = end + 1
        start, rest = start + at, rest[at:]
    if rest:
        yield RawLine(start, number + 1, rest, False)


Report = Callable[[Problem, RawLine], None]
Parse = Callable[[bytes], list[LogLine]]
#: A line that counts, and the events in it.
Counted = tuple[RawLine, list[LogLine]]


class _Batch:
    """Gather the lines that count together or not at all.

    Lines of a batch are written at once, so a later one proves that those before it were written: one that was damaged since
    holds its place and costs nothing but itself, and one that a person edited counts as it is. Not so where zeros stand: a
    power cut leaves them in the place of what had not reached the disk, so the batch was never acknowledged.
    """

    def __init__(self) -> None:
        self.lines: list[Counted] = []
        self._held = 0
        self._of = 0
        self.is_after_damage = False

    @property
    def is_open(self) -> bool:
        """Whether lines are held that do not count yet."""
        return self._held > 0

    def takes(self, line: LogLine) -> bool:
        """Whether the line goes on with this batch, or begins one."""
        if line.batch is None:
            return False
        number, of = line.batch
        if self._held == 0:
            return number == 1 or (number == 2 and self.is_after_damage)
        return number == self._held + 1 and of == self._of

    def add(self, raw: RawLine, line: LogLine) -> list[Counted]:
        """Add a line; return all of them when the batch is complete."""
        assert line.batch is not None
        self._held, self._of = line.batch
        self.lines.append((raw, [line]))
        return self._complete()

    def may_hold(self, raw: RawLine, lines: list[LogLine]) -> bool:
        """Whether a line that was damaged, or edited by hand, can stand in the place that is next."""
        return (not lines and b"\0" not in raw.data) or self._says(raw, self._held + 1)

    def hold_place(self, raw: RawLine, lines: list[LogLine]) -> list[Counted]:
        """Count in such a line; return all lines when it was the last one, and says so, or when no batch is open."""
        if not self._held:
            self.is_after_damage = b"\0" not in raw.data
            return [(raw, lines)]
        self._held += 1
        self.lines.append((raw, lines))
        return self._complete() if self._held < self._of or self._says(raw, self._of) else []

    def _says(self, raw: RawLine, number: int) -> bool:
        return b'"batch":[%d,%d]' % (number, self._of) in raw.data[-_END:]

    def _complete(self) -> list[Counted]:
        self.is_after_damage = False
        if self._held < self._of:
            return []
        done, self.lines, self._held = self.lines, [], 0
        return done

    def drop(self, segment: Segment, report: Report) -> None:
        """Forget the batch, which will not be completed."""
        lines, self.lines, self._held = self.lines, [], 0
        for raw, events in lines:
            if events:
                message = "lines that count together are not all there: none of them counts"
                hint = "the writer was stopped half-way; `brain compact` puts them aside"
                report(Problem("unfinished", message, segment.name, raw.number, hint), raw)


def counted(segment: Segment, report: Report, parse: Parse = parse_line) -> Iterator[Counted]:
    """Yield the lines that count from what was consumed on, and move on what was consumed; report the others.

    Blank lines and those that hold no event we act on are among them, with whatever events they have. ``parse`` reads
    one line: whole, or without its vector.
    """
    batch = _Batch()
    for raw in raw_lines(segment, offset=segment.consumed, number=segment.lines):
        lines, problem = _parse(raw, segment, parse)
        if not raw.ended and (not lines or any(line.notes and not line.checked for line in lines)):
            return  # torn, or still being written
        if problem is not None:
            report(problem, raw)
        batched = len(lines) == 1 and lines[0].batch is not None
        loose = not batched and (not lines if problem else b'"batch":[' in raw.data[-_END:])
        fits = batch.takes(lines[0]) if batched else loose and batch.may_hold(raw, lines)
        if batch.is_open and not fits:
            batch.drop(segment, report)
        if loose:
            yield from batch.hold_place(raw, lines)
        elif not batched:
            batch.is_after_damage = False
            yield raw, lines
        elif fits or batch.takes(lines[0]):
            yield from batch.add(raw, lines[0])
        else:
            batch.lines.append((raw, lines))
            batch.drop(segment, report)
        if not batch.is_open:
            segment.consumed = raw.offset + len(raw.data) + (1 if raw.ended else 0)
            segment.lines = raw.number


def read_on(state: State, segment: Segment, *, index: int) -> None:
    """Fold into ``state`` what stands in the file behind what was consumed."""
    for raw, lines in counted(segment, lambda problem, raw: state.problem(problem), skim_line):
        for line in lines:
            state.apply(line, (index, raw.offset, len(raw.data)))


def _parse(raw: RawLine, segment: Segment, parse: Parse) -> tuple[list[LogLine], Problem | None]:
    try:
        lines = parse(raw.data)
    except Unreadable as wrong:
        hint = wrong.hint or "it counts for nothing; `brain compact` puts it aside"
        return [], Problem("unreadable", wrong.message, segment.name, raw.number, hint)
    notes = [note for line in lines for note in line.notes]
    notes += [
        n
        for line in lines
        if not line.checked and isinstance(line.event, Wrote)
        for n in read_memory(line.event.raw)[1]
    ]
    if notes:
        return lines, Problem(
            "odd", "; ".join(notes), segment.name, raw.number, "it was read as far as it can be understood"
        )
    return lines, None


def torn_tail(segment: Segment) -> Problem | None:
    """Return what is wrong with the end of a file, when something stands behind the last whole line."""
    size = segment.size
    if size <= segment.consumed or not read_at(segment.fd, 1, segment.consumed).strip():
        return None
    return Problem(
        "torn",
        f"the last line is not whole ({size - segment.consumed} bytes)",
        segment.name,
        segment.lines + 1,
        hint="it counts for nothing; the next write puts it aside",
    )


def same_files(segments: list[Segment], live: str) -> bool:
    """Tell whether the live file is still the one that is open."""
    if not segments:
        return not os.path.exists(live) and not Places(live).archives()  # killed in the middle of rolling over
    try:
        facts = os.stat(live)
    except FileNotFoundError:
        return False
    last = segments[-1]
    return last.inode == (facts.st_dev, facts.st_ino) and facts.st_size >= last.consumed
