"""The word tables for judging conflicts, read once into dictionaries on first use.

Knows how the tables are written and how a word is folded; knows nothing of statements.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from plainbrain.lifecycle.conflicts.values import CLASSES, MONTHS, NUMBERS, OPPOSITES, UNITS, WEEKDAYS
from plainbrain.lifecycle.conflicts.words import TABLE
from plainbrain.records import record

MAX_PHRASE = 4
_APOSTROPHES = "\u2018\u2019\u02bc\uff07"


@record(frozen=True, slots=True)
class Sense:
    """What a word or phrase is: its part in a statement, and the values it stands for.

    ``role`` and ``name`` are of ``conflicts_words``; ``kinds`` name classes of values, ``sides`` are
    ``(opposition, side)``; ``month`` and ``weekday`` count from 1, ``number`` is what a number word counts, ``same`` the first
    of several names of one thing.
    """

    role: str = ""
    name: str = ""
    kinds: frozenset[str] = frozenset()
    sides: frozenset[tuple[int, int]] = frozenset()
    month: int = 0
    weekday: int = 0
    number: int | None = None
    same: str = ""


#: What a table says of a word: the field of its sense, and the value.
_Fact = tuple[str, Any]


class Lexicon:
    """Look words and phrases up: whole, by their beginning, and within a run without blanks.

    Only what is asked for becomes a ``Sense``: most of the tables is never needed.
    """

    def __init__(self) -> None:
        self._facts = facts = _read_tables()
        self._known: dict[str, Sense] = {}
        self._beginnings: dict[str, list[str]] = {}
        for word in facts:
            if word[-1] == "*":
                self._beginnings.setdefault(word[0], []).append(word[:-1])
        for beginnings in self._beginnings.values():
            beginnings.sort(key=len, reverse=True)
        self.phrase_starts = {word.split(" ", 1)[0] for word in facts if " " in word}
        self._dense = {word.rstrip("*"): word for word in facts if word[0] > "\u0dff" and is_dense(word[0])}
        self.longest_dense = max(map(len, self._dense))
        self._units = {
            word: (dim, float(factor))
            for head, words in _folded_lines(UNITS)
            for dim, factor in [head.split()]
            for word in words
        }

        self._unit_beginnings = [(word[:-1], unit) for word, unit in self._units.items() if word.endswith("*")]

    def sense(self, word: str) -> Sense | None:
        """Return the sense of a folded word or phrase that is listed as it stands."""
        if word not in self._known:
            if word not in self._facts:
                return None
            self._known[word] = _make_sense(self._facts[word])
        return self._known[word]

    def dense_sense(self, text: str) -> Sense | None:
        """Return the sense of a listed word of a script without blanks."""
        listed = self._dense.get(text)
        return self.sense(listed) if listed else None

    def is_listed_dense(self, text: str) -> bool:
        """Tell whether ``text`` is a listed word of a script without blanks."""
        return text in self._dense

    def find(self, word: str) -> Sense | None:
        """Return the sense of a folded word, by itself or by its beginning."""
        if (sense := self.sense(word)) or word in self._units:
            return sense
        for beginning in self._beginnings.get(word[:1], ()):
            if word.startswith(beginning):
                return self.sense(beginning + "*")
        return None

    def unit(self, word: str) -> tuple[str, float] | None:
        """Return the dimension of a unit and what one of it is in the dimension's own unit."""
        if word in self._units:
            return self._units[word]
        return next((unit for beginning, unit in self._unit_beginnings if word.startswith(beginning)), None)


def _read_tables() -> dict[str, tuple[_Fact, ...]]:
    """Return what the tables say of each word. Tables are folded, and lines told, in one go: word by word takes three times as long."""
    facts: dict[str, tuple[_Fact, ...]] = {}

    def tell(words: Iterable[str], fact: _Fact) -> None:
        new: dict[str, tuple[_Fact, ...]] = dict.fromkeys(words, (fact,))
        for word in facts.keys() & new.keys():
            new[word] = (*facts[word], fact)
        facts.update(new)

    for head, words in _folded_lines(TABLE):
        role, _, name = head.partition(" ")
        tell(words, ("role", (role, name.rstrip("0123456789"))))
    for kind, words in _folded_lines(CLASSES):
        for word in words:
            names = word.split("=")
            for name in names:
                facts[name] = (*facts.get(name, ()), ("kind", (kind, names[0])))
    for number, words in _folded_lines(NUMBERS):
        tell(words, ("number", int(number)))
    for at, line in enumerate(fold_word(OPPOSITES).splitlines()):
        for side, listed in enumerate(line.split("|")):
            tell(_words_of(listed), ("side", (at, side)))
    for field, table in (("month", MONTHS), ("weekday", WEEKDAYS)):
        for at, line in enumerate(fold_word(table).splitlines(), 1):
            tell(line.split(), (field, at))
    return facts


def _folded_lines(table: str) -> Iterator[tuple[str, list[str]]]:
    lines = [line.partition(":") for line in table.strip().splitlines()]
    folded = fold_word("\n".join(rest for _, _, rest in lines)).split("\n")
    for (head, _, _), rest in zip(lines, folded, strict=True):
        yield head.strip(), _words_of(rest)


def _words_of(listed: str) -> list[str]:
    return [word for part in listed.split(",") if (word := part.strip())]


def _make_sense(facts: tuple[_Fact, ...]) -> Sense:
    """Put together what the tables say of one word; of two roles the first counts."""
    single = dict(reversed(facts))
    role, name = single.get("role", ("", ""))
    return Sense(
        role,
        name,
        frozenset(kind for field, value in facts if field == "kind" for kind in value[:1]),
        frozenset(value for field, value in facts if field == "side"),
        single.get("month", 0),
        single.get("weekday", 0),
        single.get("number"),
        fold_word(single["kind"][1]) if "kind" in single else "",
    )


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """Return the one lexicon, read on first use."""
    return Lexicon()


#: Accents, vowel signs and the stretching of Arabic words, which are left out; and Arabic letters that stand for one.
_MARKS = re.compile("[\u0300-\u036f\u064b-\u065f\u0640]+")
_LETTERS = (("أ", "ا"), ("إ", "ا"), ("آ", "ا"), ("ى", "ي"))


#: No word is as long as this; the tables, which are folded as a whole, are.
_LONG = 1_000


@lru_cache(maxsize=16_384)
def fold_word(word: str) -> str:
    """Return a word without case, widths and accents, apostrophes straight."""
    word = word.strip().lower()
    if word.isascii() or (len(word) < _LONG and "\u3041" <= min(word) <= max(word) <= "\ud7a3"):
        return word
    for apostrophe in _APOSTROPHES:
        word = word.replace(apostrophe, "'")
    apart = unicodedata.normalize("NFKD", word.replace("ß", "ss"))
    folded = unicodedata.normalize("NFC", _MARKS.sub("", apart))
    for letter, plain in _LETTERS:
        folded = folded.replace(letter, plain)
    return folded


def is_dense(character: str) -> bool:
    """Tell whether a character is of a script that is written without blanks between words."""
    code = ord(character)
    return (
        0x2E80 <= code <= 0x312F
        or 0x3190 <= code <= 0x9FFF
        or 0xF900 <= code <= 0xFAFF
        or code >= 0x20000
        or (0x0E00 <= code <= 0x0EFF or 0x1000 <= code <= 0x109F or 0x1780 <= code <= 0x17FF)
    )
