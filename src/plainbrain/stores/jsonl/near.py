"""The vectors of a log's memories, ready to be searched: read from the lines once, then kept in a binary file beside it.

The file ``vectors.bin`` is disposable: each vector in it counts only while its memory still lies where it was read from.
A vector of another length than most, or without a direction, is never mixed in; it is counted and told. Needs numpy; the
store loads this module when vectors are asked for.
"""

from __future__ import annotations

import json
import os
import zlib
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from plainbrain.errors import BrainError, InvalidField
from plainbrain.files.atomic import discard, temp_name, write_all
from plainbrain.files.beneath import Beneath
from plainbrain.files.outcome import told
from plainbrain.model.memory import Memory
from plainbrain.model.problem import Problem
from plainbrain.stores.jsonl.opened import OpenLog
from plainbrain.stores.jsonl.state import HOT, Row, State
from plainbrain.vectors.table import Floats, Labels, Near, VectorTable, unit

NAME = "vectors.bin"
_FORMAT = 2
_ALIGN = 4096
#: Vectors read from lines before the binary file is worth writing again.
_WRITE_AFTER = 2_000
_NONE = "no vector"
Signature = list[int]
#: The revision that a vector was read at, and where it lay.
Read = tuple[str, Signature]


class LogVectors:
    """Search the vectors of an open log. One thread at a time."""

    def __init__(self, log: OpenLog) -> None:
        self._log = log
        self._table = VectorTable(0)
        self._read: dict[str, Read] = {}
        self._odd: dict[str, str] = {}
        self._users: dict[str, int] = {}
        self._state: State | None = None
        self._tick = 0
        self._fresh = 0

    def nearest(
        self, vector: tuple[float, ...], k: int, *, user_id: str | None, all_tiers: bool, superseded: bool
    ) -> list[Near]:
        """Return the nearest memories of a user (None: of all). Raise InvalidField for a vector that cannot be compared."""
        self.catch_up()
        query = unit(vector)
        if query is None:
            raise InvalidField(
                "a vector without a direction cannot be looked for", value=len(vector), hint="check the embedder"
            )
        if not len(self._table):
            return []
        if len(query) != self._table.dimensions:
            message = f"the vector has {len(query)} numbers, those of the memories have {self._table.dimensions}"
            raise InvalidField(message, value=len(query), hint="use the embedder that the memories were stored with")
        return self._table.search(query, k, wanted=self._wanted(user_id, all_tiers, superseded))

    def _wanted(
        self, user_id: str | None, all_tiers: bool, superseded: bool
    ) -> Callable[[Labels], np.ndarray[Any, np.dtype[np.bool_]]] | None:
        """Labels hold the user's number, whether it is cold or a stub, and whether it was superseded."""
        if user_id is None and all_tiers and superseded:
            return None
        hidden = (0 if all_tiers else 1) | (0 if superseded else 2)
        user = None if user_id is None else self._users.get(user_id, -1)

        def wanted(labels: Labels) -> np.ndarray[Any, np.dtype[np.bool_]]:
            found: np.ndarray[Any, np.dtype[np.bool_]] = (labels & hidden) == 0
            if user is not None:
                found &= labels >> 2 == user
            return found

        return wanted

    def similarity(self, one: str, other: str) -> float | None:
        """Return the cosine of two memories, None when one has no vector in the table."""
        self.catch_up()
        return self._table.cosine(one, other)

    def problems(self) -> list[Problem]:
        """Tell which memories cannot be found by their vector, one problem for each reason."""
        self.catch_up()
        found: list[Problem] = []
        if not len(self._table) and set(self._odd.values()) <= {_NONE}:
            return found  # a log of texts: nothing is to be found by vectors
        for reason, count in sorted(Counter(self._odd.values()).items()):
            ids = [id for id, why in self._odd.items() if why == reason][:5]
            message = f"{count} {'memory has' if count == 1 else 'memories have'} {reason}: {', '.join(ids)}{' …' if count > len(ids) else ''}"
            found.append(
                Problem(
                    "vector", message, hint="they are found by their words; embed them again to find them by meaning"
                )
            )
        return found

    def catch_up(self) -> None:
        """Bring the table to the state of the log."""
        state = self._log.state
        if self._state is not state:
            if self._state is None:
                self._load()
            ids = [*state.rows, *(id for id in self._read if id not in state.rows)]
        elif self._tick == state.tick:
            return
        else:
            ids = list(state.changed_since(self._tick))
        self._state, self._tick = state, state.tick
        for id in ids:
            row = state.rows.get(id)
            if row is None:
                self._forget(id)
            elif self._is_unread(id, row):
                self._take(id, row)

    def _is_unread(self, id: str, row: Row) -> bool:
        """Tell whether the vector has to be read: the line is another one and does not say what the one before said."""
        revision, before = self._read.get(id, ("", []))
        mark = _signature(row)
        if before == mark:
            return False
        if not revision or revision != row.revision:
            return True
        self._read[id] = (revision, mark)  # the log was compacted
        return False

    def _forget(self, id: str) -> None:
        self._table.remove(id)
        self._read.pop(id, None)
        self._odd.pop(id, None)

    def _take(self, id: str, row: Row) -> None:
        self._read[id] = (row.revision, _signature(row))
        try:
            memory = self._log.memory(id)
        except BrainError:
            self._table.remove(id)
            return  # told by the log's own problems
        self._fresh += 1
        vector, why = self._usable(memory)
        if vector is None:
            self._table.remove(id)
            self._odd.pop(id, None)
            if not memory.dynamics.stub:
                self._odd[id] = why
            return
        self._odd.pop(id, None)
        user = self._users.setdefault(memory.user_id, len(self._users))
        label = user << 2 | (0 if row.tier == HOT else 1) | (0 if memory.is_live else 2)
        self._table.set(id, vector, label=label)

    def _usable(self, memory: Memory) -> tuple[Floats | None, str]:
        if not memory.embedding:
            return None, "a vector that is no list of numbers" if "embedding" in memory.extra else _NONE
        vector = unit(memory.embedding)
        if vector is None:
            return None, "a vector without a direction (all zero)"
        if not len(self._table):
            self._table = VectorTable(len(vector))
        if len(vector) != self._table.dimensions:
            if not self._is_new_majority(len(vector)):
                return None, f"a vector of {len(vector)} numbers where most have {self._table.dimensions}"
            self._change_dimensions(len(vector))
        return vector, ""

    def _is_new_majority(self, dimensions: int) -> bool:
        told_as = f"a vector of {dimensions} numbers "
        return sum(why.startswith(told_as) for why in self._odd.values()) + 1 > len(self._table)

    def _change_dimensions(self, dimensions: int) -> None:
        """Take the other length for that of the log, now that most vectors have it."""
        before, self._table = self._table, VectorTable(dimensions)
        for id in before.ids:
            self._odd[id] = f"a vector of {before.dimensions} numbers where most have {dimensions}"
        for id in [id for id, why in self._odd.items() if why.startswith(f"a vector of {dimensions} numbers ")]:
            self._take(id, self._log.state.rows[id])

    # the binary file

    def wants_saving(self) -> bool:
        """Whether enough vectors were read from lines to write them down."""
        return self._fresh >= _WRITE_AFTER

    def save(self, beneath: Beneath) -> None:
        """Write the table down; call it under the lock. Raise ReadOnly or NoRoom."""
        places, table = self._log.places, self._table
        head = {
            "format": _FORMAT,
            "dimensions": table.dimensions,
            "ids": table.ids,
            "labels": table.labels.tolist(),
            "read": self._read,
            "odd": self._odd,
            "users": list(self._users),
            "crc": zlib.crc32(np.ascontiguousarray(table.rows).data),
        }
        body = json.dumps(head, ensure_ascii=True, separators=(",", ":")).encode("ascii")
        lead = b"%020d %08x\n" % (len(body), zlib.crc32(body)) + body
        with told(places.own_path(NAME), "write"), beneath.folder_made((places.own,)) as folder:
            temp = temp_name()
            fd = folder.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            try:
                write_all(fd, lead + b"\0" * (-len(lead) % _ALIGN))
                with os.fdopen(fd, "wb", closefd=False) as file:
                    file.write(np.ascontiguousarray(table.rows).data)
                os.fsync(fd)
                folder.rename(temp, NAME)
            finally:
                os.close(fd)
                discard(folder, temp)
        self._fresh = 0

    def _load(self) -> None:
        path = self._log.places.own_path(NAME)
        try:
            with open(path, "rb") as file:
                line = file.readline(64).split()
                if len(line) != 2 or not line[0].isdigit():
                    return
                body = file.read(int(line[0]))
                if line[1] != b"%08x" % zlib.crc32(body):
                    return
                head = json.loads(body)
                if head["format"] != _FORMAT:
                    return
                ids, dimensions = head["ids"], head["dimensions"]
                offset = -(-file.tell() // _ALIGN) * _ALIGN
                rows = np.fromfile(path, dtype=np.float32, count=len(ids) * dimensions, offset=offset)
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return  # made anew from the log
        if rows.size != len(ids) * dimensions or zlib.crc32(rows.data) != head["crc"]:
            return
        self._table = VectorTable(dimensions)
        self._table.fill(ids, rows.reshape(len(ids), dimensions), np.array(head["labels"], dtype=np.int32))
        self._read = {id: (revision, mark) for id, (revision, mark) in head["read"].items()}
        self._odd = head["odd"]
        self._users = {user: number for number, user in enumerate(head["users"])}


def _signature(row: Row) -> Signature:
    """Return what changes whenever the vector, the owner or the tier of a memory may have changed."""
    moves = [number for place in row.tail if place != row.touch for number in place]
    return [row.place[1], row.place[2], row.place[0], *moves]
