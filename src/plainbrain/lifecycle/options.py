"""Reading an option as somebody wrote it down: which alternatives it lists, and by which words each is known.

Owns that ``A / B``, ``A or B`` and ``A, B`` are each of them, and that ``Redis with Celery`` is two words that belong together.
Must not know the texts that may name it.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from plainbrain.lifecycle.alternatives import read_alternative
from plainbrain.lifecycle.folding import is_dense
from plainbrain.lifecycle.names import FOLLOWS_GO, GO, SLIGHT, STARTS_NO_OPTION, is_known, is_used_word

#: Shorter options (R, no) are also everyday words, names of two characters apart (Go, C#, S3); in scripts without blanks two characters are a word.
MIN_OPTION, MIN_DENSE_OPTION = 3, 2
#: An option in so few words may be one of several in a list.
_LISTED_WORDS = 4
_HUMPS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_HYPHENS = "-\u2010"
_EDGES = "\"'`*_~,;:()[]{}<>.!?“”«»„‘’"


@dataclass(frozen=True, slots=True)
class Word:
    """One word of an option. ``pieces``: its parts at hyphens; ``plain``: of letters, so that it has other spellings."""

    said: str
    folded: str
    pieces: tuple[str, ...]
    plain: bool

    @property
    def joined(self) -> str:
        return "".join(self.pieces)

    @property
    def is_acronym(self) -> bool:
        bare = self.said[:-1] if self.said.endswith("s") else self.said
        return len(bare) > 1 and bare.isupper()

    @property
    def is_name(self) -> bool:
        """Whether it keeps to its own spelling: a known name, or one with humps or digits within."""
        return is_known(self.folded) or any(c.isupper() or c.isdigit() for c in self.said[1:])


@dataclass(frozen=True, slots=True)
class Way:
    """One of the alternatives within an option: the phrase as it is written, and its telling words."""

    phrase: str
    words: tuple[Word, ...]
    slight: bool

    @property
    def has_name(self) -> bool:
        return any(word.is_name or word.said[:1].isupper() for word in self.words)


def options_in(option: str) -> tuple[str, ...]:
    """Return the alternatives within an option as they are compared: folded, without the words of using before them."""
    return tuple(way.phrase for way in ways_of(option))


def is_short_name(word: str) -> bool:
    """Tell whether a folded word of two characters is a name all the same: a known one, or of a letter and a digit."""
    if len(word) != 2:
        return False
    return word == GO or is_known(word) or (word.isalnum() and not word.isalpha() and not word.isdigit())


# reading an option


@lru_cache(maxsize=8192)
def ways_of(option: str) -> tuple[Way, ...]:
    """Return the option as it is written and the alternatives that it lists."""
    whole = " ".join(unicodedata.normalize("NFKC", option).split())
    bare = " ".join(unicodedata.normalize("NFKC", read_alternative(option).option).split())
    listed = [part for one in _outside_brackets(bare) for part in _listed(one)]
    ways: dict[str, Way] = {}
    for said in (whole, *listed):
        way = _way(said, literal=said == whole and listed != [whole])
        if way.phrase:
            ways.setdefault(way.phrase, way)
    return tuple(ways.values())


def _way(said: str, *, literal: bool) -> Way:
    """Read one alternative; ``literal`` is for an option that is read in another form as well: it stands as it is written only."""
    words = said.split()
    if literal:
        return Way(said.casefold(), (), slight=True)
    bare = list(words)
    while len(bare) > 1 and is_used_word(bare[0].casefold()) and not (bare[0] == "Go" and bare[1] in FOLLOWS_GO):
        bare.pop(0)
    if [word.casefold() for word in bare] == [GO]:
        bare = ["Go"]  # alone it is the name, however it is written
    read = [_word(word) for word in bare]
    telling = tuple(word for word in read if word.folded and word.folded not in SLIGHT)
    return Way(" ".join(bare).casefold(), telling, slight=len(telling) < 2 <= len(bare))


def _word(said: str) -> Word:
    bare = said if said[:1] == "." else said.strip(_EDGES)
    folded = bare.strip(_EDGES if bare[:1] != "." else "").casefold() if bare[:1] != "." else bare.casefold()
    pieces = tuple(piece.casefold() for piece in re.split(f"[{_HYPHENS}]", bare) if piece)
    plain = bool(pieces) and all(map(str.isalnum, pieces)) and (bare.isascii() or not any(map(is_dense, bare)))
    if plain and len(pieces) == 1 and bare[:1].islower() and not bare.islower():
        pieces = (
            tuple(piece.casefold() for piece in _HUMPS.findall(bare)) if bare.isascii() and bare.isalpha() else pieces
        )
    return Word(bare, folded, pieces, plain)


def _outside_brackets(option: str) -> list[str]:
    """Return what stands outside brackets, and a short name within them: "JSON Web Tokens (JWT)" is both."""
    before, opened, rest = option.partition(" (")
    inside, closed, after = rest.partition(")")
    if not (opened and closed) or not before.strip():
        return [option]
    inside = inside.strip()
    return [f"{before} {after}".strip(), *([inside] if _is_short_name(inside) else [])]


def _is_short_name(text: str) -> bool:
    return text.isalnum() and len(text) >= MIN_OPTION and (text.isupper() or is_known(text.casefold()))


def _listed(option: str) -> list[str]:
    """Return the alternatives that an option lists; itself alone where it lists none."""
    text = option.removeprefix("either ").removeprefix("Either ")
    for sign in (" / ", " or ", " oder ", " ou ", " | ", "、", " vs ", " vs. ", ", "):
        if sign in text:
            parts = [part for part in _parts(text, sign) if part]
            if len(parts) > 1 and all(_may_be_listed(part) for part in parts):
                return _with_head(parts)
    words = text.split("/")
    if len(words) > 1 and " " not in text and all(map(_is_listed_name, words)):
        return words
    return [option]


def _parts(text: str, sign: str) -> list[str]:
    parts = [part for one in text.split(sign) for part in one.split(", ")]
    if sign == ", ":
        *before, last = parts
        parts = [*before, *last.removeprefix("and ").removeprefix("und ").split(" and ")]
    return [part.strip().removeprefix("or ").strip(" ,") for part in parts]


def _may_be_listed(part: str) -> bool:
    words = part.casefold().split()
    telling = [word for word in words if word not in SLIGHT]
    return bool(telling) and len(words) <= _LISTED_WORDS and words[0] not in STARTS_NO_OPTION


def _is_listed_name(word: str) -> bool:
    return len(word) >= MIN_OPTION and (is_known(word.casefold()) or (word[0].isupper() and not word.isupper()))


def _with_head(parts: list[str]) -> list[str]:
    """Give "weekly or monthly releases" its noun twice; a name stands alone."""
    last = parts[-1].split()
    if len(last) < 2:
        return parts
    head = last[-1]
    named = last[0][:1].isupper()
    alone = [" " in p or is_known(p.casefold()) or p[1:] != p[1:].lower() or (named and p[:1].isupper()) for p in parts]
    return [part if stays else f"{part} {head}" for part, stays in zip(parts, alone, strict=True)]
