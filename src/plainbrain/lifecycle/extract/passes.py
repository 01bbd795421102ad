"""Whether a slot that a pattern found says something lasting: one judgement for each kind of row.

Owns the words that speak against a slot. Promises: a row without a judgement of its own is believed. Must not know
how the slot was found.
"""

from __future__ import annotations

from collections.abc import Callable

from plainbrain.lifecycle.extract.clauses import Clause
from plainbrain.lifecycle.extract.rule import ExtractRule
from plainbrain.lifecycle.extract.slots import is_placed, is_pointing, role
from plainbrain.lifecycle.extract.tools import is_everyday, mentions, names_tool
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
_ASKED = r"(?i)\b(?:unless|please|pls|ever|at all|in (?:my|the|our|your)|for me)\b"
_LEADING = r"(?i)^(?:run|manage|own|head|handle|operate|train|support) (?:into|out|it|to|a test|tests|(?:the|an?) (?:test|full|script|scripts|code|tests|command|program|query|app|build|server|file|function|migration|notebook|error|linter|suite))\b"
_COUNTED = r"(?i)\b(?:people|devs?|developers?|engineers?|of us|team|person|members)\b"
_AT_HAND = r"(?i)^(?:it|this|that|there|you|i|the (?:function|query|button|test|error|output|result|answer))\b"
_MAKING = (
    r"(?i)\b(?:building|putting together|organi[sz]ing|assembling|rewriting|reviving|open[- ]sourcing|making|developing|creating|working on|designing|prototyping|shipping|running|starting|planning|teaching|studying|maintaining|hosting|writing|launching) "
    r"(?:an?|the|our|my|two|three|some|\S+s)\b"
)
_CHORE = (
    r"(?i)\bthat(?: \w+)?$|\b(?:this|it|a (?:test|query|function|script|bug|regex|commit|pr|reply|email|mail|letter|list|loop|unit test|bug|fix|patch)|"
    r"(?:the|a|an|some) (?:bug|fix|issue|ticket|error|reply|test|tests|build|function|query|answer|problem|pr|review))\b"
)
_NEED_NOW = r"(?i)\b(?:we need to (?:fix|add|talk|wait|restart|rerun|rename|remove|refactor|see|check|do|find|make|get|change|update|figure|know)|we have (?:a|an|some|no|the|to (?:fix|do))|a (?:fix|solution|way|hand|break))\b|^we (?:need|have) (?:an?|some|another|more|two|three) (?:[\pL-]+ )?(?:index(?:es)?|columns?|tables?|fields?|buttons?|functions?|tests?|endpoints?|methods?|class(?:es)?|params?|flags?|scripts?|quer(?:y|ies)|caches?|migrations?|bugs?|errors?|lists?|types?|variables?|loops?|files?)\b"
_STATE = r"(?i)\b(?:on fire|on main|the same|here|there|broken|fine|slow|red|green|ok|okay|done|ready|good|bad|down|up again|failing|working|stuck|gone|weird|wrong|great|better|easy|hard)$"
_FIELD = r"(?i)\b(?:team|squad|group|department|crew|industry|sector|finance|healthcare|education|research|academia|sales|marketing|hr|it)\b"


def passes(rule: ExtractRule, slot: str, *, clause: Clause) -> bool:
    """Tell whether a slot is what its row asks for: by the row's check, and by its name."""
    judges = (_BY_CHECK.get(rule.check), _BY_NAME.get((rule.kind == FACT, rule.name)))
    return all(judge(slot, clause) for judge in judges if judge)


def _first(slot: str) -> str:
    return slot.split()[0].lower().strip(",;:") if slot.split() else ""


def _stands(clause: Clause) -> bool:
    return find_first(STANDING, clause.sentence)


def _is_place(slot: str, clause: Clause) -> bool:
    return is_placed(slot) and not names_tool(slot)


def _is_thing_used(slot: str, clause: Clause) -> bool:
    """``The iOS side is SwiftUI`` tells a tool; ``the problem is Docker`` does not, nor ``the client is Anna``."""
    if find_first(_NO_PART, clause.text) or find_first(_COUNT, slot) or find_first(_NO_SUBJECT, clause.text):
        return False
    if is_everyday(slot) and find_first(_IS_SO, clause.text):
        return any(True for _ in mentions(f" {clause.text}"))
    if names_tool(slot):
        return True
    return find_first(_PART, clause.text) and not find_first(_LOCATED, clause.text)


#: "It is swift": a word on its own can be how a thing is.
_IS_SO = (
    r"(?i)^(?:it|this|everything|all|all of it|both)(?:'s| is| are) (?:all |just |only |now |very |so |still )*[\pL]+$"
)
#: "Let's" is no "it is", and who or what one of these is tells no tool.
_NO_SUBJECT = r"(?i)^(?:lets?|that|he|she|who|what|where|when|how|here|there)(?:'s| is| are)\b"
_COUNT = r"(?i)^(?:\d|two|three|four|five|six|several|many|a few|some)\b"
#: What no list knows is a place after these, or a person.
_LOCATED = r"(?i)\b(?:is|are|'s) (?:with|by|from|about) [\pL]|\b(?:is|are|'s|lives?|sits?|located|hosted|based|kept|stored|runs?) (?:\w+ly |all |still )?in [\pL]"
_NO_PART = r"(?i)\b(?:shop|cms|tier|base image|image|observability|tracing|alerting|analytics|caching|logging|styling|tooling|orchestration|hosting|routing|forms|state|storage|streaming|messaging|plan|idea|goal|intention|decision|proposal|problem|issue|question|answer|culprit|bug|error|point|reason|trick|tutorial|article|example|course|book|docs|thing|alternative|solution|exercise|interview|talk) (?:is|are|was)\b"
_PART = r"(?i)\b(?:shop|cms|tier|base image|image|observability|tracing|alerting|analytics|caching|logging|styling|tooling|orchestration|hosting|routing|forms|state|storage|streaming|messaging|services|sites?|websites?|games?|projects?|products?|platform|stuff|things?|models?|data|logs?|jobs?|queues?|workers?|repos?|deploys?|deployments?|deployment|ci|cd|auth|search|payments|emails?|monitoring|metrics|assets|images?|containers?|editor|linter|tests|cluster|infrastructure|dashboard|cli|bot|code|codebase|side|layer|app|apps|parts?|bits?|half|rest|backend|api|services?|stack|end|scripts?|client|server|ui|frontend|pipeline|tooling|build|infra|android|ios|web|mobile|desktop|core|admin|db|database|store|queue|cache|tests|it)(?:'s)?\b"
#: What code is about, one by one: "each row has an id" is no rule of work.
_ITEM = r"(?i)^(?:every|each|any|all|no|both) (?:\w+ )?(?:rows?|items?|elements?|users?|requests?|functions?|lines?|nodes?|keys?|values?|loops?|columns?|records?|class(?:es)?|objects?|fields?|cells?|times?|of|response|page|thread|worker|process|packet|frame|message)\b"
_REGION = r"(?i)^the (?:[\pL]+ )?(?:north|south|east|west|northern|southern|countryside|suburbs|middle|mountains|coast|uk|us|usa|eu|netherlands|bay|philippines|alps|midwest|islands?)\b|^(?:a|an|the) (?:\w+ )?(?:village|town|city|island|farm|valley|region|province|county|state)\b"


def _is_rest(slot: str, clause: Clause) -> bool:
    return is_placed(slot) or find_first(_REGION, slot) or not slot.isascii()


def _is_task(slot: str, clause: Clause) -> bool:
    return not is_pointing(slot.split(" ", 1)[-1]) and not find_first(_LEADING, slot)


def _is_role_after_name(slot: str, clause: Clause) -> bool:
    return bool(role(slot)) and " " in slot and bool(role(slot.split(" at ")[0].split(" for ")[0]))


def _is_avoided(slot: str, clause: Clause) -> bool:
    first, standing = _first(slot), _stands(clause)
    if first in _PREPOSITIONS or first in _NOT_AVOIDED:
        return False
    if find_first(r"(?i)^\w+ (?:this|that|it)\b", slot):
        return False
    return standing or not (find_first(_ONE_OFF, slot) or first in _ONCE)


#: What a standing wish is about: how answers and code look.
_MANNER = r"(?i)\b(?:answers?|replies|reply|responses?|explanations?|examples?|names?|naming|comments?|docstrings?|commit messages?|indent(?:ation)?|tone|jargon|emojis?|basics|summary|summaries|bullets?|bullet points?|steps|code blocks?|snippets?|diffs?|sources?|links?|units?|quotes|tabs|spaces|types?|type hints|imports?|semicolons|headers?|headings?|tables?|prose|intros?|preamble|caveats|disclaimers?|apolog\w+|small talk|conclusion|tl;?dr|trade-?offs|reasoning|assumptions)\b"
_AT_WORK = r"(?i)\b(?:this|that|it|these|those|the (?:following|above|first|second|third|last|next)|to the|for the|in the|step|button|page|line \d|retry|logging|caching)\b"


def _is_manner(slot: str, clause: Clause) -> bool:
    """Tell whether a wish is about a manner, and so for good, rather than about the task at hand."""
    if find_first(r"(?i)\bhere$", clause.text):
        return False
    if _stands(clause):
        return True
    imperative = find_first(
        r"(?i)^(?:please )?(?:add|include|leave|put|give|show|do|start|end|cite|link|quote)\b", clause.text
    )
    return not imperative and find_first(_MANNER, slot) and not find_first(_AT_WORK, slot)


def _is_noun(slot: str, clause: Clause) -> bool:
    return not find_first(
        r"(?i)^(?:\w+ing|it|this|that|i|we|you|the|a|an|not|read|for|just|is|are|was|works?|happens|use|run|do|in|on|at|to|with|from|and|but|if|when)\b|\b(?:is|are|was|happens?|fails?|works?|breaks?|crash\w*|shows?|loads?|occurs?|runs?|need|want|have|has|see|get)\b",
        slot,
    )


def _is_refused(slot: str, clause: Clause) -> bool:
    asked = _stands(clause) or find_first(_ASKED, clause.sentence)
    return asked and _first(slot) not in _CHAT_NO and len(slot.split()) <= 6


_WISHED_NOW = r"(?i)\b(?:i'd|i would|we'd) (?:like|love|appreciate|welcome)\b"
_NO_WISH = r"(?i)^(?:not|some|help|an? (?:hand|hint|tip|explanation|example|review|second)|your|to (?:ask|go|do|start|try)|(?:my|our|i|we|he|she|they) .* over )|^(?:my|our|i|we|he|she|they|it|the \w+ \w+ed) .*over\b"
_WANTED_NOW = r"(?i)^(?:i|we) (?:want|go|value)\b"


def _is_habit(slot: str, clause: Clause) -> bool:
    if set(slot.lower().split()[:3]) & _PASSING_VERBS or find_first(_NO_HABIT, slot):
        return False
    return not find_first(_JUST_NOW, slot)


#: The past, and what happens to one: no way of working.
_NO_HABIT = r"(?i)^(?:i|we) (?:prefer|like|love|hate|enjoy|want) |(?i)^(?:i|we) (?:always|never|often|usually|only) (?:\w+ed|understood|said|knew|thought|got|went|did|came|run into|saw|heard|wrote|ran|made|took|found|met|had|tried)\b|\bthe (?:first|second|third|last|latter|former) (?:one|option|version|approach|answer|idea|solution|variant)\b|^(?:when|if|before|after|once|until|as soon as|whenever|each time|every time) (?:the|an?|users?|people) ?(?:user|list|function|button|page|class|variable|loop|query|request|response|event|session|token|row|timer|cursor|modal|form|customer|client)?s? (?:is|are|logs?|clicks?|returns?|submits?|hits?|presses|closes|opens|loads?|expires?|fires?|comes?|sends?|scrolls?|types?|enters?)\b|^(?:i|we) (?:have|got|need|want) (?:an?|some|the|to|two|no|\d+)\b"
_JUST_NOW = r"(?i)\b(?:yesterday|last (?:week|month|night|time)|today|tonight|tomorrow|an? (?:bug|error|problem|issue|question)|from you|this (?:pr|branch|commit|issue|ticket|file|test|bug|error|one)|line \d+|page \d+|step \d+|chapter \d+)\b"
_THERE = r"(?i)\b(?:(?:name|look|sound|idea|way|colou?r) of|that \w+|this \w+|your \w+|the (?:name|look|second|first|new|old) )\b|^to (?:ask|say|bother|admit|be)\b"
_WEEKDAY = r"(?i)^(?:mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|weekends?|mornings?)$"


def _is_wish(slot: str, clause: Clause) -> bool:
    kept = _stands(clause) or (find_first(_MANNER, slot) and not find_first(_AT_WORK, slot))
    if find_first(_WANTED_NOW, clause.text) and not kept:
        return False
    once = find_first(_WISHED_NOW, clause.text) and not kept
    if find_first(_NO_WISH, slot):
        return False
    return not once and not find_first(r"(?i)^an? (?:visual|morning|night|people|big picture)\b", slot)


def _is_rule(slot: str, clause: Clause) -> bool:
    return (
        len(slot.split()) >= 2
        and not find_first(_STATE, slot)
        and _is_no_appointment(slot, clause)
        and not find_first(_JUST_NOW, slot)
        and not find_first(r"(?i)\b(?:is|are) (?:not |still |now )?(?:missing|gone|lost|\w+ing)\b", slot)
    )


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
        return is_placed(rest) and not names_tool(rest)
    if how.lower() == "on":
        return find_first(r"(?i)\b(?:team|squad|group|crew)\b", rest)
    return how.lower() != "as" or bool(role(rest))


#: Whoever moves with nothing in hand may move house; what is ported or migrated, or moved for somebody, is a thing.
_BARE_MOVE = r"(?i)^(?:we|i)?(?:'ve| have|'re| are|'m| am)? ?(?:\w+ly |just |now |all |also )*(?:mov(?:ed|ing)|went|changed|changing|switch(?:ed|ing)|transitioning)(?: back| over)? (?:from|to|on|onto|into|in|with)\b"
_TO_A_PLACE = r"(?i)\b(?:to|into) (?:an?|the|our|another)? ?(?:\w+ )?(?:offices?|house|home|flat|apartment|desk|building|city|town|country|countryside|table|room|floor|topic|subject|school|team|branch|file|page|tab|line|other|next|one)\b|\b(?:to|on) (?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\d ?(?:am|pm|:\d\d)\b"


def is_told_tool(slot: str, *, clause: Clause) -> bool:
    """Tell whether what was moved to is a tool: it may be a town unless a thing was moved, or a tool is named on either side."""
    if not find_first(_BARE_MOVE, clause.text):
        return True
    whence = clause.text.partition(" from ")[2]
    return names_tool(slot) or any(True for _ in mentions(f" {whence or slot}"))


def _is_migration(slot: str, clause: Clause) -> bool:
    return is_told_tool(slot.rpartition(" to ")[2], clause=clause) and not find_first(_TO_A_PLACE, slot)


def _is_move(slot: str, clause: Clause) -> bool:
    return not find_first(_TO_A_PLACE, slot) and not is_pointing(slot.rpartition(" to ")[2])


def _is_new_home(slot: str, clause: Clause) -> bool:
    place = slot.rpartition(" to ")[2]
    return (is_placed(place) or find_first(_REGION, place)) and not any(True for _ in mentions(f" {slot}"))


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
    (False, "must"): lambda slot, clause: (
        not find_first(_AT_HAND, slot)
        and (find_first(_MANNER, slot) or not find_first(r"(?i)^(?:the|each|every) ", slot))
    ),
    (False, "always"): lambda slot, clause: _first(slot) not in _NOT_ALWAYS and not _first(slot).endswith("ing"),
    (False, "habit"): _is_habit,
    (False, "dislikes"): lambda slot, clause: not find_first(_WEEKDAY, slot) and not find_first(_THERE, slot),
    (False, "make-sure"): _is_manner,
    (False, "skip"): lambda slot, clause: (
        not find_first(r"(?i)\d|\b(?:this|that|the (?:last|first|next|second|third))\b", slot)
    ),
    (False, "every"): lambda slot, clause: not find_first(_ITEM, slot),
    (False, "avoid-asked"): _is_avoided,
    (False, "standing-noun"): _is_noun,
    (True, "shape"): lambda slot, clause: not find_first(_CHORE, slot),
    (True, "thing-is"): _is_thing_used,
    (True, "moving"): _is_migration,
    (True, "moving-on"): _is_move,
    (True, "moving-house"): _is_new_home,
    (True, "field"): lambda slot, clause: not is_pointing(slot),
    (False, "likes"): _is_wish,
    (False, "rule"): _is_rule,
    (True, "team"): _is_rule,
    (True, "building"): _is_built,
    (True, "needs"): lambda slot, clause: not find_first(_NEED_NOW, slot),
    (True, "dates"): _is_no_appointment,
    (True, "deadline"): _is_no_appointment,
}
