"""Introductions: several facts in one breath, without a subject for each.

Owns "I'm Nadia, data engineer at Globex" and "quick context: python 3.12, fastapi, two devs". Must not know stores.
"""

from __future__ import annotations

from collections.abc import Iterator

from plainbrain.lifecycle.extract.clauses import Clause
from plainbrain.lifecycle.extract.rule import ExtractRule
from plainbrain.lifecycle.extract.slots import bare_role, is_placed, is_tech, person_name, trim
from plainbrain.lifecycle.extract.tools import names_tool
from plainbrain.model.kinds import FACT
from plainbrain.text.patterns import compiled, find_first

_INTRO = r"(?i)\b(?:intro|about me|introduce|introducing)\b"
_CONTEXT = r"(?i)\b(?:context|background|setup|stack|facts)\b"
_WHENCE = r"^[A-Z]\S+ (?:from|at|with) [A-Z]\S*(?: [A-Z]\S*)?(?: here)?$"
_NAMED = r"(?i)^(?:i'm|i am|im|this is|my name is|my name's|name's|it's|call me) "


def _row(name: str, template: str, *tags: str) -> ExtractRule:
    return ExtractRule(name, "", FACT, template, tags)


_NAME = _row("name", "The user's name is {0}", "identity.name", "personal")
_ROLE = _row("role", "User is {0}", "identity.role", "work")
_PLACE = _row("place", "User is based in {0}", "identity.location", "personal")
_OTHER = _row("personal", "User: {0}", "identity.personal", "personal")
_STACK = _row("stack", "Project uses {0}", "project", "code.stack")
_PROJECT = _row("project", "Project: {0}", "project.goal")


def introduce(clause: Clause) -> Iterator[tuple[ExtractRule, str]]:
    """Yield (row, content) of each part of an introduction; nothing where a clause is none."""
    parts = [part.strip() for part in clause.text.split(",")]
    named = compiled(_NAMED).match(clause.text)
    if named:
        parts[0] = parts[0][named.end() :]
        if len(parts) > 1 and person_name(parts[0], told=False):
            yield from _person(parts)
        elif " " in parts[0] and person_name(parts[0].split(" ")[0], told=False):
            yield from _named_from(parts[0])
    elif find_first(_WHENCE, clause.text) and person_name(parts[0].split(" ")[0], told=False):
        yield from _named_from(parts[0].removesuffix(" here"))
    elif find_first(_INTRO, clause.lead) and person_name(parts[0], told=False):
        yield from _person(parts)
    elif find_first(_CONTEXT, clause.lead) and all(len(part.split()) <= 4 for part in parts):
        for part in map(trim, parts):
            if part:
                row = _STACK if is_tech(part) and not find_first(r"(?i)^(?:i|we|our|my)\b", part) else None
                if row:
                    yield row, row.template.format(part)


def _named_from(part: str) -> Iterator[tuple[ExtractRule, str]]:
    """Yield the name and the rest of "Hana from the design systems team", "Jo, the new PM"."""
    whence = compiled(
        r"^([A-Z]\S*(?: [A-Z]\S*)?) ((?:from|with|on|at|over at|over in|in) (?:the |our )?[\pL].{3,})$"
    ).search(part)
    if whence:
        yield _NAME, _NAME.template.format(person_name(whence.group(1), told=False) or whence.group(1))
        rest = trim(whence.group(2))
        if not find_first(r"(?i)^with an? ", rest):
            yield _OTHER, _OTHER.template.format(rest)


def _person(parts: list[str]) -> Iterator[tuple[ExtractRule, str]]:
    yield _NAME, _NAME.template.format(person_name(parts[0], told=False))
    for part in map(trim, parts[1:]):
        if bare_role(part):
            yield _ROLE, _ROLE.template.format(part)
        elif find_first(r"(?i)^(?:based in|living in|from|in) ", part) and is_placed(
            part.split(" in ")[-1].removeprefix("from ").removeprefix("in ")
        ):
            yield _PLACE, _PLACE.template.format(part.split(" in ")[-1].removeprefix("from ").removeprefix("in "))
        elif is_placed(part) and len(part.split()) <= 3 and not is_known_tool(part):
            yield _PLACE, _PLACE.template.format(part)
        elif find_first(
            r"(?i)^(?:working|running|building|leading|doing|studying|teaching|owner|founder|owning)\b", part
        ):
            yield _OTHER, _OTHER.template.format(part)
        elif part.isdigit() and len(part) == 2:
            continue


def is_known_tool(part: str) -> bool:
    """Tell whether a part is the name of a tool rather than of a place."""
    return names_tool(part)
