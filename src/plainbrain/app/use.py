"""Using what is recalled: ``get`` finds entries by a policy, counts their use, logs it and lets confidence fade.

A read never fails for its counting: where the store is locked or read-only, the counting is dropped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plainbrain.app.context import Context
from plainbrain.app.fading import Faded, decay_if_due
from plainbrain.app.recall import search
from plainbrain.errors import Busy, Changed, NoRoom, PartlyDone, ReadOnly
from plainbrain.later import later
from plainbrain.model.change import Activity, Use
from plainbrain.model.hit import Recall
from plainbrain.model.query import Query
from plainbrain.records import record

if TYPE_CHECKING:
    from plainbrain.lifecycle import secrets
else:
    secrets = later("plainbrain.lifecycle.secrets")

_SECRET_WORDS = ("password", "passwd", "secret", "token", "key", "bearer", "://")
_LONG = 12


@record(frozen=True, slots=True)
class Got:
    """What ``get`` found, and what faded on the way."""

    recall: Recall
    faded: Faded = Faded()


def get_entries(context: Context, query: Query, *, explain: bool = False) -> Got:
    """Recall, count one use of each hit, note it in the log, and let confidence fade when a day has passed."""
    found = search(context, query)
    if not found.hits:
        return Got(found)
    return Got(found, after_recall(context, query, found, action="get", explain=explain))


def after_recall(context: Context, query: Query, found: Recall, *, action: str, explain: bool = False) -> Faded:
    """Count, log and fade after a recall that found something; tell what faded."""
    at = context.clock.now()
    uses = [Use(hit.id, at, accesses=1) for hit in found.hits]
    try:
        context.store.record(uses, activities=[Activity(at, action, "", describe(query, found, explain=explain))])
        return decay_if_due(context)
    except (Busy, Changed, NoRoom, PartlyDone, ReadOnly):
        return Faded()  # somebody else writes at this moment, or nothing can be written: the next recall will do


def describe(query: Query, found: Recall, *, explain: bool = False) -> str:
    """Return the line that the activity log keeps of a recall."""
    notes = found.hits[0].explanation.notes if found.hits else {}
    text = secrets.redact(query.text) if _may_hold_a_secret(query.text) else query.text
    return (
        f"query={text!r} policy={query.profile} stores={','.join(query.classes) or 'all'} results={len(found.hits)}"
        f" explain={int(explain)} semantic_mode={notes.get('semantic_mode', 'local')}"
        f" semantic_reason={notes.get('semantic_reason', 'remote_disabled')}"
    )


def _may_hold_a_secret(text: str) -> bool:
    """Tell, by a glance, whether it is worth while to load the rules of secrets for a query."""
    lower = text.lower()
    return any(word in lower for word in _SECRET_WORDS) or any(
        len(word) >= _LONG and any(map(str.isdigit, word)) for word in lower.split()
    )
