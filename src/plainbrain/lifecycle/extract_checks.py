"""From the slot of a rule to the memories it makes, by what the rule asks of its slot.

Owns one reader for each check. Must not know how clauses are cut.
"""

from __future__ import annotations

from plainbrain.lifecycle.extract_clauses import Clause
from plainbrain.lifecycle.extract_rule import ExtractRule
from plainbrain.lifecycle.extract_slots import is_placed, is_pointing, is_tech, items, person_name, role, trim
from plainbrain.model.kinds import FACT, PROCEDURE
from plainbrain.text.patterns import find_first, words

#: What makes an imperative or a wish a standing one.
STANDING = r"(?i)\b(?:always|never|whenever|every time|each time|from now on|in (?:the )?future|going forward|as a rule|in general|by default|next time|with me|for me|in (?:all )?my|in our|everywhere|keep in mind|remember|generally|at all times|instead of|rather than|ever)\b"
_NOT_AVOIDED = frozenset(
    words(
        "know think see understand worry mind care forget have need want remember get believe feel like seen been had heard happened worked again said knew thought hesitate be "
        "bother panic sweat ask wait sure really even come knows thinks look let judge laugh doing wondering trying mess tried found ran met used going wasted expected imagined learned ever-mind"
    )
)
#: Forbidden once, unless "never" or the like makes it a rule.
_ONCE = frozenset(
    words(
        "do break touch delete stop change run commit push deploy send merge go works work tell start close open restart remove move edit modify"
    )
)
_NOT_ALWAYS = frozenset(
    words(
        "have will has can nice good great happy fun a an the been had glad wanted thought wondered takes take fails fail forget forgets breaks there here welcome in on true wrong right fails works love happens was were is are so love learning"
    )
)
_CHAT_NO = frozenset(
    words(
        "problem problems worries idea wait way rush need thanks one luck more clue doubt error errors not i it that this we you changes change difference reason hurry pressure offense biggie longer matter"
    )
)
_PREPOSITIONS = frozenset(words("off on in at to from with for of into onto over under about by the"))
_PASSING_VERBS = frozenset(
    words(
        "forget get have am love think feel see hear want know lose break fail struggle end wonder need run-into hate find believe assume seem saw got had was were mess do-this"
    )
)
_LOOSE_VERBS = r"(?i)\b(?:use|using|rely on|chose|picked|settled on|went with|adopted)\b"


def read_slot(rule: ExtractRule, groups: tuple[str, ...], *, clause: Clause) -> tuple[str, ...]:
    """Return the contents of the memories that a match makes; empty where the slot is not what the rule asks for."""
    slot = groups[0]
    match rule.check:
        case "name" | "own-name":
            name = person_name(slot, told=rule.check == "name")
            values: tuple[str, ...] = (name,) if name else ()
        case "role":
            values = (role(slot),)
        case "list" | "known":
            values = items(slot, loose=rule.check == "list" and rule.name != "built")
        case "uses":
            values = items(slot, loose=find_first(_LOOSE_VERBS, clause.text))
        case "uses-known":
            values = items(slot, loose=False) if not slot[:1].isupper() or rule.name != "uses" or is_tech(slot) else ()
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
    first = slot.split()[0].lower() if slot.split() else ""
    if (
        not slot
        or (is_pointing(slot) and rule.kind != PROCEDURE)
        or not _passes(rule, slot, first=first, clause=clause)
    ):
        return ()
    if rule.name == "avoid" and not clause.text.lower().startswith(("no ", "no more")):
        using = find_first(r"(?i)\b(?:use|using)\b", clause.text[: len(clause.text) - len(slot) + 6])
        return (f"using {slot}" if using and not slot.startswith("using ") else slot,)
    return (slot,)


def _passes(rule: ExtractRule, slot: str, *, first: str, clause: Clause) -> bool:
    standing = find_first(STANDING, clause.sentence)
    match rule.check, rule.name:
        case "place" | "company", _:
            return is_placed(slot) and not is_tech(slot.lower())
        case "works", _:
            return _is_work(slot)
        case "task", _:
            return not is_pointing(slot.split(" ", 1)[-1]) and not find_first(
                r"(?i)^(?:run|manage|own|head) (?:into|out|it|to|a test|tests|the tests|the test|the full)\b", slot
            )
        case "rest", _:
            return is_placed(slot) or first in ("the", "a", "an") or not slot.isascii()
        case "role-after-name", _:
            return bool(role(slot)) and " " in slot and bool(role(slot.split(" at ")[0].split(" for ")[0]))
        case _, "avoid" if first in _PREPOSITIONS:
            return False
        case _, "answers" if find_first(r"(?i)\b(?:in mind|this|that)\b", slot) and not standing:
            return False
        case _, "avoid":
            one_off = find_first(
                r"(?i)\b(?:this|that|it|yet|here|now|until|the \w+ (?:file|function|line|test|branch|button|page))\b",
                slot,
            )
            return first not in _NOT_AVOIDED and (standing or not (one_off or first in _ONCE))
        case _, "no":
            asked = standing or find_first(
                r"(?i)\b(?:please|pls|ever|at all|in (?:my|the|our|your)|for me)\b", clause.sentence
            )
            return asked and first not in _CHAT_NO and len(slot.split()) <= 6
        case "team-size", _:
            return find_first(r"(?i)\b(?:people|devs?|developers?|engineers?|of us|team|person|members)\b", slot)
        case "about", _:
            return not find_first(r"(?i)\b(?:me|you|time|now|it|this|that)\b", slot)
        case _, "must":
            return (
                not find_first(
                    r"(?i)^(?:it|this|that|there|you|i|the (?:function|query|button|test|error|output|result|answer))\b",
                    slot,
                )
                or rule.kind == FACT
            )
        case _, "always":
            return first not in _NOT_ALWAYS and not first.endswith("ing")
        case _, "habit":
            return not set(slot.lower().split()[:3]) & _PASSING_VERBS
        case _, "likes":
            wish = find_first(r"(?i)\b(?:i'd|i would) like\b", clause.text)
            return (standing or not wish) and not find_first(
                r"(?i)^an? (?:visual|morning|night|people|big picture)\b", slot
            )
        case _, "building":
            return find_first(
                r"(?i)\b(?:building|making|developing|creating|working on|designing|prototyping|shipping|running|starting|planning|teaching|studying|maintaining|hosting|writing|launching) (?:an?|the|our|my|two|three|some|\S+s)\b",
                slot,
            ) and not find_first(
                r"(?i)\b(?:this|that|it|a (?:test|query|function|script|bug|regex|commit|pr|reply|email|mail|letter|list|loop|unit test|bug|fix|patch)|(?:the|a|an|some) (?:bug|fix|issue|ticket|error|reply|test|tests|build|function|query|answer|problem|pr|review))\b",
                slot,
            )
        case _, "needs":
            return not find_first(
                r"(?i)\b(?:we need to (?:fix|add|talk|see|check|do|find|make|get|change|update|figure|know)|we have (?:a|an|some|no|the|to (?:fix|do))|a (?:fix|solution|way|hand|break))\b",
                slot,
            )
        case _, "dates" | "deadline":
            return not find_first(r"(?i)\b(?:meeting|call|lunch|standup|appointment)\b", slot)
        case _, "rule" | "team" | "project":
            state = r"(?i)\b(?:broken|fine|slow|red|green|ok|okay|done|ready|good|bad|down|up again|failing|working|stuck|gone|weird|wrong|great|better|easy|hard)$"
            return len(slot.split()) >= 2 and not find_first(state, slot)
        case _:
            return True


def _is_work(slot: str) -> bool:
    """``at Globex`` and ``on the ingest team`` are work; ``on it`` and ``in TypeScript`` are not."""
    how, _, rest = slot.partition(" ")
    if not rest or is_pointing(rest):
        return False
    if how.lower() == "in" and find_first(
        r"(?i)\b(?:team|squad|group|department|crew|industry|sector|finance|healthcare|education|research|academia|sales|marketing|hr|it)\b",
        rest,
    ):
        return True
    if how.lower() in ("in", "from"):
        return is_placed(rest) and not is_tech(rest.lower())
    if how.lower() == "on":
        return find_first(r"(?i)\b(?:team|squad|group|crew)\b", rest)
    return how.lower() != "as" or bool(role(rest))
