"""What a reader of foreign data gives: memories and faults, one by one, each with where it came from.

Owns these values and the making of ids for what has none. Readers decide nothing: trust, secrets and
duplicates are the caller's matter.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from plainbrain.model.identity import is_slug
from plainbrain.model.memory import Memory
from plainbrain.records import record
from plainbrain.text.slug import slugify, with_suffix

_LONGEST_ID = 400


@record(frozen=True, slots=True)
class Found:
    """A memory that was read; ``where`` says from what line or item, ``notes`` what was amiss with it.

    ``other`` is the id to take where its own is another memory's; without it, one is made from the text.
    """

    memory: Memory
    where: str
    notes: tuple[str, ...] = ()
    other: str = ""


@record(frozen=True, slots=True)
class Fault:
    """An item that could not be read: why, and what to do."""

    message: str
    where: str
    hint: str = ""


@record(frozen=True, slots=True)
class Passed:
    """An item that is rightly no memory (another format's line, an index file): said, and no failure.

    ``together`` is how many of its kind are told in one line, with ``{}`` for their number; ``""`` where each is told.
    """

    message: str
    where: str
    together: str = ""


@record(frozen=True, slots=True)
class Noted:
    """Something amiss with an item that came over all the same: what, where, and what to do."""

    message: str
    where: str
    hint: str = ""


Item = Found | Fault | Passed | Noted


def is_id(value: object) -> bool:
    """Tell whether a foreign id can be kept as it is: a text of one line, not too long."""
    return (
        isinstance(value, str) and bool(value.strip()) and value == value.strip() and len(value) <= _LONGEST_ID
        and value.isprintable()
    )  # fmt: skip


@dataclass(slots=True)
class Names:
    """Give ids to things that have only names: the same name the same id, in every run over the same data."""

    _ids: dict[str, str] = field(default_factory=dict)
    _taken: set[str] = field(default_factory=set)

    def id_of(self, name: str, *, said: str = "") -> str:
        """Return the id for ``name``; ``said`` is the text to make it from where the name is only a key."""
        known = self._ids.get(name)
        if known is not None:
            return known
        slug = name if not said and is_slug(name) else slugify(said or name)
        id, n = slug, 1
        while id in self._taken:
            n += 1
            id = with_suffix(slug, n)
        self._ids[name] = id
        self._taken.add(id)
        return id
