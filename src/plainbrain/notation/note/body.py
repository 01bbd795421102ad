"""The body of a note: what follows its block, cut into the content and what frames it.

Owns the frame: the blank line after the fence, the last line end, and the links block, a last paragraph that
repeats links of the block as ``- rel [[to]]`` so that tools which cannot read nested properties see them.
Promises that the content comes back to the letter from ``render_body`` and that the parts of a body, joined,
are the body.
"""

from __future__ import annotations

from collections.abc import Sequence

from plainbrain.model.links import Link
from plainbrain.notation.wikilinks import link_lines
from plainbrain.records import record

_BLANK_LINES = ("\n\n", "\n\r\n")


@record(frozen=True, slots=True)
class Body:
    """A body in its parts: ``gap + content + separator + links + tail``; ``links`` is the links block or ``""``."""

    gap: str
    content: str
    separator: str = ""
    links: str = ""
    tail: str = ""

    def joined(self) -> str:
        """Return the body whole."""
        return self.gap + self.content + self.separator + self.links + self.tail


def split_body(body: str, *, links: Sequence[Link], eol: str, after_block: bool) -> Body:
    """Cut ``body``; ``eol`` is the line end of the note's first line, ``links`` those of its block."""
    gap = ""
    if after_block:
        gap = "\n" if body.startswith("\n") else "\r\n" if body.startswith("\r\n") else ""
    rest = body[len(gap) :]
    if links and (found := _split_links(gap, rest, links=links, eol=eol)):
        return found
    content = _without_end(rest, eol)
    return Body(gap, content, tail=rest[len(content) :])


def render_body(content: str, links: Sequence[Link]) -> str:
    """Return the body of a new note, LF-ended: a blank line, the content, and the links block."""
    lines = link_lines(links)
    if not content and not lines:
        return ""
    separator = "\n\n" if content and lines else ""
    return "\n" + content + separator + "\n".join(lines) + "\n"


def _split_links(gap: str, rest: str, *, links: Sequence[Link], eol: str) -> Body | None:
    whole = rest.rstrip("\r\n")
    if not whole.endswith("]]"):
        return None
    at = max(whole.rfind(blank) + len(blank) if blank in whole else 0 for blank in _BLANK_LINES)
    known = frozenset(link_lines(links))
    if not all(line.removesuffix("\r") in known for line in whole[at:].split("\n")):
        return None
    content = _before_blank(whole[:at], eol) if at else ""
    return Body(gap, content, whole[len(content) : at], whole[at:], rest[len(whole) :])


def _before_blank(text: str, eol: str) -> str:
    """Take the blank line at the end of ``text`` off, and the line end before it."""
    blank = "\n\r\n" if text.endswith("\n\r\n") else "\n\n"
    before = text[: -len(blank)]
    return before.removesuffix("\r") if eol == "\r\n" else before


def _without_end(text: str, eol: str) -> str:
    if not text.endswith("\n"):
        return text
    return text[: -len(eol)] if text.endswith(eol) else text[:-1]
