"""What somebody wants to recall: a text and what narrows it."""

from __future__ import annotations

from plainbrain.model.instants import Instant
from plainbrain.records import record

DEFAULT_K = 10


@record(frozen=True, slots=True)
class Query:
    """Ask for the ``k`` best memories for ``text``; every other field narrows, and empty means no limit.

    ``cortex`` takes in its sub-folders; ``tags`` must all match (``code`` finds ``code.python``, never
    ``codex``); ``after`` and ``before`` bound ``created``, both inclusive; ``at`` asks what held then.
    ``profile`` names a ranking (``blueprint``, ``fast``, ``balanced``, ``deep``, ``auto``, ``rrf``); ``without`` names signals
    that ``auto`` is to leave out.
    """

    text: str
    k: int = DEFAULT_K
    offset: int = 0
    cortex: str = ""
    kinds: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    scope: str = ""
    user_id: str = ""
    include_superseded: bool = False
    after: Instant | None = None
    before: Instant | None = None
    profile: str = ""
    expand: bool = False
    without: tuple[str, ...] = ()
