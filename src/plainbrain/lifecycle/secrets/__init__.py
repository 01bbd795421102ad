"""Credentials in text: found, named by their rule, and cut out.

Owns: ``find_secrets``, ``redact``, ``check_memory``. Promises: time linear in the text, some microseconds where no
keyword of a rule occurs; a find says which rule and where, and nothing here repeats the secret. Must not
know what is done about a find: refusing, redacting and warning are the caller's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from plainbrain.lifecycle.secrets.context import CONTEXT_RULES, find_by_context
from plainbrain.lifecycle.secrets.keys import ASSIGNED_NAME
from plainbrain.lifecycle.secrets.texts import gather, texts_of
from plainbrain.lifecycle.secrets.values import entropy, is_identifier, is_placeholder, looks_random
from plainbrain.lifecycle.secrets.vendors import VENDOR_RULES, WEAK
from plainbrain.model.memory import Memory
from plainbrain.records import record
from plainbrain.text.patterns import BETWEEN, RuleSet, Sweep, find_all, searchable


@record(frozen=True, slots=True)
class Finding:
    """Say which rule saw a secret and where: ``start`` and ``end`` count characters of the text.

    ``field`` names the field of a memory (``metadata.db.password``); ``""`` where a plain text was searched.
    """

    rule: str
    start: int
    end: int
    field: str = ""


def find_secrets(text: str) -> tuple[Finding, ...]:
    """Return the secrets in a text, left to right and not overlapping; a vendor's rule goes before a general one."""
    text = searchable(text)
    lowered = text.lower()
    found = (*_find_by_format(text, lowered), *find_by_context(text, lowered))
    return _apart(found) if found else ()


def check_memory(memory: Memory) -> Finding | None:
    """Return the first secret in any text of a memory, with the name of its field; None where there is none."""
    for name, text in texts_of(memory):
        if len(text) >= SHORTEST:
            for finding in find_secrets(text):
                # the name may hold it too: the keys of others are their own words
                where = name.replace(searchable(text)[finding.start : finding.end], f"[secret:{finding.rule}]")
                return Finding(finding.rule, finding.start, finding.end, redact(where))
    return None


def check_many(memories: Sequence[Memory]) -> list[Finding | None]:
    """Return for each memory what ``check_memory`` returns: many times faster than one by one where there are hundreds."""
    if len(memories) < _MANY:
        return [check_memory(memory) for memory in memories]
    found: list[Finding | None] = [None] * len(memories)
    for place in _SWEEP.suspects([BETWEEN.join(gather(memory)) for memory in memories]):
        found[place] = check_memory(memories[place])
    return found


def _apart(found: Iterable[tuple[str, int, int]]) -> tuple[Finding, ...]:
    """Return what was found left to right; of what overlaps, the first rule's."""
    taken: list[Finding] = []
    for rule, start, end in found:
        if all(end <= other.start or start >= other.end for other in taken):
            taken.append(Finding(rule, start, end))
    return tuple(sorted(taken, key=lambda finding: finding.start))


def redact(text: str) -> str:
    """Return the text with each secret replaced by ``[secret:RULE]``; a text without any comes back as it was."""
    pieces, at = [], 0
    for finding in find_secrets(text):
        pieces += [text[at : finding.start], f"[secret:{finding.rule}]"]
        at = finding.end
    return "".join((*pieces, text[at:])) if pieces else text


#: No rule can find anything in fewer characters.
SHORTEST = 6


def _find_by_format(text: str, lowered: str) -> Iterator[tuple[str, int, int]]:
    for _, rule in _FORMATS.worth_trying(lowered):
        for found in find_all(rule, text):
            if _is_key(rule.name, found.value):
                yield rule.name, found.value_start, found.value_start + len(found.value)


_FORMATS = RuleSet(VENDOR_RULES)
_SWEEP = Sweep((*VENDOR_RULES, ASSIGNED_NAME, *(each.rule for each in CONTEXT_RULES)))
#: From so many on it is worth to compile all rules into one.
_MANY = 100


def _is_key(rule: str, value: str) -> bool:
    """A known prefix is proof, but for stand-ins; a weak prefix also asks for a look of chance after it."""
    if rule == "private-key":
        return "..." not in value and "…" not in value
    if is_placeholder(value):
        return False
    if rule in WEAK:
        return looks_random(value) or (not is_identifier(value) and entropy(value) >= 3.6)
    return True
