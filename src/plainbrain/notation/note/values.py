"""How each field of a memory is written as a node of a note's block, and read back from one.

Promises that reading a written node gives the value. A node of a form that says nothing sensible raises
``Misfit``; the caller keeps it elsewhere.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
import struct
from collections.abc import Callable, Iterator
from typing import Any

from plainbrain.model.confidence import Confidence
from plainbrain.model.instants import Instant, parse_instant
from plainbrain.model.links import RELATES_TO, Link
from plainbrain.model.memory import Association, Correction, Dynamics, Rejected
from plainbrain.model.provenance import Provenance
from plainbrain.notation.note.scalars import Node, Plain, number_text, typed

_UNSAID = frozenset({"", "~", "null", "Null", "NULL"})
#: How people write that nothing was turned down.
_NONE = frozenset({*(word.casefold() for word in _UNSAID), "none", "nothing", "n/a", "-", "no", "false"})
#: Python reads no longer number.
_MOST_DIGITS = 4_300
_PACKED = {"float32:": "f", "float64:": "d"}


class Misfit(Exception):
    """Say, as the end of a sentence about a key, why its value is of no form that the field has."""


def is_unsaid(node: Plain) -> bool:
    """Tell whether unquoted text says nothing: empty, or YAML's null."""
    return node in _UNSAID


def _said(node: Node) -> bool:
    return not (isinstance(node, Plain) and node in _UNSAID)


# Reading


def read_text(node: Node) -> str:
    """Return a text as it stands."""
    if isinstance(node, str):
        return str(node) if _said(node) else ""
    raise Misfit("should be a text")


read_status = read_text


def read_texts(node: Node) -> tuple[str, ...]:
    """Return a list of texts; one text is a list of one."""
    if isinstance(node, list):
        return tuple(read_text(item) for item in node if _said(item))
    return (read_text(node),) if _said(node) else ()


def read_tags(node: Node) -> tuple[str, ...]:
    """Return tags from a list, a list as JSON text, or words with commas or ``#`` between them."""
    if isinstance(node, str):
        return tuple(filter(None, map(read_tag, _split_tags(str(node)))))
    if isinstance(node, list):
        return tuple(filter(None, map(read_tag, node)))
    raise Misfit("should be a list of texts")


def read_tag(node: Node) -> str:
    """Return one tag without the ``#`` before it."""
    return read_text(node).removeprefix("#")


def _split_tags(text: str) -> list[str]:
    stripped = text.strip()
    if stripped.startswith("["):
        try:
            found = json.loads(stripped)
        except (ValueError, RecursionError):
            found = None  # brackets of another kind: words between commas, below
        if isinstance(found, list) and all(isinstance(item, str) for item in found):
            return [item.strip() for item in found]
        stripped = stripped.strip("[]")
    if "," in stripped:
        return [item.strip() for item in stripped.split(",")]
    words = stripped.split()
    return words if words and all(word.startswith("#") for word in words) else [stripped]


def read_confidence(node: Node) -> Confidence:
    """Return a number or a word; a mapping ``{number, word}`` says both."""
    if isinstance(node, dict):
        number = read_number(node["number"]) if "number" in node else None
        return Confidence(number=number, word=read_text(node.get("word", "")))
    text = read_text(node).strip()
    number = _float(text)
    return Confidence(word=text) if number is None else Confidence(number=number)


def read_number(node: Node) -> float:
    """Return a finite number."""
    number = _float(read_text(node).strip())
    if number is None:
        raise Misfit("should be a number")
    return number


def _float(text: str) -> float | None:
    if not text.isascii() or "_" in text:
        return None
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def read_instant(node: Node) -> Instant | None:
    """Return a day or a time; a text that is neither is kept as it is."""
    text = read_text(node)
    return parse_instant(text) if text else None


def read_links(node: Node) -> tuple[Link, ...]:
    """Return links from a list of ``{to, rel}`` or of names, or from one of either."""
    return tuple(read_link(item) for item in (node if isinstance(node, list) else [node]) if _said(item))


def read_link(node: Node) -> Link:
    """Return one link; ``[[name|alias]]``, quoted or not, is the name."""
    if not isinstance(node, dict):
        return Link(_target(node))
    if "to" not in node:
        raise Misfit("should have `to` in each item")
    strength = node.get("strength")
    return Link(
        _target(node["to"]),
        rel=read_text(node["rel"]) if "rel" in node and _said(node["rel"]) else RELATES_TO,
        strength=None if strength is None else read_number(strength),
        created=read_instant(node.get("created", "")),
        updated=read_instant(node.get("updated", "")),
    )


def _target(node: Node) -> str:
    while isinstance(node, list) and len(node) == 1:
        node = node[0]
    text = read_text(node)
    if text.startswith("[[") and text.endswith("]]"):
        return text[2:-2].split("|", 1)[0].split("#", 1)[0].strip()
    return text


def read_rejected(node: Node) -> tuple[Rejected, ...]:
    """Return what was turned down: a list of ``{option, reason}``, of ``option: reason`` or of names, or one of these."""
    if isinstance(node, str) and node.strip().casefold() in _NONE:
        raise Misfit("should be a list")
    return tuple(one for item in (node if isinstance(node, list) else [node]) for one in _turned_down(item))


def _turned_down(item: Node) -> Iterator[Rejected]:
    if not isinstance(item, dict):
        yield Rejected(read_text(item))
    elif "option" in item or "reason" in item:
        yield Rejected(read_text(item.get("option", "")), read_text(item["reason"]) if "reason" in item else None)
    else:
        for option, reason in item.items():
            yield Rejected(option, read_text(reason) or None)


def read_correction(node: Node) -> Correction:
    """Return what it corrected."""
    return Correction(**_record(node, _CORRECTION))


def read_dynamics(node: Node) -> Dynamics:
    """Return the state of the forgetting engine."""
    return Dynamics(**_record(node, _DYNAMICS))


def read_metadata(node: Node) -> dict[str, Any]:
    """Return a mapping of anything."""
    if not isinstance(node, dict):
        raise Misfit("should be a mapping")
    found: dict[str, Any] = typed(node)
    return found


def read_embedding(node: Node) -> tuple[float, ...]:
    """Return a vector: packed numbers in base64 behind ``float32:`` or ``float64:``, or a list of numbers."""
    if isinstance(node, list):
        return tuple(read_number(item) for item in node)
    text = read_text(node)
    letter = _PACKED.get(text[:8])
    if letter is None:
        raise Misfit("should be a list of numbers")
    try:
        packed = base64.b64decode(text[8:], validate=True)
        return struct.unpack(f"<{len(packed) // struct.calcsize(letter)}{letter}", packed)
    except (binascii.Error, ValueError, struct.error) as error:
        raise Misfit("is no vector in base64") from error


def _record(node: Node, fields: dict[str, Callable[[Node], Any]]) -> dict[str, Any]:
    if not isinstance(node, dict):
        raise Misfit("should be a mapping")
    if unknown := next((key for key in node if key not in fields), None):
        raise Misfit(f"has no field {unknown!r}")
    return {key: fields[key](item) for key, item in node.items()}


def read_count(node: Node) -> int:
    text = read_text(node).strip()
    if text.isascii() and text.removeprefix("-").isdigit() and len(text) <= _MOST_DIGITS:
        return int(text)  # exact, however large
    number = read_number(node)
    if not number.is_integer():
        raise Misfit("should count in whole numbers")
    return int(number)


def _read_flag(node: Node) -> bool:
    text = read_text(node)
    if text not in ("true", "false"):
        raise Misfit("should say true or false")
    return text == "true"


def _read_associations(node: Node) -> tuple[Association, ...]:
    if not isinstance(node, list):
        raise Misfit("should be a list")
    found = [_record(item, _ASSOCIATION) for item in node]
    if any("to" not in item or "weight" not in item for item in found):
        raise Misfit("should have `to` and `weight` in each association")
    return tuple(Association(**item) for item in found)


_CORRECTION: dict[str, Callable[[Node], Any]] = {
    "wrong_entry_id": read_text,
    "wrong_claim": read_text,
    "right_claim": read_text,
    "reason": read_text,
}
_ASSOCIATION: dict[str, Callable[[Node], Any]] = {
    "to": read_text,
    "weight": read_number,
    "last_recalled": read_instant,
    "created": read_instant,
}
_DYNAMICS: dict[str, Callable[[Node], Any]] = {
    "importance": read_number,
    "stability": read_number,
    "retention": read_number,
    "cold": _read_flag,
    "cold_since": read_instant,
    "days_at_floor": read_count,
    "stub": _read_flag,
    "associations": _read_associations,
}


# Writing


def tag_node(tag: str) -> Node:
    """Return one tag; a ``#`` of its own is doubled, since one is taken off."""
    return f"#{tag}" if tag.startswith("#") else tag


def confidence_node(confidence: Confidence) -> Node:
    """Return a number or a word, None for nothing said, a mapping where one text would not say it."""
    number, word = confidence.number, confidence.word
    if number is None:
        plain = not word or (_float(word) is None and word == word.strip())
        return (word or None) if plain else {"word": word}
    return {"number": Plain(number_text(number)), "word": word} if word else Plain(number_text(number))


def instant_node(instant: Instant | None) -> Node:
    """Return a day or time as it is written, a text that is neither as a text."""
    if instant is None:
        return None
    return instant.iso() if instant.ms is None else Plain(instant.iso())


def link_node(link: Link) -> Node:
    """Return ``{to, rel}``, and what a log says of the link."""
    return _without_empty(
        {"to": link.to, "rel": link.rel}
        | {"strength": link.strength, "created": instant_node(link.created), "updated": instant_node(link.updated)}
    )


def rejected_node(rejected: Rejected) -> Node:
    """Return ``{option, reason}``, without a reason when nobody said one."""
    return _without_empty({"option": rejected.option, "reason": rejected.reason})


def provenance_nodes(provenance: Provenance) -> dict[str, Node]:
    """Return what is known of where it came from, by key; None where nothing is."""
    p = provenance
    nodes: dict[str, Node] = {"origin": p.origin or None, "actor": p.actor or None, "trust": p.trust or None}
    nodes |= {"sessions": list(p.sessions) or None, "turn": None if p.turn is None else Plain(str(p.turn))}
    return nodes | {"turn_ids": list(p.turn_ids) or None, "excerpt": p.excerpt or None}


def correction_node(correction: Correction) -> Node:
    """Return what it corrected."""
    c = correction
    node = {"wrong_entry_id": c.wrong_entry_id or None, "wrong_claim": c.wrong_claim or None}
    return _without_empty(node | {"right_claim": c.right_claim or None, "reason": c.reason})


def dynamics_node(dynamics: Dynamics) -> Node:
    """Return the state of the forgetting engine, empty for a memory that never met it."""
    d = dynamics
    associations = [
        _without_empty(
            {"to": a.to, "weight": a.weight}
            | {"last_recalled": instant_node(a.last_recalled), "created": instant_node(a.created)}
        )
        for a in d.associations
    ]
    node = {"importance": d.importance, "stability": d.stability, "retention": d.retention, "cold": d.cold or None}
    node |= {"cold_since": instant_node(d.cold_since), "days_at_floor": d.days_at_floor or None}
    return _without_empty(node | {"stub": d.stub or None, "associations": associations or None})


def embedding_node(vector: tuple[float, ...]) -> Node:
    """Return the vector packed, in 32 bits a number where that is exact."""
    name, letter = "float64:", "d"
    try:
        if struct.unpack(f"<{len(vector)}f", struct.pack(f"<{len(vector)}f", *vector)) == tuple(vector):
            name, letter = "float32:", "f"
    except OverflowError:
        pass  # too great for 32 bits: 64 it is
    return name + base64.b64encode(struct.pack(f"<{len(vector)}{letter}", *vector)).decode("ascii")


def _without_empty(node: dict[str, Any]) -> dict[str, Any]:
    return {key: item for key, item in node.items() if item is not None}
