"""Changes that a message tells: that something is otherwise now, and what it was before.

Owns the words by which a person says so. Must not know what is stored.
"""

from __future__ import annotations

from plainbrain.lifecycle.extract.slots import trim
from plainbrain.text.patterns import compiled, find_first

_CHANGES = r"(?i)\b(?:moved|relocated|joined|switched|migrated|upgraded|ported|changed|renamed|replaced|swapped|left|quit|dropped|ditched|retired|stopped using|got rid of|now|nowadays|these days|no longer|not .* any ?more|any ?more|used to)\b"
#: What comes in addition changes nothing.
_ADDS = r"(?i)\b(?:also|too|as well|besides|in addition|on top|alongside)\b"
#: What was before: behind "from", between "replaced" and "with", behind "not" at the end.
_BEFORE = (
    r"(?i)\bfrom (.+?) (?:over )?(?:to|onto|into)\b",
    r"(?i)\b(?:replaced|swapped|traded|substituted|exchanged) (?:out )?(.+?) (?:with|for|by)\b",
    r"(?i),? (?:not|instead of|rather than|no longer) ([^,]+)$",
)
_LONGEST = 4


def tells_change(text: str) -> bool:
    """Tell whether a clause says that something is otherwise now."""
    return find_first(_CHANGES, text) and not find_first(_ADDS, text)


def was_before(text: str) -> str:
    """Return what a clause says was so before; ``""`` where it names nothing."""
    for pattern in _BEFORE:
        found = compiled(pattern).search(text)
        before = trim(found.group(1)) if found else ""
        if before and len(before.split()) <= _LONGEST:
            return before
    return ""
