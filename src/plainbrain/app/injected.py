"""What was put into the prompts of one session of an agent, so that nothing is told twice and what was told can be judged.

Owns one small file for each session in the cache folder: lines that are only added, so that hooks of one session that run
at once lose nothing, folded into one when they grow long; files of sessions that are over are swept. Promises that two
sessions never mix. A file that cannot be read counts as empty, lines that are damaged as never written.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import field
from pathlib import Path
from typing import Any

from plainbrain.digests import blake2b
from plainbrain.records import open_record

_FOLDER, _ENDING = "hooks", ".jsonl"
#: Bytes from which a file is folded, and what is kept of what was told.
_FOLD_FROM, _MOST = 64_000, 500
#: Seconds after which a session counts as over, and how many files there may be.
_OVER, _MOST_FILES = 14 * 86_400, 500


@open_record(slots=True)
class Known:
    """What a session was told: ids and keys of vetoes in its context now, and what of it no reply was held against yet.

    ``pending`` has the ids of each prompt, oldest first. ``is_briefed``: the start of the session is in its context.
    """

    ids: dict[str, None] = field(default_factory=dict)
    vetoes: dict[str, None] = field(default_factory=dict)
    pending: list[list[str]] = field(default_factory=list)
    is_briefed: bool = False

    def take(self, line: dict[str, Any]) -> None:
        """Follow one line."""
        ids, vetoes = _texts(line.get("ids")), _texts(line.get("vetoes"))
        match line.get("did"):
            case "told":
                self.ids |= dict.fromkeys(ids)
                self.vetoes |= dict.fromkeys(vetoes)
                if ids and line.get("pending", True):
                    self.pending.append(ids)
            case "briefed":
                self.is_briefed = True
            case "judged":
                del self.pending[: _count(line.get("prompts"))]
            case "dropped":
                self.ids, self.vetoes, self.is_briefed = {}, {}, False


def _texts(value: object) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _count(value: object) -> int:
    return max(0, value) if isinstance(value, int) else 0


class Injected:
    """The file of one session of one brain under the ``cache`` folder. Without the name of a session nothing is kept."""

    def __init__(self, cache: Path, store: str, session: str) -> None:
        self._folder = cache / _FOLDER
        key = blake2b(f"{store}\0{session}".encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
        self._path = self._folder / f"{key}{_ENDING}" if session else None

    def read(self) -> Known:
        """Return what the session was told so far."""
        known = Known()
        if self._path is not None:
            with suppress(OSError):
                for line in self._path.read_bytes().split(b"\n"):
                    if line and (found := _decode(line)):
                        known.take(found)
        return known

    def tell(self, ids: Sequence[str], vetoes: Sequence[str]) -> None:
        """Keep that these were put into a prompt. Raise OSError."""
        self._add({"did": "told", "ids": list(ids), "vetoes": list(vetoes)})

    def brief(self) -> None:
        """Keep that the session got its briefing. Raise OSError."""
        self._add({"did": "briefed"})
        self._sweep()

    def judge(self, prompts: int) -> None:
        """Keep that the first ``prompts`` of what was pending are counted. Raise OSError."""
        self._add({"did": "judged", "prompts": prompts})

    def drop(self) -> None:
        """Keep that what was told is no longer in the context: it was compacted or cleared. Raise OSError."""
        if self._path is not None and self._path.exists():
            self._add({"did": "dropped"})

    def _add(self, line: dict[str, Any]) -> None:
        if self._path is None:
            return
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        fd = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(fd, b"\n" + _encode(line))  # a torn line before it spoils nothing but itself
            size = os.fstat(fd).st_size
        finally:
            os.close(fd)
        if size > _FOLD_FROM:
            self._fold(self._path)

    def _fold(self, path: Path) -> None:
        known = self.read()
        lines: list[dict[str, Any]] = [{"did": "briefed"}] if known.is_briefed else []
        told = {"ids": list(known.ids)[-_MOST:], "vetoes": list(known.vetoes)[-_MOST:]}
        lines.append({"did": "told", "pending": False, **told})
        lines += [{"did": "told", "ids": ids} for ids in known.pending[-_MOST_FILES // 10 :]]
        draft = path.with_suffix(f".{os.getpid()}.tmp")
        fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            os.write(fd, b"\n".join(map(_encode, lines)))
        finally:
            os.close(fd)
        os.replace(draft, path)

    def _sweep(self) -> None:
        """Remove the files of sessions that are over, and the oldest where there are too many."""
        found = []
        with os.scandir(self._folder) as entries:
            for entry in entries:
                with suppress(OSError):
                    found.append((entry.stat().st_mtime, entry.path))
        found.sort(reverse=True)
        now = time.time()
        for number, (at, path) in enumerate(found):
            if (number >= _MOST_FILES or now - at > _OVER) and path != str(self._path):
                with suppress(OSError):
                    os.unlink(path)


def _encode(line: dict[str, Any]) -> bytes:
    return json.dumps(line, ensure_ascii=True, separators=(",", ":")).encode("ascii")


def _decode(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
