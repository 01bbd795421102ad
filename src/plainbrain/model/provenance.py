"""Where a memory came from, who said it, and how far that is to be trusted.

``origin`` is set by the channel through which a memory came in, never by text that a model supplies,
and a model cannot raise ``trust`` (reliability, memory poisoning).
"""

from __future__ import annotations

from plainbrain.records import record

# Origins: the channel.
USER, AGENT, TOOL, WEB, HAND, GIT, IMPORT = "user", "agent", "tool", "web", "hand-edit", "git-pull", "import"
# Trust, highest first.
REVIEWED, OWN, UNREVIEWED, QUARANTINED = "reviewed", "own", "unreviewed", "quarantined"
#: The key of ``Memory.extra`` where an import remembers in what state a memory came in.
IMPORT_MARK = "import_mark"
TRUST_LEVELS = (REVIEWED, OWN, UNREVIEWED, QUARANTINED)


@record(frozen=True, slots=True)
class Provenance:
    """Tell where a memory came from. Every field may be empty.

    ``sessions`` are ids of conversations, the one it was made in first; ``turn`` counts from 1 in that
    conversation; ``turn_ids`` are a log's own ids of turns; ``excerpt`` is the human words behind it.
    ``origin`` is a channel (``import:FORMAT`` names the format), ``actor`` a client, ``trust`` a level.
    """

    origin: str = ""
    actor: str = ""
    trust: str = ""
    sessions: tuple[str, ...] = ()
    turn: int | None = None
    turn_ids: tuple[str, ...] = ()
    excerpt: str = ""
