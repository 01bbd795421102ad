"""Rules as data: named patterns that run in time linear in the text.

Owns: what a rule is, and how its pattern is compiled and run. Promises: importing this module, and
declaring rules, compiles nothing; RE2 itself is loaded with the first pattern that is really tried, so a
command that never meets a suspicious text never pays for it. Any ``str`` may be searched, lone surrogates
included. Must not know what the rules are for.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate
from typing import Any

from plainbrain.records import record


@record(frozen=True, slots=True)
class Rule:
    """Name a pattern (RE2 syntax), the group that is the find, and words without which it cannot match.

    ``keywords`` are lower-case; one of them has to be in the lower-cased text (no keywords: always tried).
    ``least_word``: its matches hold no white space and are at least so long (0: not so).
    """

    name: str
    pattern: str
    keywords: tuple[str, ...] = ()
    group: int = 0
    least_word: int = 0


@record(frozen=True, slots=True)
class Found:
    """Hold one match: its span, the span and text of the rule's group, and all groups (``""`` if unset)."""

    start: int
    end: int
    value: str
    value_start: int
    groups: tuple[str, ...]


class RuleSet:
    """Hold rules in their order, and by keyword, so that a text is searched once for each keyword."""

    __slots__ = ("_always", "_by_keyword", "_least_word", "rules")

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = tuple(rules)
        self._least_word = min((rule.least_word for rule in self.rules if rule.least_word), default=0)
        self._always = tuple((rule.least_word, at) for at, rule in enumerate(self.rules) if not rule.keywords)
        by_keyword: dict[tuple[str, int], list[int]] = {}
        for at, rule in enumerate(self.rules):
            for keyword in rule.keywords:
                by_keyword.setdefault((keyword, rule.least_word), []).append(at)
        self._by_keyword = tuple((keyword, least, tuple(at)) for (keyword, least), at in by_keyword.items())

    def worth_trying(self, lowered: str) -> Iterator[tuple[int, Rule]]:
        """Yield (place, rule) of the rules that may match a text, given in lower case, in their order."""
        long_words = [word for word in lowered.split() if len(word) >= self._least_word]
        longest = max(map(len, long_words), default=0)
        long_text = " ".join(long_words)
        places = {at for least, at in self._always if least <= longest}
        for keyword, least, at_all in self._by_keyword:
            if least <= longest and keyword in (long_text if least else lowered):
                places.update(at_all)
        for place in sorted(places):
            yield place, self.rules[place]


def searchable(text: str) -> str:
    """Return the text with each lone surrogate replaced by ``?``; offsets stay as they are."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode("utf-8")
    return text


def find_all(rule: Rule, text: str) -> Iterator[Found]:
    """Yield the matches of a rule in a ``searchable`` text, left to right, not overlapping."""
    for match in compiled(rule.pattern).finditer(text):
        start, end = match.span(rule.group)
        if start >= 0:
            groups = tuple(group or "" for group in match.groups())
            yield Found(match.start(), match.end(), text[start:end], start, groups)


def find_first(pattern: str, text: str) -> bool:
    """Tell whether a pattern occurs anywhere in a ``searchable`` text."""
    return compiled(pattern).search(text) is not None


@cache
def compiled(pattern: str) -> Any:
    """Return the compiled pattern; each is compiled once in a process.

    Raises ``re2.error`` for a pattern that RE2 does not take: a fault of whoever wrote the rule.
    """
    # Here and not at the top: loading RE2 costs some 5 ms, and most texts are let through by keywords alone.
    import re2

    options = re2.Options()
    options.log_errors = False
    options.max_mem = 64 << 20
    return re2.compile(pattern, options)


#: What stands between texts that are searched as one. No rule may need more of a text's edge than a line feed gives;
#: the NUL keeps white space from reaching across.
BETWEEN = "\n\0\n\n"


class Sweep:
    """Search many texts at once for where any of some rules may match: for texts of which few hold anything.

    Promises that a text that holds a match is among those named; one that holds none may be named, too. A pattern may
    ask for the beginning or the end of a text only where a line feed would do as well.
    """

    __slots__ = ("_always", "_by_keyword", "_gate", "_rules")

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._rules = tuple(rules)
        self._always = frozenset(at for at, rule in enumerate(self._rules) if not rule.keywords)
        self._by_keyword: dict[str, list[int]] = {_END: []}
        for at, rule in enumerate(self._rules):
            for keyword in rule.keywords:
                self._by_keyword.setdefault(keyword, []).append(at)
        self._gate: Any = None

    def suspects(self, texts: Sequence[str]) -> list[int]:
        """Return the places of the texts in which some rule may match, in order."""
        texts = [searchable(text) for text in texts]
        found: set[int] = set()
        first = size = 0
        for place, text in enumerate(texts, start=1):
            size += len(text)
            if size >= _PIECE or place == len(texts):
                found.update(first + at for at in self._suspects(texts[first:place]))
                first, size = place, 0
        return sorted(found)

    def _suspects(self, texts: list[str]) -> Iterator[int]:
        # each begins and ends with a line feed of its own, so that a match at an edge is a match here, too
        lengths = [len(text.encode("utf-8")) + len(BETWEEN) for text in texts[:-1]]
        starts = list(accumulate(lengths, initial=len(BETWEEN) - 1))
        whole = BETWEEN.join(("", *texts, ""))
        data = whole.encode("utf-8")
        for rule in self._worth_trying(whole.lower()):
            for match in compiled(rule.pattern).finditer(data):
                # no two matches overlap: one that is hidden by another touches it, and so does its text
                yield from range(max(0, bisect_right(starts, match.start()) - 1), bisect_left(starts, match.end()))

    def _worth_trying(self, lowered: str) -> Iterable[Rule]:
        """Return the rules of which a keyword occurs: all keywords are looked for at once."""
        if self._gate is None:
            self._gate = _set_of(self._by_keyword)
        met = self._gate.Match((lowered + _END).encode("utf-8")) or ()
        places = list(self._by_keyword.values())
        if 0 not in met:  # RE2 says nothing when it runs out of memory; but then the mark at the end is not seen
            return self._rules
        return [self._rules[at] for at in sorted(self._always.union(*(places[number] for number in met)))]


#: Texts are joined up to about so many characters: in a short piece few keywords occur.
_PIECE = 1 << 15
_END = "\0\1\0"


def _set_of(keywords: Iterable[str]) -> Any:
    import re2  # late, as in ``compiled``

    options = re2.Options()
    options.log_errors, options.max_mem = False, 16 << 20
    found = re2.Set.SearchSet(options)
    for keyword in keywords:
        found.Add(re2.escape(keyword))
    found.Compile()
    return found


def words(text: str) -> tuple[str, ...]:
    """Return the words of a list that is written as one text, for data that is easier to read so."""
    return tuple(text.split())
