"""What a rule about surroundings is: a pattern and the judge of its finds; and how patterns are built of word lists.

Pure; must not know any rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from plainbrain.records import record
from plainbrain.text.patterns import Found, Rule


@record(frozen=True, slots=True)
class ContextRule:
    """Pair a pattern with the judgement of what it finds; the judge sees the find and the whole text."""

    rule: Rule
    judge: Callable[[Found, str], bool]


def context_rule(
    name: str, pattern: str, keywords: tuple[str, ...], judge: Callable[[Found, str], bool], group: int = 1
) -> ContextRule:
    """Return a rule whose find is the given group."""
    return ContextRule(Rule(name, pattern, keywords, group), judge)


def either_of(words: list[str] | tuple[str, ...]) -> str:
    """Return the alternatives as a pattern, longest first, taken literally."""
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return "|".join("".join("\\" + c if c in ".+?*()[]{}|^$\\" else c for c in word) for word in ordered)


def shortest_of(words: Iterable[str]) -> tuple[str, ...]:
    """Drop each word that holds another one: as keywords the shorter ones do for both."""
    lowered = {word.lower() for word in words}
    return tuple(sorted(word for word in lowered if not any(other in word for other in lowered - {word})))
