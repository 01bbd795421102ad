"""Carrying memories out in other tools' forms, streaming, so that their number does not matter.

Owns the order of what goes out and the backward look for who replaced whom. The forms themselves are in
``notation/`` and ``interchange/``. Promises the same text for the same memories, whatever store they lie in.
"""

from __future__ import annotations

import itertools
import json
import os
import tempfile
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plainbrain.app import transfer, wiring
from plainbrain.app.context import Context
from plainbrain.app.copies import only, whole_memories
from plainbrain.errors import InputError, InvalidField
from plainbrain.files.outcome import told
from plainbrain.files.stream import write_stream
from plainbrain.interchange import archive, basic_memory, mcp_memory
from plainbrain.model.change import Put
from plainbrain.model.instants import Instant
from plainbrain.model.links import SUPERSEDES
from plainbrain.model.memory import Memory
from plainbrain.model.provenance import QUARANTINED
from plainbrain.notation.decision import created_at, render_line, write_decision, write_extended
from plainbrain.notation.event import render_line as render_event
from plainbrain.notation.event.memory import write_memory
from plainbrain.notation.event.values import Meta, Wrote
from plainbrain.records import changed
from plainbrain.retrieval.filters import ends_at
from plainbrain.text.headed import headed

#: What can be written; those in FOLDERS are folders of notes.
FORMATS = ("json", "interchange", "jsonl", "markdown", "mcp-memory", "basic-memory", "archive")
FOLDERS = frozenset({"markdown", "basic-memory"})
Writer = Callable[..., dict[str, Any]]
_SPOOL = 32 << 20
_NOTES = 500


@dataclass(frozen=True, slots=True)
class Choice:
    """What goes out: these ``kinds`` (none named: all), and only what is in effect where ``live_only``."""

    kinds: Sequence[str] = ()
    live_only: bool = False


ALL = Choice()


@dataclass(slots=True)
class LeftOut:
    """Count what a form cannot mark: what is ``over``, and what is ``held`` back until somebody looks at it."""

    over: int = 0
    held: int = 0


def chosen(context: Context, choice: Choice) -> Iterator[Memory]:
    """Yield the memories of a choice, whole, in the order of the store."""
    now = context.clock.now()
    for memory in only(whole_memories(context.store), kinds=choice.kinds):
        memory = _over(memory, now)
        if not choice.live_only or _is_in_effect(memory):
            yield memory


def _trusted(context: Context, choice: Choice, left: LeftOut) -> Iterator[Memory]:
    """Yield of a choice what a reader who takes every memory for true may have; count the rest."""
    for memory in chosen(context, choice):
        if not _is_in_effect(memory):
            left.over += 1
        elif memory.provenance.trust == QUARANTINED:
            left.held += 1
        else:
            yield memory


def _is_in_effect(memory: Memory) -> bool:
    return memory.is_live and memory.invalidated is None


def _over(memory: Memory, now: Instant) -> Memory:
    """Return the memory as it stands now: what has run out by its own date is over since then."""
    if now.ms is None or memory.invalidated is not None:
        return memory
    end = ends_at(memory)
    return memory if end is None or end > now.ms else changed(memory, invalidated=Instant(end))


def export_interchange(context: Context, choice: Choice = ALL) -> Iterator[str]:
    """Yield the lines of robrain-memory/v1, oldest first; nothing at all for an empty brain."""
    return _by_age(chosen(context, choice), write_decision)


def export_extended(context: Context, choice: Choice = ALL) -> Iterator[str]:
    """Yield the same lines with what v1 cannot say in one more key."""
    return _by_age(chosen(context, choice), write_extended)


@dataclass(slots=True)
class _Spool:
    """Lines set aside in a temporary file, with what they are sorted by."""

    keys: list[tuple[int, str]] = field(default_factory=list)
    starts: array[int] = field(default_factory=lambda: array("q"))
    replaced: dict[str, str] = field(default_factory=dict)


def _by_age(memories: Iterable[Memory], write: Writer) -> Iterator[str]:
    """Yield lines by age, then id. A predecessor that only its own side knows is filled in on the way out."""
    spool = _Spool()
    with tempfile.SpooledTemporaryFile(max_size=_SPOOL) as file:
        end = 0
        for memory in memories:
            data = render_line(write(memory)).encode("utf-8", "replace")
            spool.keys.append((created_at(memory).ms or 0, memory.id))
            spool.starts.append(end)
            file.write(data)
            end += len(data)
            if memory.superseded_by:
                spool.replaced.setdefault(memory.superseded_by, memory.id)
        spool.starts.append(end)
        for number in sorted(range(len(spool.keys)), key=spool.keys.__getitem__):
            file.seek(spool.starts[number])
            line = file.read(spool.starts[number + 1] - spool.starts[number]).decode("utf-8")
            yield _filled(line, spool.replaced.get(spool.keys[number][1], ""))


def _filled(line: str, predecessor: str) -> str:
    if not predecessor or '"supersedes_id":null' not in line:
        return line
    value = json.loads(line)
    if value["lifecycle"][f"{SUPERSEDES}_id"] is not None:
        return line
    value["lifecycle"][f"{SUPERSEDES}_id"] = predecessor
    return render_line(value)


def export_archive(context: Context) -> Iterator[str]:
    """Yield the lines of an archive: everything, the journal and the values with it."""
    store = context.store
    return archive.write(
        whole_memories(store),
        activities=store.journal.read()[::-1],
        values=store.journal.values(),
        url_kind=store.traits.kind,
        at=context.clock.now(),
    )


def export_log(context: Context, choice: Choice = ALL) -> Iterator[str]:
    """Yield the lines of an event log that states every memory once."""
    at = context.clock.now().ms
    yield render_event(Meta(at)).decode("utf-8")
    for memory in chosen(context, choice):
        yield render_event(
            Wrote(memory.id, write_memory(memory, shown=headed(memory.title, memory.content))), at=at
        ).decode("utf-8")


def export_graph(context: Context, choice: Choice = ALL, *, left: LeftOut | None = None) -> Iterator[str]:
    """Yield the lines of the MCP memory server's graph; what it cannot mark is counted in ``left``."""
    return mcp_memory.write(_trusted(context, choice, left or LeftOut()))


def export_basic_memory(
    context: Context, choice: Choice = ALL, *, left: LeftOut | None = None
) -> Iterator[tuple[str, str]]:
    """Yield path and text of a Basic Memory note for each memory; what it cannot mark is counted in ``left``."""
    titles = {memory.id: memory.title or memory.id for memory in _trusted(context, choice, LeftOut())}
    return basic_memory.write(_trusted(context, choice, left or LeftOut()), titles)


def pieces(context: Context, form: str, choice: Choice, *, left: LeftOut | None = None) -> Iterator[str]:
    """Yield the text of an export; a ``+`` behind the form asks for its extended kind; ``left`` counts. Raise InvalidField."""
    narrowed = choice != ALL
    match form:
        case "json" | "json+" if not narrowed:
            return transfer.dump_extended(context) if form.endswith("+") else transfer.dump(context)
        case "interchange":
            return export_interchange(context, choice)
        case "interchange+":
            return export_extended(context, choice)
        case "jsonl":
            return export_log(context, choice)
        case "mcp-memory":
            return export_graph(context, choice, left=left)
        case "archive" if not narrowed:
            return export_archive(context)
    if narrowed:
        raise InvalidField(f"{form} holds the whole brain", value=form, hint="leave out --type and --live-only")
    raise InvalidField(f"{form.rstrip('+')} has no extended kind", value=form, hint="leave out --extended")


def write_file(path: Path, text: Iterable[str], *, spared: Iterable[str] = ()) -> int:
    """Write an export to a file, whole or not at all; return the bytes. ``spared`` are the URLs of stores.

    Raise InputError for a file of one of these, or a StoreError.
    """
    for url in filter(None, spared):
        if _is_of_brain(Path(os.path.realpath(path)), Path(os.path.realpath(url.partition(":")[2]))):
            raise InputError(f"{path} is a file of the brain itself", value=str(path), hint="name another file")
    return write_stream(path, text)


def _is_of_brain(path: Path, place: Path) -> bool:
    """Tell whether a path is that of a store, of a note in it, or of what it keeps beside itself."""
    if path.exists() and place.exists() and path.samefile(place):
        return True
    if place.is_dir():
        return path.is_relative_to(place) and (path.suffix.lower() == ".md" or ".brain" in path.parts)
    beside = (place, *(place.with_name(place.name + ending) for ending in ("-wal", "-shm", "-journal")))
    return path in beside or path.is_relative_to(place.with_name(place.name + ".brain"))


def write_folder(context: Context, form: str, folder: Path, *, choice: Choice, left: LeftOut | None = None) -> int:
    """Write notes into a folder that is new or empty; return how many. Raise InputError when it holds something."""
    with told(str(folder), "read"):
        is_taken = folder.exists() and (not folder.is_dir() or any(folder.iterdir()))
    if is_taken:
        raise InputError(f"{folder} is not empty", value=str(folder), hint="name a folder that is not there yet")
    with told(str(folder), "write"):
        folder.mkdir(parents=True, mode=0o700, exist_ok=True)
    count = 0
    if form == "markdown":
        with closing(wiring.make_store(f"vault:{folder.resolve()}")) as vault:
            memories = chosen(context, choice)
            while batch := list(itertools.islice(memories, _NOTES)):
                vault.apply([Put(memory) for memory in batch])
                count += len(batch)
        return count
    for path, text in export_basic_memory(context, choice, left=left):
        place = folder / path
        with told(str(place), "write"):
            place.parent.mkdir(parents=True, mode=0o700, exist_ok=True)
        write_stream(place, [text])
        count += 1
    return count
