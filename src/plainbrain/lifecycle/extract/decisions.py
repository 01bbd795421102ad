"""Decisions that a message states: what was chosen, why, and what was turned down.

Owns how a decision is announced, and where in its words the reason and the alternatives stand. Promises: every part is
the author's own words; a choice that names neither a tool, a reason nor an alternative is none. Must not know how
sentences are cut, nor stores.
"""

from __future__ import annotations

from collections.abc import Iterable

from plainbrain.lifecycle.extract.slots import is_pointing, is_tech, trim
from plainbrain.lifecycle.extract.tools import mentions
from plainbrain.model.memory import Rejected
from plainbrain.records import changed, record
from plainbrain.text.patterns import compiled, find_first


@record(frozen=True, slots=True)
class Decided:
    """Hold a decision: how it reads, why it was taken, and what was turned down for it."""

    content: str
    rationale: str = ""
    rejected: tuple[Rejected, ...] = ()


_WHO = r"(?:we|i|the team|our team|we all)(?:'ve| have|'ll| will|'re| are|'m| am)? (?:all |also |now |just |finally |then |already |recently |eventually |going to |both |therefore )*"
#: What may stand before: "for the queue we chose …", "after a long talk we decided …".
_FRONT = r"(?:(?:for|after|following|in the end|in|on|at|with|as a team|eventually|finally|yesterday|today|last|this)\b[^.;:!?()]{0,45}?,? )?"
_CHOSE = r"(?:decided (?:to|on|for|that|in favou?r of)|chose|chosen|picked|selected|went (?:with|for)|gone with|go with|going with|settled (?:on|for)|opted (?:for|to)|agreed (?:to|on|that)|adopted|standardi[sz]ed on)"
_LETS = r"(?:let's|lets|let us) (?:all |just |then )?(?:(?:go|stick|stay|run|work) with|go for|use|pick|choose|adopt|take|deploy|host|build|write|store|ship)"
#: Somebody says that it is a decision.
_DECIDES = rf"(?i)^(?:{_FRONT}{_WHO}{_CHOSE}|(?:(?:the|our|my|final) )*decision(?: (?:is|was) to|:)|decided:) .+"
_PROPOSES = rf"(?i)^{_LETS} .+"
#: The word itself: such a choice is a decision also where nothing but a tool is named.
_SAYS_SO = rf"(?i)^(?:{_FRONT}{_WHO}(?:decided|agreed|settled|opted|standardi[sz]ed)\b|(?:(?:the|our|my|final) )*decision(?: (?:is|was) to\b|:)|decided:|(?:let's|lets|let us) (?:go|stick|stay) with\b)"
#: Where the very word is said, a tool is enough.
_IS_SAID = (
    rf"(?i)^(?:{_FRONT}{_WHO}(?:decided|agreed)\b|(?:(?:the|our|my|final) )*decision(?: (?:is|was) to\b|:)|decided:)"
)
#: A way of working that is a decision where something is turned down for it.
_WORKS = (
    rf"(?i)^(?:{_FRONT}{_WHO})?(?:use|using|run|deploy|deploying|host|hosting|build|write|store|keep|ship|test|manage|serve|cache|queue|"
    r"authenticate|model|render|switch|switched|move|moved|migrate|migrated|rely)\b .+"
)
_REFUSED = r"(?:decided against|decided not to(?: use| go with| adopt)?|rejected|ruled out|turned down|dismissed|discarded|vetoed|passed on|chose not to|opted against|agreed not to|(?:not|won't) (?:be )?(?:going to )?(?:use|using|adopt|adopting|go with|going with|move to|moving to|switch to|switching to))"
_REFUSES = rf"(?i)^(?:{_FRONT}{_WHO}|(?:let's|lets|let us) )?{_REFUSED}:? (.+)"
_IS_REFUSED = r"(?i)^([^,;:!?()]{2,60}?) (?:was|were|is|are|got|has been|have been) (?:also |then |quickly |finally )?(?:rejected|ruled out|turned down|dismissed|discarded|vetoed|decided against)\b(.*)$"
#: Where what was turned down begins behind what was chosen, in a clause of its own.
_THEN_REFUSED = rf"(?i)(?:[,;]|,? (?:and|but))\s{{1,3}}(?:{_WHO})?(?:{_REFUSED}) "
_WEIGHED = rf"(?i)^{_FRONT}{_WHO}(?:considered|evaluated|weighed|looked at|thought about|tried|compared) (.{{2,80}}?),? (?:but|and) (?:then |finally |in the end |eventually )*(?:we |i )?((?:{_CHOSE}) .+)"
_REASON = r"(?i)[,:]?\s(because(?: of)?|due to|on account of|thanks to|given(?: that)?|so that|since|as (?:it|they|that|this|we|the|our|its|most|nobody|everybody))\s"
#: "since 2019" tells no reason.
_NO_REASON = r"(?i)^(?:\d|last|the (?:start|beginning|first|last)|january|february|march|april|may|june|july|august|september|october|november|december|then|when|v\d)"
_CONTRAST = r"(?i),?\s(?:(?:and |but )?not|instead of|rather than|in place of|as opposed to|in preference to)\s"
_OVER = r"(?i)\sover\s"
_PREFERS_OVER = r"(?i)\b(?:chose|chosen|picked|selected|choose|pick|prefer|preferred|favou?r(?:ed)?|opted for|went (?:with|for)|settled on|decided (?:on|for|to use)|go with|going with)\b|^(?:(?:the|our|my|final) )*decision\b|^decided:"
_NOT_OVER = r"(?i)^(?:the (?:next|last|past|course|weekend|years?|summer|phone|network|internet|wire|air|whole|limit)|time|a (?:period|few)|https?|tcp|udp|tls|ssl|ssh|vpn|ip|usb|wi-?fi|bluetooth|serial|\d)\b"
_NOT_REFUSED = r"(?i)^(?:just|only|to|because|for|in|on|at|by|yet|sure|that|all|every|necessarily|really|even|an? (?:big|fan)|too|so|having|doing|being|waiting|worrying)\b"
#: What is done with an option is no part of it.
_DOING = r"(?i)^(?:(?:use|using|go with|going with|adopt|adopting|do|doing|move to|moving to|switch to|switching to|stay with|staying with|stick with|sticking with|keep|keeping|(?:deploy|deploying|host|hosting|run|running|build|building|write|writing|store|storing) (?:it |that |everything )?(?:on|to|with|in|it)|an?|the|our|any|plain|both|either|with|on|in|to|for) )+"
#: One moment, one errand, or what only points: nothing to be held to.
_AT_HAND = r"(?i)\b(?:this|these|those|it|here|tonight|tomorrow|lunch|dinner|breakfast|coffee|beer|meeting|call|standup|bed|home|wait|talk|meet|see|look|try|continue|start|stop|finish|bugs?|tickets?|variable|function|button|line|file|typo|pr)\b"
#: What is asked of one, or is somebody's: its refusal is no decision about the work.
_ANOTHERS = r"(?i)\b(?:the|my|your|his|her|their) (?:offers?|requests?|prs?|applications?|candidates?|inputs?|pull requests?|changes?|tokens?|proposals?|papers?|inv\w+|appeals?|claims?)\b"
_LONGEST_OPTION = 6
#: One of these is in every decision.
_SIGNS = (
    "decid", "decision", "chose", "pick", "selected", "went ", "gone with", "go with", "going with", "settled", "opted", "agreed", "adopt", "standardi", "let's", "lets ", "let us", "let’s",
    "reject", "ruled out", "turned down", "dismissed", "discarded", "vetoed", "passed on", "won't be", "won’t be", "instead of", "rather than", "in place of", "as opposed", "in preference", " not ",
)  # fmt: skip


#: Where a statement of its own begins that is no part of the decision.
_NEXT = r"(?i),? (?:and|but|so) (?:(?:we|i|our|my)\b|we'|i')"


def own_part(text: str) -> str:
    """Return the text up to where another statement of its author begins, unless that says what was turned down."""
    for found in compiled(_NEXT).finditer(text):
        rest = text[found.start() :]
        begins = compiled(_THEN_REFUSED).search(rest)
        if not (begins and begins.start() == 0) and not find_first(_WEIGHED, text):
            return text[: found.start()]
    return text


def may_decide(message: str) -> bool:
    """Tell, before any pattern is compiled, whether a message may state a decision."""
    lowered = message.lower()
    return any(sign in lowered for sign in _SIGNS)


def without_doubles(rejected: Iterable[Rejected]) -> tuple[Rejected, ...]:
    """Return alternatives each once, with the reason that any mention of it gives."""
    found: dict[str, Rejected] = {}
    for one in rejected:
        key = one.option.casefold()
        if key not in found or (one.reason and not found[key].reason):
            found[key] = one
    return tuple(found.values())


def is_choice(text: str) -> bool:
    """Tell whether a text says that something was chosen."""
    return find_first(_DECIDES, text) or find_first(_PROPOSES, text)


def told_choice(text: str) -> str:
    """Return how a choice reads without its reason and without the words that only announce it."""
    said: str = compiled(
        r"(?i)^(?:let's|lets|let us|(?:(?:the|our|my|final) )*decision(?: (?:is|was) to\b|:)|decided:) "
    ).sub("", trim(_because(text)[0]))
    return said[:1].upper() + said[1:]


def decide(text: str) -> Decided | None:
    """Read a text that begins where a clause begins as a decision; None where it states none."""
    weighed = compiled(_WEIGHED).search(text)
    if weighed:
        chosen = _chosen(f"We {weighed.group(2)}", announced=True)
        rejected = _options(weighed.group(1), None)
        return changed(chosen, rejected=(*rejected, *chosen.rejected)) if chosen else None
    announced = find_first(_DECIDES, text)
    if announced or find_first(_PROPOSES, text):
        return _chosen(text, announced=find_first(_SAYS_SO, text))
    return _at_work(text)


def refuse(text: str) -> tuple[Rejected, ...]:
    """Return what a text says was turned down: "we rejected X because …", "X was ruled out"."""
    active = compiled(_REFUSES).search(text)
    if active:
        option, reason = _because(active.group(1))
        option, colon, told = option.partition(": ")
        return _options(option, reason or (trim(told) if colon else None))
    passive = compiled(_IS_REFUSED).search(text)
    if passive and not find_first(_AT_HAND, passive.group(1)):
        return _options(passive.group(1), _because(f"x{passive.group(2)}")[1])
    return ()


def refusal(text: str) -> Decided | None:
    """Read a text as the decision against something; only what a tool or a reason makes worth keeping is one."""
    rejected = refuse(text)
    said = trim(_because(text)[0])
    head, colon, _ = said.partition(": ")
    said = head if colon and len(head.split()) > 1 else said
    if not rejected or find_first(_AT_HAND, said):
        return None
    named = any(True for one in rejected for _ in mentions(f" {one.option}"))
    ours = find_first(rf"(?i)^(?:{_WHO})?{_REFUSED}", said) and not find_first(_ANOTHERS, said)
    if not (named or (ours and any(one.reason for one in rejected))):
        return None
    return Decided(said[:1].upper() + said[1:], "", rejected)


def _at_work(text: str) -> Decided | None:
    """Read a way of working as a decision where a tool was turned down for it: "we deploy with X rather than Y because …"."""
    chosen = _chosen(text, announced=False) if find_first(_WORKS, text) else None
    if chosen is None or not all(is_tech(one.option) for one in chosen.rejected):
        return None
    ours = find_first(r"(?i)^(?:we|our|the team)\b", text)
    plainly = not find_first(r"(?i),? not ", chosen.content)
    return chosen if chosen.rationale or (ours and plainly) else None


def _chosen(text: str, *, announced: bool) -> Decided | None:
    parted = compiled(_THEN_REFUSED).search(text)
    rejected = refuse(text[parted.start() :].lstrip(" ,;").removeprefix("and ").removeprefix("but ")) if parted else ()
    said, reason = _because(text[: parted.start()] if parted else text)
    what, against = _against(said)
    rejected = without_doubles((*against, *rejected))
    if not (rejected or (reason and is_choice(text)) or find_first(_IS_SAID, text)) or find_first(r"(?i)\bnot$", said):
        return None
    content = told_choice(said)
    chosen = (
        compiled(rf"(?i)^(?:{_FRONT}{_WHO})?(?:{_CHOSE}|go with|use|pick|choose|adopt) ")
        .sub("", f"{trim(what)} ")
        .strip()
    )
    chosen = compiled(r"(?i)^(?:let's|lets|let us) ").sub("", chosen)
    if is_pointing(chosen) or find_first(_AT_HAND, what) or len(content.split()) < 2:
        return None
    named = any(True for _ in mentions(f" {chosen}")) or any(is_tech(one.option) for one in rejected)
    ours = not find_first(r"(?i)^i\b", text)
    if not (ours or rejected or reason):
        return None
    if not (named or (ours and announced and (rejected or reason))):
        return None
    return Decided(content, reason or "", rejected)


def _because(text: str) -> tuple[str, str | None]:
    """Part a text from the reason that it gives; None where it gives none."""
    for found in compiled(_REASON).finditer(text):
        word, rest = found.group(1), text[found.end() :].strip()
        if not rest or (word.lower() == "since" and find_first(_NO_REASON, rest)):
            continue
        if word.lower().startswith(("as ", "so ")):
            rest = f"{word} {rest}".removeprefix("as ").removeprefix("As ")
        return text[: found.start()], trim(rest)
    return text, None


def _against(said: str) -> tuple[str, tuple[Rejected, ...]]:
    """Part what was chosen from what it was chosen over."""
    found = compiled(_CONTRAST).search(said)
    if found is None and find_first(_PREFERS_OVER, said):
        found = compiled(_OVER).search(said)
        if found and find_first(_NOT_OVER, said[found.end() :]):
            found = None
    if found is None:
        return said, ()
    return said[: found.start()], _options(said[found.end() :], None)


def _options(text: str, reason: str | None) -> tuple[Rejected, ...]:
    """Return the alternatives that a phrase lists, each without what is done with it."""
    found = []
    for part in compiled(r"(?i),? (?:or|nor|and|&) |, ").split(trim(text)):
        if find_first(_NOT_REFUSED, part):
            return ()
        option = trim(
            compiled(r"(?i) (?:for|in|on|at|when|where|while|as|to) .*$").sub("", compiled(_DOING).sub("", part))
        )
        if (
            not option
            or is_pointing(option)
            or find_first(r"(?i) (?:it|that|this|them)$", option)
            or len(option.split()) > _LONGEST_OPTION
            or len(option) < 2
        ):
            return ()
        found.append(Rejected(option, reason))
    return tuple(dict.fromkeys(found))
