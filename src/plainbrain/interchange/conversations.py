"""What conversations reveal about their user: the facts that the extraction rules find in what she wrote.

Owns the way from a conversation to memories, for every tool whose export is conversations: the same fact said in many of
them is one memory, with the first as its provenance. Text of the other side is never a fact about the user.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from plainbrain.interchange.item import Found, Names, Passed
from plainbrain.lifecycle.extract import extract
from plainbrain.model.confidence import Confidence
from plainbrain.model.instants import Instant
from plainbrain.model.memory import Memory
from plainbrain.model.provenance import Provenance
from plainbrain.notation.decision import cut_excerpt

#: How many conversations without anything to keep are told.
_NOTHING = "nothing new to keep in {} conversations"
#: As much of a text as an id is made from.
_SAID = 220
#: A message longer than this is something pasted, not something said.
MAX_SAID = 20_000


@dataclass(frozen=True, slots=True)
class Turn:
    """What the user said: the number of the turn from 1, and when, where that is known."""

    text: str
    number: int
    at: Instant | None


def nothing_in(title: str, where: str) -> Passed:
    """Return what is said of a conversation that reveals nothing new."""
    return Passed(f"nothing new to keep in {title or 'an untitled conversation'}", where, _NOTHING)


@dataclass(slots=True)
class Facts:
    """Collect facts over many conversations, each once."""

    names: Names = field(default_factory=Names)
    seen: set[str] = field(default_factory=set)

    def first(self, memory: Memory, where: str) -> Iterator[Found]:
        """Yield a memory, which has no id yet, unless one of its kind said the same before."""
        key = f"{memory.kind}\n{' '.join(memory.content.casefold().split()).rstrip('.')}"
        if key not in self.seen:
            self.seen.add(key)
            yield Found(replace(memory, id=self.names.id_of(key, said=memory.content[:_SAID])), where)

    def of(self, turns: Iterable[Turn], *, session: str, title: str, at: Instant | None, where: str) -> Iterator[Found]:
        """Yield what one conversation reveals that none before it did."""
        for turn in turns:
            if len(turn.text) > MAX_SAID:
                continue
            for fact in extract(turn.text):
                memory = Memory(
                    id="",
                    content=fact.content,
                    kind=fact.kind,
                    tags=tuple(fact.tags),
                    confidence=Confidence(word=fact.confidence),
                    source=fact.source,
                    rationale=fact.rationale,
                    rejected=fact.rejected,
                    created=turn.at or at,
                    provenance=Provenance(
                        sessions=(session,) if session else (), turn=turn.number, excerpt=cut_excerpt(turn.text)
                    ),
                    extra={"conversation": title} if title else {},
                )
                yield from self.first(memory, f"{where}, turn {turn.number}")
