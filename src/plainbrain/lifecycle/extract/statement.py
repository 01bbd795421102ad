"""The last reading of a clause: subject, verb, the rest. The plain present of one's own things tells what lasts.

English tells a habit or a state by the plain present ("our grant runs out in August"), what happens now by other forms
("our server is crashing", "I moved the file"). Owns that reading, and the words by which a plain present still
tells nothing. Promises: the memory is the clause itself. Must not know the rows.
"""

from __future__ import annotations

from collections.abc import Iterator

from plainbrain.lifecycle.extract.rule import ADV, ExtractRule
from plainbrain.lifecycle.extract.slots import trim
from plainbrain.lifecycle.extract.tools import is_doubtful
from plainbrain.model.kinds import FACT, PREFERENCE, PROCEDURE
from plainbrain.text.patterns import compiled, find_first, words

_OF_USER = ExtractRule("statement", "", FACT, "User: {0}", ("identity.personal", "personal"))
_OF_PROJECT = ExtractRule("statement", "", FACT, "Project: {0}", ("project",))
_OF_WORK = ExtractRule("statement", "", PROCEDURE, "Workflow: {0}", ("workflow", "process"))
_OF_TASTE = ExtractRule("statement", "", PREFERENCE, "Preference: {0}", ("style", "preferences"))

_PERSON = rf"(?i)^(i|we) {ADV}(?:\w+ly )?(don't |do not |never |rarely |hardly |can't |cannot |can only |must |have to |must not |mustn't )?([a-z][a-z'-]*) \S"
_OWNED = r"(?i)^(my|our|the (?:whole |entire )?(?:team|company|firm|studio|startup|agency|lab|department|org)) ((?:[^\s,.;:!?()]+ ){0,4}?)(is|are|has|have|must|can't|cannot|can|needs?|does|do|doesn't|don't|never|always|only|will|won't|should|[a-z]{2,}s|'s|run|use|live|work|go|get|like|want|prefer|expect|start|end|come|happen|follow|take|speak) \S"
_OUTER = r"(?i)^(?:the |by )?(?:contract|sla|spec|policy|law|regulators?|auditors?|legal|compliance|budget|deadline|grant|investors?|board|roadmap|licen[sc]e|customer data|user data|personal data|data|exam|defen[cs]e|viva|conference|hackathon|pilot|rollout|go-live|launch|alpha|beta|mvp|v\d|version \d\S*|phase \w+|milestone \w+|production|prod|staging)(?: \S+)? (?:is|are|says?|must|can't|cannot|may not|requires?|needs?|ends?|starts?|runs? out|expires?|allows?|forbids?|limits?|caps?|has to|have to|stays?|lives?|never|only|comes?|happens?|goes|opens?|closes?|lands?) \S"
#: Things that are many and have no article: what is said of them is said of all.
_GENERIC = r"(?i)^(?:(?:all|any|every|each|most|big|bigger|small|risky|new|database|db|schema|api|breaking|production|prod|code|dependency|security|critical|feature|release|long-lived|short-lived|unit|integration|e2e|commit|pull|design|infra|config|customer-facing|user-facing|third-party) )*(?:changes?|bugs?|bug ?fix(?:es)?|features?|fix(?:es)?|prs?|mrs?|requests?|branch(?:es)?|commits?|messages|docs|migrations?|releases?|deploys?|deployments?|updates?|upgrades?|tickets?|incidents?|tests|reviews?|refactors?|refactorings?|secrets|dependencies|flags|hotfix(?:es)?|merges|stories|epics|estimates|standups?|retros?|demos|rollbacks?|postmortems?|outages|builds|code|designs|decisions|specs|rfcs|adrs|approvals?|work|notes|translations|assets|nothing|nobody|everyone|everybody|whoever [^,]{2,30}) (?:always |never |only |usually |first |also |all )*(?:is|are|get|gets|go|goes|start|starts|ship|ships|need|needs|require|requires|land|lands|live|lives|happen|happens|come|comes|must|can't|cannot|have|has|stay|stays|end|ends|wait|waits|follow|follows|pass|passes|count|take|takes|touch|touches|merge|merges|reviews?|approves?|deploys?|writes?|fixes|owns|blocks?|carry|carries|use|uses|sit|sits|deserve) \S+ \S"
#: What has to be; without an article only where a figure says how much.
_BOUND = r"(?i)^(?:(?:the|our|all|any|everything|nothing|no|both) ?(?:[^\s,.;:!?()]+ ){0,4}(?:must|must not|has to|have to|needs to|need to|can't|cannot|may not|mustn't|shall|should never) [a-z]+ \S|(?:[^\s,.;:!?()]+ ){1,4}(?:must|must not|has to|have to|needs to|need to|can't|cannot|may not|mustn't|shall) [a-z]+ [^,]*\d)"
_DATED = r"(?i)^(?:[^\s,.;:!?()]+ ){1,5}(?:is|are|starts?|ends?|happens?|begins?|closes?|opens?|lands?|runs?|expires?|finishes|ships?|drops?) (?:on|in|at|by|until|through|from|due|planned|scheduled|set|before|after|the)\b.*\b(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|spring|summer|autumn|winter|q[1-4]|20\d\d)\b"
#: Taste by its effect: what a thing does to me.
_BADLY = r"(?i)^([^,.;:!?()]{3,50}?) (?:(?:is|are) (?:very |too |really |just |mostly |completely |a bit )*(?:hard|tough|difficult|painful|useless|confusing|tiring|unreadable|impossible|annoying|overwhelming|inaccessible|a pain|a chore|noise|torture) (?:for|to) me\b.*|(?:annoys?|bugs?|irritates?|bothers?|tires?|bores?|confuses?|frustrates?|scares?|distracts?|overwhelms?|stress(?:es)?|throws?|slows?|puts?|turns?|drives?|gives?|makes?|wears?|hurts?) (?:me|us|my (?:eyes|head|brain))(?: (?:out|off|up|down|a lot|nuts|crazy|mad|the creeps|(?:a )?headaches?|hives|anxiety|nightmares|migraines?|pause|dizzy|angry|lost|tired|sad|cringe|no end|more than \w+))*)$"
_WELL = r"(?i)^([^,.;:!?()]{3,50}?) (?:(?:beats?|trumps?) (?:[^,.;:!?()]{2,40}?)(?: for .*)?|(?:helps?|suits?) me(?: \w+){0,3}|(?:is|are) (?:my thing|my jam|the way to go|where it's at|life|fine by me|a joy|underrated|how i roll|king))$"
#: Words without which these cannot match: a look for them spares the compiling.
_TOUCHED = {
    _BADLY: (" me", " us", " my "),
    _WELL: (" beat", " trump", " me", " my ", "way to go", " is ", " are ", " i "),
}
_AGAINST = (
    r"(?i)^i (?:have|hold|'ve got|got) (?:a (?:thing|grudge|bias|strong dislike) against|an? (?:dislike|aversion|distaste|allergy) (?:of|to|for)|no (?:love|time|patience|use|appetite) for|trouble (?:with|reading)) (.+)",
    r"(?i)^i(?:'m| am) (?:against|done with|over|through with|wary of|skeptical of|sceptical of|suspicious of|no fan of|weary of|fed up with|put off by|averse to|opposed to|anti[- ]) ?(.+)",
)
_FOR = (
    r"(?i)^i(?:'m| am) (?:very |really |quite |a bit |super |rather |pretty )?((?:fussy|picky|particular|strict|pedantic|religious|obsessive|opinionated|happiest|all for|all about|used to|more of|old[- ]school|more comfortable|better with|a sucker|a stickler|a believer|a minimalist|a fan|a purist) .+)",
    r"(?i)^i(?:'d| would) (?:be|feel) (?:grateful|happy|glad|happier|delighted|thankful|most happy) (?:for|with|to get|to see|to have) (.+)",
    r"(?i)^(?:please )?((?:address|treat|talk to|speak to|quiz|challenge|correct|warn|teach|ask) me\b .+)",
    r"(?i)^((?:less|fewer|more) [^,.;:!?()]{3,30} (?:and )?(?:more|less|fewer) .+)",
    r"(?i)^(?:whatever you|anything you|all the code you|code you|everything you) [a-z]+,? (.+)",
)
#: Verbs that tell a moment, a thought or a need even in the plain present, and forms of the past without a mark.
_MOMENTARY = frozenset(
    words(
        "hate love like prefer am was were been be have had has get got think thought know knew see saw hear heard feel felt want need wonder guess suppose hope wish believe mean meant say said tell told ask try tried forget "
        "forgot remember understand understood agree disagree doubt assume notice find found lose lost did do does done went came came made took gave kept put ran read wrote set let left sent "
        "sat met began broke fell held hit paid shut sold spent stood won built bought brought caught chose drew drove drank ate grew hid rode rose sang slept spoke stole swam taught threw woke wore 'm "
        "appreciate thank apologize apologise bet swear promise will would can could should may might must shall are is just really also still now only then almost nearly not no and or to of in on at for with "
        "keep start stop call click press type open enter select look give show pass return expect seem appear decided realized realised noticed tried used finally already both all too so cannot can't don't didn't couldn't haven't hadn't won't wouldn't never call "
    )
)
_MODAL_MOMENTARY = frozenset(
    words(
        "hate love like prefer get see find figure tell remember think understand know seem believe wait say make do open log connect reproduce help sleep decide even"
    )
)
#: The matter at hand, trouble, time that passes: no plain present lasts with these.
_AT_HAND = r"(?i)\b(?:this|these|those|it|here|now|today|tonight|tomorrow|yesterday|again|currently|right|yet|anymore|so far|you|your|someone|something|anything|the (?:function|file|button|error|bug|list|array|string|loop|query|variable|class|method|output|result|answer|script|test|tests|page|first|second|third|last|next|same|other|above|following|option|code|row|rows|column|table|request|response|user|form|field|log|logs|branch|server|app)|at \d\S*|at the|in \w+ minutes|of that|to that|in that|for that)\b"
_TROUBLE = r"(?i)\b(?:fail\w*|errors?|exceptions?|broken|breaks?|bugs?|slow(?:ly)?|crash\w*|down|hangs?|leaks?|throws?|wrong|weird|strange|stuck|timeouts?|times out|missing|empty|null|undefined|unexpected\w*|problems?|issues?|trouble|stops? working|doesn't work|won't|not working|red|late|dead|dying|dies|returns?|grow(?:s|ing)|lags?|500|404|403|401|502|nan|question|call|meeting|lunch|idea|headache|cold|hungry|tired|sick|busy)\b|\b(?:is|are) (?:not |still |now |all )?(?:\w+ing|missing|gone|not)\b"
_SHORT_LIVED = r"(?i)^(?:my|our) (?:code|function|test|tests|query|script|question|guess|problem|issue|bug|error|point|bad|mistake|apologies|impression|hunch|theory|understanding|first|second|next|last|head|brain|computer|screen|internet|wifi|battery|build|loop|output|input|result|list|array|string|variable|class|method|page|button|intern|thoughts?|friend|dad|mom|mum|brother|sister|father|mother|competitors?|rivals?|neighbou?r|colleague|coworker|teacher|professor)\b"


def state(text: str) -> Iterator[tuple[ExtractRule, str]]:
    """Yield (row, content) of a clause that tells something lasting by its form alone."""
    told = trim(text)
    for pattern, template in ((_BADLY, "Dislikes {0}"), (_WELL, "Preference: {0}")):
        touched = any(word in told for word in _TOUCHED[pattern])
        found = touched and compiled(pattern).search(told)
        if (
            found
            and not find_first(_AT_HAND, found.group(1))
            and not find_first(r"(?i)^(?:that|this|it|which|he|she|they|what)\b", told)
        ):
            yield _OF_TASTE, template.format(found.group(1) if "Dislikes" in template else told)
            return
    for patterns, template in ((_AGAINST, "Dislikes {0}"), (_FOR, "Prefers: {0}")):
        for pattern in patterns:
            found = compiled(pattern).search(told)
            if found and not find_first(_AT_HAND, found.group(1)):
                yield _OF_TASTE, template.format(found.group(1))
                return
    if len(told.split()) < 4 or find_first(_AT_HAND, told) or find_first(_TROUBLE, told):
        return
    row = _row_of(told)
    if row:
        yield row, row.template.format(told)


def _row_of(told: str) -> ExtractRule | None:
    person = compiled(_PERSON).search(told)
    if person:
        modal, verb = person.group(2), person.group(3).lower()
        rest = told[person.end() - 1 :]
        if verb in ("use", "run") and is_doubtful(rest) and " for " not in rest:
            return None
        if verb in _MOMENTARY or verb.endswith(("ed", "ing", "n't")) or (modal and verb in _MODAL_MOMENTARY):
            return None
        return _OF_USER if person.group(1).lower() == "i" else _OF_PROJECT
    if find_first(_GENERIC, told):
        return _OF_WORK
    owned = compiled(_OWNED).search(told)
    if owned and not find_first(_SHORT_LIVED, told):
        return _OF_USER if owned.group(1).lower() == "my" else _OF_PROJECT
    if find_first(_BOUND, told) or find_first(_DATED, told):
        return _OF_PROJECT
    return _OF_PROJECT if find_first(_OUTER, told) else None
