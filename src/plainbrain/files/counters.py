"""How memories served, folded from the journal files of all machines.

Owns the meaning of the events ``use`` and ``usage_set`` and the running totals. Each file is folded for itself and
the sums are put together when asked, so that files may arrive in any order; a file that only grew is read from
where the last reading ended. Knows nothing of locks or of writing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field

from plainbrain.files.beneath import Folder
from plainbrain.files.events import Event, decode, whole_lines
from plainbrain.model.change import Use, add_use
from plainbrain.model.instants import Instant, parse_instant
from plainbrain.model.memory import Usage
from plainbrain.model.problem import Problem
from plainbrain.records import open_record

_NONE = Usage()
_ACTIVITY = b'{"type":"activity"'
_COUNTS = ("accesses", "successes", "injected", "used")
_NEUTRAL = 0.5


@open_record(slots=True)
class Track:
    """What was read of one journal file: which file it was, how far, the totals, and the lines that are damaged."""

    file: int = 0
    size: int = 0
    offset: int = 0
    lines: int = 0
    uses: int = 0
    totals: dict[str, Usage] = field(default_factory=dict)
    damaged: list[int] = field(default_factory=list)


class Counters:
    """The totals over all journal files; ``refresh`` brings them up to the files."""

    def __init__(self) -> None:
        self._tracks: dict[str, Track] = {}

    def refresh(self, folder: Folder, names: dict[str, tuple[int, int]]) -> None:
        """Read what is new in the files ``names`` (name to file number and size) of ``folder``. Raise OSError."""
        for name in self._tracks.keys() - names.keys():
            del self._tracks[name]
        for name, (file, size) in names.items():
            track = self._tracks.get(name)
            if track is None or track.file != file or size < track.offset:
                track = self._tracks[name] = Track(file)
            track.size = size
            if size > track.offset:
                _read_on(track, read_from(folder, name, track.offset))

    def take(self, name: str, lines: Iterable[bytes]) -> None:
        """Fold lines as those of the file ``name``."""
        track = self._tracks.setdefault(name, Track())
        for line in lines:
            _read_line(track, line)

    def of(self, id: str) -> Usage:
        """Return how a memory served, over all machines."""
        found = [track.totals[id] for track in self._tracks.values() if id in track.totals]
        return found[0] if len(found) == 1 else _together(found)

    def without(self, name: str, id: str) -> Usage:
        """Return what the files other than ``name`` count for a memory."""
        return _together([t.totals[id] for n, t in self._tracks.items() if n != name and id in t.totals])

    def totals_in(self, name: str) -> dict[str, Usage]:
        """Return the totals of one file."""
        return dict(self._tracks[name].totals) if name in self._tracks else {}

    def uses_in(self, name: str) -> int:
        """Return how many lines of one file count something."""
        return self._tracks[name].uses if name in self._tracks else 0

    def ids_in(self, name: str) -> Iterator[str]:
        """Yield the memories that one file counts."""
        return iter(self._tracks[name].totals if name in self._tracks else ())

    def problems(self, where: str) -> list[Problem]:
        """Return the damaged lines of all files, and ends that are torn; ``where`` is the path of their folder."""
        hint = "the line is skipped and kept; remove it by hand if it says nothing to you"
        found = []
        for name, track in sorted(self._tracks.items()):
            path = f"{where}/{name}"
            damaged = "this line of the journal is damaged"
            found += [Problem("damaged-line", damaged, path, line, hint) for line in track.damaged]
            if track.size > track.offset:
                torn = f"the last line is not whole ({track.size - track.offset} bytes)"
                ending = "it counts for nothing; the next write ends it"
                found.append(Problem("torn", torn, path, track.lines + 1, ending))
        return found


def read_from(folder: Folder, name: str, offset: int) -> bytes:
    """Return the bytes of a file from ``offset`` on. Raise OSError."""
    fd = folder.open(name, 0)
    with open(fd, "rb", buffering=0) as file:
        file.seek(offset)
        return file.read()


def used_ids(data: bytes) -> Iterator[str]:
    """Yield the ids whose counters the whole lines of ``data`` move."""
    for _, line in whole_lines(data):
        if not line.startswith(_ACTIVITY) and (event := decode(line)) and isinstance(event.get("id"), str):
            yield event["id"]


def _read_on(track: Track, data: bytes) -> None:
    for _, line in whole_lines(data):
        _read_line(track, line)
    track.offset += data.rfind(b"\n") + 1


def _read_line(track: Track, line: bytes) -> None:
    track.lines += 1
    if line.startswith(_ACTIVITY) and line.endswith(b"}") and b"\0" not in line:
        return  # looked at when the log is read; zeros are what a power cut leaves
    event = decode(line)
    if event is None:
        track.damaged.append(track.lines)
    elif event["type"] in ("use", "usage_set") and isinstance(event.get("id"), str):
        _count(track, event, str(event["id"]))


def _count(track: Track, event: Event, id: str) -> None:
    track.uses += 1
    if event["type"] == "use":
        total = add_use(track.totals.get(id, _NONE), use_of(event, id))
    else:
        total = usage_of(event)
    if total == _NONE:
        track.totals.pop(id, None)
    else:
        track.totals[id] = total


def _together(found: list[Usage]) -> Usage:
    """Add up: counts are summed, the last access is the latest, relevance moves from the middle by all movements."""
    if not found:
        return _NONE
    times = [usage.last_accessed for usage in found if usage.last_accessed is not None]
    moved = [usage.relevance - _NEUTRAL for usage in found if usage.relevance is not None]
    return Usage(
        accesses=max(0, sum(usage.accesses for usage in found)),
        successes=max(0, sum(usage.successes for usage in found)),
        injected=max(0, sum(usage.injected for usage in found)),
        used=max(0, sum(usage.used for usage in found)),
        last_accessed=max(times, key=_moment, default=None),
        relevance=min(1.0, max(0.0, _NEUTRAL + sum(moved))) if moved else None,
    )


def _moment(at: Instant) -> int:
    return -1 if at.ms is None else at.ms


def event_of_use(use: Use) -> dict[str, object]:
    """Return the event that says ``use``."""
    event: dict[str, object] = {"type": "use", "id": use.id, "at": use.at.iso()}
    event |= {name: count for name in _COUNTS if (count := getattr(use, name))}
    return event | ({"relevance": use.relevance} if use.relevance else {})


def event_of_usage(id: str, wanted: Usage, *, others: Usage) -> dict[str, object]:
    """Return the event that makes the totals of a memory ``wanted`` when the other files count ``others``."""
    own = {name: getattr(wanted, name) - getattr(others, name) for name in _COUNTS}
    event: dict[str, object] = {"type": "usage_set", "id": id, **{name: n for name, n in own.items() if n}}
    if wanted.last_accessed is not None:
        event["last_accessed"] = wanted.last_accessed.iso()
    if wanted.relevance is not None:
        moved = 0.0 if others.relevance is None else others.relevance - _NEUTRAL
        event["relevance"] = wanted.relevance - moved if moved else wanted.relevance
    return event


def use_of(event: Event, id: str) -> Use:
    """Return the use that an event says; what is no number counts as nothing."""
    at, relevance = parse_instant(str(event.get("at", ""))), _number(event.get("relevance"))
    accesses, successes, injected, used = (_counted(event, name) for name in _COUNTS)
    return Use(id, at, accesses, successes, injected, used, relevance or 0.0)


def usage_of(event: Event) -> Usage:
    """Return the totals that an event sets."""
    last, relevance = event.get("last_accessed"), _number(event.get("relevance"))
    accesses, successes, injected, used = (_counted(event, name) for name in _COUNTS)
    return Usage(accesses, parse_instant(last) if isinstance(last, str) else None, successes, injected, used, relevance)


def _counted(event: Event, name: str) -> int:
    count = event.get(name, 0)
    return count if isinstance(count, int) and not isinstance(count, bool) else 0


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
