"""Bringing an imported memory up to date: a newer state of it comes in, and the brain may have changed it since.

Owns the mark that an import leaves on a memory (a short sum of each field as it came in) and the merging of three states: as it
came in before, as it is here, as it comes in now. A field that was changed there and not here is taken over; one that was
changed on both sides stays as it is here and is named. What ends a memory or confirms it goes forward only, so that an older state
takes nothing back. Pure: must not know where memories are kept.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from plainbrain.lifecycle.admit import first_sentence
from plainbrain.model.instants import Instant
from plainbrain.model.links import SUPERSEDED_BY, SUPERSEDES, Link
from plainbrain.model.memory import Memory, Usage
from plainbrain.model.provenance import IMPORT_MARK, REVIEWED
from plainbrain.text.headed import headed

_NOTHING = "0000"
_WIDTH = len(_NOTHING)
#: How many states that came in before are remembered, so that one of them that comes again changes nothing.
_REMEMBERED = 12
_SEPARATOR = "."
#: What the counters are called among the fields that were taken over.
QUALITY = "quality"


def _when(at: Instant | None) -> str:
    return "" if at is None else at.iso()


def _sources(memory: Memory) -> str:
    source = memory.provenance
    turn = "" if source.turn is None else str(source.turn)
    return "\0".join((*source.sessions, turn, source.excerpt)).strip("\0")


#: The texts, in the order of the mark; "" is unsaid.
_TEXTS: Mapping[str, Callable[[Memory], str]] = {
    "content": lambda m: m.content,
    "title": lambda m: m.title,
    "description": lambda m: m.description,
    "rationale": lambda m: m.rationale,
    "rejected": lambda m: "\0".join(f"{r.option}\1{'' if r.reason is None else r.reason}" for r in m.rejected),
    "files": lambda m: "\0".join(m.files),
    "scope": lambda m: m.scope,
    "tags": lambda m: "\0".join(m.tags),
    "confidence": lambda m: f"{m.confidence.number}\0{m.confidence.word}" if m.confidence.said else "",
    "provenance": _sources,
}
#: What a plain line of another tool may have no room for: that it is unsaid there takes nothing away here.
_OPTIONAL = frozenset({"title", "description", "tags", "confidence"})
_LIFECYCLE: Mapping[str, Callable[[Memory], str]] = {
    "reviewed": lambda m: _when(m.reviewed),
    "ended": lambda m: "" if m.is_live else f"{m.status}\0{_when(m.invalidated)}",
    "supersedes": lambda m: "\0".join(m.supersedes),
}
_FIELDS: Mapping[str, Callable[[Memory], str]] = {**_TEXTS, **_LIFECYCLE}
_READERS = tuple(_FIELDS.values())


class Guard(StrEnum):
    """Why a field stays as it is here."""

    #: It was changed here as well.
    CHANGED = "changed"
    #: A person confirmed the memory here.
    REVIEWED = "reviewed"
    #: It has ended, and another may stand in its place.
    ENDED = "ended"
    #: The memory did not come in by an import: it is the brain's own.
    OWN = "own"


@dataclass(frozen=True, slots=True)
class Renewal:
    """What a newer state comes to: the memory as it is to be, the fields that were taken over, and those that were not, with why.

    ``is_old`` tells that a state came in which the memory had before.
    """

    memory: Memory
    taken: tuple[str, ...] = ()
    kept: Mapping[str, Guard] = field(default_factory=dict)
    is_old: bool = False


def marked(memory: Memory) -> dict[str, Any]:
    """Return the memory's ``extra`` with the mark of the state in which it comes in."""
    return {**memory.extra, IMPORT_MARK: _sums(memory)}


def _sums(memory: Memory) -> str:
    return "".join([_sum(text) if (text := read(memory)) else _NOTHING for read in _READERS])


def _sum(text: str) -> str:
    """Return four hexadecimal digits that stand for a text; zeros for none."""
    if not text:
        return _NOTHING
    number = zlib.crc32(text.encode("utf-8", "surrogatepass"))
    return f"{(number ^ number >> 16) & 0xFFFF or 1:04x}"


@dataclass(frozen=True, slots=True)
class _Mark:
    """A mark as it was read: the sums of the fields, and the states that came in before that."""

    sums: Mapping[str, str]
    before: tuple[str, ...]

    @property
    def latest(self) -> str:
        return "".join(self.sums.values())

    def remembers(self, sums: str) -> bool:
        return _state(sums) in self.before


def _state(sums: str) -> str:
    return f"{zlib.crc32(sums.encode('ascii')):08x}"


def _read_mark(memory: Memory) -> _Mark | None:
    """Return the mark on a memory; None where there is none that we can read."""
    sums, *before = str(memory.extra.get(IMPORT_MARK, "")).split(_SEPARATOR)
    if len(sums) != _WIDTH * len(_FIELDS):
        return None
    parts = [sums[at : at + _WIDTH] for at in range(0, len(sums), _WIDTH)]
    return _Mark(dict(zip(_FIELDS, parts, strict=True)), tuple(before))


def renew(there: Memory, new: Memory) -> Renewal:
    """Tell what becomes of the memory ``there`` when the state ``new`` of it comes in, which is marked."""
    if there.extra.get(IMPORT_MARK) == new.extra[IMPORT_MARK] and there.usage == new.usage:
        return Renewal(there)
    new = _as_here(there, new)
    if there.provenance.origin != new.provenance.origin:
        return Renewal(there, kept=dict.fromkeys(_strange(there, new), Guard.OWN))
    came = str(new.extra[IMPORT_MARK])
    if there.extra.get(IMPORT_MARK) == came and there.usage == new.usage:
        return Renewal(there)
    known = _read_mark(there)
    if known is not None and came != known.latest and (known.remembers(came) or _goes_back(known, new)):
        return Renewal(there, is_old=True)
    merging = _Merging(there, new, known)
    if known is None or came != known.latest:
        merging.take_texts()
        merging.take_lifecycle()
    merging.take_counters()
    return merging.result()


def take_over(there: Memory, new: Memory) -> Renewal:
    """Tell what becomes of ``there`` when ``new`` is to hold although it came in before; what was changed here stays all the same."""
    renewal = renew(there, new)
    if not renewal.is_old:
        return renewal
    merging = _TakingOver(there, _as_here(there, new), _read_mark(there))
    merging.take_texts()
    merging.take_lifecycle()
    merging.take_counters()
    return merging.result()


def _as_here(there: Memory, new: Memory) -> Memory:
    """Return the new state with title and text as they are here, where it comes from a form without titles and says the same."""
    if new.content != there.content and new.content == headed(there.title, there.content):
        new = replace(new, content=there.content, title=there.title)
        return replace(new, extra=marked(new))
    if not there.title or new.title == there.title or new.title != first_sentence(new.content):
        return new
    if there.title == first_sentence(there.content):
        return new
    # A title that was made on the way in is none to set against one that somebody wrote; what came in before stays known.
    known = _read_mark(there)
    new = replace(new, title=there.title)
    title = _sums(there) if known is None else known.latest
    return replace(new, extra={**new.extra, IMPORT_MARK: _with_slot("title", title, _sums(new))})


def _with_slot(name: str, one: str, other: str) -> str:
    """Return the sums ``other`` with that of one field from ``one``."""
    at = _WIDTH * tuple(_FIELDS).index(name)
    return other[:at] + one[at : at + _WIDTH] + other[at + _WIDTH :]


def _strange(there: Memory, new: Memory) -> tuple[str, ...]:
    """Name what differs in a memory that did not come from there: it is the brain's own, and stays."""
    kept = ["content"] if there.content != new.content else []
    kept += ["title"] if new.title and there.title != new.title else []
    kept += ["status"] if there.is_live and not new.is_live else []
    return tuple(kept)


def _goes_back(known: _Mark, new: Memory) -> bool:
    """Tell whether a state is older than the known one: confirmed or ended before, and not so now."""
    return any(known.sums[name] != _NOTHING and not _LIFECYCLE[name](new) for name in ("reviewed", "ended"))


class _Merging:
    """The merging of one memory."""

    def __init__(self, there: Memory, new: Memory, known: _Mark | None) -> None:
        self._there, self._new, self._known = there, new, known
        self._after = there
        self._taken: list[str] = []
        self._kept: dict[str, Guard] = {}
        self._reviewed_here = there.reviewed is not None and self._is_changed_here("reviewed", unsure=False)

    def _is_changed_there(self, name: str) -> bool:
        return self._known is None or self._known.sums[name] != _sum(_FIELDS[name](self._new))

    def _is_changed_here(self, name: str, *, unsure: bool) -> bool:
        return unsure if self._known is None else self._known.sums[name] != _sum(_FIELDS[name](self._there))

    def _guard(self, name: str, *, unsure: bool) -> Guard | None:
        """Return why a field is to stay as it is here; None where it may change."""
        if self._is_changed_here(name, unsure=unsure and not self._reviewed_here):
            return Guard.CHANGED
        return Guard.REVIEWED if self._reviewed_here else None

    def take_texts(self) -> None:
        """Take the texts that were changed there alone. What a person confirmed here stands as it was confirmed."""
        for name, read in _TEXTS.items():
            said = read(self._new)
            if said == read(self._there) or not self._is_changed_there(name) or (name in _OPTIONAL and not said):
                continue
            if guard := self._guard(name, unsure=True):
                self._kept[name] = guard
                continue
            self._taken.append(name)
            self._after = replace(self._after, **{name: getattr(self._new, name)})
        if self._taken:
            # A text that nobody here has seen is trusted as far as it comes in, and no further.
            source = replace(self._after.provenance, trust=self._new.provenance.trust)
            self._after = replace(self._after, provenance=source)

    def take_lifecycle(self) -> None:
        """Take over that it was confirmed, that it ended, and what it replaced."""
        self._take_review()
        self._take_end()
        if self._is_changed_there("supersedes"):
            links = [Link(old, SUPERSEDES) for old in self._new.supersedes if old not in self._there.supersedes]
            if links:
                self._after = replace(self._after, links=(*self._after.links, *links))
                self._taken.append("supersedes")

    def _take_review(self) -> None:
        if self._new.reviewed is None or self._new.reviewed == self._there.reviewed or self._reviewed_here:
            return
        if not self._is_changed_there("reviewed"):
            return
        if self._kept:  # what was confirmed there is another text than what stands here
            self._kept["reviewed"] = next(iter(self._kept.values()))
            return
        trusted = replace(self._after.provenance, trust=REVIEWED)
        self._after = replace(self._after, reviewed=self._new.reviewed, provenance=trusted)
        self._taken.append("reviewed")

    def _take_end(self) -> None:
        there, new = self._there, self._new
        replaced = [link for link in new.links if link.rel == SUPERSEDED_BY and link not in there.links]
        if new.is_live or not self._is_changed_there("ended"):
            return
        guard = self._guard("ended", unsure=False)
        if there.is_live and guard is not None:
            self._kept["status"] = guard
        elif there.is_live or (replaced and not there.superseded_by):
            links = (*self._after.links, *replaced)
            self._after = replace(self._after, status=new.status, invalidated=new.invalidated, links=links)
            self._taken.append("status")

    def take_counters(self) -> None:
        """Take the counters where it served more often there. They are no knowledge and no conflict."""
        here, there = self._there.usage, self._new.usage
        injected, used = max(here.injected, there.injected), max(here.used, there.used)
        served_more = (injected, used) != (here.injected, here.used)
        relevance = there.relevance if served_more or here.relevance is None else here.relevance
        counted = replace(here, injected=injected, used=used, relevance=relevance)
        if counted != here and counted != Usage():
            self._after = replace(self._after, usage=counted)
            self._taken.append(QUALITY)

    def result(self) -> Renewal:
        """Return what came of it, the mark brought up to the state that came in: it is known from now on, whatever was taken."""
        self._after = replace(self._after, extra={**self._there.extra, IMPORT_MARK: self._mark()})
        return Renewal(self._after, tuple(self._taken), self._kept)

    def _mark(self) -> str:
        mark = _read_mark(self._new)
        assert mark is not None
        if self._known is None:
            return mark.latest
        left = {"ended" if name == "status" else name for name in self._kept}
        sums = {name: self._known.sums[name] if name in left else sum for name, sum in mark.sums.items()}
        if sums == self._known.sums:
            return str(self._there.extra[IMPORT_MARK])
        before = (_state(self._known.latest), *self._known.before)[:_REMEMBERED]
        return _SEPARATOR.join(("".join(sums.values()), *before))


class _TakingOver(_Merging):
    """The merging of a state that came in before: all of it is news. An end stays, since another memory may stand in its place."""

    def _is_changed_there(self, name: str) -> bool:
        return True

    def _take_review(self) -> None:
        super()._take_review()
        if self._new.reviewed is None and self._there.reviewed is not None and not self._reviewed_here:
            source = replace(self._after.provenance, trust=self._new.provenance.trust)
            self._after = replace(self._after, reviewed=None, provenance=source)
            self._taken.append("reviewed")

    def _take_end(self) -> None:
        super()._take_end()
        if self._new.is_live and not self._there.is_live:
            self._kept["status"] = Guard.ENDED
