"""Texts as names are looked for in them: folded, whole words only, in scripts with and without blanks between words.

Owns where a word may begin and end. Pure, and linear in the length of the text.
"""

from __future__ import annotations

import unicodedata

from plainbrain.lifecycle.denial import is_mark

Span = tuple[int, int]
#: First characters of the Unicode names of scripts that are written without blanks between words.
_DENSE = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR")


def fold(text: str) -> str:
    """Return a text as options are compared: without case, blanks of any length alike."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def fold_lines(text: str) -> str:
    """Join the lines of a text, a line feed in place of the blank where a paragraph or an item of a list begins."""
    found: list[str] = []
    begins = False
    for line in text.split("\n"):
        words = line.split()
        if words:
            begins = begins or words[0].rstrip(".)").isdigit() or words[0] in ("-", "*", "+", "•")
            found += ["\n" if begins else " ", " ".join(words)]
        begins = not words
    return "".join(found[1:])


def places_of(folded: str, wanted: str) -> list[Span]:
    """Return where a folded phrase stands in a folded text as whole words, from where to where."""
    found: list[Span] = []
    at = folded.find(wanted) if wanted else -1
    while at >= 0:
        end = at + len(wanted)
        if _is_edge(folded[at - 1 : at] if at else "", wanted[0]) and _is_edge(wanted[-1], folded[end : end + 1]):
            found.append((at, end))
        at = folded.find(wanted, at + 1)
    return found


def _is_edge(left: str, right: str) -> bool:
    """Whether a word may end between two characters: only letters that run on make one word of both, and marks never stand alone."""
    return not (_is_running(left) and _is_running(right)) and not is_mark(right)


def _is_running(character: str) -> bool:
    return (character.isalnum() or character == "_") and not is_dense(character)


def is_dense(character: str) -> bool:
    return bool(character) and not character.isascii() and unicodedata.name(character, "").startswith(_DENSE)
