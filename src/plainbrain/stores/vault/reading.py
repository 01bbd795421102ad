"""Reading one note: its bytes of one moment, its revision, the memory, and everything that is wrong with it.

Owns what counts as readable. Promises that no file raises: whatever cannot be a note becomes a ``Problem`` with the next
step, and its bytes are never touched. Knows nothing of other notes.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from functools import lru_cache

from plainbrain.digests import blake2b
from plainbrain.files.beneath import Folder, read_file
from plainbrain.model.memory import Memory
from plainbrain.model.problem import Problem
from plainbrain.notation.note import Note, read_note
from plainbrain.records import record
from plainbrain.text.encoding import wide_encoding

MAX_NOTE_BYTES = 5 * 1024 * 1024
#: Notes up to this size are kept as they were read last, while they are recalled.
_KNOWN_BYTES = 8 * 1024
#: A file changed this short before it was read may change again without a new time stamp.
RACY_NS = 100_000_000

Facts = tuple[int, int, int, int]


@record(frozen=True, slots=True)
class Reading:
    """What one look at a file gave. ``memory`` is None for what cannot be read as a note; ``problems`` say why.

    ``facts`` are its number, size and times; ``racy`` says that they may not tell of the next change.
    """

    facts: Facts
    racy: bool
    revision: str = ""
    data: bytes = b""
    text: str = ""
    memory: Memory | None = None
    problems: tuple[Problem, ...] = ()
    stat: os.stat_result | None = None


def facts_of(found: os.stat_result) -> Facts:
    """Return what tells one state of a file from the next, as far as the system says."""
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def signature_of(facts: Facts) -> str:
    """Return facts as short text."""
    ino, size, mtime, ctime = facts
    return f"{ino:x}.{size:x}.{mtime:x}.{ctime:x}"


def revision_of_bytes(data: bytes) -> str:
    """Return the revision of a note: a hash of its bytes, 32 hexadecimal digits."""
    return blake2b(data, digest_size=16).hexdigest()


@lru_cache(maxsize=256)
def _known_note(text: str, *, locator: str) -> Note:
    """Return what the text says, worked out once for as long as the same notes are recalled again and again."""
    return read_note(text, locator=locator)


def read(folder: Folder, name: str, *, locator: str) -> Reading:
    """Read the note ``name``. Raise FileNotFoundError when it is gone; nothing else."""
    now = time.time_ns()
    try:
        data, found = read_file(folder, name, MAX_NOTE_BYTES)
    except FileNotFoundError:
        raise
    except OSError as error:
        return _unreadable(folder, name, locator, error)
    facts = facts_of(found)
    racy = max(found.st_ctime_ns, found.st_mtime_ns) > now - RACY_NS
    if len(data) > MAX_NOTE_BYTES:
        return Reading(facts, racy, problems=(_too_large(locator, found.st_size),), stat=found)
    revision = revision_of_bytes(data)
    if wide := wide_encoding(data):
        return Reading(facts, racy, revision, data, problems=(_wide(locator, wide),), stat=found)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return Reading(facts, racy, revision, data, problems=(_not_utf8(locator, data, error.start),), stat=found)
    note = (_known_note if len(data) <= _KNOWN_BYTES else read_note)(text, locator=locator)
    memory = None if any(problem.code == "merge-conflict" for problem in note.problems) else note.memory
    return Reading(facts, racy, revision, data, text, memory, note.problems, found)


def _unreadable(folder: Folder, name: str, locator: str, error: OSError) -> Reading:
    found = folder.stat(name)
    if stat.S_ISLNK(found.st_mode) or error.errno == errno.ELOOP:
        return Reading(facts_of(found), False, problems=(link_problem(locator),))
    if error.errno == errno.EINVAL:
        return Reading(facts_of(found), False, problems=(_special(locator),))
    message = f"the note cannot be read: {error.strerror or error}"
    problem = Problem("unreadable", message, locator, hint="check its owner and mode; what was known of it is kept")
    return Reading((0, 0, 0, 0), True, problems=(problem,))  # looked at again at every call


def closed_folder(locator: str, error: OSError) -> Reading:
    """Return the reading of a note whose folder cannot be entered now."""
    message = f"its folder cannot be read: {error.strerror or error}"
    hint = "check the owner and the mode of the folder"
    return Reading((0, 0, 0, 0), True, problems=(Problem("unreadable", message, locator, hint=hint),))


def link_problem(locator: str) -> Problem:
    """Return the problem of a symbolic link, which is never followed."""
    return Problem(
        "symlink", "a symbolic link is skipped", locator, hint="put the note or the folder itself into the vault"
    )


def conflict_problem(locator: str) -> Problem:
    """Return the problem of a copy that a sync tool put aside."""
    hint = "take over what is missing into the note of the plain name, then delete the copy"
    return Problem("conflict-copy", "a sync tool left this copy of a note; it is not recalled", locator, hint=hint)


def _special(locator: str) -> Problem:
    return Problem("not-a-file", "it has the name of a note but is no plain file", locator, hint="remove or rename it")


def _too_large(locator: str, size: int) -> Problem:
    message = f"the note has {size} bytes, over {MAX_NOTE_BYTES}; it is not read"
    return Problem("too-large", message, locator, hint="split it into notes of one idea each")


def _wide(locator: str, encoding: str) -> Problem:
    """Return the problem of a note in UTF-16: to write to it would leave it in two encodings, or in another than its own."""
    hint = f"save it again as UTF-8, say with: iconv -f {encoding} -t UTF-8"
    return Problem("not-utf8", f"it is {encoding}, not UTF-8; the note is not read", locator, hint=hint)


def _not_utf8(locator: str, data: bytes, at: int) -> Problem:
    line = data.count(b"\n", 0, at) + 1
    message = f"byte {data[at]:#04x} is no UTF-8; the note is not read"
    return Problem("not-utf8", message, locator, line, "save it again as UTF-8")
