"""Reading what was turned down as people and models write it: one text may hold one alternative or many, each with its reason.

Owns the forms: ``option: reason``, ``option - reason``, ``option (reason)``, ``option because reason``, marks of Markdown, lines with
bullets, parts with semicolons. Conservative: a hyphen within a word parts nothing, and a text in no known form is one option. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from plainbrain.model.memory import Rejected

#: What stands between an option and its reason, and how many words an option before it may have (0: any number).
_BETWEEN: Sequence[tuple[str, int]] = (
    (": ", 0), ("：", 0), (" - ", 8), (" – ", 8), (" — ", 8), ("—", 8), (" -- ", 8), (" -> ", 8), (" → ", 8), (" because ", 6),
    (" because of ", 6), (" due to ", 6), (", since ", 6), (", as it ", 6), (" weil ", 6), (" wegen ", 6), (" parce que ", 6), (" porque ", 6),
)  # fmt: skip
#: These keep their last words with the reason.
_KEPT = {", as it ": "it "}
_BULLET = re.compile(r"(?:[-*+•–—]|\d{1,3}[.)])\s+(?:\[[ xX~-]\]\s+)?|•")
_MARKS = ("***", "**", "__", "~~", "*", "_", "`", '"')
_SHORT = 4
_HEADING = re.compile(
    r"(?i)reject|turned down|ruled out|alternativ|option|consider|discard|dismiss|not chosen|verworfen|abgelehnt|rejet|descart"
)


def read_alternatives(text: str) -> tuple[Rejected, ...]:
    """Return the alternatives that a text holds, in its order; a text in no form of a list is one. Empty for white space."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 1:
        parts = _items(lines)
    else:
        parts = [line.strip() for line in lines]
    found = [read_alternative(piece) for part in parts for piece in _between_semicolons(part)]
    return tuple(one for one in found if one.option or one.reason)


def read_alternative(text: str) -> Rejected:
    """Return the one alternative of a text: its option, and its reason or None. The option is empty where none is named."""
    text = text.replace("\t", " ").strip()
    if bullet := _BULLET.match(text):
        text = text[bullet.end() :].strip()
    option, reason = _part(text)
    option, inside = _unbracketed(option) if reason is None else (option, None)
    return Rejected(_unmarked(option), inside if reason is None else reason.strip() or None)


def _part(text: str) -> tuple[str, str | None]:
    """Cut at the first sign that may stand between an option and its reason."""
    best = len(text)
    found: tuple[str, str | None] = (text, None)
    folded = text.casefold() if len(text.casefold()) == len(text) else text
    for sign, limit in _BETWEEN:
        at = folded.find(sign, 0, best + len(sign))
        if at < 0 or at >= best:
            continue
        option, reason = text[:at], _KEPT.get(sign, "") + text[at + len(sign) :]
        if limit and (not option.strip(" -,") or not reason.strip() or len(option.split()) > limit):
            continue
        # "**Kafka:** heavy": the mark closes behind the colon
        mark = next((mark for mark in _MARKS if option.startswith(mark)), "")
        if sign.strip() == ":" and mark and reason.startswith(mark):
            reason = reason.removeprefix(mark)
        best, found = at, (option, reason)
    for mark in _MARKS:
        closing = f":{mark} "
        at = text.find(closing)
        if text.startswith(mark) and 0 < at < best:
            best, found = at, (text[len(mark) : at], text[at + len(closing) :])
    return found[0].rstrip(", "), found[1]


def _unbracketed(option: str) -> tuple[str, str | None]:
    """Take a reason in brackets at the end from an option: "Kafka (heavy)"; a short name there is part of it: "(JWT)"."""
    before, opened, rest = option.partition(" (")
    inside = rest.strip().rstrip(".")
    if not opened or not before.strip() or not inside.endswith(")") or inside.count(")") != 1 + inside.count("("):
        return option, None
    inside = inside[:-1].strip()
    if not inside or (" " not in inside and inside != inside.lower()) or inside[0].isdigit():
        return option, None
    return before, inside


def _unmarked(option: str) -> str:
    option = option.strip()
    for mark in _MARKS:
        if option.startswith(mark) and option.endswith(mark) and len(option) > 2 * len(mark):
            option = option[len(mark) : -len(mark)].strip()
    return option


def _items(lines: Sequence[str]) -> list[str]:
    """Return the items of several lines: those with bullets with what follows each; else all where each is one by its form."""
    bulleted = [bool(_BULLET.match(line.strip())) for line in lines]
    if not any(bulleted):
        each = _with_reasons([line.strip() for line in lines])
        reasons = [_part(line)[1] is not None for line in each]
        alike = all(reasons) or (not any(reasons) and all(len(line.split()) <= _SHORT for line in each))
        return each if alike else [" ".join(each)]
    found: list[str] = []
    for line, begins in zip(lines, bulleted, strict=True):
        if begins or not found:
            found.append(line.strip())
        else:
            found[-1] += f" {line.strip()}"
    if bulleted[0] or not found[0].rstrip("*_").endswith(":"):
        return found
    # A line over the list is its heading; one over a single item that is no heading by its words is an option, and the item its reason.
    if len(found) == 2 and not _HEADING.search(found[0]):
        return [f"{found[0]} {_BULLET.sub('', found[1], count=1)}"]
    return found[1:]


def _with_reasons(lines: list[str]) -> list[str]:
    """Return an option that ends with a colon, and its reason on the next line, as one; where all lines are such pairs."""
    colons = [line.rstrip("*_").endswith(":") for line in lines]
    if len(lines) % 2 or any(colons[1::2]) or not all(colons[::2]):
        return lines
    return [f"{option} {reason}" for option, reason in zip(lines[::2], lines[1::2], strict=True)]


def _between_semicolons(text: str) -> list[str]:
    """Cut "React: build step; Vue: same"; a semicolon within a reason cuts nothing."""
    parts = [part.strip() for part in text.split("; ") if part.strip()]
    if len(parts) < 2:
        return [text]
    read = [_part(part) for part in parts]
    reasons = [reason is not None for _, reason in read]
    capital = read[0][0].lstrip("*_`-• ")[:1].isupper()
    short = all(len(option.split()) <= _SHORT for option, _ in read)
    alike = all(option.lstrip("*_`-• ")[:1].isupper() == capital for option, _ in read)
    return parts if short and alike and (all(reasons) or not any(reasons)) else [text]
