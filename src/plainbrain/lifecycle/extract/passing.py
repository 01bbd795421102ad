"""Tools that a clause mentions without a pattern of its own: "Sidekiq does our jobs", "in our Rails app".

Owns when such a mention tells what is used. Promises: a clause that says something about the user's own things tells
it outright; a clause about trouble or an opinion only implies it, and only by "our" or "my". Must not know stores.
"""

from __future__ import annotations

from collections.abc import Iterator

from plainbrain.lifecycle.extract.rule import ExtractRule
from plainbrain.lifecycle.extract.tools import mentions
from plainbrain.model.kinds import FACT, PREFERENCE
from plainbrain.text.patterns import compiled, find_first

_AT = ExtractRule("implied", "", FACT, "User works at {0}", ("identity.company", "work"), explicit=False)
_IN = ExtractRule("implied", "", FACT, "User is based in {0}", ("identity.location", "personal"), explicit=False)
_BRIEF = ExtractRule(
    "implied",
    "",
    PREFERENCE,
    "Prefers answers that are not too {0}",
    ("style.answers", "style", "preferences"),
    explicit=False,
)
#: What is told beside the point: a place of work, a place, a wish behind a complaint.
_ASIDE = (
    (
        _AT,
        r"\b(?:[Hh]ere at|[Oo]ver at|(?:[Mm]y|[Oo]ur) (?:boss|colleagues?|manager|team|desk|lead|coworkers?|job|office|work|users|customers|servers) (?:here )?at) ([A-Z][\w&-]*(?: [A-Z][\w&-]*)?)",
    ),
    (
        _IN,
        r"\b(?:[Mm]y|[Oo]ur) (?:office|hq|flat|home|apartment|house|lab|place|city) (?:here )?in ([A-Z][^\s,.;:!?()]*(?: [A-Z][^\s,.;:!?()]*)?)",
    ),
    (
        _BRIEF,
        r"(?i)\b(?:that's|this is|it's|your (?:last )?(?:answers?|replies|messages?|explanations?) (?:is|are|was|were)|still|again) (?:\w+ )?too (long|verbose|short|formal|wordy|technical|chatty|vague|detailed|complicated|abstract)\b",
    ),
)
_TOLD = ExtractRule("mention", "", FACT, "Project uses {0}", ("project", "code.stack"))
_IMPLIED = ExtractRule("implied", "", FACT, "Project uses {0}", ("project", "code.stack"), explicit=False)
_DENIED = ExtractRule("denied", "", FACT, "Project does not use {0}", ("project", "code.stack"))
#: What is the user's own.
_OWN = r"(?i)(?:^|[^\pL])(?:we|we're|we've|our|ours|us|my|mine|it's|the (?:[\pL-]+ )?(?:app|api|backend|back end|frontend|front end|front|service|services|site|project|repo|repository|codebase|stack|server|database|db|infra|infrastructure|pipeline|pipelines|team|tests|code|queue|cache|jobs|game|client|cluster|monolith|product|docs|worker|workers|layer|ui|website|mobile app|web app|platform|system|build|editor|shell|os|cli|dashboard|landing page|scripts?|containers?|deploys?|migrations?|styles|styling|logs|monitoring|auth|payments|search))(?:[^\pL]|$)"
_BARE = r"(?i)^(?:prod|production|staging|locally|using|deployed|built|hosted|written|running|powered|styled|coded|everything|all|most of|half of|for|on the|under the hood|behind it|tests|styling|auth|infra|infrastructure|logs|linting|formatting|ci|caching|monitoring|search|state|hosting|deployment|deploys|payments|queues?|backend|frontend|mobile|web|db|orm|ui)\b"
#: Trouble, opinion, comparison, learning: a mention among these does not tell what is used.
_OTHERWISE = r"(?i)\b(?:fail(?:s|ing|ed)?|errors?|broken|breaks|broke|bugs?|slow|crash(?:es|ed|ing)?|overkill|think|thinks|read|heard|saw|learn(?:ing)?|compare|compared|vs|versus|better|worse|issues?|problems?|tutorial|article|docs say|course|keeps?|dying|dies|stuck|trying|tried|debug(?:ging)?|error|haven't|hasn't|undecided|drops?|hangs?|leaks?|throws?|wrong|weird|won't|can't|doesn't|isn't|no idea|question|wonder(?:ing)?|thinking|considering|evaluating|looking at|should|would|could|might|maybe|hate|love|like|prefer|explain|fix|add|write|make|create|update|convert|show|help|migrate)\b"
_INSTEAD = r"(?i),? (?:not|instead of|rather than) .*$"
_NEGATED = r"(?i)\b(?:left|leaving|quit|ditched|removed|retired|retiring|dropping|killed|no|not|never|without|don't|doesn't|isn't|aren't|no longer|nobody|stopped|dropped|banned|forbidden|didn't|rejected|ruled out|turned down|dismissed|decided against|against|declined|vetoed)\b"
_OWNED = r"\b(?:[Oo]ur|[Mm]y) (?:own |new |old |legacy |main |little |big |small |current |internal |existing |production |prod |staging )*([A-Z]?[\pL\pN.+#-]+(?: \d[\d.]*)?(?: [A-Z][\pL\pN.+#-]*)?)"


def in_passing(text: str) -> Iterator[tuple[ExtractRule, str]]:
    """Yield (row, content) of the tools that a clause mentions as its author's own."""
    for row, pattern in _ASIDE:
        yield from ((row, row.template.format(match.group(1))) for match in compiled(pattern).finditer(text))
    text = (
        compiled(_INSTEAD).sub("", text) if find_first(r"(?i)^[^,]+,? (?:not|instead of|rather than) ", text) else text
    )
    own = find_first(_OWN, text) or find_first(_BARE, text)
    if own and not find_first(_OTHERWISE, text):
        row = _DENIED if find_first(_NEGATED, text) else _TOLD
        yield from ((row, row.template.format(name)) for name in mentions(text if text[:1].islower() else f" {text}"))
        return
    headed = compiled(r"^[^:]{2,40}: ").match(text)
    text = text[headed.end() :] if headed else text
    if _is_list(text):
        yield from ((_TOLD, _TOLD.template.format(name)) for name in mentions(f" {text}"))
        return
    for match in compiled(_OWNED).finditer(text) if _speaks_of_own(text) else ():
        yield from ((_IMPLIED, _IMPLIED.template.format(name)) for name in _called(text, match.start(1), match.end(1)))


def _called(text: str, start: int, end: int) -> Iterator[str]:
    """Yield the tool that a passage of a text is, by what follows it too."""
    inside = " " + text[start:end]
    after = text[end:].split()[:1] if text[end : end + 1] == " " else []
    yield from (name for name in mentions(" ".join((inside, *after))) if name in inside)


def _speaks_of_own(text: str) -> bool:
    """Tell, before any pattern is compiled, whether a text may call something its author's own."""
    lowered = text.lower()
    return "our " in lowered or "my " in lowered


#: In a question only what is called one's own is known to be used.
_SUPPOSED = r"(?i)\b(?:if|suppose|imagine|pretend|let's say|hypothetically|what if|say (?:i|we|my|our)|should (?:our|my|we)|could (?:our|my)|next|future|would-be)\b"
_AMID = r"(?:^|[^\pL])((?:[A-Z]|[a-z])[\pL\pN.+#-]+(?: \d[\d.]*)?) [\pL-]+ (?:in|on|of|behind|for) (?:our|my)\b"


def in_question(text: str) -> Iterator[tuple[ExtractRule, str]]:
    """Yield (row, content) of the tools that a question calls its author's own: "why does our Rails app …?"."""
    if not _speaks_of_own(text) or find_first(_SUPPOSED, text):
        return
    for pattern in (_OWNED, _AMID):
        for match in compiled(pattern).finditer(text):
            yield from (
                (_IMPLIED, _IMPLIED.template.format(name)) for name in _called(text, match.start(1), match.end(1))
            )


def _is_list(text: str) -> bool:
    """Whether a clause is nothing but tools and what they are for: "python, fastapi", "Vitest for units, Playwright for e2e"."""
    parts = [part.strip() for part in compiled(r"[,/+&]| and ").split(text) if part.strip()]
    return len(parts) >= 2 and all(map(_names_tool, parts))


def _names_tool(part: str) -> bool:
    name = compiled(r"(?i) (?:for|on|in|as|behind|at|everywhere)(?: .*)?$").sub("", part)
    return len(name.split()) <= 3 and any(True for _ in mentions(f" {name}"))
