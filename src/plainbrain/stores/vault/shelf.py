"""What a process knows of a vault: every note's state, which id belongs to which, and when each changed here.

Owns the giving of ids: a note answers to the id it claims, unless another note claims the same; then each answers to
``cortex/stem``, and both are problems. Each change gets a tick, so that a reader who knows the tick learns what is new
without looking at the rest. Knows no files: ``scan`` tells it what it saw.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile

from plainbrain.errors import Ambiguous
from plainbrain.model.problem import Problem
from plainbrain.ports import Seen, Sources
from plainbrain.records import open_record
from plainbrain.stores.vault.names import composed, folded, qualified
from plainbrain.stores.vault.reading import Facts, signature_of

_RACY = "~"


@open_record(slots=True)
class Entry:
    """The state of one file. ``facts`` is None while only ``signature`` (from an earlier process) is known.

    ``claim`` is the id that the note says, ``id`` the one it answers to; both stay when it turns unreadable
    (``bad``), so that nothing is dropped for it. ``tick`` is when the memory last changed.
    """

    signature: str
    facts: Facts | None = None
    racy: bool = False
    revision: str = ""
    claim: str = ""
    id: str = ""
    bad: bool = False
    problems: tuple[Problem, ...] = ()
    tick: int = 0
    remembered: Seen | None = None


class Shelf:
    """All entries by folder and name, the ids, and the log of changes.

    It may begin asleep, when it only has what an earlier process remembered, until somebody asks for more than that tells.
    """

    def __init__(self) -> None:
        self.tick = 0
        self.asleep: Sources | None = None
        self._folders: dict[str, dict[str, Entry]] = {}
        self._ids: dict[str, str] = {}
        self._claims: dict[str, tuple[str, ...]] = {}
        self._spellings: dict[str, set[str]] = {}
        self._gone_ids: dict[str, int] = {}
        self._gone: dict[str, int] = {}
        self._alike: dict[str, set[str]] = {}
        self._log: dict[str, int] = {}

    @property
    def folders(self) -> dict[str, dict[str, Entry]]:
        """The entries by folder and name."""
        self.wake()
        return self._folders

    @property
    def ids(self) -> dict[str, str]:
        """The locator of each id that was given."""
        self.wake()
        return self._ids

    def remember(self, seen: Mapping[str, Seen]) -> None:
        """Take over what an earlier process saw; nothing is made of it yet where it need not be looked at again."""
        if isinstance(seen, Sources) and not self.folders and _is_settled(seen):
            self.asleep = seen
        else:
            self.prime(seen)

    def wake(self) -> None:
        """Make entries of what was only remembered."""
        if self.asleep is not None:
            seen, self.asleep = self.asleep, None
            self.prime(seen)

    def has(self, id: str) -> bool:
        """Tell whether a memory answers to exactly this id."""
        return (self.asleep is not None and self.asleep.owner(id) is not None) or id in self.ids

    def find(self, id: str) -> tuple[str, Entry] | None:
        """Return the locator and the state of a memory's file, in any spelling of its id, or None. Raise Ambiguous."""
        locator = self.asleep.owner(id) if self.asleep is not None else None
        if self.asleep is not None and locator is not None:
            return locator, _entry_of_seen(self.asleep[locator])
        locator = self.locate(id)
        entry = self.entry(locator) if locator is not None else None
        return None if locator is None or entry is None else (locator, entry)

    def entries(self) -> Iterator[tuple[str, Entry]]:
        """Yield every ``(locator, entry)``."""
        for folder, files in self.folders.items():
            for name, entry in files.items():
                yield (f"{folder}/{name}" if folder else name), entry

    def entry(self, locator: str) -> Entry | None:
        """Return the state of one file, or None."""
        folder, _, name = locator.rpartition("/")
        return self.folders.get(folder, {}).get(name)

    def prime(self, seen: Mapping[str, Seen]) -> None:
        """Make entries of what an earlier process saw, unless there are some already."""
        if self.folders:
            return
        known, files = "", self.folders.setdefault("", {})
        for locator, one in seen.items():
            entry = _entry_of_seen(one)
            id, claim = entry.id, entry.claim
            folder, _, name = locator.rpartition("/")
            if folder != known:  # they come by folder, mostly
                known, files = folder, self.folders.setdefault(folder, {})
            files[name] = entry
            if not (name.isascii() and name.islower()):
                self._alike_too(folder, name)
            if id:
                others = self._claims.get(claim or id)
                self._claims[claim or id] = (*others, locator) if others else (locator,)
                self.ids[id] = locator
                if not id.isascii():
                    self._spell(id)

    def _spell(self, id: str) -> None:
        if not id.isascii():
            self._spellings.setdefault(composed(id), set()).add(id)

    def _alike_too(self, folder: str, name: str) -> None:
        if not (name.isascii() and name.islower()) and (plain := folded(name)) != name:
            self._alike.setdefault(folder, set()).add(plain)

    def has_alike(self, folder: str, name: str) -> bool:
        """Tell whether a folder holds a note whose name some file systems do not tell from ``name``."""
        return folded(name) in self._alike.get(folder, ())

    # what a scan tells

    def set(self, locator: str, fresh: Entry) -> None:
        """Put the new state of a file; ``fresh`` without a claim keeps the old one's when it is ``bad``."""
        folder, _, name = locator.rpartition("/")
        files = self.folders.setdefault(folder, {})
        old = files.get(name)
        self.tick += 1
        if old is not None:
            if fresh.bad:
                fresh.claim, fresh.id = old.claim or old.id, old.id
            elif (old.claim, old.revision, old.bad) == (fresh.claim, fresh.revision, False):
                fresh.id, fresh.tick = old.id, old.tick
        if not fresh.tick:
            fresh.tick = self.tick
        self._count(locator, fresh)
        files[name] = fresh
        self._alike_too(folder, name)
        self._gone.pop(locator, None)
        if old is not None and (old.claim or old.id) not in ("", fresh.claim):
            self._unclaim(old.claim or old.id, locator, old)
        if fresh.claim:
            claimants = self._claims.get(fresh.claim, ())
            if locator not in claimants:
                self._claims[fresh.claim] = (*claimants, locator)
            if locator not in claimants or fresh.id == "":
                self._assign(fresh.claim)

    def note(self, locator: str, entry: Entry) -> None:
        """Count a change of what is to be remembered of a file, its memory being the same."""
        self.tick += 1
        self._count(locator, entry)

    def _count(self, locator: str, entry: Entry) -> None:
        entry.remembered = None
        self._log.pop(locator, None)  # what changed last stands last
        self._log[locator] = self.tick

    def remove(self, locator: str) -> None:
        """Forget a file that is gone."""
        folder, _, name = locator.rpartition("/")
        old = self.folders[folder].pop(name)
        self.tick += 1
        self._gone[locator] = self.tick
        self._log.pop(locator, None)
        if old.claim or old.id:
            self._unclaim(old.claim or old.id, locator, old)

    def _unclaim(self, claim: str, locator: str, old: Entry) -> None:
        claimants = tuple(one for one in self._claims.get(claim, ()) if one != locator)
        if old.id and self.ids.get(old.id) == locator:
            self._free(old.id)
        if claimants:
            self._claims[claim] = claimants
            self._assign(claim)
        else:
            self._claims.pop(claim, None)

    def _free(self, id: str) -> None:
        del self.ids[id]
        self._gone_ids.pop(id, None)
        self._gone_ids[id] = self.tick
        if not id.isascii():
            self._spellings.get(composed(id), set()).discard(id)

    def _assign(self, claim: str) -> None:
        """Give the notes that claim one id their ids."""
        claimants = sorted(self._claims[claim])
        for locator in claimants:
            entry = self.entry(locator)
            assert entry is not None
            wanted = claim if len(claimants) == 1 else qualified(locator)
            if self.ids.get(wanted, locator) != locator:
                wanted = locator  # somebody has even that one
            if entry.id != wanted:
                if entry.id and self.ids.get(entry.id) == locator:
                    self._free(entry.id)
                entry.id = wanted
                entry.tick = self.tick
                self._count(locator, entry)
            entry.remembered = None
            self.ids[wanted] = locator
            self._gone_ids.pop(wanted, None)
            self._spell(wanted)

    def clash(self, entry: Entry, locator: str) -> tuple[Problem, ...]:
        """Return the problem of a note whose id others claim too."""
        claimants = self._claims.get(entry.claim, ()) if entry.claim else ()
        if len(claimants) < 2:
            return ()
        others = [one for one in claimants if one != locator]
        message = (
            f"the id {entry.claim!r} is claimed by {', '.join(sorted(others))} too; this note answers to {entry.id!r}"
        )
        return (Problem("duplicate-id", message, locator, hint="give one of them another `id`"),)

    # what a reader asks

    def locate(self, id: str) -> str | None:
        """Return the locator of a memory, in any spelling of its id, or None. Raise Ambiguous."""
        found = self.ids.get(id)
        if found is not None:
            return found
        claimants = self._claims.get(id, ())
        if claimants:
            known = [self.entry(locator) for locator in sorted(claimants)]
            self._ambiguous(id, [entry.id for entry in known if entry is not None])
        spellings = self._spellings.get(composed(id), set()) | ({composed(id)} & self.ids.keys())
        if len(spellings) > 1:
            self._ambiguous(id, sorted(spellings))
        return self.ids[next(iter(spellings))] if spellings else None

    @staticmethod
    def _ambiguous(id: str, candidates: list[str]) -> None:
        hint = f"name one of them: {', '.join(candidates)}"
        raise Ambiguous(f"several notes answer to {id!r}", value=id, hint=hint, candidates=tuple(candidates))

    def seen(self, locator: str, entry: Entry) -> Seen:
        """Return what a reader should remember of a file."""
        if entry.remembered is None:
            entry.remembered = self._remember(locator, entry)
        return entry.remembered

    def _remember(self, locator: str, entry: Entry) -> Seen:
        mark = _RACY if entry.racy else ""
        signature = f"{entry.signature}{mark}:{'' if entry.bad else entry.revision}"
        ids = (entry.id,) if entry.id else ()
        return Seen(locator, signature, ids, entry.problems + self.clash(entry, locator))

    def since(self, tick: int) -> tuple[list[tuple[str, Entry]], list[str], list[str]]:
        """Return ``(entries, gone ids, gone locators)`` noted after ``tick``."""
        if self.tick == tick:
            return [], [], []
        # Written out: after every write all entries are looked at, and few of them need their locator.
        changed = ((locator, self.entry(locator)) for locator in self._after(self._log, tick))
        noted = [(locator, entry) for locator, entry in changed if entry is not None]
        return noted, self._after(self._gone_ids, tick), self._after(self._gone, tick)

    @staticmethod
    def _after(log: dict[str, int], tick: int) -> list[str]:
        """Return the names in a log, the oldest first, that were written after ``tick``."""
        return [name for name, _ in takewhile(lambda one: one[1] > tick, reversed(log.items()))][::-1]

    def against(self, seen: Mapping[str, Seen]) -> tuple[list[tuple[str, Entry, bool]], list[str], list[str]]:
        """Return ``(locator, entry, whether its memory is new)`` of what differs from ``seen``, gone ids and locators."""
        if self.asleep is seen:
            return [], [], []
        different = []
        met = 0
        for locator, entry in self.entries():
            then, now = seen.get(locator), entry.remembered or self.seen(locator, entry)
            met += then is not None
            if then is not now and then != now:
                is_new = then is None or then.ids != now.ids or then.signature.rpartition(":")[2] != entry.revision
                different.append((locator, entry, is_new))
        if not different and met == len(seen):
            return [], [], []
        gone = {id for one in seen.values() for id in one.ids} - self.ids.keys()
        return different, sorted(gone), [locator for locator in seen if self.entry(locator) is None]


def _entry_of_seen(one: Seen) -> Entry:
    """Return the state of a file as an earlier process saw it."""
    signature, _, revision = one.signature.rpartition(":")
    id = one.ids[0] if one.ids else ""
    given = _may_be_given(id) and id in (one.locator, qualified(one.locator))
    claim = "" if given else id  # the claim behind a given id is read again
    racy = signature[-1:] == _RACY
    return Entry(
        signature[:-1] if racy else signature,
        None,
        racy or bool(id and not claim),
        revision,
        claim,
        id,
        bool(id and not revision),
        one.problems,
        remembered=one,
    )


def _may_be_given(id: str) -> bool:
    return "/" in id or id.startswith(".")


def _is_settled(seen: Sources) -> bool:
    """Tell whether every note surely answers to the id that it says: then only its file can tell anything new."""
    ids = "\n".join([id for _, id in seen.plain.values()])
    others = (id for one in seen.others.values() for id in one.ids)
    return not ("/" in ids or "\n." in ids or ids.startswith(".") or any(map(_may_be_given, others)))


def entry_of(
    facts: Facts, *, racy: bool, revision: str, claim: str, problems: Iterable[Problem] = (), bad: bool = False
) -> Entry:
    """Return a fresh entry for a file that was read."""
    return Entry(signature_of(facts), facts, racy, revision, claim, "", bad, tuple(problems))
