"""Looking into single memories: links that lead nowhere, values that nobody can mean, secrets that were written by hand.

Owns where each is told: the file and the line where the store is a folder, the id elsewhere. Never tells a secret's text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from plainbrain.app.context import Context
from plainbrain.lifecycle import secrets
from plainbrain.lifecycle.soundness import doubts
from plainbrain.model.memory import Memory
from plainbrain.model.problem import Problem
from plainbrain.notation.note import take_apart
from plainbrain.notation.note.edit import edit_note
from plainbrain.notation.wikilinks import aliases_of, body_links, path_links
from plainbrain.ports import Stored
from plainbrain.text.paths import from_root

#: How many memories are read at once.
_BATCH = 500


#: The keys that mending writes to: a fault in one of them leaves the note as it is.
_MENDED = frozenset({"links", "status", "reason", "invalidated", "cortex"})


class Places:
    """The paths at which notes lie, to be asked by what a link says."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._by_name: dict[str, dict[str, str]] = {}
        for path in paths:
            key = path.strip("/").casefold()
            self._by_name.setdefault(key.rsplit("/", 1)[-1], {})[key] = path.strip("/")

    def has(self, target: str, *, folder: str) -> bool:
        """Tell whether a path leads to a note: from the folder of its note, from the root, or by its end as Obsidian reads it."""
        asked = target.strip("/").casefold()
        meant = from_root(target, folder=folder).casefold()
        for path in self._by_name.get(asked.rsplit("/", 1)[-1], ()):
            # The last is a vault in a larger one, whose root the link is written from.
            if path in (asked, meant) or path.endswith(f"/{asked}") or ("/" in path and asked.endswith(f"/{path}")):
                return True
        return False

    def of_same_name(self, target: str) -> list[str]:
        """Return the paths of the notes that have the name at the end of a path."""
        return sorted(self._by_name.get(target.rsplit("/", 1)[-1].casefold(), {}).values())[:3]


def in_memories(
    context: Context, cards: Sequence[Memory], *, where: Mapping[str, str], unread: Mapping[str, str]
) -> Iterator[Problem]:
    """Yield what is wrong inside the memories of these cards, which are read whole for it.

    ``where`` has the files of the notes that are read, ``unread`` those that are there and cannot be read, by name: a link
    to one of either is right.
    """
    names = {name.casefold() for m in cards for name in (m.id, m.title, f"{m.cortex}/{m.id}", *aliases_of(m)) if name}
    names |= {name.casefold() for name in unread}
    places = Places(file.removesuffix(".md") for file in (*where.values(), *unread.values()))
    for first in range(0, len(cards), _BATCH):
        some = list(context.store.get_many([m.id for m in cards[first : first + _BATCH]]).values())
        found = secrets.check_many([stored.memory for stored in some]) if context.pii_strict else [None] * len(some)
        for stored, finding in zip(some, found, strict=True):
            # The name of a file that holds all memories would say of none which it is.
            place = stored.locator if context.store.traits.folder else stored.memory.id
            yield from _doubtful(stored, place)
            if finding is not None:
                yield _secret(stored, finding, place)
            if context.store.traits.folder:
                yield from _astray(stored, names, places)


def _astray(stored: Stored, names: set[str], places: Places) -> Iterator[Problem]:
    """Yield the links in a text that lead to no note; files that are no notes (pictures) are not looked for."""
    memory = stored.memory
    known = {link.to for link in memory.links}
    for target in body_links(memory.content):
        name = target.removesuffix(".md")
        is_note = "." not in name.rsplit("/", 1)[-1]
        if not is_note or target in known or name.casefold() in names:
            continue
        if "/" not in name or not places.has(name, folder=memory.cortex):
            yield _dangling(stored, f"[[{target}]]", target, places.of_same_name(name))
    for path in path_links(memory.content):
        if not places.has(path, folder=memory.cortex):
            yield _dangling(stored, f"the link to {path}.md", path, places.of_same_name(path))


def _dangling(stored: Stored, link: str, target: str, there: Sequence[str]) -> Problem:
    if there:
        message = f"{link} leads to no note: {target.rsplit('/', 1)[-1]} lies at {' and at '.join(there)}"
        return Problem("dangling-wikilink", message, stored.locator, hint=f"correct the link: {there[0]}")
    hint = f"write {target}, or correct the link"
    return Problem("dangling-wikilink", f"{link} leads to no note", stored.locator, hint=hint)


def _doubtful(stored: Stored, place: str) -> Iterator[Problem]:
    for doubt in doubts(stored.memory):
        yield Problem("field-form", doubt.message, place, _line_of(stored, doubt.field), doubt.hint)
    if _is_bare_number(stored):
        message, hint = f"tags {stored.memory.tags[0][:40]!r} is a number and no list", "write tags: [one, two]"
        yield Problem("field-form", message, place, _line_of(stored, "tags"), hint)


def _is_bare_number(stored: Stored) -> bool:
    """Tell whether a note says a number where the list of its tags belongs."""
    tags = stored.memory.tags
    if stored.text is None or len(tags) != 1 or not tags[0].isdigit():
        return False
    return isinstance(take_apart(stored.text).block.values.get("tags"), str)


def _line_of(stored: Stored, field: str) -> int:
    """Return the line of a key in a note; 0 where there is no text, or not that key."""
    lines = (stored.text or "").split("\n")
    return next((number for number, line in enumerate(lines, 1) if line.startswith(f"{field}:")), 0)


def _secret(stored: Stored, finding: secrets.Finding, place: str) -> Problem:
    """Return the problem of a secret in a memory: which rule, and where; never what it is."""
    spots = secrets.find_secrets(stored.text) if stored.text is not None else ()
    line = stored.text.count("\n", 0, spots[0].start) + 1 if stored.text is not None and spots else 0
    message = f"it holds what looks like a credential (rule {finding.rule}, in {finding.field})"
    hint = "take it out and change the credential; keep where it lies, not what it is"
    return Problem("secret", message, place, line, hint)


def mends(context: Context, id: str, problem: Problem) -> Problem:
    """Return the problem as one that --fix mends by writing to the memory ``id``, or as it stands where that note cannot be edited."""
    stored = context.store.get_many([id]).get(id)
    faults = take_apart(stored.text).block.faults if stored is not None and stored.text is not None else ()
    if not any(fault.key in _MENDED or not fault.key for fault in faults):
        return replace(problem, fixable=True)
    place = stored.locator if stored is not None else id
    return replace(problem, hint=f"mend the block of {place} first; then {problem.hint}")


def with_its_folder(stored: Stored) -> str:
    """Return the text of a note that names another cortex than its folder with the folder's name there. Raise Unreadable."""
    text = stored.text or ""
    said = str(take_apart(text).fields.get("cortex", ""))
    before = replace(stored.memory, cortex=said)
    return edit_note(text, before=before, after=stored.memory, locator=stored.locator)
