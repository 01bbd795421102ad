"""The written form of recalled text inside a prompt: fenced, marked as data, unable to pose as anything else.

Owns how a stored text is made harmless for a reader that takes text for orders: the fence, the words that
would close it, the marks of chat roles, and characters that do not show. Promises that a fence made here
cannot be closed from within, and that ordinary text stays as it is. Knows nothing of who reads it; the
``mark`` of a fence is random and comes in from outside.
"""

from __future__ import annotations

from collections.abc import Iterable

from plainbrain.model.instants import Instant
from plainbrain.model.memory import Memory

FENCE = "stored-note"
#: Names that chat formats use as tags: none of them may open or close inside recalled text.
_ROLES = frozenset(
    {
        "system", "user", "assistant", "human", "developer", "tool", "function", "tool_use", "tool_call", "tool_result",
        "function_calls", "function_results", "invoke", "system-reminder", "system_reminder", "system-message",
        "system_message", "instructions", "important", "admin", "sys", "inst",
    }
)  # fmt: skip
_SPEAKERS = ("system", "user", "assistant", "human", "developer", "tool")
_TAG_STARTS = ("|", FENCE)
_TOKENS = ("im_", "begin_of", "end_of", "start_header", "eot")
_HIDDEN = {
    0x00AD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180E, 0x200B, 0x200E, 0x200F, 0x3164, 0xFEFF, 0xFFA0,
    *range(0x202A, 0x202F), *range(0x2060, 0x2070), *range(0xFFF0, 0xFFFC), *range(0xE0000, 0xE1000),
}  # fmt: skip
_LOOKAHEAD = 40


def fence(mark: str, lines: Iterable[str]) -> str:
    """Return the lines between an opening and a closing tag that carry ``mark``; the lines must be harmless already."""
    return "\n".join([f"<{FENCE} {mark}>", *lines, f"</{FENCE} {mark}>"])


def show_harmless(text: str) -> str:
    """Return the text with role tags, fences and hidden characters made visible and powerless.

    A tag loses its ``<`` to ``‹``; a line that speaks as somebody (``System:``) is put in quotes; a character
    that does not show is written as its escape. Everything else stays. The time is linear in the text.
    """
    text = _show_hidden(text)
    if "<" in text or "[" in text:
        text = _blunt_tags(text)
    return "\n".join(map(_quote_speaker, text.split("\n"))) if ":" in text else text


def _show_hidden(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c in "\n\t" or not _is_hidden(ord(c)) else _escape(c) for c in text.replace("\r\n", "\n"))


def _is_hidden(point: int) -> bool:
    return point < 0x20 or 0x7F <= point < 0xA0 or 0xD800 <= point < 0xE000 or point in _HIDDEN


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def _blunt_tags(text: str) -> str:
    out: list[str] = []
    start = 0
    for at, char in enumerate(text):
        if char == "<" and _opens_a_role(text[at + 1 : at + _LOOKAHEAD]):
            out += (text[start:at], "‹")
            start = at + 1
        elif char == "[" and text[at + 1 : at + 7].lower().lstrip("/").startswith("inst]"):
            out += (text[start:at], "(")
            start = at + 1
    return "".join([*out, text[start:]])


def _opens_a_role(after: str) -> bool:
    after = after.lower().lstrip("/< \t\n")
    name = after[: next((i for i, c in enumerate(after) if not (c.isalnum() or c in "-_:")), len(after))]
    return after.startswith(_TAG_STARTS) or name.rpartition(":")[2] in _ROLES or name.startswith(_TOKENS)


def _quote_speaker(line: str) -> str:
    words = line.lstrip(" \t#>*_-")
    who, colon, said = words[:16].lower().replace("*", "").replace("_", "").partition(":")
    if colon and who in _SPEAKERS and said[:1] in ("", " ", "\t"):
        return f'{line[: len(line) - len(words)]}"{words}"'
    return line


def describe_source(memory: Memory, *, now: Instant) -> str:
    """Return one line on where a memory comes from, how far it is trusted and how old its last check is."""
    said = memory.provenance
    at = memory.last_validated or memory.created
    days = at.days_before(now) if at else None
    parts = [
        f"confidence {memory.confidence.value:.2g}",
        _age(days),
        f"from {_one_line(said.origin)}{' ' + _one_line(said.actor) if said.actor else ''}" if said.origin else "",
        f"trust: {_one_line(said.trust)}" if said.trust else "",
        "" if memory.is_live else f"NO LONGER TRUE ({_one_line(memory.status)}{_successor(memory)})",
    ]
    return " · ".join(part for part in parts if part)


def _successor(memory: Memory) -> str:
    return f" by {memory.superseded_by}" if memory.superseded_by else ""


def _age(days: float | None) -> str:
    if days is None:
        return ""
    whole = int(days)
    return "checked today" if whole == 0 else f"checked {whole} day{'s' if whole > 1 else ''} ago"


def _one_line(text: str) -> str:
    return " ".join(show_harmless(text).split())[:60]
