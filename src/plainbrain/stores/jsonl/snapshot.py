"""The state of a log at a moment, written beside it, so that opening reads the snapshot and what came after.

Disposable: it is believed only while every file of the log still begins with what it was made from. Owns the
file ``snapshot.json`` and its form (columns; a checksum before them).
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from plainbrain.errors import BrainError
from plainbrain.files.atomic import replace_file
from plainbrain.files.beneath import Beneath
from plainbrain.files.outcome import told
from plainbrain.model.change import Use
from plainbrain.model.instants import Instant, parse_instant
from plainbrain.model.links import Link
from plainbrain.model.problem import Problem
from plainbrain.stores.jsonl.segments import Places, Segment, fingerprint
from plainbrain.stores.jsonl.state import Row, State

FORMAT = 2
NAME = "snapshot.json"
_TIERS = ("hot", "cold", "stub")


def save_snapshot(places: Places, beneath: Beneath, state: State, *, segments: Sequence[Segment]) -> None:
    """Write the state as of what the segments were read to. Raise ReadOnly or NoRoom."""
    body = json.dumps(_pack(state, segments), ensure_ascii=True, separators=(",", ":")).encode("ascii")
    with told(places.own_path(NAME), "write"), beneath.folder_made((places.own,)) as folder:
        replace_file(folder, NAME, b"%08x\n" % zlib.crc32(body) + body)


def load_snapshot(places: Places, segments: Sequence[Segment]) -> State | None:
    """Return the state of the snapshot and set the segments to where it stands; None when there is none that fits."""
    try:
        with open(places.own_path(NAME), "rb") as file:
            head, body = file.readline(16), file.read()
    except OSError:
        return None
    if head.strip() != b"%08x" % zlib.crc32(body):
        return None
    try:
        packed = json.loads(body)
        if packed["format"] != FORMAT or not _fits(packed["segments"], segments):
            return None
        state = _unpack(packed)
    except (ValueError, KeyError, TypeError, RecursionError, BrainError):
        return None  # of another version of ours: read the log instead
    for segment, (consumed, lines, _) in zip(segments, packed["segments"], strict=False):
        segment.consumed, segment.lines = consumed, lines
    return state


def _fits(told: list[list[Any]], segments: Sequence[Segment]) -> bool:
    if len(told) > len(segments):
        return False
    for segment, (consumed, _lines, mark) in zip(segments, told, strict=False):
        if os.fstat(segment.fd).st_size < consumed or fingerprint(segment, consumed) != mark:
            return False
    return len(segments) == len(told) or all(
        segment.size == consumed for segment, (consumed, _, _) in zip(segments[: len(told) - 1], told, strict=False)
    )


def _pack(state: State, segments: Sequence[Segment]) -> dict[str, Any]:
    rows = state.rows
    return {
        "format": FORMAT,
        "segments": [[s.consumed, s.lines, fingerprint(s, s.consumed)] for s in segments],
        "ids": list(rows),
        "places": [number for row in rows.values() for number in row.place],
        "tiers": "".join(str(_TIERS.index(row.tier)) for row in rows.values()),
        "revisions": [row.revision for row in rows.values()],
        "ticks": [row.tick for row in rows.values()],
        "used": [row.used_tick for row in rows.values()],
        "tails": {id: [list(row.tail), row.touch] for id, row in rows.items() if row.tail},
        "uses": {id: [_pack_use(use) for use in row.uses] for id, row in rows.items() if row.uses},
        "links": [
            [a, link.to, link.strength, link.created and link.created.iso(), link.updated and link.updated.iso()]
            for a, held in state.links.items()
            for link in held.values()
        ],
        "gone": state.gone,
        "counts": [state.tick, state.bare, state.typed, state.segment_number, state.more_problems, state.unknown],
        "problems": [asdict(problem) for problem in state.problems],
    }


def _pack_use(use: Use) -> list[Any]:
    return [use.at.iso(), use.accesses, use.successes, use.injected, use.used, use.relevance]


def _unpack(packed: dict[str, Any]) -> State:
    state = State(gone=packed["gone"], problems=[Problem(**each) for each in packed["problems"]])
    state.tick, state.bare, state.typed, state.segment_number, state.more_problems, state.unknown = packed["counts"]
    state.recent_from = state.tick
    numbers = iter(packed["places"])
    columns = zip(
        packed["ids"],
        zip(numbers, numbers, numbers, strict=True),
        packed["tiers"],
        packed["revisions"],
        packed["ticks"],
        packed["used"],
        strict=True,
    )
    state.rows = {
        id: Row(place, _TIERS[int(tier)], revision, tick=tick, used_tick=used)
        for id, place, tier, revision, tick, used in columns
    }
    for id, (tail, touch) in packed["tails"].items():
        state.rows[id].tail = tuple((a, b, c) for a, b, c in tail)
        state.rows[id].touch = None if touch is None else (touch[0], touch[1], touch[2])
    for id, uses in packed["uses"].items():
        state.rows[id].uses = tuple(
            Use(id, parse_instant(at), accesses=a, successes=s, injected=i, used=u, relevance=r)
            for at, a, s, i, u, r in uses
        )
    for a, to, strength, created, updated in packed["links"]:
        link = Link(to, strength=strength, created=_instant(created), updated=_instant(updated))
        state.links.setdefault(a, {})[to] = link
    return state


def _instant(text: str | None) -> Instant | None:
    return None if text is None else parse_instant(text)
