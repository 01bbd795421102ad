"""Reading what somebody wants kept from loose data: option values, a line of JSON, a tool's arguments.

Outside data is parsed here once: texts stand for numbers and lists, None and empty stand for nothing, but an empty type is refused.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from plainbrain.app.entries import Said
from plainbrain.errors import InvalidField
from plainbrain.lifecycle.admit import Draft, check_kind, split_list
from plainbrain.lifecycle.alternatives import read_alternative, read_alternatives
from plainbrain.lifecycle.relate import check_relation
from plainbrain.model.identity import bare_id
from plainbrain.model.instants import Instant, parse_instant
from plainbrain.model.links import RELATES_TO, Link
from plainbrain.model.memory import Rejected

#: The names that are understood, and the field of ``Draft`` that each fills.
NAMES = {
    "title": "title", "body": "body", "content": "body", "cortex": "cortex", "type": "kind", "kind": "kind", "description": "description",
    "tags": "tags", "confidence": "confidence", "links": "links", "supersedes": "supersedes", "rationale": "rationale", "rejected": "rejected",
    "files": "files", "scope": "scope", "context": "context", "source": "source", "source_url": "source_url", "valid_from": "valid_from",
    "valid_until": "valid_until", "id": "id",
}  # fmt: skip
#: How the two halves of a link are called: as it is written, and as results name an id.
_TARGETS, _RELATIONS = ("to", "id", "target"), ("rel", "relation", "type")
#: How an alternative and its reason are called; an object with no such name is of options and their reasons.
_OPTIONS, _REASONS = ("option", "name", "alternative", "choice"), ("reason", "why", "because", "rationale")
_WRITE_OPTION = "write what was turned down, and why: npm: lockfile drift"
_TEXTS = frozenset(
    {"title", "body", "cortex", "kind", "description", "rationale", "scope", "context", "source", "source_url", "id"}
)


def draft_from_json(data: object) -> Draft:
    """Return the draft that an object of loose values asks for. Raise InvalidField naming the field and what would do."""
    if not isinstance(data, Mapping):
        raise InvalidField(
            "a memory is an object with a title or a body",
            value=type(data).__name__,
            hint='write {"title": "…", "body": "…"}',
        )
    fields: dict[str, Any] = {}
    for name, value in data.items():
        if name not in NAMES:
            raise InvalidField(
                f"there is no field {name!r}",
                value=name,
                hint="fields: " + ", ".join(sorted({*NAMES} - {"content", "kind"})),
            )
        if value is not None and (value != "" or NAMES[name] == "kind"):
            fields[NAMES[name]] = _read(NAMES[name], value)
    return Draft(**fields)


def said_from(decided: Mapping[str, Any], **said: str) -> Said:
    """Return an entry to be kept, with what loose values tell of the decision behind it. Raise InvalidField."""
    fields = {name: _read(name, value) for name, value in decided.items() if value}
    return Said(**said, **fields)  # type: ignore[arg-type]


def _read(field: str, value: object) -> object:
    if field in _TEXTS:
        if not isinstance(value, str):
            raise InvalidField(f"{field} must be a text, not {type(value).__name__}", value=value)
        return check_kind(value) if field == "kind" else value
    match field:
        case "confidence":
            if isinstance(value, bool) or not isinstance(value, (int, float, str)):
                raise InvalidField("confidence must be a number from 0 to 1, or a word", value=value)
            return value
        case "links":
            return tuple(read_link(item) for one in _items(field, value) for item in _spread(one))
        case "rejected":
            return tuple(one for item in _items(field, value) for one in read_rejected(item))
        case "valid_from" | "valid_until":
            return _instant(field, value)
        case "supersedes":
            return tuple(_target(item) for item in _items(field, value) if item is not None)
    return tuple(_text(field, item) for item in _items(field, value) if item is not None)


def _text(field: str, item: object) -> str:
    if isinstance(item, (str, int, float)):
        return str(item)
    raise InvalidField(
        f"{field} must be a list of texts, and holds {str(item)[:80]}", value=item, hint="write one, two"
    )


def _items(field: str, value: object) -> Sequence[object]:
    if isinstance(value, str):
        return _alternatives(value) if field == "rejected" else _listed(value)
    if isinstance(value, Mapping):
        return [value]
    if isinstance(value, Sequence):
        return value
    raise InvalidField(f"{field} must be a list", value=value)


def _alternatives(text: str) -> Sequence[object]:
    """Return the alternatives in JSON that came as text; any other text is read by its form, commas and all."""
    try:
        found = json.loads(text) if text.lstrip().startswith(("[", "{")) else None
    except ValueError:
        found = None  # a text that begins with a bracket
    return found if isinstance(found, list) else [found] if isinstance(found, dict) else [text]


def _listed(text: str) -> Sequence[object]:
    """Return the items of a list that came as text: JSON, or divided by commas, as ids may be that stand as links."""
    try:
        found = json.loads(text) if text.lstrip().startswith(("[", "{")) else None
    except ValueError:
        found = None  # no JSON: its commas decide
    if isinstance(found, (list, Mapping)):
        return found if isinstance(found, list) else [found]
    return [part.strip() for part in text.split(",") if part.strip()] if "[[" in text else split_list(text)


def _spread(item: object) -> Sequence[object]:
    """Return the links in an object that has relations for keys: ``{"caused_by": "id", "extends": ["id", "id"]}``."""
    if not isinstance(item, Mapping) or not item or any(key in item for key in _TARGETS):
        return [item]
    return [{"to": to, "rel": rel} for rel, ids in item.items() for to in ([ids] if not isinstance(ids, list) else ids)]


def _target(item: object) -> str:
    """Read ``id``, ``[[id]]`` or ``{"id": id}``."""
    to = next((item[key] for key in _TARGETS if key in item), None) if isinstance(item, Mapping) else item
    return bare_id(_text("supersedes", to))


def read_link(item: object) -> Link:
    """Read ``id``, ``rel:id``, or ``{"to": id, "rel": rel}``; the id may stand as a link, ``[[id]]``."""
    if isinstance(item, Mapping):
        to = next((item[key] for key in _TARGETS if key in item), None)
        rel = next((item[key] for key in _RELATIONS if key in item), None)
        if isinstance(to, str) and bare_id(to):
            return Link(bare_id(to), str(rel or RELATES_TO))
    if isinstance(item, str) and item.strip():
        if bare_id(item) != item.strip():
            return Link(bare_id(item))
        rel, colon, to = item.strip().rpartition(":")
        return Link(bare_id(to), rel.strip() if colon and rel.strip() else RELATES_TO)
    raise InvalidField("a link is an id, or rel:id", value=item, hint="write caused_by:other-note")


def read_relation(text: str) -> str:
    """Return a relation as a link will hold it: ``depends_on`` for ``DependsOn``. Raise InputError for one that is none."""
    return check_relation(text)


def read_rejected(item: object) -> tuple[Rejected, ...]:
    """Read a text in any form of ``lifecycle.alternatives``, ``{"option": …, "reason": …}``, or ``{option: reason}`` for one or many."""
    if isinstance(item, str) and (found := read_alternatives(item)):
        return found
    if isinstance(item, Mapping) and item and all(isinstance(name, str) for name in item):
        option = next((item[name] for name in _OPTIONS if isinstance(item.get(name), str)), None)
        if option is None:
            return tuple(Rejected(name, _reason(reason)) for name, reason in item.items())
        reason = next((item[name] for name in _REASONS if item.get(name) is not None), None)
        # an option with a reason of its own stays to the letter
        return (Rejected(option, _reason(reason)),) if reason is not None else (read_alternative(option),)
    if isinstance(item, str):
        raise InvalidField("a rejected alternative names no option", value=item, hint=_WRITE_OPTION)
    raise InvalidField("a rejected alternative is a text, or option: reason", value=item, hint=_WRITE_OPTION)


def _reason(reason: object) -> str | None:
    if reason is None or isinstance(reason, str):
        return reason
    if isinstance(reason, Sequence):
        return "; ".join(str(one) for one in reason)
    return json.dumps(reason, ensure_ascii=False, default=str)


def _instant(field: str, value: object) -> Instant:
    at = parse_instant(str(value))
    if at.ms is None:
        raise InvalidField(
            f"{field} {value!r} is no date", value=value, hint="write 2026-10-27 or 2026-10-27T12:00:00Z"
        )
    return at


__all__ = ["NAMES", "Draft", "draft_from_json", "read_link", "read_rejected", "read_relation", "said_from"]
