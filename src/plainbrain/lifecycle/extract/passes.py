"""Whether a slot that a pattern found says something lasting: one judgement for each kind of row.

Owns the words that speak against a slot. Promises: a row without a judgement of its own is believed. Must not know
how the slot was found.
"""

from __future__ import annotations

from collections.abc import Callable

from plainbrain.lifecycle.extract.clauses import Clause
from plainbrain.lifecycle.extract.rule import ExtractRule
from plainbrain.lifecycle.extract.slots import is_placed, is_pointing, is_tech, role
from plainbrain.model.kinds import FACT
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
_PASSING_VERBS = frozenset(
    words(
        "forget get have am love think feel see hear want know lose break fail struggle end wonder need run-into hate find believe assume seem saw got had was were mess do-this"
    )
)
_CHAT_NO = frozenset(
    words(
        "problem problems worries idea wait way rush need thanks one luck more clue doubt error errors not i it that this we you changes change difference reason hurry pressure offense biggie longer matter"
    )
)
_PREPOSITIONS = frozenset(words("off on in at to from with for of into onto over under about by the"))
_ONE_OFF = r"(?i)\b(?:this|that|it|yet|here|now|until|the \w+ (?:file|function|line|test|branch|button|page))\b"
_ASKED = r"(?i)\b(?:please|pls|ever|at all|in (?:my|the|our|your)|for me)\b"
_LEADING = r"(?i)^(?:run|manage|own|head) (?:into|out|it|to|a test|tests|the tests|the test|the full)\b"
_COUNTED = r"(?i)\b(?:people|devs?|developers?|engineers?|of us|team|person|members)\b"
_AT_HAND = r"(?i)^(?:it|this|that|there|you|i|the (?:function|query|button|test|error|output|result|answer))\b"
_MAKING = (
    r"(?i)\b(?:building|making|developing|creating|working on|designing|prototyping|shipping|running|starting|planning|teaching|studying|maintaining|hosting|writing|launching) "
    r"(?:an?|the|our|my|two|three|some|\S+s)\b"
)
_CHORE = (
    r"(?i)\b(?:this|that|it|a (?:test|query|function|script|bug|regex|commit|pr|reply|email|mail|letter|list|loop|unit test|bug|fix|patch)|"
    r"(?:the|a|an|some) (?:bug|fix|issue|ticket|error|reply|test|tests|build|function|query|answer|problem|pr|review))\b"
)
_NEED_NOW = r"(?i)\b(?:we need to (?:fix|add|talk|see|check|do|find|make|get|change|update|figure|know)|we have (?:a|an|some|no|the|to (?:fix|do))|a (?:fix|solution|way|hand|break))\b"
_STATE = r"(?i)\b(?:broken|fine|slow|red|green|ok|okay|done|ready|good|bad|down|up again|failing|working|stuck|gone|weird|wrong|great|better|easy|hard)$"
_FIELD = r"(?i)\b(?:team|squad|group|department|crew|industry|sector|finance|healthcare|education|research|academia|sales|marketing|hr|it)\b"


def passes(rule: ExtractRule, slot: str, *, clause: Clause) -> bool:
    """Tell whether a slot is what its row asks for: by the row's check, and by its name."""
    judges = (_BY_CHECK.get(rule.check), _BY_NAME.get((rule.kind == FACT, rule.name)))
    return all(judge(slot, clause) for judge in judges if judge)


def _first(slot: str) -> str:
    return slot.split()[0].lower() if slot.split() else ""


def _stands(clause: Clause) -> bool:
    return find_first(STANDING, clause.sentence)


def _is_place(slot: str, clause: Clause) -> bool:
    return is_placed(slot) and not is_tech(slot.lower())


def _is_rest(slot: str, clause: Clause) -> bool:
    return is_placed(slot) or _first(slot) in ("the", "a", "an") or not slot.isascii()


def _is_task(slot: str, clause: Clause) -> bool:
    return not is_pointing(slot.split(" ", 1)[-1]) and not find_first(_LEADING, slot)


def _is_role_after_name(slot: str, clause: Clause) -> bool:
    return bool(role(slot)) and " " in slot and bool(role(slot.split(" at ")[0].split(" for ")[0]))


def _is_avoided(slot: str, clause: Clause) -> bool:
    first, standing = _first(slot), _stands(clause)
    if first in _PREPOSITIONS or first in _NOT_AVOIDED:
        return False
    return standing or not (find_first(_ONE_OFF, slot) or first in _ONCE)


def _is_refused(slot: str, clause: Clause) -> bool:
    asked = _stands(clause) or find_first(_ASKED, clause.sentence)
    return asked and _first(slot) not in _CHAT_NO and len(slot.split()) <= 6


def _is_wish(slot: str, clause: Clause) -> bool:
    once = find_first(r"(?i)\b(?:i'd|i would) like\b", clause.text) and not _stands(clause)
    return not once and not find_first(r"(?i)^an? (?:visual|morning|night|people|big picture)\b", slot)


def _is_rule(slot: str, clause: Clause) -> bool:
    return len(slot.split()) >= 2 and not find_first(_STATE, slot)


def _is_built(slot: str, clause: Clause) -> bool:
    return find_first(_MAKING, slot) and not find_first(_CHORE, slot)


def _is_no_appointment(slot: str, clause: Clause) -> bool:
    return not find_first(r"(?i)\b(?:meeting|call|lunch|standup|appointment)\b", slot)


def _is_work(slot: str, clause: Clause) -> bool:
    """``at Globex`` and ``on the ingest team`` are work; ``on it`` and ``in TypeScript`` are not."""
    how, _, rest = slot.partition(" ")
    if not rest or is_pointing(rest):
        return False
    if how.lower() == "in" and find_first(
        _FIELD,
        rest,
    ):
        return True
    if how.lower() in ("in", "from"):
        return is_placed(rest) and not is_tech(rest.lower())
    if how.lower() == "on":
        return find_first(r"(?i)\b(?:team|squad|group|crew)\b", rest)
    return how.lower() != "as" or bool(role(rest))


_Judge = Callable[[str, Clause], bool]
_BY_CHECK: dict[str, _Judge] = {
    "place": _is_place,
    "company": _is_place,
    "works": _is_work,
    "task": _is_task,
    "rest": _is_rest,
    "role-after-name": _is_role_after_name,
    "team-size": lambda slot, clause: find_first(_COUNTED, slot),
    "about": lambda slot, clause: not find_first(r"(?i)\b(?:me|you|time|now|it|this|that)\b", slot),
}
#: By whether the row makes a fact, and its name.
_BY_NAME: dict[tuple[bool, str], _Judge] = {
    (False, "avoid"): _is_avoided,
    (False, "no"): _is_refused,
    (False, "answers"): lambda slot, clause: not find_first(r"(?i)\b(?:in mind|this|that)\b", slot) or _stands(clause),
    (False, "must"): lambda slot, clause: not find_first(_AT_HAND, slot),
    (False, "always"): lambda slot, clause: _first(slot) not in _NOT_ALWAYS and not _first(slot).endswith("ing"),
    (False, "habit"): lambda slot, clause: not set(slot.lower().split()[:3]) & _PASSING_VERBS,
    (False, "likes"): _is_wish,
    (False, "rule"): _is_rule,
    (True, "team"): _is_rule,
    (True, "building"): _is_built,
    (True, "needs"): lambda slot, clause: not find_first(_NEED_NOW, slot),
    (True, "dates"): _is_no_appointment,
    (True, "deadline"): _is_no_appointment,
}
