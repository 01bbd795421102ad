"""Answers for a budget of characters: what of a recall fits, live memories first, the same said twice told once."""

from __future__ import annotations

from plainbrain.model.hit import Recall
from plainbrain.retrieval.pack import Packed, pack

__all__ = ["Packed", "fit"]


def fit(found: Recall, *, max_chars: int) -> Packed:
    """Return what of an answer fits into ``max_chars`` characters of ids, titles and texts, and the ids to read on with."""
    return pack(found.hits, max_chars=max_chars)
