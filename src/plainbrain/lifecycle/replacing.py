"""Which memories a told change replaces: those of the same subject, where it is plain which they are.

Owns that choice. A change that could mean several memories, or one that says more than what changed, replaces nothing:
a person decides. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from plainbrain.lifecycle.conflicts import Finding
from plainbrain.lifecycle.extract import USER, Extracted
from plainbrain.lifecycle.extract.query import words_of
from plainbrain.lifecycle.extract.tools import mentions
from plainbrain.model.kinds import DECISION, POLICY
from plainbrain.model.memory import Memory
from plainbrain.text.patterns import words

#: By these a memory says that something is in use, or where it is.
_USING, _BEING = frozenset(words("use uses using run runs on with in")), frozenset(words("is are"))
_BETWEEN = _USING | _BEING | frozenset(words("team project user we i our the a my for now currently"))
_DENYING = frozenset(words("not no never don't doesn't without"))
#: "Team uses Kafka for events": what one more word tells goes with the rest.
_MOST_BESIDE = 1


def replaced_by(told: Extracted, against: Sequence[Finding], near: Iterable[Memory]) -> tuple[Memory, ...]:
    """Return the memories in whose place what was told comes; empty where it tells no change, or not plainly of what.

    ``against`` is what it contradicts, ``near`` what speaks of the same: where the message names what was before, what says
    no more than that is replaced also where both could be true.
    """
    if told.source != USER or not told.changes or told.kind == DECISION:
        return ()
    found = [finding.memory for finding in against if _may_go(finding.memory)]
    if told.corrects:
        found = [memory for memory in found if _names(memory.content, told.corrects)]
        just_that = [m for m in near if m.is_live and _may_go(m) and _says_only(m.content, told.corrects)]
        if just_that and all(memory in just_that for memory in found):
            return tuple(just_that)
    plain = len(found) == 1 and len(list(mentions(f" {found[0].content}"))) <= 1
    return tuple(found) if plain else ()


def _may_go(memory: Memory) -> bool:
    return memory.kind not in (DECISION, POLICY) and not memory.rejected


def _names(text: str, name: str) -> bool:
    return _without(words_of(text.casefold()), words_of(name.casefold())) is not None


def _says_only(text: str, name: str) -> bool:
    said, wanted = words_of(text.casefold()), words_of(name.casefold())
    rest = _without(said, wanted)
    if rest is None or _DENYING.intersection(rest):
        return False
    # "The queue is Kafka" says what is in use, "Kafka is slow" does not.
    if not _USING.intersection(rest) and not (_BEING.intersection(rest) and said[-len(wanted) :] == wanted):
        return False
    return len([word for word in rest if word not in _BETWEEN]) <= _MOST_BESIDE


def _without(said: list[str], name: list[str]) -> list[str] | None:
    """Return words without those of a name; None where they do not hold it."""
    for at in range(len(said) - len(name) + 1):
        if name and said[at : at + len(name)] == name:
            return said[:at] + said[at + len(name) :]
    return None
