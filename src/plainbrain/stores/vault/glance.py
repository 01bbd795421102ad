"""One look over a whole vault against what an earlier process remembered: is anything different at all?

Owns the quick comparison, by which most calls learn that nothing changed, without a value being made for each note.
Reads no note and decides nothing: what differs is named, and ``scan`` looks at it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from plainbrain.files.beneath import Beneath, Folder, split
from plainbrain.ports import Sources
from plainbrain.records import open_record
from plainbrain.stores.vault.reading import Facts, facts_of

#: Tells of entries that are not remembered which are notes and which are folders.
Sort = Callable[[list[os.DirEntry[str]], str], tuple[list[str], list[str]]]


@open_record(slots=True)
class Glance:
    """What was seen: the state of each folder, and when it was looked at; locators that differ; how many are still there."""

    folders: dict[str, tuple[Facts, int]]
    differing: list[str]
    met: int = 0


def glance(beneath: Beneath, known: Sources, *, sort: Sort) -> Glance:
    """Look at everything once. Raise OSError where a folder cannot be looked into, or went away meanwhile."""
    seen = Glance({}, [])
    waiting = [""]
    while waiting:
        path = waiting.pop()
        with beneath.folder(split(path) if path else ()) as folder:
            now = time.time_ns()
            facts = facts_of(folder.own_stat())
            new, subfolders = sort(_compare(folder, path, known=known, seen=seen), path)
        seen.folders[path] = facts, now
        beginning = f"{path}/" if path else ""
        seen.differing += [beginning + name for name in new]
        waiting += [beginning + name for name in subfolders]
    return seen


def _compare(folder: Folder, path: str, *, known: Sources, seen: Glance) -> list[os.DirEntry[str]]:
    """Hold the notes of one folder against what is known of them; return the entries that are not known."""
    beginning = f"{path}/" if path else ""
    plain, others = known.plain, known.others
    strangers: list[os.DirEntry[str]] = []
    met = 0
    with folder.scan() as entries:
        for entry in entries:
            locator = beginning + entry.name
            row = plain.get(locator)
            if row is None and locator not in others:
                strangers.append(entry)
                continue
            met += 1
            signature = others[locator].signature if row is None else row[0]
            try:
                now = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                seen.differing.append(locator)
                continue
            # signature_of, written out: a call for each of ten thousand notes can be felt
            facts = f"{now.st_ino:x}.{now.st_size:x}.{now.st_mtime_ns:x}.{now.st_ctime_ns:x}:"
            if not signature.startswith(facts):
                seen.differing.append(locator)
    seen.met += met
    return strangers
