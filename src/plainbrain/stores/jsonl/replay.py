"""Reading memories back from their lines, and the log as it stood at a moment of the past."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from plainbrain.errors import Damaged, Unavailable, Unreadable
from plainbrain.files.outcome import told
from plainbrain.model.change import Put
from plainbrain.model.instants import Instant, from_ms
from plainbrain.model.memory import Memory
from plainbrain.notation.event import parse_line
from plainbrain.notation.event.memory import read_memory
from plainbrain.notation.event.skim import skim_line
from plainbrain.notation.event.touch import apply_touch
from plainbrain.notation.event.values import Event, Meta, Moved, Touched, Wrote
from plainbrain.stores.jsonl.follow import counted
from plainbrain.stores.jsonl.segments import ARCHIVE, Places, Segment, head_of, open_segment, read_at
from plainbrain.stores.jsonl.state import Place, State
from plainbrain.stores.ram import RamStore


def memory_of(state: State, segments: Sequence[Segment], id: str) -> Memory:
    """Return the memory ``id``, which must be there, from its lines. Raise Damaged when they are not whole any more."""
    row = state.rows[id]
    wrote = _event_at(segments, row.place, lambda event: isinstance(event, Wrote) and event.id == id)
    raw = dict(wrote.raw) if isinstance(wrote, Wrote) else {}
    touches = []
    for place in row.tail:
        part = _event_at(segments, place, lambda event: isinstance(event, Touched | Moved) and event.id == id)
        if isinstance(part, Moved):
            raw.update(part.raw)
        elif isinstance(part, Touched):
            touches.append(part.raw)
    memory = read_memory(raw)[0]
    for touch in touches:
        memory = apply_touch(memory, touch)
    return state.joined(id, memory)


def _event_at(segments: Sequence[Segment], place: Place, wanted: Callable[[Event], bool]) -> Event:
    index, offset, length = place
    name = segments[index].name
    why = "the line says something else than when it was read"
    try:
        for line in reversed(parse_line(read_at(segments[index].fd, length, offset))):
            if wanted(line.event):
                return line.event
    except Unreadable as wrong:
        why = str(wrong)
    raise Damaged(f"{name}: the line at byte {offset} is damaged: {why}", value=name, hint="run `brain doctor`")


def replayed(places: Places, moment: Instant | int) -> RamStore:
    """Return what the log came to at a moment, or after so many lines counted over all its files.

    A line says its time itself, or by its memory's times; one that says none goes with the line before it. The replay
    stops at the first line that tells a later time. Files that compactions kept tell of before. Raise Unavailable for a
    moment of which nothing tells any more.
    """
    log = places.open_all()
    kept: list[Segment] = []
    try:
        if isinstance(moment, int) or _tells_of(log, moment):
            return _replay(log, moment)[0]
        kept = _open_kept(places)
        runs = _runs([*kept, *log])
        telling = [number for number, run in enumerate(runs) if _tells_of(run, moment)]
        if telling:
            store, is_reached = _replay(runs[telling[-1]], moment)
            # What happened behind the end of a run, before the next one begins, was in files that are gone.
            if is_reached or telling[-1] == len(runs) - 1:
                return store
        raise _not_told(places, runs[telling[-1] + 1 if telling else 0], moment)
    finally:
        for segment in (*log, *kept):
            segment.close()


def _replay(segments: Sequence[Segment], moment: Instant | int) -> tuple[RamStore, bool]:
    """Return what the files come to at a moment, and whether they reach to it."""
    state, number, last = State(), 0, 0
    for index, segment in enumerate(segments):
        fresh = Segment(segment.name, segment.fd, segment.inode)
        for raw, lines in counted(fresh, lambda problem, raw: None, skim_line):
            for line in lines:
                if _is_after(line.at, number + raw.number, moment):
                    return _filled(state, segments), True
                state.apply(line, (index, raw.offset, len(raw.data)))
                last = max(last, line.at or 0)
        number += fresh.lines
    return _filled(state, segments), not isinstance(moment, int) and moment.ms is not None and last >= moment.ms


def _open_kept(places: Places) -> list[Segment]:
    """Open the files that compactions kept, oldest first: their names begin with their number."""
    folder = places.own_path(ARCHIVE)
    found: list[Segment] = []
    try:
        with told(folder, "read"):
            names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
            found.extend(open_segment(os.path.join(folder, name)) for name in names)
    except BaseException:
        for segment in found:
            segment.close()
        raise
    return found


def _runs(segments: Sequence[Segment]) -> list[list[Segment]]:
    """Divide files into runs of which each goes on where the one before it ended, by their numbers."""
    runs: list[list[Segment]] = []
    last = None
    for segment in segments:
        number = head_of(segment).segment
        if runs and last is not None and number == last + 1:
            runs[-1].append(segment)
        else:
            runs.append([segment])
        last = number
    return runs


def _since(run: Sequence[Segment]) -> int | None:
    """Return the time of the first state that a run of files can show; None when it shows how the log began.

    A file that is not the first of its log, and has none before it, begins with the state at its making.
    """
    head = head_of(run[0]) if run else Meta()
    return head.created if (head.segment or 1) > 1 else None


def _tells_of(run: Sequence[Segment], moment: Instant) -> bool:
    since = _since(run)
    return since is None or moment.ms is None or moment.ms >= since


def _not_told(places: Places, run: Sequence[Segment], moment: Instant) -> Unavailable:
    since = str(from_ms(_since(run) or 0))
    return Unavailable(
        f"{places.name} was compacted since, and does not tell any more what held at {moment}",
        value=str(moment),
        hint=f"ask for {since} or later; from now on, brain compact --keep-history keeps what was",
    )


def _is_after(at: int | None, number: int, moment: Instant | int) -> bool:
    if isinstance(moment, int):
        return number > moment
    return at is not None and moment.ms is not None and at > moment.ms


def _filled(state: State, segments: Sequence[Segment]) -> RamStore:
    store = RamStore()
    store.apply([Put(memory_of(state, segments, id)) for id in state.rows])
    return store
