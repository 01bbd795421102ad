"""The journal beside a log: activities and values; forgetting takes a memory's lines out of the log's past as well."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from plainbrain.files.beneath import Beneath
from plainbrain.files.journal import FileJournal
from plainbrain.files.locks import FileLock
from plainbrain.stores.jsonl.segments import Places


class Log(Protocol):
    """What the journal must know of the log it lies beside."""

    places: Places
    beneath: Beneath
    lock: FileLock

    def purge(self, id: str) -> None:
        """Take every line about a memory out of the log."""
        ...


class LogJournal(FileJournal):
    """Keep the journal in the folder beside the log."""

    def __init__(self, log: Log) -> None:
        super().__init__(log.beneath, (log.places.own,), lock=log.lock)
        self._log = log

    def forget(self, id: str, texts: Sequence[str] = ()) -> None:
        """Take every trace of a memory out of the journal and out of the log's past. Raise ReadOnly, Busy or NoRoom."""
        super().forget(id, texts)
        self._log.purge(id)
