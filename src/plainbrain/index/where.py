"""The filters of a query as SQL over the table ``doc``; ``retrieval/filters`` says what they mean.

Promises that no value reaches SQL but as a parameter.
"""

from __future__ import annotations

from collections.abc import Iterable

from plainbrain.model.instants import Instant
from plainbrain.model.provenance import QUARANTINED
from plainbrain.model.query import Query
from plainbrain.retrieval.filters import cortex_key, last_ms, status_keys, tag_key

Clause = tuple[str, list[object]]


def where(query: Query, *, now: Instant | None) -> Clause:
    """Return a condition (never empty) and its parameters, in order."""
    clauses = [_shown(query, now=now), *_themes(query), *_times(query)]
    for column, value in (("scope", query.scope), ("user_id", query.user_id)):
        if value:
            clauses.append((f"{column} = ?", [value]))
    for column, names in (("kind", query.kinds), ("class", query.classes)):
        if names:
            clauses.append(_one_of(column, {name.lower() for name in names}))
    values = [_bindable(value) for _, found in clauses for value in found]
    return " AND ".join(f"({sql})" for sql, _ in clauses), values


def is_wide(query: Query) -> bool:
    """Tell whether a query hides only what recall passes over unless asked: the replaced, the expired, the quarantined."""
    narrow = (query.cortex, query.kinds, query.classes, query.tags, query.statuses, query.scope, query.user_id)
    return not any(narrow) and query.after is None and query.before is None


def _bindable(value: object) -> object:
    """Return a value that SQLite takes: half of a character becomes a question mark, which matches nothing."""
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else value


def _one_of(column: str, values: Iterable[str]) -> Clause:
    wanted: list[object] = [*sorted(values)]
    return f"{column} IN ({', '.join('?' * len(wanted))})", wanted


def _shown(query: Query, *, now: Instant | None) -> Clause:
    asked = status_keys(query)
    if asked:
        by_status, values = _one_of("status", asked)
        if QUARANTINED in asked:
            return f"quarantined OR {by_status}", values
        return f"NOT quarantined AND {by_status}", values
    if query.include_superseded:
        return "NOT quarantined", []
    if now is None or now.ms is None:
        return "live AND NOT quarantined", []
    return "live AND NOT quarantined AND (ends_ms IS NULL OR ends_ms > ?)", [now.ms]


def _themes(query: Query) -> list[Clause]:
    clauses: list[Clause] = []
    if cortex := cortex_key(query.cortex):
        clauses.append(("cortex = ? OR (cortex >= ? AND cortex < ?)", [cortex, f"{cortex}/", f"{cortex}0"]))
    for tag in map(tag_key, query.tags):
        sql = "doc IN (SELECT tag.doc FROM tag WHERE tag = ? OR (tag >= ? AND tag < ?))"
        clauses.append((sql, [tag, f"{tag}.", f"{tag}/"]))
    return clauses


def _times(query: Query) -> list[Clause]:
    clauses: list[Clause] = []
    if query.after is not None and query.after.ms is not None:
        clauses.append(("dated AND created_ms >= ?", [query.after.ms]))
    if query.before is not None and (last := last_ms(query.before)) is not None:
        clauses.append(("dated AND created_ms <= ?", [last]))
    return clauses
