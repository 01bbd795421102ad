"""The part of a long text to show for a question: where its words stand together, the rare ones above all.

Owns how long a text must be, and how much of it is shown. Needs no vectors: where they name a passage, the part within that
passage is looked for. Promises edges between words, and the beginning of a sentence where one is near. Pure.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from plainbrain.records import record
from plainbrain.retrieval.kin import SHARE
from plainbrain.retrieval.parse import parse_query
from plainbrain.text.family import family
from plainbrain.text.tokens import tokens_of

#: A text of fewer characters is seen at a glance.
LONG = 1200
#: Characters that are shown, and how far apart words may stand to be shown together.
SHOWN, TOGETHER = 280, 200
#: Characters that are looked at, at most.
_MOST = 400_000
#: Of so many characters each part is by which rare words are told: those that stand in few of them.
_PART = 500
#: How far before the first word a sentence may begin to be shown from there.
_LEAD = 120
#: What a word adds that was met already.
_AGAIN = 0.1
#: A word that says less than this of what the best says is no reason to begin with it.
_LITTLE = 0.3
#: So many places of words are compared with one another at most.
_MOST_MET = 500
#: A longer run without spaces is no word.
_RUN = 60
_CHUNK = re.compile(r"\S+")
_SENTENCE = re.compile(r"(?:[.!?:;]\s+|\n\s*|[。！？；])(?=\S)")


@record(frozen=True, slots=True)
class _Met:
    """A word of the question in the text: where, which one, and what it counts (a kin less than the word itself)."""

    start: int
    stop: int
    word: str
    share: float


class Excerpts:
    """Find the part to show of one text after another, all for one question."""

    def __init__(self, query: str) -> None:
        self._words = {term.token for term in parse_query(query)}
        self._families = {family(word): word for word in self._words}
        #: Kin begin alike: no other word is looked up, which is most of the work.
        self._firsts = {name[0] for name in (*self._words, *self._families)}
        self._known: dict[str, Mapping[str, float]] = {}

    def of(self, content: str, *, within: tuple[int, int] | None = None) -> str:
        """Return the part of a long text that answers best; ``""`` for a short one, or when no word of the question is there.

        ``within`` says from where to where a passage stands that vectors found.
        """
        if len(content) < LONG:
            return ""
        start, stop = within or (0, min(len(content), _MOST))
        met = _rarest(self._meet(content, start, stop))
        if not met:
            return ""
        first, last = _closest(met, parts=max(1, (stop - start) // _PART))
        return _cut(content, met[first].start, met[last].stop, start)

    def _meet(self, content: str, start: int, stop: int) -> list[_Met]:
        """Return every word of the question in the text, in order."""
        found = []
        for chunk in _CHUNK.finditer(content, start, stop):
            if len(chunk[0]) <= _RUN:
                if words := self._words_in(chunk[0]):
                    found += [_Met(chunk.start(), chunk.end(), word, share) for word, share in words.items()]
            else:
                for at, end, piece in _pieces(chunk):
                    found += [_Met(at, end, word, share) for word, share in self._words_in(piece).items()]
        return found

    def _words_in(self, piece: str) -> Mapping[str, float]:
        """Return the words of the question that a piece of text has, with what each counts."""
        if (known := self._known.get(piece)) is not None:
            return known
        best: dict[str, float] = {}
        for token in tokens_of(piece):
            if token in self._words:
                best[token] = 1.0
            elif token[0] in self._firsts and (word := self._families.get(family(token))) is not None:
                best.setdefault(word, SHARE)
        self._known[piece] = best
        return best


def _pieces(chunk: re.Match[str]) -> list[tuple[int, int, str]]:
    """Return a long run without spaces, of a script that has none, by overlapping pieces with their places."""
    said, start = chunk[0], chunk.start()
    return [(start + at, min(start + at + 8, chunk.end()), said[at : at + 9]) for at in range(0, len(said), 8)]


def _rarest(met: list[_Met]) -> list[_Met]:
    """Return no more than can be compared, the words that stand most often left out first."""
    while len(met) > _MOST_MET:
        counts = Counter(one.word for one in met)
        if len(counts) == 1:
            return met[:_MOST_MET]
        most = max(counts, key=lambda word: (counts[word], word))
        met = [one for one in met if one.word != most]
    return met


def _closest(met: Sequence[_Met], *, parts: int) -> tuple[int, int]:
    """Return the numbers of the first and last of those that say most and stand near enough to be shown together."""
    held: dict[str, set[int]] = {}
    for one in met:
        held.setdefault(one.word, set()).add(one.start // _PART)
    telling = {word: math.log(1 + parts / len(where)) for word, where in held.items()}
    best, place, last = 0.0, (0, 0), 0
    for first, one in enumerate(met):
        last = max(last, first)
        while last + 1 < len(met) and met[last + 1].stop - one.start <= TOGETHER:
            last += 1
        seen: dict[str, float] = {}
        score = 0.0
        for other in met[first : last + 1]:
            more = other.share - seen.get(other.word, 0.0)
            score += telling[other.word] * (more if more > 0 else _AGAIN * other.share)
            seen[other.word] = max(other.share, seen.get(other.word, 0.0))
        if score > best + 1e-9:
            best, place = score, (first, last)
    first, last = place
    least = _LITTLE * max(telling[one.word] for one in met[first : last + 1])
    while telling[met[first].word] < least:
        first += 1
    return first, last


def _cut(content: str, start: int, stop: int, floor: int) -> str:
    """Return what is shown of a text in which ``start`` to ``stop`` was met: from the sentence's beginning, where that is near."""
    lead = max(floor, start - min(_LEAD, SHOWN - (stop - start)))
    begins = [found.end() for found in _SENTENCE.finditer(content, lead, start + 1) if found.end() <= start]
    if begins:
        begin = begins[-1]
    elif lead in (0, floor):
        begin = lead
    else:
        space = content.find(" ", lead, start)
        begin = space + 1 if space >= 0 else start
    end = min(len(content), begin + SHOWN)
    if end < len(content) and not content[end].isspace():
        space = max(content.rfind(" ", stop, end), content.rfind("\n", stop, end))
        end = space if space > 0 else end
    return content[begin:end].strip()
