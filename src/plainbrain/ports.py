"""The contracts between the parts, in the words of the model.

A ``Store`` holds the truth, a ``Journal`` what happened, an ``Index`` finds (and may be thrown away),
an ``Embedder`` turns texts into vectors, a ``Clock`` tells the time. ``testing/contract.py`` holds every
store against the promises written here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from plainbrain.model.change import Activity, Change, Use
from plainbrain.model.hit import Explanation
from plainbrain.model.instants import Instant
from plainbrain.model.memory import Memory
from plainbrain.model.problem import Problem
from plainbrain.model.query import Query
from plainbrain.records import record


class Clock(Protocol):
    """Tell the time; tests pass a fixed one."""

    def now(self) -> Instant:
        """Return the present instant, in milliseconds."""
        ...


#: Told as long work goes on: (done, total, what). ``total`` is 0 when it is not known.
Progress = Callable[[int, int, str], None]


@record(frozen=True, slots=True)
class Traits:
    """State facts about a store that a use case has to know.

    ``kind`` is the word of its URL (``vault``, ``sqlite``, ``json``, ``jsonl``, ``ram``); ``slug_ids`` says
    that new ids are slugs of titles (elsewhere UUIDs); ``atomic`` that several changes are written all or
    none even when the process is killed half-way; ``writable`` that this process may write;
    ``folder`` that a person edits the memories as files.
    """

    kind: str
    slug_ids: bool = False
    atomic: bool = True
    writable: bool = True
    folder: bool = False


@record(frozen=True, slots=True)
class Stored:
    """A memory as the store holds it.

    ``revision`` is a hash of the knowledge (counters left out); ``locator`` says where it lies (a path
    relative to the vault, a line, ``""``); ``text`` is its own written form where the store has one.
    """

    memory: Memory
    revision: str
    locator: str = ""
    text: str | None = None


@record(frozen=True, slots=True)
class Seen:
    """What a reader of the store remembers of one source (a file, a row): enough to tell whether it changed.

    ``ids`` are the memories read from it (none for one that could not be read); ``signature`` is the
    store's own matter.
    """

    locator: str
    signature: str
    ids: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


class Sources(Mapping[str, Seen]):
    """What is remembered of many sources: each becomes a ``Seen`` when it is asked for, for most never are.

    ``plain`` holds ``(signature, id)`` of those with one memory and no problem, ``others`` the rest; by locator.
    """

    __slots__ = ("_owners", "others", "plain")

    def __init__(self, plain: dict[str, tuple[str, str]], others: dict[str, Seen]) -> None:
        self.plain = plain
        self.others = others
        self._owners: dict[str, str] | None = None

    def __getitem__(self, locator: str) -> Seen:
        row = self.plain.get(locator)
        return self.others[locator] if row is None else Seen(locator, row[0], (row[1],))

    def __iter__(self) -> Iterator[str]:
        yield from self.plain
        yield from self.others

    def __len__(self) -> int:
        return len(self.plain) + len(self.others)

    def owner(self, id: str) -> str | None:
        """Return the locator of the plain source that holds a memory; None where no plain one does."""
        if self._owners is None:
            self._owners = {id: locator for locator, (_, id) in self.plain.items()}
        return self._owners.get(id)


@record(frozen=True, slots=True)
class Mark:
    """How far a reader has read: a ``token`` of the store's making and what was ``seen``, by locator.

    ``seen`` is only looked at by stores that cannot tell from the token alone (a folder).
    """

    token: str = ""
    seen: Mapping[str, Seen] | Callable[[], Mapping[str, Seen]] = dict

    def recall_seen(self) -> Mapping[str, Seen]:
        """Return ``seen``, fetching it if need be."""
        return self.seen() if callable(self.seen) else self.seen


@record(frozen=True, slots=True)
class Changes:
    """What is different since a mark.

    ``stored`` are memories that are new or changed, ``gone`` ids that are no more, ``seen`` the sources to
    remember from now on and ``unseen`` locators to forget. ``used`` are ids whose counters alone moved.
    ``everything`` is true when the mark was of no use and ``stored`` is all there is.
    """

    token: str
    stored: Iterable[Stored] = ()
    gone: tuple[str, ...] = ()
    seen: tuple[Seen, ...] = ()
    unseen: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    everything: bool = False


class Journal(Protocol):
    """Keep what happened beside the memories: activities, and a few values of the brain as a whole.

    The values' names are agent-brain's meta keys (``last_decay``, ``session_counter``, ``current_session``)
    and ours (``machine`` …). Everything here outlives the process once acknowledged.
    """

    def append(self, activities: Sequence[Activity]) -> None:
        """Add activities, oldest first. Raise ReadOnly, Busy or NoRoom."""
        ...

    def read(self, *, limit: int | None = None, action: str = "", id: str = "") -> list[Activity]:
        """Return activities newest first."""
        ...

    def values(self) -> Mapping[str, str]:
        """Return the brain's values; an absent one was never set."""
        ...

    def update(self, change: Callable[[Mapping[str, str]], Mapping[str, str]]) -> Mapping[str, str]:
        """Replace the values by ``change(values)`` under a lock, so that no two processes count the same; return them."""
        ...

    def forget(self, id: str, texts: Sequence[str] = ()) -> None:
        """Take every trace of a memory out of the journal, its text and its counters included, and what holds one of ``texts``."""
        ...


class Store(Protocol):
    """Hold memories: the truth. Safe with many processes at once; what was acknowledged is on the disk."""

    @property
    def url(self) -> str:
        """``kind:place``, the place absolute and real: equal for two ways to the same store."""
        ...

    @property
    def traits(self) -> Traits:
        """Facts about this store."""
        ...

    @property
    def journal(self) -> Journal:
        """Where it keeps what happened."""
        ...

    def listing(self) -> Iterator[tuple[str, str]]:
        """Yield ``(id, revision)`` of every memory, in the order of the store (oldest first where it knows)."""
        ...

    def get(self, id: str) -> Stored:
        """Return one memory, counters folded in. Raise NotFound, or Ambiguous where two notes claim the id."""
        ...

    def get_many(self, ids: Sequence[str]) -> dict[str, Stored]:
        """Return those of ``ids`` that are there."""
        ...

    def apply(self, changes: Sequence[Change], *, activities: Sequence[Activity] = ()) -> list[str]:
        """Write all changes or none; return the new revision of each (``""`` for a removal).

        ``activities`` go to the journal after them, with them where the store can; without changes nothing is written.
        Raise Changed when an ``expecting`` is stale, AlreadyExists when ABSENT was expected and the id is
        taken, NotFound when a memory to remove (or expected at a revision) is not there, InvalidId for an id
        the store cannot hold, ReadOnly, Busy, NoRoom or Damaged. After any of them nothing was written.
        """
        ...

    def record(self, uses: Sequence[Use], *, activities: Sequence[Activity] = ()) -> None:
        """Add to counters. Never changes a revision; an unknown id is passed over. Raise ReadOnly or Busy.

        ``activities`` go to the journal after them, with them where the store can.
        """
        ...

    def changes_since(self, mark: Mark) -> Changes:
        """Tell what is different since ``mark``, whoever wrote it. ``Mark()`` asks for everything."""
        ...

    def problems(self) -> list[Problem]:
        """Return what is wrong in the store, with path and line. May read everything."""
        ...

    def close(self) -> None:
        """Let go of files and locks. Closing twice is harmless."""
        ...


@record(frozen=True, slots=True)
class Candidate:
    """A memory that matched, by the index's knowledge of it, with the raw figures to rank it by."""

    memory: Memory
    explanation: Explanation


@record(frozen=True, slots=True)
class Step:
    """Tell what a step of embedding did: memories done, texts embedded, memories still to do."""

    done: int
    embedded: int
    left: int


class Index(Protocol):
    """Find memories fast. Disposable: made from the store, rebuilt whenever it is missing, damaged or old."""

    def catch_up(self, store: Store, *, progress: Progress | None = None) -> tuple[Problem, ...]:
        """Bring the index to the state of the store; return the problems that stand in the store now."""
        ...

    def follows(self, store: Store) -> bool:
        """Tell whether it was brought to a state of this very store before."""
        ...

    def search(self, query: Query, *, now: Instant) -> tuple[list[tuple[str, float, Explanation]], int]:
        """Return ``(id, score, why)`` of the best for ``query``, best first, and how many matched in all."""
        ...

    def cards(self, ids: Sequence[str]) -> dict[str, Memory]:
        """Return what the index knows of memories: everything but content and vectors."""
        ...

    def lengths(self, ids: Sequence[str]) -> dict[str, int]:
        """Return how long the texts of memories are, in characters of their words: about as long as the texts themselves."""
        ...

    def find(self, query: Query, *, now: Instant | None = None) -> Iterator[Memory]:
        """Yield the card of every memory that passes the filters of ``query`` (its text is not looked at), oldest first.

        Without ``now`` nothing has expired.
        """
        ...

    def themes(self, query: Query, *, now: Instant | None = None) -> list[tuple[str, int]]:
        """Return every theme with how many of its memories pass the filters of ``query``, by name."""
        ...

    def said(self, field: str) -> Iterator[tuple[str, list[Any]]]:
        """Yield ``(id, value)`` of all that say something in ``files`` or ``rejected`` (lists of option and reason), of any status
        but quarantined, without a look at the rest of them.
        """
        ...

    def backlinks(self, id: str) -> list[tuple[str, str]]:
        """Return ``(id, relation)`` of the memories that point at ``id``."""
        ...

    def names(self, name: str) -> list[str]:
        """Return ids that look like ``name`` (an id in another spelling, a title, a part), best first."""
        ...

    def embed_some(self, store: Store, limit: int) -> Step:
        """Give at most ``limit`` memories their vectors. Without a model nothing is done."""
        ...

    def close(self) -> None:
        """Let go of the files."""
        ...


class Embedder(Protocol):
    """Turn texts into vectors of one length."""

    @property
    def name(self) -> str:
        """The model's name and version: vectors of different names are never mixed."""
        ...

    @property
    def dimensions(self) -> int:
        """The length of each vector."""
        ...

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one unit vector for each text. Raise Unavailable."""
        ...


class Mirror(Protocol):
    """Send copies of what was kept to another place, as well as can be done."""

    def send(self, memory: Memory) -> None:
        """Begin to send a memory. Never raises and never waits."""
        ...

    def close(self) -> None:
        """Wait for what is on its way, for a bounded time."""
        ...


class Model(Embedder, Protocol):
    """An embedder that tells questions from what may answer them, as some models want."""

    def embed_query(self, text: str) -> list[float]:
        """Return the unit vector of a question. Raise Unavailable."""
        ...
