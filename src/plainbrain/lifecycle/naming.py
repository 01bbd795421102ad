"""What counts as naming an option: the words of a text held against the words of an option.

Owns the likeness of words: one in another number, joined or hyphenated is the same word, a name is the same in its own spelling only.
Promises that whole words alone count, and that a text is read once for any number of options. Must not know which decisions there are.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from plainbrain.lifecycle.denial import is_denied, is_mark
from plainbrain.lifecycle.folding import Span, fold_lines, is_dense, places_of
from plainbrain.lifecycle.names import (
    FOLLOWS_GO,
    GO,
    GOING,
    LEADS_TO_GO,
    OF_TOOLS,
    ORDINARY,
    SLIGHT,
    TAKEN_UP,
    VERBS,
    is_everyday,
    is_known,
    other_names,
)
from plainbrain.lifecycle.options import MIN_DENSE_OPTION, MIN_OPTION, Way, Word, is_short_name, ways_of
from plainbrain.text.stem import root

_TOKEN = re.compile(r"\w+(?:\+\+|#)?")
_LATIN = re.compile(r"[a-z0-9_]+")
_VERSION = re.compile(r"[ v]{0,2}\d+\.\d")
_SENTENCE_ENDS = "\n.!?。！？"
_HYPHENS = "-\u2010"
_PRONOUNS = frozenset({"we", "i", "you", "they", "users", "people"})
_MODALS = frozenset({"can", "could", "will", "would", "must", "should", "may", "might", "to", "do", "also", "then"})


@dataclass(frozen=True, slots=True)
class Naming:
    """One place where a text names an option: for each of its telling words, where it stands in that sentence."""

    words: tuple[tuple[Span, ...], ...]

    @property
    def at(self) -> int:
        """The first character of it."""
        return min(start for spans in self.words for start, _ in spans)


class Passage:
    """A text, read once, that is asked which options it names. ``clauses``: the text folded, as ``denial`` reads it."""

    def __init__(self, text: str) -> None:
        text = unicodedata.normalize("NFKC", text)
        self.clauses = fold_lines(text.casefold())
        self._folded = self.clauses.replace("\n", " ")
        cased = fold_lines(text).replace("\n", " ")
        self._cased = cased if len(cased) == len(self._folded) else self._folded

    def namings(self, option: str) -> tuple[Naming, ...]:
        """Return where the text names an option: as it is written, or by all its telling words within a sentence."""
        if not self._may_name(option):
            return ()
        found: list[Naming] = []
        for way in ways_of(option):
            literal = self._literal(way)
            spans = [*literal, *(span for span in self._phrase(way) if span not in literal)]
            found += [Naming(((span,),)) for span in spans]
            if len(way.words) > 1:
                found += self._scattered(way, sorted(spans))
        return tuple(found)

    def partly(self, option: str) -> tuple[tuple[str, Naming], ...]:
        """Return the rare words of an option of several words that the text names, each with where."""
        if not self._may_name(option):
            return ()
        found = {}
        for way in ways_of(option):
            for word in way.words if len(way.words) > 1 or way.slight else ():
                spans = tuple(span for span in self._spans(word) if self._is_telling(word, span))
                if spans and len(word.folded) >= MIN_OPTION:
                    found[word.said] = Naming((spans,))
        return tuple(found.items())

    def tells_of(self, option: str) -> bool:
        """Tell whether the text names an option, or a telling word of it."""
        return self._may_name(option) and bool(self.namings(option) or self.partly(option))

    def denies(self, naming: Naming) -> bool:
        """Tell whether the text turns down one of the words of a naming wherever it stands there."""
        return any(all(is_denied(self.clauses, *span) for span in spans) for spans in naming.words)

    # one word, in all its spellings

    def _literal(self, way: Way) -> list[Span]:
        """Return where the phrase stands as it is written, as whole words."""
        wanted = way.phrase
        if len(wanted) < (MIN_DENSE_OPTION if is_dense(wanted[:1]) else MIN_OPTION) and not is_short_name(wanted):
            return []
        spans = places_of(self._folded, wanted)
        return [span for span in spans if self._is_meant(way.words[0], span)] if len(way.words) == 1 else spans

    def _phrase(self, way: Way) -> list[Span]:
        """Return where an option of one word stands in another spelling."""
        if len(way.words) != 1 or way.slight:
            return []
        if len(way.words[0].folded) < MIN_OPTION and not is_short_name(way.words[0].folded):
            return []
        return self._spans(way.words[0])

    def _spans(self, word: Word) -> list[Span]:
        """Return where a word stands, in any spelling of it."""
        found = set() if word.plain and self._folded.isascii() else set(places_of(self._folded, word.folded))
        if word.plain:
            found |= {self._tokens[at] for at in self._like(word)}
            found |= {self._tokens[at] for name in other_names(word.folded) for at in self._by_word.get(name, ())}
            found |= self._joined.get(root(word.joined), set())
            if len(word.pieces) > 1:
                found |= self._apart(word.pieces)
        return sorted(span for span in found if self._is_meant(word, span))

    def _like(self, word: Word) -> list[int]:
        joined = word.joined
        exact = is_known(word.folded) or len(joined) < MIN_OPTION
        if exact and not word.is_acronym:
            return self._by_word.get(joined, [])
        if word.is_acronym or word.is_name:
            bare = joined[:-1] if word.said.endswith("s") else joined
            return [*self._by_word.get(bare, ()), *self._by_word.get(bare + "s", ())]
        return self._by_root.get(root(joined), [])

    def _apart(self, pieces: Sequence[str]) -> set[Span]:
        """Return where the pieces of a word stand one after another, with a blank or a hyphen between."""
        found = set()
        for at in self._by_word.get(pieces[0], ()):
            run = self._tokens[at : at + len(pieces)]
            said = [self._folded[start:end] for start, end in run]
            same = said[:-1] == list(pieces[:-1]) and len(run) == len(pieces) and root(said[-1]) == root(pieces[-1])
            if same and all(self._between(a, b) in ("-", "\u2010", " ") for a, b in pairwise(run)):
                found.add((run[0][0], run[-1][1]))
        return found

    def _between(self, one: Span, other: Span) -> str:
        return self.clauses[one[1] : other[0]]

    @cached_property
    def _tokens(self) -> list[Span]:
        spans = [match.span() for match in _TOKEN.finditer(self._folded)]
        return [span for span in spans if not is_mark(self._folded[span[1] : span[1] + 1])]

    @cached_property
    def _by_word(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for at, (start, end) in enumerate(self._tokens):
            found.setdefault(self._folded[start:end], []).append(at)
        return found

    @cached_property
    def _by_root(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for word, places in self._by_word.items():
            found.setdefault(root(word), []).extend(places)
        return found

    @cached_property
    def _joined(self) -> dict[str, set[Span]]:
        """Words that are written in two, with a hyphen, or with a blank where both begin with a capital, by the key of the whole."""
        found: dict[str, set[Span]] = {}
        for one, other in pairwise(self._tokens):
            between = self._between(one, other)
            if (between and between in _HYPHENS) or (
                between == " " and self._is_capital(one) and self._is_capital(other)
            ):
                whole = self._folded[slice(*one)] + self._folded[slice(*other)]
                found.setdefault(root(whole), set()).add((one[0], other[1]))
        return found

    def _is_capital(self, span: Span) -> bool:
        return self._cased[span[0]].isupper()

    def _is_meant(self, word: Word, span: Span) -> bool:
        if self._folded[slice(*span)] == GO and (word.said[:1].isupper() or word.folded != GO):
            return self._is_go(span)
        return not self._is_verb(word, span) and not self._is_ordinary(word, span)

    def _is_go(self, span: Span) -> bool:
        """Tell whether "go" is the language: "in go", "Go 1.22", "the Go service", and not "go ahead"."""
        before = self._folded[max(0, span[0] - 40) : span[0]].split()
        after = self._folded[span[1] : span[1] + 40].replace("-", " ").split()[:1]
        if self._cased.strip() == "Go" or LEADS_TO_GO & set(before[-1:]) or _VERSION.match(self._folded, span[1]):
            return True
        written = {self._cased[slice(*self._tokens[at])] for at in self._by_word[GO]}
        if written == {"Go"} and not self._opens(span) and not GOING & set(after):
            return True  # a text that has the verb as well ("go with Go") needs better signs
        return bool(FOLLOWS_GO & {word.strip(_SENTENCE_ENDS) for word in after})

    def _is_ordinary(self, word: Word, span: Span) -> bool:
        """Tell whether a name that is also a word of every day is meant as that: "the rest of the code"."""
        if word.folded not in ORDINARY or not word.said[:1].isupper() or self._cased[span[0] : span[1]].isupper():
            return False
        before = self._folded[max(0, span[0] - 40) : span[0]].split()
        after = self._folded[span[1] : span[1] + 40].replace("-", " ").split()
        if self._is_capital(span) and not word.is_acronym and before:
            return False
        return before[-1:] == ["the"] or not (TAKEN_UP & set(before[-1:]) or OF_TOOLS & set(after[:1]))

    def _is_verb(self, word: Word, span: Span) -> bool:
        """Tell whether a name that is also a verb is meant as the verb: "we react fast"."""
        if word.folded not in VERBS or not word.said[:1].isupper() or self._is_capital(span):
            return False
        before = self._folded[max(0, span[0] - 40) : span[0]].split()
        following = self._folded[span[1] : span[1] + 4]
        if before and before[-1] == "to" and following == " to ":
            return True
        while before and before[-1] in _MODALS:
            before.pop()
        return bool(before) and before[-1] in _PRONOUNS and span[0] > 0

    # several words

    def _scattered(self, way: Way, literal: Sequence[Span]) -> list[Naming]:
        """Return the sentences that hold all words of a way, in any order, beside where it stands as it is written."""
        groups: list[dict[int, list[Span]]] = []
        for word in way.words:
            places: dict[int, list[Span]] = {}
            for span in self._spans(word):
                if not _is_within(span, literal):
                    places.setdefault(bisect(self._sentences, span[0]), []).append(span)
            groups.append(places)
        shared = sorted(set(groups[0]).intersection(*groups[1:]))
        namings = [Naming(tuple(tuple(places[sentence]) for places in groups)) for sentence in shared]
        reach = 3 * len(way.words) + 4
        return [one for one in namings if _is_apart(one) and (way.has_name or self._is_near(one, reach))]

    def _is_near(self, naming: Naming, reach: int) -> bool:
        """Tell whether every other word of a naming stands within so many words of one place of the first."""

        def near(one: Span, spans: tuple[Span, ...]) -> bool:
            at = bisect(spans, one)
            return any(self._words_between(one, span) < reach for span in spans[max(0, at - 1) : at + 1])

        return any(all(near(one, spans) for spans in naming.words) for one in naming.words[0])

    def _words_between(self, one: Span, other: Span) -> int:
        low, high = sorted((one, other))
        return self._folded.count(" ", low[0], high[1])

    @cached_property
    def _sentences(self) -> list[int]:
        """Where sentences, paragraphs and items of lists end."""
        text = self.clauses
        ends = (at for at, c in enumerate(text) if c in _SENTENCE_ENDS)
        return [at for at in ends if text[at] != "." or not text[at + 1 : at + 2].isalnum()]

    def _is_telling(self, word: Word, span: Span) -> bool:
        """Tell whether a word says by itself which option is meant."""
        if is_known(word.folded) and not is_everyday(word.folded):
            return True
        bare = word.said.rstrip("s")
        if bare.isupper() or not any(c.isupper() for c in word.said):
            return False
        if any(c.isupper() for c in word.said[1:]):
            return True
        return self._is_capital(span) and not self._opens(span)

    def _opens(self, span: Span) -> bool:
        """Tell whether a word is the first of its sentence, which is written with a capital whatever it is."""
        before = bisect(self._sentences, span[0])
        first = self._sentences[before - 1] + 1 if before else 0
        return not self._folded[first : span[0]].strip(" -*•\"'`(")

    # a quick look

    def _may_name(self, option: str) -> bool:
        """Tell quickly whether there is any use in reading an option: some word of it begins as one of the text does."""
        if not option.isascii():
            return True
        words = [word for word in option.casefold().split() if word not in SLIGHT]
        return not words or any(self._may_begin(run) for word in words for run in _TOKEN.findall(word) or (word[:1],))

    def _may_begin(self, run: str) -> bool:
        """Tell whether a word of the text may be this one, or begin with it: endings change, and words are joined."""
        short = 2 if len(run) < 4 else 3 if len(run) < 6 else 4
        beginnings, whole = self._beginnings
        if run[:short] in beginnings or run[: short - 1] in whole:
            return True
        return any(name in self._by_word for name in other_names(run))

    @cached_property
    def _beginnings(self) -> tuple[frozenset[str], frozenset[str]]:
        """The first one to four characters of the words of the text, and its words of three at most."""
        words = {*self._by_word, *self._joined, *_LATIN.findall(self._folded)}
        begun = frozenset(word[:size] for word in words for size in (1, 2, 3, 4))
        return begun | frozenset(self._folded), frozenset(word for word in words if len(word) < 4)


def find_option(text: str, option: str) -> int:
    """Return where ``text`` names ``option`` first, or -1; both are folded alike."""
    return min((naming.at for naming in Passage(text).namings(option)), default=-1)


def _is_within(span: Span, spans: Sequence[Span]) -> bool:
    """Tell whether a span lies within one of several, which are sorted and apart."""
    at = bisect(spans, (span[0], sys.maxsize)) - 1
    return at >= 0 and span[1] <= spans[at][1]


def _is_apart(naming: Naming) -> bool:
    """Tell whether the words of a naming are different places: one word of a text does not stand for two of an option."""
    return len(set(naming.words)) == len(naming.words)
