"""A text with its title, for readers who see no titles: joined where the text does not say what the title says.

Promises: what was joined is not joined again, and a title that was made from the text itself (its first sentence,
cut or not) adds nothing. Pure.
"""

from __future__ import annotations

import re

_WORD = re.compile(r"\w+")
_CUT = "…"
_ENDS = tuple(".!?:;。！？：；…")


def headed(title: str, text: str) -> str:
    """Return ``text`` with ``title`` before it, on one line where the text has only one; or as it is, where it says the title."""
    if not title or title in text:
        return text
    if not text.strip():
        return title
    if _says(text, title):
        return text
    if "\n" in text.strip("\n"):
        return f"{title}\n\n{text}"
    return f"{title}{'' if title.endswith(_ENDS) else ':'} {text}"


def _says(text: str, title: str) -> bool:
    """Tell whether the words of a title stand in a text, one after the other."""
    whole = title.rstrip(_CUT)
    words = _words(whole)
    if not words:
        return " ".join(whole.split()) in " ".join(text.split())
    return f" {words}{'' if whole != title else ' '}" in f" {_words(text)} "


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
