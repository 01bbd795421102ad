"""Reading what fills the slot of a pattern: is it a name, a role, a tool, and where does it end?

Owns the trimming of phrases, the splitting of lists and the checks. Promises: what is returned is made of
the user's own words. Must not know which rule found the slot.
"""

from __future__ import annotations

from plainbrain.lifecycle.extract.tools import TECH, is_counted, is_doubtful, is_sure, names_tool
from plainbrain.text.patterns import compiled, words

#: Heads of roles that do not end like one.
ROLES = frozenset(
    words(
        "lead sre cto ceo cfo coo vp head founder cofounder co-founder student intern admin sysadmin dba qa pm po nurse chef pilot coach dev devops mlops tech apprentice freelancer "
        "postdoc phd professor staff principal contractor grad undergrad trainee clerk judge artist scientist analyst architect consultant accountant assistant physicist vet journalist "
        "technician statistician mathematician electrician musician librarian specialist therapist pharmacist dentist economist linguist biologist chemist geologist psychologist"
    )
)
ROLE_ENDINGS = ("er", "or", "ist", "eer", "ian", "ect", "tant", "ive")
NOT_ROLES = frozenset(
    words(
        "fan person believer beginner user newcomer member number lover hater customer bit lot little reader newbie stickler sucker speaker winner order matter over other later "
        "better never after under ever either for or her their more stranger monster error mirror color colour nor counter riser bigger smaller faster slower owner-to-be bother"
    )
)
LONGEST = 220
_TAIL = (
    r"(?i)(?:,? (?:because|since|so that|which|although|even though|fwiw|btw|by the way|lol|thanks|thank you|if you (?:can|could|don't mind)|if possible|please keep .*|as you know|believe it or not|always have been|just fyi|fyi)\b.*"
    r"|, ?(?:so|but|and|please|thanks|ok|okay|right|you know|too|also|hence|not a .*|if|though)\b.*| (?:btw|fwiw|lol|haha)\b.*|[ ,:;–—-]+)$"
)
_END = r"(?i)[, ]+(?:now|too|please|pls|though|as well|these days|nowadays|currently|by the way|in general|anyway|again|actually|either|thanks|already|last (?:week|month|year|winter|spring|summer|fall|autumn|quarter|sprint)|(?:a|an|two|three|a few) (?:while|weeks?|months?|years?) ago|back in \d{4}|this (?:week|month|year)|yesterday|at all|anymore|any more|here|ok|okay|since \d{4}|[^\pL\pN\p{M}+#/)%!]+)$"
_POINTING = (
    r"(?i)^(?:(?:it$|it (?:better|again|more|now|here|so far)|it's|this|that|these|those|them|him|her|you|me|us|something|anything|nothing|everything|both|either|neither|one|ones|your|what|how|where|to (?:see|know|hear|ask|understand|add|change|get|make|try))\b"
    r"|the (?:first|second|third|fourth|last|latter|former|other|left|right|top|bottom|new|old|previous|original|one|idea|way you|result|look|sound|approach|version|answer|change)\b|(?:option|version|variant|approach|number|answer|choice) (?:\w|\d+)$|the [\pL]+ one$)"
)


def trim(slot: str) -> str:
    """Cut asides and closing words off a slot."""
    before = None
    while slot != before:
        before = slot
        slot = compiled(_TAIL).sub("", slot)
        slot = compiled(_END).sub("", slot).strip(" ,:;-–—\"'!")
    return " ".join(slot.split())


def is_pointing(slot: str) -> bool:
    """Tell whether a slot only points at something in the conversation: "the second one", "this"."""
    return compiled(_POINTING).search(slot) is not None


def is_tech(item: str) -> bool:
    """Tell whether an item looks like a tool: a known name, a capital, a digit or a dot inside."""
    first = item.split()[0] if item.split() else ""
    if names_tool(item):
        return True
    return bool(first) and (first[0].isupper() or any(c.isupper() for c in first[1:])) and first.lower() not in _NO_TOOL


_NO_TOOL = frozenset(
    words(
        "i i'm the a an my our we it this that tests test production prod monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays january february march april may june july august september october november december"
    )
)
_BETWEEN = r"(?i)\s*(?:,\s*(?:and |or |plus |und |et |y |e |и )?|\s(?:and|&|\+|plus|with|via|using|through|und|mit|y|con|et|avec|e|com|и|с|och|med|oraz|i|en|met|ve|ile|och|और)\s|、|と|和|及|および|，|와 |과 |하고 )\s*"
_ITEM_END = r"(?i)\s(?:not|instead of|for|as|on|in|to|at|from|when|where|because|since|so|but|while|via|through|everywhere|across|behind|under|over|instead|rather|by|für|en|para|pour|dans|em|на|для|в|i|we|all|throughout|exclusively|only|sadly|alas|unfortunately|earlier|lately|recently|except|but|though|with|inside|these|every|after|before|until|if|since|and i|and we|which|that|who|because|mostly|again|too|now|here|heavily|a lot)\b.*$"


def items(slot: str, *, loose: bool) -> tuple[str, ...]:
    """Split a list into its items: ``Kafka for events and Redis`` has Kafka and Redis.

    ``loose``: the first item need not look like a tool ("we use feature flags").
    """
    found: list[str] = []
    for part in compiled(_BETWEEN).split(trim(slot)):
        item = _bare(part)
        if item and found and not is_tech(item):
            after = compiled(r"(?i)^[\pL -]{2,30}? (?:in|on|with|using|to|via|through) (.+)$").search(part)
            item = _bare(after.group(1)) if after and is_tech(_bare(after.group(1))) else item
        if (
            not item
            or is_pointing(item)
            or is_pointing(part.strip())
            or is_counted(part)
            or len(item) > 60
            or item.lower().startswith("not ")
        ):
            break
        if not (
            is_tech(item)
            or (loose and not found and _is_thing(item))
            or (found and not is_tech(found[0]) and len(item.split()) <= 3 and _is_thing(item))
        ):
            break
        found.append(item)
    return tuple(dict.fromkeys(found))


def tools_named(slot: str, *, open_class: bool) -> tuple[str, ...]:
    """Return the tools that a subject is made of; ``open_class``: a name that no list holds will do, if it has a capital."""
    found = tuple(part for part in map(_bare, compiled(_BETWEEN).split(trim(slot))) if part)
    if not found or len(found[-1].split()) > 3 or is_pointing(slot) or found[0].split()[0].lower() in _NOT_TOOL_FIRST:
        return ()
    known = all(_has_tool(each.split()) for each in found)
    return found if known or (open_class and all(each[0].isupper() for each in found)) else ()


def _has_tool(parts: list[str]) -> bool:
    """Whether a known tool is among words that begin a clause, where a capital is no sign."""
    small = [parts[0].lower(), *parts[1:]] if parts[0].istitle() else parts
    return any(word.lower() in TECH and is_sure(small, at, alone=True) for at, word in enumerate(small))


_NOT_TOOL_FIRST = frozenset(
    words(
        "he she they who which everyone everybody nobody somebody someone everything nothing people there here what my our your his her their its each every all both i we you one another that this it the"
    )
)


def _bare(part: str) -> str:
    part = compiled(
        r"(?i)^(?:(?:the|an?|some|our|just|only|mostly|mainly|plain|both|either|good old|own|our own|my own|as an?|as|a mix of|a combination of|still|also|now) )+"
    ).sub("", part.strip())
    part = compiled(_ITEM_END).sub("", part)
    return trim(part)


def _is_thing(item: str) -> bool:
    count = len(item.split())
    return (
        count <= 5
        and item.split()[0].lower() not in _NO_THING
        and item.lower() not in _EMPTY
        and not is_pointing(item)
        and not is_doubtful(item)
    )


_NO_THING = frozenset(words("up out off my your his her their down back"))
_EMPTY = frozenset(words("it this that them things stuff something anything time lot lots bit everything to up a same"))


def person_name(slot: str, *, told: bool) -> str:
    """Return the name that a slot begins with, or ``""``; ``told`` (after "my name is") takes small letters, too."""
    slot = slot.removeprefix("pronounced ").removeprefix("actually ")
    cut: list[str] = compiled(r"(?i)[,.;:(]| and | but | from | with | aka | by the way| btw| - ").split(slot)
    head = trim(cut[0].strip(" !\"'"))
    parts = head.split()
    if not parts or len(parts) > (4 if told else 2):
        return ""
    if any(not compiled(r"^[\pL\p{M}'’.-]+$").search(part) for part in parts):
        return ""
    if any(part.lower() in _NO_NAME for part in parts):
        return ""
    if not told and any(part.lower() in TECH and part.lower() not in _NAMES for part in parts):
        return ""
    if told:
        return head if len(parts) <= 2 or all(part[0].isupper() for part in parts) or not head.isascii() else parts[0]
    return (
        head
        if all(part[0].isupper() and (part[1:].islower() or not part[1:]) for part in parts) and len(head) >= 2
        else ""
    )


#: Tools that are called as people are.
_NAMES = frozenset(words("ada julia ruby hugo jasmine crystal pascal phoenix jade cassandra jasper linus miro"))
_NO_NAME = frozenset(
    words(
        "by my me when if later anything whatever using please or is ok okay sure sorry fine good great done ready back here there not happy glad afraid aware tired sick stuck new old from in on at the a an all no yes so very just still also complicated "
        "german french english american british canadian spanish italian dutch indian chinese japanese korean russian polish brazilian portuguese swedish turkish ukrainian irish australian "
        "monday tuesday wednesday thursday friday saturday sunday looking trying working using building thinking wondering hoping interested curious confused lost hungry late busy "
        "awesome perfect wrong right true false nice cool it that this what who important long short weird spelled hard easy difficult"
    )
)


def bare_role(slot: str) -> str:
    """Return a slot that tells a role without an article ("data engineer at Globex"), or ``""``."""
    slot = trim(slot)
    return slot if not slot.lower().startswith(("a ", "an ", "the ")) and role(f"a {slot}") else role(slot)


def role(slot: str) -> str:
    """Return a slot that tells what somebody is by work, with the place of work, or ``""``."""
    slot = trim(slot)
    head = (
        compiled(r"(?i),| (?:at|for|with|in|on|of|over|who|that|from|by|and|turned|working|here|doing|focused|based)\b")
        .split(slot)[0]
        .lower()
        .split()
    )
    article = bool(head) and head[0] in ("a", "an", "the")
    head = head[1:] if article else head
    if not head or len(head) > 6:
        return ""
    last = head[-1].strip("'s")
    known = last in ROLES or any(word in ROLES for word in head[-1].split("-"))
    ends = last.endswith(ROLE_ENDINGS) and len(last) >= 5 and last not in NOT_ROLES
    return slot if (known and (article or len(head) <= 4)) or (article and ends) else ""


def is_placed(slot: str) -> bool:
    """Tell whether a slot begins with a place or a company: a capital, but no month, day, tool or plain word."""
    first = slot.split()[0] if slot.split() else ""
    return (
        first[:1].isupper() and first.lower().strip(",") not in _NO_PLACE and not (first.isupper() and len(first) > 4)
    )


_NO_PLACE = frozenset(
    words(
        "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december i it"
    )
)
