"""Corrections: what the user says was wrong, and what is right.

Owns how a correction is announced and read when no other rule reads it. Must not know stores.
"""

from __future__ import annotations

from collections.abc import Iterator

from plainbrain.lifecycle.extract.clauses import Clause
from plainbrain.lifecycle.extract.slots import is_pointing, trim
from plainbrain.text.patterns import compiled, find_first

_LEADS = r"(?i)^(?:no\b|nope|actually|correction|wrong|that's|that is|not quite|(?:as )?i(?:'ve)? (?:already )?told|you(?:'ve)? (?:got|have)|small correction|minor correction|quick correction|i said|scratch that|you're wrong|it's not|nein|eigentlich|non\b|en fait|en realidad|não|na verdade|нет|на самом деле)"
_STOP = r"(?i)^(?:stop |my name is spelled |no longer )"
_INSTEAD = r"(?i)^(?:(?:it's|it is|we|the|our|my|i|that's|this is|use) ?.+?),? (?:not|instead of|rather than) (.+)$"
_DOUBT = r"(?i)^(?:i'm|i am|i do|i did|we're|we are|we do|it's|it is|that's|this is|(?:the|our|my) \S+ (?:is|are|does|do|was|were)) not\b"
#: What was done once instead of something else corrects nothing, unless it is announced.
_DONE = r"(?i)^(?:i|we)(?:'ve| have)? (?:[a-z]+ly |just )*(?:[a-z]+ed|chose|went|ran|wrote|made|took|got|put|did|bought|built|sent|read|ate|drank|gave|left|kept)\b"
_PASSING = (
    r"(?i)\b(?:meeting|call|lunch|standup|error|bug|line \d+|typo|test|build|you|your|this|that works|fine|thanks)\b"
)


def is_correcting(clause: Clause) -> bool:
    """Tell whether a clause corrects what was believed."""
    return find_first(_LEADS, clause.lead) or find_first(_STOP, clause.text)


def correct(clause: Clause) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Yield (content, tags, what was wrong) of a correction that no other rule reads."""
    text = clause.text
    accuses = text.lower().startswith(("you ", "you'", "and you "))
    keeps = accuses and compiled(
        r"(?i)^(?:and )?you (?:keep|kept|keep on|are always|'re always|still|are still|'re still|never stop) ([\pL]+ing .+|[\pL]+ .+)$"
    ).search(text)
    if keeps and not clause.lead:
        yield f"Avoids {trim(keeps.group(1))}", ("style", "preferences"), ""
        return
    if find_first(_PASSING, clause.sentence) or clause.subject:
        return
    instead = compiled(_INSTEAD).search(text)
    if (
        instead
        and len(text.split()) >= 4
        and not find_first(_DOUBT, text)
        and (clause.lead or not find_first(_DONE, text))
    ):
        yield trim(text), ("correction",), trim(instead.group(1))
    elif find_first(
        r"(?i)^(?:no\b|actually|correction|wrong|that's|that is|i(?:'ve)? (?:already )?told|you(?:'ve)? (?:got|have)|small correction|minor correction|quick correction|i said|scratch that)",
        clause.lead,
    ):
        told = trim(text)
        if (
            told
            and not is_pointing(told)
            and find_first(r"(?i)\b(?:is|are|it's|isn't|aren't|uses?|lives?|runs?)\b", told)
        ) or clause.lead.startswith(("i told", "i said", "correction", "small correction")):
            yield f"Correction: {told}", ("correction",), ""
