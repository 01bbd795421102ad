"""Reading a text into statements that can be held against each other.

A statement is its items in order (words, numbers, times, names with figures in them), whether it denies,
what it says is no longer so, whether it adds to something, and whether it tells of the past. Any script; never raises.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from plainbrain.lifecycle.conflicts.cutting import WordPiece, cut_sentence
from plainbrain.lifecycle.conflicts.figures import Figure, read_figure
from plainbrain.lifecycle.conflicts.lexicon import Sense, lexicon
from plainbrain.records import record
from plainbrain.text.stem import stem

MAX_STATEMENTS, MAX_TEXT, MAX_SENTENCE = 16, 20_000, 1_000
_BREAKS = re.compile(r"(?<=[.!?])\s+|[\n\r。！？；;।؟]+")
_MARKERS = "-*>#•+ \t"


@record(frozen=True, slots=True)
class Item:
    """One thing a statement is made of.

    ``key`` is what it is compared by. ``sort`` is ``word``, ``figure`` or ``name`` (letters and digits
    mixed); ``dim`` is a figure's dimension. ``prep`` is the preposition before it, ``gap`` whether anything
    stood between it and the item before, ``proper`` whether it is written like a name, ``weak`` whether it
    counts only as one side of an opposition, ``numbered`` whether it is a figure that names its thing,
    ``copula`` whether an ``is`` stands right before it (and its preposition).
    """

    key: str
    sort: str = "word"
    dim: str = ""
    sense: Sense = Sense()
    prep: str = ""
    gap: bool = False
    proper: bool = False
    weak: bool = False
    numbered: bool = False
    copula: bool = False


@record(frozen=True, slots=True)
class Statement:
    """One sentence, read. ``denied`` holds keys of what it says is not, or no longer, so;
    ``denies_at`` is the place of the item behind the denial."""

    items: tuple[Item, ...]
    negated: bool = False
    denied: frozenset[str] = frozenset()
    also: bool = False
    past: bool = False
    denies_at: int = -1


@lru_cache(maxsize=512)
def read_statements(text: str) -> tuple[Statement, ...]:
    """Read the sentences of ``text``, at most the first sixteen that say something, of the first 20 000 characters."""
    found = []
    for sentence in _BREAKS.split(text[:MAX_TEXT]):
        if sentence and (statement := _Reader(sentence[:MAX_SENTENCE].strip(_MARKERS)).read()).items:
            found.append(statement)
            if len(found) == MAX_STATEMENTS:
                break
    return tuple(found)


class _Reader:
    """Read one sentence, piece by piece."""

    def __init__(self, sentence: str) -> None:
        self.sentence = sentence
        self.items: list[Item] = []
        self.denied: set[str] = set()
        self.nots = self.not_verbs = self.also = self.past = False
        self.denies_at = -1
        # What the words so far mean for the next one.
        self.prep, self.gap, self.moved = "", False, ""
        self.copula = False
        self.denying = self.after_comma = self.portuguese = False

    def read(self) -> Statement:
        words = lexicon()
        pieces = cut_sentence(self.sentence, words)
        if any(piece.sense and piece.sense.role == "move" for piece in pieces):
            self.moved = "moved"
        self.portuguese = any(piece.word in _PORTUGUESE for piece in pieces)
        at = 0
        while at < len(pieces):
            figure = read_figure(pieces, at, words)
            if figure:
                at += figure.length
                self._add_figure(figure)
            else:
                self._take(pieces[at], pieces[at + 1] if at + 1 < len(pieces) else None)
                at += 1
        items = tuple(self.items)
        return Statement(
            items, self.nots != self.not_verbs, frozenset(self.denied), self.also, self.past, self.denies_at
        )

    def _take(self, piece: WordPiece, after: WordPiece | None) -> None:
        sense = piece.sense or Sense()
        if piece.word == "no" and self.portuguese:
            sense = Sense("prep", "in")
        if not sense.kinds and self._is_initials(piece, sense):
            sense = Sense()
        elif sense.name == "HAVE" and after and _is_participle(after):
            sense = Sense("stop")
        if piece.sort == "equals":
            self.prep, self.gap = "is", True
            return
        if piece.sort in ("comma", "sign"):
            self.denying, self.after_comma, self.gap = False, piece.sort == "comma", True
            return
        if sense.kinds and sense.role in ("stop", "prep") and not piece.text.isupper():
            self._take_role(piece, sense, after)
        elif sense.kinds or sense.month or sense.weekday:
            self._add_word(piece, sense)
        else:
            self._take_role(piece, sense, after)
        self.after_comma = False

    def _is_initials(self, piece: WordPiece, sense: Sense) -> bool:
        """Whether capitals make a name of what would be a function word: the US, server A."""
        if not piece.text.isupper() or sense.role not in ("stop", "speaker", "prep") or piece.text in ("I", "DO"):
            return False
        return not piece.first if len(piece.text) == 1 else not self.sentence.isupper()

    def _take_role(self, piece: WordPiece, sense: Sense, after: WordPiece | None) -> None:
        match sense.role:
            case "stop" | "time":
                self.gap = True
                self.copula = self.copula or piece.word in _COPULAS
            case "prep" if piece.word == "over" and any(item.key == "PREFER" for item in self.items):
                self.denying, self.gap = True, True
            case "prep" | "from" if not (self.moved == "moved" and sense.role == "from"):
                self.prep, self.gap, self.denying = sense.name, True, False
                if self.moved == "replaced" and sense.name in ("with", "by"):
                    self.moved = ""
            case "from":
                self.denying, self.gap, self.moved = True, True, ""
            case "instead":
                self.denying, self.gap = True, True
            case "not":
                if self.after_comma and self.items:
                    self.denying = True
                else:
                    self.nots, self.denies_at = True, len(self.items)
                self.gap = True
            case "past":
                self.past, self.gap = True, True
                if piece.word in _PAST_VERBS:
                    self._add_word(piece, Sense("only", _PAST_VERBS[piece.word]))
            case "also":
                self.also, self.gap = True, True
            case "move":
                self.gap = True
                self.items.append(Item("USE", sense=Sense("pick", "USE")))
                return
            case "replace":
                self.denying, self.moved, self.gap = True, "replaced", True
                self.items.append(Item("USE", sense=Sense("pick", "USE")))
                return
            case "not-pick" | "not-only" | "not-many":
                self.not_verbs = True
                self._add_word(piece, replace(sense, role=sense.role[4:]))
                return
            case _:
                self._add_word(piece, sense)
                return
        if sense.sides:
            self.items.append(Item(piece.word, sense=sense, weak=True))

    def _add_word(self, piece: WordPiece, sense: Sense) -> None:
        if any(sign in piece.word for sign in _TURKISH_NOT):
            self.nots = True
        mixed = any(c.isdigit() for c in piece.word)
        key = sense.name if sense.name and sense.role != "light" and sense.name not in _LOOSE else ""
        key = sense.same or key
        if not key:
            ascii_word = piece.word.isascii() and piece.word.isalpha()
            key = stem(piece.word) if ascii_word and not sense.kinds else piece.word
        proper = (piece.text[:1].isupper() and not piece.first) or any(c.isupper() for c in piece.text[1:])
        self._add(
            Item(
                key,
                "name" if mixed and not sense.kinds else "word",
                sense=sense,
                prep=self.prep,
                gap=self.gap,
                proper=proper or mixed or bool(_NAMELIKE & set(piece.word)),
            )
        )

    def _add_figure(self, figure: Figure) -> None:
        self._add(
            Item(
                figure.key,
                "figure",
                figure.dim,
                prep=self.prep,
                gap=self.gap,
                numbered=figure.numbered or (bool(self.items) and self.items[-1].key in _NUMBERED),
            )
        )

    def _add(self, item: Item) -> None:
        if self.denying:
            self.denied.add(item.key)
        else:
            self._narrow(item)
            self.items.append(replace(item, copula=True) if self.copula else item)
        self.prep, self.gap, self.copula = "", False, False

    def _narrow(self, item: Item) -> None:
        """Make a speaker that stands right before a noun a plain word: the team plan is not the team."""
        last = self.items[-1] if self.items else None
        if last is None or last.sense.role != "speaker" or last.sense.name != "team" or item.gap or item.sort != "word":
            return
        if not (item.sense.name in _VERBS or item.sense.role == "light" or item.sense.kinds):
            self.items[-1] = replace(last, sense=Sense())


def _is_participle(piece: WordPiece) -> bool:
    """Whether ``has`` before it only tells that it is done."""
    role = piece.sense.role if piece.sense else ""
    return (
        role in ("move", "replace") or piece.word.endswith("ed") or (bool(piece.sense) and piece.word.endswith("ed to"))
    )


_PAST_VERBS = {"worked": "WORK", "lived": "LIVE"}
_NAMELIKE = frozenset("./@_")
_COPULAS = frozenset(
    {
        "is",
        "are",
        "be",
        "ist",
        "sind",
        "est",
        "sont",
        "es",
        "son",
        "esta",
        "e",
        "sao",
        "sono",
        "zijn",
        "jest",
        "sa",
        "ar",
        "er",
        "adalah",
        "是",
    }
)
#: What denies within a Turkish verb.
_TURKISH_NOT = ("mıyor", "miyor", "muyor", "müyor")
#: Words by which a sentence is Portuguese, where ``no`` means "in the".
_PORTUGUESE = frozenset(
    {"em", "um", "uma", "ao", "os", "mora", "moro", "trabalha", "trabalho", "nao", "tem", "equipe", "projeto"}
)
#: Predicates that may follow the speaker; before other words ``team`` or ``project`` only narrows them.
_VERBS = frozenset(
    {
        "LIVE",
        "WORK",
        "NAME",
        "USE",
        "PREFER",
        "LIKE",
        "HAVE",
        "DO",
        "HOST",
        "STORE",
        "BUILD",
        "IDENT",
        "WHEN",
        "LAUNCH",
        "COST",
    }
)
#: Concepts whose words are attributes of their own, and not the same thing said differently.
_LOOSE = frozenset({"ATTR", "DO", "PAST", "OWN", "WHEN"})
_THINGS = """
issue ticket pr bug incident room phase step chapter sprint day week task story milestone
flight section lesson part track line item appendix figure table gate lane rule article
"""
#: Things that are told apart by a number after their name.
_NUMBERED = frozenset(map(stem, _THINGS.split()))
