"""Names in a vault: which files are notes, which are leftovers of other tools, and what new ones are called.

Owns the reading and making of file and folder names. Promises that a name it makes can be used on every operating system,
stays in its folder, and never begins with a dot. Pure: no files.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import count

from plainbrain.notation.note import ENDINGS
from plainbrain.text.slug import slugify, with_suffix

#: Our own folder in a vault.
HOME = (".brain",)
_DEVICES = frozenset({"con", "prn", "aux", "nul", *(f"{d}{n}" for d in ("com", "lpt") for n in range(10))})
#: What Dropbox, Obsidian and we ourselves put between parentheses in the name of the other side of a conflict.
_SET_ASIDE = ("conflicted copy", "case conflict", "selective sync conflict")
_FORBIDDEN = frozenset('<>:"|?*\\/')
_MAX_NAME_BYTES = 120


def is_note(name: str) -> bool:
    """Tell whether a file of this name is a note (not a hidden file, not one that an editor holds open)."""
    return name.lower().endswith(ENDINGS) and not name.startswith((".", "~$"))


def is_conflict_copy(name: str) -> bool:
    """Tell whether a sync tool put this file aside as the other side of a conflict (Syncthing, Dropbox, Nextcloud, ours)."""
    low = name.lower()
    return any(_dated(low, mark) for mark in (".sync-conflict-", "_conflict-")) or any(
        any(words in aside for words in _SET_ASIDE) for aside in _asides(low)
    )


def _dated(name: str, mark: str) -> bool:
    """Tell whether a date of eight digits follows the mark, as the tools write it."""
    return any(part[:8].isdigit() and len(part) > 8 for part in name.split(mark)[1:])


def _asides(name: str) -> Iterator[str]:
    """Yield what stands in parentheses."""
    for part in name.split("(")[1:]:
        aside, closed, _ = part.partition(")")
        if closed:
            yield aside


def is_hidden(name: str) -> bool:
    """Tell whether a folder is left alone: ``.git``, ``.obsidian``, ``.trash``, ``.brain`` and their like."""
    return name.startswith(".")


def without_ending(locator: str) -> str:
    """Return a path without ``.md``."""
    low = locator.lower()
    return next((locator[: -len(ending)] for ending in ENDINGS if low.endswith(ending)), locator)


def qualified(locator: str) -> str:
    """Return the id of a note whose own is claimed by another: ``cortex/stem``, at the root ``./stem``."""
    return without_ending(locator) if "/" in locator else f"./{without_ending(locator)}"


def composed(name: str) -> str:
    """Return the one spelling under which the spellings of a name meet (NFC)."""
    return name if name.isascii() else unicodedata.normalize("NFC", name)


def cortex_folder(cortex: str) -> tuple[str, ...]:
    """Return the folders of a cortex, made safe for every operating system; ``()`` is the root."""
    parts = (_safe(part) for part in cortex.replace("\\", "/").split("/"))
    return tuple(part for part in parts if part)


def _safe(part: str) -> str:
    kept = "".join("-" if c in _FORBIDDEN or not c.isprintable() else c for c in composed(part))
    kept = _cut(kept.strip(" ").lstrip(".").rstrip(". ").strip())
    stem, dot, rest = kept.partition(".")
    return f"{stem.rstrip()}-cortex{dot}{rest}" if stem.rstrip().lower() in _DEVICES else kept


def _cut(name: str) -> str:
    if len(name.encode("utf-8", "replace")) <= _MAX_NAME_BYTES:
        return name
    return name.encode("utf-8", "replace")[:_MAX_NAME_BYTES].decode("utf-8", "ignore").rstrip(". ")


def note_names(id: str) -> Iterator[str]:
    """Yield file names for a new note of that id, the best first, without end."""
    slug = slugify(id)
    yield f"{slug}.md"
    for n in count(2):
        yield f"{with_suffix(slug, n)}.md"


def split_folder(folder: str) -> tuple[str, ...]:
    """Return the names on the way to a folder; the root is ``""``."""
    return tuple(folder.split("/")) if folder else ()


def folded(name: str) -> str:
    """Return the name as file systems see it that make no difference between cases."""
    return composed(name).casefold()
