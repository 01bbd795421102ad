"""Ingesting: the text of a web page becomes a memory that nobody has reviewed yet.

Off unless the user switched it on. What a page says is data of the web: it is stored under that origin, untrusted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import urlsplit

from plainbrain.app import wiring
from plainbrain.app.context import Channel, Context
from plainbrain.app.entries import Added, Said, add
from plainbrain.errors import Refused
from plainbrain.model.kinds import INGESTED
from plainbrain.model.provenance import WEB

_ON = frozenset({"1", "true", "yes", "on"})
_TITLE = 200


def ingest(context: Context, url: str, *, tags: str = "", title: str = "", environment: Mapping[str, str]) -> Added:
    """Fetch ``url`` and keep its text as one memory. Raise Refused unless AGENT_BRAIN_INGEST is on, InputError or Unavailable."""
    if environment.get("AGENT_BRAIN_INGEST", "").strip().lower() not in _ON:
        raise Refused("ingesting is off", value=url, hint="switch it on for this call: AGENT_BRAIN_INGEST=on")
    page = wiring.fetch_page(url)
    said = Said(
        INGESTED, page.text, source="ingested", tags=tags, url=page.url,
        title=(title or page.title or urlsplit(page.url).hostname or "")[:_TITLE], confidence="uncertain",
    )  # fmt: skip
    outside = replace(context, channel=Channel(WEB, actor=urlsplit(page.url).hostname or ""))
    added = add(outside, said, action="ingest")
    return replace(added, notes=(*added.notes, "the page was too long: its end is left out")) if page.cut else added
