"""Which field of a memory stands under which key of a note, and in which form.

Owns the schema: ``to_keys`` gives the nodes to write, in the canonical order, ``from_keys`` reads nodes back.
A value of a form that its field cannot hold goes to ``extra`` and is told; so does every key that is not ours.
Keys of ``extra`` that are also ours stand under the key ``extra``. Knows nothing of text and bodies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from plainbrain.model.memory import Memory
from plainbrain.model.provenance import Provenance
from plainbrain.notation.note.frontmatter import Fault
from plainbrain.notation.note.scalars import Node, Plain, number_text, typed
from plainbrain.notation.note.values import (
    Misfit,
    confidence_node,
    correction_node,
    dynamics_node,
    embedding_node,
    instant_node,
    is_unsaid,
    link_node,
    provenance_nodes,
    read_confidence,
    read_correction,
    read_count,
    read_dynamics,
    read_embedding,
    read_instant,
    read_links,
    read_metadata,
    read_number,
    read_rejected,
    read_status,
    read_tags,
    read_text,
    read_texts,
    rejected_node,
    tag_node,
)

#: Key -> (field of Memory, how it is read), in the canonical order.
SCHEMA: dict[str, tuple[str, Callable[[Node], Any]]] = {
    "id": ("id", read_text),
    "title": ("title", read_text),
    "type": ("kind", read_text),
    "cortex": ("cortex", read_text),
    "description": ("description", read_text),
    "tags": ("tags", read_tags),
    "confidence": ("confidence", read_confidence),
    "created": ("created", read_instant),
    "last_validated": ("last_validated", read_instant),
    "status": ("status", read_status),
    "links": ("links", read_links),
    "memory_class": ("memory_class", read_text),
    "updated": ("updated", read_instant),
    "reviewed": ("reviewed", read_instant),
    "invalidated": ("invalidated", read_instant),
    "valid_from": ("valid_from", read_instant),
    "valid_until": ("valid_until", read_instant),
    "ttl_seconds": ("ttl_seconds", read_number),
    "reason": ("reason", read_text),
    "rationale": ("rationale", read_text),
    "rejected": ("rejected", read_rejected),
    "files": ("files", read_texts),
    "scope": ("scope", read_text),
    "context": ("context", read_text),
    "user_id": ("user_id", read_text),
    "source": ("source", read_text),
    "source_url": ("source_url", read_text),
    "origin": ("provenance.origin", read_text),
    "actor": ("provenance.actor", read_text),
    "trust": ("provenance.trust", read_text),
    "sessions": ("provenance.sessions", read_texts),
    "turn": ("provenance.turn", read_count),
    "turn_ids": ("provenance.turn_ids", read_texts),
    "excerpt": ("provenance.excerpt", read_text),
    "correction": ("correction", read_correction),
    "contradicted_by": ("contradicted_by", read_text),
    "dynamics": ("dynamics", read_dynamics),
    "embedding": ("embedding", read_embedding),
    "metadata": ("metadata", read_metadata),
}
CANONICAL = tuple(SCHEMA)
#: What Claude Code calls the title, and where our own keys of ``extra`` stand.
NAME, EXTRA = "name", "extra"
_RESERVED = frozenset({*SCHEMA, NAME, EXTRA})


def from_keys(values: Mapping[str, Node]) -> tuple[dict[str, Any], list[tuple[str, Fault]]]:
    """Return the fields of Memory that ``values`` speak of, and ``(key, fault)`` for what is of an odd form."""
    said: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    faults: list[tuple[str, Fault]] = []
    for key, node in values.items():
        entry = SCHEMA.get(key)
        if entry is None:
            _read_foreign(key, node, values=values, said=said, extra=extra)
            continue
        if isinstance(node, Plain) and is_unsaid(node):
            continue
        try:
            said[entry[0]] = entry[1](node)
        except Misfit as misfit:
            extra[key] = typed(node)
            faults.append((key, Fault("field-form", f"`{key}` {misfit}", hint="see docs/format.md for its form")))
    provenance = {name[11:]: said.pop(name) for name in [*said] if name.startswith("provenance.")}
    if provenance:
        said["provenance"] = Provenance(**provenance)
    if "kind" not in said and "type" not in extra and isinstance(kind := said.get("metadata", {}).get("type"), str):
        said["kind"] = kind
    if extra:
        said["extra"] = extra
    return said, faults


def _read_foreign(
    key: str, node: Node, *, values: Mapping[str, Node], said: dict[str, Any], extra: dict[str, Any]
) -> None:
    if key == EXTRA and isinstance(node, dict):
        for name, item in node.items():
            extra.setdefault(str(name), typed(item))
    elif key == NAME and isinstance(node, str) and _says_nothing(values.get("title", Plain())):
        if not _says_nothing(node):
            said["title"] = str(node)
    else:
        extra[key] = typed(node)


def _says_nothing(node: Node) -> bool:
    return isinstance(node, Plain) and is_unsaid(node)


def to_keys(memory: Memory) -> dict[str, Node]:
    """Return what is to stand in the block of a new note: key -> node, in the canonical order, nothing that is empty."""
    m = memory
    kind_elsewhere = isinstance(m.metadata.get("type"), str)
    nodes: dict[str, Node] = {
        "id": m.id,
        "title": m.title,
        "type": m.kind or ("" if kind_elsewhere else None),
        "cortex": m.cortex or None,
        "description": m.description or None,
        "tags": [tag_node(tag) for tag in m.tags] or None,
        "confidence": confidence_node(m.confidence),
        "created": instant_node(m.created),
        "last_validated": instant_node(m.last_validated),
        "status": m.status,
        "links": [link_node(link) for link in m.links] or None,
    }
    nodes |= _further_keys(m)
    kept = {key: node for key, node in nodes.items() if node is not None}
    null = Plain("null")
    kept |= {key: null if value is None else value for key, value in m.extra.items() if key not in _RESERVED}
    if own := {key: value for key, value in m.extra.items() if key in _RESERVED}:
        kept[EXTRA] = own
    return kept


def _further_keys(m: Memory) -> dict[str, Node]:
    return {
        "memory_class": m.memory_class or None,
        "updated": instant_node(m.updated),
        "reviewed": instant_node(m.reviewed),
        "invalidated": instant_node(m.invalidated),
        "valid_from": instant_node(m.valid_from),
        "valid_until": instant_node(m.valid_until),
        "ttl_seconds": None if m.ttl_seconds is None else Plain(_number(m.ttl_seconds)),
        "reason": m.reason or None,
        "rationale": m.rationale or None,
        "rejected": [rejected_node(item) for item in m.rejected] or None,
        "files": list(m.files) or None,
        "scope": m.scope or None,
        "context": m.context or None,
        "user_id": m.user_id or None,
        "source": m.source or None,
        "source_url": m.source_url or None,
        **provenance_nodes(m.provenance),
        "correction": None if m.correction is None else correction_node(m.correction),
        "contradicted_by": m.contradicted_by or None,
        "dynamics": dynamics_node(m.dynamics) or None,
        "embedding": None if m.embedding is None else embedding_node(m.embedding),
        "metadata": dict(m.metadata) or None,
    }


def _number(number: float) -> str:
    return str(int(number)) if float(number).is_integer() and abs(number) < 2**53 else number_text(number)


def same_item(key: str, one: Node, other: Node) -> bool:
    """Tell whether two items of the list under ``key`` say the same, however they are spelled."""
    entry = SCHEMA.get(key)
    if entry is None:
        return _plain(one) == _plain(other)
    try:
        return bool(entry[1]([one]) == entry[1]([other]))
    except Misfit:
        return False


def _plain(node: Node) -> tuple[type, Node]:
    value = typed(node)
    return type(value), value
