"""Reading memories back from their lines, and the log as it stood at a moment of the past."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from plainbrain.errors import Damaged, Unreadable
from plainbrain.model.change import Put
from plainbrain.model.instants import Instant
from plainbrain.model.memory import Memory
from plainbrain.notation.event import parse_line
from plainbrain.notation.event.memory import read_memory
from plainbrain.notation.event.skim import skim_line
from plainbrain.notation.event.touch import apply_touch
from plainbrain.notation.event.values import Event, Moved, Touched, Wrote
from plainbrain.stores.jsonl.follow import counted
from plainbrain.stores.jsonl.segments import Places, Segment, read_at
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
    stops at the first line that tells a later time.
    """
    state, segments = State(), places.open_all()
    try:
        number = 0
        for index, segment in enumerate(segments):
            for raw, lines in counted(segment, lambda problem, raw: None, skim_line):
                for line in lines:
                    if _is_after(line.at, number + raw.number, moment):
                        return _filled(state, segments)
                    state.apply(line, (index, raw.offset, len(raw.data)))
            number += segment.lines
        return _filled(state, segments)
    finally:
        for segment in segments:
            segment.close()


def _is_after(at: int | None, number: int, moment: Instant | int) -> bool:
    if isinstance(moment, int):
        return number > moment
    return at is not None and moment.ms is not None and at > moment.ms


def _filled(state: State, segments: Sequence[Segment]) -> RamStore:
    store = RamStore()
    store.apply([Put(memory_of(state, segments, id)) for id in state.rows])
    return store
