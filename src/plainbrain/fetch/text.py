"""The text of a page: what a reader would read, without menus and scripts."""

from __future__ import annotations

import html
from dataclasses import dataclass

import trafilatura

from plainbrain.errors import Unavailable
from plainbrain.fetch.web import Fetched

MOST_CHARACTERS = 50_000


@dataclass(frozen=True, slots=True)
class Page:
    """A page as text: where it was found in the end, its title, and what it says. ``cut`` when it was too long."""

    url: str
    title: str
    text: str
    cut: bool = False


def read_page(fetched: Fetched) -> Page:
    """Return the text of what was fetched. Raise Unavailable when there is none."""
    charset = _charset(fetched.content_type)
    if "html" in fetched.content_type.lower():
        found = trafilatura.bare_extraction(fetched.body, url=fetched.url, with_metadata=True, include_comments=False)
        title, text = (str(getattr(found, name, None) or "") for name in ("title", "text"))
    else:
        title, text = "", fetched.body.decode(charset, "replace")
    text = "\n".join(line.rstrip() for line in text.splitlines()).strip()
    if not text:
        raise Unavailable(f"{fetched.url} holds no text that could be read", value=fetched.url)
    return Page(
        fetched.url, " ".join(html.unescape(title).split()), text[:MOST_CHARACTERS], len(text) > MOST_CHARACTERS
    )


def _charset(content_type: str) -> str:
    name = content_type.lower().partition("charset=")[2].partition(";")[0].strip(" \"'") or "utf-8"
    try:
        b"x".decode(name, "replace")
    except (LookupError, ValueError):
        return "utf-8"
    return name
