"""How sure a memory is: one value with two faces, a number from 0 to 1 and a word.

What was written stays as it was written: a number stays a number, a word a word. The other face is
worked out when it is asked for, by the bands of the design: sure from .85, likely from .55.
"""

from __future__ import annotations

from plainbrain.records import record

SURE, LIKELY, UNCERTAIN = "sure", "likely", "uncertain"
#: The answer when nothing is found; never the confidence of a memory.
UNKNOWN = "unknown"
#: The number that a word stands for.
NUMBER_OF_WORD = {SURE: 0.95, LIKELY: 0.7, UNCERTAIN: 0.4}
#: What a memory is worth when nobody said how sure it is.
UNSAID = 0.7
SURE_FROM, LIKELY_FROM = 0.85, 0.55


@record(frozen=True, slots=True)
class Confidence:
    """Hold what was written: ``number`` in 0..1, or ``word`` (any text), or neither."""

    number: float | None = None
    word: str = ""

    @property
    def value(self) -> float:
        """The number to rank with, 0..1; one that is out of it counts as unsaid."""
        if self.number is not None:
            return self.number if 0.0 <= self.number <= 1.0 else UNSAID  # a slip, which tells nothing
        return NUMBER_OF_WORD.get(self.word.strip().lower(), UNSAID)

    @property
    def label(self) -> str:
        """The word to print: as written, else by the bands."""
        if self.word:
            return self.word
        if self.value >= SURE_FROM:
            return SURE
        return LIKELY if self.value >= LIKELY_FROM else UNCERTAIN

    @property
    def said(self) -> bool:
        """Whether anybody said how sure it is."""
        return self.number is not None or bool(self.word)
