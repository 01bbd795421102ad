"""What stands beside a new memory: memories that say nearly the same, and themes like its own.

Owns what whoever writes is told about, so that a brain does not fill with the same thing in other words. Decides and
changes nothing.
"""

from __future__ import annotations

from plainbrain.app.context import Context
from plainbrain.app.themes import parts_of, same_theme
from plainbrain.lifecycle.admit import INBOX, Draft, check_cortex
from plainbrain.lifecycle.similar import share_words
from plainbrain.model.memory import Memory
from plainbrain.model.query import Query
from plainbrain.records import record
from plainbrain.retrieval.auto import AUTO
from plainbrain.retrieval.filters import cortex_key
from plainbrain.text.slug import slugify

#: A memory is close from this relevance to the title of the new one on (half of what a memory can hold of it), or when
#: the titles share so many of their words: in a small brain no word tells more than another.
CLOSE_FROM = 0.5
_CLOSE_TOLD, _THEMES_TOLD = 3, 12

_FOLDERS = (
    "a folder's name has letters or digits, begins with no dot, holds none of <>:\"|?* and is no device (con, nul …)"
)


@record(frozen=True, slots=True)
class Beside:
    """What there is beside a draft: its theme as it is spelled there, cards of memories that are ``close``, and what to tell."""

    cortex: str
    close: tuple[Memory, ...]
    notes: tuple[str, ...]


def look_beside(context: Context, draft: Draft) -> Beside:
    """Return what to tell whoever writes ``draft``, which is not kept yet."""
    context.catch_up()
    cortex, notes = _theme(context, draft.cortex)
    return Beside(cortex, _close(context, draft), notes)


def _close(context: Context, draft: Draft) -> tuple[Memory, ...]:
    # That an id of the same words was taken is told anyway.
    related = {slugify(draft.title), *draft.supersedes, *(link.to for link in draft.links)}
    query = Query(draft.title, _CLOSE_TOLD + len(related), profile=AUTO)
    found, _ = context.index.search(query, now=context.clock.now())
    cards = context.index.cards([id for id, _, _ in found if id not in related])
    likely = {id for id, _, why in found if why.factors.get("relevance", 0.0) >= CLOSE_FROM}
    near = [card for id, card in cards.items() if id in likely or share_words(draft.title, card.title) >= CLOSE_FROM]
    return tuple(near[:_CLOSE_TOLD])


def _theme(context: Context, said: str) -> tuple[str, tuple[str, ...]]:
    """Return a theme as it is spelled in the brain, and what to tell of one that is not there like that."""
    cortex, safe = cortex_key(said), check_cortex(said)
    if parts_of(cortex) != parts_of(safe):
        spelled, notes = _theme(context, safe or INBOX)
        return spelled, (f"the theme {said.strip()!r} is kept as {spelled}: {_FOLDERS}", *notes)
    if not cortex or context.index.themes(Query("", cortex=cortex, include_superseded=True)):
        return said, ()
    themes = [name for name, _ in context.index.themes(Query("", include_superseded=True)) if name]
    spelled = same_theme(cortex, themes)
    respelled = (f"{cortex} is spelled {spelled} here",) if spelled != cortex else ()
    if not themes or any(f"{name}/".startswith(f"{spelled}/") for name in themes):
        return spelled, respelled
    shown = ", ".join(themes[:_THEMES_TOLD]) + (" …" if len(themes) > _THEMES_TOLD else "")
    return spelled, (*respelled, f"{spelled} is a new theme; there were: {shown}")
