"""The plain overlap rule of agent-brain: its words, its figure, and when it calls two texts a conflict.

Kept as the original computes it, for ``--rule overlap`` and for the ``overlap`` figure that its lines
print. It reads English letters only; how conflicts are judged for good is ``lifecycle/conflicts``.
"""

from __future__ import annotations

import re
from functools import lru_cache

from plainbrain.records import record

_WORD = re.compile(r"(?<!\w)[a-z]+(?!\w)")
_QUIET = """
a an the is are was were be been being do does did have has had will would could should may might can shall
to of in for on with at by from as into through and or but if then than so not no it its this that these those
i me my we our you your he she they them his her their what which who
very just also like about up out all over use using used every always never
"""
#: English function words that carry nothing, tested before stemming.
FUNCTION_WORDS = frozenset(_QUIET.split())
MIN_SHARED, MIN_RATIO = 2, 0.30


@record(frozen=True, slots=True)
class Overlap:
    """How many words two texts share, and that number over the size of the smaller word set (0..1)."""

    shared: int
    ratio: float

    @property
    def is_conflict(self) -> bool:
        """Whether agent-brain would report the pair."""
        return self.shared >= MIN_SHARED and self.ratio >= MIN_RATIO


def plain_words(text: str) -> list[str]:
    """Return the stems of a text in order, as agent-brain cuts it: English letters only, function words left out."""
    return [plain_stem(word) for word in _WORD.findall(text.lower()) if word not in FUNCTION_WORDS]


@lru_cache(maxsize=8192)
def plain_stem(word: str) -> str:
    """Cut one plural s, then at most one of six English endings; nothing is put back."""
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    for ending, longer_than in (("ment", 5), ("tion", 5), ("sion", 5), ("ing", 4), ("ed", 3), ("ly", 4)):
        if len(word) > longer_than and word.endswith(ending) and not (ending == "ed" and word.endswith("eed")):
            return word[: -len(ending)]
    return word


def measure_overlap(one: str, other: str) -> Overlap:
    """Compare the word sets of two texts; texts without a word share nothing."""
    first, second = frozenset(plain_words(one)), frozenset(plain_words(other))
    smaller = min(len(first), len(second))
    shared = len(first & second)
    return Overlap(shared, shared / smaller if smaller else 0.0)
