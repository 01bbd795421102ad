"""What an id may be. Limits bind what we write, not what we find: a foreign id is kept as it is."""

from __future__ import annotations

import re

MAX_ID = 120
_WRITABLE = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,118}[a-z0-9])?\Z")


def is_slug(text: str) -> bool:
    """Tell whether ``text`` is an id that we would make ourselves: ``[a-z0-9-]``, 1 to 120 characters."""
    return _WRITABLE.match(text) is not None


def bare_id(text: str) -> str:
    """Return the id in what names a memory: no spaces around, and not as a link, ``[[id]]`` or ``[[id|words]]``."""
    text = text.strip()
    if text.startswith("[[") and text.endswith("]]"):
        text = text[2:-2].partition("|")[0].partition("#")[0].strip()
    return text


def session_number(sessions: tuple[str, ...]) -> int | None:
    """Return agent-brain's whole-number session, when the first session is one."""
    first = sessions[0] if sessions else ""
    return int(first) if first.isascii() and first.isdigit() and str(int(first)) == first and len(first) < 16 else None
