"""Secrets that no vendor's format gives away, found by what stands around them.

Owns the order in which the rules are tried. Promises: linear time; a pattern is tried only where one of its
keywords occurs. Must not know vendors' formats, nor how finds are told.
"""

from __future__ import annotations

from collections.abc import Iterator

from plainbrain.lifecycle.secrets.keys import SECRET_NAMES, find_assignments
from plainbrain.lifecycle.secrets.prose import PROSE_RULES
from plainbrain.lifecycle.secrets.syntax import SYNTAX_RULES
from plainbrain.text.patterns import RuleSet, find_all

CONTEXT_RULES = (*SYNTAX_RULES, *PROSE_RULES)
_RULES = RuleSet(each.rule for each in CONTEXT_RULES)


def find_by_context(text: str, lowered: str) -> Iterator[tuple[str, int, int]]:
    """Yield (rule, start, end) of the values that their surroundings show to be secrets."""
    if any(word in lowered for word in SECRET_NAMES):
        yield from (("assignment", start, end) for start, end in find_assignments(text))
    for place, rule in _RULES.worth_trying(lowered):
        judge = CONTEXT_RULES[place].judge
        for found in find_all(rule, text):
            if found.value and judge(found, text):
                yield rule.name, found.value_start, found.value_start + len(found.value)
