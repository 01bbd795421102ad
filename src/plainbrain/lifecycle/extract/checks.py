"""From the slot of a rule to the memories it makes, by what the rule asks of its slot.

Owns one reader for each check. Must not know how clauses are cut.
"""

from __future__ import annotations

from plainbrain.lifecycle.extract.clauses import Clause
from plainbrain.lifecycle.extract.passes import is_told_tool, passes
from plainbrain.lifecycle.extract.rule import ExtractRule
from plainbrain.lifecycle.extract.slots import (
    bare_role,
    is_pointing,
    is_tech,
    items,
    person_name,
    role,
    tools_named,
    trim,
)
from plainbrain.lifecycle.extract.tools import is_everyday, names_tool
from plainbrain.model.kinds import PROCEDURE
from plainbrain.text.patterns import find_first

#: After these a role stands without an article.
_TITLED = r"(?i)\b(?:became|become|work as|hired as|promoted to|took over as|act as|serve as|double as|(?:role|job|title|position) is)\b"
#: What one has need not be a tool: "we have salt in the kitchen".
_HAS = r"(?i)^we (?:\w+ly |also |still |now )*have "
_LOOSE_VERBS = r"(?i)\b(?:use|using|rely on|settled on|went with|adopted)\b"


def read_slot(rule: ExtractRule, groups: tuple[str, ...], *, clause: Clause) -> tuple[str, ...]:
    """Return the contents of the memories that a match makes; empty where the slot is not what the rule asks for."""
    slot = groups[0]
    if rule.name == "moved" and not is_told_tool(slot, clause=clause):
        return ()
    match rule.check:
        case "name" | "own-name":
            name = person_name(slot, told=rule.check == "name")
            values: tuple[str, ...] = (name,) if name else ()
        case "role":
            values = (bare_role(slot) if find_first(_TITLED, clause.text) else role(slot),)
        case "list" | "known":
            values = items(slot, loose=rule.check == "list" and rule.name != "built")
        case "uses":
            values = items(slot, loose=find_first(_LOOSE_VERBS, clause.text))
            if find_first(_HAS, clause.text) and all(map(is_everyday, values)):
                values = ()
        case "uses-known":
            values = items(slot, loose=False) if not slot[:1].isupper() or rule.name != "uses" or is_tech(slot) else ()
        case "thing-is":
            found = items(slot, loose=False)
            values = found if all(passes(rule, each, clause=clause) for each in found) else ()
        case "listed":
            values = tuple(each for each in items(slot, loose=False) if names_tool(each) and not is_everyday(each))
        case "tool" | "known-tool":
            values = tools_named(slot, open_class=rule.check == "tool")
        case "pair":
            values = (trim(groups[1]),)
            return tuple(rule.template.format(slot.lower(), value) for value in values if value)
        case "component":
            return _component(rule, slot, groups[1])
        case _:
            values = _phrase(rule, trim(slot), clause=clause)
    template = rule.template
    if template.startswith("Team ") and find_first(r"(?i)^i\b", clause.text):
        template = template.replace("Team ", "User ", 1)
    return tuple(template.format(value) for value in values if value)


def _component(rule: ExtractRule, part: str, slot: str) -> tuple[str, ...]:
    found = items(slot, loose=False)
    part = part.lower().removeprefix("the ").removeprefix("our ")
    return tuple(rule.template.format(part, each) for each in found)


def _phrase(rule: ExtractRule, slot: str, *, clause: Clause) -> tuple[str, ...]:
    """Read a slot whole, where it is more than a pointer into the conversation."""
    if not slot or (is_pointing(slot) and rule.kind != PROCEDURE) or not passes(rule, slot, clause=clause):
        return ()
    if rule.name in ("avoid", "avoid-asked") and not clause.text.lower().startswith(("no ", "no more")):
        using = find_first(r"(?i)\b(?:use|using)\b", clause.text[: len(clause.text) - len(slot) + 6])
        return (f"using {slot}" if using and not slot.startswith("using ") else slot,)
    return (slot,)
