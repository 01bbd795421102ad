"""What stands one link away from the best hits: the neighbours that a search with ``expand`` adds.

Owns how many are added and what they score. They come after the hits, each marked with the hit it was reached from; what is
hidden from the search (superseded, expired, quarantined) stays hidden here, unless the query asks for it too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plainbrain.app.context import Context
from plainbrain.model.hit import Explanation, Hit
from plainbrain.model.links import inverse_relation
from plainbrain.model.query import Query
from plainbrain.retrieval.filters import passes

#: Hits whose links are followed, and neighbours that are added at most.
FROM, MOST = 3, 5
#: What a neighbour scores, of the hit it was reached from.
SHARE = 0.5


def neighbours(context: Context, hits: Sequence[Hit], query: Query) -> tuple[Hit, ...]:
    """Return memories that the first hits link to or that link to them, in the order of the hits, none twice."""
    reached: dict[str, tuple[Hit, str]] = {}
    shown = {hit.id for hit in hits}
    for hit in hits[:FROM]:
        for id, rel in _linked(context, hit):
            if id not in shown:
                reached.setdefault(id, (hit, rel))
    # Only what is shown at all narrows here: that a link leaves the theme is why it is followed.
    bounds = Query("", include_superseded=query.include_superseded, scope=query.scope, user_id=query.user_id)
    now = context.clock.now()
    found: list[Hit] = []
    stored = context.store.get_many(list(reached))
    for id, (hit, rel) in reached.items():
        if id in stored and passes(stored[id].memory, bounds, now=now):
            score = SHARE * hit.score
            why = Explanation({"via_score": hit.score, "share": SHARE, "score": score}, {"relation": rel})
            found.append(Hit(stored[id].memory, score, why, via=hit.id))
    return tuple(found[:MOST])


def _linked(context: Context, hit: Hit) -> Iterator[tuple[str, str]]:
    for link in hit.memory.links:
        yield link.to, link.rel
    for id, rel in context.index.backlinks(hit.id):
        yield id, inverse_relation(rel)
