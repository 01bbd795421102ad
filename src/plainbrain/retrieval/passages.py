"""A memory as the texts that are embedded: the whole of a short one, overlapping passages of a long one.

Owns where a long text is cut: between words, so that no part of it goes unseen by a model that reads some two hundred.
Each passage carries the title, which says what it is about. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from plainbrain.model.memory import Memory
from plainbrain.records import record

#: Words in a passage, and how many of them the next one says again.
WORDS, OVERLAP = 200, 40
#: A text that is this little longer is not cut.
_SLACK = 20
#: Passages of one memory at most; what lies beyond is found by its words.
MOST = 200
#: So many memories that came before in its session are set before one, and so many words of each.
EARLIER, BEFORE = 2, 30


@record(frozen=True, slots=True)
class Passage:
    """Hold a passage: ``text`` to embed, and from where to where it stands in the content, in characters."""

    start: int
    stop: int
    text: str


@record(frozen=True, slots=True)
class Wording:
    """Say how a memory's words are made ready for a model: ``prepare`` takes the memory and a text of it.

    ``name`` tells one way from another; vectors of different ways are never mixed.
    """

    name: str
    prepare: Callable[[Memory, str], str]


def _as_it_is(_memory: Memory, text: str) -> str:
    return text


PLAIN = Wording("", _as_it_is)


def passages_of(memory: Memory) -> list[Passage]:
    """Return what is embedded of a memory, in order; nothing for one that says nothing."""
    title = "" if memory.content.lstrip("# ").startswith(memory.title) else memory.title
    found = []
    for number, (start, stop) in enumerate(cuts_of(memory.content)):
        piece = memory.content[start:stop].strip()
        lead = (title, memory.description) if number == 0 else (memory.title,)
        text = "\n".join(part for part in (*lead, piece) if part.strip())
        if text:
            found.append(Passage(start, stop, text))
    return found


def cuts_of(content: str) -> list[tuple[int, int]]:
    """Return from where to where each passage of a text goes; together they leave nothing out up to ``MOST``."""
    words = _word_starts(content)
    if len(words) <= WORDS + _SLACK:
        return [(0, len(content))]
    found: list[tuple[int, int]] = []
    for first in range(0, len(words), WORDS - OVERLAP):
        last = first + WORDS
        if last + _SLACK >= len(words):
            return [*found, (words[first], len(content))][:MOST]
        found.append((words[first] if first else 0, words[last]))
    return found[:MOST]


def _word_starts(content: str) -> list[int]:
    """Return where each word begins; in a script without spaces, every fourth character counts as one."""
    starts: list[int] = []
    edges = [at for at, (one, other) in enumerate(pairwise(content), 1) if one.isspace() and not other.isspace()]
    for start, stop in pairwise([0, *edges, len(content)]):
        long = stop - start > 40
        starts += range(start, stop, 4) if long else [start]
    return starts


def after(earlier: Sequence[Memory], text: str) -> str:
    """Return ``text`` with the ends of the memories that came before it, the oldest first, set in front."""
    ends = [" ".join(memory.content.split()[-BEFORE:]) for memory in earlier]
    return "\n".join([*filter(None, ends), text])
